//! The hardware enumerations that blocks exchange.
use crate::prelude::*;

hardware_enum! {
    /// Which unit an instruction occupies.
    pub enum Unit {
        /// One-cycle result: arithmetic, CSR reads, ballot.
        Alu,
        /// Pipelined multiplier.
        Multiply,
        /// Iterative divider.
        Divide,
        /// Load/store unit.
        Memory,
        /// Branch unit and reconvergence unit: branches, jumps, exit, bar.sync.
        Control,
    }
}

hardware_enum! {
    /// What a resolved control instruction does to the reconvergence stack.
    pub enum ControlKind {
        /// Conditional branch.
        Branch,
        /// `jal`, `jalr`: every active lane goes to the target.
        Jump,
        /// The active threads end.
        Exit,
        /// The active threads wait for the CTA.
        Barrier,
    }
}

hardware_enum! {
    /// Memory instructions.
    pub enum MemoryOp {
        /// `lb`, `lh`, `lw`, `lbu`, `lhu`.
        Load,
        /// `sb`, `sh`, `sw`.
        Store,
        /// `lr.w`.
        LoadReserved,
        /// `sc.w`.
        StoreConditional,
        /// `amoswap.w`.
        AtomicSwap,
        /// `amoadd.w`.
        AtomicAdd,
        /// `amoxor.w`.
        AtomicXor,
        /// `amoand.w`.
        AtomicAnd,
        /// `amoor.w`.
        AtomicOr,
        /// `amomin.w`.
        AtomicMin,
        /// `amomax.w`.
        AtomicMax,
        /// `amominu.w`.
        AtomicMinUnsigned,
        /// `amomaxu.w`.
        AtomicMaxUnsigned,
        /// `fence`: waits until the warp's earlier memory instructions are done.
        Fence,
    }
}

hardware_enum! {
    /// A request on the memory port.
    pub enum RequestKind {
        /// A line; answered.
        Read,
        /// Masked bytes of a line; posted.
        Write,
        /// Read-modify-write of one word; answered with the line before it.
        Atomic,
    }
}

hardware_enum! {
    /// Why the hardware stopped.
    pub enum TrapCause {
        /// No trap.
        None,
        /// The word is not an instruction of this core, or writes a read-only CSR.
        IllegalInstruction,
        /// The PC left the instruction memory.
        FetchFault,
        /// A jump or branch target is not a multiple of four.
        MisalignedTarget,
        /// The active lanes of a `jalr` disagree on the target.
        DivergentIndirectJump,
        /// A load, store or atomic address is not a multiple of its size.
        MisalignedAccess,
        /// A load, store or atomic outside every mapped region.
        UnmappedAccess,
        /// `ecall`.
        EnvironmentCall,
        /// `ebreak`.
        Breakpoint,
        /// The reconvergence stack is full.
        StackOverflow,
        /// Warps of one CTA-wide entry came to different ends.
        GatherMismatch,
    }
}
