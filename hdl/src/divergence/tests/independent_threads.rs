//! Cycle scripts of [`super`].
use super::*;
use crate::divergence::cycle_script::{cycles, set};

/// Runs a script on one warp of four lanes, whose lanes are written as `0123`. A line is a cycle:
/// - input: `launch pc lanes`, `fetch`, `step` or `control` (DECODE), `branch taken target next rpc [spin]`, `jump target`, `exit`, `barrier`, `release`,
///   `-`; numbers are hexadecimal, `rpc` may be `end`;
/// - output: PC and lanes of the group if it can be fetched, else `.`, then what happens in that cycle.
#[track_caller]
fn play(barriers: usize, turns: Turns, script: &str) {
    let mut unit = IndependentThreads::new(4, 1, barriers, true, turns);
    unit.connect_all();
    simulate(&mut unit, 1000);
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
    for (input, seen) in cycles(script) {
        unit.launch.valid.next = input[0] == "launch";
        unit.decoded.valid.next = ["step", "control"].contains(&input[0]);
        unit.decoded.control.next = input[0] == "control";
        unit.barrier_release.next = usize::from(input[0] == "release").into();
        unit.resolve.taken.next = 0.into();
        unit.resolve.annotation.spin.next = input.contains(&"spin");
        let kind = match input[..] {
            ["launch", pc, lanes] => {
                unit.launch.pc.next = hex(pc);
                unit.launch.mask.next = set(lanes);
                None
            }
            ["branch", taken, target, next, rpc, ..] => {
                unit.resolve.taken.next = set(taken);
                unit.resolve.target.next = hex(target);
                unit.resolve.next_pc.next = hex(next);
                unit.resolve.annotation.rpc.next = if rpc == "end" { 0.into() } else { hex(rpc) };
                unit.resolve.annotation.rpc_valid.next = rpc != "end";
                Some(ControlKind::Branch)
            }
            ["jump", target] => {
                unit.resolve.taken.next = unit.fetch_mask.val();
                unit.resolve.target.next = hex(target);
                Some(ControlKind::Jump)
            }
            ["exit"] => Some(ControlKind::Exit),
            ["barrier"] => {
                unit.resolve.next_pc.next = (unit.fetch_pc.val().index() + 4).into();
                Some(ControlKind::Barrier)
            }
            _ => None,
        };
        unit.resolve.valid.next = kind.is_some();
        if let Some(kind) = kind {
            unit.resolve.kind.next = kind;
            unit.resolve.mask.next = unit.fetch_mask.val();
        }
        simulate(&mut unit, 1000);
        assert_eq!(outputs(&unit), seen.join(" "), "{input:?}");
        tick!(unit);
    }
}

fn outputs(unit: &IndependentThreads) -> String {
    let lanes = |mask: Word| (0..4).filter(|lane| mask.get_bit(*lane)).map(|lane| lane.to_string()).collect::<String>();
    let mut text = match unit.fetchable.val().get_bit(0) {
        true => format!("{:x} {}", unit.fetch_pc.val().value(), lanes(unit.fetch_mask.val())),
        false => ".".to_string(),
    };
    let (turn, group) = (&unit.turn_events, &unit.group_events);
    for (happens, what) in [
        (unit.arrive.valid.val(), format!("arrive {}", unit.arrive.count.val().value())),
        (unit.exit.valid.val(), format!("exit {}", unit.exit.count.val().value())),
        (unit.finished.valid.val(), "finished".into()),
        (unit.waiting.val().any(), "waiting".into()),
        (group.full.val(), "full".into()),
        (turn.ended_by_spin.val(), "spin".into()),
        (turn.ended_by_quantum.val(), "quantum".into()),
        (turn.breaks.val(), format!("breaks {}", turn.released.val().value())),
        (turn.rotates.val(), "rotates".into()),
        (group.merged.val().any(), format!("merged {}", group.merged.val().value())),
    ] {
        if happens {
            text += &format!(" {what}");
        }
    }
    text
}

