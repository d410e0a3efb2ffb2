//! Applications: hosts in C with kernels in OpenCL C, each of which checks its own results.
use std::collections::BTreeMap;
use std::path::Path;

use warploom_runtime::application::Launched;

#[path = "../common/mod.rs"]
mod common;

use common::{Host, can_run, passed};

const MECHANISMS: [&str; 4] = ["spe", "tbc", "capri+slp", "dpe"];
const APPLICATIONS: [(&str, &str); 16] = [
    ("aes", "AES-128, the example of FIPS 197; bytes, an included file"),
    ("bfs", "breadth-first search, a launch a level"),
    ("floyd", "Floyd-Warshall, all shortest ways"),
    ("gaussian", "Gaussian elimination, two kernels in turn"),
    ("histogram", "atomic operations in local and global memory; fill, map"),
    ("hotspot", "a stencil of floats; a vector as an argument"),
    ("kmeans", "points to centres, rounds with the host"),
    ("nn", "distances; a structure as an argument"),
    ("nw", "Needleman-Wunsch, a launch a diagonal; constant memory"),
    ("pathfinder", "dynamic programming, row by row"),
    ("radix", "radix sort, three kernels a digit; a scan in local memory"),
    ("reduction", "a sum of 64-bit numbers; parts of a buffer"),
    ("search", "binary search and a scan; returns inside loops"),
    ("spmv", "sparse matrix times vector"),
    ("srad", "a picture made even, two kernels a round with the host in between"),
    ("transpose", "tiles in local memory; required work-groups"),
];
const PAGE: &str = "../../docs/reference/opencl-applications.md";
const HEAD: &str = "# OpenCL applications

Hosts in C with kernels in OpenCL C, in the style of Rodinia, Parboil and the AMD samples, written for this table
(`testbenches/opencl/tests/applications`). Each checks its results itself and is run under each mechanism, unchanged, on the preset small:
`warploom app --preset small --mechanisms spe,tbc,capri+slp,dpe -- ./bfs`. The cycles of all launches; of the others, how many times as fast as spe.
The inputs are small, so most of the time is spent waiting for memory. A long test compares this page with what it measures.

| application | what | launches | spe, cycles | tbc | capri+slp | dpe |
|---|---|---:|---:|---:|---:|---:|
";

