//! Where the shared memory of a thread's CTA begins.
//!
//! ```text
//!               +------------+
//!  slot ------->| SharedBase |---> base
//!  bases[C] --->|            |
//!               +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot` | c | CTA slot of the thread |
//! | `bases[C]` | s | by CTA slot: where its part of shared memory begins |
//! | `base` | 32 | where that of this slot does |
//!
//! Latency 0, no state. Where warps are of threads of several CTAs every lane has one, so it looks up no more bits than shared memory has addresses.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SharedBase {
        pub slot: Net<In> = config.slot_width(),
        pub bases: Vec<Net<In>> = Net::vec(config.cta_slots, config.shared_width()),
        pub base: Net<Out> = 32,

        of_slot: IndexedMux = IndexedMux::new(config.shared_width(), config.cta_slots) => { inputs: bases, index: slot },
    }
    /// For the CTAs of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for SharedBase {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SharedBase");
        self.base.next = bit_cast_to(self.of_slot.selected.val(), 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_slot() {
        let mut unit = SharedBase::new(&CoreConfig::tiny());
        unit.connect_all();
        for (slot, base) in [0usize, 0x400, 0x800, 0x1c00].into_iter().enumerate() {
            unit.bases[slot].next = base.into();
        }
        for (slot, base) in [(3, 0x1c00), (0, 0), (2, 0x800), (1, 0x400)] {
            unit.slot.next = slot.into();
            simulate(&mut unit, 100);
            assert_eq!(unit.base.val().value(), base);
        }
    }
}
