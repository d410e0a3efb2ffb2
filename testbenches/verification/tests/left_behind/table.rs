//! Every piece of state of the core, and what becomes of it.
use std::fmt;

/// What clears an element, or why nothing has to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cleared {
    /// When the last thread of a launch has ended it is as after a reset.
    Idle,
    /// The start of a launch makes it as after a reset.
    Launch,
    /// It is written before anybody reads it, or read only where a bit of the first two kinds says that it is valid.
    Data,
    /// Whose turn it is, or which row is next: when something happens, not what.
    Turn,
    /// A thread finds in it what the one before it in its place has left. Programs do not read it before they write it.
    Thread,
    /// The host takes differences. Only a reset clears it.
    Counter,
    /// The loader writes it.
    Program,
}

impl Cleared {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Idle, Self::Launch, Self::Data, Self::Turn, Self::Thread, Self::Counter, Self::Program];

    /// For the page: what it means, and how a test sees it.
    pub fn meaning(self) -> [&'static str; 2] {
        match self {
            Self::Idle => [
                "when the last thread of a launch has ended it is as after a reset",
                "its value at the end of launches that leave as much behind as they can",
            ],
            Self::Launch => [
                "the start of a launch makes it as after a reset",
                "its value in the cycle after the start of each launch of a sequence without resets",
            ],
            Self::Data => [
                "it is written before anybody reads it, or read only where a bit of the first two kinds says that it is valid",
                "random programs run as in the reference model when it holds random bits at their launch",
            ],
            Self::Turn => [
                "whose turn it is, or which row is next: when something happens, not what",
                "random programs run as in the reference model, each in a core as the one before has left it",
            ],
            Self::Thread => [
                "a thread finds what the one before it in its place has left; programs do not read it before they write it",
                "as above",
            ],
            Self::Counter => ["the host takes differences; only a reset clears it", "by the tests of counters"],
            Self::Program => ["the loader writes it", "by every program that runs behind another"],
        }
    }
}

impl fmt::Display for Cleared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Idle => "idle",
            Self::Launch => "launch",
            Self::Data => "data",
            Self::Turn => "turn",
            Self::Thread => "thread",
            Self::Counter => "counter",
            Self::Program => "program",
        })
    }
}

/// Some elements of a block.
pub struct Entry {
    /// The block, as in the catalog, or the bundle of registers or memories.
    pub block: &'static str,
    /// Registers and memories in it, by the names of their fields; `*`: all that it has.
    pub elements: &'static str,
    /// What clears them.
    pub cleared: Cleared,
}

impl Entry {
    /// Whether it says something about an element.
    pub fn is_of(&self, block: &str, element: &str) -> bool {
        self.block == block && (self.elements == "*" || self.names().any(|name| name == element))
    }

    /// Elements by name; none if it is for all.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.elements.split_whitespace().filter(|name| *name != "*")
    }
}

macro_rules! table {
    ($($block:ident $elements:literal $cleared:ident;)*) => {
        /// By block.
        pub const TABLE: &[Entry] =
            &[$(Entry { block: stringify!($block), elements: $elements, cleared: Cleared::$cleared }),*];
    };
}

