//! `run --trace` and `run --perfetto`: what they say of a run agrees with the hardware's counters.
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock};

use serde_json::Value;
use warploom_hdl::mechanism::{Entry, stacks};
use warploom_requirements::met;
use warploom_runtime::toolchain;
use warploom_verification::cores::each;

/// One of every kind of stack, and with lanes permuted.
fn mechanisms() -> impl Iterator<Item = &'static str> {
    stacks().map(Entry::name).chain(["capri+slp"])
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(args).env_remove("COLUMNS").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A run with `--json`.
#[track_caller]
fn report(args: &[&str]) -> Value {
    let Output { stdout, stderr, .. } =
        command(&[&["run", "--json"], args].concat()).output().expect("warploom starts");
    assert_eq!(String::from_utf8_lossy(&stderr), "");
    serde_json::from_slice(&stdout).expect("JSON")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Sum over the branches of a report.
fn sum(report: &Value, field: impl Fn(&Value) -> u64) -> u64 {
    report["branches"].as_array().expect("branches").iter().map(field).sum()
}

/// A run with every mechanism: what it reports, and the events of its trace. They share the cores, which are watched.
fn runs() -> &'static BTreeMap<&'static str, (Value, Vec<Value>)> {
    static RUNS: OnceLock<BTreeMap<&str, (Value, Vec<Value>)>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let runs = Mutex::new(BTreeMap::new());
        let directory = tempfile::tempdir().expect("a temporary directory");
        each(&mechanisms().collect::<Vec<_>>(), |mechanism| {
            let path = directory.path().join(mechanism);
            let setup = ["bitonic_shared", "--preset", "tiny", "--size", "smoke", "-m", mechanism, "--trace"];
            let report = report(&[&setup[..], &["--perfetto", path.to_str().expect("UTF-8")]].concat());
            runs.lock().expect("nobody panics").insert(*mechanism, (report, events(&path)));
        });
        runs.into_inner().expect("nobody panics")
    })
}

#[test]
fn branches_agree_with_the_counters() {
    for (mechanism, (report, _)) in runs() {
        let diverged = sum(report, |branch| number(&branch["diverged"]));
        assert!(diverged > 100, "{mechanism}: {diverged}");
        assert_eq!(diverged, number(&report["divergent_branches"]), "{mechanism}");
        for branch in report["branches"].as_array().unwrap() {
            let mean = |field: &str| branch[field].as_f64().unwrap();
            assert!((mean("active") - mean("taken") - mean("not_taken")).abs() < 1e-9, "{branch}");
        }
        let Some(counters) = report.get("compaction").filter(|_| !mechanism.ends_with("+dpe")) else {
            assert!(report["branches"][0].get("compaction").is_none());
            continue;
        };
        let of = |branch: &Value, field: &str| number(&branch["compaction"][field]);
        let served = |branch: &Value| ["gathered", "bypassed", "passed"].map(|field| of(branch, field)).iter().sum();
        assert_eq!(sum(report, served), sum(report, |branch| number(&branch["executed"])), "{mechanism}");
        for (class, prefix) in [("P", "p"), ("D", "d")] {
            let of_class = |field| sum(report, |branch| if branch["class"] == class { of(branch, field) } else { 0 });
            let counter = |name: &str| number(&counters[&format!("{prefix}_{name}")]);
            assert_eq!(of_class("paths"), counter("paths"), "{mechanism}");
            assert_eq!(of_class("paths_compacted"), counter("paths_compacted"), "{mechanism}");
        }
        assert_eq!(sum(report, |branch| of(branch, "warps_arrived")), number(&counters["nw_no_tbc"]));
        assert_eq!(sum(report, |branch| of(branch, "warps_compacted")), number(&counters["nw_tbc"]));
        let bypassed = sum(report, |branch| of(branch, "bypassed"));
        assert_eq!(bypassed > 0, mechanism.starts_with("capri"), "{mechanism}: {bypassed}");
    }
}

#[test]
fn the_listing_of_the_documentation() {
    let (report, _) = &runs()["capri+slp"];
    let page = include_str!("../../docs/user/pictures.md").lines().filter(|line| line.starts_with("  0x"));
    let rows: Vec<Vec<&str>> = page.map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let mut branches = report["branches"].as_array().unwrap().iter();
        let branch = branches.find(|branch| format!("{:#x}", number(&branch["pc"])) == row[0]).expect(row[0]);
        let expected = ["executed", "diverged"].map(|field| branch[field].to_string());
        assert_eq!(row[4..6], expected, "{row:?}");
        let expected = ["gathered", "bypassed", "passed", "paths", "paths_compacted"];
        assert_eq!(row[9..], expected.map(|field| branch["compaction"][field].to_string()), "{row:?}");
    }
}

