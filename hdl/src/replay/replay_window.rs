//! The buffered instructions of a warp, of which those that may be issued again stay until they are done (Turner 2012, section 5.2.3).
//!
//! ```text
//!    slots, a circle:   tail        issue         fill       the next of the circle is the tail's again
//!                        v            v             v
//!         [   free   ][  C   -   A' ][  D   E   F  ][   free   ]
//!                      issued: valid   not yet
//!                      until done
//!                       +--------------+
//!  fill --------------->|              |---> fill_slot, room
//!  issue, replayable -->|              |---> issue_valid, issue_slot
//!  replay ------------->| ReplayWindow |---> replay_valid, replay_slot
//!  check_valid, _slot ->|              |---> tail_slot
//!  check_done, squash ->|              |---> is_clear
//!                       +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fill` | 2 | so many instructions, up to two, are put into the slots from `fill_slot` on; no more than there is `room` for |
//! | `fill_slot`, `room` | s, c | where; and free slots: none behind the tail is |
//! | `issue`, `replayable` | 1 | the instruction at `issue_slot` is issued; it stays, for it may have to be again |
//! | `issue_valid`, `issue_slot` | 1, s | the next instruction in order, if there is one |
//! | `replay` | 1 | that of `replay_slot` is issued again |
//! | `replay_valid`, `replay_slot` | 1, s | the oldest one that has to be |
//! | `check_valid`, `check_slot`, `check_done` | 1, s, 1 | the memory stage has looked at the instruction of this slot: its last thread is done, or it has to be issued again |
//! | `squash` | 1 | what is not issued yet is dropped, behind what is issued in this cycle: control went elsewhere |
//! | `tail_slot` | s | the issue tail pointer: the slot before the oldest instruction that is not done, else before the next in order |
//! | `under_way`, `is_clear` | n, 1 | by slot, an instruction is issued and not done; none is: for what may not pass them, as a barrier |
//!
//! Latency 1 from a check to `replay_valid`, and to `room`. State: three pointers, and two bits a slot: *valid*, issued and not done, and *again*, looked at and to be issued again.
//!
//! Pointers count modulo twice the slots, so that full and empty differ. The oldest slot is the first from the fill pointer on, around the circle: behind it lies what is older by one turn.
use crate::parts::RotatingChoice;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ReplayWindow: clock, reset {
        pub fill: Net<In> = 2,
        pub fill_slot: Net<Out> = slot,
        pub room: Net<Out> = pointer,
        pub issue: Signal<In, Bit>,
        pub replayable: Signal<In, Bit>,
        pub issue_valid: Signal<Out, Bit>,
        pub issue_slot: Net<Out> = slot,
        pub replay: Signal<In, Bit>,
        pub replay_valid: Signal<Out, Bit>,
        pub replay_slot: Net<Out> = slot,
        pub check_valid: Signal<In, Bit>,
        pub check_slot: Net<In> = slot,
        pub check_done: Signal<In, Bit>,
        pub squash: Signal<In, Bit>,
        pub tail_slot: Net<Out> = slot,
        pub under_way: Net<Out> = slots,
        pub is_clear: Signal<Out, Bit>,

        filled: Register = Register::new(pointer),
        issued: Register = Register::new(pointer),
        tail: Register = Register::new(pointer),
        valid: Register = Register::new(slots) => { q: under_way },
        again: Register = Register::new(slots),
        next_issued: Net<Local> = pointer,
        next_valid: Net<Local> = slots,
        next_again: Net<Local> = slots,
        /// Slots that the fill pointer has come past: what is in them is younger than in the others.
        younger: Net<Local> = slots,
        oldest: RotatingChoice = RotatingChoice::new(slots) => { request: next_valid, passed: younger },
        oldest_again: RotatingChoice = RotatingChoice::new(slots) => { request: again.q, passed: younger },
        oldest_slot: PriorityEncoder = PriorityEncoder::new(slots) => { request: oldest.grant },
        again_slot: PriorityEncoder = PriorityEncoder::new(slots) => {
            request: oldest_again.grant, index: replay_slot, any: replay_valid,
        },
        /// From the oldest slot that is not done to the fill pointer, less one.
        behind: Net<Local> = slot,
        all: Constant = Constant::new(slots as u64, pointer),
    }
    sizes { _slots = slots, _slot = slot, _pointer = pointer }
    /// Of 2 to 32 `slots`, a power of two.
    pub fn new(slots: usize) {
        assert!(slots.is_power_of_two() && (2..=32).contains(&slots), "{slots} slots make no circle of pointers");
        let (slot, pointer) = (index_width(slots), index_width(slots) + 1);
    }
}