table! {
    // Frontend
    CtaDispatcher "phase launching_left resident_warps" Idle;
    CtaDispatcher "next_x next_y next_z grid_done fill_thread fill_lane fill_first_group fill_warp fill_x fill_y fill_z fill_step fill_slot
        fill_in_cta fill_base fill_first" Launch;
    CtaDispatcher "chosen_slot launching_warp fill_mask first_warp home_bases shared_base slot_of_warp" Data;
    CtaIdTable "*" Data;
    CtaSlot "running" Idle;
    ThreadCounter "*" Data;
    Fetch "in_decode" Idle;
    Fetch "decode_mask decode_pc decode_warp" Data;
    Fetch "instructions" Program;
    AnnotationMemory "columns" Program;
    AnnotationRegister "*" Data;
    PredecodedRegister "*" Data;
    WarpSlot "occupied" Idle;
    WarpBuffer "lane_home_warps regrouped_home_warps" Data;
    InstructionTable "*" Data;
    InstructionRegister "*" Data;

    // Issue
    IssueStage "credits divide_in_flight" Idle;
    IssuedRegister "valid" Idle;
    IssuedRegister "unit warp home_warps" Data;
    ScoreboardRow "pending shadow" Idle;
    ThreadScoreboardRow "pending" Idle;
    ThreadScoreboardRow "slot_lanes" Data;
    BarrierSlot "live waiting" Idle;
    WritebackSlots "*" Idle;
    RoundRobinArbiter "*" Turn;
    TwoLevelArbiter "*" Turn;
    OldestFirstRow "*" Turn;
    CtaPriority "*" Turn;
    IssueInterval "*" Turn;
    WarpInterval "*" Turn;
    WarpScheduler "*" Turn;
    StallDetector "*" Turn;

    // Reconvergence: stacks by warp
    ActivePaths "*" Data;
    BarrierEntries "at_barrier parked" Idle;
    BarrierEntries "barred" Data;
    ControlTable "*" Data;
    LiveThreads "masks" Data;
    ResolveQueue "warps" Data;
    StackEngine "searching" Idle;
    StackEngine "searched" Data;
    StackEntries "*" Data;
    StackWalk "passed_over unseen" Idle;
    SpeStack "runnable unsettled" Idle;
    SpeStack "active_index stored" Data;
    EntryOrigins "*" Data;
    DualPathStack "deferred diverted draining flushed followed held over runnable running unresolved unsettled" Idle;
    DualPathStack "active_index stored" Data;
    WarpSplitTable "has_barred has_exited has_freed has_parked is_divided runnable used" Idle;
    WarpSplitTable "barred exited parked thread_pcs" Data;
    WarpSubdivision "reporting" Idle;
    TurnCounters "instructions trips" Data;
    TurnScheduler "ending left schedulable stuck" Idle;
    TurnScheduler "barred lane preferring" Data;
    ConvergenceBarrier "arrived expected rpcs" Data;
    IndependentThreads "arriving chosen rotating runnable unsettled yielding" Idle;
    IndependentThreads "passed" Data;
    RunningGroups "*" Data;
    ThreadPcs "*" Data;

    // Reconvergence: regrouping
    DynamicWarpFormation "has_second started" Idle;
    DynamicWarpFormation "following_pc home_warps masks pcs second_has_slot second_mask second_parks second_pc second_rows second_slot" Data;
    DynamicWarpFormation "pressure" Turn;
    ListingTable "*" Data;
    ParkedLane "is_live is_parked is_waiting" Idle;
    ParkedLane "pcs" Data;
    ParkedThreads "gathering is_first" Idle;
    ParkedThreads "gathered gathered_pc gathered_rows row seen slot" Data;
    ParkedThreads "passed turn" Turn;
    PoolSlot "has_ended is_linked is_listed is_old is_open is_runnable is_used" Idle;
    PoolSlot "its_entry pc stamp" Data;
    WarpBarriers "arrived has_barrier" Idle;
    WarpBarriers "rpcs" Data;
    WarpLut "*" Turn;
    WarpLutWay "counts listed" Idle;
    WarpPool "next" Idle;
    WarpPool "issues" Turn;

    // Reconvergence: large warps
    ControlEventRegister "*" Data;
    LargeWarpRows "owned" Idle;
    LargeWarpRows "owners" Data;
    LargeWarps "at_barrier begun reached resolved_valid runnable" Idle;
    LargeWarps "cta_rows_launched first_row following_pc pcs resolved_home_warps resolved_warp rows_launched" Data;
    SubWarpCounts "counts" Idle;
    SubWarpLane "busy unissued" Idle;
    SubWarpLane "active" Data;
    SubWarpThreads "begun issued" Idle;
    SubWarpThreads "counted issued_warp rows was_last was_once was_row" Data;
    SubWarpUnit "by_row once" Data;

    // Reconvergence: stacks by CTA
    ActiveEnds "*" Data;
    AdequacyEvaluator "counted" Data;
    CaptEntry "occupied branch latest" Turn;
    CompactionLane "pending" Idle;
    CompactionSlot "in_use is_ahead staged" Idle;
    CompactionSlot "index staged_top" Data;
    CtaEntries "links" Data;
    CtaPathEntries "path_pcs" Data;
    CtaPathScoreboard "both" Idle;
    CtaPathStack "beneath finishing fresh gathered gathering_home_warps held owes_right parked released rested running walks" Idle;
    CtaPathStack "active_index barred cta_home_warps held_cta stored" Data;
    CtaStack "awaiting finishing found_waiting fresh gathered gathering_home_warps giving_up parked phase placing_home_warps released started" Idle;
    CtaStack "above active_index barred cta_home_warps held_cta in_use side_ancestors side_linked side_lpc side_lpos todo waiting_index" Data;
    DualPathCompaction "occupied reached runnable side_starts" Idle;
    DualPathCompaction "following_pc form_cta form_pc form_slots forms_right right side_arrived side_data_dependent warp_lanes warp_pc" Data;
    DualPathCompaction "served_right" Turn;
    EntryStates "*" Data;
    EventTable "valid" Idle;
    EventTable "classes home_warp_numbers" Data;
    GatherRecords "*" Data;
    PathColumn "live low top" Idle;
    PathColumn "masks" Data;
    PathOrigins "*" Data;
    SharedPathScoreboard "counts" Idle;
    SharedSlots "deferred" Idle;
    SharedSlots "counted" Turn;
    SharedSlots "counted_cta counted_right needed static_warps" Data;
    SideRecords "*" Data;
    ThreadBlockCompaction "evaluated reached runnable" Idle;
    ThreadBlockCompaction "evaluated_arrived evaluated_bypassed evaluated_consulted evaluated_data_dependent evaluated_divergent evaluated_pc
        following_pc form_cta form_pc form_slots hold_base hold_lpc hold_rpc warp_lanes warp_pc" Data;
    ThreadColumn "bypassed live low top" Idle;
    ThreadColumn "masks" Data;
    WarpCompactionUnit "occupied" Data;
    WarpCounts "warp_count" Idle;

    // Execute
    OperandStage "*" Data;
    ControlsRegister "*" Data;
    CsrChoiceRegister "*" Data;
    CsrLane "numbers thread_ids" Data;
    CsrUnit "warp_in_cta_held of_ctas" Data;
    DestinationRegister "*" Data;
    Divide "*" Data;
    DivideControl "state steps" Idle;
    DivideControl "wants_remainder" Data;
    LaneResultRegister "valid" Idle;
    LaneResultRegister "data flags" Data;
    Multiply "*" Data;
    MultiplyControl "valid_1 valid_2" Idle;
    MultiplyKindRegister "*" Data;
    RegisterFile "banks float_banks" Thread;

    // Execute, with floats
    FloatControlsRegister "*" Data;
    FloatDivide "*" Data;
    FloatDivideControl "adjust" Idle;
    FloatDivideControl "place" Data;
    FloatFactorsRegister "*" Data;
    FloatMultiplyAdd "*" Data;
    FloatOutcomeRegister "*" Data;
    FloatPipelineControl "valid" Idle;
    FloatStatus "flags modes" Data;
    FloatSumRegister "*" Data;
    FloatTermsRegister "*" Data;
    FloatUnroundedRegister "*" Data;

    // Memory
    AccessSpacer "*" Turn;
    AccessTable "*" Data;
    AccessedGroupRegister "valid" Idle;
    AccessedGroupRegister "bank data entry lanes leader mask offset op row succeeds" Data;
    FifoControl "held" Idle;
    FifoControl "head tail" Turn;
    HeadRegister "valid first_of_cta first_of_ctas after_end" Idle;
    HeadRegister "address data home_warps mask op shared single slot slots warp" Data;
    L1DataCache "data" Data;
    LifeMarks "fresh ended" Turn;
    LineGroupRegister "valid" Idle;
    LineGroupRegister "address data entry lanes mask offset op succeeds" Data;
    LineTable "*" Data;
    LoadBuffer "*" Data;
    LoadGroup "busy" Idle;
    LoadGroup "warps" Data;
    LoadRecords "*" Data;
    LoadStoreUnit "remaining" Idle;
    LoadStoreUnit "entry" Data;
    LoadTable "outstanding" Data;
    LruTable "written" Idle;
    LruTable "rows" Turn;
    LruTable "written_rows written_set" Data;
    MemoryPort "*" Turn;
    MshrEntry "held" Idle;
    MshrEntry "line way" Data;
    ReadGroupRegister "valid" Idle;
    ReadGroupRegister "atomic_bank atomic_row bank conditional entry failed lanes offset op operand writes" Data;
    ReadingGroupRegister "valid" Idle;
    ReadingGroupRegister "entry lanes offset single word" Data;
    RequestTable "*" Data;
    Reservation "valid claimed" Launch;
    Reservation "word held_slot held_home_warp lane_held claimant_home_warp claimant_lane" Data;
    Reservation "refused offered" Turn;
    ResultArbiter "*" Turn;
    SharedMemory "banks" Thread;
    TagArray "valid" Launch;
    TagArray "written_ways" Idle;
    TagArray "tags written_set written_tag" Data;
    WaitingTable "*" Data;

    // What the host reads
    CompactionCounters "*" Counter;
    PathCounters "*" Counter;
    TurnStatistics "*" Counter;
    FormationCounters "*" Counter;
    SubWarpCounters "*" Counter;
    PerformanceCounters "*" Counter;
    TrapRegister "valid" Idle;
    TrapRegister "cause home_warp lane pc value warp" Data;
}
