//! Cycle scripts of [`super`].
use std::collections::BTreeMap;

use super::*;
use crate::config::{FetchPolicy, Mechanism};
use crate::divergence::cycle_script::{cycles, set};

/// Runs a script on two warps of four lanes, the oldest warp first. A line is a cycle, slots 2 and 3 have side 1:
/// - input, with `,` between what happens at once: `launch warp pc lanes`, `fetch`, `step`, `control`, `join` (DECODE of what was fetched), `branch slot taken target next`,
///   `jump slot target`, `exit slot`, `barrier slot next`, `release`, `pends slot`, `-`;
/// - output: slot, PC and home warps by lane of the warp that can be fetched, else `.`, then what happens in that cycle.
#[track_caller]
fn play(sides: usize, script: &str) {
    let how = WarpFormation { policy: FetchPolicy::Oldest, sides, relief: 2, ..WarpFormation::DEFAULT };
    let config = CoreConfig { warps: 2, mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
    let mut unit = DynamicWarpFormation::new(&config, how);
    unit.connect_all();
    simulate(&mut unit, 1000);
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap();
    // By slot: the lanes that run, the home warp of each lane.
    let (mut masks, mut rows) = (BTreeMap::new(), BTreeMap::new());
    let mut fetched = 0;
    let (mut found, mut expected) = (vec![], vec![]);
    for (input, seen) in cycles(script) {
        unit.launch.valid.next = false;
        unit.fetch_valid.next = false;
        unit.decoded.valid.next = false;
        unit.decoded.control.next = false;
        unit.decoded_join.next = false;
        unit.resolve.valid.next = false;
        unit.resolve.taken.next = 0.into();
        unit.barrier_release.next = 0.into();
        let mut pending = 0;
        for event in input.split(|word| *word == ",") {
            let kind = match *event {
                ["launch", warp, pc, lanes] => {
                    unit.launch.valid.next = true;
                    unit.launch.warp.next = hex(warp).into();
                    unit.launch.pc.next = hex(pc).into();
                    unit.launch.mask.next = set(lanes);
                    None
                }
                ["fetch"] => {
                    unit.fetch_valid.next = true;
                    None
                }
                [what @ ("step" | "control" | "join")] => {
                    unit.decoded.valid.next = true;
                    unit.decoded.warp.next = usize::into(fetched);
                    unit.decoded.control.next = what == "control";
                    unit.decoded_join.next = what == "join";
                    None
                }
                ["branch", slot, taken, target, next] => {
                    unit.resolve.taken.next = set(taken);
                    unit.resolve.target.next = hex(target).into();
                    unit.resolve.next_pc.next = hex(next).into();
                    Some((slot, ControlKind::Branch))
                }
                ["jump", slot, target] => {
                    unit.resolve.taken.next = masks[&hex(slot)];
                    unit.resolve.target.next = hex(target).into();
                    Some((slot, ControlKind::Jump))
                }
                ["exit", slot] => Some((slot, ControlKind::Exit)),
                ["barrier", slot, next] => {
                    unit.resolve.next_pc.next = hex(next).into();
                    Some((slot, ControlKind::Barrier))
                }
                ["release"] => {
                    unit.barrier_release.next = 1.into();
                    None
                }
                ["pends", slot] => {
                    pending = 1 << hex(slot);
                    None
                }
                _ => None,
            };
            if let Some((slot, kind)) = kind {
                unit.resolve.valid.next = true;
                unit.resolve.warp.next = hex(slot).into();
                unit.resolve.kind.next = kind;
                unit.resolve.mask.next = masks[&hex(slot)];
            }
        }
        for side in 0..sides {
            unit.slot_pending[side].next = (pending >> (2 * side) & 3usize).into();
        }
        simulate(&mut unit, 1000);
        let next = (0..2 * sides).find(|slot| unit.fetchable[slot / 2].val().get_bit(slot % 2));
        unit.fetch_warp.next = next.unwrap_or(0).into();
        simulate(&mut unit, 1000);
        found.push(outputs(&unit, next, &rows));
        expected.push(seen.join(" "));
        if let Some(slot) = next.filter(|_| unit.fetch_valid.val()) {
            masks.insert(slot, unit.fetch_mask.val());
            fetched = slot;
        }
        for lane in (0..4).filter(|_| unit.form.valid.val()) {
            let at = unit.form.sides[lane].val();
            if let Some(side) = (0..sides).find(|side| at.get_bit(*side)) {
                let slot = 2 * side + unit.form.warps[lane].val().index();
                rows.insert((slot, lane), unit.form.home_warps[lane].val().index());
            }
        }
        tick!(unit);
    }
    assert_eq!(found, expected);
}

fn outputs(unit: &DynamicWarpFormation, next: Option<usize>, rows: &BTreeMap<(usize, usize), usize>) -> String {
    let mut text = match next {
        Some(slot) => {
            let row = |lane: usize| match unit.fetch_mask.val().get_bit(lane) {
                true => rows[&(slot, lane)].to_string(),
                false => "-".to_string(),
            };
            format!("{slot} {:x} {}", unit.fetch_pc.val().value(), (0..4).map(row).collect::<String>())
        }
        None => ".".to_string(),
    };
    let pool = &unit.pool_events;
    let count = |what: &str, number: Word| (number.any(), format!("{what} {}", number.value()));
    for (happens, what) in [
        (unit.arrive.valid.val(), format!("arrive {}", unit.arrive.count.val().value())),
        (unit.exit.valid.val(), format!("exit {}", unit.exit.count.val().value())),
        (unit.finished.valid.val(), format!("finished {}", unit.finished.warp.val().value())),
        (pool.forms.val(), "forms".into()),
        count("joins", pool.joined.val()),
        count("parks", pool.parked.val()),
        (pool.relieved.val(), "relieves".into()),
        (pool.evicted.val(), "evicts".into()),
    ] {
        if happens {
            text += &format!(" {what}");
        }
    }
    text
}

/// Fung & Aamodt 2011, Figure 7: A at 10, B at 14, C at 30, D at 40; lane 0 of the first warp, lanes 1 and 2 of the second take the branch.
#[test]
fn threads_of_two_warps_meet_behind_a_branch() {
    play(
        2,
        "launch 0 10 0123            | .
         launch 1 10 0123            | .
         -                           | . forms
         fetch                       | 0 10 0000
         control                     | . forms
         fetch                       | 1 10 1111
         control , branch 0 0 30 14  | .
         -                           | . forms                  | C
         branch 1 12 30 14           | 0 30 0--- forms          | B, in another slot
         -                           | 0 30 0--- joins 2        | C
         -                           | 0 30 011- forms joins 1  | B: lane 3 is taken
         fetch                       | 0 30 011-
         fetch , control             | 1 14 ---1                | as old as the other
         fetch , control , jump 0 40 | 2 14 1000
         control , jump 1 40         | . forms                  | D
         jump 2 40                   | 0 40 011- joins 1
         -                           | 0 40 0111 forms
         fetch                       | 0 40 0111
         fetch , control             | 2 40 1000
         control , exit 0            | .
         exit 2                      | . exit 4
         -                           | . exit 4
         -                           | . finished 0
         -                           | . finished 1",
    );
}

/// A pool of two slots, both of whose warps diverge.
#[test]
fn a_full_pool_parks() {
    play(
        1,
        "launch 0 10 0123           | .
         launch 1 10 0123           | .
         -                          | . forms
         fetch                      | 0 10 0000
         control                    | . forms
         fetch , branch 0 01 30 14  | 1 10 1111
         control                    | . forms
         branch 1 01 30 14          | 0 30 00-- parks 2
         -                          | 0 30 00-- forms
         -                          | 0 30 00-- parks 2
         fetch                      | 0 30 00--
         control                    | 1 30 11--
         jump 0 40                  | 1 30 11--
         pends 0                    | 1 30 11--                 | not before its register is there
         -                          | 1 30 11-- parks 2 relieves | the second that keeps others waiting
         -                          | 1 30 11--
         -                          | 1 30 11--                 | row 1
         -                          | 1 30 11-- forms           | row 0: its lanes at that PC are taken
         fetch                      | 1 30 11--
         control                    | 0 14 --11",
    );
}

#[test]
fn threads_wait_at_a_barrier_without_a_slot() {
    play(
        1,
        "launch 0 10 0123  | .
         -                 | .
         -                 | . forms
         fetch             | 0 10 0000
         step              | .
         fetch             | 0 14 0000
         join              | .
         -                 | . forms     | others may have come
         fetch             | 0 18 0000
         control           | .
         barrier 0 1c      | .
         -                 | . arrive 4
         release           | .
         -                 | .
         -                 | . forms
         fetch             | 0 1c 0000",
    );
}
