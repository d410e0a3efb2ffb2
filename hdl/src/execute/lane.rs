//! Everything of one lane in EXECUTE: operands, ALU, branch condition, address, multiplier, divider.
//!
//! ```text
//!                        +------+
//!  rs1 -----+--- a mux ->|      |--> result mux ---> result
//!  pc ------|----^       | Alu  |      ^ ^
//!  rs2 ---+-|--- b mux ->|      |      | +-- csr, ballot
//!  imm -+-|-|----^       |      |--> condition ----> taken
//!       | | |            +------+
//!       +-|-+------------> rs1 + imm --------------> address
//!         | +------------> rs1 != 0 ---------------> nonzero
//!         +-+------------> Multiply ---------------> multiply_result
//!         +-+------------> Divide -----------------> divide_result
//! ```
//!
//! With warp instructions, b may be `addend`, the address `rs1` without bit 0 + `offset`, and the result the number of bits of `rs1`.
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1`, `rs2` | 32 | the thread's registers |
//! | `pc`, `controls_immediate` | 32 | of the instruction |
//! | `csr` | 32 | the CSR as this thread reads it |
//! | `ballot` | 32 | the result of `ballot` |
//! | `warp_controls_*`, `addend`, `offset` with warp instructions | , 32, 32 | from the decoder and from [`WarpVote`](super::WarpVote) |
//! | `controls_operand_a`, `controls_operand_b`, `controls_alu_op`, `controls_result_source`, `controls_condition`, `controls_divide_signed` | enum, 1 | from the decoder |
//! | `multiply_start` | 1 | EXECUTE: the operands are multiplied |
//! | `multiply_kind_a_signed`, `multiply_kind_b_signed`, `multiply_kind_high` | 1 | one cycle after EXECUTE |
//! | `divide_drive_load`, `divide_drive_step`, `divide_drive_remainder` | 1 | from the divider's control |
//! | `result` | 32 | one-cycle result: ALU, CSR, ballot, link |
//! | `taken` | 1 | the branch condition holds |
//! | `address` | 32 | of the access, and the target of `jalr` |
//! | `nonzero` | 1 | `rs1` != 0, for `ballot` |
//! | `multiply_result` | 32 | two cycles after EXECUTE |
//! | `divide_result` | 32 | when the divider's control says so |
//!
//! Latency 0 but for the multiplier and the divider, which hold all the state. Addresses have an adder
//! of their own because a `jalr` needs both its target and its link in the same cycle.
use super::operation::{
    BranchCondition, Controls, DivideStep, MultiplyKind, OperandA, OperandB, ResultSource, WarpControls,
};
use super::{Alu, Divide, Multiply};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Lane: clock {
        pub rs1: Net<In> = 32,
        pub rs2: Net<In> = 32,
        pub pc: Net<In> = 32,
        pub csr: Net<In> = 32,
        pub ballot: Net<In> = 32,
        pub controls: Controls<In> = Controls::new(config),
        pub warp_controls: Vec<WarpControls<In>> = (0..votes).map(|_| WarpControls::new()).collect(),
        pub addend: Vec<Net<In>> = Net::vec(votes, 32),
        pub offset: Vec<Net<In>> = Net::vec(votes, 32),
        pub multiply_start: Signal<In, Bit>,
        pub multiply_kind: MultiplyKind<In> = MultiplyKind::new(),
        pub divide_drive: DivideStep<In> = DivideStep::new(),
        pub result: Net<Out> = 32,
        pub taken: Signal<Out, Bit>,
        pub address: Net<Out> = 32,
        pub nonzero: Signal<Out, Bit>,
        pub multiply_result: Net<Out> = 32,
        pub divide_result: Net<Out> = 32,

        alu: Alu => { operation: controls.alu_op },
        multiply: Multiply => { a: rs1, b: rs2, start: multiply_start, kind: multiply_kind, result: multiply_result },
        divide: Divide = Divide::new(config.divide_bits) => {
            drive: divide_drive, is_signed: controls.divide_signed, a: rs1, b: rs2, result: divide_result,
        },
        population: Vec<Popcount> = (0..votes).map(|_| Popcount::new(32)).collect() => |p| { value: rs1 },
        /// Bits of `rs1`.
        ones: Net<Local> = 6,
        /// Of the address.
        base: Vec<Net<Local>> = Net::vec(votes, 32),
        distance: Vec<Net<Local>> = Net::vec(votes, 32),
    }
    /// A lane of a core.
    pub fn new(config: &CoreConfig) {
        let votes = config.of_warp_instructions();
    }
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Lane");
        match self.controls.operand_a.val() {
            OperandA::Register => self.alu.a.next = self.rs1.val(),
            OperandA::Pc => self.alu.a.next = self.pc.val(),
            OperandA::Zero => self.alu.a.next = 0.into(),
        }
        match self.controls.operand_b.val() {
            OperandB::Register => self.alu.b.next = self.rs2.val(),
            OperandB::Immediate => self.alu.b.next = self.controls.immediate.val(),
            OperandB::Four => self.alu.b.next = 4.into(),
        }
        match self.controls.result_source.val() {
            ResultSource::Alu => self.result.next = self.alu.result.val(),
            ResultSource::Csr => self.result.next = self.csr.val(),
            ResultSource::Ballot => self.result.next = self.ballot.val(),
        }
        match self.controls.condition.val() {
            BranchCondition::Equal => self.taken.next = self.alu.equal.val(),
            BranchCondition::NotEqual => self.taken.next = !self.alu.equal.val(),
            BranchCondition::Less => self.taken.next = self.alu.less.val(),
            BranchCondition::GreaterEqual => self.taken.next = !self.alu.less.val(),
            BranchCondition::LessUnsigned => self.taken.next = self.alu.less_unsigned.val(),
            BranchCondition::GreaterEqualUnsigned => self.taken.next = !self.alu.less_unsigned.val(),
        }
        self.address.next = self.rs1.val() + self.controls.immediate.val();
        self.ones.next = 0.into();
        for p in 0..self.warp_controls.len() {
            if self.warp_controls[p].traverses.val() | self.warp_controls[p].accumulates.val() {
                self.alu.b.next = self.addend[p].val();
            }
            self.ones.next = self.population[p].count.val();
            if self.warp_controls[p].population.val() {
                self.result.next = bit_cast_to(self.ones.val(), 32);
            }
            self.base[p].next = self.rs1.val();
            self.distance[p].next = self.controls.immediate.val();
            if self.warp_controls[p].accumulates.val() {
                self.base[p].next = (self.rs1.val() >> 1) << 1;
                self.distance[p].next = self.offset[p].val();
            }
            self.address.next = self.base[p].val() + self.distance[p].val();
        }
        self.nonzero.next = self.rs1.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(rs1: usize, rs2: usize) -> Lane {
        let mut lane = Lane::new(&CoreConfig::tiny());
        lane.connect_all();
        lane.rs1.next = rs1.into();
        lane.rs2.next = rs2.into();
        lane.pc.next = 0x100.into();
        lane.controls.immediate.next = 0xffff_fffc.into();
        lane.csr.next = 0xc5.into();
        lane.ballot.next = 0xb0.into();
        simulate(&mut lane, 1000);
        lane
    }

    #[test]
    fn operands_and_results() {
        let mut lane = lane(10, 3);
        for (a, b, source, result) in [
            (OperandA::Register, OperandB::Register, ResultSource::Alu, 13),
            (OperandA::Register, OperandB::Immediate, ResultSource::Alu, 6),
            (OperandA::Pc, OperandB::Immediate, ResultSource::Alu, 0xfc),
            (OperandA::Pc, OperandB::Four, ResultSource::Alu, 0x104),
            (OperandA::Zero, OperandB::Immediate, ResultSource::Alu, 0xffff_fffc),
            (OperandA::Register, OperandB::Register, ResultSource::Csr, 0xc5),
            (OperandA::Register, OperandB::Register, ResultSource::Ballot, 0xb0),
        ] {
            lane.controls.operand_a.next = a;
            lane.controls.operand_b.next = b;
            lane.controls.result_source.next = source;
            simulate(&mut lane, 1000);
            assert_eq!(lane.result.val(), result, "{a:?} {b:?} {source:?}");
            assert_eq!(lane.address.val(), 6);
            assert!(lane.nonzero.val());
        }
    }

    #[test]
    fn branch_conditions() {
        use BranchCondition::*;
        let order = [Equal, NotEqual, Less, GreaterEqual, LessUnsigned, GreaterEqualUnsigned];
        for (rs1, rs2, taken) in
            [(5, 5, "1..1.1"), (0xffff_ffff, 1, ".11..1"), (1, 0xffff_ffff, ".1.11."), (1, 2, ".11.1.")]
        {
            let mut lane = lane(rs1, rs2);
            let mut found = String::new();
            for condition in order {
                lane.controls.condition.next = condition;
                simulate(&mut lane, 1000);
                found.push(if lane.taken.val() { '1' } else { '.' });
            }
            assert_eq!(found, taken, "{rs1:x} {rs2:x}");
        }
    }

    #[test]
    fn long_operations_take_the_registers() {
        let mut lane = lane(100, 7);
        lane.divide_drive.load.next = true;
        lane.multiply_start.next = true;
        tick!(lane);
        lane.divide_drive.load.next = false;
        lane.multiply_start.next = false;
        lane.divide_drive.step.next = true;
        lane.rs1.next = 0.into();
        tick!(lane);
        assert_eq!(lane.multiply_result.val(), 700);
        assert!(!lane.nonzero.val());
        for _ in 1..32 / CoreConfig::tiny().divide_bits {
            tick!(lane);
        }
        assert_eq!(lane.divide_result.val(), 14);
    }
}
