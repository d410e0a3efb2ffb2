//! Resolves control instructions: which lanes go where.
//!
//! ```text
//!                             +------------+
//!   valid, kind, indirect --->|            |---> resolve_valid, resolve_taken, resolve_target, resolve_next
//!   active, condition_met --->| BranchUnit |
//!   addresses[L] ------------>|            |---> trap, trap_lanes
//!   pc, immediate ----------->|            |
//!                             +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `valid` | 1 | a legal control instruction is in EXECUTE |
//! | `kind`, `indirect` | `ControlKind`, 1 | what it is; `jalr` |
//! | `active` | L | its lanes |
//! | `condition_met` | L | lanes whose branch condition holds |
//! | `addresses[L]` | 32 | `rs1` + immediate by lane: the targets of `jalr` |
//! | `pc`, `immediate` | 32 | of the instruction |
//! | `resolve_valid` | 1 | it takes effect: `valid` and no trap |
//! | `resolve_taken` | L | active lanes that go to the target: those of a branch whose condition holds, all of a jump |
//! | `resolve_target`, `resolve_next` | 32 | target; pc + 4 |
//! | `trap` | `TrapCause` | `MisalignedTarget`, `DivergentIndirectJump` or `None` |
//! | `trap_lanes` | L | lanes to blame |
//!
//! Latency 0, no state. The target of `jalr` is that of its lowest active lane, with bit 0 cleared; a
//! lane that computes another one is a divergent indirect jump, blamed on the lanes that disagree.
//! A target that is no multiple of four traps only if some lane goes there, as in RISC-V.
use crate::interface::{ControlKind, TrapCause};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BranchUnit {
        pub valid: Signal<In, Bit>,
        pub kind: Signal<In, ControlKind>,
        pub indirect: Signal<In, Bit>,
        pub active: Net<In> = lanes,
        pub condition_met: Net<In> = lanes,
        pub addresses: Vec<Net<In>> = Net::vec(lanes, 32),
        pub pc: Net<In> = 32,
        pub immediate: Net<In> = 32,
        pub resolve_valid: Signal<Out, Bit>,
        pub resolve_taken: Net<Out> = lanes,
        pub resolve_target: Net<Out> = 32,
        pub resolve_next: Net<Out> = 32,
        pub trap: Signal<Out, TrapCause>,
        pub trap_lanes: Net<Out> = lanes,

        /// The lowest active lane and its target.
        leader: PriorityEncoder = PriorityEncoder::new(lanes),
        leader_address: IndexedMux = IndexedMux::new(32, lanes),
        /// Lanes whose target is not the leader's, active or not.
        differs: Net<Local> = lanes,
        divergent: Net<Local> = lanes,
    }
    /// For warps of `lanes` threads.
    pub fn new(lanes: usize) {}
}

