//! Cycle scripts of [`super`].
use super::*;
use crate::config::AdequacyPredictor;

/// Of CAPRI, for CTAs of so many warps.
fn capri(likely_convergence: bool, warps: usize) -> ThreadBlockCompaction {
    let predictor = AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest };
    let mechanism = Mechanism::Capri(predictor);
    let config = CoreConfig { mechanism, stack_depth: 4, likely_convergence, ..CoreConfig::tiny() };
    let mut unit = ThreadBlockCompaction::new(&config);
    unit.connect_all();
    unit.kernel.compact.next = true;
    unit.kernel.warps_per_cta.next = warps.into();
    unit
}

/// Runs a script on one CTA. A line is a cycle, `input | output ; comment`:
/// - input: `start`, `launch pc mask`, `fetch`, `decode`, `control` (DECODE, too), `branch taken target next rpc [lpc]`, `jump target`, `-`, of warp 1 with `1:` before it;
///   masks in binary, PCs in hexadecimal;
/// - output: PC and mask of that warp if it can be fetched, else `.`.
#[track_caller]
fn play(mut unit: ThreadBlockCompaction, script: &str) {
    let bits = |text: &str| usize::from_str_radix(text, 2).unwrap().into();
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
    let mut masks = [Word::from(0); 2];
    for line in script.trim().lines().map(str::trim) {
        let (input, rest) = line.split_once('|').unwrap();
        let (warp, input) =
            input.split_once(':').map_or((0usize, input), |(warp, input)| (warp.trim().parse().unwrap(), input));
        let words: Vec<&str> = input.split_whitespace().collect();
        for port in [&mut unit.launch.warp, &mut unit.decoded.warp, &mut unit.resolve.warp, &mut unit.fetch_warp] {
            port.next = warp.into();
        }
        unit.cta_start.valid.next = words[0] == "start";
        unit.launch.valid.next = words[0] == "launch";
        unit.decoded.valid.next = ["decode", "control"].contains(&words[0]);
        unit.decoded.control.next = words[0] == "control";
        unit.resolve.valid.next = ["branch", "jump"].contains(&words[0]);
        unit.resolve.mask.next = masks[warp];
        unit.resolve.taken.next = masks[warp];
        match words[..] {
            ["launch", pc, mask] => {
                unit.launch.pc.next = hex(pc);
                unit.launch.mask.next = bits(mask);
            }
            ["branch", taken, target, next, rpc, ref lpc @ ..] => {
                unit.resolve.kind.next = ControlKind::Branch;
                unit.resolve.taken.next = bits(taken);
                unit.resolve.target.next = hex(target);
                unit.resolve.next_pc.next = hex(next);
                unit.resolve.annotation.rpc.next = hex(rpc);
                unit.resolve.annotation.rpc_valid.next = true;
                unit.resolve.annotation.lpc.next = lpc.first().map_or(1.into(), |lpc| hex(lpc));
            }
            ["jump", target] => {
                unit.resolve.kind.next = ControlKind::Jump;
                unit.resolve.target.next = hex(target);
            }
            _ => {}
        }
        simulate(&mut unit, 1000);
        let seen = match unit.fetchable.val().get_bit(warp) {
            true => format!("{:x} {:04b}", unit.fetch_pc.val().value(), unit.fetch_mask.val().value()),
            false => ".".to_string(),
        };
        assert_eq!(seen, rest.split(';').next().unwrap().trim(), "{line}");
        if words[0] == "fetch" {
            masks[warp] = unit.fetch_mask.val();
        }
        for _ in 0..2 {
            unit.clock.next = !unit.clock.val();
            simulate(&mut unit, 1000);
        }
    }
}

/// The compiler's reconvergence points may be anything: the inner branch's is behind the outer one's, where one of its sides starts.
#[test]
fn nobody_runs_ahead_to_where_the_entry_ends() {
    let script = "
        start                | .
        launch 0 0011        | .
        fetch                | 0 0011
        control              | 0 0011
        branch 0001 20 4 30  | .
        -                    | 20 0001
        fetch                | 20 0001
        control              | 20 0001
        branch 0001 30 24 40 | .
        -                    | 4 0010            ; that side has ended, the other one runs
        fetch                | 4 0010
        control              | 4 0010
        jump 30              | .
        -                    | 30 0011           ; all meet";
    play(capri(false, 1), script);
}

/// To the end of its block: neither sooner, nor further.
#[test]
fn a_warp_runs_ahead_to_the_likely_convergence_point() {
    let script = "
        start                  | .
        launch 0 0011          | .
        1: launch 0 0011       | .
        fetch                  | 0 0011
        control                | 0 0011
        branch 0011 20 4 30 28 | .
        -                      | .                 ; served: not divergent, so it bypasses, while warp 1 has yet to come
        fetch                  | 20 0011
        decode                 | 20 0011
        fetch                  | 24 0011
        decode                 | 24 0011
        -                      | .                 ; 28 is where it is held
        1: fetch               | 0 0011";
    play(capri(true, 2), script);
}
