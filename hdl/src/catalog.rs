//! Every module by name, at the sizes a [`CoreConfig`] gives it: what can be exported and is tested for equivalence.
use crate::compaction_counters::CompactionCounters;
use crate::config::{
    self, AdequacyHistory, AdequacyPredictor, HazardPrediction, IssuePolicy, Mechanism, MemoryPath, Permutation,
    WarpFormation,
};
use crate::core::Core;
use crate::divergence::*;
use crate::execute::float::*;
use crate::execute::*;
use crate::formation_counters::FormationCounters;
use crate::frontend::*;
use crate::gpu::*;
use crate::interface::{ControlKind, MISS_ENTRY};
use crate::issue::*;
use crate::mechanism::options::{self, Turns};
use crate::mechanism::{TrackedBy, Traits};
use crate::memory::*;
use crate::memory_system::dram::*;
use crate::memory_system::l2::*;
use crate::memory_system::network::*;
use crate::memory_system::{AddressMap, CorePort, L2Port, MemoryChannel, ReadDelay, Ripening, SystemConfig, Tick};
use crate::parts::*;
use crate::path_counters::PathCounters;
use crate::performance_counters::PerformanceCounters;
use crate::prelude::*;
use crate::replay::*;
use crate::sub_warp_counters::SubWarpCounters;
use crate::trap_unit::TrapUnit;
use crate::turn_statistics::TurnStatistics;

/// One module.
pub struct CatalogEntry {
    /// Snake case, as its file is named.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Constructs it; `connect_all` is left to the caller.
    pub build: fn(&CoreConfig) -> Box<dyn Block>,
}

/// The configuration whose mechanism builds every part of a CTA-wide reconvergence unit, unless `config` has chosen one.
fn compacting(config: &CoreConfig) -> CoreConfig {
    if config.gathers() && config.of_cta_paths() == 0 {
        return config.clone();
    }
    let predictor = AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest };
    CoreConfig { mechanism: Mechanism::Capri(predictor), likely_convergence: true, ..config.clone() }
}

/// With an L1 of two banks.
fn two_ports(config: &CoreConfig) -> CoreConfig {
    CoreConfig { l1_ports: 2, ..config.clone() }
}

/// Instructions of a warp, where there are several.
fn ahead(config: &CoreConfig) -> usize {
    config.warp_buffer.max(4)
}

/// With loads that are issued again, unless `config` has chosen so.
fn replaying(config: &CoreConfig) -> CoreConfig {
    if config.of_replay() == 1 {
        return config.clone();
    }
    CoreConfig {
        mechanism: Mechanism::SinglePath,
        warp_buffer: 4,
        memory_path: MemoryPath::Replay,
        hazard_prediction: HazardPrediction::Counters,
        l1_ports: 1,
        warp_instructions: false,
        ..config.clone()
    }
}

/// With several paths per warp, tracked by thread, unless `config` has chosen so.
fn by_thread(config: &CoreConfig) -> CoreConfig {
    like(config, |traits| traits.scoreboard == TrackedBy::Thread)
}

/// With RV32F.
fn with_floats(config: &CoreConfig) -> CoreConfig {
    CoreConfig { floats: true, ..config.clone() }
}

/// With `xwarp`.
fn warp_instructions(config: &CoreConfig) -> CoreConfig {
    CoreConfig { warp_instructions: true, ..config.clone() }
}

/// With threads that are regrouped, unless `config` has chosen so.
fn regrouping(config: &CoreConfig) -> CoreConfig {
    like(config, |traits| traits.regroups)
}

/// How they are.
fn formation(config: &CoreConfig) -> WarpFormation {
    match config.mechanism {
        Mechanism::WarpFormation(formation) | Mechanism::WarpBarriers(formation) => formation,
        _ => WarpFormation::DEFAULT,
    }
}

/// With several paths per warp, unless `config` has chosen so.
fn by_path(config: &CoreConfig) -> CoreConfig {
    like(config, |traits| traits.sides > 1)
}

/// With the first mechanism of these traits, unless `config` has chosen one.
fn like(config: &CoreConfig, wanted: fn(Traits) -> bool) -> CoreConfig {
    if wanted(config.mechanism.traits()) {
        return config.clone();
    }
    CoreConfig { mechanism: Mechanism::first(wanted).expect("a mechanism"), ..config.clone() }
}

/// With two paths per CTA, unless `config` has chosen so.
fn cta_paths(config: &CoreConfig) -> CoreConfig {
    CoreConfig { likely_convergence: false, ..like(config, |traits| traits.gathers && traits.entry_sides > 1) }
}

