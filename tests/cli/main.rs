//! The `warploom` binary as its users see it: what it prints, and how it ends.
use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{Entry, MECHANISMS};
use warploom_requirements::met;

mod bad_programs;
mod cache;
mod checkpoints;
mod foreign;
mod meta;
mod outputs;
mod waveforms;

/// What a command printed and how it ended.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(args).env_remove("COLUMNS").stdin(Stdio::null());
    command
}

fn warploom(args: &[&str]) -> Ran {
    ran(command(args).output().expect("warploom starts"))
}

fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    for panic in ["panicked", "RUST_BACKTRACE", "a bug in warploom"] {
        assert!(!stdout.contains(panic) && !stderr.contains(panic), "{stdout}{stderr}");
    }
    Ran { status: output.status.code().expect("an exit status"), stdout, stderr }
}

/// A bad command line or input: status 2, nothing on standard output, and all of `parts` in the message.
#[track_caller]
fn refused(args: &[&str], parts: &[&str]) {
    let Ran { status, stdout, stderr } = warploom(args);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    contains(&stderr, parts);
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

/// Path of a micro-kernel.
fn elf(micro: &str) -> String {
    format!("{}/testbenches/runtime/kernels/micro/{micro}.elf", env!("CARGO_MANIFEST_DIR"))
}

/// A directory with one file in it.
fn file(name: &str, contents: &[u8]) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, contents).expect("a file in it");
    let path = path.to_str().expect("a path in UTF-8").to_string();
    (directory, path)
}

// What it prints.

#[test]
fn a_number_below_zero_is_out_of_range() {
    for option in ["--seed", "--l2-latency", "--grid"] {
        let stderr = warploom(&["run", "bfs", option, "-1"]).stderr;
        assert!(stderr.contains(&format!("'-1' for '{option} ")), "{stderr}");
    }
}

#[test]
fn help() {
    insta::assert_snapshot!("help", warploom(&["--help"]).stdout);
    for subcommand in [
        "run",
        "picture",
        "compare",
        "export",
        "synth",
        "build",
        "disasm",
        "fuzz",
        "kernels",
        "mechanisms",
        "presets",
        "modules",
        "cache",
        "doctor",
        "schema",
        "completions",
        "man",
    ] {
        insta::assert_snapshot!(format!("help_{subcommand}"), warploom(&[subcommand, "--help"]).stdout);
    }
}

