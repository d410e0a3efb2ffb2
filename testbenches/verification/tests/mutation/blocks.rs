//! The blocks under check, and the tests that are to notice a fault in each.
use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, CtaPriority, DualPathVariant, FormationScope, IndependentThreads,
    IssuePolicy, LargeWarps, Mechanism, Subdivision, Turns, WarpFormation,
};
use warploom_sim::elaborate;
use warploom_sim::netlist::Netlist;

/// A block.
pub struct Block {
    /// In the catalog.
    pub name: &'static str,
    /// Of the core that it is taken from.
    pub mechanism: Mechanism,
    /// Blocks whose unit tests exercise it: its own, and those that it is part of. Those of modules that are in no folder of hdl/src have no `::` before
    /// their names, and stand in `benches`.
    pub units: &'static [&'static str],
    /// Testbenches that exercise it; `core:traps` are the tests of `core` with this in their names. Those of `unit_tests` are unit tests, too.
    pub benches: &'static [&'static str],
    /// Cores of the random programs that have it, and how they differ from others.
    pub cores: &'static [&'static str],
}

const SPE: Mechanism = Mechanism::SinglePath;
const DPE: Mechanism = Mechanism::DualPath(DualPathVariant::Full);
const OPTIMISTIC: Mechanism = Mechanism::DualPath(DualPathVariant::Optimistic);
const CTA_DPE: Mechanism = Mechanism::TbcDualPath;
const SHARED: Mechanism = Mechanism::TbcDualPathConstrained;
const DWS: Mechanism = Mechanism::Subdivision(Subdivision { threshold: 50, splits: 4 });
const SCS: Mechanism = Mechanism::SchedulableStack(Turns { spin: 1, quantum: 16 });
const ITS: Mechanism =
    Mechanism::IndependentThreads(IndependentThreads { barriers: 2, turns: Turns { spin: 2, quantum: 64 } });
/// Of two rows.
const LWM: Mechanism = Mechanism::LargeWarps(LargeWarps::of(8));
/// A pool that is full, and a table that is.
const DWF: Mechanism = Mechanism::WarpFormation(WarpFormation {
    policy: IssuePolicy::Majority,
    sides: 1,
    lut_entries: 8,
    age_limit: 64,
    relief: 2,
    scope: FormationScope::Cta,
    ..WarpFormation::DEFAULT
});
/// A warp of threads of several CTAs.
const DWF_CORE: Mechanism = Mechanism::WarpFormation(WarpFormation {
    policy: IssuePolicy::Majority,
    sides: 1,
    lut_entries: 8,
    age_limit: 64,
    relief: 2,
    scope: FormationScope::Core,
    ..WarpFormation::DEFAULT
});
/// With warp barriers.
const DWF_WB: Mechanism = Mechanism::WarpBarriers(WarpFormation {
    policy: IssuePolicy::Majority,
    sides: 1,
    lut_entries: 8,
    age_limit: 64,
    relief: 2,
    scope: FormationScope::Cta,
    ..WarpFormation::DEFAULT
});
const CAPRI: Mechanism = Mechanism::Capri(AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest });

