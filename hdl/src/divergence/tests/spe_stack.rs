//! Cycle scripts of [`super`].
use super::*;

/// Runs a script on one warp of four lanes. A line is a cycle, `input | output ; comment`:
/// - input: `launch pc mask`, `fetch`, `step` or `control` (DECODE), `branch taken target next rpc [lpc]`, the same with `spin` for `branch`, `jump target`, `exit`, `barrier`, `release`, `-`;
///   `taken` and the rest in hexadecimal as on the right, `rpc` may be `end`;
/// - output: PC and mask of the warp if it can be fetched, else `.`, then what happens in that cycle.
#[track_caller]
fn play(stack: &mut SpeStack, script: &str) {
    let bits = |text: &str| usize::from_str_radix(text, 2).unwrap().into();
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
    for line in script.trim().lines().map(str::trim) {
        let (input, rest) = line.split_once('|').unwrap();
        let expected = rest.split(';').next().unwrap().trim();
        let words: Vec<&str> = input.split_whitespace().collect();
        stack.launch.valid.next = words[0] == "launch";
        stack.decoded.valid.next = ["step", "control"].contains(&words[0]);
        stack.decoded.control.next = words[0] == "control";
        stack.barrier_release.next = usize::from(words[0] == "release").into();
        let kind = match words[0] {
            "branch" | "spin" => Some(ControlKind::Branch),
            "jump" => Some(ControlKind::Jump),
            "exit" => Some(ControlKind::Exit),
            "barrier" => Some(ControlKind::Barrier),
            _ => None,
        };
        stack.resolve.valid.next = kind.is_some();
        if let Some(kind) = kind {
            stack.resolve.kind.next = kind;
            stack.resolve.annotation.spin.next = words[0] == "spin";
            stack.resolve.mask.next = stack.fetch_mask.val();
            stack.resolve.taken.next = 0.into();
            stack.resolve.next_pc.next = stack.fetch_pc.val() + 4;
        }
        match words[..] {
            ["launch", pc, mask] => {
                stack.launch.pc.next = hex(pc);
                stack.launch.mask.next = bits(mask);
            }
            ["branch" | "spin", taken, target, next, rpc, ref lpc @ ..] => {
                stack.resolve.taken.next = bits(taken);
                stack.resolve.target.next = hex(target);
                stack.resolve.next_pc.next = hex(next);
                stack.resolve.annotation.rpc.next = if rpc == "end" { 0.into() } else { hex(rpc) };
                stack.resolve.annotation.rpc_valid.next = rpc != "end";
                stack.resolve.annotation.lpc.next = lpc.first().map_or(1.into(), |lpc| hex(lpc));
            }
            ["jump", target] => {
                stack.resolve.taken.next = stack.fetch_mask.val();
                stack.resolve.target.next = hex(target);
            }
            _ => {}
        }
        simulate(stack, 1000);
        assert_eq!(outputs(stack), expected, "{line}");
        for _ in 0..2 {
            stack.clock.next = !stack.clock.val();
            simulate(stack, 1000);
        }
    }
}

fn outputs(stack: &SpeStack) -> String {
    let mut text = match stack.fetchable.val().get_bit(0) {
        true => format!("{:x} {:04b}", stack.fetch_pc.val().value(), stack.fetch_mask.val().value()),
        false => ".".to_string(),
    };
    let mut event = |happens: bool, what: String| {
        if happens {
            text += " ";
            text += &what;
        }
    };
    event(stack.depth.val().any(), format!("depth {}", stack.depth.val().value()));
    event(stack.arrive.valid.val(), format!("arrive {}", stack.arrive.count.val().value()));
    event(stack.exit.valid.val(), format!("exit {}", stack.exit.count.val().value()));
    event(stack.finished.valid.val(), "finished".into());
    event(stack.waiting.val().any(), "waiting".into());
    event(stack.overflow.valid.val(), format!("overflow {:x}", stack.overflow.pc.val().value()));
    text
}

fn stack(entries: usize, taken_first: bool) -> SpeStack {
    build(entries, taken_first, false, None)
}

fn build(entries: usize, taken_first: bool, likely_convergence: bool, turns: Option<Turns>) -> SpeStack {
    let mut stack = SpeStack::new(4, 1, entries, taken_first, likely_convergence, turns);
    stack.connect_all();
    simulate(&mut stack, 1000);
    stack
}