/// A picture in the documentation is what the command there draws. With `WARPLOOM_BLESS=1`, draws it.
#[track_caller]
fn is_in_the_documentation(kernel: &str, mechanisms: &str) {
    let picture = ["picture", kernel, "--preset", "tiny", "--mechanisms", mechanisms];
    let path = format!("{}/docs/user/{kernel}.svg", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WARPLOOM_BLESS").is_some() {
        warploom(&[&picture[..], &["-o", &path]].concat());
    }
    let Ran { status, stdout, stderr } = warploom(&[&picture[..], &["-o", "-"]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    let committed = std::fs::read_to_string(&path).expect("a picture in docs/user");
    assert!(stdout == committed, "{path} is stale: run this test with WARPLOOM_BLESS=1");
}

#[test]
fn the_worked_example_is_that_of_the_documentation() {
    is_in_the_documentation("rhu_4_1", "spe,tbc,capri");
}

#[test]
#[ignore = "long: compiles two more cores; runs in .ci/run"]
fn four_mechanisms_are_those_of_the_documentation() {
    is_in_the_documentation("bitonic_shared", "spe,tbc,capri+slp,dpe");
}

#[test]
fn a_picture_is_named_after_its_kernel() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let example = ["picture", "rhu_4_1", "--preset", "tiny", "--mechanisms", "spe,tbc,capri"];
    let Ran { status, stdout, .. } = ran(command(&example).current_dir(&directory).output().expect("warploom starts"));
    assert_eq!(status, 0);
    insta::assert_snapshot!("picture", stdout);
    let written = std::fs::read_to_string(directory.path().join("rhu_4_1.svg")).expect("a file named after the kernel");
    assert!(written.starts_with("<svg") && written.trim_end().ends_with("</svg>"), "{written}");
}

#[test]
fn a_run_that_is_stopped_is_drawn_up_to_there() {
    let Ran { status, stdout, stderr } = warploom(&["picture", "illegal", "--preset", "tiny", "-o", "-"]);
    assert_eq!(status, 3);
    contains(&stderr, &["under spe: trap: illegal instruction", "at 0xc <_start+0xc>"]);
    contains(&stdout, &["illegal on tiny under spe: cycles 0 to "]);
}

#[test]
fn pictures_that_cannot_be_drawn() {
    let picture = |args: &[&str], parts: &[&str]| {
        refused(&[&["picture", "rhu_4_1", "--preset", "tiny", "-o", "/dev/null"], args].concat(), parts);
    };
    picture(&["--mechanisms", "spe,tcb"], &["no mechanism `tcb`", "did you mean tbc?"]);
    picture(&["--from", "9", "--to", "4"], &["--to 4", "before --from 9"]);
    picture(&["--from", "0", "--to", "2400"], &["2401 cycles", "up to 2400", "--to 2399"]);
    let ends = ["--from 1000", "rhu_4_1 has ended by then", "102 cycles under spe, 100 cycles under tbc"];
    picture(&["--mechanisms", "spe,tbc", "--from", "1000"], &ends);
    contains(include_str!("../../docs/user/pictures.md"), &["100 cycles against 102"]);
    let nowhere = ["--output: cannot write /nowhere/p.svg"];
    refused(&["picture", "rhu_4_1", "--preset", "tiny", "-o", "/nowhere/p.svg"], &nowhere);
    refused(&["picture", "rhu_4_2", "--preset", "tiny"], &["no kernel `rhu_4_2`", "did you mean rhu_4_1?"]);
}

#[test]
fn lists() {
    for subcommand in ["kernels", "mechanisms", "presets"] {
        let Ran { status, stdout, stderr } = warploom(&[subcommand]);
        assert_eq!((status, stderr.as_str()), (0, ""));
        insta::assert_snapshot!(subcommand, stdout);
    }
}

#[test]
fn listing() {
    let Ran { status, stdout, stderr } = warploom(&["disasm", "likely_convergence"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("disasm", stdout);
    let Ran { stdout, .. } = warploom(&["disasm", &elf("likely_convergence"), "--json"]);
    let listing: Value = serde_json::from_str(&stdout).expect("a JSON list");
    let branch = &listing[0x44 / 4];
    assert_eq!((&branch["label"], branch["target"].as_u64()), (&"C".into(), Some(0x4c)));
    assert_eq!(branch["branch"].to_string(), r#"{"class":"D","lpc":76,"meeting_block":4,"rpc":92,"uniform":false}"#);
    refused(&["disasm", "likely_convergance"], &["no kernel `likely_convergance`", "did you mean likely_convergence?"]);
    refused(&["disasm", "bfs", "--kernel", "x"], &["--kernel x", "not from OpenCL C"]);
    refused(&["disasm", "nowhere.elf"], &["cannot read nowhere.elf"]);
}

#[test]
fn every_module_is_listed() {
    let Ran { status, stdout, stderr } = warploom(&["modules"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let listed: Vec<_> = stdout.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    let catalog = CATALOG.iter().map(|module| module.name);
    let inside = catalog.clone().filter(|name| *name != "core");
    assert_eq!(listed, ["core"].into_iter().chain(inside).collect::<Vec<_>>());
    let bits = warploom(&["modules", "--bits", "--preset", "tiny"]).stdout;
    let counted: Vec<_> = bits.lines().skip(1).map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    assert_eq!(counted, listed);
}

#[test]
fn bits_of_a_module() {
    let Ran { status, stdout, stderr } = warploom(&["modules", "--bits", "spe_stack", "--preset", "paper"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("bits", stdout);
    let Ran { stdout, .. } = warploom(&["modules", "--bits", "round_robin_arbiter", "--warps", "48", "--json"]);
    insta::assert_snapshot!("bits_json", stdout);
    refused(&["modules", "--bits", "spe_stak"], &["no module `spe_stak`", "did you mean spe_stack?"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["modules"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let Ran { status, stderr, .. } = ran(child.wait_with_output().unwrap());
    assert_eq!((status, stderr.as_str()), (0, ""));
}

#[test]
fn report() {
    let Ran { status, stdout, stderr } = warploom(&["run", "bitonic", "--preset", "tiny", "--size", "smoke"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (report, of_this_machine) = stdout.trim_end().rsplit_once('\n').expect("lines");
    assert!(of_this_machine.starts_with("  simulated at "), "{of_this_machine}");
    let shape: Vec<String> = report.lines().map(without_counts).collect();
    insta::assert_snapshot!("report", shape.join("\n"));
}

/// Counts change with every change of the core's timing; the report's shape does not.
fn without_counts(line: &str) -> String {
    let is_row = line.starts_with("  ") && line.as_bytes().get(35).is_some_and(|c| c.is_ascii_digit() || *c == b'%');
    if !is_row {
        return line.to_string();
    }
    let (name, meaning) = (&line[..22], &line[36..]);
    format!("{name}{:>14}{}", "#", if meaning.ends_with("misses") { "  # hits, # misses" } else { meaning })
}

#[test]
fn json() {
    let args = ["run", "bfs", "--preset", "tiny", "--size", "smoke", "--seed", "7", "--scheduler", "gto", "--json"];
    let Ran { status, stdout, stderr } = warploom(&args);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&stdout).expect("one JSON object");
    let mut keys = BTreeSet::new();
    collect_keys(&report, "", &mut keys);
    insta::assert_snapshot!("json_keys", keys.into_iter().collect::<Vec<_>>().join("\n"));
    assert_eq!((&report["kernel"], &report["result"]), (&"bfs".into(), &"pass".into()));
    let slots = &report["issue_slots"];
    let idle: u64 =
        ["stall", "idle_memory", "barrier", "idle_other"].iter().filter_map(|key| slots[key].as_u64()).sum();
    let issued: u64 = slots["issued"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(report["warp_instructions"].as_u64(), Some(issued));
    assert_eq!(report["idle_slots"].as_u64(), Some(idle));
    assert_eq!(report["cycles"].as_u64(), Some(issued + idle));
}

fn collect_keys(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value.as_object() {
        Some(object) => object.iter().for_each(|(key, value)| collect_keys(value, &format!("{path}.{key}"), keys)),
        None => drop(keys.insert(path.trim_start_matches('.').to_string())),
    }
}

#[test]
fn json_says_why_a_run_was_stopped() {
    let Ran { status, stdout, .. } = warploom(&["run", &elf("illegal"), "--preset", "tiny", "--json"]);
    let report: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert_eq!((status, &report["result"]), (3, &"error".into()));
    contains(report["reason"].as_str().unwrap(), &["illegal instruction 0xffffffff", "0xc", "lane 2"]);
    assert!(report["cycles"].as_u64() > Some(0));
}

#[test]
fn an_elf_of_ones_own_has_no_reference() {
    // Its loop has two entries, and a barrier in it: odd control flow that works.
    let args = ["run", &elf("irreducible"), "--preset", "tiny", "--grid", "2", "--block", "8", "--arg", "zeros:8"];
    let Ran { status, stdout, stderr } = warploom(&args);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    contains(&stdout, &["DONE", "finished, nothing to check against", "16  threads, in 1 launch"]);
}

#[test]
fn the_kernel_of_the_documentation() {
    if !met(&[("clang and ld.lld", warploom_runtime::toolchain::available())]) {
        return;
    }
    let page = include_str!("../../docs/user/own-kernels.md");
    let source = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of C");
    let (directory, path) = file("abs.c", source.as_bytes());
    let Ran { status, stdout, stderr } = warploom(&["build", &path]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let elf = directory.path().join("abs.elf");
    let launch = ["--grid", "4", "--block", "16", "--arg", "random:64", "--arg", "zeros:64", "--arg", "64"];
    let args = [&["run", elf.to_str().unwrap(), "--preset", "tiny"], &launch[..]].concat();
    let Ran { status, stdout, stderr } = warploom(&args);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    contains(&stdout, &["DONE", "64  threads"]);
}

// Names that are not there, numbers out of range.

#[test]
fn unknown_names_suggest_the_nearest() {
    refused(&["run", "bitnic"], &["no kernel `bitnic`", "did you mean bitonic?", "warploom kernels"]);
    refused(&["run", "bitonic", "-m", "sep"], &["no mechanism `sep`", "did you mean spe?", "warploom mechanisms"]);
    refused(&["run", "bitonic", "-m", "tbc+lpc"], &["called `lpc` to add", "did you mean lcp", "warploom mechanisms"]);
    refused(&["export", "core", "-m", "tbc+slp=wdi"], &["no permutation `wdi`", "did you mean wid?"]);
    refused(
        &["run", "bitonic", "-m", "capri", "--history", "bit2"],
        &["no history `bit2`", "there are: latest, sticky, 2bit"],
    );
    refused(&["run", "bitonic", "--cta-priority", "aeg"], &["no CTA priority `aeg`", "did you mean age"]);
    refused(&["run", "bitonic", "--preset", "papre"], &["no preset `papre`", "did you mean paper or capri?"]);
    refused(&["run", "bitonic", "--scheduler", "gtoo"], &["no scheduler `gtoo`", "did you mean gto?"]);
    refused(&["export", "spe_stak"], &["no module `spe_stak`", "did you mean spe_stack?", "warploom modules"]);
    refused(&["rnu"], &["unrecognized subcommand 'rnu'"]);
}

fn passes_with(options: &[&str]) {
    let args = [&["run", "reduction", "--preset", "tiny", "--size", "smoke"], options].concat();
    let Ran { status, stdout, stderr } = warploom(&args);
    assert_eq!((status, stderr.as_str()), (0, ""), "{options:?}");
    contains(&stdout, &["PASS"]);
}

#[test]
fn a_scheduler_and_a_priority() {
    passes_with(&["--scheduler", "2lev:2:100", "--cta-priority", "srr"]);
}

#[test]
#[ignore = "long: compiles a core for each; runs in .ci/run"]
fn every_scheduler_and_priority() {
    for scheduler in ["gto", "oldest", "2lev:2", "2lev:cta:100"] {
        passes_with(&["--scheduler", scheduler]);
    }
    for priority in ["age", "srr"] {
        passes_with(&["--cta-priority", priority]);
    }
}

#[test]
fn options_of_another_mechanism() {
    refused(&["run", "bitonic", "--capt-entries", "8"], &["--capt-entries is for capri", "spe has no"]);
    refused(&["run", "bitonic", "-m", "tbc", "--history", "2bit"], &["--history is for capri", "tbc has no"]);
    refused(&["run", "bitonic", "--no-compaction"], &["--no-compaction", "spe does not compact"]);
    refused(&["run", "bitonic", "--no-permutation"], &["--no-permutation", "spe does not permute"]);
}

#[test]
fn every_mechanism_runs() {
    for mechanism in ["spe+lcp", "tbc", "tbc+", "capri+slp", "capri+lcp+slp=rev_wid"] {
        let Ran { status, stdout, stderr } =
            warploom(&["run", "bfs", "--preset", "tiny", "--size", "smoke", "-m", mechanism]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{mechanism}");
        contains(&stdout, &["PASS", &format!("under {}", mechanism.replace("tbc+", "tbc-plus"))]);
    }
}

#[test]
fn sizes_out_of_range() {
    refused(&["run", "bitonic", "--lanes", "5"], &["--lanes 5", "4, 8, 16 or 32"]);
    refused(&["run", "bitonic", "--warps", "65"], &["--warps 65", "4 to 64"]);
    refused(&["run", "bitonic", "--stack-depth", "1"], &["--stack-depth 1", "2 to 64"]);
    refused(&["export", "core", "--mshrs", "129"], &["--mshrs 129", "from 4 to 128"]);
    refused(&["run", "bitonic", "--scheduler", "2lev:33"], &["--scheduler 2lev:33", "1 to 32"]);
    refused(
        &["run", "bitonic", "--scheduler", "2lev:8:-1"],
        &["--scheduler 2lev:8:-1", "a whole number, as a timeout is, not `-1`"],
    );
    refused(&["run", "bitonic", "--scheduler", "gto:2"], &["--scheduler gto:2", "only 2lev has groups"]);
    refused(&["run", "bitonic", "-m", "capri", "--capt-entries", "33"], &["--capt-entries 33", "2 to 32"]);
    refused(&["run", "bitonic", "--block", "0"], &["--block 0", "1 to 1024 threads"]);
    refused(&["run", "bitonic", "--size", "0"], &["--size 0", "smoke, default, large, or 1 to 131072 elements"]);
    refused(&["run", "bitonic", "--max-cycles", "0"], &["--max-cycles"]);
    refused(&["run", "bitonic", "--dram-bandwidth", "0"], &["--dram-bandwidth", "0.01"]);
    refused(&["run", "bitonic", "--grid", "2"], &["--grid", "kernel of your own"]);
    refused(&["run", &elf("stream"), "--size", "9"], &["--size", "kernels of `warploom kernels`"]);
    refused(&["run", &elf("stream"), "--arg", "ones:5"], &["--arg", "random or iota with :TYPE:COUNT"]);
}

#[test]
fn options_that_would_do_nothing() {
    for option in ["--clock 1", "--no-flatten", "--flatten-up-to 1", "--memory-bits 8", "--depth 3"] {
        let option: Vec<&str> = option.split(' ').collect();
        refused(&[&["synth", "fetch", "--target", "ice40"][..], &option].concat(), &["--target", option[0]]);
    }
    refused(&["synth", "fetch", "--no-flatten", "--flatten-up-to", "5"], &["--no-flatten", "--flatten-up-to"]);
    let sweep = |args: &[&str], part: &str| refused(&[&["synth", "capt", "--sweep"], args].concat(), &[part]);
    sweep(&["entries=4", "-m", "tbc"], "--sweep entries=4: tbc has no table with entries; it is for capri");
    sweep(&["entries=2", "--capt-entries", "8"], "--sweep entries=2: --capt-entries is given, too; leave it out");
    sweep(&["warps=4,8", "--warps", "4"], "--sweep warps=4,8: --warps is given, too; leave it out");
    refused(&["picture", "gcd", "--preset", "tiny", "--compactability"], &["--compactability: `run` counts that"]);
    refused(&["picture", "gcd", "--preset", "tiny", "--eddy"], &["--eddy: `run` counts that"]);
    refused(&["modules", "--lanes", "8"], &["--lanes: it goes with --bits"]);
    refused(&["modules", "fifo", "--preset", "tiny"], &["--preset: it goes with --bits"]);
    refused(&["fuzz", "--replay", "a.s", "-j", "2"], &["--replay", "--jobs"]);
    for latency in ["0", "99", "4294967295"] {
        let latency = ["--preset", "tiny", "--float-latency", latency];
        refused(&[&["run", "gcd"], &latency[..]].concat(), &["--float-latency", "6 to 32"]);
        refused(&[&["export", "core", "-o", "/nowhere"], &latency[..]].concat(), &["--float-latency", "6 to 32"]);
    }
}

/// Mechanisms with a number behind a colon, and the number that is not legal.
fn numbers_of_mechanisms() -> Vec<(&'static str, usize)> {
    let number = |entry: &&'static Entry| {
        let parameter = entry.spelled().first()?.parameter()?;
        Some((entry.name(), (parameter.legal)(&CoreConfig::tiny()).greatest + 1))
    };
    MECHANISMS.iter().filter_map(number).collect()
}

/// One beyond each end of what an option takes, and parameters of single modules.
#[test]
fn limits() {
    let numbers = numbers_of_mechanisms();
    let beyond: String = numbers.iter().map(|(name, number)| format!("run vecadd -m {name}:{number};")).collect();
    let no_number: String = numbers.iter().map(|(name, _)| format!("compare -m spe,{name}:x;")).collect();
    let cases = "run vecadd --lanes 3; run vecadd --lanes 2; run vecadd --lanes 64; run vecadd --lanes 0; run vecadd --warps 3; \
        run vecadd --warps 65; run vecadd --warps 18446744073709551615; run vecadd --stack-depth 1; run vecadd --stack-depth 65; \
        run vecadd --mshrs 1; run vecadd --mshrs 129; run vecadd --warps 8 --scheduler 2lev:0; \
        run vecadd --warps 8 --scheduler 2lev:9; run vecadd --scheduler 2lev:8:1000001; run vecadd --scheduler 2lev:; \
        BEYOND run vecadd -m dpe+lcp; run vecadd -m capri --capt-entries 1; \
        run vecadd -m capri --capt-entries 33; modules capt --bits -m capri --capt-entries 1; modules fifo --bits --lanes 0; \
        export capt -m capri --capt-entries 33; export spe_stack --stack-depth 0; export fifo:width=0; synth capt --sweep entries=1,2; \
        synth fifo --sweep width=0; synth fifo --sweep lanes=; synth fifo --sweep lanes=4,5; synth fifo --sweep lanes=0x4; \
        compare -m spe --sweep warps=3; NO_NUMBER picture vecadd --mechanisms spe,dpe+lcp";
    let cases = cases.replace("BEYOND", &beyond).replace("NO_NUMBER", &no_number);
    let refusal = |case: &str| {
        let case = case.trim();
        let Ran { status, stdout, stderr } = warploom(&case.split_whitespace().collect::<Vec<_>>());
        assert_eq!((status, stdout.as_str()), (2, ""), "{case}: {stderr}");
        format!("{case}\n{stderr}")
    };
    insta::assert_snapshot!("limits", cases.split(';').map(refusal).collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_a_module_cannot_do() {
    let message = |args: &[&str]| {
        let preset: &[&str] = if args.contains(&"preset=tiny,small") { &[] } else { &["--preset", "tiny"] };
        let Ran { status, stdout, stderr } = warploom(&[&["synth"], preset, args].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        stderr
    };
    for (name, args) in [
        ("absent", &["capt", "--kernel", "bfs"][..]),
        ("nowhere", &["fifo", "--kernel", "bfs"]),
        ("no_instance", &["lane", "--kernel", "bfs", "--instance", "core.execute.lane[0]"]),
        ("no_kernel", &["capt", "--kernel", "bsf", "-m", "capri"]),
        ("unknown", &["capt,spe_stak", "--kernel", "bfs"]),
        ("no_work", &["spe_stack", "--instance", "core.divergence.per_warp[0]"]),
        ("no_size", &["spe_stack", "--size", "smoke"]),
        ("no_target", &["fifo", "--target", "ecp4"]),
        ("no_picture", &["fifo", "--svg", "nowhere/area.svg"]),
        ("no_axis", &["fifo", "--sweep", "preset=tiny,small", "--svg", "area.svg"]),
        ("both", &["spe_stack", "--kernel", "bfs", "--activity", "bfs.vcd"]),
    ] {
        insta::assert_snapshot!(format!("synth_{name}"), message(args));
    }
}

// Files that are written.

#[test]
fn a_directory_that_cannot_be_written() {
    let (directory, path) = file("not_a_directory", b"");
    refused(&["export", "fifo", "-o", &path], &["cannot write into", "not_a_directory", "-o DIR"]);
    // A directory where the file should go: nothing else is left behind.
    std::fs::create_dir(directory.path().join("fifo.v")).unwrap();
    refused(&["export", "fifo", "-o", directory.path().to_str().unwrap()], &["fifo.v is a directory"]);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn export_writes_the_same_bytes_every_time() {
    let directory = tempfile::tempdir().unwrap();
    let export = |name: &str| {
        let output = directory.path().join(name);
        let args = ["export", "spe_stack", "--lanes", "16", "--warps", "8", "-o", output.to_str().unwrap()];
        let Ran { status, stdout, stderr } = warploom(&args);
        assert_eq!((status, stderr.as_str()), (0, ""));
        contains(&stdout, &["spe_stack.v"]);
        std::fs::read_to_string(output.join("spe_stack.v")).unwrap()
    };
    let once = export("once");
    contains(&once, &["module SpeStack"]);
    assert_eq!(once, export("again"));
}

#[test]
fn export_overwrites_what_is_its_own_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().to_str().unwrap();
    let export = |more: &[&str]| {
        let Ran { status, stderr, .. } = warploom(&[&["export", "barrier_slot", "-o", output], more].concat());
        (status, stderr)
    };
    let file = directory.path().join("barrier_slot.v");
    assert_eq!(export(&["--lanes", "8"]), (0, String::new()));
    let made = "// Made by: warploom export barrier_slot --preset capri --mechanism spe --lanes 8\n";
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(made));
    assert_eq!(export(&["--preset", "capri", "--lanes", "8"]), (0, String::new()), "the same");
    let (status, error) = export(&["--lanes", "16"]);
    assert_eq!(status, 2);
    contains(&error, &["barrier_slot.v was made with other options", "--lanes 8`", "--force"]);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(made), "it is still there");
    assert_eq!(export(&["--lanes", "16", "--force"]), (0, String::new()));
    std::fs::write(&file, "module mine; endmodule\n").unwrap();
    contains(&export(&[]).1, &["does not say which options it was made with"]);
}

#[test]
fn the_help_of_run_names_every_mechanism() {
    let help = warploom(&["run", "--help"]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&warploom(&["mechanisms", "--json"]).stdout).unwrap();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 5, "{listed:?}");
    for mechanism in listed {
        contains(&help, &[mechanism["name"].as_str().unwrap()]);
    }
}
