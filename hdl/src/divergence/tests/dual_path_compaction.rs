//! Cycle scripts of [`super`].
use super::*;

/// Runs a script on one CTA of so many warps. A line is a cycle, `input | output ; comment`:
/// - input: `start`, `launch pc mask`, `fetch`, `decode`, `control` (DECODE, too), `branch taken target next rpc [uniform]`, `jump target`, `exit`, `-`, of the left warp 0, or
///   of another one with its side and number before it: `R1:`; masks in binary, PCs in hexadecimal;
/// - output: PC and mask of that warp if it can be fetched, else `.`; then the home warps of each lane, of a warp that begins in this cycle;
///   `=N`, an entry is the N-th of its stack; `suspended`, `mismatch`.
#[track_caller]
fn play(warps: usize, script: &str) {
    play_with(Mechanism::TbcDualPath, warps, script);
}

/// The same of the paths of another mechanism; where they share the slots, the side before a number may be any, and that of a warp that begins is its path.
#[track_caller]
fn play_with(mechanism: Mechanism, warps: usize, script: &str) {
    let config = CoreConfig { mechanism, stack_depth: 4, ..CoreConfig::tiny() };
    let mut unit = DualPathCompaction::new(&config);
    unit.connect_all();
    unit.kernel.compact.next = true;
    unit.kernel.warps_per_cta.next = warps.into();
    let bits = |text: &str| usize::from_str_radix(text, 2).unwrap().into();
    let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
    let mut masks = [Word::from(0); 8];
    let mut homes = [[0; 4]; 8];
    let (mut found, mut expected) = (vec![], vec![]);
    for line in script.trim().lines().map(str::trim) {
        let (input, rest) = line.split_once('|').unwrap();
        let (place, input) = input.split_once(':').unwrap_or(("L0", input));
        let (side, warp) = (place.starts_with('R') as usize, place[1..].parse::<usize>().unwrap());
        let side = side % unit.fetchable.len();
        let path = 4 * side + warp;
        let words: Vec<&str> = input.split_whitespace().collect();
        unit.launch.warp.next = warp.into();
        for port in [&mut unit.decoded.warp, &mut unit.resolve.warp, &mut unit.fetch_warp] {
            port.next = path.into();
        }
        unit.cta_start.valid.next = words[0] == "start";
        unit.launch.valid.next = words[0] == "launch";
        unit.decoded.valid.next = ["decode", "control"].contains(&words[0]);
        unit.decoded.control.next = words[0] == "control";
        unit.resolve.valid.next = ["branch", "jump", "exit"].contains(&words[0]);
        unit.resolve.mask.next = masks[path];
        unit.resolve.taken.next = masks[path];
        (0..4).for_each(|lane| unit.resolve.home_warps[lane].next = Word::from(homes[path][lane]));
        match words[..] {
            ["launch", pc, mask] => {
                unit.launch.pc.next = hex(pc);
                unit.launch.mask.next = bits(mask);
            }
            ["branch", taken, target, next, rpc, ref marks @ ..] => {
                unit.resolve.annotation.uniform.next = marks == ["uniform"];
                unit.resolve.kind.next = ControlKind::Branch;
                unit.resolve.taken.next = bits(taken);
                unit.resolve.target.next = hex(target);
                unit.resolve.next_pc.next = hex(next);
                unit.resolve.annotation.rpc.next = hex(rpc);
                unit.resolve.annotation.rpc_valid.next = true;
            }
            ["jump", target] => {
                unit.resolve.kind.next = ControlKind::Jump;
                unit.resolve.target.next = hex(target);
            }
            ["exit"] => unit.resolve.kind.next = ControlKind::Exit,
            _ => {}
        }
        simulate(&mut unit, 1000);
        let mut seen = match unit.fetchable[side].val().get_bit(warp) {
            true => format!("{:x} {:04b}", unit.fetch_pc.val().value(), unit.fetch_mask.val().value()),
            false => ".".to_string(),
        };
        if unit.form.valid.val() {
            let (right, begins) = (unit.form_right.val() as usize, unit.form.warp.val().index());
            homes[4 * (right % unit.fetchable.len()) + begins] =
                std::array::from_fn(|lane| unit.form.home_warps[lane].val().index());
            if unit.warp_formed.val() {
                seen += &format!(" {}{begins}", ["L", "R"][right]);
            }
        }
        if unit.depth.val().any() {
            seen += &format!(" ={}", unit.depth.val().value());
        }
        for (flag, name) in [(&unit.suspended, " suspended"), (&unit.mismatch_valid, " mismatch")] {
            seen += if flag.val() { name } else { "" };
        }
        found.push((line, seen));
        expected.push((line, rest.split(';').next().unwrap().trim().to_string()));
        assert!(!unit.overflow.valid.val(), "{line}");
        if words[0] == "fetch" {
            masks[path] = unit.fetch_mask.val();
        }
        for _ in 0..2 {
            unit.clock.next = !unit.clock.val();
            simulate(&mut unit, 1000);
        }
    }
    assert_eq!(found, expected);
}

