//! Counts what becomes of threads that are regrouped.
//!
//! ```text
//!            +-------------------+
//!  pool ---->| FormationCounters |---> counter[i]
//!            +-------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `pool` | | see [`PoolEvents`] |
//! | `counter[i]` | 64 | see [`FORMATION_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A core whose threads are not regrouped has none of this.
use crate::counters::Counter;
use crate::interface::PoolEvents;
use crate::prelude::*;

/// The counters, in order. The last is one of a core with warp barriers.
pub const FORMATION_COUNTERS: &[Counter] = &[
    Counter::sum("warps_formed", "warps formed: one for each visit of threads to a block"),
    Counter::sum("threads_joined", "threads that joined a warp already waiting at their PC"),
    Counter::sum("threads_parked", "threads that found no slot for a while"),
    Counter::sum("reliefs", "warps that left their slot to threads without one"),
    Counter::sum("evictions", "PCs that gave up their entry of the table while threads waited there"),
    Counter::sum(
        "warp_barriers",
        "with warp barriers: top-level divergences, behind which a warp waits for its threads",
    ),
];

/// How many of them there are.
pub fn formation_counters(warp_barriers: bool) -> usize {
    FORMATION_COUNTERS.len() - usize::from(!warp_barriers)
}

module! {
    /// See the [module documentation](self).
    pub struct FormationCounters: clock, reset {
        pub pool: PoolEvents<In> = PoolEvents::new(lanes, warp_barriers as usize),
        pub counter: Vec<Net<Out>> = Net::vec(counters, 64),

        /// What each counter grows by.
        amounts: Vec<Net<Local>> = Net::vec(counters, 64),
        totals: Vec<Register> = Register::vec(counters, 64) => |i| { q: counter[i] },
    }
    sizes { _amount = 64 }
    /// For warps of `lanes` threads, with warp barriers or without.
    pub fn new(lanes: usize, warp_barriers: bool) {
        let counters = formation_counters(warp_barriers);
    }
}

impl Logic for FormationCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FormationCounters");
        self.amounts[0].next = bit_cast_to(self.pool.forms.val(), self._amount);
        self.amounts[1].next = bit_cast_to(self.pool.joined.val(), self._amount);
        self.amounts[2].next = bit_cast_to(self.pool.parked.val(), self._amount);
        self.amounts[3].next = bit_cast_to(self.pool.relieved.val(), self._amount);
        self.amounts[4].next = bit_cast_to(self.pool.evicted.val(), self._amount);
        for i in 0..self.pool.diverged.len() {
            self.amounts[5].next = 0.into();
            if self.pool.diverged[i].val().any() {
                self.amounts[5].next = 1.into();
            }
        }
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val() + self.amounts[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: what happens.
    const EVENTS: &str = "
        forms
        forms joined:3
        joined:4 evicted
        parked:1
        relieved parked:4
        -
        forms joined:1 evicted diverged";

    #[test]
    fn counts_warps_and_threads() {
        let mut counters = FormationCounters::new(4, true);
        counters.connect_all();
        simulate(&mut counters, 1000);
        for line in EVENTS.trim().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.parse::<usize>().ok());
            counters.pool.forms.next = words.contains(&"forms");
            counters.pool.joined.next = number("joined:").unwrap_or(0).into();
            counters.pool.parked.next = number("parked:").unwrap_or(0).into();
            counters.pool.relieved.next = words.contains(&"relieved");
            counters.pool.evicted.next = words.contains(&"evicted");
            counters.pool.diverged[0].next = usize::from(words.contains(&"diverged")).into();
            tick!(counters);
        }
        simulate(&mut counters, 1000);
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [3, 8, 5, 1, 2, 1]);
    }
}
