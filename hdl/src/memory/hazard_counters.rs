//! Counts what memory instructions wait for, and whether they would (Turner 2012, section 3.1, 7.2 and Table 7.1).
//!
//! ```text
//!                     +----------------+
//!  hazards_* -------->|                |
//!  credit ----------->|                |
//!  memory_issues ---->| HazardCounters |---> counter[i]
//!  blocked ---------->|                |
//!  restricted ------->|                |
//!                     +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `hazards_*` | | events of a cycle at the L1, see [`MemoryHazards`] |
//! | `memory_issues` | 1 | a memory instruction issues, for the first time or again |
//! | `blocked` | 1 | nothing issues, and what could is refused for want of a place before the load/store unit |
//! | `restricted` | 1 | nothing issues, and a load waits for the promise of an MSHR |
//! | `credit` | c | where loads may wait for an MSHR before they issue (Vec of one): credits of [`CreditTracker`](crate::replay::CreditTracker) |
//! | `counter[i]` | 64 | see [`HAZARD_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. Only of a core in which memory instructions wait otherwise than usual ([`CoreConfig::of_hazards`]).
use crate::counters::Counter;
use crate::interface::{LookHazard, MemoryHazards};
use crate::prelude::*;

/// The counters, in order.
pub const HAZARD_COUNTERS: &[Counter] = &[
    Counter::sum("waited_for_mshr", "cycles in which an access waited at the L1 for an MSHR"),
    Counter::sum("waited_for_queue", "cycles in which it waited for a place in the queue of requests"),
    Counter::sum("waited_for_line", "cycles in which it waited for a line of its set that no load waits for"),
    Counter::sum("waited_for_stage", "cycles in which it waited for the next stage, or for loads of its line to end"),
    Counter::sum("further_groups", "groups of threads that left others of their instruction behind"),
    Counter::sum("blocked", "cycles in which nothing issued, for want of a place before the load/store unit"),
    Counter::sum("restricted", "cycles in which nothing issued, and a load waited for the promise of an MSHR"),
    Counter::sum("restricted_in_vain", "of these, those in which an MSHR was free"),
    Counter::sum("promised_missed", "looks of loads with the promise of an MSHR at lines that were not there"),
    Counter::sum("promised_hit", "looks of such loads at lines that were there"),
    Counter::sum("unpromised_missed", "looks of loads without, at lines that were not there"),
    Counter::sum("unpromised_hit", "looks of loads without, at lines that were there"),
    Counter::sum("memory_issues", "memory instructions that issued, for the first time or again"),
    Counter::sum("overdrawn", "cycles in which more MSHRs were taken or promised than there are"),
    Counter::sum("mshr_cycles", "MSHRs that were taken, by cycle"),
    Counter::max("most_mshrs", "the most that were taken in a cycle"),
    Counter::max("most_overdrawn", "the most that were taken or promised beyond those that there are"),
];

/// Those of them that count by one.
const EVENTS: usize = 14;