/// With slots that these share, unless `config` has chosen so.
fn shared_slots(config: &CoreConfig) -> CoreConfig {
    match config.of_shared_slots() {
        1 => config.clone(),
        _ => CoreConfig { mechanism: Mechanism::TbcDualPathConstrained, likely_convergence: false, ..config.clone() },
    }
}

/// With large warps, unless `config` has chosen so: of two warps, so that there are several.
fn large(config: &CoreConfig) -> CoreConfig {
    match config.of_large_warps() {
        1 => config.clone(),
        _ => {
            CoreConfig { mechanism: Mechanism::LargeWarps(options::LargeWarps::of(2 * config.lanes)), ..config.clone() }
        }
    }
}

/// The adequacy predictor, unless `config` has chosen one.
fn predictor(config: &CoreConfig) -> AdequacyPredictor {
    match config.mechanism {
        Mechanism::Capri(predictor) if predictor.entries > 0 => predictor,
        _ => AdequacyPredictor { entries: config.warps, history: AdequacyHistory::Latest },
    }
}

/// The turns, as chosen or as usual.
fn turns(config: &CoreConfig) -> Turns {
    config.mechanism.traits().turns.unwrap_or(Turns::DEFAULT)
}

/// Convergence barriers of a warp, as chosen or as usual.
fn barriers(config: &CoreConfig) -> usize {
    like(config, |traits| traits.barriers.is_some()).mechanism.traits().barriers.expect("it has some")
}

/// With a likely-convergence PC and the kind of every branch.
fn annotating(config: &CoreConfig) -> CoreConfig {
    CoreConfig { likely_convergence: true, ..compacting(config) }
}

/// A channel of DRAM in which every rule counts.
fn channel(config: &CoreConfig) -> ChannelConfig {
    let timing = DramTiming { faw: 22, refi: 7210, rfc: 61, ..GDDR5 };
    ChannelConfig::new(&timing, sector_line(config), slice(config).mshr_width())
}

/// A slice of L2 as small as the L1 is, for that channel.
fn slice(config: &CoreConfig) -> L2Config {
    L2Config {
        line_bytes: sector_line(config),
        sets: config.l1_sets.max(2),
        ways: config.l1_ways.max(2),
        mshrs: 4,
        merges: 2,
        evictions: 2,
        replies: 8,
        cores: 3,
        id_width: index_width(config.mshrs),
        line_width: 28 - index_width(sector_line(config)),
        burst_sectors: 2,
    }
}

/// A network for cores with as many lanes: 3 x 2, 4 x 4 and 8 x 8.
fn network(config: &CoreConfig) -> NetworkConfig {
    match config.lanes {
        ..=4 => NetworkConfig { buffer: 2, hop_cycles: 2, ..NetworkConfig::new(3, 2) },
        5..=8 => NetworkConfig::new(4, 4),
        _ => NetworkConfig::new(8, 8),
    }
}

/// The same core in a GPU.
fn in_gpu(config: &CoreConfig) -> CoreConfig {
    CoreConfig { in_gpu: true, line_bytes: sector_line(config), ..config.clone() }
}

/// Two of them, before two channels.
fn gpu(config: &CoreConfig) -> SystemConfig {
    SystemConfig { l2_fixed: 5, ..SystemConfig::new(2, 2, sector_line(config), (4, 2), &GDDR3) }
}

/// Bytes of a line of whole sectors.
fn sector_line(config: &CoreConfig) -> usize {
    config.line_bytes.max(2 * SECTOR_BYTES)
}

macro_rules! catalog {
    ($($name:ident: |$config:pat_param| $module:expr, $summary:literal;)*) => {
        /// All modules, leaves first, in the order of the pipeline.
        pub const CATALOG: &[CatalogEntry] = &[$(CatalogEntry {
            name: stringify!($name),
            summary: $summary,
            build: |$config| Box::new($module),
        }),*];
    };
}

/// With the priority of CTAs that has the most hardware.
fn sticky(config: &CoreConfig) -> CoreConfig {
    CoreConfig { cta_priority: config::CtaPriority::StickyRoundRobin, ..config.clone() }
}

