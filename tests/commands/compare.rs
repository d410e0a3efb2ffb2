//! `warploom compare` as its users see it.
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use warploom_requirements::met;
use warploom_synth::cells::OSU018;
use warploom_synth::tools::tool;

struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

/// With results in a cache of its own.
fn compare(directory: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.arg("compare").args(args);
    // Nothing runs with these.
    if !args.iter().any(|arg| ["--merge", "--emit"].contains(arg)) {
        command.arg("--cache").arg(directory.join("results"));
    }
    let output = command.env_remove("COLUMNS").stdin(Stdio::null()).output().expect("warploom starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("a bug in warploom"), "{stderr}");
    Ran { status: output.status.code().expect("an exit status"), stdout, stderr }
}

/// What the tests compare: a kernel that diverges and one that does not.
const SMALL: &[&str] = &["gcd", "vecadd", "--mechanisms", "spe,tbc,capri+slp", "--preset", "tiny", "--size", "smoke"];

fn small(directory: &Path, more: &[&str]) -> Ran {
    compare(directory, &[SMALL, more].concat())
}

fn mapping_is_here() -> bool {
    let yosys = tool("yosys").expect("a known tool").is_here();
    met(&[("yosys", yosys), ("the OSU018 cells", Path::new(OSU018).exists())])
}

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).display().to_string()
}

/// Digits change with every change of the core's timing.
fn without_counts(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if !(c == '#' && shape.ends_with('#')) {
            shape.push(c);
        }
    }
    shape
}

