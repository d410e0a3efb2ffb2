//! OPERAND: decodes the issued instruction and holds it for EXECUTE.
//!
//! ```text
//!   OPERAND                                  EXECUTE
//!   issue_word ---> Decode ----------[.]---> controls_*: of the lanes and units
//!                     +--> csr_index
//!   issue_* -------------------------[.]---> issued_*: valid, warp, home warps, word, pc, mask, annotation, unit
//!   context_slot, _shared_base ------[.]---> slot, shared_base
//!   homes_slots --> of each lane -+--[.]---> held_slots[L]
//!                                 +--> lane_slots[L]
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issue_*` | | the instruction, registered by the issue stage |
//! | `context_slot`, `context_shared_base` | c, 32 | of its warp |
//! | `homes_slots[W]`, `lane_slots[L]` | c | where warps are of threads of several CTAs, instead: the CTA slot of each home warp, and that of the thread in each lane |
//! | `csr_index` | 4 | OPERAND: for the CSR unit |
//! | `issued_*`, `slot`, `shared_base`, `held_slots[L]` | | EXECUTE: the instruction |
//! | `controls_*` | | EXECUTE: its controls, as [`Decode`](super::Decode) documents them |
//! | `destination_*` | | EXECUTE: where its result goes |
//!
//! Latency 1. State: one instruction.
use super::Decode;
use super::float::operation::{FloatControls, FloatControlsRegister};
use super::operation::{Controls, ControlsRegister, WarpControls, WarpControlsRegister};
use crate::interface::{CtaContext, Destination, HomeCtas, Issued, IssuedRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct OperandStage: clock, reset {
        pub issue: Issued<In> = Issued::new(config),
        pub context: CtaContext<In> = CtaContext::new(config),
        pub homes: HomeCtas<In> = HomeCtas::new(config),
        pub lane_slots: Vec<Net<Out>> = Net::vec(mixed, config.slot_width()),
        pub csr_index: Net<Out> = 4,

        pub issued: Issued<Out> = Issued::new(config),
        pub slot: Net<Out> = config.slot_width(),
        pub shared_base: Net<Out> = 32,
        pub held_slots: Vec<Net<Out>> = Net::vec(mixed, config.slot_width()),
        pub controls: Controls<Out> = Controls::new(config),
        pub float_controls: Vec<FloatControls<Out>> = (0..floats).map(|_| FloatControls::new()).collect(),
        pub warp_controls: Vec<WarpControls<Out>> = (0..votes).map(|_| WarpControls::new()).collect(),
        pub destination: Destination<Out> = Destination::new(config),

        decode: Decode = Decode::new(config) => { word: issue.instruction.word, csr_index },
        instruction_held: IssuedRegister = IssuedRegister::new(config) => {
            d: issue, q.warp: destination.warp, q.instruction.mask: destination.mask,
        },
        slot_held: Flop = Flop::new(config.slot_width()) => { d: context.slot, q: slot },
        shared_base_held: Flop = Flop::new(32) => { d: context.shared_base, q: shared_base },
        slots_of_lanes: Vec<IndexedMux> = (0..mixed).map(|_| IndexedMux::new(config.slot_width(), config.warps)).collect() => |lane| {
            inputs: homes.slots, index: issue.home_warps[lane], selected: lane_slots[lane],
        },
        slots_held: Vec<Flop> = Flop::vec(mixed, config.slot_width()) => |lane| { d: lane_slots[lane], q: held_slots[lane] },
        controls_held: ControlsRegister = ControlsRegister::new(config) => {
            d: decode.controls, q: controls, q.rd: destination.rd,
        },
        float_controls_held: Vec<FloatControlsRegister> = (0..floats).map(|_| FloatControlsRegister::new()).collect() => |p| {
            d: decode.float_controls[p], q: float_controls[p], q.raises: destination.raises[p],
            q.replaces: destination.replaces[p],
        },
        warp_controls_held: Vec<WarpControlsRegister> = (0..votes).map(|_| WarpControlsRegister::new()).collect() => |p| {
            d: decode.warp_controls[p], q: warp_controls[p],
        },
    }
    /// The operand stage of a core.
    pub fn new(config: &CoreConfig) {
        let (floats, mixed) = (config.of_floats(), config.where_mixed(config.lanes));
        let votes = config.of_warp_instructions();
    }
}

impl Logic for OperandStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OperandStage");
        wire::join(&mut self.issued, &mut self.instruction_held.q);
        wire::join(&mut self.destination.home_warps, &mut self.instruction_held.q.home_warps);
        for r in 0..self.destination.is_look.len() {
            self.destination.is_look[r].next = 0.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::operation::{OperandB, ResultSource};
    use crate::interface::{TrapCause, Unit};

    #[test]
    fn controls_follow_the_word_by_a_cycle() {
        let mut stage = OperandStage::new(&CoreConfig::tiny());
        stage.connect_all();
        simulate(&mut stage, 1000);
        stage.issue.valid.next = true;
        stage.issue.warp.next = 2.into();
        stage.issue.instruction.word.next = 0xfff0_8193.into(); // addi x3, x1, -1
        stage.issue.instruction.mask.next = 0b0110.into();
        stage.issue.unit.next = Unit::Alu;
        assert!(!stage.issued.valid.val());
        tick!(stage);
        stage.issue.valid.next = false;
        stage.issue.instruction.word.next = 0xccd0_2173.into(); // csrr x2, warp
        simulate(&mut stage, 1000);
        assert_eq!(stage.csr_index.val(), 0xd, "still in OPERAND");
        assert!(stage.issued.valid.val() && stage.controls.writes_rd.val());
        assert_eq!(
            (stage.controls.rd.val(), stage.controls.immediate.val()),
            (Word::new(3, 5), Word::new(0xffff_ffff, 32))
        );
        assert_eq!(
            (stage.issued.warp.val(), stage.issued.instruction.mask.val()),
            (Word::new(2, 2), Word::new(0b0110, 4))
        );
        assert_eq!((stage.controls.operand_b.val(), stage.controls.trap.val()), (OperandB::Immediate, TrapCause::None));
        tick!(stage);
        assert!(!stage.issued.valid.val());
        assert_eq!(stage.controls.result_source.val(), ResultSource::Csr);
    }
}
