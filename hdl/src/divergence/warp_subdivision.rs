//! Dynamic warp subdivision: a reconvergence stack per warp, and a table of warp-splits beside it.
//!
//! ```text
//!                 +-----------------------------------------------+
//!  launch_* ----->|  SpeStack <---- finish ---- WarpSplitTable    |---> fetchable[P], present[P], fetch_*
//!  decoded_* ---->|      ^     (as an exit)        ^              |
//!  resolve_* ---->|------+-------- claims ---------+              |---> finished_*, arrive_*, exit_*, ...
//!                 +-----------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), vectors by side where a warp may have several paths, and those of
//! [`WarpSplitTable`](super::WarpSplitTable), under the same names. A warp that is not divided runs from its stack, on side 0.
//!
//! Latency: that of its parts. State: a bit per warp whose table reports to the stack.
//!
//! Source: Rhu 2014, 3.1.2. The two parts know little of each other: to the stack a divided warp has an unresolved control instruction,
//! until the table says that the threads of its active entry are at the RPC; it does so as an exit of those that have ended
//! meanwhile, which may be none. A warp whose splits all wait at `bar.sync` does not yield to lower entries: the annotation `short` must not be given
//! where a barrier may be reached inside a divergent region (testbenches/runtime/src/loader).
use super::{SpeStack, WarpSplitTable};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, WarpEvent, WarpFault};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpSubdivision: clock, reset {
        pub launch: Launch<In> = Launch::new(lanes, warp),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub present: Vec<Net<Out>> = Net::vec(sides, warps),
        pub fetch_warp: Net<In> = path,
        pub fetch_valid: Signal<In, Bit>,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::new(lanes, path),
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        pub resolve: Resolve<In> = Resolve::new(lanes, path, warp, 1),
        pub barrier_release: Net<In> = warps,
        pub finished: WarpEvent<Out> = WarpEvent::new(warp),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub waiting: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::new(warp),
        pub depth: Net<Out> = index_width(entries + 1),
        pub subdivided: Signal<Out, Bit>,
        pub merged: Signal<Out, Bit>,

        stack: SpeStack = SpeStack::new(lanes, warps, entries, taken_first, false, None) => {
            fetch_warp: fetched, decoded.warp: decode_warp, decoded.control, resolve.taken, resolve.target, resolve.next_pc, launch,
            launch_ready, barrier_release, finished, overflow, depth,
        },
        splits: WarpSplitTable = WarpSplitTable::new(lanes, warps, sides, taken_first) => {
            fetch_warp, fetch_valid, fetch_rpc: stack.fetch_rpc, decoded, slot_valid, present, resolve,
            barrier_release, subdivided, merged,
        },
        /// Bit per warp: the next exit that the stack serves is the table's report, whose threads have been counted.
        reporting: Register = Register::new(warps),
        one_warp: Constant = Constant::new(1, warps),
        fetched: Net<Local> = warp,
        fetch_divided: Signal<Local, Bit>,
        decode_warp: Net<Local> = warp,
        decode_divided: Signal<Local, Bit>,
        to_stack: Signal<Local, Bit>,
        finishes: Signal<Local, Bit>,
        report: Signal<Local, Bit>,
        still_reporting: Net<Local> = warps,
    }
    sizes { _warp = warp }
    /// For `warps` warps of `lanes` threads, `sides` of whose splits can be scheduled at once, and stacks of `entries`.
    pub fn new(lanes: usize, warps: usize, sides: usize, entries: usize, taken_first: bool) {
        let warp = index_width(warps);
        let path = warp + sides.ilog2() as usize;
    }
}

impl Logic for WarpSubdivision {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpSubdivision");
        dff_setup!(self, clock, reporting);