module! {
    /// See the [module documentation](self).
    pub struct HazardCounters: clock, reset {
        pub hazards: MemoryHazards<In> = MemoryHazards::new(config),
        pub memory_issues: Signal<In, Bit>,
        pub blocked: Signal<In, Bit>,
        pub restricted: Signal<In, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(HAZARD_COUNTERS.len(), 64),

        pub credit: Vec<Net<In>> = Net::vec(config.of_prediction(), config.credit_width()),

        /// Of those that count by one.
        counts: Net<Local> = EVENTS,
        busy: Register = Register::new(index_width(config.mshrs + 1)),
        taken: Popcount = Popcount::new(config.l1_ports) => { value: hazards.mshrs_taken },
        freed: Popcount = Popcount::new(config.l1_ports) => { value: hazards.mshrs_freed },
        /// By how much the credits are below zero.
        overdraft: Net<Local> = config.credit_width(),
        none: Constant = Constant::new(0, config.credit_width()),
        most_credit: Vec<Constant> = (0..config.of_prediction())
            .map(|_| Constant::new(mask(config.credit_width() - 1), config.credit_width()))
            .collect(),
        totals: Vec<Register> = Register::vec(HAZARD_COUNTERS.len(), 64) => |i| { q: counter[i] },
    }
    sizes { _busy = index_width(config.mshrs + 1), _events = EVENTS }
    /// The counters of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for HazardCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardCounters");
        // By the order of HAZARD_COUNTERS.
        self.counts.next = 0.into();
        if self.hazards.waits.val() {
            if self.hazards.waits_for.val() == LookHazard::Mshr {
                self.counts.next = self.counts.val().replace_bit(0, true);
            } else if self.hazards.waits_for.val() == LookHazard::Queue {
                self.counts.next = self.counts.val().replace_bit(1, true);
            } else if self.hazards.waits_for.val() == LookHazard::Reserved {
                self.counts.next = self.counts.val().replace_bit(2, true);
            } else {
                self.counts.next = self.counts.val().replace_bit(3, true);
            }
        }
        self.counts.next = self.counts.val().replace_bit(4, self.hazards.further_group.val());
        self.counts.next = self.counts.val().replace_bit(5, self.blocked.val());
        self.counts.next = self.counts.val().replace_bit(6, self.restricted.val());
        self.counts.next = self.counts.val().replace_bit(7, self.restricted.val() & self.hazards.mshr_free.val());
        if self.hazards.looked.val() {
            if self.hazards.promised.val() {
                self.counts.next = self.counts.val().replace_bit(8, self.hazards.missed.val());
                self.counts.next = self.counts.val().replace_bit(9, !self.hazards.missed.val());
            } else {
                self.counts.next = self.counts.val().replace_bit(10, self.hazards.missed.val());
                self.counts.next = self.counts.val().replace_bit(11, !self.hazards.missed.val());
            }
        }
        self.counts.next = self.counts.val().replace_bit(12, self.memory_issues.val());
        self.overdraft.next = 0.into();
        for p in 0..self.credit.len() {
            if self.credit[p].val() > self.most_credit[p].val() {
                self.overdraft.next = self.none.val() - self.credit[p].val();
            }
        }
        self.counts.next = self.counts.val().replace_bit(13, self.overdraft.val().any());
        self.busy.d.next = self.busy.q.val() + bit_cast_to(self.taken.count.val(), self._busy)
            - bit_cast_to(self.freed.count.val(), self._busy);

        for i in 0..self._events {
            self.totals[i].d.next = self.totals[i].q.val();
            if self.counts.val().get_bit(i) {
                self.totals[i].d.next = self.totals[i].q.val() + 1;
            }
        }
        self.totals[14].d.next = self.totals[14].q.val() + bit_cast_to(self.busy.q.val(), 64);
        self.totals[15].d.next = self.totals[15].q.val();
        if bit_cast_to(self.busy.q.val(), 64) > self.totals[15].q.val() {
            self.totals[15].d.next = bit_cast_to(self.busy.q.val(), 64);
        }
        self.totals[16].d.next = self.totals[16].q.val();
        if bit_cast_to(self.overdraft.val(), 64) > self.totals[16].q.val() {
            self.totals[16].d.next = bit_cast_to(self.overdraft.val(), 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{HazardPrediction, MemoryPath};

    #[test]
    fn a_cycle_counts_in_the_place_of_its_hazard_and_a_look_in_one_of_four() {
        let config = CoreConfig {
            l1_ports: 2,
            memory_path: MemoryPath::Replay,
            hazard_prediction: HazardPrediction::Known,
            ..CoreConfig::tiny()
        };
        let mut counters = HazardCounters::new(&config);
        counters.connect_all();
        simulate(&mut counters, 1000);
        use LookHazard::*;
        // What is waited for; a further group, blocked, restricted, an MSHR free; a look: promised, missed; banks that take an MSHR, and that free one; credits.
        for (waits, [further, blocked, restricted, free], look, [taken, freed], credit) in [
            (Some(Mshr), [0, 0, 1, 0], Option::None, [0b01, 0b00], 3),
            (Some(Mshr), [0, 1, 0, 0], Option::None, [0b11, 0b00], 2),
            (Some(Queue), [0, 0, 1, 1], Option::None, [0b10, 0b01], 0),
            (Some(Queue), [0, 0, 0, 0], Option::None, [0b00, 0b10], -1),
            (Some(Queue), [0, 0, 0, 0], Option::None, [0b11, 0b00], -3),
            (Some(Reserved), [0, 0, 0, 1], Option::None, [0b00, 0b11], -2),
            (Some(Stall), [1, 0, 0, 0], Some([0, 0]), [0b00, 0b00], 1),
            (Some(Stall), [1, 0, 0, 0], Some([0, 1]), [0b01, 0b10], 1),
            (Option::None, [1, 1, 1, 1], Some([1, 0]), [0b00, 0b01], 1),
            (Option::None, [0, 0, 0, 1], Some([1, 1]), [0b00, 0b00], 1),
            (Option::None, [0, 0, 0, 0], Some([1, 1]), [0b00, 0b01], 1),
        ] {
            counters.hazards.waits.next = waits.is_some();
            counters.hazards.waits_for.next = waits.unwrap_or(Mshr);
            counters.hazards.further_group.next = further == 1;
            counters.hazards.mshr_free.next = free == 1;
            counters.memory_issues.next = blocked == 0;
            counters.blocked.next = blocked == 1;
            counters.restricted.next = restricted == 1;
            counters.hazards.looked.next = look.is_some();
            let [promised, missed] = look.unwrap_or([1, 1]);
            counters.hazards.promised.next = promised == 1;
            counters.hazards.missed.next = missed == 1;
            (counters.hazards.mshrs_taken.next, counters.hazards.mshrs_freed.next) =
                (usize::into(taken), usize::into(freed));
            counters.credit[0].next = ((credit as u64 & mask(config.credit_width())) as usize).into();
            tick!(counters);
        }
        simulate(&mut counters, 1000);
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [2, 3, 1, 2, 3, 2, 3, 2, 2, 1, 1, 1, 9, 3, 21, 4, 3]);
    }
}
