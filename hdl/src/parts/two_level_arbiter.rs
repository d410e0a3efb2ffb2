//! Grants in groups: those of the first group before those of the next, taking turns inside a group.
//!
//! ```text
//!                 +---------------------------------------------+
//!     request --->| group with a request, from the top group on |---> grant   one-hot, zero when nothing requests
//!  members[G] --->|        +--> round robin inside it           |---> any
//!     stalled --->| top group <- next group that is not stalled |
//!      accept --->|                                             |
//!                 +---------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | bit *i*: requester *i* wants the slot this cycle |
//! | `members[G]` | n | the requesters of each group; in at most one |
//! | `stalled` | n | requesters that will not request for long |
//! | `accept` | 1 | the grant is taken: its group's turn moves past it at the clock edge |
//! | `grant` | n | one-hot: who has the slot this cycle (combinational) |
//! | `any` | 1 | some requester has it |
//!
//! Latency 0. State: a bit per requester (turns, a thermometer code for each group), a bit per group (those before the top group) and, with a
//! timeout, a counter. A requester may change its group: at worst the group's next turn begins elsewhere.
//!
//! Priority is strict and goes round: the top group, the ones after it, then the ones before it. When all of the top group are
//! stalled, the next group that is not becomes top, so the old one is the last; if all are, nothing changes. With a *timeout* the same
//! happens after so many accepted grants, whoever had them, so that a group which never stalls does not run alone to its end.
//! With a single group this is [`RoundRobinArbiter`](super::RoundRobinArbiter). Narasiman 2014, 4.3 (two-level round-robin), 4.4 (timeout); the
//! scheduler of Rhu 2014, Table 4.1.
use super::RotatingChoice;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct TwoLevelArbiter: clock, reset {
        pub request: Net<In> = requesters,
        pub members: Vec<Net<In>> = Net::vec(groups, requesters),
        pub stalled: Net<In> = requesters,
        pub accept: Signal<In, Bit>,
        pub grant: Net<Out> = requesters,
        pub any: Signal<Out, Bit>,

        /// Bit *i*: requester *i* is at or below the one of its group granted last.
        not_above_last: Register = Register::new(requesters),
        /// Bit *g*: group *g* is before the top group.
        before_top: Register = Register::new(groups),
        /// With a timeout: grants accepted since the top group became it, or lasted out its time; one, or none.
        accepted: Vec<Register> = Register::vec((timeout > 0) as usize, count),
        /// The last of them.
        last: Constant = Constant::new(timeout.saturating_sub(1) as u64, count),
        requesting: Net<Local> = groups,
        awake: Net<Local> = groups,
        group: RotatingChoice = RotatingChoice::new(groups) => { request: requesting, passed: before_top.q },
        chosen_members: Net<Local> = requesters,
        member: RotatingChoice = RotatingChoice::new(requesters) => { passed: not_above_last.q, grant },
        top: Net<Local> = groups,
        leave: Signal<Local, Bit>,
        next_top: RotatingChoice = RotatingChoice::new(groups) => { request: awake },
    }
    /// An arbiter for 1 to 64 `requesters` in so many `groups`, whose top group changes after `timeout` grants; 0: only by a stall.
    pub fn new(requesters: usize, groups: usize, timeout: usize) {
        let count = index_width(timeout);
    }
}

