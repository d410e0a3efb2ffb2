//! Cycle scripts of [`super`].
use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::config::{FormationScope, IssuePolicy, Mechanism};
use crate::divergence::cycle_script::{cycles, set};

/// Runs a script on two warps of four lanes, the oldest warp first. A line is a cycle, slots 2 and 3 have side 1:
/// - input, with `,` between what happens at once: `launch warp pc lanes`, `fetch`, `step`, `control`, `join` (DECODE of what was fetched), `issue slot`,
///   `branch slot taken target next`, `jump slot target`, `exit slot`, `barrier slot next`, `release cta`, `pends slot`, `-`;
/// - output: slot and PC of the warp that can be fetched, else `.`; `[` slots in the buffer that may issue `]`, if there are; home warps by lane of the warp that issues; then
///   what happens in that cycle. Of threads that end or wait, how many; where warps are of several CTAs, of each of two, whose threads the warps launched are.
#[track_caller]
fn play(sides: usize, script: &str) {
    play_in(FormationScope::Cta, sides, script);
}

#[track_caller]
fn play_in(scope: FormationScope, sides: usize, script: &str) {
    let how = WarpFormation { policy: IssuePolicy::Oldest, sides, relief: 2, scope, ..WarpFormation::DEFAULT };
    let config = CoreConfig { warps: 2, mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
    let mut unit = DynamicWarpFormation::new(&config, how);
    unit.connect_all();
    for (warp, port) in unit.home_slots.iter_mut().enumerate() {
        port.next = warp.into();
    }
    simulate(&mut unit, 1000);
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap();
    // By slot: the lanes that run, the home warp of each lane.
    let (mut masks, mut rows) = (BTreeMap::new(), BTreeMap::new());
    let (mut fetched, mut decoded, mut buffer) = (None::<usize>, None::<usize>, BTreeSet::<usize>::new());
    let (mut found, mut expected) = (vec![], vec![]);
    for (input, seen) in cycles(script) {
        unit.launch.valid.next = false;
        unit.issue_valid.next = false;
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
                ["issue", slot] => {
                    unit.issue_valid.next = true;
                    unit.issue_warp.next = hex(slot).into();
                    None
                }
                [what @ ("step" | "control" | "join")] => {
                    unit.decoded.valid.next = true;
                    decoded = fetched;
                    unit.decoded.warp.next = decoded.expect("it has been fetched").into();
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
                ["release", cta] => {
                    unit.barrier_release.next = (1usize << hex(cta)).into();
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
        let in_buffer = buffer.iter().fold(0, |set, slot| set | 1 << slot);
        for side in 0..sides {
            unit.slot_valid[side].next = (in_buffer >> (2 * side) & 3usize).into();
            unit.slot_pending[side].next = (pending >> (2 * side) & 3usize).into();
        }
        simulate(&mut unit, 1000);
        let is_set = |sides: &[Net<Out>], slot: usize| sides[slot / 2].val().get_bit(slot % 2);
        let free = |slot: &usize| !buffer.contains(slot) && decoded != Some(*slot);
        let next = (0..2 * sides).filter(free).find(|slot| is_set(&unit.fetchable, *slot));
        unit.fetch_warp.next = next.unwrap_or(0).into();
        simulate(&mut unit, 1000);
        let may_issue: Vec<usize> = buffer.iter().copied().filter(|slot| !is_set(&unit.hold, *slot)).collect();
        found.push(outputs(&unit, next, &may_issue, &rows));
        expected.push(seen.join(" "));
        fetched = next.filter(|_| input.contains(&"fetch"));
        if unit.issue_valid.val() {
            let slot = unit.issue_warp.val().index();
            assert!(may_issue.contains(&slot), "{slot} may issue: {found:?}");
            buffer.remove(&slot);
            masks.insert(slot, unit.issue_mask.val());
        }
        buffer.extend(decoded.take());
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

fn outputs(
    unit: &DynamicWarpFormation,
    next: Option<usize>,
    may_issue: &[usize],
    rows: &BTreeMap<(usize, usize), usize>,
) -> String {
    let mut text = match next {
        Some(slot) => format!("{slot} {:x}", unit.fetch_pc.val().value()),
        None => ".".to_string(),
    };
    if !may_issue.is_empty() {
        text += &format!(" [{}]", may_issue.iter().map(usize::to_string).collect::<String>());
    }
    if unit.issue_valid.val() {
        let row = |lane: usize| match unit.issue_mask.val().get_bit(lane) {
            true => rows[&(unit.issue_warp.val().index(), lane)].to_string(),
            false => "-".to_string(),
        };
        text += &format!(" {}", (0..4).map(row).collect::<String>());
    }
    let pool = &unit.pool_events;
    let count = |what: &str, number: Word| (number.any(), format!("{what} {}", number.value()));
    let by_cta = |all: &Net<Out>| match &unit.cta_threads[..] {
        [first, second, ..] => format!("{},{}", first.val().value(), second.val().value()),
        _ => all.val().value().to_string(),
    };
    for (happens, what) in [
        (unit.arrive.valid.val(), format!("arrive {}", by_cta(&unit.arrive.count))),
        (unit.exit.valid.val(), format!("exit {}", by_cta(&unit.exit.count))),
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

/// A at 10, B at 14, C at 30, D at 40; lane 0 of the first warp, lanes 1 and 2 of the second take the branch.
const MEETING: &str = "
    launch 0 10 0123            | .
    launch 1 10 0123            | .
    -                           | . forms
    fetch                       | 0 10
    control                     | . forms
    fetch , issue 0             | 1 10 [0] 0000
    control , branch 0 0 30 14  | .
    issue 1                     | . [1] 1111 forms         | C
    fetch , branch 1 12 30 14   | 0 30 forms               | B, in another slot
    control                     | 2 14 joins 2             | C, in the buffer
    -                           | 2 14 [0] forms joins 1   | B: lane 3 is taken
    fetch , issue 0             | 1 14 [0] 011-
    fetch , control , jump 0 40 | 2 14
    control                     | . [1] forms
    issue 1                     | 0 40 [1] ---1
    jump 1 40                   | 0 40                     | the choice of the cycle before, which has issued
    issue 2                     | 0 40 [2] 1000 joins 1
    jump 2 40                   | 0 40
    fetch                       | 0 40 forms
    fetch , control             | 2 40
    control , issue 0           | . [0] 0111
    exit 0                      | .
    -                           | . [2] exit 4
    issue 2                     | . [2] 1000
    exit 2                      | .
    -                           | . exit 4
    -                           | . finished 0
    -                           | . finished 1";

/// Fung & Aamodt 2011, Figure 7.
#[test]
fn threads_of_two_warps_meet_behind_a_branch() {
    play(2, MEETING);
}

/// The same where each warp is a CTA.
#[test]
fn threads_of_two_ctas_meet_behind_a_branch() {
    let of_ctas = MEETING.replacen("exit 4", "exit 1,3", 1).replacen("exit 4", "exit 3,1", 1);
    play_in(FormationScope::Core, 2, &of_ctas);
}

/// Each CTA has a barrier of its own.
#[test]
fn threads_of_two_ctas_wait_at_their_barriers() {
    play_in(
        FormationScope::Core,
        2,
        "launch 0 10 0123            | .
         launch 1 10 0123            | .
         -                           | . forms
         fetch                       | 0 10
         control                     | . forms
         fetch , issue 0             | 1 10 [0] 0000
         control , barrier 0 14      | .
         issue 1                     | . [1] 1111 arrive 4,0
         barrier 1 14                | .
         -                           | . arrive 0,4
         release 1                   | .
         -                           | .
         -                           | . forms
         fetch                       | 0 14
         control                     | .
         issue 0                     | . [0] 1111
         exit 0                      | .
         -                           | . exit 0,4
         -                           | . finished 1
         -                           | .",
    );
}

/// Threads come to a warp in the buffer. If it issues in the same cycle, they are too late.
#[test]
fn who_comes_when_a_warp_issues_is_too_late() {
    let script = |last: &str| {
        format!(
            "launch 0 10 0123            | .
             launch 1 10 0123            | .
             -                           | . forms
             fetch                       | 0 10
             control                     | . forms
             fetch , issue 0             | 1 10 [0] 0000
             control , branch 0 01 30 14 | .
             issue 1                     | . [1] 1111 forms
             fetch                       | 0 30 forms
             control                     | 2 14
             branch 1 23 30 14           | 2 14 [0]
             {last}"
        )
    };
    let in_time = "-       | 2 14 [0] joins 2
                   issue 0 | 2 14 [0] 0011 joins 2";
    let too_late = "issue 0 | 2 14 [0] 00-- forms
                    -       | 1 30 joins 2";
    play(2, &script(in_time));
    play(2, &script(too_late));
}

/// A pool of two slots, both of whose warps diverge.
#[test]
fn a_full_pool_parks() {
    play(
        1,
        "launch 0 10 0123           | .
         launch 1 10 0123           | .
         -                          | . forms
         fetch                      | 0 10
         control                    | . forms
         fetch , issue 0            | 1 10 [0] 0000
         control , branch 0 01 30 14 | .
         issue 1                    | . [1] 1111 forms
         fetch , branch 1 01 30 14  | 0 30 parks 2
         control                    | . forms
         fetch , issue 0            | 1 30 [0] 00-- parks 2
         control , jump 0 40        | .
         pends 0                    | . [1]                    | not before its register is there
         -                          | . [1] parks 2 relieves   | the second that keeps others waiting
         -                          | . [1]
         -                          | . [1]                    | row 1
         -                          | . [1] forms              | row 0: its lanes at that PC are taken
         fetch , issue 1            | 0 14 [1] 11--
         control                    | .
         issue 0                    | . [0] --11",
    );
}

#[test]
fn threads_wait_at_a_barrier_without_a_slot() {
    play(
        1,
        "launch 0 10 0123  | .
         -                 | .
         -                 | . forms
         fetch             | 0 10
         step              | .
         issue 0           | . [0] 0000
         fetch             | 0 14
         join              | .
         -                 | . [0]
         issue 0           | . [0] 0000
         -                 | . forms                  | others may have come
         fetch             | 0 18
         control           | .
         issue 0           | . [0] 0000
         barrier 0 1c      | .
         -                 | . arrive 4
         release 0         | .
         -                 | .
         -                 | . forms
         fetch             | 0 1c",
    );
}
