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
use crate::interface::ControlKind;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct WarpSubdivision {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Net<In>,
    pub launch_pc: Net<In>,
    pub launch_mask: Net<In>,
    pub launch_ready: Signal<Out, Bit>,
    pub fetchable: Vec<Net<Out>>,
    pub present: Vec<Net<Out>>,
    pub fetch_warp: Net<In>,
    pub fetch_valid: Signal<In, Bit>,
    pub fetch_pc: Net<Out>,
    pub fetch_mask: Net<Out>,
    pub decoded_valid: Signal<In, Bit>,
    pub decoded_warp: Net<In>,
    pub decoded_control: Signal<In, Bit>,
    pub slot_valid: Vec<Net<In>>,
    pub resolve_valid: Signal<In, Bit>,
    pub resolve_warp: Net<In>,
    pub resolve_kind: Signal<In, ControlKind>,
    pub resolve_taken: Net<In>,
    pub resolve_mask: Net<In>,
    pub resolve_target: Net<In>,
    pub resolve_next: Net<In>,
    pub resolve_rpc: Net<In>,
    pub resolve_rpc_valid: Signal<In, Bit>,
    pub resolve_short: Signal<In, Bit>,
    pub barrier_release: Net<In>,
    pub finished_valid: Signal<Out, Bit>,
    pub finished_warp: Net<Out>,
    pub arrive_valid: Signal<Out, Bit>,
    pub arrive_warp: Net<Out>,
    pub arrive_count: Net<Out>,
    pub exit_valid: Signal<Out, Bit>,
    pub exit_warp: Net<Out>,
    pub exit_count: Net<Out>,
    pub waiting: Net<Out>,
    pub overflow_valid: Signal<Out, Bit>,
    pub overflow_warp: Net<Out>,
    pub overflow_pc: Net<Out>,
    pub depth: Net<Out>,
    pub subdivided: Signal<Out, Bit>,
    pub merged: Signal<Out, Bit>,

    stack: SpeStack,
    splits: WarpSplitTable,
    /// Bit per warp: the next exit that the stack serves is the table's report, whose threads have been counted.
    reporting: Register,
    one_warp: Constant,
    fetched: Net<Local>,
    fetch_divided: Signal<Local, Bit>,
    decoded: Net<Local>,
    decode_divided: Signal<Local, Bit>,
    to_stack: Signal<Local, Bit>,
    finishes: Signal<Local, Bit>,
    report: Signal<Local, Bit>,
    still_reporting: Net<Local>,
    _warp: usize,
}

impl WarpSubdivision {
    /// For `warps` warps of `lanes` threads, `sides` of whose splits can be scheduled at once, and stacks of `entries`.
    pub fn new(lanes: usize, warps: usize, sides: usize, entries: usize, taken_first: bool) -> Self {
        let (warp, count) = (index_width(warps), index_width(lanes + 1));
        let path = warp + sides.ilog2() as usize;
        Self {
            clock: Default::default(),
            reset: Default::default(),
            launch_valid: Default::default(),
            launch_warp: Net::new(warp),
            launch_pc: Net::new(32),
            launch_mask: Net::new(lanes),
            launch_ready: Default::default(),
            fetchable: Net::vec(sides, warps),
            present: Net::vec(sides, warps),
            fetch_warp: Net::new(path),
            fetch_valid: Default::default(),
            fetch_pc: Net::new(32),
            fetch_mask: Net::new(lanes),
            decoded_valid: Default::default(),
            decoded_warp: Net::new(path),
            decoded_control: Default::default(),
            slot_valid: Net::vec(sides, warps),
            resolve_valid: Default::default(),
            resolve_warp: Net::new(path),
            resolve_kind: Default::default(),
            resolve_taken: Net::new(lanes),
            resolve_mask: Net::new(lanes),
            resolve_target: Net::new(32),
            resolve_next: Net::new(32),
            resolve_rpc: Net::new(32),
            resolve_rpc_valid: Default::default(),
            resolve_short: Default::default(),
            barrier_release: Net::new(warps),
            finished_valid: Default::default(),
            finished_warp: Net::new(warp),
            arrive_valid: Default::default(),
            arrive_warp: Net::new(warp),
            arrive_count: Net::new(count),
            exit_valid: Default::default(),
            exit_warp: Net::new(warp),
            exit_count: Net::new(count),
            waiting: Net::new(warps),
            overflow_valid: Default::default(),
            overflow_warp: Net::new(warp),
            overflow_pc: Net::new(32),
            depth: Net::new(index_width(entries + 1)),
            subdivided: Default::default(),
            merged: Default::default(),
            stack: SpeStack::new(lanes, warps, entries, taken_first, false),
            splits: WarpSplitTable::new(lanes, warps, sides, taken_first),
            reporting: Register::new(warps),
            one_warp: Constant::new(1, warps),
            fetched: Net::new(warp),
            fetch_divided: Default::default(),
            decoded: Net::new(warp),
            decode_divided: Default::default(),
            to_stack: Default::default(),
            finishes: Default::default(),
            report: Default::default(),
            still_reporting: Net::new(warps),
            _warp: warp,
        }
    }
}

