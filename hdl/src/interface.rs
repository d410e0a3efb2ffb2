//! How blocks talk: the signals that travel together, and the enumerations among them.
//!
//! ```text
//!  host --InstructionLoad, KernelConfiguration--> core
//!
//!  CtaDispatcher --Launch, CtaStart, CtaContext, HomeCtas, TidWrite--> everywhere
//!
//!  ReconvergenceUnit --Formed, WarpEvent--> Frontend, IssueStage       --ThreadEvent--> BarrierUnit
//!     ^        ^
//!     |        +--Decoded-- Frontend --Slots, Instruction--> IssueStage --Issued--> Execute
//!     |                                                          ^                   | |
//!     +------------------------- Resolve ------------------------|-------------------+ |
//!                                                                +---RegisterEvent-----+
//!                                                                                      |
//!                     Execute <--LaneResult-- LoadStoreUnit <------MemoryAccess--------+
//!                                               |      ^
//!  memory <--------------------------LineRequest+      +LineResponse---------- memory
//! ```
//!
//! What the words mean: docs/developer/vocabulary.md; what holds between blocks, and in which cycle: docs/developer/microarchitecture.md.
use crate::execute::float::operation::FLAGS;
use crate::parts::AnnotationRegister;
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
        /// Pipelined float unit.
        Float,
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
        /// Read-modify-write of one word; answered with the line before it. In a GPU a store-conditional, too, whose answer is 0 or 1 in every word.
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

bundle! {
    /// What the loader knows of a branch, beside its instruction.
    pub struct Annotation() {
        /// Reconvergence PC: the immediate post-dominator.
        rpc: [32],
        /// There is one.
        rpc_valid: Bit,
        /// Likely-convergence PC; 1: none.
        lpc: [32],
        /// All threads of a CTA go the same way.
        uniform: Bit,
        /// The block at the reconvergence PC is short enough for the warp to be divided.
        subdividable: Bit,
        /// It goes back to the head of a loop that may wait for other threads.
        spin: Bit,
        /// The next instruction in sequence can be reached otherwise, too.
        join: Bit,
        /// The condition depends on data, not on thread numbers alone.
        data_dependent: Bit,
    }
}

bundle! {
    /// The host writes a word of the instruction memory.
    pub struct InstructionLoad(config: &CoreConfig) {
        enable: Bit,
        address: [config.instruction_width()],
        word: [32],
        annotation: (Annotation()),
    }
}

bundle! {
    /// A kernel launch; stable while the core is busy.
    pub struct KernelConfiguration(config: &CoreConfig) {
        entry_pc: [32],
        grid_x: [32],
        grid_y: [32],
        grid_z: [32],
        block_x: [16],
        block_y: [16],
        block_z: [16],
        threads_per_cta: [16],
        warps_per_cta: [config.warp_width() + 1],
        /// Most CTAs at once.
        resident_ctas: [config.slot_width() + 1],
        /// Address of the arguments.
        arguments: [32],
        /// Shared memory of a CTA.
        shared_bytes: [32],
        /// First address past global memory.
        global_limit: [32],
        /// Warps may be compacted.
        compact: Bit,
        /// Lanes may be permuted.
        permute: Bit,
    }
}

registers! {
    /// [`CtaGrant`], a cycle later.
    pub struct CtaGrantRegister {
        /// In a GPU: what a core is answered that has asked for a CTA.
        CtaGrant() {
            valid: Bit,
            /// None is left; else this one is the core's.
            none: Bit,
            x: [32],
            y: [32],
            z: [32],
        }
    }
}

bundle! {
    /// A CTA starts.
    pub struct CtaStart(config: &CoreConfig) {
        valid: Bit,
        slot: [config.slot_width()],
        threads: [16],
    }
}

bundle! {
    /// Of the CTA of one warp.
    pub struct CtaContext(config: &CoreConfig) {
        slot: [config.slot_width()],
        /// Its first warp.
        first_warp: [config.warp_width()],
        ctaid_x: [32],
        ctaid_y: [32],
        ctaid_z: [32],
        shared_base: [32],
    }
}

