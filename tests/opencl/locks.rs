//! Idioms of locks, which are listed in docs/user/mechanisms.md with what they do: every thread of two work-groups adds one.
use super::{can_compile, words};

const LOCK: &str = "--global 16 --local 8 --buffer lock=zero:i32:1 --buffer count=zero:i32:1";
const TICKET: &str =
    "--global 16 --local 8 --buffer next=zero:i32:1 --buffer called=zero:i32:1 --buffer count=zero:i32:1";
const C: &str = "--grid 2 --block 8 --arg zero:u32:1 --arg zero:u32:1";

/// What is counted when the run has ended, or the report of one that does not end.
#[track_caller]
fn counted(line: &str, count: &str, mechanism: &str) -> Result<i32, String> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let dump = file.path().display();
    let line = format!("run locks/{line} --preset tiny -m {mechanism} --max-cycles 100000 --dump {count}={dump}");
    let (status, stdout, stderr) = super::warploom(&line);
    match status {
        Some(0) => Ok(words(&std::fs::read(file.path()).expect("a dump"))[0]),
        _ if stdout.starts_with("STOPPED") => Err(stdout),
        _ => panic!("{line}: {stdout}{stderr}"),
    }
}

#[test]
fn a_lock_that_is_given_back_inside_the_loop_works_under_every_mechanism() {
    if !can_compile() {
        return;
    }
    for mechanism in ["spe", "tbc", "tbc-plus", "capri+slp", "dpe", "dws"] {
        for (line, count) in [
            (format!("flag.cl {LOCK}"), "count"),
            (format!("swap.cl {LOCK}"), "count"),
            (format!("bit.cl {LOCK}"), "count"),
            (format!("flag.c {C}"), "arg1"),
            (format!("turns.cl {LOCK}"), "count"),
            (format!("ticket.cl {TICKET}"), "count"),
        ] {
            assert_eq!(counted(&line, count, mechanism), Ok(16), "{line} under {mechanism}");
        }
    }
}

#[test]
fn a_lock_that_is_held_outside_the_loop_needs_threads_that_go_on_alone() {
    if !can_compile() {
        return;
    }
    for source in ["leave.cl", "wait.cl"] {
        let line = format!("{source} {LOCK}");
        assert_eq!(counted(&line, "count", "dws"), Ok(16), "{source}");
        for mechanism in ["spe", "tbc", "tbc-plus", "capri+slp", "dpe"] {
            let report = counted(&line, "count", mechanism).expect_err("it cannot end");
            let no_end = format!("it has no end under {}", mechanism.trim_end_matches("+slp"));
            for said in
                [&format!("at {source}:"), "in a loop that may wait for other threads", &no_end, "see \"Locks\""]
            {
                assert!(report.contains(said), "{said}: {report}");
            }
            // Where threads wait for those in the loop, as far as their places are known.
            assert_eq!(report.contains("for these at"), mechanism == "spe", "{report}");
        }
    }
}
