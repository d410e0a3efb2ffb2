//! Chooses which ready warp issues.
//!
//! ```text
//!                 +---------------+
//!       ready --->|               |---> grant, index
//!  candidates --->| WarpScheduler |---> any
//!      accept --->|               |
//!   launch_* ---->|               |
//! warp_slot[W] -->|               |
//!                 +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `ready` | W | warps that could issue this cycle |
//! | `candidates` | W | those, and the ones that only their unit refuses |
//! | `accept` | 1 | the granted warp issues |
//! | `launch_valid`, `launch_warp` | 1, w | this warp starts: it becomes the youngest |
//! | `warp_slot[W]` | c | where groups are CTAs: CTA slot of each warp |
//! | `grant`, `index` | W, w | the chosen warp, one-hot and as a number |
//! | `any` | 1 | some warp is ready |
//!
//! Latency 0. One of four policies, chosen at construction: *loose round robin* (the next ready warp after the one that issued last),
//! *greedy-then-oldest* (the warp that issued last while it is ready, else the one launched first), *oldest first* (always the one launched
//! first) or *two-level round robin* (see [`TwoLevelArbiter`], and [`StallDetector`] for when a group loses its place; a group is so many
//! consecutive warps, or those of a CTA).
//! Fung & Aamodt 2011, Table 2; Rhu 2014, Tables 3.1 and 4.1, 4.4.1; Narasiman 2014, 4.3.
use super::StallDetector;
use crate::config::{SchedulerPolicy, WarpGroup};
use crate::parts::{OldestFirstArbiter, RoundRobinArbiter, TwoLevelArbiter};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpScheduler: clock, reset {
        pub ready: Net<In> = warps,
        pub candidates: Net<In> = warps,
        pub accept: Signal<In, Bit>,
        pub launch_valid: Signal<In, Bit>,
        pub launch_warp: Net<In> = index_width(warps),
        pub warp_slot: Vec<Net<In>> = Net::vec(if by_cta { warps } else { 0 }, config.slot_width()),
        pub grant: Net<Out> = warps,
        pub index: Net<Out> = index_width(warps),
        pub any: Signal<Out, Bit>,

        /// Loose round robin: one, or none.
        round_robin: Vec<RoundRobinArbiter> = round_robin.then(|| RoundRobinArbiter::new(warps)).into_iter().collect() => |p| {
            request: ready, accept,
        },
        /// Oldest first, greedy or not: one, or none.
        oldest_first: Vec<OldestFirstArbiter> = oldest_first.then(|| OldestFirstArbiter::new(warps)).into_iter().collect() => |p| {
            request: ready, renew_valid: launch_valid, renew_index: launch_warp,
        },
        /// Greedy-then-oldest: the warp that issued last, one-hot.
        greedy: Vec<Register> = Register::vec(greedy as usize, warps),
        /// Two-level round robin: one, or none.
        stalls: Vec<StallDetector> = timeout.map(|_| StallDetector::new(warps, stall_period)).into_iter().collect() => |p| {
            candidates,
        },
        two_level: Vec<TwoLevelArbiter> = timeout.map(|timeout| TwoLevelArbiter::new(warps, groups, timeout)).into_iter().collect() => |p| {
            request: ready, stalled: stalls[p].stalled, accept,
        },
        /// Groups of consecutive warps: those of each.
        consecutive: Vec<Constant> = consecutive.into_iter().map(|members| Constant::new(members, warps)).collect(),
        /// Groups of CTAs: those of each.
        of_cta: Vec<Net<Local>> = Net::vec(if by_cta { groups } else { 0 }, warps),
        position: PriorityEncoder = PriorityEncoder::new(warps) => { request: grant, index },
    }
    /// The scheduler of a core, one of whose warps is stalled when it has had nothing to issue in `stall_period` cycles.
    pub fn new(config: &CoreConfig, stall_period: usize) {
        let (warps, policy) = (config.warps, config.scheduler);
        let round_robin = policy == SchedulerPolicy::LooseRoundRobin;
        let greedy = policy == SchedulerPolicy::GreedyThenOldest;
        let oldest_first = greedy || policy == SchedulerPolicy::OldestFirst;
        let (group, timeout) = policy.groups().unzip();
        let by_cta = group == Some(WarpGroup::Cta);
        let consecutive: Vec<u64> = match group {
            Some(WarpGroup::Warps(size)) => {
                (0..warps).step_by(size).map(|first| (mask(size) << first) & mask(warps)).collect()
            }
            _ => vec![],
        };
        let groups = if by_cta { config.cta_slots } else { consecutive.len() };
    }
}