bundle! {
    /// Where warps are of threads of several CTAs, whose CTA is asked for by home warp; empty elsewhere.
    pub struct HomeCtas(config: &CoreConfig) {
        /// The CTA slot of each home warp.
        slots: [config.slot_width(); config.where_mixed(config.warps)],
        // By CTA slot, what [`CtaContext`] says of one of them.
        first_warps: [config.warp_width(); config.where_mixed(config.cta_slots)],
        ctaids_x: [32; config.where_mixed(config.cta_slots)],
        ctaids_y: [32; config.where_mixed(config.cta_slots)],
        ctaids_z: [32; config.where_mixed(config.cta_slots)],
        shared_bases: [config.shared_width(); config.where_mixed(config.cta_slots)],
    }
}

/// Threads of a warp that get their coordinates in one cycle: a group of neighbours. All, if the warp has no more lanes.
pub const THREADS_FILLED: usize = 8;

bundle! {
    /// Coordinates of a thread in its CTA.
    pub struct ThreadPlace() {
        x: [16],
        y: [16],
        z: [16],
    }
}

bundle! {
    /// The threads of a group get their coordinates.
    pub struct TidWrite(config: &CoreConfig) {
        warp_in_cta: [config.warp_width()],
        enable: [1; config.lanes.min(THREADS_FILLED)],
        lane: [config.lane_width(); config.lanes.min(THREADS_FILLED)],
        /// Their lanes before permutation.
        number: [config.lane_width(); config.lanes.min(THREADS_FILLED)],
        x: [16; config.lanes.min(THREADS_FILLED)],
        y: [16; config.lanes.min(THREADS_FILLED)],
        z: [16; config.lanes.min(THREADS_FILLED)],
    }
}

bundle! {
    /// A warp starts.
    pub struct Launch(lanes: usize, warp: usize) {
        valid: Bit,
        warp: [warp],
        pc: [32],
        mask: [lanes],
    }
}

bundle! {
    /// The instruction fetched in the last cycle is in DECODE.
    pub struct Decoded(lanes: usize, path: usize) {
        valid: Bit,
        warp: [path],
        /// A control instruction: its path is fetched again only when that has been resolved.
        control: Bit,
        mask: [lanes],
    }
}

registers! {
    /// [`Instruction`], a cycle later.
    pub struct InstructionRegister: clock {
        /// An instruction on its way to the units.
        Instruction(config: &CoreConfig) {
            word: [32],
            pc: [32],
            mask: [config.lanes],
            annotation: (Annotation() in AnnotationRegister(config)),
        }
    }
}

bundle! {
    /// An instruction out of the instruction memory.
    pub struct Fetched(config: &CoreConfig, warp: usize) {
        valid: Bit,
        warp: [warp],
        instruction: (Instruction(config)),
    }
}

/// Flags of an instruction in a core without floats.
pub const PREDECODED_FLAGS: usize = 7;

registers! {
    /// [`Predecoded`], a cycle later.
    pub struct PredecodedRegister: clock {
        /// What the scheduler must know of an instruction.
        Predecoded(config: &CoreConfig) {
            rs1: [config.register_width()],
            rs2: [config.register_width()],
            rd: [config.register_width()],
            /// Of a core with floats.
            rs3: [config.register_width(); config.of_floats()],
            /// {control, memory, divide, multiply, writes_rd, reads_rs2, reads_rs1}, and of a core with floats above them {waits_for_all, float, reads_rs3}
            flags: [PREDECODED_FLAGS + 3 * config.of_floats()],
            /// With warp instructions: a memory instruction whose result is the ALU's.
            accumulates: [1; config.of_warp_instructions()],
            /// Where loads are issued again: it waits until none of its warp is under way.
            ordered: [1; config.of_replay()],
            /// Where loads may wait for an MSHR before they issue: a load that is taken to need one.
            expected: [1; config.of_prediction()],
        }
    }
}