impl Logic for ReplayWindow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReplayWindow");
        self.fill_slot.next = bit_cast_to(self.filled.q.val(), self._slot);
        self.issue_slot.next = bit_cast_to(self.issued.q.val(), self._slot);
        self.tail_slot.next = bit_cast_to(self.tail.q.val() - 1, self._slot);
        self.room.next = self.all.val() - (self.filled.q.val() - self.tail.q.val());
        self.issue_valid.next = self.issued.q.val() != self.filled.q.val();
        self.is_clear.next = !self.valid.q.val().any();

        self.younger.next = 0.into();
        self.next_valid.next = self.valid.q.val();
        self.next_again.next = self.again.q.val();
        for i in 0..self._slots {
            self.younger.next = self.younger.val().replace_bit(i, self.fill_slot.val() > i);
            if self.check_valid.val() & (self.check_slot.val() == i) {
                self.next_valid.next = self.next_valid.val().replace_bit(i, !self.check_done.val());
                self.next_again.next = self.next_again.val().replace_bit(i, !self.check_done.val());
            }
            if self.replay.val() & (self.replay_slot.val() == i) {
                self.next_again.next = self.next_again.val().replace_bit(i, false);
            }
            if self.issue.val() & self.replayable.val() & (self.issue_slot.val() == i) {
                self.next_valid.next = self.next_valid.val().replace_bit(i, true);
            }
        }
        self.valid.d.next = self.next_valid.val();
        self.again.d.next = self.next_again.val();

        self.next_issued.next = self.issued.q.val();
        if self.issue.val() {
            self.next_issued.next = self.issued.q.val() + 1;
        }
        self.issued.d.next = self.next_issued.val();
        self.filled.d.next = self.filled.q.val() + bit_cast_to(self.fill.val(), self._pointer);
        if self.squash.val() {
            self.filled.d.next = self.next_issued.val();
        }
        self.behind.next = self.fill_slot.val() - 1 - self.oldest_slot.index.val();
        self.tail.d.next = self.next_issued.val();
        if self.oldest_slot.any.val() {
            self.tail.d.next = self.filled.q.val() - 1 - bit_cast_to(self.behind.val(), self._pointer);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What happens in a cycle: `fill issue replay check squash`, of which `r` is a replayable instruction, `0+` slot 0 done, `0-` to be issued again.
    fn cycle(unit: &mut ReplayWindow, step: &[&str]) {
        unit.fill.next = step[0].parse::<usize>().unwrap_or(0).into();
        unit.issue.next = step[1] != ".";
        unit.replayable.next = step[1] == "r";
        unit.replay.next = step[2] != ".";
        unit.check_valid.next = step[3] != ".";
        unit.check_slot.next = step[3].trim_end_matches(['+', '-']).parse::<usize>().unwrap_or(0).into();
        unit.check_done.next = step[3].ends_with('+');
        unit.squash.next = step[4] != ".";
        simulate(unit, 100);
    }

    /// What is seen before the edge: `ITP IP FP room`, the slot to be issued again, and V and R of the slots in order.
    fn seen(unit: &ReplayWindow, slots: usize) -> String {
        let again = match unit.replay_valid.val() {
            true => unit.replay_slot.val().index().to_string(),
            false => "-".into(),
        };
        let bits = |word: Word| (0..slots).map(|i| if word.get_bit(i) { '1' } else { '0' }).collect::<String>();
        let [tail, issue, fill] = [&unit.tail_slot, &unit.issue_slot, &unit.fill_slot].map(|net| net.val().index());
        let (valid, ready) = (bits(unit.valid.q.val()), bits(unit.again.q.val()));
        format!("{tail} {issue} {fill} {} {again} {valid} {ready}", unit.room.val().index())
    }

    fn script(slots: usize, script: &str) {
        let mut unit = ReplayWindow::new(slots);
        unit.connect_all();
        simulate(&mut unit, 100);
        for line in script.trim().lines() {
            let (step, expected) = line.split_once('|').unwrap();
            cycle(&mut unit, &step.split_whitespace().collect::<Vec<_>>());
            let expected = expected.split_whitespace().take(7).collect::<Vec<_>>().join(" ");
            assert_eq!(seen(&unit, slots), expected, "{line}");
            tick!(unit);
        }
    }

    #[test]
    fn figure_5_4() {
        // The figure's last diagram has the tail pointer behind C, against the text's own rule, by which it is before it.
        script(
            4,
            "
            2 . . .  . | 3 0 0 4 - 0000 0000    A and B are filled
            1 . . .  . | 3 0 2 2 - 0000 0000    and C
            . r . .  . | 3 0 3 1 - 0000 0000    A, a load, is issued
            . i . .  . | 3 1 3 1 - 1000 0000    B, a branch: freed at once, but A holds the tail
            . r . .  . | 3 2 3 1 - 1000 0000    C, a load
            . . . 2- . | 3 3 3 1 - 1010 0000    none of C is done
            . . . 0- . | 3 3 3 1 2 1010 0010    half of A
            . . r .  . | 3 3 3 1 0 1010 1010    A is older, and issued again
            . . . 0+ . | 3 3 3 1 2 1010 0010    the rest of A
            2 . r .  . | 1 3 3 3 2 0010 0010    the tail is before C: D and E are filled, C is issued again
            . i . 2+ . | 1 3 1 1 - 0010 0000    D
            . i . .  . | 3 0 1 3 - 0000 0000    E
            . . . .  . | 0 1 1 4 - 0000 0000",
        );
    }

    #[test]
    fn what_is_not_issued_is_dropped() {
        script(
            4,
            "
            2 . . .  . | 3 0 0 4 - 0000 0000
            2 r . .  . | 3 0 2 2 - 0000 0000
            . i . .  s | 3 1 0 0 - 1000 0000    a branch that is taken: what is behind it goes
            2 . . .  s | 3 2 2 2 - 1000 0000    and what is filled now
            2 . . 0- . | 3 2 2 2 - 1000 0000
            . . r .  . | 3 2 0 0 0 1000 1000    full: the oldest is where the fill pointer is
            . . . 0+ . | 3 2 0 0 - 1000 0000
            . . . .  . | 1 2 0 2 - 0000 0000",
        );
    }

    /// The circle as a list: sequence numbers of what is under way, and whether it is to be issued again.
    #[derive(Default)]
    struct Model {
        filled: u64,
        issued: u64,
        under_way: Vec<(u64, bool)>,
    }

    proptest! {
        /// Whatever is filled, issued and looked at in whatever order: pointers, room and the oldest are those of a list.
        #[test]
        fn as_a_list(slots in (1..4u32).prop_map(|bits| 1usize << bits), steps in prop::collection::vec(any::<[u8; 5]>(), 60)) {
            let mut unit = ReplayWindow::new(slots);
            unit.connect_all();
            simulate(&mut unit, 100);
            let mut model = Model::default();
            for [fills, issues, replays, checks, squashes] in steps {
                let slot = |sequence: u64| (sequence % slots as u64) as usize;
                let tail = model.under_way.first().map_or(model.issued, |(oldest, _)| *oldest);
                let room = slots as u64 - (model.filled - tail);
                let oldest_again = model.under_way.iter().position(|(_, again)| *again);
                prop_assert_eq!(unit.room.val().value(), room);
                prop_assert_eq!(unit.tail_slot.val().index(), slot(tail + slots as u64 - 1));
                prop_assert_eq!(unit.issue_valid.val(), model.issued != model.filled);
                prop_assert_eq!(unit.is_clear.val(), model.under_way.is_empty());
                prop_assert_eq!(unit.replay_valid.val(), oldest_again.is_some());
                if let Some(oldest) = oldest_again {
                    prop_assert_eq!(unit.replay_slot.val().index(), slot(model.under_way[oldest].0));
                }
                let fill = u64::from(fills % 3).min(room);
                let issue = issues % 2 == 1 && model.issued != model.filled;
                let replay = oldest_again.filter(|_| replays % 2 == 1);
                let in_flight: Vec<usize> =
                    (0..model.under_way.len()).filter(|&i| !model.under_way[i].1).collect();
                let check = in_flight.get(usize::from(checks >> 2)).copied();
                let squash = squashes % 8 == 0;
                let done = checks % 2 == 1;
                unit.fill.next = (fill as usize).into();
                unit.issue.next = issue;
                unit.replayable.next = issues % 4 == 1;
                unit.replay.next = replay.is_some();
                unit.check_valid.next = check.is_some();
                unit.check_slot.next = check.map_or(0, |i| slot(model.under_way[i].0)).into();
                unit.check_done.next = done;
                unit.squash.next = squash;
                tick!(unit);
                if let Some(i) = replay {
                    model.under_way[i].1 = false;
                }
                if let Some(i) = check {
                    model.under_way[i].1 = true;
                    if done {
                        model.under_way.remove(i);
                    }
                }
                if issue {
                    if issues % 4 == 1 {
                        model.under_way.push((model.issued, false));
                    }
                    model.issued += 1;
                }
                model.filled = if squash { model.issued } else { model.filled + fill };
            }
        }
    }
}