impl Logic for TwoLevelArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TwoLevelArbiter");
        dff_setup!(self, clock, not_above_last, before_top);

        // The group.
        self.requesting.next = 0.into();
        self.awake.next = 0.into();
        for g in 0..self.members.len() {
            self.requesting.next =
                self.requesting.val().replace_bit(g, (self.request.val() & self.members[g].val()).any());
            self.awake.next = self.awake.val().replace_bit(g, (!self.stalled.val() & self.members[g].val()).any());
        }
        self.chosen_members.next = 0.into();
        for g in 0..self.members.len() {
            if self.group.grant.val().get_bit(g) {
                self.chosen_members.next = self.chosen_members.val() | self.members[g].val();
            }
        }

        // Turns inside it.
        self.member.request.next = self.request.val() & self.chosen_members.val();
        self.any.next = self.request.val().any();
        if self.accept.val() & self.any.val() {
            self.not_above_last.d.next = (self.not_above_last.q.val() & !self.chosen_members.val())
                | (self.member.through.val() & self.chosen_members.val());
        }

        // The top group.
        self.top.next = !self.before_top.q.val() & ((self.before_top.q.val() << 1) | 1);
        self.leave.next = !(self.awake.val() & self.top.val()).any();
        for p in 0..self.accepted.len() {
            self.accepted[p].d.next = self.accepted[p].q.val();
            if self.accept.val() & self.any.val() {
                self.accepted[p].d.next = self.accepted[p].q.val() + 1;
                if self.accepted[p].q.val() == self.last.val() {
                    self.leave.next = true;
                }
            }
            if self.leave.val() {
                self.accepted[p].d.next = 0.into();
            }
        }
        self.next_top.passed.next = self.before_top.q.val() | self.top.val();
        if self.awake.val().any() & self.leave.val() {
            self.before_top.d.next = self.next_top.through.val() & !self.next_top.grant.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(requesters: usize, group: usize, timeout: usize, script: &str) {
        let mut arbiter = TwoLevelArbiter::new(requesters, requesters.div_ceil(group), timeout);
        arbiter.connect_all();
        for (number, members) in arbiter.members.iter_mut().enumerate() {
            members.next = Word::from((mask(group) << (number * group) & mask(requesters)) as usize);
        }
        simulate(&mut arbiter, 1000);
        arbiter.accept.next = true;
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let bits = |text: &str| Word::from(usize::from_str_radix(text, 2).unwrap());
            arbiter.request.next = bits(field[0]);
            arbiter.stalled.next = bits(field[1]);
            simulate(&mut arbiter, 1000);
            let grant = format!("{:0requesters$b}", arbiter.grant.val().value());
            assert_eq!(grant, field[3], "{line}");
            tick!(arbiter);
        }
    }

    /// One line a cycle: `request stalled | grant`, requester 0 on the right.
    #[test]
    fn groups_of_two() {
        run(
            6,
            2,
            0,
            "111111 000000 | 000001
             111111 000000 | 000010   takes turns in the top group
             111111 000000 | 000001
             111100 000000 | 000100   the next group while the top group has none
             111111 000001 | 000010   strict: back to the top group
             111100 000011 | 001000   all of it are stalled:
             111111 000000 | 000100   the next group is top, with its own turn
             110011 000000 | 010000   then the one after it,
             000011 001100 | 000001   then the one before
             000000 111100 | 000000   group 2 is top, and stalled like group 1:
             111111 111100 | 000010   top is group 0
             000000 111111 | 000000   nobody is awake
             111111 000000 | 000001   and nothing has changed",
        );
    }

    #[test]
    fn the_last_group_may_be_smaller() {
        run(
            5,
            2,
            0,
            "11100 01111 | 00100
             11100 01111 | 10000
             11100 10000 | 10000
             11100 10011 | 01000",
        );
    }

    #[test]
    fn a_timeout_of_three() {
        run(
            6,
            2,
            3,
            "111111 000000 | 000001
             111111 000000 | 000010
             000000 000000 | 000000   nobody is served: no count
             111100 000000 | 000100   the third grant, though of another group:
             111111 000000 | 001000   the next group is top
             111111 001100 | 000100   its second; all of it are stalled:
             111111 001100 | 010000   the next, which has three
             111111 001100 | 100000
             111111 001100 | 010000
             111111 001100 | 000001   round to group 0
             111111 111100 | 000010
             111111 111100 | 000001   no other group is awake:
             111111 000000 | 000010   it has three more
             111111 000000 | 000001
             111111 000000 | 000010
             111111 000000 | 001000",
        );
    }

    #[test]
    fn every_group_has_its_time() {
        run(
            8,
            2,
            2,
            "11111111 00000000 | 00000001
             11111111 00000000 | 00000010
             11111111 00000000 | 00000100
             11111111 00000000 | 00001000
             11111111 00000000 | 00010000
             11111111 00000000 | 00100000
             11111111 00000000 | 01000000
             11111111 00000000 | 10000000
             11111111 00000000 | 00000001",
        );
    }

    /// Requester 0 moves from group 0 to group 1 and back.
    #[test]
    fn a_requester_changes_its_group() {
        let mut arbiter = TwoLevelArbiter::new(4, 2, 0);
        arbiter.connect_all();
        simulate(&mut arbiter, 1000);
        arbiter.accept.next = true;
        for (members, request, grant) in [
            ([0b0011usize, 0b1100], 0b1111usize, 0b0001usize),
            ([0b0010, 0b1101], 0b1101, 0b0100),
            ([0b0010, 0b1101], 0b1101, 0b1000),
            ([0b0010, 0b1101], 0b1101, 0b0001),
            ([0b0011, 0b1100], 0b0011, 0b0010),
            ([0b0011, 0b1100], 0b0011, 0b0001),
            ([0b0000, 0b1100], 0b1111, 0b0100),
        ] {
            for (port, members) in arbiter.members.iter_mut().zip(members) {
                port.next = Word::from(members);
            }
            arbiter.request.next = Word::from(request);
            simulate(&mut arbiter, 1000);
            assert_eq!(arbiter.grant.val(), Word::from(grant), "{members:?}");
            tick!(arbiter);
        }
    }
}
