//! One warp's instructions in a [`WarpBuffer`](crate::frontend::WarpBuffer) from which loads are issued again: what the scheduler watches.
//!
//! ```text
//!                      +-------------+
//!  write, written_* -->|             |---> valid, waiting_*, slot
//!              take -->| ReplaySlots |---> again
//!   check_*, _done --->|             |---> write_slot, has_room
//!                      |             |---> under_way, loads
//!                      +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write`, `write_slot` | 1, s | a decoded instruction enters at the edge, in this slot |
//! | `written_*` | | its predecoded fields |
//! | `has_room` | 1 | one can |
//! | `take` | 1 | the instruction watched issues |
//! | `valid`, `waiting_*`, `slot` | 1, , s | that instruction, and its slot: the oldest load that is to be issued again, or else the next in order |
//! | `again` | 1 | it is the former |
//! | `check_valid`, `check_slot`, `check_done` | 1, s, 1 | the memory stage has looked at the load of this slot: its last thread is done, or it is to be issued again |
//! | `check_failed`, `needs` | 1 | where loads may wait for an MSHR before they issue (Vec of one): the look needed one and got nothing; what is watched is taken to |
//! | `under_way`, `loads` | 1 | an instruction has not issued, or a load is not done; a load has issued and is not done |
//!
//! Latency 1. State: a [`ReplayWindow`](super::ReplayWindow), a row of memory for each slot, and the address register of each load.
//!
//! The order within a warp, which the thesis does not give: loads pass loads that are not done. What is ordered (stores, atomics, fences, bar.sync, exit) waits until none is under way.
//! A load that is issued again reads its address again, so nobody may write that register before it is done; its own result waits in the scoreboard. A load that is issued again has no registers here: what it needs was there the first time.
use super::ReplayWindow;
use crate::frontend::PredecodedTable;
use crate::interface::Predecoded;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ReplaySlots: clock, reset {
        pub write: Signal<In, Bit>,
        pub written: Predecoded<In> = Predecoded::new(config),
        pub write_slot: Net<Out> = slot,
        pub has_room: Signal<Out, Bit>,
        pub take: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub waiting: Predecoded<Out> = Predecoded::new(config),
        pub slot: Net<Out> = slot,
        pub again: Signal<Out, Bit>,
        pub check_valid: Signal<In, Bit>,
        pub check_slot: Net<In> = slot,
        pub check_done: Signal<In, Bit>,
        pub under_way: Signal<Out, Bit>,
        pub loads: Signal<Out, Bit>,

        /// Where loads may wait for an MSHR before they issue, one each: what the look failed for needs one; and what is watched is taken to.
        pub check_failed: Vec<Net<In>> = Net::vec(config.of_prediction(), 1),
        pub needs: Vec<Signal<Out, Bit>> = bit_vec(config.of_prediction()),

        /// By slot.
        expected: Vec<Register> = Register::vec(config.of_prediction(), slots) => |p| { d: will_expect[p] },
        known: Vec<Register> = Register::vec(config.of_prediction(), slots) => |p| { d: will_know[p] },
        will_expect: Vec<Net<Local>> = Net::vec(config.of_prediction(), slots),
        will_know: Vec<Net<Local>> = Net::vec(config.of_prediction(), slots),
        window: ReplayWindow = ReplayWindow::new(slots) => {
            fill_slot: write_slot, replayable: is_load, check_valid, check_slot, check_done,
        },
        held: PredecodedTable = PredecodedTable::new(slots, 1, config) => {
            write_enable: write, write_row: window.fill_slot, write: written, read_row[0]: window.issue_slot, read[0]: next,
        },
        /// The next in order.
        next: Predecoded<Local> = Predecoded::new(config),
        /// By slot, of its load.
        addresses: Vec<Flop> = Flop::vec(slots, config.register_width()),
        is_load: Signal<Local, Bit>,
        /// It would write the address register of a load that is not done.
        overwrites: Signal<Local, Bit>,
        issues: Signal<Local, Bit>,
    }
    sizes { _flags = flags, _slots = slots }
    /// Of a core that replays.
    pub fn new(config: &CoreConfig) {
        let (slots, slot) = (config.warp_buffer, config.buffer_slot_width());
        let flags = crate::interface::PREDECODED_FLAGS + 3 * config.of_floats();
    }
}

impl Logic for ReplaySlots {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReplaySlots");
        self.window.fill.next = bit_cast_to(self.write.val(), 2);
        self.window.squash.next = false;
        self.has_room.next = self.window.room.val().any();
        self.under_way.next = self.window.issue_valid.val() | !self.window.is_clear.val();

        self.loads.next = !self.window.is_clear.val();

        self.is_load.next = self.next.flags.val().get_bit(5) & !self.next.ordered[0].val().any();
        self.overwrites.next = false;
        for s in 0..self.addresses.len() {
            if self.window.under_way.val().get_bit(s) & (self.addresses[s].q.val() == self.next.rd.val()) {
                self.overwrites.next = self.next.flags.val().get_bit(2);
            }
        }