/// A to (B, C), C to (D, E), D and E to F, B and F to G: at 10, 20 ... 70.
const NESTED: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111           ; A
    control                 | 10 1111
    branch 1000 20 30 70    | .
    -                       | . depth 2         ; G
    -                       | . depth 3         ; C, and B above it
    fetch                   | 20 1000           ; B
    control                 | 20 1000
    jump 70                 | .
    -                       | .                 ; at the RPC
    -                       | .
    fetch                   | 30 0111           ; C
    control                 | 30 0111
    branch 0011 40 50 60    | .
    -                       | . depth 3         ; F in the slot of C
    -                       | . depth 4
    fetch                   | 40 0011           ; D
    control                 | 40 0011
    jump 60                 | .
    -                       | .
    -                       | .
    fetch                   | 50 0100           ; E
    control                 | 50 0100
    jump 60                 | .
    -                       | .
    -                       | .
    fetch                   | 60 0111           ; F
    control                 | 60 0111
    jump 70                 | .
    -                       | .
    -                       | .
    fetch                   | 70 1111           ; G
    step                    | 70 1111
    fetch                   | 74 1111
    step                    | 74 1111
    -                       | 78 1111";

#[test]
fn nested_branches_of_rhu_figure_3_1() {
    play(&mut stack(8, true), NESTED);
}

const FALL_THROUGH_FIRST: &str = "
    launch 10 0110          | . depth 1
    fetch                   | 10 0110
    control                 | 10 0110
    branch 0100 20 30 end   | .
    -                       | . depth 2         ; no RPC, as the first entry: its slot is reused
    fetch                   | 30 0010
    control                 | 30 0010
    exit                    | .
    -                       | . exit 1
    -                       | .
    fetch                   | 20 0100
    control                 | 20 0100
    exit                    | .
    -                       | . exit 1
    -                       | . finished
    -                       | .";

#[test]
fn fall_through_first() {
    play(&mut stack(8, false), FALL_THROUGH_FIRST);
}

const IF_WITHOUT_ELSE: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 0011 1c 14 1c    | .
    -                       | . depth 2         ; the taken side starts at the RPC: no entry
    fetch                   | 14 1100
    step                    | 14 1100
    fetch                   | 18 1100
    step                    | 18 1100           ; reaches the RPC
    -                       | .
    fetch                   | 1c 1111
    control                 | 1c 1111
    branch 0000 10 20 20    | .                 ; uniform
    -                       | .
    -                       | 20 1111";

#[test]
fn if_without_else() {
    play(&mut stack(8, true), IF_WITHOUT_ELSE);
}

const LOOP: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 1110 10 14 14    | .
    -                       | . depth 2         ; the code after the loop
    fetch                   | 10 1110
    control                 | 10 1110
    branch 1110 10 14 14    | .
    -                       | .                 ; uniform
    fetch                   | 10 1110
    control                 | 10 1110
    branch 0110 10 14 14    | .
    -                       | .                 ; one side left: in place
    fetch                   | 10 0110
    control                 | 10 0110
    branch 0100 10 14 14    | .
    -                       | .
    fetch                   | 10 0100
    control                 | 10 0100
    branch 0000 10 14 14    | .
    -                       | .                 ; the last one leaves
    -                       | .
    -                       | 14 1111";

#[test]
fn a_loop_does_not_grow_the_stack() {
    play(&mut stack(2, true), LOOP);
}

const EXITS: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 1100 20 30 40    | .
    -                       | . depth 2
    -                       | . depth 3
    fetch                   | 20 1100
    control                 | 20 1100
    exit                    | .
    -                       | . exit 2
    -                       | .
    fetch                   | 30 0011
    step                    | 30 0011
    fetch                   | 34 0011
    control                 | 34 0011
    jump 40                 | .
    -                       | .
    -                       | .
    fetch                   | 40 0011           ; without the lanes that ended
    control                 | 40 0011
    branch 0001 50 60 70    | .
    -                       | . depth 2
    -                       | . depth 3
    fetch                   | 50 0001
    control                 | 50 0001
    exit                    | .
    -                       | . exit 1
    -                       | .
    fetch                   | 60 0010
    control                 | 60 0010
    exit                    | .
    -                       | . exit 1
    -                       | . finished
    launch 10 0001          | . depth 1         ; again
    -                       | 10 0001";

#[test]
fn exits_inside_divergence() {
    play(&mut stack(8, true), EXITS);
}

const BARRIERS: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 1100 20 30 40    | .
    -                       | . depth 2
    -                       | . depth 3
    fetch                   | 20 1100
    control                 | 20 1100
    barrier                 | .
    -                       | . arrive 2
    -                       | .                 ; passes over the waiting entry
    -                       | .
    fetch                   | 30 0011           ; and runs the one below
    control                 | 30 0011
    branch 0001 34 38 3c    | .
    -                       | . depth 4         ; the hole above the waiting entry
    -                       | . depth 5
    fetch                   | 34 0001
    control                 | 34 0001
    barrier                 | .
    -                       | . arrive 1
    -                       | .
    -                       | .
    fetch                   | 38 0010
    control                 | 38 0010
    barrier                 | .
    -                       | . arrive 1
    -                       | .
    -                       | .
    -                       | .
    -                       | .
    -                       | .
    -                       | .
    -                       | . waiting
    release                 | . waiting
    -                       | .
    fetch                   | 38 0001           ; the highest first
    step                    | 38 0001
    -                       | .";

