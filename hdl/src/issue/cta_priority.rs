//! Leaves the scheduler only the ready warps of one CTA.
//!
//! ```text
//!                    +-------------------------------------+
//!  ready ----------->| CTAs with a ready warp --> arbiter --|---> preferred
//!  warp_slot[W] ---->|                                     |
//!  cta_start_* ----->|                                     |
//!                    +-------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `ready` | W | warps that could issue this cycle |
//! | `warp_slot[W]` | c | CTA slot of each warp |
//! | `cta_start_valid`, `cta_start_slot` | 1, c | a CTA starts: it becomes the youngest |
//! | `preferred` | W | the ready warps of the preferred CTA, among those that have any |
//!
//! Latency 0. One of three policies ([`CtaPriority`](crate::config::CtaPriority)), chosen at construction: *age* (the CTA that started first; state C x C bits),
//! *round robin* (in every cycle the next CTA that has a ready warp; C bits), *sticky round robin* (the same CTA until none of its
//! warps is ready, then the next; 2 C bits). With compaction, CTAs that are not at the same point of the program overlap each other's waits
//! at branches. Fung & Aamodt 2011, 6.2.
use crate::config::CtaPriority as Policy;
use crate::interface::CtaStart;
use crate::parts::{OldestFirstArbiter, RoundRobinArbiter};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaPriority: clock, reset {
        pub ready: Net<In> = warps,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, config.slot_width()),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub preferred: Net<Out> = warps,

        /// Age: one, or none.
        oldest_first: Vec<OldestFirstArbiter> = (policy == Policy::Age).then(|| OldestFirstArbiter::new(slots)).into_iter().collect() => |p| {
            request: requesting, renew_valid: cta_start.valid, renew_index: cta_start.slot,
        },
        /// Round robin, sticky or not: one, or none.
        round_robin: Vec<RoundRobinArbiter> = round_robin.then(|| RoundRobinArbiter::new(slots)).into_iter().collect() => |p| {
            request: requesting,
        },
        /// Sticky round robin: the CTA chosen last, one-hot; one, or none.
        held: Vec<Register> = Register::vec((policy == Policy::StickyRoundRobin) as usize, slots),
        one: Net<Local> = slots,
        asking: Vec<Net<Local>> = Net::vec(warps, slots),
        requesting: Net<Local> = slots,
        chosen: Net<Local> = slots,
    }
    /// For the policy of `config`, which is not to treat all CTAs alike.
    pub fn new(config: &CoreConfig) {
        let (warps, slots, policy) = (config.warps, config.cta_slots, config.cta_priority);
        let round_robin = matches!(policy, Policy::RoundRobin | Policy::StickyRoundRobin);
    }
}

impl Logic for CtaPriority {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaPriority");
        self.one.next = 1.into();
        self.requesting.next = 0.into();
        for i in 0..self.warp_slot.len() {
            self.asking[i].next = 0.into();
            if self.ready.val().get_bit(i) {
                self.asking[i].next = self.one.val() << self.warp_slot[i].val();
            }
            self.requesting.next = self.requesting.val() | self.asking[i].val();
        }
        self.chosen.next = 0.into();
        for p in 0..self.oldest_first.len() {
            self.chosen.next = self.oldest_first[p].grant.val();
        }
        for p in 0..self.round_robin.len() {
            self.round_robin[p].accept.next = true;
            self.chosen.next = self.round_robin[p].grant.val();
        }
        for p in 0..self.held.len() {
            if (self.requesting.val() & self.held[p].q.val()).any() {
                self.round_robin[p].accept.next = false;
                self.chosen.next = self.held[p].q.val();
            }
            self.held[p].d.next = self.held[p].q.val();
            if self.chosen.val().any() {
                self.held[p].d.next = self.chosen.val();
            }
        }
        self.preferred.next = 0.into();
        for i in 0..self.warp_slot.len() {
            self.preferred.next = self.preferred.val().replace_bit(
                i,
                self.ready.val().get_bit(i) & self.chosen.val().get_bit(self.warp_slot[i].val().index()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three CTA slots of two warps each. One line a cycle: `ready start | preferred`, warp 0 on the right.
    fn run(cta_priority: Policy, script: &str) {
        let config = CoreConfig { warps: 6, cta_slots: 3, cta_priority, ..CoreConfig::tiny() };
        let mut priority = CtaPriority::new(&config);
        priority.connect_all();
        simulate(&mut priority, 1000);
        for (warp, slot) in priority.warp_slot.iter_mut().enumerate() {
            slot.next = (warp / 2).into();
        }
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            priority.ready.next = usize::from_str_radix(field[0], 2).unwrap().into();
            priority.cta_start.valid.next = field[1] != "-";
            priority.cta_start.slot.next = field[1].parse::<usize>().unwrap_or(0).into();
            simulate(&mut priority, 1000);
            assert_eq!(format!("{:06b}", priority.preferred.val().value()), field[3], "{cta_priority:?}: {line}");
            tick!(priority);
        }
    }

    #[test]
    fn age_prefers_the_cta_that_started_first() {
        run(
            Policy::Age,
            "000000 2 | 000000
             000000 0 | 000000
             000000 1 | 000000
             111111 - | 110000
             011111 - | 010000
             001101 - | 000001   none of CTA 2 is ready
             111111 2 | 110000
             111111 - | 000011   a new CTA in slot 2
             001100 - | 001100",
        );
    }

    #[test]
    fn round_robin_rotates_every_cycle() {
        run(
            Policy::RoundRobin,
            "111111 - | 000011
             111111 - | 001100
             111111 - | 110000
             110011 - | 000011
             110011 - | 110000   CTA 1 has none
             000000 - | 000000
             100100 - | 000100",
        );
    }

    #[test]
    fn sticky_round_robin_stays_until_none_is_ready() {
        run(
            Policy::StickyRoundRobin,
            "111100 - | 001100
             111111 - | 001100
             110111 - | 000100
             110011 - | 110000   the next
             111111 - | 110000
             000000 - | 000000
             111111 - | 110000   nobody else has issued since
             001111 - | 000011",
        );
    }
}