impl Logic for WarpSubdivision {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpSubdivision");
        clock!(self, clock, stack, splits);
        dff_setup!(self, clock, reporting);
        self.stack.reset.next = self.reset.val();
        self.splits.reset.next = self.reset.val();
        self.reporting.reset.next = self.reset.val();

        // FETCH and DECODE are the table's for a divided warp, else the stack's.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetch_divided.next = (self.splits.divided.val() & (self.one_warp.val() << self.fetched.val())).any();
        self.stack.fetch_warp.next = self.fetched.val();
        self.splits.fetch_warp.next = self.fetch_warp.val();
        self.splits.fetch_valid.next = self.fetch_valid.val();
        self.splits.fetch_rpc.next = self.stack.fetch_rpc.val();
        self.fetch_pc.next = self.stack.fetch_pc.val();
        self.fetch_mask.next = self.stack.fetch_mask.val();
        if self.fetch_divided.val() {
            self.fetch_pc.next = self.splits.fetch_pc.val();
            self.fetch_mask.next = self.splits.fetch_mask.val();
        }
        self.decoded.next = bit_cast_to(self.decoded_warp.val(), self._warp);
        self.decode_divided.next = (self.splits.divided.val() & (self.one_warp.val() << self.decoded.val())).any();
        self.stack.decoded_valid.next = self.decoded_valid.val() & !self.decode_divided.val();
        self.stack.decoded_warp.next = self.decoded.val();
        self.stack.decoded_control.next = self.decoded_control.val();
        self.splits.decoded_valid.next = self.decoded_valid.val();
        self.splits.decoded_warp.next = self.decoded_warp.val();
        self.splits.decoded_control.next = self.decoded_control.val();
        for s in 0..self.fetchable.len() {
            self.splits.slot_valid[s].next = self.slot_valid[s].val();
            self.fetchable[s].next = self.splits.fetchable[s].val();
            self.present[s].next = self.splits.present[s].val();
        }
        self.fetchable[0].next = self.splits.fetchable[0].val() | self.stack.fetchable.val();

        // What is resolved goes to one of them; the table's report goes to the stack in a cycle without.
        self.splits.resolve_valid.next = self.resolve_valid.val();
        self.splits.resolve_warp.next = self.resolve_warp.val();
        self.splits.resolve_kind.next = self.resolve_kind.val();
        self.splits.resolve_taken.next = self.resolve_taken.val();
        self.splits.resolve_mask.next = self.resolve_mask.val();
        self.splits.resolve_target.next = self.resolve_target.val();
        self.splits.resolve_next.next = self.resolve_next.val();
        self.splits.resolve_short.next = self.resolve_short.val();
        self.to_stack.next = self.resolve_valid.val() & !self.splits.claims.val();
        self.splits.finish_ready.next = !self.to_stack.val();
        self.finishes.next = self.splits.finish_valid.val() & !self.to_stack.val();
        self.stack.resolve_valid.next = self.to_stack.val() | self.finishes.val();
        self.stack.resolve_warp.next = bit_cast_to(self.resolve_warp.val(), self._warp);
        self.stack.resolve_kind.next = self.resolve_kind.val();
        self.stack.resolve_taken.next = self.resolve_taken.val();
        self.stack.resolve_mask.next = self.resolve_mask.val();
        if self.finishes.val() {
            self.stack.resolve_warp.next = self.splits.finish_warp.val();
            self.stack.resolve_kind.next = ControlKind::Exit;
            self.stack.resolve_taken.next = 0.into();
            self.stack.resolve_mask.next = self.splits.finish_mask.val();
        }
        self.stack.resolve_target.next = self.resolve_target.val();
        self.stack.resolve_next.next = self.resolve_next.val();
        self.stack.resolve_rpc.next = self.resolve_rpc.val();
        self.stack.resolve_rpc_valid.next = self.resolve_rpc_valid.val();
        self.stack.resolve_lpc.next = 1.into();