bundle! {
    /// What the issue stage sees of the warp buffer's slots of one side, by warp.
    pub struct Slots(config: &CoreConfig) {
        valid: [config.warps],
        rs1: [config.register_width(); config.warps],
        rs2: [config.register_width(); config.warps],
        rd: [config.register_width(); config.warps],
        reads_rs1: [config.warps],
        reads_rs2: [config.warps],
        writes_rd: [config.warps],
        multiply: [config.warps],
        divide: [config.warps],
        memory: [config.warps],
        control: [config.warps],
        // Of a core with floats; the last three are one, or none.
        rs3: [config.register_width(); config.warps * config.of_floats()],
        reads_rs3: [config.warps; config.of_floats()],
        /// A float unit of fixed latency.
        float: [config.warps; config.of_floats()],
        /// It waits for every register.
        waits_for_all: [config.warps; config.of_floats()],
        /// With warp instructions: it occupies memory, and its result is the ALU's.
        accumulates: [config.warps; config.of_warp_instructions()],
    }
}

registers! {
    /// [`Issued`], a cycle later.
    pub struct IssuedRegister {
        /// An instruction issues.
        Issued(config: &CoreConfig) {
            valid: Bit,
            warp: [config.path_width()],
            instruction: (Instruction(config) in InstructionRegister(config)),
            unit: Unit,
            home_warps: [config.warp_width(); config.home_warps()],
            /// Where loads are issued again: its place in the warp buffer.
            buffer_slot: [config.buffer_slot_width(); config.of_replay()],
            /// There: it is not issued for the first time.
            again: [1; config.of_replay()],
            /// Where loads may wait for an MSHR before they issue: it has the promise of one.
            credit: [1; config.of_prediction()],
        }
    }
}

bundle! {
    /// A control instruction whose outcome is known.
    pub struct Resolve(lanes: usize, path: usize, warp: usize, home_warps: usize) {
        valid: Bit,
        warp: [path],
        kind: ControlKind,
        /// Lanes that go to the target.
        taken: [lanes],
        /// Lanes that executed it.
        mask: [lanes],
        target: [32],
        /// Where the other lanes go: behind it.
        next_pc: [32],
        annotation: (Annotation()),
        home_warps: [warp; home_warps],
    }
}

bundle! {
    /// Something happens to a warp.
    pub struct WarpEvent(warp: usize) {
        valid: Bit,
        warp: [warp],
    }
}

bundle! {
    /// Something happens to threads of a warp.
    pub struct ThreadEvent(lanes: usize, warp: usize) {
        valid: Bit,
        warp: [warp],
        /// How many.
        count: [index_width(lanes + 1)],
    }
}

bundle! {
    /// A warp cannot go on.
    pub struct WarpFault(warp: usize) {
        valid: Bit,
        warp: [warp],
        pc: [32],
    }
}

bundle! {
    /// What becomes of the turns of a warp's threads, for the counters.
    pub struct TurnEvents(lanes: usize) {
        /// A turn is over for its trips round a loop that may wait for other threads.
        ended_by_spin: Bit,
        /// A turn is over for its instructions.
        ended_by_quantum: Bit,
        /// Threads that wait for others to reconverge with them stop waiting.
        breaks: Bit,
        /// So many.
        released: [index_width(lanes + 1)],
        /// Other threads of the warp get their turn.
        rotates: Bit,
    }
}

bundle! {
    /// What becomes of groups of threads that run together, for the counters.
    pub struct GroupEvents(lanes: usize) {
        /// Threads diverge, and no convergence barrier is left for them.
        full: Bit,
        /// A group is formed.
        forms: Bit,
        /// So many threads join one that ran before.
        merged: [index_width(lanes + 1)],
    }
}

bundle! {
    /// What becomes of threads that are regrouped, for the counters.
    pub struct PoolEvents(lanes: usize, barriers: usize) {
        /// A warp is formed.
        forms: Bit,
        /// So many threads join one.
        joined: [index_width(lanes + 1)],
        /// So many find no slot.
        parked: [index_width(lanes + 1)],
        /// A warp leaves its slot to threads that have none.
        relieved: Bit,
        /// Threads that could have been joined are in the table no more.
        evicted: Bit,
        /// With warp barriers (one of them, else none): a warp has diverged at its top level.
        diverged: [1; barriers],
    }
}

bundle! {
    /// The sub-warp in the OPERAND stage, for the counters.
    pub struct SubWarpEvents(warps: usize) {
        /// Threads that wait for its instruction to issue; of a jump, all its threads. As wide as what counts them.
        threads: [64],
        /// It is one of several, in each lane a thread of any row.
        packed: Bit,
        /// It is a row.
        row: Bit,
        /// It is the one of a jump.
        at_once: Bit,
        /// With the first of several: so many it would be, could any thread go into any lane.
        ideal: [index_width(warps + 1)],
    }
}

