//! Cycle scripts of [`super`].
use super::*;

/// Runs a script on warp 0 of four lanes. A line is a cycle, `input | left right [what happens]`:
/// - input: `launch pc mask`, `fetch side`, `step` or `control` (DECODE of what has been fetched, which enters the buffer), `issue side`,
///   `branch side taken target next rpc`, `jump side target`, `exit side`, `barrier side` (a control instruction resolves), `release`, `-`;
/// - left, right: PC and lanes of the path if it can be fetched, `-` if it lives and cannot, `.` if there is none.
#[track_caller]
fn play(script: &str) {
    play_on(4, script);
}

/// The same on a stack of so many entries.
#[track_caller]
fn play_on(entries: usize, script: &str) {
    let mut stack = DualPathStack::new(4, 4, entries, true);
    stack.connect_all();
    simulate(&mut stack, 1000);
    let bits = |text: &str| Word::from(usize::from_str_radix(text, 2).unwrap());
    let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
    let (mut fetched, mut buffered) = (0, [false; 2]);
    for line in script.trim().lines().map(str::trim) {
        let (input, expected) = line.split_once('|').unwrap();
        let expected = expected.split(';').next().unwrap().trim();
        let words: Vec<&str> = input.split_whitespace().collect();
        let side = usize::from(words.get(1) == Some(&"R"));
        let kind = match words[0] {
            "branch" => Some(ControlKind::Branch),
            "jump" => Some(ControlKind::Jump),
            "exit" => Some(ControlKind::Exit),
            "barrier" => Some(ControlKind::Barrier),
            _ => None,
        };
        stack.launch.valid.next = words[0] == "launch";
        stack.decoded.valid.next = ["step", "control"].contains(&words[0]);
        stack.decoded.control.next = words[0] == "control";
        stack.decoded.warp.next = (fetched << 2).into();
        stack.barrier_release.next = usize::from(words[0] == "release").into();
        stack.resolve.valid.next = kind.is_some();
        stack.resolve.warp.next = (side << 2).into();
        // What is buffered leaves when it issues; a control instruction, before it resolves.
        if words[0] == "issue" || kind.is_some() {
            buffered[side] = false;
        }
        for (port, full) in stack.slot_valid.iter_mut().zip(buffered) {
            port.next = usize::from(full).into();
        }
        stack.fetch_warp.next = (side << 2).into();
        simulate(&mut stack, 1000);
        if let Some(kind) = kind {
            stack.resolve.kind.next = kind;
            stack.resolve.mask.next = stack.fetch_mask.val();
            stack.resolve.taken.next = 0.into();
            stack.resolve.next_pc.next = stack.fetch_pc.val() + 4;
        }
        match words[..] {
            ["launch", pc, mask] => {
                stack.launch.pc.next = hex(pc);
                stack.launch.mask.next = bits(mask);
            }
            ["branch", _, taken, target, next, rpc] => {
                stack.resolve.taken.next = bits(taken);
                stack.resolve.target.next = hex(target);
                stack.resolve.next_pc.next = hex(next);
                stack.resolve.annotation.rpc.next = hex(rpc);
                stack.resolve.annotation.rpc_valid.next = true;
            }
            ["jump", _, target] => {
                stack.resolve.taken.next = stack.fetch_mask.val();
                stack.resolve.target.next = hex(target);
            }
            ["fetch", _] => fetched = side,
            _ => {}
        }
        let mut seen = vec![];
        for path in 0..2 {
            stack.fetch_warp.next = (path << 2).into();
            simulate(&mut stack, 1000);
            seen.push(match (stack.fetchable[path].val().get_bit(0), stack.present[path].val().get_bit(0)) {
                (true, _) => format!("{:x}:{:04b}", stack.fetch_pc.val().value(), stack.fetch_mask.val().value()),
                (false, true) => "-".into(),
                (false, false) => ".".into(),
            });
        }
        let pushed = format!("pushed {}", stack.depth.val().value());
        for (name, happens) in [
            ("held", stack.hold[0].val().any() | stack.hold[1].val().any()),
            ("flushed", stack.flush[0].val().any() | stack.flush[1].val().any()),
            (pushed.as_str(), stack.pushed.val()),
            ("suspended", stack.suspended.val()),
            ("copy", stack.copy.valid.val()),
            ("arrive", stack.arrive.valid.val()),
            ("exit", stack.exit.valid.val()),
            ("finished", stack.finished.valid.val()),
            ("waiting", stack.waiting.val().any()),
            ("overflow", stack.overflow.valid.val()),
        ] {
            if happens {
                seen.push(name.into());
            }
        }
        assert_eq!(seen.join(" "), expected, "{line}");
        let flushed = [0, 1].map(|path| stack.flush[path].val().any());
        stack.fetch_warp.next = (fetched << 2).into();
        tick!(stack);
        if ["step", "control"].contains(&words[0]) {
            buffered[fetched] = true;
        }
        for (full, flushed) in buffered.iter_mut().zip(flushed) {
            *full &= !flushed;
        }
    }
}