#[test]
fn a_table_and_the_second_time_from_the_cache() {
    let directory = tempfile::tempdir().unwrap();
    let first = small(directory.path(), &[]);
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    let words = without_counts(&first.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    insta::assert_snapshot!("table", words);
    let second = small(directory.path(), &[]);
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(second.stderr, "6 of 6 results were there from earlier runs (--fresh runs them again)\n");
    let more = small(directory.path(), &["--seed", "1"]);
    assert_eq!((more.stdout, more.stderr), (first.stdout, String::new()), "another input");
}

#[test]
fn json_is_a_list_of_what_run_prints() {
    let directory = tempfile::tempdir().unwrap();
    let ran = small(directory.path(), &["--json"]);
    let Value::Array(list) = serde_json::from_str(&ran.stdout).unwrap() else { panic!("no list: {}", ran.stdout) };
    assert_eq!(list.len(), 6);
    let run = Command::new(env!("CARGO_BIN_EXE_warploom"))
        .args(["run", "vecadd", "-m", "capri+slp", "--preset", "tiny", "--size", "smoke", "--json"])
        .output()
        .unwrap();
    let alone: Value = serde_json::from_slice(&run.stdout).unwrap();
    let without_times = |report: &Value| {
        let mut report = report.clone();
        report.as_object_mut().unwrap().remove("sim").expect("speeds");
        report
    };
    assert_eq!(without_times(list.last().unwrap()), without_times(&alone));
}

#[test]
fn shards_merge_to_the_whole() {
    let directory = tempfile::tempdir().unwrap();
    let (shards, here, merged) =
        (path(directory.path(), "shards"), path(directory.path(), "a.csv"), path(directory.path(), "b.csv"));
    let one = small(directory.path(), &["--shard", "1/2", "--into", &shards]);
    assert_eq!(one.status, 0, "{}", one.stderr);
    let missing = compare(directory.path(), &["--merge", &shards]);
    assert_eq!(missing.status, 2);
    let message = missing.stderr.replace(&shards, "SHARDS");
    insta::assert_snapshot!("missing_shard", message);
    let other = small(directory.path(), &["--seed", "3", "--shard", "2/2", "--into", &shards]);
    assert!(other.stderr.contains("is of another comparison"), "{}", other.stderr);
    // From the plan alone, as a script on another machine does.
    let plan = format!("{shards}/plan.json");
    let two = compare(directory.path(), &["--plan", &plan, "--shard", "2/2", "--into", &shards]);
    assert_eq!(two.status, 0, "{}", two.stderr);
    let merged_table = compare(directory.path(), &["--merge", &shards, "--csv", &merged]).stdout;
    assert_eq!(merged_table, small(directory.path(), &["--csv", &here]).stdout);
    assert_eq!(std::fs::read_to_string(merged).unwrap(), std::fs::read_to_string(here).unwrap());
}

#[test]
fn figures_and_a_page_that_needs_no_other_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| path(directory.path(), name);
    let ran = small(
        directory.path(),
        &["--svg", &file("figures"), "--markdown", &file("results.md"), "--html", &file("results.html")],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let entries = std::fs::read_dir(file("figures")).unwrap();
    let figures: BTreeSet<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let expected = [
        "idle_slots",
        "issue_slots",
        "l1_misses",
        "l2_misses",
        "prediction_quality",
        "simd_utilization",
        "speedup",
        "traffic",
    ];
    // The predictor is consulted under capri alone, not with permuted lanes.
    let expected = expected.into_iter().filter(|name| *name != "prediction_quality");
    assert_eq!(figures, expected.map(|name| format!("{name}.svg")).collect());
    let markdown = std::fs::read_to_string(file("results.md")).unwrap();
    for figure in &figures {
        assert!(markdown.contains(&format!("](figures/{figure})")), "{figure} is not in {markdown}");
    }
    let page = std::fs::read_to_string(file("results.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), figures.len() + 2, "the figures, and two pictures of execution");
    assert_eq!(
        page.matches("--preset tiny --mechanisms spe,tbc,capri+slp=balanced</code>").count(),
        2,
        "of the preset that was run"
    );
    let linked = ["src=", "<link", "<script", "url(", "@import"];
    assert!(linked.iter().all(|outside| !page.contains(outside)));
    for tag in ["table", "tr", "td", "th", "figure", "h1", "h2", "h3", "p", "code"] {
        let (open, close) = (page.matches(&format!("<{tag}>")).count(), page.matches(&format!("</{tag}>")).count());
        let with_attributes = page.matches(&format!("<{tag} ")).count();
        assert_eq!(open + with_attributes, close, "{tag}");
    }
}

/// It has no sizes, and is run as it is.
#[test]
fn a_page_with_pictures_of_a_kernel_of_ones_own() {
    let directory = tempfile::tempdir().unwrap();
    let html = path(directory.path(), "results.html");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches/runtime/kernels/micro/rhu_4_1.elf");
    let ran = compare(directory.path(), &[own, "--preset", "tiny", "--mechanisms", "spe,tbc", "--html", &html]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("rhu_4_1.elf --preset tiny --mechanisms spe,tbc</code>"));
}

#[test]
fn a_sweep_of_one_kernel_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let figures = path(directory.path(), "figures");
    let setup = ["vecadd", "--preset", "tiny", "--size", "smoke", "--mechanisms", "spe"];
    let ran =
        compare(directory.path(), &[&setup[..], &["--sweep", "dram-latency=200,300", "--svg", &figures]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let plot = std::fs::read_to_string(format!("{figures}/sweep_dram_latency.svg")).unwrap();
    assert!(plot.contains("speed of vecadd over that with dram-latency 200"), "{plot}");
}

#[test]
fn scripts_for_slurm() {
    let directory = tempfile::tempdir().unwrap();
    let into = path(directory.path(), "a directory");
    let ran = small(directory.path(), &["--emit", "slurm", "--shards", "4", "--into", &into, "--csv", "out.csv"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let program = env!("CARGO_BIN_EXE_warploom");
    let here = std::env::current_dir().unwrap().display().to_string();
    let read = |name: &str| {
        let text = std::fs::read_to_string(format!("{into}/{name}")).unwrap();
        text.replace(&into, "INTO").replace(program, "WARPLOOM").replace(&here, "HERE")
    };
    let scripts = ["submit.sh", "shards.sbatch", "merge.sbatch"].map(|name| format!("{name}\n{}", read(name)));
    insta::assert_snapshot!("slurm", scripts.join("\n"));
    for name in ["submit.sh", "shards.sbatch", "merge.sbatch"] {
        let checked = Command::new("sh").arg("-n").arg(format!("{into}/{name}")).output().unwrap();
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let directory = tempfile::tempdir().unwrap();
    let nowhere = path(directory.path(), "nowhere/x.csv");
    for (name, args) in [
        ("kernel", &["gdc"][..]),
        ("mechanism", &["gcd", "--mechanisms", "spe,capry"]),
        ("sweep", &["gcd", "--sweep", "mshr=2,4"]),
        ("sweep_form", &["gcd", "--sweep", "mshrs"]),
        ("sweep_value", &["gcd", "--sweep", "mshrs=2,many"]),
        ("sweep_of_given", &["gcd", "--mshrs", "8", "--sweep", "mshrs=4,8"]),
        ("sweep_of_none", &["gcd", "--mechanisms", "spe,tbc", "--sweep", "capt-entries=2,4"]),
        ("sweep_of_stacks", &["gcd", "--mechanisms", "its,dwf", "--sweep", "stack-depth=4,8"]),
        ("shard", &["gcd", "--shard", "3/2"]),
        ("no_shards", &["--merge", "nowhere"]),
        ("no_plan", &["--plan", "nowhere.json"]),
        ("both", &["gcd", "--merge", "nowhere"]),
        ("unwritable", &["gcd", "--csv", &nowhere]),
    ] {
        let Ran { status, stdout, stderr } = compare(directory.path(), args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{name}: {stderr}");
        insta::assert_snapshot!(format!("wrong_{name}"), stderr.replace(&nowhere, "NOWHERE"));
    }
}

#[test]
fn options_that_would_do_nothing() {
    for (args, option) in [
        (&["--merge", "x", "--cache", "y"][..], "--cache <DIR>"),
        (&["--merge", "x", "--shards", "3"], "--emit <WHAT>"),
        (&["gcd", "--shards", "3", "--json"], "--emit <WHAT>"),
        (&["gcd", "--shard", "1/2", "--shards", "3"], "--emit <WHAT>"),
        (&["--merge", "x", "--into", "y"], "--emit <WHAT>"),
        (&["gcd", "--into", "x"], "<--shard <I/N>|--emit <WHAT>>"),
        (&["gcd", "--emit", "slurm", "--fresh"], "--fresh"),
        (&["gcd", "--emit", "slurm", "--jobs", "7"], "--jobs <N>"),
        (&["gcd", "--emit", "slurm", "--cache", "y"], "--cache <DIR>"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_warploom")).arg("compare").args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && stderr.contains(option), "{args:?}: {stderr}");
    }
}

#[test]
fn kernels_as_json() {
    let output = Command::new(env!("CARGO_BIN_EXE_warploom")).args(["kernels", "--json"]).output().unwrap();
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).expect("a list");
    assert!(list.len() >= 24, "{}", list.len());
    let gcd = list.iter().find(|kernel| kernel["name"] == "gcd").expect("gcd");
    insta::assert_snapshot!("kernels_json", serde_json::to_string_pretty(gcd).unwrap());
    let fixed = |kernel: &&Value| kernel["arithmetic"] == "fixed point";
    assert!(list.iter().filter(fixed).all(|kernel| kernel["fraction_bits"].is_u64()));
}

/// A kernel that comes with warploom, as a file: it is like one of the user's own.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches/runtime/kernels/gcd.elf");

#[test]
fn a_kernel_of_ones_own_is_launched_as_by_run() {
    let directory = tempfile::tempdir().unwrap();
    let numbers = directory.path().join("numbers");
    let write =
        |first: u32| std::fs::write(&numbers, (first..first + 16).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
    let file = format!("file:{}", numbers.display());
    let launch = ["--arg", &file, "--arg", &file, "--arg", "zero:u32:16", "--arg", "16", "--block", "16"];
    let own = |more: &[&str]| {
        let machine = ["--mechanisms", "spe,tbc", "--preset", "tiny"];
        compare(directory.path(), &[&[OWN], launch.as_slice(), &machine, more].concat())
    };
    write(1).unwrap();
    let ran = own(&["--json"]);
    let reports: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mut run = Command::new(env!("CARGO_BIN_EXE_warploom"));
    let alone = run.args(["run", OWN, "--preset", "tiny", "--json"]).args(launch).output().unwrap();
    let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
    for field in ["cycles", "outputs", "program", "checked"] {
        assert_eq!(reports[0][field], alone[field], "{field}");
    }
    assert_eq!(reports[0]["outputs"], reports[1]["outputs"]);
    assert!(own(&[]).stderr.starts_with("2 of 2 results were there"));
    write(2).unwrap();
    assert_eq!(own(&[]).stderr, "", "the contents of the file are others");
}

#[test]
fn a_kernel_of_ones_own_needs_its_arguments() {
    let directory = tempfile::tempdir().unwrap();
    let error = |args: &[&str]| {
        let ran = compare(directory.path(), &[args, &["--preset", "tiny"]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.stderr.replace(OWN, "gcd.elf")
    };
    assert_eq!(
        error(&[OWN]),
        "error: --arg: gcd.elf reads 4 arguments, and is given 0: one --arg for each, in order (0 where nothing is meant)\n"
    );
    assert!(error(&["gcd", "--arg", "4"]).starts_with("error: --arg is for a kernel of your own"));
    let words = [OWN, "--arg", "0", "--arg", "0", "--arg", "0", "--arg", "0"];
    assert!(
        error(&[&words, ["--seed", "3"].as_slice()].concat()).starts_with("error: --seed: gcd.elf is given no random")
    );
    assert!(error(&["--plan", "plan.json", "--arg", "4"]).contains("cannot be used with"));
}

#[test]
fn shards_of_a_kernel_that_has_changed_are_not_merged() {
    let directory = tempfile::tempdir().unwrap();
    let (own, into) = (path(directory.path(), "own.elf"), path(directory.path(), "shards"));
    let shard = |part: &str| {
        let launch =
            ["--arg", "iota:u32:8", "--arg", "iota:u32:8", "--arg", "zero:u32:8", "--arg", "8", "--block", "8"];
        let machine = ["--mechanisms", "spe,tbc", "--preset", "tiny", "--shard", part, "--into", &into];
        compare(directory.path(), &[&[own.as_str()], launch.as_slice(), &machine].concat())
    };
    std::fs::copy(OWN, &own).unwrap();
    assert_eq!(shard("1/2").status, 0);
    std::fs::copy(OWN.replace("gcd", "vecadd"), &own).unwrap();
    assert_eq!(shard("2/2").status, 0);
    let ran = compare(directory.path(), &["--merge", &into]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("have not run the same") && ran.stderr.contains("own.elf"), "{}", ran.stderr);
}

#[test]
fn energy_is_refused_where_it_cannot_be_measured() {
    let directory = tempfile::tempdir().unwrap();
    let several = small(directory.path(), &["--energy", "--cores", "2"]);
    assert!(several.status == 2 && several.stderr.contains("measured in a core alone"), "{}", several.stderr);
    let cells = small(directory.path(), &["--energy=nothing.lib"]);
    assert!(cells.status == 2 && cells.stderr.contains("nothing.lib"), "{}", cells.stderr);
}

/// That every output of the gates is that of the core, in every cycle, is checked on the way.
#[test]
#[ignore = "long: maps two cores, and runs their gates; runs in .ci/run"]
fn energy_is_that_of_the_gates_of_a_whole_core() {
    if !mapping_is_here() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let args = ["gcd", "--mechanisms", "spe,tbc", "--preset", "tiny", "--size", "smoke", "--energy"];
    let table = compare(directory.path(), &args);
    assert_eq!((table.status, table.stderr.as_str()), (0, ""));
    assert!(table.stdout.contains("energy, and energy x delay, over spe"), "{}", table.stdout);
    let again = compare(directory.path(), &[&args[..], &["--json"]].concat());
    let reports: Vec<Value> = serde_json::from_str(&again.stdout).expect("JSON");
    let [spe, tbc] = &reports[..] else { panic!("{reports:?}") };
    for report in [spe, tbc] {
        let of = |part: &str| report["energy"][part].as_f64().expect("a number");
        let parts = ["logic_uj", "leakage_uj", "memories_uj"].map(of);
        assert!(parts.iter().all(|part| *part > 0.0), "{report}");
        assert!((parts.iter().sum::<f64>() - of("total_uj")).abs() < 1e-9, "{report}");
    }
    // What gathers warps has some thousand flip-flops more.
    let logic = |report: &Value| report["energy"]["logic_uj"].as_f64().unwrap() / report["cycles"].as_f64().unwrap();
    assert!(logic(tbc) > logic(spe), "{reports:?}");
}