bundle! {
    /// A warp is put together from the threads of these home warps.
    pub struct Formed(config: &CoreConfig) {
        valid: Bit,
        warp: [config.warp_width()],
        home_warps: [config.warp_width(); config.home_warps()],
        // Where threads are regrouped, instead of `warp`: each lane's own path, the side as a bit of it; none, and the lane stays as it is.
        sides: [config.sides(); config.lanes * config.regroups() as usize],
        warps: [config.warp_width(); config.lanes * config.regroups() as usize],
    }
}

bundle! {
    /// A side of a branch has been compacted, or not: what the counters see of it, in warps.
    pub struct CompactedPath(warps: usize) {
        valid: Bit,
        data_dependent: Bit,
        arrived: [index_width(warps + 1)],
        compacted: [index_width(warps + 1)],
        ideal: [index_width(warps + 1)],
        consulted: [index_width(warps + 1)],
        bypassed: [index_width(warps + 1)],
    }
}

bundle! {
    /// Something happens to a register of a path.
    pub struct RegisterEvent(path: usize, register: usize) {
        valid: Bit,
        warp: [path],
        rd: [register],
    }
}

bundle! {
    /// A memory instruction, with an address and data for every lane.
    pub struct MemoryAccess(config: &CoreConfig) {
        valid: Bit,
        warp: [config.path_width()],
        home_warps: [config.warp_width(); config.home_warps()],
        op: MemoryOp,
        /// log2 of the bytes.
        size: [2],
        unsigned: Bit,
        /// In a GPU: bit 0, it waits for all before it; bit 1, all behind it wait for it.
        orders: [2; config.of_gpu()],
        rd: [config.register_width()],
        mask: [config.lanes],
        pc: [32],
        /// Where loads are issued again: its place in the warp buffer.
        buffer_slot: [config.buffer_slot_width(); config.of_replay()],
        /// There: it is not issued for the first time.
        again: [1; config.of_replay()],
        /// Where loads may wait for an MSHR before they issue: it has the promise of one.
        credit: [1; config.of_prediction()],
        /// Of its CTA.
        slot: [config.slot_width()],
        shared_base: [32],
        /// Where its threads are of several CTAs, instead: the CTA slots of these, by lane.
        slots: [config.slot_width(); config.where_mixed(config.lanes)],
        address: [32; config.lanes],
        data: [32; config.lanes],
    }
}

registers! {
    /// [`Destination`], a cycle later.
    pub struct DestinationRegister: clock {
        /// Where a result goes: to a register of the lanes in `mask`.
        Destination(config: &CoreConfig) {
            warp: [config.path_width()],
            home_warps: [config.warp_width(); config.home_warps()],
            rd: [config.register_width()],
            mask: [config.lanes],
            /// With floats: the result has flags, which accrue, or take the place of those that were.
            raises: [1; config.of_floats()],
            replaces: [1; config.of_floats()],
            /// Where loads are issued again: it is of a look, and there may be others of the same load.
            is_look: [1; config.of_replay()],
        }
    }
}

hardware_enum! {
    /// What threads of a load are left for after a look (Turner 2012, section 3.1).
    pub enum LookHazard {
        /// None is left.
        None,
        /// They are of another line, or in the other memory.
        Divergence,
        /// They are of another row of a bank of shared memory.
        Bank,
        /// A miss, and no MSHR is free.
        Mshr,
        /// A miss, and the queue of requests is full.
        Queue,
        /// A miss, and every line of the set waits for its data.
        Reserved,
        /// The next stage is not free.
        Stall,
    }
}

registers! {
    /// [`Look`], a cycle later.
    pub struct LookRegister {
        /// The load/store unit has looked at a load, once (Turner 2012, 5.2: its checkpoint).
        Look(config: &CoreConfig) {
            valid: Bit,
            warp: [config.path_width()],
            buffer_slot: [config.buffer_slot_width()],
            rd: [config.register_width()],
            /// The first look of the load.
            first: Bit,
            /// For which threads it was issued, and which of these are done.
            mask: [config.lanes],
            done: [config.lanes],
            hazard: LookHazard,
        }
    }
}

