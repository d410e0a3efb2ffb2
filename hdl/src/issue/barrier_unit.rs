//! CTA barriers: releases a CTA's warps when all its live threads wait at `bar.sync`.
//!
//! ```text
//!                   +-------------+
//!  cta_start_* ---->|             |
//!     arrive_* ---->| BarrierUnit |---> barrier_release
//!       exit_* ---->|             |---> cta_release
//!  warp_slot[W] --->|             |
//!      resident --->|             |
//!                   +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `cta_start_valid`, `cta_start_slot`, `cta_start_threads` | 1, c, 16 | from the CTA dispatcher |
//! | `arrive_valid`, `arrive_warp`, `arrive_count` | 1, w, n | from the reconvergence unit: threads of a warp reach `bar.sync` |
//! | `exit_valid`, `exit_warp`, `exit_count` | 1, w, n | threads of a warp end |
//! | `warp_slot[W]` | c | CTA slot of each warp |
//! | `cta_threads[C]`, `home_slots[W]` | n, c | where warps are of threads of several CTAs, instead of `*_warp`, `*_count` and `warp_slot`: by CTA how many threads do, or end; CTA slot of each home warp |
//! | `resident` | W | warps that run: others have no slot to speak of |
//! | `barrier_release` | W | one-cycle pulse for the warps that go on |
//! | `cta_release` | C | the same by CTA slot |
//!
//! Latency 1 from the last arrival. State: two counts per CTA slot. Spec rules 7 and 10.
use super::BarrierSlot;
use crate::interface::{CtaStart, ThreadEvent};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BarrierUnit: clock, reset {
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub arrive: ThreadEvent<In> = ThreadEvent::of(config),
        pub exit: ThreadEvent<In> = ThreadEvent::of(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub cta_threads: Vec<Net<In>> = Net::vec(mixed, count),
        pub home_slots: Vec<Net<In>> = Net::vec(config.where_mixed(warps), c),
        pub resident: Net<In> = warps,
        pub barrier_release: Net<Out> = warps,
        pub cta_release: Net<Out> = config.cta_slots,

        slots: Vec<BarrierSlot> = (mixed..config.cta_slots).map(|_| BarrierSlot::new(count)).collect() => |s| {
            threads: cta_start.threads, arrive_count: arrive.count, exit_count: exit.count,
        },
        /// Where warps are of threads of several CTAs, instead.
        mixed_slots: Vec<BarrierSlot> = (0..mixed).map(|_| BarrierSlot::new(count)).collect() => |s| {
            threads: cta_start.threads, arrive_count: cta_threads[s], exit_count: cta_threads[s], arrive: arrive.valid, exit: exit.valid,
        },
        arrive_slot: IndexedMux = IndexedMux::new(c, warps) => { inputs: warp_slot, index: arrive.warp },
        exit_slot: IndexedMux = IndexedMux::new(c, warps) => { inputs: warp_slot, index: exit.warp },
        going_on: Net<Local> = warps,
    }
    /// The barrier unit of a core.
    pub fn new(config: &CoreConfig) {
        let (c, warps) = (config.slot_width(), config.warps);
        let (count, mixed) = (index_width(config.lanes + 1), config.where_mixed(config.cta_slots));
    }
}

