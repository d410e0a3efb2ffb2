//! A slot of the warp pool: whether it holds a warp, whether threads may join it, and how urgent its issue is.
//!
//! ```text
//!                        +----------+
//!  form, reserve ------->|          |---> used, runnable, open, joins, listed
//!  dissolve ------------>|          |
//!  issue, blocks, ends ->| PoolSlot |---> old, is_current
//!  new_*, now ---------->|          |---> age, entry
//!  current_* ----------->|          |
//!                        +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `form` | 1 | a warp is formed here, at `new_pc`, listed in `new_entry` |
//! | `reserve` | 1 | a warp will be formed here |
//! | `dissolve` | 1 | the warp is no more; one may be formed at the same edge |
//! | `issue` | 1 | an instruction of the warp issues: nobody joins it any more |
//! | `blocks`, `ends` | 1 | the instruction in DECODE is a control instruction; or the last before others may come in |
//! | `new_valid`, `new_entry`, `new_claims` | 1, e, 1 | a warp is formed anywhere, and listed in that entry of the table, which has been that of another PC |
//! | `new_static` | 1 | with warp barriers: that warp is in no entry: it has not diverged, and is not joined |
//! | `now` | t | instructions issued, modulo the age limit |
//! | `counted` | 1 | one more |
//! | `current_*` | 1, e | the entry preferred |
//! | `used`, `runnable`, `open` | 1 | there is a warp, or will be; it can be fetched; none of its instructions has issued |
//! | `joins` | 1 | its last instruction before others may come in has been decoded |
//! | `old` | 1 | it was formed a whole age limit ago |
//! | `linked`, `entry`, `listed` | 1, e, 1 | it is of the PC of this entry; it is the one that can be joined there |
//! | `is_current` | 1 | it is of the PC preferred |
//! | `urgency` | k | among equals the largest number issues first: by policy the age, or above it how low its PC is |
//!
//! Latency 1. State: 6 bits, stamp, entry, and for the policy *lowest PC* a PC. The stamp has as many bits as the age limit, so it comes round just when the warp is old: no wider counter, no comparison of orders.
use crate::config::IssuePolicy;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PoolSlot: clock, reset {
        pub form: Signal<In, Bit>,
        pub reserve: Signal<In, Bit>,
        pub dissolve: Signal<In, Bit>,
        pub issue: Signal<In, Bit>,
        pub blocks: Signal<In, Bit>,
        pub ends: Signal<In, Bit>,
        pub new_valid: Signal<In, Bit>,
        pub new_entry: Net<In> = entry,
        pub new_claims: Signal<In, Bit>,
        pub new_pc: Net<In> = 32,
        /// With warp barriers: one, else none.
        pub new_static: Vec<Signal<In, Bit>> = bit_vec(warp_barriers as usize),
        pub now: Net<In> = stamp,
        pub counted: Signal<In, Bit>,
        pub current_valid: Signal<In, Bit>,
        pub current_entry: Net<In> = entry,
        pub used: Signal<Out, Bit>,
        pub runnable: Signal<Out, Bit>,
        pub open: Signal<Out, Bit>,
        pub joins: Signal<Out, Bit>,
        pub old: Signal<Out, Bit>,
        pub linked: Signal<Out, Bit>,
        pub entry: Net<Out> = entry,
        pub listed: Signal<Out, Bit>,
        pub is_current: Signal<Out, Bit>,
        pub urgency: Net<Out> = urgency,

        is_used: StateRegister<Bit> => { q: used },
        is_runnable: StateRegister<Bit> => { q: runnable },
        is_open: StateRegister<Bit> => { q: open },
        has_ended: StateRegister<Bit> => { q: joins },
        /// None, if nobody is ever too old.
        is_old: Vec<StateRegister<Bit>> = aged.then(StateRegister::default).into_iter().collect(),
        is_linked: StateRegister<Bit> => { q: linked },
        is_listed: StateRegister<Bit> => { q: listed },
        its_entry: EnabledRegister = EnabledRegister::new(entry) => { enable: form, d: new_entry, q: entry },
        stamp: EnabledRegister = EnabledRegister::new(stamp) => { enable: form, d: now },
        /// For the policy *lowest PC*: one, or none.
        pc: Vec<EnabledRegister> = EnabledRegister::vec(by_pc, 32) => |i| { enable: form, d: new_pc },
        above_age: Constant = Constant::new(stamp as u64, index_width(urgency + 1)),
        age: Net<Local> = stamp,
        lowness: Net<Local> = 32,
        same: Signal<Local, Bit>,
    }
    sizes { _urgency = urgency }
    /// In a pool with `entries` entries in its table.
    pub fn new(policy: IssuePolicy, entries: usize, age_limit: usize, warp_barriers: bool) {
        let (entry, stamp, aged) = (index_width(entries), Self::stamp_width(age_limit), age_limit > 0);
        let by_pc = (policy == IssuePolicy::LowestPc) as usize;
        let urgency = Self::urgency_width(policy, age_limit);
    }
}

impl PoolSlot {
    /// Bits of a stamp; without an age limit, enough to tell the order of warps that are not very old.
    pub fn stamp_width(age_limit: usize) -> usize {
        if age_limit > 0 { age_limit.ilog2() as usize } else { 10 }
    }

    /// Bits by which warps are told apart.
    pub fn urgency_width(policy: IssuePolicy, age_limit: usize) -> usize {
        let pc = if policy == IssuePolicy::LowestPc { 32 } else { 0 };
        Self::stamp_width(age_limit) + pc
    }
}

