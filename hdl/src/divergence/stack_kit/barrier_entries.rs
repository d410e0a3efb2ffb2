//! Entries of warps' stacks that wait at `bar.sync`, and warps of which all do.
//!
//! ```text
//!                        +----------------------------------+
//!  barrier_release ----->| warps with waiting entries       |---> released, interrupted
//!  warp ---------------->| waiting entries by side and warp |---> waits[S]
//!  arrive[S], slot ----->|                                  |
//!  park ---------------->| warps that are parked            |---> waiting
//!                        +----------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `barrier_release` | W | warps whose waiting threads may go on |
//! | `released` | W | those of them that have any |
//! | `warp` | w | the warp that the engine works on |
//! | `interrupted` | 1 | it is released |
//! | `waits[S]` | d | its entries whose path on this side waits |
//! | `arrive[S]`, `slot` | 1, d | the path of this entry begins to wait (one-hot) |
//! | `park` | 1 | nothing of the warp is left to run |
//! | `waiting` | W | such warps |
//!
//! Latency: reads 0, commands 1. State: a bit per entry and side, two bits per warp. What `barrier_release` forgets is a bit per warp; the entries'
//! bits mean nothing without it.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BarrierEntries: clock, reset {
        pub barrier_release: Net<In> = warps,
        pub released: Net<Out> = warps,
        pub warp: Net<In> = index_width(warps),
        pub interrupted: Signal<Out, Bit>,
        pub waits: Vec<Net<Out>> = Net::vec(sides, entries),
        pub arrive: Vec<Signal<In, Bit>> = bit_vec(sides),
        pub slot: Net<In> = entries,
        pub park: Signal<In, Bit>,
        pub waiting: Net<Out> = warps,

        /// By side and warp: its waiting entries, as far as `at_barrier` says so.
        barred: Vec<Memory> = (0..sides).map(|_| Memory::new(entries, warps, 1, 1, ReadKind::Asynchronous)).collect() => |s| {
            read_address[0]: warp, write_enable[0]: arrives, write_address[0]: warp,
        },
        /// Bit per warp: some entry waits.
        at_barrier: Register = Register::new(warps),
        /// Bit per warp: every entry does.
        parked: Register = Register::new(warps) => { q: waiting },
        one_warp: Constant = Constant::new(1, warps),
        warp_bit: Net<Local> = warps,
        arrives: Signal<Local, Bit>,
    }
    /// For `warps` stacks of `entries` entries with `sides` paths.
    pub fn new(warps: usize, entries: usize, sides: usize) {}
}

impl Logic for BarrierEntries {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BarrierEntries");
        dff_setup!(self, clock, at_barrier, parked);
        self.warp_bit.next = self.one_warp.val() << self.warp.val();
        self.released.next = self.barrier_release.val() & self.at_barrier.q.val();
        self.interrupted.next = (self.released.val() & self.warp_bit.val()).any();
        self.arrives.next = false;
        for s in 0..self.barred.len() {
            self.arrives.next = self.arrives.val() | self.arrive[s].val();
        }
        for s in 0..self.barred.len() {
            self.waits[s].next = 0.into();
            if (self.at_barrier.q.val() & self.warp_bit.val()).any() {
                self.waits[s].next = self.barred[s].read_data[0].val();
            }
            self.barred[s].write_data[0].next = self.waits[s].val();
            if self.arrive[s].val() {
                self.barred[s].write_data[0].next = self.waits[s].val() | self.slot.val();
            }
        }
        self.at_barrier.d.next = self.at_barrier.q.val() & !self.released.val();
        if self.arrives.val() {
            self.at_barrier.d.next = (self.at_barrier.q.val() & !self.released.val()) | self.warp_bit.val();
        }
        self.parked.d.next = self.parked.q.val() & !self.released.val();
        if self.park.val() {
            self.parked.d.next = (self.parked.q.val() & !self.released.val()) | self.warp_bit.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: the warp looked at, then `arrive:SIDE@ENTRY`, `park`, `release:WARPS` `|` its waiting entries by side, warps that wait, warps released.
    #[test]
    fn entries_wait_until_their_warp_is_released() {
        let mut barrier = BarrierEntries::new(3, 4, 2);
        barrier.connect_all();
        simulate(&mut barrier, 1000);
        let script = "
            1                | - - - -
            1 release:012    | - - - -   | nobody waits
            1 arrive:0@2     | - - - -
            1 arrive:1@0     | 2 - - -
            2 arrive:0@3     | - - - -
            2 park           | 3 - - -
            1 park           | 2 0 2 -
            1                | 2 0 12 -
            1 release:1      | 2 0 12 1
            1 arrive:1@3     | - - 2 -   | what waited before is forgotten
            1                | - 3 2 -
            2 release:012    | 3 - 2 12
            2                | - - - -";
        for (input, seen) in cycles(script) {
            let command = |name: &str| input.iter().find_map(|word| word.strip_prefix(name));
            let arrives = command("arrive:").and_then(|place| place.split_once('@'));
            barrier.warp.next = input[0].parse::<usize>().unwrap().into();
            (0..2).for_each(|s| barrier.arrive[s].next = arrives.is_some_and(|(side, _)| side == s.to_string()));
            barrier.slot.next = set(arrives.map_or("-", |(_, entry)| entry));
            barrier.park.next = input.contains(&"park");
            barrier.barrier_release.next = set(command("release:").unwrap_or("-"));
            simulate(&mut barrier, 1000);
            let seen_now = [&barrier.waits[0], &barrier.waits[1], &barrier.waiting, &barrier.released];
            assert_eq!(seen_now.map(|net| digits(net.val())), seen[..], "{input:?}");
            assert_eq!(barrier.interrupted.val(), seen[3].contains(input[0]), "{input:?}");
            tick!(barrier);
        }
    }
}
