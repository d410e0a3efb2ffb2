//! What every instruction is crossed with: how many lanes execute it, and what it has waited for.
use std::collections::BTreeMap;
use std::sync::LazyLock;

use warploom_runtime::isa::{Instruction, Unit, instructions};

use super::classes::classes;
use super::group::{Dimension, Group};

classes! {
    /// Who executes an instruction.
    Active, "lanes":
    All = "all lanes", "every lane of the warp";
    Several = "several lanes", "some, not all, by divergence or because the warp is not full";
    One = "one lane", "a single one";
    BesideOthers = "beside a path", "any number, and the warp has another path that runs at the same time (dpe, dws)";
}

impl Active {
    /// Of the lanes in `mask`, in a warp of so many lanes with so many paths.
    pub fn of(mask: u64, lanes: usize, paths: u64) -> Self {
        match mask.count_ones() as usize {
            _ if paths > 1 => Self::BesideOthers,
            1 => Self::One,
            active if active == lanes => Self::All,
            _ => Self::Several,
        }
    }
}

classes! {
    /// What an instruction has waited for in the warp buffer. One that has waited for several things counts for each.
    Wait, "wait":
    Nothing = "nothing", "it issued in its first cycle there";
    Turn = "its turn", "other warps went first, or there was no issue slot";
    Result = "result", "a register that an instruction of the ALU or a jump writes";
    Product = "product", "a register that a multiplication writes";
    Quotient = "quotient", "a register that a division or a square root writes";
    Float = "float", "a register that a sum, product or conversion of floats writes";
    Load = "load", "a register that a load or an atomic writes";
    OthersRegister = "others' register", "a register that only threads elsewhere have pending: orphans, or the other path's";
    MemoryQueue = "memory queue", "room in the load/store unit's queue";
    Divider = "divider", "the divider, busy with another division";
    WritebackSlot = "write-back slot", "a cycle in which its result can be written";
}

impl Wait {
    /// For the register that this instruction writes.
    pub fn for_register_of(instruction: &Instruction) -> Self {
        match instruction.unit() {
            Unit::Alu | Unit::Control => Self::Result,
            Unit::Float => Self::Float,
            Unit::Multiply => Self::Product,
            Unit::Divide => Self::Quotient,
            Unit::Memory => Self::Load,
        }
    }

    /// Why this instruction cannot have waited for that.
    fn is_impossible(self, instruction: &Instruction) -> Option<&'static str> {
        let has_registers =
            instruction.destination().is_some() || instruction.sources() != [None; 3] || instruction.waits_for_all();
        let (unit, writes) = (instruction.unit(), instruction.destination().is_some());
        match self {
            Self::Nothing | Self::Turn => None,
            Self::Result | Self::Product | Self::Quotient | Self::Float | Self::Load | Self::OthersRegister => {
                (!has_registers).then_some("it has no registers")
            }
            Self::MemoryQueue => (unit != Unit::Memory).then_some("it does not go to the load/store unit"),
            Self::Divider => (unit != Unit::Divide).then_some("it is no division"),
            Self::WritebackSlot if !writes => Some("it writes no register"),
            Self::WritebackSlot => matches!(unit, Unit::Memory | Unit::Divide)
                .then_some("its result takes any slot that is free, and does not hold the instruction back"),
        }
    }
}

/// Every instruction by its mnemonic: its place in the group.
pub static PLACES: LazyLock<BTreeMap<&'static str, usize>> =
    LazyLock::new(|| instructions().iter().map(Instruction::mnemonic).zip(0..).collect());

/// The points of instructions.
pub fn group() -> Group {
    let all = instructions();
    let dimensions = vec![
        Dimension::new("instruction", all.iter().map(Instruction::mnemonic)),
        Active::dimension(),
        Wait::dimension(),
    ];
    Group::new("instructions".into(), dimensions, |place| Wait::EACH[place[2]].is_impossible(&all[place[0]]))
}
