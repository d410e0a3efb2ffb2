//! Where the next push goes: the lowest free entry above the active one.
//!
//! ```text
//!             +-----------+---> slot
//!  used ----->|           |---> any
//!             | FreeEntry |---> index
//!  active --->|           |---> one_hot
//!             +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `used` | d | entries in use |
//! | `active` | i | the entry that diverges |
//! | `slot` | d | the same, one-hot |
//! | `any`, `index`, `one_hot` | 1, i, d | there is a free entry above it; the lowest |
//!
//! Latency 0, no state. Entries whose threads have all ended leave holes below others: pushes fill them, always above the
//! entry that diverges, so that the order of the stack stays that of the divergence.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FreeEntry {
        pub used: Net<In> = entries,
        pub active: Net<In> = index_width(entries),
        pub slot: Net<Out> = entries,
        pub any: Signal<Out, Bit>,
        pub index: Net<Out> = index_width(entries),
        pub one_hot: Net<Out> = entries,

        one_entry: Constant = Constant::new(1, entries),
        all_entries: Constant = Constant::new(mask(entries), entries),
        lowest: PriorityEncoder = PriorityEncoder::new(entries) => { any, index, one_hot },
    }
    /// For stacks of `entries` entries.
    pub fn new(entries: usize) {}
}

impl Logic for FreeEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FreeEntry");
        self.slot.next = self.one_entry.val() << self.active.val();
        self.lowest.request.next = !self.used.val() & ((self.all_entries.val() << self.active.val()) << 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// Entries in use, the active one `|` the free entry.
    #[test]
    fn the_lowest_hole_above() {
        let mut free = FreeEntry::new(5);
        free.connect_all();
        for (input, seen) in cycles(
            "-    0 | 1
             014  0 | 2
             014  1 | 2
             24   3 | -   | holes below are not above
             0123 3 | 4
             0123 4 | -",
        ) {
            free.used.next = set(input[0]);
            free.active.next = input[1].parse::<usize>().unwrap().into();
            simulate(&mut free, 100);
            let index = if free.any.val() { free.index.val().value().to_string() } else { "-".into() };
            assert_eq!((digits(free.one_hot.val()), digits(free.slot.val())), (index.clone(), input[1].to_string()));
            assert_eq!([index.as_str()], seen[..], "{input:?}");
        }
    }
}