/// Where branches come from, in an ELF that has line tables.
#[test]
fn lines_of_branches() {
    if !met(&[("clang and ld.lld", toolchain::available())]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("a path in UTF-8").to_string();
    let source = "#include \"warploom.h\"\nvoid kernel(u32 *out) {\n  if (tid_x() > 1)\n    out[tid_x()] = 7;\n}\n";
    std::fs::write(path("one.c"), source).expect("a source");
    let built = command(&["build", &path("one.c")]).output().expect("warploom starts");
    assert!(built.status.success(), "{built:?}");
    let report = report(&[&path("one.elf"), "--preset", "tiny", "--arg", "zeros:16", "--trace"]);
    let diverging = report["branches"].as_array().unwrap().iter().find(|branch| branch["diverged"] == 1);
    assert_eq!(diverging.map(|branch| &branch["line"]), Some(&Value::from("one.c:3")), "{report}");
}

#[test]
fn the_listing_for_people() {
    let ran =
        command(&["run", "rhu_4_1", "--preset", "tiny", "-m", "capri", "--trace"]).output().expect("warploom starts");
    let text = String::from_utf8(ran.stdout).expect("text");
    let (_, listing) = text.split_once("\n\n  branches").expect("a listing");
    insta::assert_snapshot!("branches", listing);
}

/// The events of a trace that is complete.
#[track_caller]
fn events(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a trace");
    let trace: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: ...{}", &text[text.len() - 99..]));
    let events = trace["traceEvents"].as_array().expect("events").clone();
    for event in &events {
        // What the format asks of each kind of event.
        let fields: &[&str] = match event["ph"].as_str().expect("a kind") {
            "X" => &["ts", "dur", "name", "pid", "tid"],
            "i" => &["ts", "s", "name", "pid", "tid"],
            "C" => &["ts", "name", "pid", "args"],
            "M" => &["name", "pid", "args"],
            other => panic!("{other}"),
        };
        assert!(fields.iter().all(|field| event.get(field).is_some()), "{event}");
    }
    events
}

/// Slices of a track that overlap.
fn overlaps(events: &[Value]) -> Vec<String> {
    let mut tracks: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
    for slice in events.iter().filter(|event| event["ph"] == "X") {
        let [pid, tid, ts, dur] = ["pid", "tid", "ts", "dur"].map(|field| number(&slice[field]));
        tracks.entry((pid, tid)).or_default().push((ts, ts + dur));
    }
    tracks.values_mut().for_each(|slices| slices.sort());
    let pairs = tracks.iter().flat_map(|(track, slices)| slices.windows(2).map(move |pair| (track, pair)));
    pairs.filter(|(_, pair)| pair[0].1 > pair[1].0).map(|overlap| format!("{overlap:?}")).collect()
}

#[test]
fn traces_agree_with_the_counters() {
    for (mechanism, (report, events)) in runs() {
        assert_eq!(overlaps(events), [""; 0], "{mechanism}");
        let slices = || events.iter().filter(|event| event["ph"] == "X");
        let instructions = |event: &&Value| event["args"].get("instructions").map(number);
        let executed = slices().filter_map(|slice| instructions(&slice)).sum::<u64>();
        assert_eq!(executed, number(&report["warp_instructions"]), "{mechanism}");
        let threads = slices().filter_map(|slice| Some(instructions(&slice)? * number(&slice["args"]["lanes"])));
        let (threads, counted) = (threads.sum::<u64>(), number(&report["thread_instructions"]));
        // A jump of a large warp is an instruction of more threads than it has lanes.
        match report["sub_warps"]["jumps_at_once"].as_u64() {
            Some(jumps) => assert!(jumps > 0 && threads < counted, "{mechanism}: {threads} and {counted}"),
            None => assert_eq!(threads, counted, "{mechanism}"),
        }
        let cycles = |name: &str| slices().filter(|s| s["name"] == name).map(|s| number(&s["dur"])).sum::<u64>();
        for (name, counter) in [
            ("stall", "stall"),
            ("idle, compaction", "compaction"),
            ("idle, memory", "idle_memory"),
            ("idle, barrier", "barrier"),
            ("idle, other", "idle_other"),
        ] {
            assert_eq!(cycles(name), number(&report["issue_slots"][counter]), "{mechanism}: {name}");
        }
        assert_eq!(cycles("launch 1"), number(&report["cycles"]), "{mechanism}");
        assert!(cycles("barrier") > 0, "{mechanism}");
        assert_eq!(cycles("compaction") > 0, report.get("compaction").is_some(), "{mechanism}");
        let instants = |name: &str| events.iter().filter(|event| event["ph"] == "i" && event["name"] == name).count();
        assert_eq!(instants("diverges") as u64, number(&report["divergent_branches"]), "{mechanism}");
        let outstanding =
            events.iter().filter(|event| event["ph"] == "C").map(|event| number(&event["args"]["requests"]));
        assert_eq!(outstanding.clone().next_back(), Some(0), "{mechanism}");
        assert!(outstanding.max() <= Some(4), "more than the MSHRs of tiny");
    }
}

#[test]
fn a_trace_is_complete_when_the_run_is_stopped() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("trace.json");
    let file = path.to_str().expect("a path in UTF-8");
    let endless = ["infinite_loop", "--preset", "tiny", "--perfetto", file];
    let report = report(&[&endless[..], &["--max-cycles", "700"]].concat());
    assert_eq!(report["result"], "error");
    let limited = events(&path);
    assert_eq!(overlaps(&limited), [""; 0]);
    let executed = limited.iter().filter_map(|event| event["args"].get("instructions")).map(number).sum::<u64>();
    // The counter sees an instruction a cycle after it has issued: of the last cycle it may know nothing.
    let counted = number(&report["warp_instructions"]);
    assert!(executed == counted || executed == counted + 1, "{executed} and {counted}");

    std::fs::remove_file(&path).expect("the trace is there");
    let child = command(&[&["run"], &endless[..]].concat()).spawn().expect("warploom starts");
    // With events in the file, the run is under way.
    while std::fs::metadata(&path).map_or(0, |file| file.len()) < 10_000 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // SAFETY: sends a signal to a process that we have started and not yet waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let ran = child.wait_with_output().expect("it ends");
    assert_eq!(ran.status.code(), Some(130), "{ran:?}");
    assert!(events(&path).len() > limited.len());
}

