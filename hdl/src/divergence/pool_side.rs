//! The slots of the warp pool that have one side: one for each hardware warp.
//!
//! ```text
//!                       +---------------------------+
//!  form, issue ... ---->| PoolSlot x W              |---> used, runnable, open, joins
//!  issuable ----------->|   |                       |---> ready, old, current, urgency[k]
//!  in_decode ---------->|   v  slots as bits        |---> issued_*
//!                       +---------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `form`, `reserve`, `dissolve`, `issue`, `blocks`, `ends` | W | as at [`PoolSlot`](super::PoolSlot), bit per slot |
//! | `new_*`, `now`, `counted`, `current_*` | | as there, for all |
//! | `issuable`, `in_decode` | W | slots whose instruction is in the buffer and waits for no result, or is in DECODE |
//! | `used`, `runnable`, `open`, `joins`, `old`, `current` | W | as there |
//! | `ready` | W | open slots whose first instruction is issuable, or will be in the buffer in the next cycle |
//! | `urgency[k]` | W | bit *k* of everybody's urgency |
//! | `issued_open`, `issued_listed`, `issued_entry` | 1, 1, e | of the slot that issues, if it is one of these; else 0 |
//!
//! Latency 0 but for what the slots keep. No state of its own. Bits by slot and not slots by bit, for that is how [`ChoiceStep`](crate::parts::ChoiceStep)s choose.
use super::PoolSlot;
use crate::config::WarpFormation;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PoolSide: clock, reset {
        pub form: Net<In> = warps,
        pub reserve: Net<In> = warps,
        pub dissolve: Net<In> = warps,
        pub issue: Net<In> = warps,
        pub blocks: Net<In> = warps,
        pub ends: Net<In> = warps,
        pub new_valid: Signal<In, Bit>,
        pub new_entry: Net<In> = entry,
        pub new_claims: Signal<In, Bit>,
        pub new_pc: Net<In> = 32,
        /// With warp barriers: one, else none.
        pub new_static: Vec<Signal<In, Bit>> = bit_vec(config.has_warp_barriers() as usize),
        pub now: Net<In> = stamp,
        pub counted: Signal<In, Bit>,
        pub current_valid: Signal<In, Bit>,
        pub current_entry: Net<In> = entry,
        pub issuable: Net<In> = warps,
        pub in_decode: Net<In> = warps,
        pub used: Net<Out> = warps,
        pub runnable: Net<Out> = warps,
        pub open: Net<Out> = warps,
        pub joins: Net<Out> = warps,
        pub ready: Net<Out> = warps,
        pub old: Net<Out> = warps,
        pub current: Net<Out> = warps,
        pub urgency: Vec<Net<Out>> = Net::vec(urgency, warps),
        pub issued_open: Signal<Out, Bit>,
        pub issued_listed: Signal<Out, Bit>,
        pub issued_entry: Net<Out> = entry,

        slots: Vec<PoolSlot> = (0..warps).map(|_| PoolSlot::new(formation.policy, formation.lut_entries, formation.age_limit, config.has_warp_barriers())).collect() => |i| {
            new_valid, new_entry, new_claims, new_pc, new_static, now, counted, current_valid, current_entry,
        },
        its_urgency: Vec<Net<Local>> = Net::vec(warps, urgency),
    }
    /// Of a core.
    pub fn new(config: &CoreConfig, formation: WarpFormation) {
        let (warps, entry) = (config.warps, index_width(formation.lut_entries));
        let stamp = PoolSlot::stamp_width(formation.age_limit);
        let urgency = PoolSlot::urgency_width(formation.policy, formation.age_limit);
    }
}

impl Logic for PoolSide {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PoolSide");
        self.used.next = 0.into();
        self.joins.next = 0.into();
        self.old.next = 0.into();
        self.current.next = 0.into();
        self.runnable.next = 0.into();
        self.open.next = 0.into();
        self.issued_open.next = false;
        self.issued_listed.next = false;
        self.issued_entry.next = 0.into();
        for b in 0..self.urgency.len() {
            self.urgency[b].next = 0.into();
        }
        for i in 0..self.slots.len() {
            self.slots[i].form.next = self.form.val().get_bit(i);
            self.slots[i].reserve.next = self.reserve.val().get_bit(i);
            self.slots[i].dissolve.next = self.dissolve.val().get_bit(i);
            self.slots[i].issue.next = self.issue.val().get_bit(i);
            self.slots[i].blocks.next = self.blocks.val().get_bit(i);
            self.slots[i].ends.next = self.ends.val().get_bit(i);
            self.used.next = self.used.val().replace_bit(i, self.slots[i].used.val());
            self.joins.next = self.joins.val().replace_bit(i, self.slots[i].joins.val());
            self.old.next = self.old.val().replace_bit(i, self.slots[i].old.val());
            self.current.next = self.current.val().replace_bit(i, self.slots[i].is_current.val());
            self.runnable.next = self.runnable.val().replace_bit(i, self.slots[i].runnable.val());
            self.open.next = self.open.val().replace_bit(i, self.slots[i].open.val());
            self.its_urgency[i].next = self.slots[i].urgency.val();
            for b in 0..self.urgency.len() {
                self.urgency[b].next = self.urgency[b].val().replace_bit(i, self.its_urgency[i].val().get_bit(b));
            }
            if self.issue.val().get_bit(i) {
                self.issued_open.next = self.slots[i].open.val() & self.slots[i].linked.val();
                self.issued_listed.next = self.slots[i].listed.val() & self.slots[i].linked.val();
                self.issued_entry.next = self.slots[i].entry.val();
            }
        }
        self.ready.next = self.open.val() & (self.issuable.val() | self.in_decode.val());
    }
}