        // FETCH and DECODE are the table's for a divided warp, else the stack's.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetch_divided.next = (self.splits.divided.val() & (self.one_warp.val() << self.fetched.val())).any();
        self.fetch_pc.next = self.stack.fetch_pc.val();
        self.fetch_mask.next = self.stack.fetch_mask.val();
        if self.fetch_divided.val() {
            self.fetch_pc.next = self.splits.fetch_pc.val();
            self.fetch_mask.next = self.splits.fetch_mask.val();
        }
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._warp);
        self.decode_divided.next = (self.splits.divided.val() & (self.one_warp.val() << self.decode_warp.val())).any();
        self.stack.decoded.valid.next = self.decoded.valid.val() & !self.decode_divided.val();
        wire::join(&mut self.fetchable, &mut self.splits.fetchable);
        self.fetchable[0].next = self.splits.fetchable[0].val() | self.stack.fetchable.val();

        // What is resolved goes to one of them; the table's report goes to the stack in a cycle without.
        self.to_stack.next = self.resolve.valid.val() & !self.splits.claims.val();
        self.splits.finish_ready.next = !self.to_stack.val();
        self.finishes.next = self.splits.finish_valid.val() & !self.to_stack.val();
        self.stack.resolve.valid.next = self.to_stack.val() | self.finishes.val();
        self.stack.resolve.warp.next = bit_cast_to(self.resolve.warp.val(), self._warp);
        wire::join(&mut self.resolve.kind, &mut self.stack.resolve.kind);
        wire::join(&mut self.resolve.mask, &mut self.stack.resolve.mask);
        wire::join(&mut self.resolve.annotation, &mut self.stack.resolve.annotation);
        self.stack.resolve.annotation.lpc.next = 1.into();
        if self.finishes.val() {
            self.stack.resolve.warp.next = self.splits.finish_warp.val();
            self.stack.resolve.kind.next = ControlKind::Exit;
            self.stack.resolve.mask.next = self.splits.finish_mask.val();
        }

        // Everything else is the stack's, and what threads do, of whoever says so.
        self.report.next = self.stack.exit.valid.val()
            & (self.reporting.q.val() & (self.one_warp.val() << self.stack.exit.warp.val())).any();
        self.still_reporting.next = self.reporting.q.val();
        if self.report.val() {
            self.still_reporting.next = self.reporting.q.val() & !(self.one_warp.val() << self.stack.exit.warp.val());
        }
        self.reporting.d.next = self.still_reporting.val();
        if self.finishes.val() {
            self.reporting.d.next = self.still_reporting.val() | (self.one_warp.val() << self.splits.finish_warp.val());
        }
        self.splits.enable.next = !self.stack.exit.valid.val() & !self.stack.arrive.valid.val();
        wire::join(&mut self.arrive, &mut self.stack.arrive);
        if self.splits.arrive.valid.val() {
            wire::join(&mut self.arrive, &mut self.splits.arrive);
        }
        wire::join(&mut self.exit, &mut self.stack.exit);
        self.exit.valid.next = self.stack.exit.valid.val() & !self.report.val();
        if self.splits.exit.valid.val() {
            wire::join(&mut self.exit, &mut self.splits.exit);
        }
        self.waiting.next = self.stack.waiting.val() | self.splits.waiting.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script on each of two warps of four lanes with two sides `s`. A line is a cycle, `inputs | output ; comment`:
    /// - inputs, with a comma between them: `launch pc mask`, `fetch s`, `step s` or `control s` (DECODE; in the cycle behind it the buffer holds
    ///   the instruction), `slot s` (it still does), `branch s taken target next rpc [short]`, `jump s target`, `exit s`, `barrier s`,
    ///   `release`, `-`; `taken` and the rest in hexadecimal as on the right, `rpc` may be `end`;
    /// - output: by side, PC and mask if it can be fetched, of splits that meet the mask of both, `-` for another split, `.` for none;
    ///   then what happens in that cycle.
    #[track_caller]
    fn play(script: &str) {
        (0..2).for_each(|warp| play_on(warp, script));
    }

    #[track_caller]
    fn play_on(warp: usize, script: &str) {
        let bits = |text: &str| usize::from_str_radix(text, 2).unwrap().into();
        let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
        let mut unit = WarpSubdivision::new(4, 2, 2, 8, true);
        unit.connect_all();
        simulate(&mut unit, 1000);
        let mut lanes = [0usize.into(); 2];
        let mut buffered = [false; 2];
        for line in script.trim().lines().map(str::trim) {
            let (inputs, rest) = line.split_once('|').unwrap();
            let expected = rest.split(';').next().unwrap().trim();
            unit.launch.valid.next = false;
            unit.fetch_valid.next = false;
            unit.decoded.valid.next = false;
            unit.resolve.valid.next = false;
            unit.barrier_release.next = 0.into();
            let mut slots = std::mem::take(&mut buffered);
            let mut fetches = None;
            for input in inputs.split(',') {
                let words: Vec<&str> = input.split_whitespace().collect();
                let side: usize = words.get(1).map_or(0, |word| word.parse().unwrap_or(0));
                let path = || (side << 1 | warp).into();
                let kind = match words[..] {
                    ["launch", pc, mask] => {
                        unit.launch.valid.next = true;
                        unit.launch.warp.next = warp.into();
                        unit.launch.pc.next = hex(pc);
                        unit.launch.mask.next = bits(mask);
                        None
                    }
                    ["fetch", _] => {
                        fetches = Some(side);
                        None
                    }
                    ["step" | "control", _] => {
                        unit.decoded.valid.next = true;
                        unit.decoded.warp.next = path();
                        unit.decoded.control.next = words[0] == "control";
                        buffered[side] = true;
                        None
                    }
                    ["slot", _] => {
                        slots[side] = true;
                        None
                    }
                    ["branch", _, taken, target, next, rpc, ref short @ ..] => {
                        unit.resolve.taken.next = bits(taken);
                        unit.resolve.target.next = hex(target);
                        unit.resolve.next_pc.next = hex(next);
                        unit.resolve.annotation.rpc.next = if rpc == "end" { 0.into() } else { hex(rpc) };
                        unit.resolve.annotation.rpc_valid.next = rpc != "end";
                        unit.resolve.annotation.subdividable.next = !short.is_empty();
                        Some(ControlKind::Branch)
                    }
                    ["jump", _, target] => {
                        unit.resolve.taken.next = lanes[side];
                        unit.resolve.target.next = hex(target);
                        Some(ControlKind::Jump)
                    }
                    ["exit", _] => Some(ControlKind::Exit),
                    ["barrier", _, next] => {
                        unit.resolve.next_pc.next = hex(next);
                        Some(ControlKind::Barrier)
                    }
                    ["release"] => {
                        unit.barrier_release.next = (1usize << warp).into();
                        None
                    }
                    _ => None,
                };
                if let Some(kind) = kind {
                    unit.resolve.valid.next = true;
                    unit.resolve.warp.next = path();
                    unit.resolve.kind.next = kind;
                    unit.resolve.mask.next = lanes[side];
                }
            }
            let mut text = String::new();
            for (side, full) in slots.into_iter().enumerate() {
                unit.slot_valid[side].next = (usize::from(full) << warp).into();
                unit.fetch_warp.next = (side << 1 | warp).into();
                simulate(&mut unit, 1000);
                let [fetchable, present] =
                    [&unit.fetchable[side], &unit.present[side]].map(|net| net.val().get_bit(warp));
                text += if side == 1 { " / " } else { "" };
                text += &match (fetchable, present) {
                    (true, _) => format!("{:x} {:04b}", unit.fetch_pc.val().value(), unit.fetch_mask.val().value()),
                    (false, true) => "-".into(),
                    (false, false) => ".".into(),
                };
            }
            if let Some(side) = fetches {
                unit.fetch_warp.next = (side << 1 | warp).into();
                unit.fetch_valid.next = true;
                simulate(&mut unit, 1000);
                lanes[side] = unit.fetch_mask.val();
            }
            text += &happens(&unit);
            assert_eq!(text, expected, "warp {warp}: {line}");
            for _ in 0..2 {
                unit.clock.next = !unit.clock.val();
                simulate(&mut unit, 1000);
            }
        }
    }

    fn happens(unit: &WarpSubdivision) -> String {
        let mut text = String::new();
        let mut event = |happens: bool, what: String| {
            if happens {
                text += " ";
                text += &what;
            }
        };
        event(unit.depth.val().any(), format!("depth {}", unit.depth.val().value()));
        event(unit.subdivided.val(), "subdivided".into());
        event(unit.merged.val(), "merged".into());
        event(unit.arrive.valid.val(), format!("arrive {}", unit.arrive.count.val().value()));
        event(unit.exit.valid.val(), format!("exit {}", unit.exit.count.val().value()));
        event(unit.finished.valid.val(), "finished".into());
        event(unit.waiting.val().any(), "waiting".into());
        text
    }

    #[test]
    fn warp_subdivision_of_rhu_figure_3_2() {
        play(RHU_3_2);
    }

    /// A to (B, C), C to (D, E), D and E to F, B and F to G: at 10, 20 ... 50, F, which is one instruction, at 6c, G at 70.
    const RHU_3_2: &str = "
        launch 10 1111               | . / . depth 1
        fetch 0                      | 10 1111 / .       ; A
        control 0                    | 10 1111 / .
        branch 0 1000 20 30 70       | . / .             ; G is long
        -                            | . / . depth 2     ; G
        -                            | . / . depth 3     ; C, and B above it
        fetch 0                      | 20 1000 / .       ; B
        control 0                    | 20 1000 / .
        jump 0 70                    | . / .
        -                            | . / .
        -                            | . / .
        fetch 0                      | 30 0111 / .       ; C
        control 0                    | 30 0111 / .
        branch 0 0011 40 50 6c short | . / .             ; F is short
        -                            | . / . subdivided
        fetch 0                      | 40 0011 / 50 0100 ; D
        control 0, fetch 1           | 40 0011 / 50 0100 ; E
        jump 0 6c, control 1         | - / 50 0100
        -                            | - / -
        fetch 0                      | 6c 0011 / -       ; F
        step 0                       | 6c 0011 / -       ; ends at the RPC of C, not at its own
        jump 1 6c                    | . / -
        -                            | . / -
        fetch 1                      | . / 6c 0100       ; F again
        step 1                       | . / 6c 0100
        -                            | . / .             ; all are at G
        -                            | . / .
        -                            | . / .
        -                            | . / .             ; the stack goes on
        fetch 0                      | 70 1111 / .       ; G
        step 0                       | 70 1111 / .
        -                            | 74 1111 / .";

    #[test]
    fn threads_without_a_side_come_back_merged() {
        play(PARKING);
    }

    const PARKING: &str = "
        launch 10 1111                    | . / . depth 1
        fetch 0                           | 10 1111 / .
        control 0                         | 10 1111 / .
        branch 0 1100 20 30 40 short      | . / .
        -                                 | . / . subdivided
        fetch 0                           | 20 1100 / 30 0011
        control 0, fetch 1                | 20 1100 / 30 0011
        branch 0 1000 50 60 70, control 1 | - / 30 0011
        branch 1 0010 54 60 70            | - / - subdivided       ; both branches find no side for their fall-through
        -                                 | 50 1000 / - subdivided
        -                                 | 50 1000 / 54 0010
        fetch 0                           | 50 1000 / 54 0010
        control 0                         | 50 1000 / 54 0010
        exit 0                            | - / 54 0010
        -                                 | - / 54 0010 exit 1
        -                                 | . / 54 0010            ; side 0 is free
        fetch 0                           | 60 0101 / 54 0010      ; two threads at 60
        step 0                            | 60 0101 / 54 0010
        -                                 | 64 0101 / 54 0010";

    #[test]
    fn splits_that_meet_merge() {
        play(MERGING);
    }

    const MERGING: &str = "
        launch 10 1111               | . / . depth 1
        fetch 0                      | 10 1111 / .
        control 0                    | 10 1111 / .
        branch 0 1100 20 2c 2c short | . / .
        -                            | . / . subdivided
        fetch 0                      | 20 1100 / 2c 0011
        control 0                    | 20 1100 / 2c 0011
        jump 0 28                    | - / 2c 0011
        -                            | - / 2c 0011
        fetch 0                      | 28 1100 / 2c 0011
        step 0                       | 28 1100 / 2c 0011
        slot 0, fetch 1              | 2c 1111 / 2c 0011        ; side 0 has 28 in its buffer: no merge
        step 1                       | 2c 1100 / 2c 1111
        fetch 0                      | 2c 1100 / 30 0011        ; side 1 is past 2c
        step 0                       | 2c 1100 / 30 0011
        -                            | 30 1111 / 30 0011        ; 30 of side 0 would merge, since side 1 is idle
        fetch 1                      | 30 1111 / 30 1111 merged ; and side 1 does
        step 1                       | . / 30 1111
        -                            | . / 34 1111";

    #[test]
    fn exits_of_splits_count_once() {
        play(EXITS);
    }

    const EXITS: &str = "
        launch 10 1111               | . / . depth 1
        fetch 0                      | 10 1111 / .
        control 0                    | 10 1111 / .
        branch 0 1000 70 20 70       | . / .             ; the first thread waits at 70
        -                            | . / . depth 2
        -                            | 20 0111 / .
        fetch 0                      | 20 0111 / .
        control 0                    | 20 0111 / .
        branch 0 0100 30 40 50 short | . / .
        -                            | . / . subdivided
        fetch 0                      | 30 0100 / 40 0011
        control 0, fetch 1           | 30 0100 / 40 0011
        exit 0, control 1            | - / 40 0011
        -                            | - / - exit 1      ; one thread
        jump 1 70                    | . / -
        -                            | . / -             ; the others are at 70
        -                            | . / .
        -                            | . / .
        -                            | . / .
        fetch 0                      | 70 1011 / .       ; without the one that has ended
        control 0                    | 70 1011 / .
        exit 0                       | . / .
        -                            | . / . exit 3      ; three, not four
        -                            | . / .
        -                            | . / .
        -                            | . / . finished";

    #[test]
    fn all_splits_exit() {
        play(ALL_EXIT);
    }

    const ALL_EXIT: &str = "
        launch 10 1111               | . / . depth 1
        fetch 0                      | 10 1111 / .
        control 0                    | 10 1111 / .
        branch 0 1100 20 30 40 short | . / .
        -                            | . / . subdivided
        fetch 1                      | 20 1100 / 30 0011
        control 1, fetch 0           | 20 1100 / 30 0011
        exit 1, control 0            | 20 1100 / -
        exit 0                       | - / - exit 2
        -                            | - / . exit 2
        -                            | . / .
        -                            | . / .
        -                            | . / . finished    ; the stack has been told
        -                            | . / .
        -                            | . / .
        launch 10 0110               | . / . depth 1";

    #[test]
    fn splits_wait_at_a_barrier() {
        play(BARRIER);
    }

    const BARRIER: &str = "
        launch 10 1111               | . / . depth 1
        fetch 0                      | 10 1111 / .
        control 0                    | 10 1111 / .
        branch 0 1100 20 30 40 short | . / .
        -                            | . / . subdivided
        fetch 0                      | 20 1100 / 30 0011
        control 0, fetch 1           | 20 1100 / 30 0011
        barrier 0 44, control 1      | - / 30 0011
        -                            | - / - arrive 2
        jump 1 40                    | . / -
        -                            | . / -
        fetch 1                      | . / 40 0011
        control 1                    | . / 40 0011
        barrier 1 44                 | . / -
        -                            | . / - arrive 2
        -                            | . / . waiting
        release                      | . / . waiting
        -                            | . / .
        -                            | 44 1111 / .       ; at one PC: one split
        fetch 0                      | 44 1111 / .
        step 0                       | 44 1111 / .
        -                            | 48 1111 / .";
}