const STACKS: &[&str] = &["tiny-spe", "small-spe-lcp"];
const AHEAD: &[&str] = &["ahead-spe"];
const REPLAY: &[&str] = &["replay-spe", "replay-counters-spe"];
const DUAL: &[&str] = &["tiny-dpe", "tiny-dpe-constrained"];
const TURNS: &[&str] = &["tiny-scs", "odd-scs"];
const CTA_DUAL: &[&str] = &["tiny-tbc-dpe", "odd-tbc-plus-dpe-random"];
const CTA_SHARED: &[&str] = &["tiny-tbc-dpe-constrained", "odd-tbc-plus-dpe-constrained"];
const SPLITS: &[&str] = &["tiny-dws-2", "odd-dws-4"];
const GROUPS: &[&str] = &["tiny-its-2", "odd-its-0"];
const FORMATION: &[&str] = &["tiny-dwf", "odd-dwf-lowest-pc"];
const LARGE: &[&str] = &["tiny-lwm", "odd-lwm-lcp"];
const MIXED: &[&str] = &["tiny-dwf-core", "odd-dwf-core-minority"];
const BARRIERS: &[&str] = &["tiny-dwf-wb", "odd-dwf-wb-lowest-pc"];
const CTAS: &[&str] = &["tiny-capri-latest-2-lcp", "tiny-tbc-lcp-balanced", "tiny-capri-two-bit-32"];
/// With a home warp a lane.
const WIDE: &[&str] = &["tiny-capri-latest-2-lcp", "tiny-tbc-lcp-balanced"];
const CTA_PATHS: &[&str] = &["dual_path_compaction"];
/// The module and its stack.
const LARGE_WARPS: &[&str] = &["large_warps"];
const DYNAMIC: &[&str] = &["dynamic_warp_formation"];
const TBC: &[&str] = &["thread_block_compaction"];
/// Not only what a stack does, but what it says when it is full.
const OVERFLOW: &str = "core:a_full_stack";
/// That fewer warps run and what is counted of it: no result depends on either.
const COMPACTION: &str = "core:compaction";
/// Deep divergence and barriers in it, with stacks as deep as those of the blocks here: random programs run with deeper ones.
const MICRO: &str = "core:micro_kernels";

/// The load/store unit against its model, in all that loads and stores need.
const LOADS: &[&str] = &["unit_tests:memory::random_test::few_resources"];
/// As [`LOADS`], with a home warp a lane.
const SEVERAL: &[&str] = &["unit_tests:memory::random_test::threads_of_several_home_warps"];
/// As [`LOADS`], with two banks of the L1.
const PORTS: &[&str] = &["unit_tests:memory::random_test::two_ports"];
/// Units of float lanes, with random operands and all corners.
const FLOATS: &[&str] = &["float"];
/// Programs with floats.
const FLOAT: &[&str] = &["float-spe", "float-dws-4"];
/// Programs with warp instructions.
const WARP: &[&str] = &["warp-spe"];
/// Several lanes that store, and strangers: in no random program.
const TOGETHER: &[&str] = &["warp_instructions"];
/// A channel of DRAM: in lockstep with its specification; with its data, before an array that checks every command.
const DRAM: &[&str] = &["dram_scheduler", "dram_controller"];
const DRAM_DATA: &[&str] = &["dram_controller"];
/// A slice of L2 before a flat memory.
const L2: &[&str] = &["l2_slice"];
const CHANNEL: &[&str] = &["memory_channel"];
const NETWORK: &[&str] = &["network"];
/// Kernels on several cores; and what their threads see of each other's writes.
const GPU: &[&str] = &["gpu"];
const ORDER: &[&str] = &["gpu", "litmus"];
/// No core has it.
const NOWHERE: &[&str] = &[];
/// No random program traps.
const TRAPS: &[&str] = &["core:traps"];

macro_rules! blocks {
    ($($name:ident $mechanism:ident $units:expr, $benches:expr, $cores:expr;)*) => {
        /// All of them.
        pub const BLOCKS: &[Block] = &[$(Block {
            name: stringify!($name), mechanism: $mechanism, units: &$units, benches: $benches, cores: $cores,
        }),*];
    };
}