/// Of a load's PC, in words, so many bits choose a counter of misses.
pub const MISS_ENTRY: usize = 6;

bundle! {
    /// What becomes of MSHRs, and of the promises of one.
    pub struct MshrEvents(config: &CoreConfig) {
        /// One is taken that was not promised.
        taken: Bit,
        freed: Bit,
        /// A promise has been of no use: nothing was taken for it, or it was counted among the above.
        returned: Bit,
    }
}

bundle! {
    /// What happens at the L1 in a cycle, to be counted; of a load only where it may wait for an MSHR before it issues.
    pub struct MemoryHazards(config: &CoreConfig) {
        /// A group of threads stays where it is, for this.
        waits: Bit,
        waits_for: LookHazard,
        /// A group goes, and leaves threads of its instruction behind.
        further_group: Bit,
        mshr_free: Bit,
        /// By bank of the L1: one is taken, and freed.
        mshrs_taken: [config.l1_ports],
        mshrs_freed: [config.l1_ports],
        /// The L1 has looked for the line of a load, which had the promise of an MSHR; the line was not there.
        looked: Bit,
        promised: Bit,
        missed: Bit,
    }
}

registers! {
    /// [`MissCheck`], kept.
    pub struct MissCheckRegister {
        /// The L1 has looked for the line of a load.
        MissCheck(config: &CoreConfig) {
            valid: Bit,
            /// The low bits of its PC.
            entry: [MISS_ENTRY],
            /// It was not there.
            missed: Bit,
        }
    }
}

bundle! {
    /// The data of a look are written.
    pub struct LookBack(config: &CoreConfig) {
        valid: Bit,
        warp: [config.path_width()],
        rd: [config.register_width()],
    }
}

registers! {
    /// [`LaneResult`], a cycle later.
    pub struct LaneResultRegister {
        /// Values, and where they go.
        LaneResult(config: &CoreConfig) {
            valid: Bit,
            destination: (Destination(config) in DestinationRegister(config)),
            data: [32; config.lanes],
            /// With floats: NV, DZ, OF, UF, NX.
            flags: [FLAGS; config.lanes * config.of_floats()],
        }
    }
}

registers! {
    /// [`LineRequest`], a cycle later.
    pub struct LineRequestRegister {
        /// To the memory beyond the L1.
        LineRequest(config: &CoreConfig) {
            valid: Bit,
            kind: RequestKind,
            line: [32],
            id: [index_width(config.waiting_groups())],
            data: [32; config.line_words()],
            /// Bytes written, by word.
            mask: [4; config.line_words()],
            atomic: MemoryOp,
            /// In a GPU, of a load-reserved: its thread gets the reservation of the core.
            reserves: [1; config.of_gpu()],
        }
    }
}

bundle! {
    /// From the memory beyond the L1.
    pub struct LineResponse(config: &CoreConfig) {
        valid: Bit,
        id: [index_width(config.waiting_groups())],
        data: [32; config.line_words()],
    }
}

registers! {
    /// Keeps one.
    pub struct TrapRegister {
        /// Why and where the hardware stops.
        Trap(config: &CoreConfig) {
            valid: Bit,
            cause: TrapCause,
            warp: [config.warp_width()],
            home_warp: [config.warp_width()],
            lane: [config.lane_width()],
            pc: [32],
            /// Instruction word, address or target, by cause.
            value: [32],
        }
    }
}

macro_rules! of_a_core {
    ($($name:ident($config:ident) => $($argument:expr),+;)*) => {$(
        impl<D: Direction> $name<D> {
            /// At the widths of a core.
            pub fn of($config: &CoreConfig) -> Self {
                Self::new($($argument),+)
            }
        }
    )*};
}

of_a_core! {
    Launch(config) => config.lanes, config.warp_width();
    Decoded(config) => config.lanes, config.path_width();
    Resolve(config) => config.lanes, config.path_width(), config.warp_width(), config.home_warps();
    WarpEvent(config) => config.warp_width();
    ThreadEvent(config) => config.lanes, config.warp_width();
    WarpFault(config) => config.warp_width();
    RegisterEvent(config) => config.path_width(), config.register_width();
}