impl Logic for BranchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BranchUnit");
        self.leader.request.next = self.active.val();
        self.leader_address.index.next = self.leader.index.val();
        wire::join(&mut self.addresses, &mut self.leader_address.inputs);
        self.differs.next = 0.into();
        for lane in 0..self.addresses.len() {
            self.differs.next = self
                .differs
                .val()
                .replace_bit(lane, (self.addresses[lane].val() >> 1) != (self.leader_address.selected.val() >> 1));
        }
        self.divergent.next = 0.into();
        self.resolve_target.next = self.pc.val() + self.immediate.val();
        if self.indirect.val() {
            self.divergent.next = self.active.val() & self.differs.val();
            self.resolve_target.next = (self.leader_address.selected.val() >> 1) << 1;
        }
        self.resolve_next.next = self.pc.val() + 4;
        match self.kind.val() {
            ControlKind::Branch => self.resolve_taken.next = self.active.val() & self.condition_met.val(),
            ControlKind::Jump => self.resolve_taken.next = self.active.val(),
            _ => self.resolve_taken.next = 0.into(),
        }

        self.trap.next = TrapCause::None;
        self.trap_lanes.next = self.resolve_taken.val();
        if self.divergent.val().any() {
            self.trap.next = TrapCause::DivergentIndirectJump;
            self.trap_lanes.next = self.divergent.val();
        } else if self.resolve_taken.val().any() & self.resolve_target.val().get_bit(1) {
            self.trap.next = TrapCause::MisalignedTarget;
        }
        if !self.valid.val() {
            self.trap.next = TrapCause::None;
        }
        self.resolve_valid.next = self.valid.val() & (self.trap.val() == TrapCause::None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControlKind::*;

    struct Resolved {
        valid: bool,
        taken: String,
        target: u64,
        trap: TrapCause,
        trap_lanes: String,
    }

    /// At pc 0x100; masks with lane 0 on the right.
    fn resolve(kind: ControlKind, immediate: usize, masks: [usize; 2], addresses: Option<[usize; 4]>) -> Resolved {
        let mut unit = BranchUnit::new(4);
        unit.connect_all();
        unit.valid.next = true;
        unit.kind.next = kind;
        unit.indirect.next = addresses.is_some();
        unit.active.next = masks[0].into();
        unit.condition_met.next = masks[1].into();
        for (port, address) in unit.addresses.iter_mut().zip(addresses.unwrap_or([0x9999; 4])) {
            port.next = address.into();
        }
        unit.pc.next = 0x100.into();
        unit.immediate.next = immediate.into();
        simulate(&mut unit, 100);
        assert_eq!(unit.resolve_next.val(), 0x104);
        Resolved {
            valid: unit.resolve_valid.val(),
            taken: format!("{:04b}", unit.resolve_taken.val().value()),
            target: unit.resolve_target.val().value(),
            trap: unit.trap.val(),
            trap_lanes: format!("{:04b}", unit.trap_lanes.val().value()),
        }
    }

    #[test]
    fn branches_take_the_active_lanes_that_satisfy_the_condition() {
        let branch = resolve(Branch, 0xffff_fff0, [0b1110, 0b0111], None);
        assert!(branch.valid);
        assert_eq!((branch.taken.as_str(), branch.target), ("0110", 0xf0));
    }

    #[test]
    fn misaligned_only_when_taken() {
        let taken = resolve(Branch, 6, [0b1100, 0b1000], None);
        assert_eq!((taken.valid, taken.trap), (false, TrapCause::MisalignedTarget));
        assert_eq!(taken.trap_lanes, "1000");
        assert!(resolve(Branch, 6, [0b1100, 0b0011], None).valid);
        let jump = resolve(Jump, 2, [0b1100, 0], None);
        assert_eq!((jump.valid, jump.trap), (false, TrapCause::MisalignedTarget));
    }

    #[test]
    fn indirect_jumps_follow_the_lowest_active_lane() {
        let jump = resolve(Jump, 0, [0b0110, 0], Some([0x0, 0x201, 0x200, 0x300]));
        assert!(jump.valid, "bit 0 does not count");
        assert_eq!((jump.taken.as_str(), jump.target), ("0110", 0x200));
        let divergent = resolve(Jump, 0, [0b1110, 0], Some([0x0, 0x200, 0x200, 0x302]));
        assert_eq!((divergent.valid, divergent.trap), (false, TrapCause::DivergentIndirectJump));
        assert_eq!(divergent.trap_lanes, "1000");
        let misaligned = resolve(Jump, 0, [0b0010, 0], Some([0x0, 0x202, 0x200, 0x300]));
        assert_eq!((misaligned.valid, misaligned.trap), (false, TrapCause::MisalignedTarget));
    }

    #[test]
    fn exit_and_barrier_go_nowhere() {
        for kind in [Exit, Barrier] {
            let resolved = resolve(kind, 2, [0b1111, 0b1111], None);
            assert!(resolved.valid);
            assert_eq!(resolved.taken, "0000");
        }
    }
}
