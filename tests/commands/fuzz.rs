//! `warploom fuzz`, and docs/verification/fuzzing.md.
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn fuzz(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.arg("fuzz").args(args).stdin(Stdio::null()).output().expect("warploom starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Summary of a run into a directory that goes away.
fn summary(args: &[&str]) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let corpus = directory.path().join("found");
    let ran = fuzz(&[args, &["--json", "--corpus", corpus.to_str().expect("a path")]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut summary: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    summary["seconds"] = Value::Null;
    summary
}

#[test]
fn programs_depend_on_their_seeds_alone() {
    // The first of these seeds are of one core, the others of another.
    let two = summary(&["--programs", "20", "--seed", "240", "--jobs", "2"]);
    assert_eq!(two, summary(&["--programs", "20", "--seed", "240", "--jobs", "1"]));
    let mut shape = two;
    assert!(shape["cycles"].as_u64().is_some_and(|cycles| cycles > 1000));
    shape["cycles"] = Value::Null;
    insta::assert_snapshot!("summary", serde_json::to_string_pretty(&shape).expect("JSON"));
}

/// Two threads of a warp race: in the reference model the second sees what the first has written, in the core they read at once.
const RACE: &str = "\
# core {}
# shape {\"grid\":[1,1,1],\"block\":[2,1,1],\"spare_words\":0}
# memory {}
# data 0
    .4byte 0xccf02df3  # csrr s11, arguments
    .4byte 0x004dac83  # lw s9, 4(s11)
    .4byte 0x000ca183  # lw gp, 0(s9)
    .4byte 0x00118193  # addi gp, gp, 1
    .4byte 0x003ca023  # sw gp, 0(s9)
    .4byte 0x0000100b  # exit
";

#[test]
fn a_file_is_replayed() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, text: &str| {
        let path: PathBuf = directory.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_string()
    };
    let race = fuzz(&["--replay", &file("race.s", RACE)]);
    assert_eq!(race.status.code(), Some(1));
    let text = stdout(&race);
    assert!(text.starts_with("FAIL ") && text.contains("spe on 4 lanes x 4 warps: "), "{text}");
    let alone = fuzz(&["--replay", &file("alone.s", &RACE.replace("[2,1,1]", "[1,1,1]"))]);
    assert_eq!(alone.status.code(), Some(0), "{}", stdout(&alone));
    assert!(stdout(&alone).starts_with("PASS "));
    let wrong = fuzz(&["--replay", &file("wrong.s", &RACE.replace("core {}", "core {\"warps\":2}"))]);
    assert_eq!(wrong.status.code(), Some(2));
    let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(text.contains("# core: warps 2: it is 4 to 64 ("), "{text}");
    let none = fuzz(&["--mechanism", "tcb"]);
    assert_eq!(none.status.code(), Some(2));
    let text = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(text.contains("there is no mechanism `tcb`") && text.contains("did you mean tbc"), "{text}");
    let variant = fuzz(&["--mechanism", "dwf-wb:oldest"]);
    assert_eq!(variant.status.code(), Some(2));
    let text = String::from_utf8_lossy(&variant.stderr).into_owned();
    assert!(text.contains("`dwf-wb` has them all"), "{text}");
}

#[test]
fn several_cores_are_as_good_as_one() {
    let options = ["--programs", "4", "--mechanism", "spe", "--cores", "2", "--channels", "1"];
    let ran = summary(&options);
    assert_eq!(ran["gpu"], serde_json::json!({"cores": 2, "channels": 1}));
    assert_eq!([&ran["programs"], &ran["cores"], &ran["mismatches"]], [4, 1, 0]);
    assert!(summary(&["--programs", "1", "--mechanism", "spe", "--cores", "1"])["gpu"].is_null());
}

#[test]
fn a_file_says_which_gpu() {
    let directory = tempfile::tempdir().expect("a directory");
    let gpu = |gpu: &str, block: &str| {
        let path = directory.path().join("race.s");
        let text = RACE.replace("# shape", &format!("# gpu {gpu}\n# shape")).replace("[2,1,1]", block);
        fs::write(&path, text).expect("a file");
        fuzz(&["--replay", path.to_str().expect("a path")])
    };
    for (block, status, expected) in [("[2,1,1]", 1, "FAIL "), ("[1,1,1]", 0, "PASS ")] {
        let ran = gpu("{}", block);
        let text = stdout(&ran);
        assert_eq!(ran.status.code(), Some(status), "{text}");
        let machine = "spe on 4 lanes x 4 warps, 2 cores before 1 channel";
        assert!(text.starts_with(expected) && text.contains(machine), "{text}");
    }
    let wrong = gpu("{\"channels\":5}", "[1,1,1]");
    let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(wrong.status.code() == Some(2) && text.contains("# gpu: channels 5: it is one of 1, 2, 3"), "{text}");
}

#[test]
fn what_several_cores_cannot_is_said() {
    for (options, expected) in [
        (vec!["--cores", "17"], "--cores 17: it is 1 to 16"),
        (vec!["--cores", "2", "--channels", "5"], "--channels 5: it is one of 1, 2"),
        (vec!["--channels", "2"], "--memory rtl has channels"),
        (vec!["--cores", "2", "--memory", "model"], "2 cores have hardware"),
        (vec!["--cores", "2", "--coverage"], "--coverage: it is counted on a core alone"),
        (vec!["--replay", "a.s", "--cores", "2"], "cannot be used with"),
    ] {
        let ran = fuzz(&options);
        let text = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.code() == Some(2) && text.contains(expected), "{options:?}: {text}");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

const HOW: &str = "
Generated by tests/commands/fuzz.rs, which checks this page, and writes it anew with `WARPLOOM_WRITE=1 cargo test --test commands fuzz::the_page` from docs/verification/fuzzing.json and
fuzzing-floats.json, which are what the commands above have printed.

## What is drawn

- **Cores** (testbenches/verification/src/fuzz/core.rs): 4 to 32 lanes, 4 to 48 warps, also odd numbers of them; every mechanism with its variants, predictors, thresholds and numbers of splits; likely-convergence points;
  permutations; schedulers and CTA priorities; slots, depths of stacks (one core in eight has shallow ones), shapes of the L1, MSHRs, queues; one in three with floats, one in four with warp instructions. All of them keep the rules that the command line keeps (`CoreConfig::check`). A
  core serves 250 seeds.
- **GPUs**, with `--cores N` (testbenches/verification/src/fuzz/shared.rs): N such cores, one to three channels or as many as `--channels` says, GDDR3 or GDDR5, slices of L2 of 4 to 16 lines, lengths and rooms of links, queues, write credits, the ratio of all clocks. The core of a seed is
  that of the same seed without `--cores`, with lines of 32 bytes at least.
- **Launches and memory**: CTAs of one dimension, two or three that seldom fill their warps, often more of them than slots; latencies from 1 to 1000 cycles, narrow and refusing memories, answers out of order.
- **Programs** (testbenches/verification/src/random_program): control flow with early exits, loops that some threads enter in the middle, calls four deep and by pointers, barriers also in divergent code;
  every instruction; private, shared and global memory, bytes and halfwords between those of other threads; in one program of six a thread that may trap; threads that end with a reservation of LR/SC.

Every decision is a number in a sequence. What fails is shrunk by leaving out and lowering numbers, then on simpler cores, of a GPU first on a core alone, and becomes an assembly file: `warploom fuzz --replay FILE`.

## What is compared

All of global memory, what every thread writes to every register in order, and how many instructions are executed. A program whose outcome depends on the schedule is
in it in two ways. **Atomics whose result is used**: the reference model takes the results from the core's threads; then the threads' atomics must be those that memory performed, each as often, with
the same operands and results (of a GPU nothing outside sees them: there some order of the threads' atomics has to give their results and the last words), memory's results must be those of the atomics one after the other, and the last words what they have made of the first. **LR/SC** until it succeeds: the sum is
compared, the attempts are not. In a **ballot** and a `tree_traverse` a thread looks for its own vote, and in a `cond_acc` one lane of a warp stores. A **trap** of one thread has the cause, the thread, the PC and the value of
the model's (a PC outside the code is blamed on the warp: then the thread is not compared). On a core with shallow stacks the trap that says so is a legal outcome.

## What it does not see

Programs with races but for these; the other bits of a ballot and other lanes' places in a `cond_acc`, which depend on who is there (testbenches/verification/tests/warp_instructions.rs sees them); traps of several threads together (an indirect jump to different places); that a stack overflows too early; a lane that returns before a barrier that others still reach (the core
waits for it for ever, [own kernels](../user/own-kernels.md); the reference model does not); timing: a core that is right and slow.
";

/// The recorded runs: what was drawn, with which options, and where it is.
const RUNS: [(&str, &str, &str); 2] =
    [("cores of all kinds", "", "fuzzing.json"), ("cores with floats", " --isa rv32imaf", "fuzzing-floats.json")];

fn recorded(file: &str) -> Value {
    let text = fs::read_to_string(root().join("docs/verification").join(file)).expect("a recorded run");
    serde_json::from_str(&text).expect("JSON")
}

/// What came of a run, and its command.
fn figures((drawn, options, file): (&str, &str, &str)) -> [String; 2] {
    let summary = recorded(file);
    let number = |field: &str| summary[field].as_u64().expect("a number");
    let [first, last] = [0, 1].map(|index| summary["seeds"][index].as_u64().expect("a seed"));
    let programs = number("programs");
    let came = format!(
        "{programs} programs (seeds {first} to {last}) on {} {drawn}, {} cycles: {} differences; {} stopped by a full stack on a core with shallow ones.",
        number("cores"),
        number("cycles"),
        number("mismatches"),
        number("overflows")
    );
    [came, format!("`warploom fuzz --programs {programs} --seed {first}{options} --json`")]
}

fn page() -> String {
    let figures = RUNS.map(figures);
    let mut page = "# Fuzzing: random programs on random cores\n\n| | |\n|---|---|\n".to_string();
    let rows = [
        ("What", "Random programs on random cores of every mechanism give the memory and the register writes of the reference model.".to_string()),
        (
            "How",
            "Programs, launches, memories and cores are drawn from seeds; a difference is shrunk to a few instructions and kept as an assembly file.".to_string(),
        ),
        (
            "How often",
            "`cargo test` replays the corpus and runs 20 programs; CI a minute of programs that no run has seen; the runs recorded here by hand.".to_string(),
        ),
        ("Figures", figures.each_ref().map(|[came, _]| came.as_str()).join("<br>")),
        ("Command", figures.each_ref().map(|[_, command]| command.as_str()).join("<br>")),
    ];
    for (name, text) in rows {
        writeln!(page, "| {name} | {text} |").expect("text");
    }
    page += HOW;
    let runs = RUNS.map(|(_, _, file)| recorded(file));
    let [all, floats] = RUNS.map(|(drawn, _, _)| drawn);
    write!(page, "\n## The recorded runs\n\nPrograms.\n\n| mechanism | {all} | {floats} |\n|---|--:|--:|\n")
        .expect("text");
    for name in runs[0]["mechanisms"].as_object().expect("mechanisms").keys() {
        let [all, floats] = runs.each_ref().map(|summary| summary["mechanisms"][name].as_u64().unwrap_or_default());
        writeln!(page, "| `{name}` | {all} | {floats} |").expect("text");
    }
    let [all, floats] = runs.map(|summary| summary["seconds"].to_string());
    writeln!(page, "\nThe first took {all} seconds, the second {floats}: of machines and beside work that differ.")
        .expect("text");
    page += "\n## The corpus\n\nPrograms in testbenches/verification/corpus. Those of rules make the rule take effect that they are named after ([rules](rules.md)).\n\n| file | instructions | threads | what |\n|---|--:|--:|---|\n";
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("testbenches/verification/corpus"))
        .expect("the corpus")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    for path in files {
        let text = fs::read_to_string(&path).expect("a file");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let case = warploom_verification::fuzz::file::parse(&name, &text).expect("a case").case;
        let about = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        writeln!(page, "| `{name}` | {} | {} | {about} |", case.program.words.len(), case.shape.all_threads())
            .expect("text");
    }
    page
}

#[test]
fn the_page_is_what_the_recorded_run_says() {
    let path = root().join("docs/verification/fuzzing.md");
    if std::env::var_os("WARPLOOM_WRITE").is_some() {
        fs::write(&path, page()).expect("the page");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "docs/verification/fuzzing.md is out of date: WARPLOOM_WRITE=1 writes it");
}