blocks! {
    priority_encoder SPE ["priority_encoder", "highest_entry"], &[], STACKS;
    prefix_or SPE ["prefix_or", "compaction_lane"], &[], STACKS;
    one_hot_mux SPE ["one_hot_mux"], &[], STACKS;
    rotating_choice SPE ["rotating_choice", "round_robin_arbiter"], &[], STACKS;
    round_robin_arbiter SPE ["round_robin_arbiter"], &[], STACKS;
    oldest_first_arbiter SPE ["oldest_first_arbiter"], &[], STACKS;
    oldest_first_row SPE ["oldest_first_arbiter"], &[], STACKS;
    fifo_control SPE ["fifo", "memory_queue", "request_queue"], &[], STACKS;
    crossbar_slot SPE ["lane_crossbar"], &[], STACKS;
    lane_crossbar SPE ["lane_crossbar"], &[], STACKS;
    two_level_arbiter SPE ["two_level_arbiter", "warp_scheduler"], &[], STACKS;
    branch_plan CAPRI ["branch_plan"], TBC, CTAS;
    branch_sides SPE ["branch_sides", "spe_stack", "dual_path_stack"], &["spe_stack", "dual_path_stack"], STACKS;
    highest_entry SPE ["highest_entry", "spe_stack"], &["spe_stack"], STACKS;
    convergence_links SPE ["convergence_links", "spe_stack"], &["spe_stack"], STACKS;
    resolve_queue SPE ["resolve_queue", "spe_stack"], &["spe_stack"], STACKS;
    control_records SPE ["control_records", "resolve_queue", "spe_stack"], &["spe_stack"], STACKS;
    thread_report SPE ["thread_report", "spe_stack"], &["spe_stack"], STACKS;
    live_threads SPE ["live_threads", "spe_stack"], &["spe_stack"], STACKS;
    active_paths DWS ["active_paths", "warp_subdivision"], &["warp_subdivision"], SPLITS;
    stack_entries DPE ["stack_entries", "dual_path_stack"], &["dual_path_stack"], DUAL;
    stack_walk SPE ["stack_walk", "spe_stack"], &["spe_stack"], STACKS;
    stack_engine SPE ["stack_engine", "spe_stack"], &["spe_stack"], STACKS;
    turn_counters SCS ["turn_counters", "turn_scheduler"], &["schedulable_stack"], TURNS;
    turn_scheduler SCS ["turn_scheduler"], &["schedulable_stack"], TURNS;
    turn_statistics SCS [], &["unit_tests:turn_statistics::tests"], TURNS;
    free_entry SPE ["free_entry", "spe_stack"], &["spe_stack"], STACKS;
    barrier_entries DPE ["barrier_entries", "dual_path_stack"], &["dual_path_stack"], DUAL;
    path_events DWS ["path_events", "warp_subdivision"], &["warp_subdivision"], SPLITS;
    gathered_branches CAPRI ["gathered_branches"], TBC, CTAS;
    warp_counts CAPRI ["warp_counts"], TBC, CTAS;
    active_ends CAPRI ["active_ends"], TBC, CTAS;
    cta_entries CAPRI ["cta_entries"], TBC, CTAS;
    spe_stack SPE ["spe_stack"], &["spe_stack", OVERFLOW, MICRO], STACKS;
    dual_path_stack DPE ["dual_path_stack"], &["dual_path_stack", OVERFLOW], DUAL;
    warp_split_table DWS ["warp_subdivision"], &["warp_subdivision"], SPLITS;
    warp_subdivision DWS ["warp_subdivision"], &["warp_subdivision", OVERFLOW], SPLITS;
    convergence_barrier ITS ["convergence_barrier", "convergence_barriers", "independent_threads"], &["independent_threads"], GROUPS;
    convergence_barriers ITS ["convergence_barriers", "independent_threads"], &["independent_threads"], GROUPS;
    running_groups ITS ["running_groups", "independent_threads"], &["independent_threads"], GROUPS;
    thread_pcs ITS ["thread_pcs", "independent_threads"], &["independent_threads"], GROUPS;
    lowest_pc ITS ["lowest_pc", "group_selector"], &["independent_threads"], GROUPS;
    group_selector ITS ["group_selector", "independent_threads"], &["independent_threads"], GROUPS;
    independent_threads ITS ["independent_threads"], &["independent_threads"], GROUPS;
    choice_step DWF ["choice_step", "warp_lut", "warp_pool"], DYNAMIC, FORMATION;
    parked_lane DWF ["parked_lane", "parked_threads"], DYNAMIC, FORMATION;
    parked_threads DWF ["parked_threads", "dynamic_warp_formation"], DYNAMIC, FORMATION;
    pool_slot DWF ["pool_slot", "warp_pool"], DYNAMIC, FORMATION;
    pool_side DWF ["warp_pool"], DYNAMIC, FORMATION;
    warp_pool DWF ["warp_pool", "dynamic_warp_formation"], DYNAMIC, FORMATION;
    warp_lut_way DWF ["warp_lut_way", "warp_lut"], DYNAMIC, FORMATION;
    warp_lut DWF ["warp_lut", "dynamic_warp_formation"], DYNAMIC, FORMATION;
    warp_barriers DWF_WB ["warp_barriers"], DYNAMIC, BARRIERS;
    shared_base DWF_CORE ["shared_base"], &["unit_tests:memory::random_test::threads_of_several_ctas"], MIXED;
    cta_threads DWF_CORE ["cta_threads"], DYNAMIC, MIXED;
    dynamic_warp_formation DWF ["dynamic_warp_formation"], DYNAMIC, FORMATION;
    formation_counters DWF [], &["unit_tests:formation_counters::tests"], FORMATION;
    sub_warp_predecode LWM ["sub_warp_predecode"], &["unit_tests:frontend::sub_warp_predecode"], LARGE;
    large_warp_rows LWM ["large_warp_rows"], LARGE_WARPS, LARGE;
    sub_warp_counts LWM ["sub_warp_counts"], LARGE_WARPS, LARGE;
    sub_warp_lane LWM ["sub_warp_lane", "sub_warp_unit"], LARGE_WARPS, LARGE;
    sub_warp_threads LWM ["sub_warp_threads"], LARGE_WARPS, LARGE;
    sub_warp_unit LWM ["sub_warp_unit"], LARGE_WARPS, LARGE;
    large_warps LWM [], &["large_warps", OVERFLOW], LARGE;
    sub_warp_counters LWM [], &["unit_tests:sub_warp_counters::tests"], LARGE;
    event_table CAPRI ["event_table"], TBC, CTAS;
    thread_column CAPRI ["thread_column"], TBC, CTAS;
    cta_stack CAPRI [], &["thread_block_compaction", OVERFLOW, COMPACTION], CTAS;
    path_plan CTA_DPE ["path_plan"], CTA_PATHS, CTA_DUAL;
    path_origins CTA_DPE ["path_origins", "cta_path_entries"], CTA_PATHS, CTA_DUAL;
    side_records CTA_DPE ["side_records", "cta_path_entries"], CTA_PATHS, CTA_DUAL;
    cta_path_entries CTA_DPE ["cta_path_entries"], CTA_PATHS, CTA_DUAL;
    path_column CTA_DPE ["path_column"], CTA_PATHS, CTA_DUAL;
    cta_path_stack CTA_DPE ["dual_path_compaction"], &["dual_path_compaction", OVERFLOW, COMPACTION], CTA_DUAL;
    shared_slots SHARED ["shared_slots", "dual_path_compaction"], CTA_PATHS, CTA_SHARED;
    dual_path_compaction CTA_DPE ["dual_path_compaction"], &["dual_path_compaction", OVERFLOW], CTA_DUAL;
    compaction_lane CAPRI ["compaction_lane", "warp_compaction_unit"], TBC, CTAS;
    compaction_slot CAPRI ["compaction_slot"], TBC, CTAS;
    warp_compaction_unit CAPRI ["warp_compaction_unit"], TBC, CTAS;
    ideal_warps CAPRI ["ideal_warps", "adequacy_evaluator"], TBC, CTAS;
    adequacy_evaluator CAPRI ["adequacy_evaluator"], TBC, CTAS;
    capt_entry CAPRI ["capt"], TBC, CTAS;
    capt CAPRI ["capt"], TBC, CTAS;
    thread_block_compaction CAPRI ["thread_block_compaction"], &["thread_block_compaction", OVERFLOW], CTAS;
    lane_permutation CAPRI ["lane_permutation"], &[], &["tiny-tbc-lcp-balanced"];
    random_permutation SPE ["lane_permutation", "random_permutation"], &[], &["tiny-dws-2"];
    reconvergence_unit CAPRI [], &[OVERFLOW, COMPACTION], CTAS;
    scoreboard_row CAPRI ["scoreboard", "dual_path_scoreboard"], &[], STACKS;
    scoreboard SPE ["scoreboard"], &[], STACKS;
    dual_path_scoreboard DPE ["dual_path_scoreboard"], &[], DUAL;
    cta_path_scoreboard CTA_DPE ["cta_path_scoreboard"], &[], CTA_DUAL;
    shared_path_scoreboard SHARED ["shared_path_scoreboard"], &[], CTA_SHARED;
    thread_scoreboard_row OPTIMISTIC ["thread_scoreboard"], &[], &["tiny-dpe-optimistic"];
    thread_scoreboard OPTIMISTIC ["thread_scoreboard"], &[], &["tiny-dpe-optimistic"];
    hazard_unit DPE [], &[], DUAL;
    path_selection DPE ["path_selection"], &[], &["tiny-dpe-constrained", "tiny-dpe"];
    path_selector DPE ["path_selector"], &[], &["tiny-dpe-constrained", "tiny-dpe"];
    cta_priority CAPRI ["cta_priority"], &[], &["odd-tbc-lcp"];
    barrier_slot SPE ["barrier_unit"], &[], STACKS;
    barrier_unit SPE ["barrier_unit"], &[], STACKS;
    issue_stage DPE ["issue_stage"], &[], DUAL;
    stall_detector SPE ["stall_detector"], &[], STACKS;
    warp_scheduler SPE ["warp_scheduler"], &[], STACKS;
    issue_interval SPE ["issue_interval"], &[], &["slow-spe"];
    warp_interval SPE ["warp_interval"], &[], &["slow-spe"];
    writeback_slots SPE ["writeback_slots"], &[], &["slow-spe"];
    immediate SPE ["immediate", "decode"], &[], STACKS;
    decode SPE ["decode"], &[], STACKS;
    register_file CAPRI ["register_file", "execute"], &[], WIDE;
    operand_stage CAPRI ["operand_stage", "execute"], &[], WIDE;
    alu SPE ["alu"], &[], STACKS;
    multiply SPE ["multiply"], &[], STACKS;
    multiply_control CAPRI ["multiply_control", "execute"], &[], WIDE;
    divide_control SPE ["divide", "divide_control"], &[], STACKS;
    divide SPE ["divide"], &[], STACKS;
    csr_lane SPE ["csr_lane"], &[], STACKS;
    csr_unit CAPRI ["csr_unit", "execute"], &[], WIDE;
    branch_unit SPE ["branch_unit", "execute"], &[], STACKS;
    lane SPE ["lane", "execute"], &[], STACKS;
    result_pipe SPE ["result_pipe"], &[], &["slow-spe"];
    writeback CAPRI ["writeback", "execute"], &[], WIDE;
    execute CAPRI ["execute"], TRAPS, WIDE;
    decode_float SPE ["decode_float"], &[], FLOAT;
    decode_warp SPE ["decode_warp"], TOGETHER, WARP;
    lane_prefix SPE ["lane_prefix", "warp_vote"], TOGETHER, WARP;
    foreign_lanes SPE ["foreign_lanes", "warp_vote"], TOGETHER, WARP;
    warp_vote SPE ["warp_vote", "execute"], TOGETHER, WARP;
    float_unpack SPE ["float_unpack"], FLOATS, FLOAT;
    float_operands SPE ["float_operands"], FLOATS, FLOAT;
    float_align SPE ["float_align"], FLOATS, FLOAT;
    float_normalize SPE ["float_normalize"], FLOATS, FLOAT;
    float_increment SPE ["float_increment"], FLOATS, FLOAT;
    float_round SPE ["float_round"], FLOATS, FLOAT;
    float_convert SPE ["float_convert"], FLOATS, FLOAT;
    float_multiply_add SPE ["float_multiply_add"], FLOATS, FLOAT;
    float_compare SPE ["float_compare"], FLOATS, FLOAT;
    float_divide SPE ["float_divide"], FLOATS, FLOAT;
    float_divide_control SPE ["float_divide_control"], &[], FLOAT;
    float_pipeline_control SPE ["float_pipeline_control"], &[], FLOAT;
    float_lane SPE ["float_lane"], &[], FLOAT;
    float_status SPE ["float_status"], &[], FLOAT;
    cta_slot SPE ["cta_slot", "cta_dispatcher"], &[], STACKS;
    thread_counter SPE ["thread_counter", "cta_dispatcher"], &[], STACKS;
    cta_dispatcher SPE ["cta_dispatcher"], &[], STACKS;
    fetch DPE ["fetch", "frontend"], TRAPS, DUAL;
    predecode SPE ["predecode"], &[], STACKS;
    predecode_float SPE ["predecode_float"], &[], FLOAT;
    predecode_warp SPE ["predecode_warp", "predecode"], &[], WARP;
    warp_slot SPE ["warp_buffer", "frontend"], &[], STACKS;
    warp_window SPE ["warp_window"], &[], AHEAD;
    replay_window SPE ["replay_window"], &[], REPLAY;
    replay_slots SPE ["replay_slots"], &[], REPLAY;
    private_masks SPE ["private_masks"], &[], REPLAY;
    miss_counters SPE ["miss_counters"], &[], REPLAY;
    credit_tracker SPE ["credit_tracker"], &[], REPLAY;
    golden_load SPE ["golden_load"], &[], REPLAY;
    replay_counters SPE [], &["unit_tests:replay::replay_counters::tests"], REPLAY;
    hazard_counters SPE [], &["unit_tests:memory::hazard_counters::tests"], REPLAY;
    look_histogram SPE ["look_histogram"], &[], REPLAY;
    look_table SPE ["look_table"], &[], REPLAY;
    warp_row SPE ["warp_row"], &[], REPLAY;
    warp_buffer DPE ["warp_buffer", "frontend"], &[], DUAL;
    frontend DPE ["frontend"], TRAPS, DUAL;
    operation_decoder SPE ["operation_decoder"], &[], STACKS;
    address_lane SPE ["address_lane"], &[], STACKS;
    memory_queue CAPRI ["memory_queue"], SEVERAL, WIDE;
    access_spacer SPE ["access_spacer"], &[], &["slow-spe"];
    line_chooser SPE ["line_chooser", "coalescer"], &[], STACKS;
    coalescer SPE ["coalescer"], LOADS, STACKS;
    store_lane SPE ["store_lane"], &[], STACKS;
    load_lane SPE ["load_lane"], &[], STACKS;
    life_marks SPE ["life_marks"], LOADS, STACKS;
    reservation CAPRI ["reservation"], SEVERAL, WIDE;
    bank_arbiter SPE ["bank_arbiter", "shared_memory"], &[], STACKS;
    shared_memory SPE ["shared_memory"], LOADS, STACKS;
    atomic_alu SPE ["atomic_alu"], &[], STACKS;
    tag_array SPE ["tag_array"], LOADS, STACKS;
    lru_table SPE ["lru_table"], &[], STACKS;
    mshr_entry SPE ["mshr_entry", "mshr_group", "mshr_table"], &[], STACKS;
    mshr_group SPE ["mshr_group", "mshr_table"], &[], STACKS;
    mshr_table SPE ["mshr_table"], LOADS, STACKS;
    request_queue SPE ["request_queue"], LOADS, STACKS;
    l1_data_cache SPE ["l1_data_cache"], LOADS, STACKS;
    memory_port SPE ["memory_port"], PORTS, STACKS;
    result_arbiter SPE ["result_arbiter"], PORTS, STACKS;
    load_buffer SPE ["load_buffer", "load_store_unit"], &[], STACKS;
    load_group SPE ["load_group", "load_table"], &[], STACKS;
    load_table CAPRI ["load_table"], SEVERAL, WIDE;
    load_store_unit CAPRI ["load_store_unit"], SEVERAL, WIDE;
    countdown SPE ["countdown", "dram_scheduler"], DRAM, NOWHERE;
    burst_timer SPE ["burst_timer"], DRAM_DATA, NOWHERE;
    dram_bank SPE ["dram_scheduler"], DRAM, NOWHERE;
    dram_channel SPE ["dram_scheduler"], DRAM, NOWHERE;
    dram_queue SPE ["dram_queue", "dram_scheduler"], DRAM, NOWHERE;
    command_choice SPE ["dram_scheduler"], DRAM, NOWHERE;
    dram_scheduler SPE ["dram_scheduler"], DRAM, NOWHERE;
    write_buffer SPE [], DRAM_DATA, NOWHERE;
    read_return SPE ["read_return", "dram_controller"], DRAM_DATA, NOWHERE;
    dram_controller SPE ["dram_controller"], DRAM_DATA, NOWHERE;
    dram_map SPE ["dram_map"], CHANNEL, NOWHERE;
    address_map SPE ["address_map"], &[], NOWHERE;
    sector_tags SPE ["sector_tags", "l2_slice"], L2, NOWHERE;
    l2_mshr_entry SPE ["l2_slice"], L2, NOWHERE;
    l2_mshr_table SPE ["l2_slice"], L2, NOWHERE;
    eviction_buffer SPE ["eviction_buffer", "l2_slice"], L2, NOWHERE;
    l2_reservations SPE ["l2_slice"], L2, NOWHERE;
    l2_slice SPE ["l2_slice"], L2, NOWHERE;
    memory_channel SPE ["memory_channel"], CHANNEL, NOWHERE;
    tick SPE ["tick"], &[], NOWHERE;
    flit_buffer SPE ["flit_buffer", "crossbar"], NETWORK, NOWHERE;
    hop_pipeline SPE ["hop_pipeline", "crossbar"], NETWORK, NOWHERE;
    crossbar_output SPE ["crossbar"], NETWORK, NOWHERE;
    crossbar SPE ["crossbar"], NETWORK, NOWHERE;
    packet_sender SPE ["packet_receiver"], NETWORK, NOWHERE;
    packet_receiver SPE ["packet_receiver"], NETWORK, NOWHERE;
    ripening SPE ["delay_line", "read_delay"], CHANNEL, NOWHERE;
    delay_line SPE ["delay_line", "l2_port"], GPU, NOWHERE;
    read_delay SPE ["read_delay"], CHANNEL, NOWHERE;
    link_sender SPE ["link_sender", "core_port"], GPU, NOWHERE;
    link_receiver SPE ["link_sender", "core_port"], GPU, NOWHERE;
    link_pipeline SPE ["link_pipeline"], &[], NOWHERE;
    cta_pipeline SPE ["cta_pipeline"], &[], NOWHERE;
    core_port SPE ["core_port"], ORDER, NOWHERE;
    l2_port SPE ["l2_port"], ORDER, NOWHERE;
    cta_distributor SPE ["cta_distributor"], GPU, NOWHERE;
    interconnect SPE ["interconnect"], GPU, NOWHERE;
    memory_partition SPE ["memory_partition"], GPU, NOWHERE;
    trap_unit SPE [], &["unit_tests:trap_unit::tests", "core:traps"], STACKS;
}

impl Block {
    /// Its netlist, at the sizes of a tiny core.
    pub fn netlist(&self) -> Netlist {
        let entry = CATALOG.iter().find(|entry| entry.name == self.name).unwrap_or_else(|| panic!("no {}", self.name));
        let config = CoreConfig {
            mechanism: self.mechanism,
            cta_priority: CtaPriority::None,
            likely_convergence: ![DPE, CTA_DPE].contains(&self.mechanism),
            ..CoreConfig::tiny()
        };
        let mut block = (entry.build)(&config);
        block.connect_all();
        elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