/// A to (B, C), both to D: at 10, 20, 30, 40.
#[test]
fn both_sides_of_a_branch_meet() {
    play(
        2,
        Turns::DEFAULT,
        "launch 10 0123       | .
         fetch                | 10 0123
         control              | 10 0123
         branch 01 20 30 40   | .
         -                    | .
         -                    | .
         fetch                | 20 01      | in the third cycle
         control              | 20 01
         branch 01 24 24 end  | .
         -                    | .
         fetch                | 24 01      | uniform: in the second
         control              | 24 01
         jump 40              | .
         -                    | .
         -                    | .          | the lowest PC
         -                    | .
         fetch                | 30 23
         step                 | 30 23
         fetch                | 34 23
         step                 | 34 23
         fetch                | 38 23
         step                 | 38 23
         fetch                | 3c 23
         step                 | 3c 23      | in front of the barrier
         -                    | .          | they arrive: all are there
         -                    | .
         -                    | . merged 2
         fetch                | 40 0123
         control              | 40 0123
         exit                 | .
         -                    | . exit 4
         -                    | . finished",
    );
}

#[test]
fn without_a_barrier_they_do_not() {
    play(
        0,
        Turns::DEFAULT,
        "launch 10 0123       | .
         fetch                | 10 0123
         control              | 10 0123
         branch 01 20 30 40   | .
         -                    | . full
         -                    | .
         fetch                | 20 01
         control              | 20 01
         jump 40              | .
         -                    | .
         fetch                | 40 01",
    );
}

/// A thread waits at 14, behind a loop at 10, for the others, who wait for it.
#[test]
fn a_turn_ends() {
    play(
        2,
        Turns { spin: 1, quantum: 1024 },
        "launch 10 0123          | .
         fetch                   | 10 0123
         control                 | 10 0123
         branch 123 10 14 14 spin | .
         -                       | . spin
         -                       | . breaks 1
         -                       | . rotates
         -                       | .
         fetch                   | 14 0
         control                 | 14 0
         exit                    | .
         -                       | . exit 1
         -                       | .
         -                       | .
         fetch                   | 10 123",
    );
}

/// Two threads at 10 have the first turn, those at 20 another one; they meet at 40, where no barrier is for all.
#[test]
fn turns_by_instructions_and_groups_that_meet() {
    play(
        0,
        Turns { spin: 15, quantum: 2 },
        "launch 10 0123          | .
         fetch                   | 10 0123
         control                 | 10 0123
         branch 01 40 14 50      | .
         -                       | . full
         -                       | .
         fetch                   | 40 01
         step                    | 40 01
         fetch                   | 44 01
         control                 | 44 01
         jump 40                 | .
         -                       | . quantum
         -                       | .
         -                       | . rotates
         -                       | .
         fetch                   | 14 23
         control                 | 14 23
         jump 40                 | .
         -                       | .         | one instruction: it goes on
         fetch                   | 40 23
         control                 | 40 23
         jump 40                 | .
         -                       | . quantum
         -                       | .
         -                       | .         | nobody else is to run
         fetch                   | 40 0123   | all are there",
    );
}

#[test]
fn threads_wait_for_their_cta() {
    play(
        2,
        Turns::DEFAULT,
        "launch 10 0123          | .
         fetch                   | 10 0123
         control                 | 10 0123
         branch 01 20 30 40      | .
         -                       | .
         -                       | .
         fetch                   | 20 01
         control                 | 20 01
         jump 40                 | .
         -                       | .
         -                       | .
         -                       | .
         fetch                   | 30 23
         control                 | 30 23
         barrier                 | .
         -                       | . arrive 2
         -                       | . breaks 2 | those at 40 wait for them no longer
         -                       | .
         -                       | .
         fetch                   | 40 01
         control                 | 40 01
         barrier                 | .
         -                       | . arrive 2
         -                       | .
         -                       | . waiting
         release                 | . waiting
         -                       | .
         -                       | .
         fetch                   | 34 23",
    );
}
