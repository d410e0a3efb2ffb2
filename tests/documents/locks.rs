//! docs/user/mechanisms.md says how long the kernels take whose threads wait for one another; here they run.
//!
//! After a change of the hardware that is meant to change a number, put the rows of the failure's left side on the page.
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;

/// A run that is longer has no end: the longest that has one takes less than half of it.
const LIMIT: &str = "100000";

/// What the page says of a run: its cycles in thousands, `no end`, or `wrong`.
fn cell(kernel: &str, mechanism: &str) -> String {
    let size = ["--preset", "tiny", "--size", "16", "--max-cycles", LIMIT, "--json"];
    let ran = Command::new(env!("CARGO_BIN_EXE_warploom")).args(["run", kernel, "-m", mechanism]).args(size).output();
    let output = ran.expect("the tool runs").stdout;
    let report: Value = serde_json::from_slice(&output).expect("a report");
    match report["result"].as_str() {
        Some("pass") => {
            let cycles = report["cycles"].as_u64().expect("a number");
            format!("{},{:03}", cycles / 1000, cycles % 1000)
        }
        Some("fail") => "wrong".to_string(),
        _ => match report["reason"].as_str() {
            Some(reason) if reason.starts_with("no end after") => "no end".to_string(),
            reason => format!("{reason:?}"),
        },
    }
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
}

#[test]
fn kernels_with_locks_take_as_long_as_the_page_says() {
    let page = include_str!("../../docs/user/mechanisms.md");
    let mut lines =
        page.lines().skip_while(|line| !line.starts_with("Cycles of `warploom run KERNEL --preset tiny --size 16`"));
    let mut table = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
    let mechanisms = cells(table.next().expect("a heading"));
    let rows: Vec<Vec<&str>> = table.skip(1).map(cells).collect();
    assert!(rows.len() >= 8 && mechanisms.len() >= 6, "{rows:?}");
    let now: Vec<Vec<String>> = rows
        .par_iter()
        .map(|row| {
            let runs = mechanisms[1..].par_iter().map(|mechanism| cell(row[0], mechanism)).collect::<Vec<_>>();
            [vec![row[0].to_string()], runs].concat()
        })
        .collect();
    assert_eq!(now, rows);
}