#[test]
fn waiting_entries_yield() {
    play(&mut stack(8, true), BARRIERS);
}

const HOLE_BELOW: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 1100 20 30 40    | .
    -                       | . depth 2
    -                       | . depth 3
    fetch                   | 20 1100
    control                 | 20 1100
    barrier                 | .
    -                       | . arrive 2
    -                       | .
    -                       | .
    fetch                   | 30 0011           ; the entry below ends
    control                 | 30 0011
    exit                    | .
    -                       | . exit 2
    -                       | .
    -                       | .
    -                       | .
    release                 | . waiting
    -                       | .
    fetch                   | 24 1100
    control                 | 24 1100
    branch 1000 50 60 70    | .
    -                       | . depth 4
    -                       | . depth 5
    -                       | 50 1000";

#[test]
fn entries_are_pushed_above_the_one_that_diverges() {
    play(&mut stack(16, true), HOLE_BELOW);
}

const OVERFLOW: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    branch 1100 20 14 40    | .
    -                       | . depth 2
    -                       | . overflow 10
    -                       | . overflow 10     ; until the host reads it";

#[test]
fn overflow_names_the_branch() {
    play(&mut stack(2, true), OVERFLOW);
}

/// A to (C, B), B to E, C to (E, D), D to F, E to (A, F): at 10, 20 ... 60, and 1c for A, as C must differ from the instruction behind.
const LIKELY_CONVERGENCE: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111           ; A
    control                 | 10 1111
    branch 1110 30 20 60 50 | .
    -                       | . depth 2         ; F
    -                       | . depth 3         ; E, empty
    -                       | . depth 4         ; B, and C above it
    fetch                   | 30 1110           ; C
    control                 | 30 1110
    branch 0010 50 40 60 50 | .
    -                       | . depth 5         ; D below E
    -                       | .                 ; the taken side is at its point
    -                       | .
    fetch                   | 40 1100           ; D
    control                 | 40 1100
    jump 60                 | .
    -                       | .
    -                       | .
    fetch                   | 20 0001           ; B
    control                 | 20 0001
    jump 50                 | .
    -                       | .
    -                       | .                 ; merges
    -                       | .
    fetch                   | 50 0011           ; E: of the branches at A and C
    control                 | 50 0011
    jump 60                 | .
    -                       | .
    -                       | .
    -                       | 60 1111";

#[test]
fn likely_convergence_of_fung_figure_10() {
    play(&mut build(8, true, true, None), LIKELY_CONVERGENCE);
}

/// Four lanes at a lock, whose loop is at 10; behind it is the critical section. Turns of one trip.
const SPIN_LOCK: &str = "
    launch 10 1111          | . depth 1
    fetch                   | 10 1111
    control                 | 10 1111
    spin 1110 10 14 14      | .                 ; lane 0 has it, and waits behind the loop
    -                       | . depth 2         ; Resolve: the turn of the others is over
    -                       | .                 ; break: the entry behind the loop keeps these
    -                       | . depth 3         ; and lane 0 gets one of its own
    -                       | .                 ; rotate: it is the turn of lane 0
    -                       | .                 ; Settle
    fetch                   | 14 0001
    control                 | 14 0001
    exit                    | .
    -                       | . exit 1
    -                       | .                 ; Settle: the others could run, but it is not their turn
    -                       | .                 ; the entry behind the loop
    -                       | .                 ; lane 0 has ended
    -                       | .                 ; any may run
    fetch                   | 10 1110
    control                 | 10 1110
    spin 1100 10 14 14      | .                 ; lane 1 has it
    -                       | .                 ; Resolve: in place
    -                       | .                 ; break
    -                       | . depth 3
    -                       | .                 ; rotate
    -                       | .                 ; Settle
    fetch                   | 14 0010";

#[test]
fn a_spin_lock() {
    play(&mut build(8, true, false, Some(Turns { spin: 1, quantum: 1024 })), SPIN_LOCK);
}

#[test]
fn a_break_overflows() {
    let script = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        spin 1110 10 14 14      | .
        -                       | . depth 2
        -                       | .
        -                       | . overflow 14
        -                       | . overflow 14";
    play(&mut build(2, true, false, Some(Turns { spin: 1, quantum: 1024 })), script);
}