/// Rhu 2014, Fig 3.3: A at 0, B 40, C 80, D c0, E 100, F 140, G 180. B has an instruction in the buffer when C diverges.
#[test]
fn both_sides_run_and_the_other_is_suspended() {
    play(
        "launch 0 1111             | . . copy
         fetch L                   | 0:1111 .
         control                   | 0:1111 .
         branch L 1000 40 80 180   | - .
         -                         | - . pushed 2 copy
         fetch L                   | 40:1000 80:0111
         step                      | 40:1000 80:0111
         fetch R                   | 44:1000 80:0111
         control                   | 44:1000 80:0111
         branch R 0100 c0 100 140  | 44:1000 -   ; B is in the buffer, C diverges
         -                         | 44:1000 -
         -                         | - - held flushed   ; B must come to rest; its instruction is dropped
         -                         | - - held pushed 3 suspended copy   ; D and E above B and F
         -                         | c0:0100 100:0011
         jump L 140                | c0:0100 100:0011
         -                         | c0:0100 100:0011
         jump R 140                | . 100:0011
         -                         | . 100:0011
         -                         | . . copy
         -                         | 40:1000 140:0111   ; the dropped instruction again, and F
         jump R 180                | 40:1000 140:0111
         -                         | 40:1000 140:0111
         jump L 180                | 40:1000 .
         -                         | 40:1000 .
         -                         | . . copy
         -                         | 180:1111 .
         -                         | 180:1111 .
         exit L                    | 180:1111 .
         -                         | 180:1111 . exit
         -                         | . . finished",
    );
}

/// An `if` without `else` runs on the side of the path that diverges, and goes on there; a loop that threads leave needs no entry.
#[test]
fn a_lone_side_stays_where_it_is() {
    play(
        "launch 0 1111             | . . copy
         branch L 0011 40 4 40     | 0:1111 .
         -                         | 0:1111 . pushed 2 copy   ; lanes 0 and 1 are at the RPC
         -                         | 4:1100 .
         branch L 0100 40 8 40     | 4:1100 .
         -                         | 4:1100 .
         jump L 40                 | 8:1000 .   ; one more: in place
         -                         | 8:1000 .
         -                         | . . copy
         -                         | 40:1111 .",
    );
}

/// Threads that exit write nothing, not even where no entry is free: the suspended path goes on with its lanes.
#[test]
fn an_exit_leaves_a_full_stack_alone() {
    play_on(
        2,
        "launch 0 1111             | . . copy
         branch L 0011 40 80 1     | 0:1111 .
         -                         | 0:1111 . copy
         branch L 0001 c0 44 180   | 40:0011 80:1100
         -                         | 40:0011 80:1100
         -                         | 40:0011 - held pushed 2 suspended copy
         exit L                    | c0:0001 44:0010
         -                         | c0:0001 44:0010 exit
         exit R                    | . 44:0010
         -                         | . 44:0010 exit
         -                         | . . copy
         -                         | . 80:1100",
    );
}

/// The threads at the barrier lie above those that must still reach it.
#[test]
fn a_path_at_a_barrier_waits_for_the_other() {
    play(
        "launch 0 1111             | . . copy
         branch L 0011 40 4 80     | 0:1111 .
         -                         | 0:1111 . pushed 2 copy
         barrier L                 | 40:0011 4:1100
         -                         | 40:0011 4:1100 arrive
         barrier R                 | . 4:1100
         -                         | . 4:1100 arrive
         -                         | . .
         -                         | . .
         -                         | . .
         release                   | . . waiting
         -                         | . . copy
         -                         | 44:0011 8:1100
         -                         | 44:0011 8:1100",
    );
}

/// The left path's branch and the right one's resolve before either is served: the right one's entry comes beneath the left one's.
#[test]
fn both_paths_diverge_at_once() {
    play(
        "launch 0 1111             | . . copy
         branch L 0011 40 80 180   | 0:1111 .
         -                         | 0:1111 . pushed 2 copy
         branch L 0001 c0 44 100   | 40:0011 80:1100
         branch R 0100 140 84 160  | 40:0011 80:1100
         -                         | 40:0011 - held
         -                         | 40:0011 - held pushed 3   ; the right one, beneath
         -                         | 40:0011 . pushed 4 copy   ; the left one, on top
         -                         | c0:0001 44:0010
         jump L 100                | c0:0001 44:0010
         jump R 100                | c0:0001 44:0010
         -                         | . 44:0010
         -                         | . . copy
         -                         | 140:0100 84:1000
         -                         | 140:0100 84:1000
         -                         | 140:0100 84:1000
         -                         | 140:0100 84:1000",
    );
}