/// One warp: the left side is formed in the cycle in which the branch is served, the right one in the next.
#[test]
fn both_sides_of_a_branch_run() {
    let script = "
        start                    | .
        launch 0 1111            | . =1
        fetch                    | 0 1111
        control                  | 0 1111
        branch 0011 20 4 30      | .
        -                        | 20 0011 L0 =2
        R0: fetch                | 4 1100 R0
        R0: control              | 4 1100
        fetch                    | 20 0011
        R0: jump 30              | .
        control                  | 20 0011
        R0: -                    | .            ; the right path has ended, the left one runs
        jump 30                  | .
        -                        | .            ; both have,
        -                        | 30 1111 L0   ; and the entry below runs";
    play(1, script);
}

/// Both paths diverge. The left one gathers first and waits; the right one's entry lies beneath its own, and runs after it.
#[test]
fn a_path_that_must_push_waits_for_the_other_one() {
    let script = "
        start                    | .
        launch 0 1111            | . =1
        fetch                    | 0 1111
        control                  | 0 1111
        branch 0011 20 4 30      | .
        -                        | 20 0011 L0 =2
        fetch                    | 20 0011 R0
        control                  | 20 0011
        branch 0001 28 24 2c     | .
        -                        | .            ; it must push, and cannot
        R0: fetch                | 4 1100
        R0: control              | 4 1100
        R0: branch 0100 c 8 10   | .
        R0: -                    | . =3         ; pushed, but not to run yet
        -                        | 28 0001 L0 =4 ; the one that has waited
        R0: fetch                | 24 0010 R0
        R0: control              | 24 0010
        R0: jump 2c              | .
        fetch                    | 28 0001
        control                  | 28 0001
        jump 2c                  | .
        -                        | .
        -                        | c 0100 L0    ; beneath lies the other one's
        R0: -                    | 8 1000 R0";
    play(1, script);
}

/// The left path waits to push, and the right one goes on meanwhile: it is suspended where it is.
#[test]
fn a_path_that_has_gone_on_is_suspended() {
    let script = "
        start                    | .
        launch 0 1111            | . =1
        fetch                    | 0 1111
        control                  | 0 1111
        branch 0111 20 4 30      | .
        -                        | 20 0111 L0 =2
        fetch                    | 20 0111 R0
        control                  | 20 0111
        branch 0011 28 24 2c     | .
        -                        | .            ; it must push, and waits
        R0: fetch                | 4 1000
        R0: control              | 4 1000
        R0: jump 8               | .
        R0: -                    | .            ; the right path is at 8
        -                        | 28 0011 L0 =3 suspended
        fetch                    | 28 0011 R0
        control                  | 28 0011
        jump 2c                  | .
        R0: fetch                | 24 0100
        R0: control              | 24 0100
        R0: jump 2c              | .
        -                        | .
        -                        | 2c 0111 L0
        R0: -                    | 8 1000 R0";
    play(1, script);
}

/// A branch that is marked uniform, and is not.
#[test]
fn a_branch_that_is_marked_and_divides_is_told() {
    for (taken, seen) in [("0000", ""), ("0001", " mismatch"), ("1000", " mismatch"), ("1111", "")] {
        let script = format!(
            "start                    | .
             launch 0 1111            | . =1
             fetch                    | 0 1111
             control                  | 0 1111
             branch {taken} 20 4 30 uniform | .
             R1: -                    | .{seen}"
        );
        play_with(Mechanism::TbcPlusDualPath, 1, &script);
    }
}

/// Two slots, and a warp for each path: the right one is counted behind the activation of the left one, and formed when its number is known.
#[test]
fn paths_that_fit_share_the_slots() {
    let script = "
        start                    | .
        launch 0 0011            | . =1
        L1: launch 0 1100        | . =1
        fetch                    | 0 0011
        control                  | 0 0011
        L1: fetch                | 0 1100
        L1: control              | 0 1100
        L1: branch 0000 20 4 30  | .
        branch 0011 20 4 30      | .
        -                        | 20 0011 L0 =2
        fetch                    | 20 0011      ; counted
        control                  | 20 0011
        R1: -                    | 4 1100 R1
        R1: fetch                | 4 1100
        R1: control              | 4 1100
        R1: jump 30              | .
        jump 30                  | .
        -                        | .            ; both have ended
        -                        | 30 1111 L0";
    play_with(Mechanism::TbcDualPathConstrained, 2, script);
}

/// One slot: the right path waits for the left one to end, and that one goes on at a jump before the right one begins.
#[test]
fn paths_that_do_not_fit_follow_one_another() {
    let script = "
        start                    | .
        launch 0 1111            | . =1
        fetch                    | 0 1111
        control                  | 0 1111
        branch 0011 20 4 30      | .
        -                        | 20 0011 L0 =2
        fetch                    | 20 0011
        control                  | 20 0011
        -                        | .            ; no room
        jump 24                  | .
        -                        | 24 0011 L0
        fetch                    | 24 0011
        control                  | 24 0011
        jump 30                  | .
        -                        | .            ; the left path has ended
        -                        | 4 1100 R0
        fetch                    | 4 1100
        control                  | 4 1100
        jump 30                  | .
        -                        | .
        -                        | 30 1111 L0";
    play_with(Mechanism::TbcDualPathConstrained, 1, script);
}
