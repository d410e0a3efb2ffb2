//! The warp pool: which of its slots hold warps, and which warp is fetched.
//!
//! ```text
//!                        +--------------------------------------------------+
//!  form_*, reserve_* --->| PoolSide x P { PoolSlot x W }                    |---> used[P], joins[P]
//!  dissolve[P] --------->|      | runnable, old, current, urgency           |---> fetched_*
//!  fetch_*, decoded_* -->|      v                                           |---> held_waits
//!  slot_valid[P] ------->| ChoiceStep x k: old, preferred, urgency --> lowest|---> fetchable[P]
//!                        +--------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `fetch_valid` | p, 1 | the slot fetched this cycle |
//! | `decoded_*`, `decoded_join` | | from DECODE; `decoded_join`: others may come in behind the instruction |
//! | `slot_valid[P]` | W | from the warp buffer: the warp's last instruction has not issued |
//! | `dissolve[P]` | W | warps that are no more |
//! | `form_valid`, `form_slot`, `form_pc` | 1, p, 32 | a warp is formed |
//! | `form_entry`, `form_claims` | e, 1 | its entry of the table; which has been that of another PC |
//! | `form_static` | 1 | with warp barriers: it is in no entry |
//! | `reserve_valid`, `reserve_slot` | 1, p | a warp will be formed in this slot |
//! | `held_*`, `current_*` | 1, e | the entry preferred at the last fetch; at the next: see [`WarpLut`](super::WarpLut) |
//! | `held_waits` | 1 | a warp of `held_entry` could be fetched |
//! | `fetchable[P]` | W | one-hot: the warp to be fetched |
//! | `used[P]`, `joins[P]` | W | slots with a warp; whose last instruction before others may come in has been decoded |
//! | `fetched_open`, `fetched_listed`, `fetched_entry` | 1, 1, e | of the slot fetched: it is for the first time, and the table counts it; it could be joined; its entry |
//!
//! Latency: a warp can be fetched in the cycle after it is formed. State: that of the slots, and the number of fetches modulo the age limit.
//!
//! Whoever is old goes first, then whoever is of the preferred PC, then the most urgent, then the lowest slot. A slot whose instruction is in DECODE or in the
//! buffer is no candidate. Fung & Aamodt 2011, 2.3; the age limit: decision 0034.
use super::{PoolSide, PoolSlot};
use crate::config::WarpFormation;
use crate::interface::Decoded;
use crate::parts::ChoiceStep;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpPool: clock, reset {
        pub fetch_warp: Net<In> = path,
        pub fetch_valid: Signal<In, Bit>,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub decoded_join: Signal<In, Bit>,
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
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
        pub held_valid: Signal<In, Bit>,
        pub held_entry: Net<In> = entry,
        pub current_valid: Signal<In, Bit>,
        pub current_entry: Net<In> = entry,
        pub held_waits: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub used: Vec<Net<Out>> = Net::vec(sides, warps),
        pub joins: Vec<Net<Out>> = Net::vec(sides, warps),
        pub fetched_open: Signal<Out, Bit>,
        pub fetched_listed: Signal<Out, Bit>,
        pub fetched_entry: Net<Out> = entry,

        sides: Vec<PoolSide> = (0..sides).map(|_| PoolSide::new(config, formation)).collect() => |s| {
            slot_valid: slot_valid[s], dissolve: dissolve[s], new_valid: form_valid, new_pc: form_pc, new_static: form_static, new_entry: form_entry,
            new_claims: form_claims, now: fetches.q, counted: fetch_valid, held_valid, held_entry, current_valid, current_entry,
            used: used[s], joins: joins[s],
        },
        fetches: Register = Register::new(stamp),
        by_age: ChoiceStep = ChoiceStep::new(sides, warps),
        by_current: ChoiceStep = ChoiceStep::new(sides, warps),
        /// The lowest bit first.
        by_urgency: Vec<ChoiceStep> = (0..urgency).map(|_| ChoiceStep::new(sides, warps)).collect(),
        lowest: Vec<PriorityEncoder> = (0..sides).map(|_| PriorityEncoder::new(warps)).collect(),
        side_numbers: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),
        one: Constant = Constant::new(1, warps),
        chosen: Signal<Local, Bit>,
        fetched_side: Net<Local> = path,
        decoded_side: Net<Local> = path,
        formed_side: Net<Local> = path,
        reserved_side: Net<Local> = path,
        fetched_bit: Net<Local> = warps,
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
        dff_setup!(self, clock, fetches);
        if self.fetch_valid.val() {
            self.fetches.d.next = self.fetches.q.val() + 1;
        }

        // What happens to which slot.
        self.fetched_side.next = self.fetch_warp.val() & self.side_bits.val();
        self.fetched_bit.next = self.one.val() << bit_cast_to(self.fetch_warp.val(), self._warp);
        self.decoded_side.next = self.decoded.warp.val() & self.side_bits.val();
        self.decoded_bit.next = self.one.val() << bit_cast_to(self.decoded.warp.val(), self._warp);
        self.formed_side.next = self.form_slot.val() & self.side_bits.val();
        self.formed_bit.next = self.one.val() << bit_cast_to(self.form_slot.val(), self._warp);
        self.reserved_side.next = self.reserve_slot.val() & self.side_bits.val();
        self.reserved_bit.next = self.one.val() << bit_cast_to(self.reserve_slot.val(), self._warp);
        self.held_waits.next = false;
        self.fetched_open.next = false;
        self.fetched_listed.next = false;
        self.fetched_entry.next = 0.into();
        for s in 0..self.sides.len() {
            self.sides[s].fetch.next = 0.into();
            if self.fetch_valid.val() & (self.fetched_side.val() == self.side_numbers[s].val()) {
                self.sides[s].fetch.next = self.fetched_bit.val();
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
            self.held_waits.next = self.held_waits.val() | self.sides[s].held.val().any();
            self.fetched_open.next = self.fetched_open.val() | self.sides[s].fetched_open.val();
            self.fetched_listed.next = self.fetched_listed.val() | self.sides[s].fetched_listed.val();
            self.fetched_entry.next = self.fetched_entry.val() | self.sides[s].fetched_entry.val();
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
            self.fetchable[s].next = 0.into();
            if !self.chosen.val() {
                self.fetchable[s].next = self.lowest[s].one_hot.val();
            }
            self.chosen.next = self.chosen.val() | self.lowest[s].any.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{FetchPolicy, Mechanism};
    use crate::divergence::cycle_script::cycles;

    /// Slots 0 to 3 have side 0, 4 to 7 side 1. `form` a slot with an entry; `decode` a slot, with `control` or `join`; `current` entry; `valid`: the slot's
    /// instruction is in the buffer `|` slot to be fetched, slots used, slots that have come to where others come in.
    const SCRIPT: &str = "
        form 5 1                   | - -
        form 2 0                   | 5 5
        -                          | 2 25       | of the same age: the lowest
        current 1                  | 5 25
        fetch 5 current 1          | 5 25
        decode 5 current 1         | 2 25
        valid 5 current 1          | 2 25
        fetch 2                    | 2 25
        decode 2 control           | 5 25
        fetch 5                    | 5 25
        decode 5 join              | - 25
        dissolve 5 form 7 0        | - 25 5
        dissolve 2 reserve 0       | 7 27
        form 0 1                   | 7 07
        fetch 7 current 0          | 7 07
        decode 7 control           | 0 07
        dissolve 7 form 7 0        | 0 07
        fetch 7 current 0          | 7 07
        decode 7 current 0         | 0 07
        fetch 7 current 0          | 7 07
        decode 7 current 0         | 0 07
        fetch 7 current 0          | 7 07
        decode 7 current 0         | 0 07
        current 0                  | 0 07       | it has waited for four fetches";

    #[test]
    fn who_is_old_goes_first_then_who_is_preferred() {
        let how = WarpFormation { policy: FetchPolicy::Majority, age_limit: 4, ..WarpFormation::DEFAULT };
        let config = CoreConfig { mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
        let mut pool = WarpPool::new(&config, how);
        pool.connect_all();
        simulate(&mut pool, 1000);
        let side = |slot: usize, s: usize| (if slot / 4 == s { 1 << (slot % 4) } else { 0usize }).into();
        for (input, seen) in cycles(SCRIPT) {
            let number = |name: &str, place: usize| {
                let at = input.iter().position(|word| *word == name)?;
                Some(input[at + place].parse::<usize>().unwrap())
            };
            pool.fetch_valid.next = number("fetch", 1).is_some();
            pool.fetch_warp.next = number("fetch", 1).unwrap_or(0).into();
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
            for s in 0..2 {
                pool.slot_valid[s].next = side(number("valid", 1).unwrap_or(8), s);
                pool.dissolve[s].next = side(number("dissolve", 1).unwrap_or(8), s);
            }
            simulate(&mut pool, 1000);
            let slots = |sides: &[Net<Out>]| {
                let set = sides[0].val().value() | sides[1].val().value() << 4;
                let names: String = (0..8).filter(|slot| set >> slot & 1 == 1).map(|slot| slot.to_string()).collect();
                names
            };
            let mut found = [&pool.fetchable, &pool.used].map(|sides| slots(sides)).to_vec();
            found.iter_mut().filter(|slots| slots.is_empty()).for_each(|slots| *slots = "-".into());
            found.extend(Some(slots(&pool.joins)).filter(|slots| !slots.is_empty()));
            assert_eq!(found, seen, "{input:?}");
            tick!(pool);
        }
    }
}