impl Logic for PoolSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PoolSlot");
        dff_setup!(self, clock, is_used, is_runnable, is_open, has_ended, is_linked, is_listed);
        if self.issue.val() {
            self.is_open.d.next = false;
        }
        if self.blocks.val() | self.ends.val() {
            self.is_runnable.d.next = false;
        }
        if self.ends.val() {
            self.has_ended.d.next = true;
        }
        if self.dissolve.val() {
            self.is_used.d.next = false;
            self.has_ended.d.next = false;
            self.is_linked.d.next = false;
        }
        if self.reserve.val() {
            self.is_used.d.next = true;
        }

        // A newer warp of its PC is to be joined from now on; or its entry is that of another PC.
        self.same.next = self.new_valid.val() & (self.its_entry.q.val() == self.new_entry.val());
        for i in 0..self.new_static.len() {
            if self.new_static[i].val() {
                self.same.next = false;
            }
        }
        if self.same.val() | self.issue.val() {
            self.is_listed.d.next = false;
        }
        if self.same.val() & self.new_claims.val() {
            self.is_linked.d.next = false;
        }

        self.age.next = self.now.val() - self.stamp.q.val();
        self.old.next = false;
        for i in 0..self.is_old.len() {
            self.is_old[i].d.next = self.is_old[i].q.val();
            if self.counted.val() & ((self.age.val() + 1) == 0) {
                self.is_old[i].d.next = self.is_used.q.val();
            }
            if self.form.val() | self.dissolve.val() {
                self.is_old[i].d.next = false;
            }
            self.old.next = self.is_old[i].q.val();
        }

        if self.form.val() {
            self.is_used.d.next = true;
            self.is_runnable.d.next = true;
            self.is_open.d.next = true;
            self.is_linked.d.next = true;
            self.is_listed.d.next = true;
        }
        for i in 0..self.new_static.len() {
            if self.form.val() & self.new_static[i].val() {
                self.is_linked.d.next = false;
                self.is_listed.d.next = false;
            }
        }

        self.is_current.next =
            self.is_linked.q.val() & self.current_valid.val() & (self.its_entry.q.val() == self.current_entry.val());
        self.lowness.next = 0.into();
        self.urgency.next = bit_cast_to(self.age.val(), self._urgency);
        for i in 0..self.pc.len() {
            self.lowness.next = !self.pc[i].q.val();
            self.urgency.next = bit_cast_to(self.age.val(), self._urgency)
                | (bit_cast_to(self.lowness.val(), self._urgency) << self.above_age.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::cycles;

    /// What happens: `form` with the entry, `listed` with that of another warp that is formed; `count`: an instruction of any warp issues `|` what the slot says.
    const SCRIPT: &str = "
        reserve           | -
        form 3            | used
        listed 3          | used runnable open linked listed
        count             | used runnable open linked         | the other one can be joined
        count             | used runnable open linked
        count ends        | used runnable open linked         | its last instruction, in DECODE
        count current 3   | used open joins linked current
        issue current 1   | used open joins old linked        | four have issued
        dissolve form 5   | used joins old linked
        listed 5 claims   | used runnable open linked listed
        issue current 5   | used runnable open                | its PC has no entry
        blocks            | used runnable
        dissolve          | used
        -                 | -";

    #[test]
    fn a_warp_comes_and_goes() {
        let mut slot = PoolSlot::new(IssuePolicy::Majority, 8, 4, true);
        slot.connect_all();
        simulate(&mut slot, 1000);
        let mut now = 0usize;
        for (input, seen) in cycles(SCRIPT) {
            let happens = |name: &str| input.contains(&name);
            let entry = |name: &str| {
                let at = input.iter().position(|word| *word == name)?;
                Some(input[at + 1].parse::<usize>().unwrap())
            };
            slot.form.next = happens("form");
            slot.reserve.next = happens("reserve");
            slot.dissolve.next = happens("dissolve");
            slot.issue.next = happens("issue");
            slot.blocks.next = happens("blocks");
            slot.ends.next = happens("ends");
            slot.new_valid.next = happens("form") || happens("listed");
            slot.new_entry.next = entry("form").or(entry("listed")).unwrap_or(0).into();
            slot.new_claims.next = happens("claims");
            slot.now.next = (now % 4).into();
            slot.counted.next = happens("count");
            slot.current_valid.next = happens("current");
            slot.current_entry.next = entry("current").unwrap_or(0).into();
            simulate(&mut slot, 1000);
            let found = [
                (slot.used.val(), "used"),
                (slot.runnable.val(), "runnable"),
                (slot.open.val(), "open"),
                (slot.joins.val(), "joins"),
                (slot.old.val(), "old"),
                (slot.linked.val(), "linked"),
                (slot.listed.val(), "listed"),
                (slot.is_current.val(), "current"),
            ];
            let mut found: Vec<&str> = found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what).collect();
            if found.is_empty() {
                found.push("-");
            }
            assert_eq!(found, seen, "{input:?}");
            tick!(slot);
            now += usize::from(happens("count"));
        }
    }

    #[test]
    fn the_lowest_pc_is_more_urgent_than_the_oldest_warp() {
        let urgency = |pc: usize, age: usize| {
            let mut slot = PoolSlot::new(IssuePolicy::LowestPc, 8, 16, false);
            slot.connect_all();
            simulate(&mut slot, 1000);
            slot.form.next = true;
            slot.new_pc.next = pc.into();
            tick!(slot);
            slot.form.next = false;
            slot.now.next = age.into();
            simulate(&mut slot, 1000);
            slot.urgency.val().value()
        };
        assert!(urgency(0x100, 0) > urgency(0x104, 15));
        assert!(urgency(0x100, 3) > urgency(0x100, 2));
    }
}
