//! The warp pool: which of its slots hold warps, and which of those that threads may join issues first.
//!
//! ```text
//!                        +---------------------------------------------------+
//!  form_*, reserve_* --->| PoolSide x P { PoolSlot x W }                     |---> used[P], joins[P], fetchable[P]
//!  dissolve[P] --------->|      | ready, old, current, urgency               |---> issued_*
//!  issue_*, decoded_* -->|      v                                            |
//!  slot_valid[P] ------->| ChoiceStep x k: old, preferred, urgency --> lowest|---> hold[P]
//!                        +---------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issue_warp`, `issue_valid` | p, 1 | the slot whose instruction issues in this cycle |
//! | `decoded_*`, `decoded_join` | | from DECODE; `decoded_join`: others may come in behind the instruction |
//! | `slot_valid[P]` | W | from the warp buffer: the warp's last instruction has not issued |
//! | `waits[P]` | W | from the scoreboards, where warps dissolve with results outstanding: that instruction waits for one |
//! | `dissolve[P]` | W | warps that are no more |
//! | `form_valid`, `form_slot`, `form_pc` | 1, p, 32 | a warp is formed |
//! | `form_entry`, `form_claims` | e, 1 | its entry of the table; which has been that of another PC |
//! | `form_static` | 1 | with warp barriers: it is in no entry |
//! | `reserve_valid`, `reserve_slot` | 1, p | a warp will be formed in this slot |
//! | `current_*` | 1, e | the entry preferred: see [`WarpLut`](super::WarpLut) |
//! | `fetchable[P]` | W | warps that can be fetched, unless their last instruction is in DECODE or in the buffer |
//! | `hold[P]` | W | open warps, all but the one that issues next: they must not |
//! | `used[P]`, `joins[P]` | W | slots with a warp; whose last instruction before others may come in has been decoded |
//! | `issued_open`, `issued_listed`, `issued_entry` | 1, 1, e | of the slot that issues: it does for the first time, and the table counts it; it could be joined; its entry |
//!
//! Latency: a warp can be fetched in the cycle after it is formed; the choice of a cycle is what may issue in the next. State: that of the slots, the choice, and the number of instructions issued modulo the age limit.
//!
//! Everybody is fetched as soon as possible, and waits in the buffer, open. Of the open warps there that wait for no result, or in DECODE, one at a time may issue, and competes with those that are not open any more: who is old goes first, then who is of the preferred
//! PC, then the most urgent, then the lowest slot. The choice is kept in a register, or the scheduler would come behind it in the same cycle. Fung & Aamodt 2011, 2.3; decision 0040; the age limit: decision 0034.
use super::{PoolSide, PoolSlot};
use crate::config::WarpFormation;
use crate::interface::Decoded;
use crate::parts::ChoiceStep;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpPool: clock, reset {
        pub issue_warp: Net<In> = path,
        pub issue_valid: Signal<In, Bit>,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub decoded_join: Signal<In, Bit>,
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        /// Where warps dissolve with results outstanding: by side, else none.
        pub waits: Vec<Net<In>> = Net::vec(config.of_left_paths(sides), warps),
        pub dissolve: Vec<Net<In>> = Net::vec(sides, warps),
        pub form_valid: Signal<In, Bit>,
        pub form_slot: Net<In> = path,
        pub form_pc: Net<In> = 32,
        pub form_entry: Net<In> = entry,
        pub form_claims: Signal<In, Bit>,
        /// With warp barriers: one, else none.
        pub form_static: Vec<Signal<In, Bit>> = bit_vec(config.has_warp_barriers() as usize),
        pub reserve_valid: Signal<In, Bit>,
        pub reserve_slot: Net<In> = path,
        pub current_valid: Signal<In, Bit>,
        pub current_entry: Net<In> = entry,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub hold: Vec<Net<Out>> = Net::vec(sides, warps),
        pub used: Vec<Net<Out>> = Net::vec(sides, warps),
        pub joins: Vec<Net<Out>> = Net::vec(sides, warps),
        pub issued_open: Signal<Out, Bit>,
        pub issued_listed: Signal<Out, Bit>,
        pub issued_entry: Net<Out> = entry,

        sides: Vec<PoolSide> = (0..sides).map(|_| PoolSide::new(config, formation)).collect() => |s| {
            dissolve: dissolve[s], new_valid: form_valid, new_pc: form_pc, new_static: form_static, new_entry: form_entry,
            new_claims: form_claims, now: issues.q, counted: issue_valid, current_valid, current_entry,
            used: used[s], runnable: fetchable[s], joins: joins[s],
        },
        issues: Register = Register::new(stamp),
        /// The open warp that issues next: one-hot, or 0.
        next: Vec<Register> = Register::vec(sides, warps),
        by_age: ChoiceStep = ChoiceStep::new(sides, warps),
        by_current: ChoiceStep = ChoiceStep::new(sides, warps),
        /// The lowest bit first.
        by_urgency: Vec<ChoiceStep> = (0..urgency).map(|_| ChoiceStep::new(sides, warps)).collect(),
        lowest: Vec<PriorityEncoder> = (0..sides).map(|_| PriorityEncoder::new(warps)).collect(),
        side_numbers: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),
        one: Constant = Constant::new(1, warps),
        chosen: Signal<Local, Bit>,
        issued_side: Net<Local> = path,
        decoded_side: Net<Local> = path,
        formed_side: Net<Local> = path,
        reserved_side: Net<Local> = path,
        issued_bit: Net<Local> = warps,
        decoded_bit: Net<Local> = warps,
        formed_bit: Net<Local> = warps,
        reserved_bit: Net<Local> = warps,
    }
    sizes { _warp = w, _last = urgency - 1 }
    /// Of a core.
    pub fn new(config: &CoreConfig, formation: WarpFormation) {
        let (warps, sides, w, path) = (config.warps, config.sides(), config.warp_width(), config.path_width());
        let entry = index_width(formation.lut_entries);
        let stamp = PoolSlot::stamp_width(formation.age_limit);
        let urgency = PoolSlot::urgency_width(formation.policy, formation.age_limit);
    }
}