        // Everything else is the stack's, and what threads do, of whoever says so.
        self.stack.launch_valid.next = self.launch_valid.val();
        self.stack.launch_warp.next = self.launch_warp.val();
        self.stack.launch_pc.next = self.launch_pc.val();
        self.stack.launch_mask.next = self.launch_mask.val();
        self.launch_ready.next = self.stack.launch_ready.val();
        self.stack.barrier_release.next = self.barrier_release.val();
        self.splits.barrier_release.next = self.barrier_release.val();
        self.finished_valid.next = self.stack.finished_valid.val();
        self.finished_warp.next = self.stack.finished_warp.val();
        self.report.next = self.stack.exit_valid.val()
            & (self.reporting.q.val() & (self.one_warp.val() << self.stack.exit_warp.val())).any();
        self.still_reporting.next = self.reporting.q.val();
        if self.report.val() {
            self.still_reporting.next = self.reporting.q.val() & !(self.one_warp.val() << self.stack.exit_warp.val());
        }
        self.reporting.d.next = self.still_reporting.val();
        if self.finishes.val() {
            self.reporting.d.next = self.still_reporting.val() | (self.one_warp.val() << self.splits.finish_warp.val());
        }
        self.splits.enable.next = !self.stack.exit_valid.val() & !self.stack.arrive_valid.val();
        self.arrive_valid.next = self.stack.arrive_valid.val() | self.splits.arrive_valid.val();
        self.arrive_warp.next = self.stack.arrive_warp.val();
        self.arrive_count.next = self.stack.arrive_count.val();
        if self.splits.arrive_valid.val() {
            self.arrive_warp.next = self.splits.arrive_warp.val();
            self.arrive_count.next = self.splits.arrive_count.val();
        }
        self.exit_valid.next = (self.stack.exit_valid.val() & !self.report.val()) | self.splits.exit_valid.val();
        self.exit_warp.next = self.stack.exit_warp.val();
        self.exit_count.next = self.stack.exit_count.val();
        if self.splits.exit_valid.val() {
            self.exit_warp.next = self.splits.exit_warp.val();
            self.exit_count.next = self.splits.exit_count.val();
        }
        self.waiting.next = self.stack.waiting.val() | self.splits.waiting.val();
        self.overflow_valid.next = self.stack.overflow_valid.val();
        self.overflow_warp.next = self.stack.overflow_warp.val();
        self.overflow_pc.next = self.stack.overflow_pc.val();
        self.depth.next = self.stack.depth.val();
        self.subdivided.next = self.splits.subdivided.val();
        self.merged.next = self.splits.merged.val();
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
            unit.launch_valid.next = false;
            unit.fetch_valid.next = false;
            unit.decoded_valid.next = false;
            unit.resolve_valid.next = false;
            unit.barrier_release.next = 0.into();
            let mut slots = std::mem::take(&mut buffered);
            let mut fetches = None;
            for input in inputs.split(',') {
                let words: Vec<&str> = input.split_whitespace().collect();
                let side: usize = words.get(1).map_or(0, |word| word.parse().unwrap_or(0));
                let path = || (side << 1 | warp).into();
                let kind = match words[..] {
                    ["launch", pc, mask] => {
                        unit.launch_valid.next = true;
                        unit.launch_warp.next = warp.into();
                        unit.launch_pc.next = hex(pc);
                        unit.launch_mask.next = bits(mask);
                        None
                    }
                    ["fetch", _] => {
                        fetches = Some(side);
                        None
                    }
                    ["step" | "control", _] => {
                        unit.decoded_valid.next = true;
                        unit.decoded_warp.next = path();
                        unit.decoded_control.next = words[0] == "control";
                        buffered[side] = true;
                        None
                    }
                    ["slot", _] => {
                        slots[side] = true;
                        None
                    }
                    ["branch", _, taken, target, next, rpc, ref short @ ..] => {
                        unit.resolve_taken.next = bits(taken);
                        unit.resolve_target.next = hex(target);
                        unit.resolve_next.next = hex(next);
                        unit.resolve_rpc.next = if rpc == "end" { 0.into() } else { hex(rpc) };
                        unit.resolve_rpc_valid.next = rpc != "end";
                        unit.resolve_short.next = !short.is_empty();
                        Some(ControlKind::Branch)
                    }
                    ["jump", _, target] => {
                        unit.resolve_taken.next = lanes[side];
                        unit.resolve_target.next = hex(target);
                        Some(ControlKind::Jump)
                    }
                    ["exit", _] => Some(ControlKind::Exit),
                    ["barrier", _, next] => {
                        unit.resolve_next.next = hex(next);
                        Some(ControlKind::Barrier)
                    }
                    ["release"] => {
                        unit.barrier_release.next = (1usize << warp).into();
                        None
                    }
                    _ => None,
                };
                if let Some(kind) = kind {
                    unit.resolve_valid.next = true;
                    unit.resolve_warp.next = path();
                    unit.resolve_kind.next = kind;
                    unit.resolve_mask.next = lanes[side];
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
        event(unit.arrive_valid.val(), format!("arrive {}", unit.arrive_count.val().value()));
        event(unit.exit_valid.val(), format!("exit {}", unit.exit_count.val().value()));
        event(unit.finished_valid.val(), "finished".into());
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