        wire::join(&mut self.waiting, &mut self.next);
        self.slot.next = self.window.issue_slot.val();
        self.valid.next = self.window.issue_valid.val()
            & !self.overwrites.val()
            & (self.window.is_clear.val() | !self.next.ordered[0].val().any());
        self.again.next = self.window.replay_valid.val();
        if self.window.replay_valid.val() {
            self.valid.next = true;
            self.slot.next = self.window.replay_slot.val();
            // A memory instruction, which waits for no register.
            self.waiting.flags.next = bit_cast_to(32, self._flags);
        }
        for p in 0..self.needs.len() {
            self.will_expect[p].next = self.expected[p].q.val();
            self.will_know[p].next = self.known[p].q.val();
            self.needs[p].next = false;
            for s in 0..self._slots {
                if self.write.val() & (self.window.fill_slot.val() == s) {
                    self.will_expect[p].next =
                        self.will_expect[p].val().replace_bit(s, self.written.expected[p].val().any());
                    self.will_know[p].next = self.will_know[p].val().replace_bit(s, false);
                }
                if self.check_valid.val() & (self.check_slot.val() == s) {
                    self.will_know[p].next = self.will_know[p].val().replace_bit(s, self.check_failed[p].val().any());
                }
                if (self.slot.val() == s) & (self.is_load.val() | self.again.val()) {
                    self.needs[p].next = self.expected[p].q.val().get_bit(s) | self.known[p].q.val().get_bit(s);
                }
            }
        }
        self.window.replay.next = self.take.val() & self.window.replay_valid.val();
        self.issues.next = self.take.val() & !self.window.replay_valid.val();
        self.window.issue.next = self.issues.val();
        for s in 0..self.addresses.len() {
            self.addresses[s].d.next = self.addresses[s].q.val();
            if self.issues.val() & (self.window.issue_slot.val() == s) {
                self.addresses[s].d.next = self.next.rs1.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{HazardPrediction, MemoryPath};

    /// One line a cycle: `write take check | valid slot again needs under_way loads`, seen before the edge. What is written is a load (`e`: one that is expected to miss), an instruction of the
    /// ALU, or a store, with the register it writes and the one it reads: `l5,1`; `-` of the look at a load is what failed for want of an MSHR, `~` what was left for another
    /// line, `+` what is done.
    fn script(script: &str) {
        let config = CoreConfig {
            warp_buffer: 4,
            memory_path: MemoryPath::Replay,
            hazard_prediction: HazardPrediction::Known,
            ..CoreConfig::tiny()
        };
        let mut slots = ReplaySlots::new(&config);
        slots.connect_all();
        simulate(&mut slots, 1000);
        for line in script.trim().lines().map(str::trim) {
            let (inputs, outputs) = line.split_once(" | ").unwrap();
            let fields: Vec<_> = inputs.split_whitespace().collect();
            slots.write.next = fields[0] != ".";
            if let Some((registers, kind)) =
                fields[0].get(1..).filter(|rest| !rest.is_empty()).zip(fields[0].chars().next())
            {
                let (rd, rs1) = registers.split_once(',').unwrap();
                slots.written.rd.next = rd.parse::<usize>().unwrap().into();
                slots.written.rs1.next = rs1.parse::<usize>().unwrap().into();
                let (flags, ordered) = match kind {
                    'l' | 'e' => (0b100100, 0),
                    'a' => (0b000100, 0),
                    _ => (0b100000, 1),
                };
                slots.written.expected[0].next = (kind == 'e').into();
                slots.written.flags.next = (flags as usize).into();
                slots.written.ordered[0].next = (ordered as usize).into();
            }
            slots.take.next = fields[1] == "t";
            slots.check_valid.next = fields[2] != ".";
            if let Some(slot) = fields[2].get(..1).filter(|slot| *slot != ".") {
                slots.check_slot.next = slot.parse::<usize>().unwrap().into();
                slots.check_done.next = fields[2].ends_with('+');
                slots.check_failed[0].next = (fields[2].ends_with('-') as usize).into();
            }
            simulate(&mut slots, 1000);
            let bits = [slots.again.val(), slots.needs[0].val(), slots.under_way.val(), slots.loads.val()];
            let bits = bits.map(|bit| if bit { "1" } else { "0" }).join(" ");
            let found = match slots.valid.val() {
                true => format!("1 {} {bits}", slots.slot.val().index()),
                false => format!("0 - {bits}"),
            };
            let expected = outputs.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
            assert_eq!(found, expected, "{line}");
            tick!(slots);
        }
    }

    #[test]
    fn a_load_is_watched_again_and_known_to_miss_until_it_is_done() {
        script(
            "l5,1 . .  | 0 - 0 0 0 0
             l6,2 . .  | 1 0 0 0 1 0
             .    t .  | 1 0 0 0 1 0    the first load
             .    t .  | 1 1 0 0 1 1    the second passes it
             .    . 0- | 0 - 0 0 1 1    no MSHR
             .    . 1~ | 1 0 1 1 1 1    it is to be issued again, and needs one; threads of the other are left, of another line
             .    t .  | 1 0 1 1 1 1
             .    t .  | 1 1 1 0 1 1    the other needs none
             .    . 1- | 0 - 0 0 1 1
             .    . 0+ | 1 1 1 1 1 1
             .    t .  | 1 1 1 1 1 1
             l7,3 . 1+ | 0 - 0 0 1 1
             .    t .  | 1 2 0 0 1 0    nothing is left of what was known
             .    . 2~ | 0 - 0 0 1 1
             .    . .  | 1 2 1 0 1 1",
        );
    }

    #[test]
    fn what_is_expected_and_known_is_by_slot() {
        for needing in 0..4usize {
            let of = |slot: usize| usize::from(slot == needing);
            let (mut expected, mut known) = (String::new(), String::new());
            for slot in 0..4usize {
                let kind = if slot == needing { 'e' } else { 'l' };
                let seen = |needs| if slot == 0 { "0 - 0 0 0 0".to_string() } else { format!("1 0 0 {needs} 1 0") };
                expected += &format!("{kind}{},9 . . | {}\n", slot + 1, seen(of(0)));
                known += &format!("l{},9 . . | {}\n", slot + 1, seen(0));
            }
            for slot in 0..4usize {
                let loads = usize::from(slot > 0);
                expected += &format!(". t . | 1 {slot} 0 {} 1 {loads}\n", of(slot));
                known += &format!(". t . | 1 {slot} 0 0 1 {loads}\n");
            }
            script(&expected);
            // The look at one slot finds no MSHR, those at the others leave threads of other lines.
            let answer = |slot: usize| if slot == needing { '-' } else { '~' };
            known += &format!(". . 3{} | 0 - 0 0 1 1\n", answer(3));
            for slot in (0..3usize).rev() {
                let watched = slot + 1;
                known += &format!(". . {slot}{} | 1 {watched} 1 {} 1 1\n", answer(slot), of(watched));
            }
            for slot in 0..4usize {
                known += &format!(". t . | 1 {slot} 1 {} 1 1\n", of(slot));
            }
            script(&known);
        }
    }

    /// Of three loads in a row from any slot on, the first fails for want of an MSHR and the others do not, or the other way round; then another enters.
    #[test]
    fn what_is_known_stays_when_another_enters() {
        for (first, fails) in (0..4usize).flat_map(|slot| [(slot, true), (slot, false)]) {
            let [second, third, last] = [1, 2, 3].map(|further| (first + further) % 4);
            let answer = |is_first: bool| if is_first == fails { '-' } else { '~' };
            let (needs, others) = (usize::from(fails), usize::from(!fails));
            let mut text = String::new();
            for before in 0..first {
                text += &format!("l1,9 . . | 0 - 0 0 0 0\n. t . | 1 {before} 0 0 1 0\n. . {before}+ | 0 - 0 0 1 1\n");
            }
            text += &format!(
                "l1,9 . . | 0 - 0 0 0 0
                 l2,9 . . | 1 {first} 0 0 1 0
                 l3,9 . . | 1 {first} 0 0 1 0
                 . t . | 1 {first} 0 0 1 0
                 . t . | 1 {second} 0 0 1 1
                 . t . | 1 {third} 0 0 1 1
                 . . {first}{} | 0 - 0 0 1 1
                 . . {second}{} | 1 {first} 1 {needs} 1 1
                 . . {third}{} | 1 {first} 1 {needs} 1 1
                 l4,9 . . | 1 {first} 1 {needs} 1 1
                 . t . | 1 {first} 1 {needs} 1 1
                 . t . | 1 {second} 1 {others} 1 1
                 . t . | 1 {third} 1 {others} 1 1
                 . t . | 1 {last} 0 0 1 1",
                answer(true),
                answer(false),
                answer(false)
            );
            script(&text);
        }
    }

    #[test]
    fn address_registers_and_order_are_kept_until_loads_are_done() {
        script(
            "l5,1 . .  | 0 - 0 0 0 0
             a1,9 . .  | 1 0 0 0 1 0
             s0,2 t .  | 1 0 0 0 1 0
             .    . .  | 0 - 0 0 1 1    it would write the load's address
             .    . 0+ | 0 - 0 0 1 1
             .    t .  | 1 1 0 0 1 0
             l4,3 t .  | 1 2 0 0 1 0    a store, behind nothing
             s0,2 t .  | 1 3 0 0 1 0
             .    . .  | 0 - 0 0 1 1    a store waits for the load before it
             a3,3 . 3+ | 0 - 0 0 1 1
             .    t .  | 1 0 0 0 1 0",
        );
    }
}