impl Logic for WarpPool {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpPool");
        dff_setup!(self, clock, issues);
        if self.issue_valid.val() {
            self.issues.d.next = self.issues.q.val() + 1;
        }

        // What happens to which slot.
        self.issued_side.next = self.issue_warp.val() & self.side_bits.val();
        self.issued_bit.next = self.one.val() << bit_cast_to(self.issue_warp.val(), self._warp);
        self.decoded_side.next = self.decoded.warp.val() & self.side_bits.val();
        self.decoded_bit.next = self.one.val() << bit_cast_to(self.decoded.warp.val(), self._warp);
        self.formed_side.next = self.form_slot.val() & self.side_bits.val();
        self.formed_bit.next = self.one.val() << bit_cast_to(self.form_slot.val(), self._warp);
        self.reserved_side.next = self.reserve_slot.val() & self.side_bits.val();
        self.reserved_bit.next = self.one.val() << bit_cast_to(self.reserve_slot.val(), self._warp);
        self.issued_open.next = false;
        self.issued_listed.next = false;
        self.issued_entry.next = 0.into();
        for s in 0..self.sides.len() {
            self.sides[s].issue.next = 0.into();
            if self.issue_valid.val() & (self.issued_side.val() == self.side_numbers[s].val()) {
                self.sides[s].issue.next = self.issued_bit.val();
            }
            self.sides[s].in_decode.next = 0.into();
            self.sides[s].blocks.next = 0.into();
            self.sides[s].ends.next = 0.into();
            if self.decoded.valid.val() & (self.decoded_side.val() == self.side_numbers[s].val()) {
                self.sides[s].in_decode.next = self.decoded_bit.val();
                if self.decoded.control.val() {
                    self.sides[s].blocks.next = self.decoded_bit.val();
                }
                if self.decoded_join.val() {
                    self.sides[s].ends.next = self.decoded_bit.val();
                }
            }
            self.sides[s].form.next = 0.into();
            if self.form_valid.val() & (self.formed_side.val() == self.side_numbers[s].val()) {
                self.sides[s].form.next = self.formed_bit.val();
            }
            self.sides[s].reserve.next = 0.into();
            if self.reserve_valid.val() & (self.reserved_side.val() == self.side_numbers[s].val()) {
                self.sides[s].reserve.next = self.reserved_bit.val();
            }
            self.issued_open.next = self.issued_open.val() | self.sides[s].issued_open.val();
            self.issued_listed.next = self.issued_listed.val() | self.sides[s].issued_listed.val();
            self.issued_entry.next = self.issued_entry.val() | self.sides[s].issued_entry.val();
        }