impl Logic for WarpScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpScheduler");
        self.grant.next = 0.into();
        for p in 0..self.round_robin.len() {
            self.grant.next = self.round_robin[p].grant.val();
        }
        for p in 0..self.oldest_first.len() {
            self.grant.next = self.oldest_first[p].grant.val();
        }
        for p in 0..self.greedy.len() {
            if (self.ready.val() & self.greedy[p].q.val()).any() {
                self.grant.next = self.greedy[p].q.val();
            }
            self.greedy[p].d.next = self.greedy[p].q.val();
            if self.accept.val() {
                self.greedy[p].d.next = self.grant.val();
            }
        }
        for p in 0..self.two_level.len() {
            for g in 0..self.consecutive.len() {
                self.two_level[p].members[g].next = self.consecutive[g].val();
            }
            for g in 0..self.of_cta.len() {
                self.of_cta[g].next = 0.into();
                for i in 0..self.warp_slot.len() {
                    self.of_cta[g].next = self.of_cta[g].val().replace_bit(i, self.warp_slot[i].val() == g);
                }
                self.two_level[p].members[g].next = self.of_cta[g].val();
            }
            self.grant.next = self.two_level[p].grant.val();
        }
        self.any.next = self.ready.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(warps: usize, scheduler: SchedulerPolicy) -> CoreConfig {
        CoreConfig { warps, scheduler, ..CoreConfig::tiny() }
    }

    fn run(policy: SchedulerPolicy, script: &str) {
        let mut scheduler = WarpScheduler::new(&config(4, policy), 8);
        scheduler.connect_all();
        simulate(&mut scheduler, 1000);
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            scheduler.ready.next = usize::from_str_radix(field(0), 2).unwrap().into();
            scheduler.launch_valid.next = field(1) != "-";
            scheduler.launch_warp.next = field(1).parse::<usize>().unwrap_or(0).into();
            simulate(&mut scheduler, 1000);
            scheduler.accept.next = scheduler.any.val();
            simulate(&mut scheduler, 1000);
            let seen = if scheduler.any.val() { scheduler.index.val().value().to_string() } else { "-".into() };
            assert_eq!(seen, field(3), "{policy:?}: {line}");
            for _ in 0..2 {
                scheduler.clock.next = !scheduler.clock.val();
                simulate(&mut scheduler, 1000);
            }
        }
    }

    #[test]
    fn round_robin_takes_turns() {
        run(
            SchedulerPolicy::LooseRoundRobin,
            "1011 - | 0
             1011 - | 1
             1011 - | 3
             1011 - | 0
             0000 - | -
             1001 - | 3",
        );
    }

    #[test]
    fn greedy_then_oldest_stays_until_it_must_leave() {
        run(
            SchedulerPolicy::GreedyThenOldest,
            "1110 - | 1
             1111 - | 1   greedy, although 0 is older
             1101 - | 0   1 not ready: the oldest
             1111 0 | 0   a new warp in slot 0: greedy still
             1110 - | 1
             0001 - | 0
             1010 - | 1   0 is the youngest now",
        );
    }

    #[test]
    fn oldest_first_stays_with_the_warp_launched_first() {
        run(
            SchedulerPolicy::OldestFirst,
            "1110 - | 1
             1111 - | 0   older, ready again
             1111 0 | 0   a new warp in slot 0:
             1111 - | 1   it is the youngest
             1001 - | 3
             0001 - | 0
             1111 1 | 1
             1111 - | 2",
        );
    }

    /// Who issues in 32 cycles, in which these warps are ready.
    fn issued(mut scheduler: WarpScheduler, ready: impl Fn(usize) -> usize) -> String {
        simulate(&mut scheduler, 1000);
        scheduler.accept.next = true;
        let mut issued = String::new();
        for cycle in 0..32 {
            scheduler.ready.next = ready(cycle).into();
            scheduler.candidates.next = ready(cycle).into();
            simulate(&mut scheduler, 1000);
            issued += &scheduler.index.val().value().to_string();
            tick!(scheduler);
        }
        issued
    }

    /// Groups of two: warps 0 and 1 first, until neither has had an instruction in a whole period.
    #[test]
    fn two_levels_stay_with_a_group_until_it_stalls() {
        let mut scheduler = WarpScheduler::new(&config(4, SchedulerPolicy::groups_of(2)), 8);
        scheduler.connect_all();
        // A miss of both warps of the first group from cycle 7 on; a short wait of warps 2 and 3 in cycle 29.
        let issued = issued(scheduler, |cycle| match cycle {
            7..20 => 0b1100,
            29 => 0b0011,
            _ => 0b1111,
        });
        assert_eq!(issued, "01010102323232323232323232323123");
    }

    /// CTA 0 has warps 0 and 3, CTA 1 warps 1 and 2; CTA 0 waits for memory from cycle 7 on.
    #[test]
    fn a_group_may_be_a_cta() {
        let by_cta = SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 };
        let mut scheduler = WarpScheduler::new(&config(4, by_cta), 8);
        scheduler.connect_all();
        for (warp, slot) in scheduler.warp_slot.iter_mut().zip([0, 1, 1, 0]) {
            warp.next = usize::into(slot);
        }
        let issued = issued(scheduler, |cycle| if (7..20).contains(&cycle) { 0b0110 } else { 0b1111 });
        assert_eq!(issued, "03030301212121212121212121212121");
    }

    #[test]
    fn two_levels_of_one_group_are_loose_round_robin() {
        for warps in [4, 5, 32] {
            let one_group = SchedulerPolicy::groups_of(warps);
            let policies = [SchedulerPolicy::LooseRoundRobin, one_group];
            let mut schedulers = policies.map(|policy| WarpScheduler::new(&config(warps, policy), 8));
            schedulers.iter_mut().for_each(|scheduler| scheduler.connect_all());
            let mut state = 7u64;
            for cycle in 0..2000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (ready, accept) = (state >> 20 & state >> 24 & mask(warps), state >> 62 != 0);
                let [round_robin, two_level] = schedulers.each_mut().map(|scheduler| {
                    scheduler.ready.next = (ready as usize).into();
                    scheduler.candidates.next = (ready as usize).into();
                    scheduler.accept.next = accept;
                    tick!(*scheduler);
                    (scheduler.grant.val(), scheduler.index.val(), scheduler.any.val())
                });
                assert_eq!(round_robin, two_level, "cycle {cycle}");
            }
        }
    }

    /// A barrel of seven stages: a warp has one instruction in it at a time. Every warp runs `trips` times `arithmetic` instructions and a
    /// load of so many cycles. The cycles until all have issued, and who issued in each.
    fn barrel(
        policy: SchedulerPolicy,
        warps: usize,
        arithmetic: usize,
        latency: usize,
        trips: usize,
    ) -> (usize, Vec<Option<usize>>) {
        let mut scheduler = WarpScheduler::new(&config(warps, policy), 8);
        scheduler.connect_all();
        let (mut issued, mut ready_at, mut who) = (vec![0; warps], vec![0; warps], vec![]);
        let program = (arithmetic + 1) * trips;
        while issued.iter().any(|&n| n < program) {
            let cycle = who.len();
            let ready = (0..warps).filter(|&warp| ready_at[warp] <= cycle && issued[warp] < program);
            let ready = Word::from(ready.map(|warp| 1 << warp).sum::<usize>());
            scheduler.ready.next = ready;
            scheduler.candidates.next = ready;
            simulate(&mut scheduler, 1000);
            scheduler.accept.next = scheduler.any.val();
            simulate(&mut scheduler, 1000);
            let warp = scheduler.any.val().then(|| scheduler.index.val().index());
            if let Some(warp) = warp {
                issued[warp] += 1;
                ready_at[warp] = cycle + if issued[warp] % (arithmetic + 1) == 0 { latency } else { 7 };
            }
            who.push(warp);
            tick!(scheduler);
        }
        (who.len(), who)
    }

    /// With round robin all warps come to their loads together and wait together; in groups, one group's wait is another's work.
    /// Narasiman 2014, Fig 4.6.
    #[test]
    fn groups_hide_latency() {
        use SchedulerPolicy::*;
        for (warps, latency, trips, one_level, group, two_levels) in [
            (16, 100, 4, 1340, 8, 1088),
            (16, 300, 4, 1940, 8, 1556),
            (32, 300, 8, 6228, 8, 4352),
            (32, 300, 8, 6228, 16, 4436),
        ] {
            let run = |policy| barrel(policy, warps, 16, latency, trips);
            let round_robin = run(LooseRoundRobin);
            assert_eq!(round_robin, run(SchedulerPolicy::groups_of(warps)), "one group is round robin");
            assert_eq!(round_robin.0, one_level);
            assert_eq!(run(SchedulerPolicy::groups_of(group)).0, two_levels);
        }
    }
}