catalog! {
    flop: |_| Flop::new(32), "pipeline flip-flop";
    register: |_| Register::with_initial(32, 5), "register with reset";
    enabled_register: |_| EnabledRegister::with_initial(32, 5), "register with reset and enable";
    state_register: |_| StateRegister::<ControlKind>::default(), "register of an enumeration";
    memory: |_| Memory::with_byte_enables(32, 12, 2, 2, ReadKind::Asynchronous), "multi-port memory, byte enables";
    multiplier: |_| Multiplier::new(32), "full product, signed or unsigned on either side";
    barrel_shifter: |_| BarrelShifter::new(32), "shift by a variable amount";
    signed_compare: |_| SignedCompare::new(32), "two's-complement less-than";
    priority_encoder: |c| PriorityEncoder::new(c.lanes), "lowest set bit";
    popcount: |c| Popcount::new(c.lanes), "number of set bits";
    indexed_mux: |c| IndexedMux::new(32, c.lanes), "one of n words by number";
    prefix_or: |c| PrefixOr::new(c.lanes), "everything from the lowest set bit on";
    rotating_choice: |c| RotatingChoice::new(c.warps), "the next requester of a round";
    round_robin_arbiter: |c| RoundRobinArbiter::new(c.warps), "grants the next requester after the last one";
    oldest_first_row: |c| OldestFirstRow::new(c.warps), "one requester's row of the age matrix";
    oldest_first_arbiter: |c| OldestFirstArbiter::new(c.warps), "grants the requester that waited longest";
    two_level_arbiter: |c| TwoLevelArbiter::new(c.warps, 4, 5), "grants in groups, one before the next";
    one_hot_mux: |c| OneHotMux::new(32, c.lanes), "one of n words by a one-hot select";
    leading_zeros: |_| LeadingZeros::new(64), "zeros above the highest set bit";
    choice_step: |_| ChoiceStep::new(4, 8), "one bit of a choice by number";
    annotation_register: |c| AnnotationRegister::new(&annotating(c)), "holds a branch annotation for a cycle";
    annotation_memory: |c| AnnotationMemory::new(c.warps, 1, &annotating(c), ReadKind::Synchronous), "rows of branch annotations";
    fifo_control: |c| FifoControl::new(c.memory_queue), "pointers of a queue";
    fifo: |c| Fifo::new(32, c.memory_queue), "first-in first-out queue";
    crossbar_slot: |c| CrossbarSlot::new(c.lanes, c.lanes), "one output of the lane crossbar";
    lane_crossbar: |c| LaneCrossbar::new(c.lanes, c.lanes), "lanes to slots, merged";
    thread_counter: |_| ThreadCounter::default(), "coordinates of a thread, from group to group";
    cta_slot: |c| CtaSlot::new(c.warp_width() + 1), "one resident CTA";
    cta_dispatcher: |c| CtaDispatcher::new(c), "places the CTAs of a grid on the core";
    fetch: |c| Fetch::new(c), "picks a warp and reads its next instruction";
    predecode: |c| Predecode::new(c), "what the scheduler must know of an instruction";
    sub_warp_predecode: |c| SubWarpPredecode::new(large(c).jumps_at_once()), "how the sub-warps of an instruction are made";
    predecode_float: |_| PredecodeFloat::default(), "the same of a float instruction";
    predecode_warp: |_| PredecodeWarp::default(), "the same of a warp instruction";
    warp_slot: |c| WarpSlot::new(c), "one warp's slot of the warp buffer";
    warp_window: |c| WarpWindow::new(&CoreConfig { warp_buffer: ahead(c), ..c.clone() }), "several of them, fetched ahead";
    replay_window: |c| ReplayWindow::new(ahead(c)), "several of them, of which loads stay until they are done";
    replay_slots: |c| ReplaySlots::new(&replaying(c)), "the same, with what the scheduler watches";
    private_masks: |c| PrivateMasks::new(c.lanes, c.warps, ahead(c)), "which threads of a load are not done";
    miss_counters: |_| MissCounters::new(MISS_ENTRY, 2), "which loads will miss, by their PC";
    credit_tracker: |c| CreditTracker::new(c.mshrs, c.loads_promised()), "how many MSHRs are free and not promised";
    golden_load: |c| GoldenLoad::new(c.warps, ahead(c), 3), "the load that has failed so often that others wait for it";
    look_histogram: |c| LookHistogram::new(c.warps, ahead(c)), "how often loads are looked at until they are done";
    look_table: |c| LookTable::new(c.warps, 1 << c.register_width(), c.lanes), "which loads have all their data";
    warp_row: |c| WarpRow::new(c.warps, 4), "the row of one of a warp's things";
    warp_buffer: |c| WarpBuffer::new(c), "decoded instructions of every warp";
    frontend: |c| Frontend::new(c), "fetch, predecode and the warp buffer";
    scoreboard_row: |c| ScoreboardRow::new(c, c.compacts()), "one warp's pending registers";
    scoreboard: |c| Scoreboard::new(c), "which warps wait for a result";
    dual_path_scoreboard: |c| DualPathScoreboard::new(c), "which of two paths per warp wait for a result";
    cta_path_scoreboard: |c| CtaPathScoreboard::new(&cta_paths(c)), "which of two paths per CTA wait for a result";
    shared_path_scoreboard: |c| SharedPathScoreboard::new(&shared_slots(c)), "which of two paths per CTA wait for a result, where they share the warp slots";
    thread_scoreboard_row: |c| ThreadScoreboardRow::new(c, 2), "pending registers of one warp's threads";
    thread_scoreboard: |c| ThreadScoreboard::new(&by_thread(c)), "which paths wait for a result, thread by thread";
    hazard_unit: |c| HazardUnit::new(&by_path(c)), "the scoreboard that suits the mechanism";
    path_selection: |c| PathSelection::new(c.warps, 2, false), "which path of every warp competes with the other warps";
    cta_priority: |c| CtaPriority::new(&sticky(c)), "leaves the scheduler the warps of one CTA";
    path_selector: |c| PathSelector::new(c.sides().max(2), true), "which path of a warp competes in the scheduler";
    stall_detector: |c| StallDetector::new(c.warps, 8), "which warps have had nothing to issue for a while";
    warp_scheduler: |c| WarpScheduler::new(c, 8), "chooses which ready warp issues";
    barrier_slot: |c| BarrierSlot::new(c.warp_width() + 1), "one CTA's barrier";
    barrier_unit: |c| BarrierUnit::new(c), "barriers of the resident CTAs";
    issue_interval: |_| IssueInterval::new(4), "divides time into the slots in which the core can issue";
    warp_interval: |c| WarpInterval::new(c.warps, 3), "keeps a warp that has issued from issuing again too soon";
    writeback_slots: |_| WritebackSlots::new(3, 7, Some(5)), "who may issue without a clash at write-back";
    issue_stage: |c| IssueStage::new(c), "finds the warps that can start and picks one";
    immediate: |_| Immediate::default(), "gathers the immediate of an instruction";
    decode: |c| Decode::new(c), "instruction word to controls";
    decode_float: |_| DecodeFloat::default(), "the same of a float instruction";
    decode_warp: |_| DecodeWarp::default(), "the same of a warp instruction";
    register_file: |c| RegisterFile::new(c), "the registers of all threads, a bank per lane";
    operand_stage: |c| OperandStage::new(c), "reads operands and decodes";
    alu: |_| Alu::default(), "arithmetic-logic unit of one lane";
    multiply: |_| Multiply::default(), "multiplier of one lane";
    multiply_control: |c| MultiplyControl::new(c), "carries a multiplication's controls";
    divide: |c| Divide::new(c.divide_bits), "divider of one lane";
    divide_control: |c| DivideControl::new(c, 32 / c.divide_bits), "steps the dividers of all lanes";
    float_unpack: |_| FloatUnpack::new(FloatFormat::SINGLE), "parts and kind of a floating-point value";
    float_operands: |_| FloatOperands::new(FloatFormat::SINGLE), "operands of a multiply-add, and their special cases";
    float_align: |_| FloatAlign::new(FloatFormat::SINGLE), "shifts an addend to its place beside the product";
    float_normalize: |_| FloatNormalize::new(FloatFormat::SINGLE), "a sum as a significand, and what is below it";
    float_increment: |_| FloatIncrement::default(), "rounding modes: one more or not";
    float_round: |_| FloatRound::new(FloatFormat::SINGLE), "rounds a significand, with flags";
    float_convert: |_| FloatConvert::new(FloatFormat::SINGLE), "rounds to an integer, with flags";
    float_multiply_add: |_| FloatMultiplyAdd::new(FloatFormat::SINGLE), "fused multiply-add and conversions of one lane";
    float_compare: |_| FloatCompare::default(), "comparisons, minimum and maximum, class and signs";
    float_divide: |_| FloatDivide::new(FloatFormat::SINGLE, 2), "quotient and square root of one lane";
    float_divide_control: |c| FloatDivideControl::new(c, FloatFormat::SINGLE, 2), "steps the float dividers of all lanes";
    float_pipeline_control: |c| FloatPipelineControl::new(&with_floats(c)), "destinations of float results under way";
    float_lane: |_| FloatLane::default(), "the float units of one lane";
    float_status: |c| FloatStatus::new(&with_floats(c)), "rounding modes and flags of all threads";
    csr_lane: |c| CsrLane::new(c), "CSR value of one lane";
    csr_unit: |c| CsrUnit::new(c), "SIMT control and status registers";
    branch_unit: |c| BranchUnit::new(c), "resolves control instructions";
    lane: |c| Lane::new(c), "everything of one lane in EXECUTE";
    lane_prefix: |c| LanePrefix::new(c.lanes), "how many bits are set, and how many below each one";
    foreign_lanes: |c| ForeignLanes::new(c.lanes, c.warp_width()), "lanes with a thread of another home warp than the lowest";
    warp_vote: |c| WarpVote::new(&warp_instructions(&compacting(c))), "what the lanes of a warp instruction do together";
    result_pipe: |c| ResultPipe::new(c, 2), "results on their way to write-back";
    writeback: |c| Writeback::new(c), "one result per cycle into the register file";
    execute: |c| Execute::new(c), "operand read, lanes, branch unit and writeback";
    highest_entry: |c| HighestEntry::new(c.stack_depth), "highest candidate entry of a stack";
    control_records: |c| ControlRecords::new(c.lanes, c.warps, 1, true, true), "resolved control instructions in rows";
    thread_report: |c| ThreadReport::new(c.lanes, c.warps), "counts threads that end or begin to wait";
    live_threads: |c| LiveThreads::new(c.lanes, c.warps), "threads that have not ended";
    active_paths: |c| ActivePaths::new(c.lanes, c.warps, 4, true), "the active paths of every warp";
    stack_entries: |c| StackEntries::new(c.lanes, c.warps, c.stack_depth, 2), "entries of all stacks of warps";
    stack_walk: |c| StackWalk::new(c.stack_depth, c.lanes), "the walk down a stack";
    stack_engine: |c| StackEngine::new(c.warps, true), "whom the engine of all stacks serves";
    free_entry: |c| FreeEntry::new(c.stack_depth), "where the next push goes";
    barrier_entries: |c| BarrierEntries::new(c.warps, c.stack_depth, 2), "entries that wait at a barrier";
    path_events: |c| PathEvents::new(c.lanes, c.warps, 4), "resolved control instructions of warps with several paths";
    gather_records: |c| GatherRecords::new(c.cta_slots, 2, c.warps, 1), "what the warps of CTAs gather for";
    gathered_branches: |c| GatheredBranches::new(&compacting(c)), "gathers how warps end what their entry runs";
    warp_counts: |c| WarpCounts::new(c.cta_slots, c.warps, false), "warps of an entry that have not arrived";
    entry_origins: |c| EntryOrigins::new(c.cta_slots * c.stack_depth.next_power_of_two(), 1, c.stack_depth, 1), "what stays with an entry of a CTA-wide stack";
    entry_states: |c| EntryStates::new(c.cta_slots * c.stack_depth.next_power_of_two(), 1, c.warps), "what changes with an entry of a CTA-wide stack";
    thread_column: |c| ThreadColumn::new(c.warps, c.stack_depth), "one lane of a CTA-wide stack";
    branch_plan: |c| BranchPlan::new(c.warps, c.stack_depth, 1), "what a CTA-wide entry does when its warps have arrived";
    active_ends: |c| ActiveEnds::new(c.cta_slots, true), "where the active entry of each CTA ends";
    cta_entries: |c| CtaEntries::new(c.cta_slots, c.warps, c.stack_depth, true), "entries of all CTA-wide stacks";
    path_plan: |c| PathPlan::new(c.warps, c.stack_depth), "what a path of a CTA does when its warps have arrived";
    shared_slots: |c| SharedSlots::new(c.lanes, c.warps, c.cta_slots), "which paths of CTAs find room beside the other one";
    path_origins: |c| PathOrigins::new(c.cta_slots * c.stack_depth.next_power_of_two(), 1, c.stack_depth), "what stays with an entry of two paths";
    side_records: |c| SideRecords::new(c.cta_slots * c.stack_depth.next_power_of_two(), 1, c.warps), "how the warps of a path came to its branch";
    cta_path_entries: |c| CtaPathEntries::new(c.cta_slots, c.warps, c.stack_depth), "entries of all CTA-wide stacks with two paths";
    path_column: |c| PathColumn::new(c.warps, c.stack_depth), "one lane of a CTA-wide stack with two paths";
    cta_stack: |c| CtaStack::new(&compacting(c)), "CTA-wide reconvergence stacks";
    cta_path_stack: |c| CtaPathStack::new(&cta_paths(c)), "CTA-wide reconvergence stacks whose entries hold two paths";
    compaction_lane: |c| CompactionLane::new(c.warps), "priority encoder of one home lane";
    warp_compaction_unit: |c| WarpCompactionUnit::new(c.lanes, c.warps), "packs the threads of an entry into warps";
    adequacy_evaluator: |c| AdequacyEvaluator::new(c.lanes, c.warps), "how many warps compaction makes of an entry";
    ideal_warps: |c| IdealWarps::new(c.lanes, c.warps), "how many warps its threads would fill in any lane";
    compaction_slot: |c| CompactionSlot::new(c.stack_depth), "whose warp a slot holds, and whether it runs ahead";
    event_table: |c| EventTable::new(c.lanes, c.warps, true, true), "resolved control instructions, by warp";
    thread_block_compaction: |c| ThreadBlockCompaction::new(&compacting(c)), "reconvergence with a stack per CTA: TBC, TBC+, CAPRI";
    parked_lane: |c| ParkedLane::new(c.warps, c.has_warp_barriers()), "threads of one lane without a slot in the warp pool";
    parked_threads: |c| ParkedThreads::new(&regrouping(c)), "how threads without a slot get one";
    pool_slot: |c| PoolSlot::new(IssuePolicy::LowestPc, 32, 1024, c.has_warp_barriers()), "what is in a slot of the warp pool, and how urgent";
    pool_side: |c| PoolSide::new(&regrouping(c), formation(c)), "a slot of the warp pool for each warp";
    warp_pool: |c| WarpPool::new(&regrouping(c), formation(c)), "which warp of the pool issues, of those that threads may join";
    warp_lut_way: |c| WarpLutWay::new(8, c.lanes * c.warps, c.lanes, c.warp_width() + 1, c.slot_width()), "one way of the warp look-up table";
    warp_lut: |c| WarpLut::new(&regrouping(c), formation(c)), "which warp threads at a PC may join";
    warp_barriers: |c| WarpBarriers::new(c.lanes, c.warps), "where the threads of a warp that has diverged wait for one another";
    cta_threads: |c| CtaThreads::new(c.lanes, c.warps, c.cta_slots), "counts the threads of a warp by CTA";
    large_warp_rows: |c| LargeWarpRows::new(c.warps), "which warps are the rows of which large warp";
    sub_warp_counts: |c| SubWarpCounts::new(c.warps), "sub-warps on their way with a control instruction";
    sub_warp_lane: |c| SubWarpLane::new(c.warps), "one lane of the sub-warp unit";
    sub_warp_threads: |c| SubWarpThreads::new(c.lanes, c.warps), "how many threads a sub-warp is of, and how many sub-warps would be ideal";
    sub_warp_unit: |c| SubWarpUnit::new(c.lanes, c.warps), "packs the threads of large warps into sub-warps";
    control_event_register: |c| ControlEventRegister::new(c.lanes), "a resolved control instruction";
    large_warps: |c| LargeWarps::new(&large(c)), "threads of several warps with one PC, which issue in sub-warps";
    dynamic_warp_formation: |c| DynamicWarpFormation::new(&regrouping(c), formation(c)), "regroups threads without a stack: DWF, with warp barriers or without";
    dual_path_compaction: |c| DualPathCompaction::new(&cta_paths(c)), "reconvergence with a stack per CTA whose entries hold two paths";
    reconvergence_unit: |c| ReconvergenceUnit::new(c), "the mechanism chosen, behind one set of ports";
    branch_sides: |c| BranchSides::new(c.lanes, c.taken_first), "the two sides of a branch, in the order in which they run";
    dual_path_stack: |c| DualPathStack::new(c.lanes, c.warps, c.stack_depth, c.taken_first), "reconvergence stacks whose entries hold two paths: DPE";
    warp_split_table: |c| WarpSplitTable::new(c.lanes, c.warps, 4, c.taken_first), "warp-splits that are scheduled side by side: DWS";
    warp_subdivision: |c| WarpSubdivision::new(c.lanes, c.warps, 4, c.stack_depth, c.taken_first), "a stack per warp, and warp-splits beside it: DWS";
    resolve_queue: |c| ResolveQueue::new(c.lanes, c.warps, c.likely_convergence, c.takes_turns()), "resolved control instructions in waiting";
    convergence_links: |c| ConvergenceLinks::new(c.warps, c.stack_depth), "likely-convergence points of stack entries";
    convergence_barrier: |c| ConvergenceBarrier::new(c.lanes, c.warps), "threads that wait for one another: one barrier of every warp";
    convergence_barriers: |c| ConvergenceBarriers::new(c.lanes, c.warps, barriers(c)), "all of them, allocated by branches";
    running_groups: |c| RunningGroups::new(c.lanes, c.warps), "who of every warp runs together, and where";
    thread_pcs: |c| ThreadPcs::new(c.lanes, c.warps), "a PC for every thread";
    lowest_pc: |c| LowestPc::new(c.lanes), "the lowest PC of threads that can run";
    group_selector: |c| GroupSelector::new(c.lanes), "which threads of a warp are at one PC";
    turn_counters: |c| TurnCounters::new(c.lanes, c.warps, turns(c)), "how long the running threads of every warp have had their turn";
    turn_scheduler: |c| TurnScheduler::new(c.lanes, c.warps, c.stack_depth, turns(c)), "turns on the stacks of warps: who waits no longer, and who runs next";
    spe_stack: |c| SpeStack::new(c.lanes, c.warps, c.stack_depth, c.taken_first, c.likely_convergence, c.mechanism.traits().turns), "per-warp reconvergence stacks";
    independent_threads: |c| IndependentThreads::new(c.lanes, c.warps, barriers(c), c.taken_first, turns(c)), "a PC for every thread, and convergence barriers: ITS";
    random_permutation: |c| RandomPermutation::new(c.warps, c.lanes), "a fixed random permutation for each warp";
    lane_permutation: |c| LanePermutation::new(Permutation::Balanced, c.warps, c.lanes), "which physical lane runs a thread";
    capt_entry: |_| CaptEntry::new(AdequacyHistory::TwoBit), "one branch of the adequacy predictor";
    capt: |c| Capt::new(predictor(c)), "does compaction help at this branch?";
    operation_decoder: |_| OperationDecoder::default(), "operation code as the enumeration";
    address_lane: |c| AddressLane::new(c), "checks and translates one lane's address";
    memory_queue: |c| MemoryQueue::new(c), "memory instructions in waiting";
    access_spacer: |_| AccessSpacer::new(3), "spaces the accesses to a slow memory";
    line_chooser: |c| LineChooser::new(c), "a lane, and all that access the same line";
    coalescer: |c| Coalescer::new(c), "chooses the lanes that go together";
    store_lane: |_| StoreLane::default(), "store data in place within its word";
    load_lane: |_| LoadLane::default(), "loaded value out of its word";
    life_marks: |c| LifeMarks::new(c), "where the lives of threads begin and end in the order of memory";
    reservation: |c| Reservation::new(c), "the reservation of LR/SC";
    bank_arbiter: |c| BankArbiter::new(c.lanes, 16), "row that one bank serves next";
    shared_base: |c| SharedBase::new(c), "where the shared memory of a thread's CTA begins";
    shared_memory: |c| SharedMemory::new(c, 3), "shared memory, one bank per lane";
    atomic_alu: |_| AtomicAlu::default(), "read-modify-write of an atomic";
    tag_array: |c| TagArray::new(c.l1_sets, c.l1_ways, 8, c.of_gpu()), "tags and valid bits of the L1";
    lru_table: |c| LruTable::new(c.l1_sets, c.l1_ways), "least-recently-used order of the ways";
    mshr_entry: |c| MshrEntry::new(28, c.l1_sets, c.l1_ways), "one miss status holding register";
    mshr_group: |c| MshrGroup::new(c.mshrs, index_width(c.mshrs), 28, c.l1_sets, c.l1_ways), "up to 64 miss status holding registers";
    mshr_table: |c| MshrTable::new(c, 3), "who waits for which line";
    request_queue: |c| RequestQueue::new(c, 4), "requests in waiting for the memory port";
    l1_data_cache: |c| L1DataCache::new(c, 3), "L1 data cache: write-through, hit and miss under miss";
    memory_port: |c| MemoryPort::new(&two_ports(c)), "the memory port, shared by the banks of the L1";
    result_arbiter: |c| ResultArbiter::new(&two_ports(c), 3), "which words go to the load table";
    load_group: |c| LoadGroup::new(c, 6, 3), "up to 64 memory instructions that owe results";
    load_buffer: |c| LoadBuffer::new(c, 6), "values of loads until an instruction has them all";
    load_table: |c| LoadTable::new(c, 6), "memory instructions that owe results";
    load_store_unit: |c| LoadStoreUnit::new(c), "memory instruction to transactions and back";
    countdown: |_| Countdown::new(&[7, 12, 3]), "clocks until something is allowed again";
    burst_timer: |_| BurstTimer::new(10, 2), "when the data of a burst are on the bus";
    dram_bank: |c| DramBank::new(&channel(c).timing, channel(c).row_width), "a bank of DRAM, as its controller knows it";
    dram_channel: |c| DramChannel::new(&channel(c).timing), "what the commands to all banks allow";
    dram_queue: |c| DramQueue::new(&channel(c)), "requests to a channel of DRAM, by age";
    command_choice: |c| CommandChoice::new(&channel(c)), "first ready, first come, first served";
    dram_scheduler: |c| DramScheduler::new(&channel(c)), "what decides the commands of a channel of DRAM";
    write_buffer: |c| WriteBuffer::new(&channel(c)), "data on their way to DRAM";
    read_return: |c| ReadReturn::new(&channel(c)), "data on their way from DRAM";
    channel_counters: |c| ChannelCounters::new(&channel(c)), "what a channel of DRAM did, counted";
    dram_controller: |c| DramController::new(&channel(c)), "the controller of a channel of DRAM";
    tick: |_| Tick::new(5, 13), "when a clock domain advances";
    flit_buffer: |c| FlitBuffer::new(&network(c), network(c).buffer), "flits that wait in order";
    hop_pipeline: |c| HopPipeline::new(&network(c)), "the way from the switch to an output";
    crossbar_output: |c| CrossbarOutput::new(&network(c)), "an output of the crossbar, and which input it belongs to";
    crossbar: |c| Crossbar::new(&network(c)), "packets from any input to any output";
    packet_sender: |c| PacketSender::new(&network(c), sector_line(c)), "packets to flits";
    packet_receiver: |c| PacketReceiver::new(&network(c), sector_line(c)), "flits to packets";
    sector_tags: |c| SectorTags::new(&slice(c)), "which lines a slice of L2 holds, and what of them";
    l2_mshr_entry: |c| L2MshrEntry::new(&slice(c)), "a line on its way from DRAM to L2";
    l2_mshr_table: |c| L2MshrTable::new(&slice(c)), "lines on their way from DRAM to L2, and who waits for them";
    eviction_buffer: |c| EvictionBuffer::new(&slice(c)), "lines that wait to be written to DRAM";
    l2_reservations: |c| L2Reservations::new(&slice(c)), "which core has a reservation of which sector";
    l2_counters: |_| L2Counters::new(), "what a slice of L2 did, counted";
    l2_slice: |c| L2Slice::new(&slice(c)), "a slice of L2: write-back, with atomics";
    ripening: |_| Ripening::new(5, 12), "which entries of a queue have been in it for a time";
    delay_line: |c| DelayLine::new(&network(c), 5, 12), "flits that are late by a time";
    link_sender: |c| LinkSender::new(&network(c), 3), "the end of a link at which flits enter";
    link_receiver: |c| LinkReceiver::new(&network(c), 3), "the end of a link at which flits leave";
    link_pipeline: |c| LinkPipeline::new(&network(c), 3), "a link, as long as it takes";
    cta_pipeline: |_| CtaPipeline::new(3), "registers between a core and who distributes CTAs";
    core_port: |c| CorePort::new(&in_gpu(c), &gpu(c)), "where a core meets the network";
    l2_port: |c| L2Port::new(&gpu(c)), "where a slice of L2 meets the networks";
    cta_distributor: |_| CtaDistributor::new(4), "which core gets the next CTA";
    interconnect: |c| Interconnect::new(&gpu(c)), "the networks of a GPU, and who distributes CTAs";
    memory_partition: |c| MemoryPartition::new(&gpu(c)), "a slice of L2 and its channel of DRAM, with their way to the networks";
    core_tile: |c| CoreTile::new(&in_gpu(c), &gpu(c)), "a core with its way to the network";
    gpu: |c| Gpu::new(&in_gpu(c), &gpu(c)), "a GPU of several cores";
    address_map: |_| AddressMap::new(6), "which channel an address belongs to";
    dram_map: |c| DramMap::new(&AddressBits::gddr5(), &channel(c), slice(c).line_width), "where in a channel of DRAM a line is";
    read_delay: |c| ReadDelay::new(&slice(c), 5), "reads that are late on their way from L2 to DRAM";
    memory_channel: |c| MemoryChannel::new(&slice(c), &channel(c), &AddressBits::gddr5()), "a slice of L2 and its channel of DRAM";
    compaction_counters: |c| CompactionCounters::new(c), "what compaction forms and could have formed";
    path_counters: |c| PathCounters::new(c.sides().max(2)), "how many paths could be scheduled";
    formation_counters: |c| FormationCounters::new(c.lanes, c.has_warp_barriers()), "what becomes of threads that are regrouped";
    sub_warp_counters: |c| SubWarpCounters::new(c.warps), "how large warps issue";
    replay_counters: |c| ReplayCounters::new(&replaying(c)), "what became of looks at loads";
    hazard_counters: |c| HazardCounters::new(&replaying(c)), "what memory instructions waited for";
    turn_statistics: |c| TurnStatistics::new(c.lanes), "why turns of threads end, and what comes of it";
    performance_counters: |c| PerformanceCounters::new(c), "what the core did, counted";
    trap_unit: |c| TrapUnit::new(c), "remembers the first trap";
    core: |c| Core::new(c), "the SIMT core";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The files below a folder that hold a module.
    fn module_files(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                module_files(&entry, found);
            } else if std::fs::read_to_string(&entry).unwrap().lines().any(|line| {
                ["module! {", "records! {"].iter().any(|start| line.starts_with(start))
                    || line.starts_with("#[derive(LogicBlock)]")
            }) {
                found.push(entry.file_stem().unwrap().to_str().unwrap().to_string());
            }
        }
    }

    #[test]
    fn every_module_is_listed_under_the_name_of_its_file() {
        let mut files = vec![];
        module_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
        assert!(files.len() > 60, "{files:?}");
        for file in files {
            assert!(CATALOG.iter().any(|entry| entry.name == file), "{file}.rs is not in the catalog");
        }
    }
}