/// Launches of an application that passes.
fn launches(host: &Host, mechanism: &str) -> Vec<Launched> {
    let directory = tempfile::tempdir().unwrap();
    let launches = directory.path().join("launches");
    let path = launches.to_str().unwrap();
    let variables = [("WARPLOOM_PRESET", "small"), ("WARPLOOM_MECHANISM", mechanism), ("WARPLOOM_LAUNCHES", path)];
    assert_eq!(passed(&host.run(&variables)), "PASS: 0 wrong\n");
    let lines = std::fs::read_to_string(&launches).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Their number and their cycles.
fn measured(host: &Host, mechanism: &str) -> (usize, u64) {
    let launched = launches(host, mechanism);
    (launched.len(), launched.iter().map(|launched| launched.stats.cycles).sum())
}

#[test]
fn launches_after_one_that_was_stopped() {
    if !can_run() {
        return;
    }
    let host = Host::new("applications/recovery.c");
    for mechanism in MECHANISMS {
        let [stopped, first, second] = launches(&host, mechanism).try_into().unwrap();
        assert!(stopped.stats.cycles > 0 && stopped.stats.warp_instructions > 0, "{mechanism}: {:?}", stopped.stats);
        let trap = stopped.stopped.unwrap();
        assert!(trap.starts_with("trap: access to 0x88fff000, behind the end of global memory"), "{trap}");
        let work = |launched: &Launched| (launched.stats.warp_instructions, launched.stats.thread_instructions);
        assert_eq!((work(&first), &first.stopped), (work(&second), &None), "{mechanism}");
    }
}

#[test]
fn applications_pass() {
    if !can_run() {
        return;
    }
    for (name, mechanism) in [("gaussian", "tbc"), ("histogram", "spe"), ("search", "dpe"), ("reduction", "capri+slp")]
    {
        measured(&Host::new(&format!("applications/{name}.c")), mechanism);
    }
}

/// A core without floats is one with them from the first kernel on that has some; memory stays, and the clock goes on.
#[test]
fn floats_come_when_they_are_needed() {
    if !can_run() {
        return;
    }
    let host = Host::new("applications/later.c");
    for mechanism in MECHANISMS {
        let [before, floats, after] = launches(&host, mechanism).try_into().unwrap();
        let work = |launched: &Launched| (launched.stats.warp_instructions, launched.stats.thread_instructions);
        assert_eq!(work(&before), work(&after), "{mechanism}");
        assert!(floats.stats.cycles > 0);
    }
}

#[test]
fn kernels_print_between_what_the_host_prints() {
    if !can_run() {
        return;
    }
    let printed = passed(&Host::new("applications/printing.c").run(&[("WARPLOOM_PRESET", "small")]));
    let lines = ["item 0 of 32, 0.000000,0.500000", "item 1 of 32, 0.000000,0.500000"];
    let round = |number: usize| {
        let lines =
            lines.map(|line| format!("round {number}: {line}").replace("0.000000", &format!("{number}.000000")));
        format!("before {number}\n{}\n", lines.join("\n"))
    };
    assert_eq!(printed, format!("{}{}after\n", round(0), round(1)));
}

#[test]
fn launches_are_recorded() {
    if !can_run() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (wave, perfetto) = (path("wave.vcd"), path("trace.json"));
    let host = Host::new("applications/pathfinder.c");
    let signals = "core.divergence.depth,core.issue_*";
    let mut variables = vec![("WARPLOOM_PRESET", "small"), ("WARPLOOM_WAVE", &*wave), ("WARPLOOM_SIGNALS", signals)];
    variables.extend([("WARPLOOM_WAVE_LAUNCHES", "2-3"), ("WARPLOOM_PERFETTO", &perfetto)]);
    assert_eq!(passed(&host.run(&variables)), "PASS: 0 wrong\n");

    let trace: serde_json::Value = serde_json::from_slice(&std::fs::read(&perfetto).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let slices = |name: String| {
        let ours = events.iter().filter(move |event| event["name"] == name.as_str() && event["ph"] == "X");
        ours.map(|event| event["ts"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let begins: Vec<u64> =
        (1..).map(|launch| slices(format!("launch {launch}"))).map_while(|slice| slice.first().copied()).collect();
    assert!(begins.len() > 4 && begins.is_sorted(), "{begins:?}");
    assert!(events.iter().any(|event| event["args"]["place"].as_str().is_some_and(|place| place.contains("<step"))));

    let text = std::fs::read_to_string(&wave).unwrap();
    // With the clock.
    assert_eq!(text.matches("$var").count(), 1 + text.matches(" depth").count() + text.matches(" issue_").count());
    // Two edges of the clock a cycle, or one time; from the end of the first launch to the third's.
    let times: Vec<u64> = text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    let per_cycle = 10;
    let cycles = times[0] / per_cycle..times[times.len() - 1] / per_cycle;
    assert!(begins[0] < cycles.start && cycles.start <= begins[1], "{cycles:?}, {begins:?}");
    assert!(begins[2] < cycles.end && cycles.end <= begins[3], "{cycles:?}, {begins:?}");
    assert!(directory.path().join("wave.gtkw").is_file());
}

/// What a process that the application has forked does at its end is not the end of the files, which stay where they were begun.
#[test]
fn applications_fork_and_go_elsewhere() {
    if !can_run() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let kernels = format!("{}/tests/applications/later.cl", env!("CARGO_MANIFEST_DIR"));
    let variables = [
        ("WARPLOOM_PRESET", "small"),
        ("WARPLOOM_LAUNCHES", "launches"),
        ("WARPLOOM_PERFETTO", "trace.json"),
        ("WARPLOOM_WAVE", "wave.vcd"),
        ("WARPLOOM_SIGNALS", "core.issue.issue_*"),
    ];
    let output = Host::new("applications/forks.c").run_in(directory.path(), &[kernels], &variables);
    assert_eq!((passed(&output), &*String::from_utf8_lossy(&output.stderr)), ("PASS: 0 wrong\n".to_string(), ""));
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
    assert_eq!(read("launches").lines().count(), 2);
    let trace: serde_json::Value = serde_json::from_str(&read("trace.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|event| event["name"] == "launch 2"));
    assert_eq!(read("wave.vcd").matches("$enddefinitions").count(), 1);
    assert!(directory.path().join("wave.gtkw").is_file());
}

#[test]
fn what_cannot_be_recorded_is_said() {
    if !can_run() {
        return;
    }
    let host = Host::new("applications/pathfinder.c");
    let said = |variables: &[(&str, &str)]| {
        let output = host.run(&[&[("WARPLOOM_PRESET", "small")], variables].concat());
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for (variables, expected) in [
        ([("WARPLOOM_WAVE", "wave.txt"), ("", "")], "WARPLOOM_WAVE=wave.txt: its name ends with .vcd or .fst"),
        (
            [("WARPLOOM_WAVE", "/nowhere/wave.vcd"), ("", "")],
            "WARPLOOM_WAVE: cannot write /nowhere/wave.vcd: No such file",
        ),
        ([("WARPLOOM_SIGNALS", "*"), ("", "")], "WARPLOOM_SIGNALS is for a waveform, and there is none"),
        ([("WARPLOOM_WAVE", "/tmp/a.fst"), ("WARPLOOM_SIGNALS", "core.nothing")], "there is no signal `core.nothing`"),
        ([("WARPLOOM_WAVE", "/tmp/a.fst"), ("WARPLOOM_WAVE_LAUNCHES", "2-1")], "it is the number of a launch, as in 3"),
        (
            [("WARPLOOM_WAVE", "/tmp/a.vcd"), ("WARPLOOM_PERFETTO", "/tmp/a.gtkw")],
            "would be written as two files at once",
        ),
        (
            [("WARPLOOM_LAUNCHES", "/tmp/../tmp/a.vcd"), ("WARPLOOM_WAVE", "/tmp/a.vcd")],
            "would be written as two files at once",
        ),
        ([("WARPLOOM_LAUNCHES", "/tmp"), ("", "")], "WARPLOOM_LAUNCHES: cannot write /tmp: "),
    ] {
        let variables: Vec<_> = variables.into_iter().filter(|(name, _)| !name.is_empty()).collect();
        let said = said(&variables);
        assert!(said.contains(expected), "{variables:?}: {said}");
    }
}

#[test]
fn objects_of_cpp() {
    if !can_run() {
        return;
    }
    let host = Host::new("applications/objects.cpp");
    for mechanism in MECHANISMS {
        passed(&host.run(&[("WARPLOOM_PRESET", "small"), ("WARPLOOM_MECHANISM", mechanism)]));
    }
}

#[test]
fn what_public_programs_do() {
    if !can_run() {
        return;
    }
    for (file, says) in [("square.c", "1024 of 1024 values are right\n"), ("vadd.cpp", "1024 of 1024 sums are right\n")]
    {
        let host = Host::new(&format!("applications/{file}"));
        for mechanism in MECHANISMS {
            let printed = passed(&host.run(&[("WARPLOOM_PRESET", "small"), ("WARPLOOM_MECHANISM", mechanism)]));
            assert_eq!(printed, says, "{file} under {mechanism}");
        }
    }
}

#[test]
#[ignore = "long: 64 runs; runs in .ci/run"]
fn all_of_them_under_four_mechanisms() {
    if !can_run() {
        return;
    }
    let mut page = HEAD.to_string();
    for (name, what) in APPLICATIONS {
        let host = Host::new(&format!("applications/{name}.c"));
        let runs: BTreeMap<&str, (usize, u64)> =
            MECHANISMS.iter().map(|mechanism| (*mechanism, measured(&host, mechanism))).collect();
        let (launches, base) = runs["spe"];
        page += &format!("| {name} | {what} | {launches} | {base} |");
        for mechanism in &MECHANISMS[1..] {
            assert_eq!(runs[mechanism].0, launches, "{name} under {mechanism}");
            page += &format!(" {:.2} |", base as f64 / runs[mechanism].1 as f64);
        }
        page += "\n";
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("WARPLOOM_WRITE").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == expected, "{} is not what was measured:\n{page}", path.display());
}
