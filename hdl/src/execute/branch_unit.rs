//! Resolves control instructions: which lanes go where.
//!
//! ```text
//!                             +------------+
//!   valid, condition_met ---->|            |---> resolve_*
//!   issued_*, controls_* ---->| BranchUnit |
//!   addresses[L] ------------>|            |---> trap, trap_lanes
//!                             +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `valid` | 1 | a legal control instruction is in EXECUTE |
//! | `controls_control_kind`, `controls_indirect` | `ControlKind`, 1 | what it is; `jalr` |
//! | `issued_mask`, `issued_pc` | L, 32 | its lanes, its PC |
//! | `issued_warp`, `issued_home_warps[R]`, `issued_rpc` ... `issued_data_dependent` | | handed on with the outcome |
//! | `condition_met` | L | lanes whose branch condition holds |
//! | `addresses[L]` | 32 | `rs1` + immediate by lane: the targets of `jalr` |
//! | `controls_immediate` | 32 | from its PC to the target |
//! | `resolve_valid` | 1 | it takes effect: `valid` and no trap |
//! | `resolve_taken` | L | its lanes that go to the target: those of a branch whose condition holds, all of a jump |
//! | `resolve_target`, `resolve_next_pc` | 32 | target; PC + 4 |
//! | `resolve_warp` ... | | what was handed on |
//! | `partial` | 1 | where lanes may disagree on the target: they do, and only those in `resolve_taken` jump |
//! | `trap` | `TrapCause` | `MisalignedTarget`, `DivergentIndirectJump` or `None` |
//! | `trap_lanes` | L | lanes to blame |
//!
//! Latency 0, no state. The target of `jalr` is that of its lowest active lane, with bit 0 cleared; a
//! lane that computes another one is a divergent indirect jump, blamed on the lanes that disagree.
//! Where lanes may disagree ([`Traits::divergent_jumps`](crate::mechanism::Traits::divergent_jumps)), those that do stay where they are instead: `resolve_next_pc` is the PC of the `jalr`, which is then a
//! branch that some take, and only these get its link. After as many passes as there are targets all have gone.
//! A target that is no multiple of four traps only if some lane goes there, as in RISC-V.
use super::operation::Controls;
use crate::interface::{ControlKind, Issued, Resolve, TrapCause};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BranchUnit {
        pub valid: Signal<In, Bit>,
        pub controls: Controls<In> = Controls::new(config),
        pub issued: Issued<In> = Issued::new(config),
        pub condition_met: Net<In> = lanes,
        pub addresses: Vec<Net<In>> = Net::vec(lanes, 32),
        pub resolve: Resolve<Out> = Resolve::of(config),
        /// Where lanes may disagree: one, else none.
        pub partial: Vec<Signal<Out, Bit>> = bit_vec(config.has_divergent_jumps() as usize),
        pub trap: Signal<Out, TrapCause>,
        pub trap_lanes: Net<Out> = lanes,

        /// The lowest active lane and its target.
        leader: PriorityEncoder = PriorityEncoder::new(lanes) => { request: issued.instruction.mask },
        leader_address: IndexedMux = IndexedMux::new(32, lanes) => { index: leader.index, inputs: addresses },
        /// Lanes whose target is not the leader's, active or not.
        differs: Net<Local> = lanes,
        divergent: Net<Local> = lanes,
        /// Where lanes may disagree, those that do not; one, else none.
        same: Vec<Net<Local>> = Net::vec(config.has_divergent_jumps() as usize, lanes),
    }
    /// Of a core.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
    }
}

impl Logic for BranchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BranchUnit");
        self.differs.next = 0.into();
        for lane in 0..self.addresses.len() {
            self.differs.next = self
                .differs
                .val()
                .replace_bit(lane, (self.addresses[lane].val() >> 1) != (self.leader_address.selected.val() >> 1));
        }
        self.divergent.next = 0.into();
        self.resolve.target.next = self.issued.instruction.pc.val() + self.controls.immediate.val();
        if self.controls.indirect.val() {
            self.divergent.next = self.issued.instruction.mask.val() & self.differs.val();
            self.resolve.target.next = (self.leader_address.selected.val() >> 1) << 1;
        }
        self.resolve.next_pc.next = self.issued.instruction.pc.val() + 4;
        match self.controls.control_kind.val() {
            ControlKind::Branch => {
                self.resolve.taken.next = self.issued.instruction.mask.val() & self.condition_met.val()
            }
            ControlKind::Jump => self.resolve.taken.next = self.issued.instruction.mask.val(),
            _ => self.resolve.taken.next = 0.into(),
        }

        self.resolve.warp.next = self.issued.warp.val();
        self.resolve.kind.next = self.controls.control_kind.val();
        self.resolve.mask.next = self.issued.instruction.mask.val();
        wire::join(&mut self.issued.instruction.annotation, &mut self.resolve.annotation);
        wire::join(&mut self.issued.home_warps, &mut self.resolve.home_warps);

        for p in 0..self.same.len() {
            self.same[p].next = self.issued.instruction.mask.val() & !self.divergent.val();
            if self.divergent.val().any() {
                self.resolve.kind.next = ControlKind::Branch;
                self.resolve.taken.next = self.same[p].val();
                self.resolve.next_pc.next = self.issued.instruction.pc.val();
            }
            self.partial[p].next = self.divergent.val().any();
            self.divergent.next = 0.into();
        }

        self.trap.next = TrapCause::None;
        self.trap_lanes.next = self.resolve.taken.val();
        if self.divergent.val().any() {
            self.trap.next = TrapCause::DivergentIndirectJump;
            self.trap_lanes.next = self.divergent.val();
        } else if self.resolve.taken.val().any() & self.resolve.target.val().get_bit(1) {
            self.trap.next = TrapCause::MisalignedTarget;
        }
        if !self.valid.val() {
            self.trap.next = TrapCause::None;
        }
        self.resolve.valid.next = self.valid.val() & (self.trap.val() == TrapCause::None);
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
        let mut unit = BranchUnit::new(&CoreConfig::tiny());
        unit.connect_all();
        unit.valid.next = true;
        unit.controls.control_kind.next = kind;
        unit.controls.indirect.next = addresses.is_some();
        unit.issued.instruction.mask.next = masks[0].into();
        unit.condition_met.next = masks[1].into();
        for (port, address) in unit.addresses.iter_mut().zip(addresses.unwrap_or([0x9999; 4])) {
            port.next = address.into();
        }
        unit.issued.instruction.pc.next = 0x100.into();
        unit.controls.immediate.next = immediate.into();
        simulate(&mut unit, 100);
        assert_eq!(unit.resolve.next_pc.val(), 0x104);
        Resolved {
            valid: unit.resolve.valid.val(),
            taken: format!("{:04b}", unit.resolve.taken.val().value()),
            target: unit.resolve.target.val().value(),
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