impl Logic for BarrierUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BarrierUnit");

        self.cta_release.next = 0.into();
        for s in 0..self.slots.len() {
            self.slots[s].start.next = self.cta_start.valid.val() & (self.cta_start.slot.val() == s);
            self.slots[s].arrive.next = self.arrive.valid.val() & (self.arrive_slot.selected.val() == s);
            self.slots[s].exit.next = self.exit.valid.val() & (self.exit_slot.selected.val() == s);
            self.cta_release.next = self.cta_release.val().replace_bit(s, self.slots[s].complete.val());
        }
        for s in 0..self.mixed_slots.len() {
            self.mixed_slots[s].start.next = self.cta_start.valid.val() & (self.cta_start.slot.val() == s);
            self.cta_release.next = self.cta_release.val().replace_bit(s, self.mixed_slots[s].complete.val());
        }
        self.going_on.next = 0.into();
        for i in 0..self.warp_slot.len() {
            self.going_on.next =
                self.going_on.val().replace_bit(i, self.cta_release.val().get_bit(self.warp_slot[i].val().index()));
        }
        for i in 0..self.home_slots.len() {
            self.going_on.next =
                self.going_on.val().replace_bit(i, self.cta_release.val().get_bit(self.home_slots[i].val().index()));
        }
        self.barrier_release.next = self.going_on.val() & self.resident.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slot 0 holds warps 0 and 1 with 7 threads, slot 1 warps 2 and 3 with 8.
    /// `arrive exit | release` as `warp:threads`.
    const BARRIERS: &str = "
        0:4 -   | 0000
        2:4 -   | 0000
        1:2 -   | 0000
        -   1:1 | 0000   six of seven wait, the seventh ends
        -   -   | 0011   and that completes the barrier
        -   -   | 0000   one cycle
        3:4 -   | 0000
        0:4 -   | 1100
        1:2 -   | 0000
        -   -   | 0011   the next round needs six";

    #[test]
    fn counts_threads() {
        let mut unit = BarrierUnit::new(&CoreConfig::tiny());
        unit.connect_all();
        for (warp, slot) in [0, 0, 1, 1].into_iter().enumerate() {
            unit.warp_slot[warp].next = Word::from(slot as usize);
        }
        unit.resident.next = 0b1111.into();
        simulate(&mut unit, 1000);
        let edge = |unit: &mut BarrierUnit| {
            for _ in 0..2 {
                unit.clock.next = !unit.clock.val();
                simulate(unit, 1000);
            }
        };
        for (slot, threads) in [(0usize, 7usize), (1, 8)] {
            unit.cta_start.valid.next = true;
            unit.cta_start.slot.next = slot.into();
            unit.cta_start.threads.next = threads.into();
            simulate(&mut unit, 1000);
            edge(&mut unit);
        }
        unit.cta_start.valid.next = false;
        let pair =
            |text: &str| text.split_once(':').map(|(w, n)| (w.parse::<usize>().unwrap(), n.parse::<usize>().unwrap()));
        for line in BARRIERS.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            let (arrive, exit) = (pair(field(0)), pair(field(1)));
            unit.arrive.valid.next = arrive.is_some();
            unit.arrive.warp.next = arrive.map_or(0, |p| p.0).into();
            unit.arrive.count.next = arrive.map_or(0, |p| p.1).into();
            unit.exit.valid.next = exit.is_some();
            unit.exit.warp.next = exit.map_or(0, |p| p.0).into();
            unit.exit.count.next = exit.map_or(0, |p| p.1).into();
            simulate(&mut unit, 1000);
            assert_eq!(format!("{:04b}", unit.barrier_release.val().value()), field(3), "{line}");
            edge(&mut unit);
        }
    }

    /// The same slots, whose threads come in warps of several CTAs: `arrive exit | release`, threads of slots 0 and 1.
    const OF_SEVERAL: &str = "
        2+2 -   | 0000
        4+0 -   | 0000
        -   1+1 | 0000   all seven wait, or have ended
        0+4 -   | 0011
        0+1 -   | 0000
        1+0 -   | 1100
        5+0 -   | 0000
        -   -   | 0011   the next round needs six";

    #[test]
    fn counts_threads_by_cta() {
        let mut unit = BarrierUnit::new(&CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() });
        unit.connect_all();
        for (warp, slot) in [0usize, 0, 1, 1].into_iter().enumerate() {
            unit.home_slots[warp].next = slot.into();
        }
        unit.resident.next = 0b1111.into();
        simulate(&mut unit, 1000);
        for (slot, threads) in [(0usize, 7usize), (1, 8)] {
            unit.cta_start.valid.next = true;
            unit.cta_start.slot.next = slot.into();
            unit.cta_start.threads.next = threads.into();
            simulate(&mut unit, 1000);
            tick!(unit);
        }
        unit.cta_start.valid.next = false;
        let counts = |text: &str| -> Option<Vec<usize>> { text.split('+').map(|number| number.parse().ok()).collect() };
        for line in OF_SEVERAL.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (arrive, exit) = (counts(fields[0]), counts(fields[1]));
            unit.arrive.valid.next = arrive.is_some();
            unit.exit.valid.next = exit.is_some();
            for (slot, count) in arrive.or(exit).unwrap_or_default().into_iter().enumerate() {
                unit.cta_threads[slot].next = count.into();
            }
            simulate(&mut unit, 1000);
            assert_eq!(format!("{:04b}", unit.barrier_release.val().value()), fields[3], "{line}");
            tick!(unit);
        }
    }
}