#[test]
fn files_that_cannot_be_written() {
    // Known before the run, or only when it is full.
    for (file, word) in [("/nowhere/trace.json", ""), ("/dev/full", "DONE")] {
        let ran =
            command(&["run", "rhu_4_1", "--preset", "tiny", "--perfetto", file]).output().expect("warploom starts");
        let message = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{message}");
        assert!(message.starts_with(&format!("error: --perfetto: cannot write {file}")), "{message}");
        let report = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(report.split_whitespace().next().unwrap_or_default(), word, "{report}");
    }
}

/// Every thread of 3 CTAs of 7 copies four words, whose place says which thread it is: the places of `--watch` are right, under whatever changes lanes.
#[test]
fn who_writes_where_is_known() {
    for mechanism in mechanisms() {
        let args =
            ["stream", "--grid", "3", "--block", "7", "--arg", "iota:i32:84", "--arg", "zero:i32:84", "--arg", "1"];
        let watch = ["--preset", "tiny", "-m", mechanism, "--watch", "arg1", "--watch", "arg1[8]", "--watch", "arg0"];
        let report = report(&[&args[..], &watch].concat());
        let [all, one, none] = &report["watched"].as_array().expect("a list")[..] else { panic!("{report}") };
        assert_eq!((number(&all["count"]), number(&one["count"]), number(&none["count"])), (84, 1, 0), "{mechanism}");
        let mut written = Vec::new();
        for write in all["writes"].as_array().expect("a list") {
            let word = (number(&write["address"]) - number(&all["address"])) / 4;
            assert_eq!(number(&write["value"]), word, "{mechanism}: {write}");
            assert_eq!(7 * number(&write["cta"]) + number(&write["thread"]), word % 21, "{mechanism}: {write}");
            assert_eq!((write["operation"].as_str(), number(&write["bytes"])), (Some("store"), 4), "{mechanism}");
            assert!(number(&write["cycle"]) < number(&report["cycles"]), "{mechanism}: {write}");
            written.push(word);
        }
        written.sort_unstable();
        assert!(written.into_iter().eq(0..84), "{mechanism}");
        assert_eq!(number(&one["writes"][0]["value"]), 8, "{mechanism}");
    }
}

#[test]
fn a_place_that_is_not_there_is_not_watched() {
    let nameless =
        command(&["run", "gcd", "--preset", "tiny", "--watch", "a"]).output().expect("warploom starts").stderr;
    assert_eq!(
        String::from_utf8_lossy(&nameless),
        "error: --watch a: no buffer has a name here; an address is 0x80001000 and the like\n"
    );
    let stream =
        ["run", "stream", "--preset", "tiny", "--arg", "iota:i32:16", "--arg", "zero:i32:16", "--arg", "1", "--watch"];
    for (place, said) in [
        ("arg2", "error: --watch arg2: there is no buffer `arg2`"),
        ("arg1[16]", "error: --watch arg1[16]: arg1 has 16 elements\n"),
        ("arg1[", "error: invalid value 'arg1[' for '--watch <PLACE>': there is no `]` at its end\n"),
        ("0x10..0x10", "error: invalid value '0x10..0x10' for '--watch <PLACE>': it is empty\n"),
    ] {
        let Output { status, stderr, .. } =
            command(&[&stream[..], &[place]].concat()).output().expect("warploom starts");
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(status.code() == Some(2) && stderr.starts_with(said), "{place}: {stderr}");
    }
}
