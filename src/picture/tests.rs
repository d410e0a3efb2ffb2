//! The papers' worked example, as the hardware runs it.
use std::collections::BTreeMap;

use super::{Panel, Window};
use crate::cli::{CoreArgs, SetupArgs};
use crate::commands::picture::panel;
use crate::progress::Progress;
use crate::simulation::Simulation;

fn example(mechanism: &str, window: Window) -> Panel {
    let core =
        CoreArgs { mechanism: Some(mechanism.to_string()), preset: Some("tiny".to_string()), ..Default::default() };
    let setup = SetupArgs { kernel: Some("rhu_4_1".to_string()), core, ..Default::default() };
    panel(&Simulation::new(setup).unwrap(), window, &Progress::start()).unwrap().0
}

/// Warps that execute each block, in the digits of the figure.
fn warps(panel: &Panel) -> BTreeMap<String, Vec<String>> {
    let mut warps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for column in panel.issued() {
        let digit = |thread: &Option<usize>| thread.map_or('-', |thread| char::from_digit(thread as u32, 16).unwrap());
        let text = column.threads.iter().map(digit).collect::<String>().to_uppercase();
        let of_block = warps.entry(panel.blocks.name(column.block).to_string()).or_default();
        if !of_block.contains(&text) {
            of_block.push(text);
        }
    }
    warps.values_mut().for_each(|warps| warps.sort());
    warps
}

/// Rhu 2014, Figures 4.1 and 4.3: seven warps in the blocks B and C without compaction, and what compaction makes of them.
#[test]
fn the_worked_example_has_the_warps_of_the_figure() {
    let whole = Window { from: 0, to: 999 };
    let spe = warps(&example("spe", whole));
    let full = ["0123", "4567", "89AB"];
    assert_eq!(spe["A"], full);
    assert_eq!(spe["B"], ["---7", "--A-"]);
    assert_eq!(spe["C"], ["0123", "456-", "89-B"]);
    assert_eq!(spe["F"], spe["C"]);
    assert_eq!(spe["G"], full);
    let tbc = warps(&example("tbc", whole));
    assert_eq!(tbc["B"], ["--A7"], "a single warp");
    assert_eq!(tbc["C"].len(), 3, "threads 0, 4 and 8 are in one lane: {tbc:?}");
    assert_eq!((tbc["D"].len(), tbc["E"].len()), (1, 2), "{tbc:?}");
    assert_eq!((&tbc["A"], &tbc["G"]), (&spe["A"], &spe["G"]));
    // W0 does not diverge at A, and goes ahead.
    let capri = example("capri", whole);
    let first = capri.issued().find(|column| capri.blocks.name(column.block) == "C").unwrap();
    assert_eq!(first.threads, [0, 1, 2, 3].map(Some));
}

#[test]
fn a_window_is_a_part_of_the_whole() {
    let whole = example("tbc", Window { from: 0, to: 999 });
    assert_eq!(whole.end, Some(whole.columns.len() as u64));
    let part = example("tbc", Window { from: 40, to: 59 });
    assert_eq!((part.columns.as_slice(), part.end), (&whole.columns[40..60], None));
    let rest = example("tbc", Window { from: 100, to: 999 });
    assert_eq!((rest.columns.as_slice(), rest.end), (&whole.columns[100..], whole.end));
}

#[test]
fn windows() {
    let new = |from, to| Window::new(from, to).map_err(|error| error.to_string());
    assert_eq!(new(Some(7), None), Ok(Window { from: 7, to: 286 }));
    assert_eq!(new(None, Some(299)), Ok(Window { from: 20, to: 299 }));
    assert_eq!(new(Some(3), Some(3)), Ok(Window { from: 3, to: 3 }));
    assert!(new(Some(3), Some(2)).is_err_and(|error| error.contains("--to 2")));
    assert!(new(Some(1), Some(2401)).is_err_and(|error| error.contains("--from 1 --to 2400")));
    assert_eq!(Window::around(Some(1234)), Window { from: 1210, to: 1489 });
    assert_eq!(Window::around(Some(100)), Window { from: 0, to: 279 });
}
