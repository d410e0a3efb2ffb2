//! Cycle scripts of [`super`].
use super::*;
use crate::divergence::cycle_script::{cycles, digits, set};

/// Runs a script on the only warp of a scheduler of four lanes, turns of one trip or four instructions. A line is a cycle, `input | output`:
/// - input: `launch`, `decode`, `serve:LANES` (with `taken:LANES`, `spin`, `splits`, `goes`), `bar:LANES`; `end:LANES` (the entry that the walk has come to; `end:none`
///   at its end) with `above:LANES`, `full`; `search:LANES`, `search:none`; besides `run:LANES` (the active path), `live:LANES`, `waits` (the entry waits at a barrier,
///   or some entry does);
/// - output: what is commanded.
#[track_caller]
fn play(script: &str) {
    let mut scheduler = TurnScheduler::new(4, 1, 4, Turns { spin: 1, quantum: 4 });
    scheduler.connect_all();
    simulate(&mut scheduler, 1000);
    for (input, seen) in cycles(script) {
        let word = |name: &str| input.iter().find_map(|word| word.strip_prefix(name));
        let lanes = |name: &str| set(word(name).unwrap_or("-"));
        let (served, bar, end, search) = (word("serve:"), word("bar:"), word("end:"), word("search:"));
        scheduler.launches.next = input.contains(&"launch");
        scheduler.decoded.valid.next = input.contains(&"decode");
        scheduler.live.next = set(word("live:").unwrap_or("0123"));
        scheduler.running.next = lanes("run:");
        scheduler.active.next = 2.into();
        scheduler.barrier_waits.next = if input.contains(&"waits") { 0b10.into() } else { 0.into() };
        scheduler.event.mask.next = set(served.or(bar).unwrap_or("-"));
        scheduler.event.taken.next = lanes("taken:");
        scheduler.spin.next = input.contains(&"spin");
        scheduler.splits.next = input.contains(&"splits");
        scheduler.serves.next = served.is_some();
        scheduler.goes_on.next = input.contains(&"goes");
        scheduler.arrives.next = bar.is_some();
        scheduler.ends_turn.next = end.is_some();
        scheduler.any.next = end.or(search).is_some_and(|found| found != "none");
        scheduler.slot.next = 0b10.into();
        scheduler.above.next = lanes("above:");
        scheduler.found.next = set(end.or(search).filter(|found| *found != "none").unwrap_or("-"));
        scheduler.ready.next = search.is_some_and(|found| found != "none");
        scheduler.searched.next = search == Some("none");
        scheduler.full.next = input.contains(&"full");
        simulate(&mut scheduler, 1000);
        let turn = &scheduler.turn;
        let at_end = end == Some("none");
        let seen_now: Vec<String> = [
            (turn.ends.val(), "ends".to_string()),
            (turn.parts.val(), format!("keeps:{}", digits(turn.kept.val()))),
            (turn.leaves.val(), format!("leaves:{}", digits(turn.leaving.val()))),
            (turn.overflows.val(), "overflows".to_string()),
            (turn.steps.val() && !turn.leaves.val() && !at_end, "steps".to_string()),
            (turn.rotates.val(), "rotates".to_string()),
            (turn.refuses.val(), "refuses".to_string()),
            (turn.retries.val(), "retries".to_string()),
        ]
        .into_iter()
        .filter_map(|(is_so, what)| is_so.then_some(what))
        .collect();
        assert_eq!(seen_now, seen, "{input:?}");
        let is_set_aside = turn.breaking.val() && word("run:").is_some();
        assert_eq!(turn.occupied.val().index(), if is_set_aside { 0b100 } else { 0 });
        tick!(scheduler);
    }
}

/// As in the spin lock: lane 0 has the lock and waits behind the loop for the others.
#[test]
fn who_is_waited_for_gives_way() {
    play(
        "launch                                             |
         serve:0123 taken:123 spin splits goes              | ends
         end:0123 run:123                                   | keeps:123
         end:123 run:123                                    | leaves:0
         end:none run:123                                   | rotates
         search:123                                         | refuses
         search:0                                           |
         serve:0 goes                                       |
         search:none                                        | retries    | it waits: any may run
         search:123                                         |",
    );
}

#[test]
fn lanes_take_turns() {
    play(
        "launch                                             |
         serve:0 taken:0 spin goes                          | ends
         end:12 run:0                                       | steps
         end:3 run:0 waits above:12                         | steps      | it could not run
         end:0123 run:0 above:123                           | steps      | nobody waits in it
         end:none run:0                                     | rotates
         search:2                                           | refuses
         search:12                                          |            | lane 1 is the next
         serve:12 taken:12 spin goes                        | ends
         end:0 run:12                                       | steps
         end:none run:12                                    | rotates
         search:3                                           | refuses
         search:0                                           |            | none behind lane 1",
    );
}

#[test]
fn instructions_end_a_turn_too() {
    play(
        "launch                                             |
         decode                                             |
         decode                                             |
         decode                                             |
         serve:0123 goes splits                             |            | they were alone until now
         decode                                             |
         decode                                             |
         decode                                             |
         serve:01 goes                                      |
         decode                                             |
         serve:01                                           |            | the path is at its end
         serve:01 goes                                      | ends",
    );
}

#[test]
fn threads_at_a_barrier_are_not_waited_for() {
    play(
        "launch                                             |
         bar:2                                              |
         serve:013 taken:013 spin goes waits                |            | the others are at the barrier
         serve:01 taken:01 spin goes waits                  | ends
         end:23 run:01 above:2 waits                        | keeps:2    | 3 waits for 2
         end:2 run:01 above:2 waits full                    | overflows
         end:2 run:01 above:2 waits                         | leaves:3
         end:none run:01 waits                              | rotates",
    );
    play(
        "launch                                             |
         bar:2                                              |
         search:none waits live:2                           |            | all live threads are
         search:none waits live:23                          | retries
         end:23 above:2 waits live:23                       | keeps:2
         end:2 above:2 waits live:23                        | leaves:3
         end:none waits live:23                             |            | nothing ran before
         search:3 waits live:23                             |",
    );
}