        for s in 0..self.sides.len() {
            self.sides[s].issuable.next = self.slot_valid[s].val();
        }
        for s in 0..self.waits.len() {
            self.sides[s].issuable.next = self.slot_valid[s].val() & !self.waits[s].val();
        }

        // The choice: bit by bit, the highest first.
        for s in 0..self.sides.len() {
            self.by_age.candidates[s].next = self.sides[s].ready.val();
            self.by_age.plane[s].next = self.sides[s].old.val();
            self.by_current.candidates[s].next = self.by_age.left[s].val();
            self.by_current.plane[s].next = self.sides[s].current.val();
            for b in 0..self._last {
                self.by_urgency[b].candidates[s].next = self.by_urgency[b + 1].left[s].val();
            }
            for b in self._last..self.by_urgency.len() {
                self.by_urgency[b].candidates[s].next = self.by_current.left[s].val();
            }
            for b in 0..self.by_urgency.len() {
                self.by_urgency[b].plane[s].next = self.sides[s].urgency[b].val();
            }
            self.lowest[s].request.next = self.by_urgency[0].left[s].val();
        }
        self.chosen.next = false;
        for s in 0..self.sides.len() {
            self.next[s].d.next = 0.into();
            if !self.chosen.val() {
                self.next[s].d.next = self.lowest[s].one_hot.val();
            }
            self.hold[s].next = self.sides[s].open.val() & !self.next[s].q.val();
            self.chosen.next = self.chosen.val() | self.lowest[s].any.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{FormationHazards, IssuePolicy, Mechanism};
    use crate::divergence::cycle_script::cycles;

    /// Slots 0 to 3 have side 0, 4 to 7 side 1. `form` a slot with an entry; `decode` a slot, with `control` or `join`; `current` entry; `valid`: slots whose
    /// instruction is in the buffer; `issue` one `|` slots that can be fetched, those in the buffer that may issue, slots used, slots that have come to where others come in.
    const SCRIPT: &str = "
        form 5 1                          | - - -
        form 2 0                          | 5 - 5
        valid 25                          | 25 - 25
        valid 25                          | 25 2 25    | of the same age: the lowest
        valid 25 current 1                | 25 2 25
        valid 25                          | 25 5 25    | whoever is preferred
        valid 25 decode 5                 | 25 2 25
        valid 25 issue 2                  | 25 2 25
        valid 5                           | 25 - 25    | the last choice is open no more
        valid 5 decode 2 control          | 25 5 25
        decode 5 join                     | 5 - 25
        -                                 | - - 25 5   | it must issue first
        valid 5                           | - - 25 5
        valid 5 issue 5                   | - 5 25 5
        dissolve 5 form 7 0               | - - 25 5
        dissolve 2 reserve 0              | 7 - 27
        form 0 1                          | 7 - 07
        valid 07 decode 7 control current 0 | 07 - 07
        valid 07 issue 7 current 0        | 0 7 07
        valid 0 dissolve 7 form 7 0       | 0 - 07
        valid 07 current 0                | 07 0 07
        valid 07 current 0 issue 3        | 07 7 07
        valid 07 current 0 issue 3        | 07 7 07
        valid 07 current 0 issue 3        | 07 7 07
        valid 07 current 0                | 07 7 07
        valid 07 current 0                | 07 0 07    | it has waited for four instructions
        reserve 6                         | 07 - 07
        -                                 | 07 - 067";

    /// Of one side.
    const ONE_SIDE: &str = "
        form 1 0                          | - - -
        reserve 2                         | 1 - 1
        valid 1 reserve 3                 | 1 - 12
        valid 1                           | 1 1 123
        valid 1 decode 1 control          | 1 1 123
        issue 1                           | - - 123
        dissolve 1 form 2 1               | - - 123
        valid 2                           | 2 - 23
        valid 2                           | 2 2 23";

    /// Of warps that dissolve with results outstanding: `waits` for one, in the buffer.
    const ORPHANS: &str = "
        form 5 0                          | - - -
        form 2 1                          | 5 - 5
        valid 25 waits 2                  | 25 - 25
        valid 25 waits 2                  | 25 5 25    | the lowest waits
        valid 25                          | 25 5 25
        valid 25                          | 25 2 25
        valid 25 waits 25                 | 25 2 25
        valid 25                          | 25 - 25    | both have waited
        valid 2 decode 5                  | 25 2 25
        valid 25 waits 25                 | 25 2 25
        valid 2 waits 2 decode 5          | 25 - 25
        valid 25                          | 25 5 25    | who is in DECODE has not been asked yet
        valid 25 current 1 waits 2        | 25 2 25
        valid 25 current 1                | 25 5 25    | nor does who is preferred go first, waiting";

    #[test]
    fn who_is_old_goes_first_then_who_is_preferred() {
        play(two_sides(), SCRIPT);
    }

    #[test]
    fn a_slot_of_one_side_is_reserved() {
        play(WarpFormation { sides: 1, ..two_sides() }, ONE_SIDE);
    }

    #[test]
    fn who_waits_for_a_result_is_not_chosen() {
        play(WarpFormation { hazards: FormationHazards::Orphans, ..two_sides() }, ORPHANS);
    }

    fn two_sides() -> WarpFormation {
        WarpFormation { policy: IssuePolicy::Majority, age_limit: 4, sides: 2, ..WarpFormation::DEFAULT }
    }

    fn play(how: WarpFormation, script: &str) {
        let config = CoreConfig { mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
        let mut pool = WarpPool::new(&config, how);
        pool.connect_all();
        simulate(&mut pool, 1000);
        for (input, seen) in cycles(script) {
            let behind = |name: &str, place: usize| {
                let at = input.iter().position(|word| *word == name)?;
                Some(input[at + place])
            };
            let number = |name: &str, place: usize| behind(name, place).map(|text| text.parse::<usize>().unwrap());
            let side = |name: &str, s: usize| {
                let slots = behind(name, 1).unwrap_or("").bytes().map(|digit| usize::from(digit - b'0'));
                Word::from(slots.filter(|slot| slot / 4 == s).fold(0usize, |set, slot| set | 1 << (slot % 4)))
            };
            pool.issue_valid.next = number("issue", 1).is_some();
            pool.issue_warp.next = number("issue", 1).unwrap_or(0).into();
            pool.decoded.valid.next = number("decode", 1).is_some();
            pool.decoded.warp.next = number("decode", 1).unwrap_or(0).into();
            pool.decoded.control.next = input.contains(&"control");
            pool.decoded_join.next = input.contains(&"join");
            pool.form_valid.next = number("form", 1).is_some();
            pool.form_slot.next = number("form", 1).unwrap_or(0).into();
            pool.form_entry.next = number("form", 2).unwrap_or(0).into();
            pool.reserve_valid.next = number("reserve", 1).is_some();
            pool.reserve_slot.next = number("reserve", 1).unwrap_or(0).into();
            pool.current_valid.next = number("current", 1).is_some();
            pool.current_entry.next = number("current", 1).unwrap_or(0).into();
            for s in 0..how.sides {
                pool.slot_valid[s].next = side("valid", s);
                pool.dissolve[s].next = side("dissolve", s);
            }
            for s in 0..pool.waits.len() {
                pool.waits[s].next = side("waits", s);
            }
            simulate(&mut pool, 1000);
            let slots = |sides: &mut dyn Iterator<Item = Word>| {
                let set = sides.enumerate().fold(0, |set, (s, slots)| set | slots.value() << (4 * s));
                let names: String = (0..8).filter(|slot| set >> slot & 1 == 1).map(|slot| slot.to_string()).collect();
                if names.is_empty() { "-".to_string() } else { names }
            };
            let may_issue = slots(&mut (0..how.sides).map(|s| side("valid", s) & !pool.hold[s].val()));
            let [fetchable, used, joins] =
                [&pool.fetchable, &pool.used, &pool.joins].map(|nets| slots(&mut nets.iter().map(|net| net.val())));
            let mut found = vec![fetchable, may_issue, used];
            found.extend(Some(joins).filter(|slots| slots != "-"));
            assert_eq!(found, seen, "{input:?}");
            tick!(pool);
        }
    }
}
