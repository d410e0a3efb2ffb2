//! Modules that random inputs alone do not exercise.
use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, FormationScope, IndependentThreads, LargeWarps, Mechanism,
    Permutation, Turns, WarpFormation,
};
use warploom_verification::equivalence::{Cycle, Random, Silent, Stimulus};
use warploom_verification::network_model::mostly_heads;

use crate::gpu;

/// What differs from random inputs at tiny sizes.
pub struct Special {
    /// Sizes.
    pub config: CoreConfig,
    /// Inputs.
    pub stimulus: Stimulus,
    /// Bits that cannot toggle.
    pub silent: &'static [Silent],
}

/// Modules that are others where warps are of threads of several CTAs, or dissolve with registers pending.
pub const MIXED: [&str; 14] = [
    "scoreboard",
    "hazard_unit",
    "dynamic_warp_formation",
    "cta_dispatcher",
    "barrier_unit",
    "operand_stage",
    "csr_lane",
    "csr_unit",
    "execute",
    "address_lane",
    "life_marks",
    "memory_queue",
    "reservation",
    "load_store_unit",
];

/// Modules that are others in a core of a GPU.
pub const IN_GPU: [&str; 10] = [
    "cta_dispatcher",
    "decode",
    "operand_stage",
    "memory_queue",
    "reservation",
    "tag_array",
    "request_queue",
    "l1_data_cache",
    "memory_port",
    "load_store_unit",
];

/// Modules that are others where loads are issued again.
pub const REPLAYING: [&str; 14] = [
    "predecode",
    "warp_buffer",
    "frontend",
    "issue_stage",
    "operand_stage",
    "writeback",
    "execute",
    "memory_queue",
    "l1_data_cache",
    "load_group",
    "load_table",
    "load_store_unit",
    "performance_counters",
    "core",
];

/// Modules that are others where groups share MSHRs.
pub const MERGING: [&str; 3] = ["mshr_table", "l1_data_cache", "load_store_unit"];

/// Modules that are others where what waits for memory keeps others from issuing, and loads wait for an MSHR before they issue.
pub const STALLING: [&str; 8] = [
    "predecode",
    "warp_slot",
    "warp_buffer",
    "frontend",
    "issue_stage",
    "memory_queue",
    "l1_data_cache",
    "load_store_unit",
];

/// How the module of this name is run.
pub fn special(name: &str) -> Special {
    // With every optional part.
    let tiny = CoreConfig {
        mechanism: Mechanism::Tbc,
        likely_convergence: true,
        floats: true,
        warp_instructions: true,
        ..CoreConfig::tiny()
    };
    let permuting = CoreConfig { permutation: Permutation::Balanced, ..tiny.clone() };
    let two_paths_of_a_cta =
        CoreConfig { mechanism: Mechanism::TbcDualPath, likely_convergence: false, ..tiny.clone() };
    let two_bursts = CoreConfig { line_bytes: 128, ..tiny.clone() };
    // With a stage in each pipe, and slots left free.
    let slow = CoreConfig { alu_latency: 2, multiply_latency: 5, float_latency: 8, ..tiny.clone() };
    let run = |stimulus, silent| Special { config: tiny.clone(), stimulus, silent };
    let shaped = |shape| Stimulus { shape, ..Stimulus::default() };
    let ones = |ones| Stimulus { ones, ..Stimulus::default() };
    let longer = |stimulus| Stimulus { cycles: 30_000, ..stimulus };
    let longest = |stimulus| Stimulus { cycles: 80_000, ..stimulus };
    match name {
        "oldest_first_arbiter" => run(Stimulus::default(), DIAGONALS),
        "two_level_arbiter" => run(Stimulus::default(), GROUPS),
        "cta_dispatcher" => {
            let config = CoreConfig { lanes: 16, ..permuting };
            let rare = &[("cta_grant_valid", 0.05), ("cta_grant_none", 0.1)];
            Special { config, ..run(longer(Stimulus { ones: rare, ..shaped(small_grids) }), SMALL_GRIDS) }
        }
        "crossbar" | "crossbar_output" => run(longer(Stimulus { ones: &[("tick", 0.9)], ..shaped(mostly_heads) }), &[]),
        "delay_line" | "ripening" | "read_delay" => run(longer(ones(&[("late_ready", 0.3), ("reset", 0.001)])), &[]),
        "core_port" => run(longer(Stimulus { ones: &[("reset", 0.0005)], ..shaped(gpu::answers) }), ONE_CLOCK),
        "l2_port" => {
            // A slice that is slower than the network, so that flits wait everywhere.
            let rare = &[("reset", 0.0005), ("network_tick", 0.9), ("l2_tick", 0.2), ("request_ready", 0.3)];
            run(longer(Stimulus { ones: rare, ..shaped(gpu::asks) }), ASKS)
        }
        "cta_distributor" => run(shaped(gpu::few_ctas), FEW_CTAS),
        "interconnect" | "memory_partition" => {
            let rare = &[("reset", 0.0005), ("launch_start", 0.01), ("flush", 0.01)];
            run(Stimulus { ones: rare, ..shaped(gpu::requests) }, OWN_TEST)
        }
        "core_tile" | "gpu" => {
            let rare = &[
                ("credit", 0.9),
                ("cta_grant_valid", 0.03),
                ("cta_grant_none", 0.02),
                ("host_link_valid", 0.1),
                ("flush", 0.01),
            ];
            run(Stimulus { cycles: 2500, ones: rare, ..shaped(gpu::launches) }, OWN_TEST)
        }
        "address_map" => run(Stimulus::default(), SIX_CHANNELS),
        "shared_base" => run(Stimulus::default(), SHARED_MEMORY),
        "csr_lane" | "csr_unit" => Special { config: permuting, ..run(Stimulus::default(), &[]) },
        "predecode" | "predecode_float" | "decode_float" => {
            run(shaped(|cycle| instruction(cycle, "word")), FLOAT_SOURCES)
        }
        "predecode_warp" | "decode_warp" => run(shaped(|cycle| instruction(cycle, "word")), &[]),
        "foreign_lanes" => run(Stimulus::default(), NOT_THE_LOWEST_LANE),
        "lane_prefix" => run(Stimulus::default(), LANES_BELOW),
        "warp_vote" => run(Stimulus::default(), PLACES),
        "float_status" => run(Stimulus::default(), EIGHT_BITS),
        "frontend" => run(shaped(few_addresses), FEW_ADDRESSES),
        "barrier_slot" | "barrier_unit" => run(longer(shaped(few_threads)), FEW_THREADS),
        "fetch" | "warp_buffer" | "annotation_register" | "annotation_memory" => run(Stimulus::default(), NOT_DIVIDED),
        "issue_stage" => Special {
            config: CoreConfig { issue_interval: 2, ..slow },
            ..run(longest(Stimulus::default()), ISSUE_STAGE)
        },
        "hazard_unit"
        | "cta_path_scoreboard"
        | "shared_path_scoreboard"
        | "dual_path_scoreboard"
        | "thread_scoreboard" => run(longer(Stimulus::default()), &[]),
        "load_table" => run(Stimulus::default(), NO_FLAGS),
        "decode" => run(shaped(|cycle| instruction(cycle, "word")), DECODER_TRAPS),
        "operand_stage" => run(shaped(|cycle| instruction(cycle, "issue_word")), DECODER_TRAPS),
        "divide" => run(ones(&[("drive_load", 0.02), ("drive_step", 0.9)]), &[]),
        "lane" => run(ones(&[("divide_drive_load", 0.02), ("divide_drive_step", 0.9)]), &[]),
        "float_lane" => {
            let rare = &[("divide_drive_load", 0.05), ("divide_drive_step", 0.9)];
            run(longer(Stimulus { ones: rare, ..shaped(float_values) }), LANE_FLAGS)
        }
        "float_unpack" => run(shaped(float_values), &[]),
        "float_operands" => run(longer(shaped(float_values)), &[]),
        "float_normalize" => run(shaped(long_runs), &[]),
        "float_round" => run(ones(&[("nan", 0.1), ("infinite", 0.1), ("carry", 0.3)]), &[]),
        "float_convert" => {
            run(Stimulus { ones: &[("too_large", 0.1), ("nan", 0.1)], ..shaped(long_runs) }, CONVERT_FLAGS)
        }
        "float_multiply_add" => run(longer(shaped(float_values)), NO_QUOTIENT),
        "float_compare" => run(shaped(float_values), ONLY_INVALID),
        "float_divide" => {
            let rare = Stimulus { ones: &[("drive_load", 0.05), ("drive_step", 0.9)], ..shaped(float_values) };
            run(longer(rare), &[])
        }
        "float_divide_control" => run(ones(&[("start", 0.03)]), TWO_PLACES),
        "branch_unit" => run(Stimulus::default(), BRANCH_TRAPS),
        "execute" => {
            Special { config: slow, ..run(longer(shaped(|cycle| instruction(cycle, "issue_word"))), EXECUTE_TRAPS) }
        }
        "highest_entry" => run(ones(&[("candidates", 0.1)]), HIGHEST),
        "spe_stack" => {
            let barriers = Stimulus { ones: &[("barrier_release", 0.02), ("reset", 0.003)], ..shaped(reconverging) };
            Special { config: CoreConfig { stack_depth: 4, ..tiny }, ..run(longer(barriers), SIDES_ABOVE) }
        }
        "turn_counters" | "turn_scheduler" => {
            let rare = Stimulus {
                ones: &[
                    ("reset", 0.003),
                    ("launches", 0.02),
                    ("restart", 0.1),
                    ("full", 0.1),
                    ("alone", 0.1),
                    ("others", 0.9),
                ],
                ..Stimulus::default()
            };
            // Short enough to be over.
            let mechanism = Mechanism::SchedulableStack(Turns { spin: 2, quantum: 4 });
            let config = CoreConfig { mechanism, likely_convergence: false, ..tiny };
            Special { config, ..run(longer(rare), ONE_STAYS) }
        }
        "dual_path_stack" => {
            let barriers = Stimulus {
                ones: &[("reset", 0.003), ("launch_valid", 0.1), ("barrier_release", 0.02), ("slot_valid", 0.2)],
                ..shaped(two_paths)
            };
            Special { config: CoreConfig { stack_depth: 3, ..tiny }, ..run(longer(barriers), BENEATH) }
        }
        "active_paths" => run(longer(shaped(ending_paths)), &[]),
        "free_entry" => run(Stimulus::default(), NOT_THE_LOWEST),
        "path_events" => run(Stimulus::default(), NO_POINTS),
        "warp_split_table" => run(shaped(ending), &[]),
        "convergence_barrier" | "convergence_barriers" => {
            let rare = &[("clear", 0.05), ("breakers", 0.05), ("exits", 0.05), ("diverges", 0.3)];
            run(longer(Stimulus { ones: rare, ..shaped(few_points) }), &[])
        }
        "group_selector" => run(shaped(few_points), WORDS),
        "lowest_pc" => run(Stimulus::default(), WORDS),
        "running_groups" | "thread_pcs" => run(Stimulus::default(), &[]),
        "independent_threads" => {
            let turns = Turns { spin: 2, quantum: 4 };
            let mechanism = Mechanism::IndependentThreads(IndependentThreads { barriers: 2, turns });
            let rare = Stimulus {
                ones: &[("reset", 0.002), ("launch_valid", 0.1), ("barrier_release", 0.02)],
                ..shaped(reconverging)
            };
            let config = CoreConfig { mechanism, floats: true, ..CoreConfig::tiny() };
            Special { config, ..run(longer(rare), ONE_STAYS) }
        }
        "parked_lane"
        | "parked_threads"
        | "pool_slot"
        | "pool_side"
        | "warp_pool"
        | "warp_lut_way"
        | "warp_lut"
        | "warp_barriers"
        | "dynamic_warp_formation" => {
            // With every optional part, a table that is too small, and warps that are soon old.
            let scope = FormationScope::Core;
            let how = WarpFormation { lut_entries: 8, age_limit: 4, relief: 2, scope, ..WarpFormation::DEFAULT };
            let mechanism = Mechanism::WarpBarriers(how);
            let rare = Stimulus {
                ones: &[
                    ("reset", 0.002),
                    ("launch_valid", 0.1),
                    ("barrier_release", 0.05),
                    ("slot_valid", 0.1),
                    ("slot_pending", 0.1),
                    ("slot_waits", 0.1),
                    ("dissolve", 0.1),
                    ("form", 0.1),
                    ("diverges", 0.2),
                    ("returns", 0.1),
                ],
                ..shaped(regrouping)
            };
            Special { config: CoreConfig { mechanism, ..CoreConfig::tiny() }, ..run(longer(rare), REGROUPING) }
        }
        "warp_subdivision" => {
            let rare = Stimulus {
                ones: &[("reset", 0.002), ("launch_valid", 0.2), ("barrier_release", 0.05), ("slot_valid", 0.2)],
                ..shaped(ending)
            };
            Special { config: CoreConfig { stack_depth: 2, ..tiny }, ..run(longer(rare), &[]) }
        }
        "compaction_lane" | "warp_compaction_unit" => run(Stimulus::default(), FEW_ROWS),
        "cta_stack" => {
            let rare = Stimulus {
                ones: &[
                    ("reset", 0.002),
                    ("cta_start_valid", 0.02),
                    ("launch_valid", 0.1),
                    ("forming", 0.2),
                    ("formed", 0.2),
                    ("barrier_release", 0.02),
                ],
                ..shaped(gathering)
            };
            Special { config: CoreConfig { stack_depth: 4, ..tiny }, ..run(longest(rare), FOUR_ENTRIES) }
        }
        "cta_path_stack" => {
            let rare = Stimulus {
                ones: &[
                    ("reset", 0.002),
                    ("cta_start_valid", 0.02),
                    ("launch_valid", 0.1),
                    ("forming", 0.2),
                    ("formed", 0.3),
                    ("barrier_release", 0.02),
                ],
                ..shaped(gathering)
            };
            Special { config: CoreConfig { stack_depth: 4, ..two_paths_of_a_cta }, ..run(longest(rare), BOTH_SIDES) }
        }
        "dual_path_compaction" => {
            let rare = Stimulus {
                ones: &[("barrier_release", 0.05), ("slot_valid", 0.1), ("decoded_control", 0.2)],
                ..shaped(gathering_paths)
            };
            Special {
                config: CoreConfig { stack_depth: 4, ..two_paths_of_a_cta },
                ..run(longest(rare), INNER_PATH_STACK)
            }
        }
        "thread_block_compaction" | "reconvergence_unit" => {
            let rare = Stimulus {
                ones: &[("launch_start", 0.005), ("barrier_release", 0.05), ("cta_release", 0.05), ("slot_valid", 0.1)],
                ..shaped(gathering_warps)
            };
            let predictor = AdequacyPredictor { entries: 2, history: AdequacyHistory::Latest };
            let config = CoreConfig { stack_depth: 4, mechanism: Mechanism::Capri(predictor), ..tiny };
            Special { config, ..run(longest(rare), INNER_STACK) }
        }
        "capt" => run(Stimulus { shape: few_branches, ones: &[("clear", 0.01)], ..Stimulus::default() }, &[]),
        "capt_entry" => run(Stimulus { shape: few_keys, ones: &[("clear", 0.01)], ..Stimulus::default() }, &[]),
        "rotating_choice" => run(Stimulus::default(), FIRST_IN_ROUND),
        "golden_load" => {
            let rare = &[("under_way", 0.97), ("check_valid", 0.9), ("check_took", 0.05)];
            run(longer(ones(rare)), &[])
        }
        "lru_table" => run(Stimulus::default(), DIAGONALS),
        "request_queue" | "l1_data_cache" => run(Stimulus::default(), LINES),
        "reservation" => run(shaped(reserving), LINES),
        "load_store_unit" => run(longer(shaped(mapped_addresses)), LINES),
        "performance_counters"
        | "compaction_counters"
        | "path_counters"
        | "turn_statistics"
        | "sub_warp_counters"
        | "replay_counters"
        | "hazard_counters"
        | "channel_counters"
        | "l2_counters" => run(ones(&[("reset", 0.001)]), COUNTS),
        "dram_bank" | "dram_channel" => {
            let rare = &[
                ("reset", 0.0005),
                ("activate", 0.05),
                ("precharge", 0.05),
                ("read", 0.1),
                ("write", 0.05),
                ("group_read", 0.1),
                ("refresh", 0.01),
            ];
            Special { config: two_bursts, ..run(longer(ones(rare)), CLOCKS) }
        }
        "dram_queue" => Special { config: two_bursts, ..run(longer(ones(&[("reset", 0.001)])), CLOCKS) },
        "command_choice" | "write_buffer" => Special { config: two_bursts, ..run(Stimulus::default(), &[]) },
        "read_return" => {
            let rare = &[("reset", 0.001), ("read", 0.3), ("reply_ready", 0.03)];
            Special { config: two_bursts, ..run(longer(ones(rare)), &[]) }
        }
        "dram_scheduler" | "dram_controller" => {
            Special { config: two_bursts, ..run(longer(ones(&[("reset", 0.0005)])), OWN_TEST) }
        }
        "l2_slice" | "memory_channel" => run(longer(ones(&[("reset", 0.0005)])), OWN_TEST),
        "formation_counters" => {
            let mechanism = Mechanism::WarpBarriers(WarpFormation::DEFAULT);
            Special { config: CoreConfig { mechanism, ..CoreConfig::tiny() }, ..run(ones(&[("reset", 0.001)]), COUNTS) }
        }
        "large_warps" | "sub_warp_unit" | "sub_warp_lane" | "sub_warp_threads" | "large_warp_rows"
        | "sub_warp_counts" => {
            let mechanism = Mechanism::LargeWarps(LargeWarps::of(16));
            let rare = Stimulus {
                ones: &[
                    ("reset", 0.002),
                    ("barrier_release", 0.02),
                    ("slot_valid", 0.2),
                    ("activate", 0.1),
                    ("take_up", 0.2),
                    ("decoded_valid", 0.2),
                ],
                ..shaped(large_warps)
            };
            let config = CoreConfig { stack_depth: 4, mechanism, likely_convergence: true, ..CoreConfig::tiny() };
            Special { config, ..run(longest(rare), OF_LARGE_WARPS) }
        }
        "sub_warp_predecode" => run(shaped(|cycle| instruction(cycle, "word")), &[]),
        "core" => run(Stimulus::default(), KERNELS),
        _ => run(Stimulus::default(), &[]),
    }
}

const fn silent(name: &'static str, bits: u64, reason: &'static str) -> Silent {
    Silent { name, bits, reason }
}

const CONVERT_FLAGS: &[Silent] = &[silent("flags", 0b01110, "a conversion to an integer is invalid or inexact")];
const NO_QUOTIENT: &[Silent] =
    &[silent("*flags", 0b01000, "nothing is divided"), silent("*raised*", 0b01000, "nothing is divided")];
const SIX_CHANNELS: &[Silent] = &[silent("in_channel", 0xc000_0000, "a channel of six has a sixth of all addresses")];
const FEW_CTAS: &[Silent] = &[
    silent("*next_?", !3, "grids of the trace have at most 4 CTAs in a direction"),
    silent("grant_?[*", !3, "grids of the trace have at most 4 CTAs in a direction"),
];
const ONE_CLOCK: &[Silent] = &[silent("*untold", !1, "in one clock domain a credit is told of in the next cycle")];
const ASKS: &[Silent] = &[silent("*header[1]", 8, "of nine kinds of packets the first five come to a slice")];
const SHARED_MEMORY: &[Silent] = &[silent("base", 0xffff_e000, "shared memory is smaller")];
const ONLY_INVALID: &[Silent] = &[silent("flags", 0b01111, "a comparison is exact")];
const TWO_PLACES: &[Silent] = &[silent("*place*", 0x0155_5555, "two places a step")];
const DIAGONALS: &[Silent] = &[
    silent("*rows[0]*", 1, "nothing is older than itself"),
    silent("*rows[1]*", 2, "nothing is older than itself"),
    silent("*rows[2]*", 4, "nothing is older than itself"),
    silent("*rows[3]*", 8, "nothing is older than itself"),
];
const NOT_THE_LOWEST: &[Silent] = &[silent("one_hot", 1, "no entry is below the lowest")];
const NOT_THE_LOWEST_LANE: &[Silent] = &[silent("foreign", 1, "no lane is below the lowest")];
const LANES_BELOW: &[Silent] =
    &[silent("below[0]", !0, "no lane is below the lowest"), silent("below[1]", !1, "one lane is below this one")];
const PLACES: &[Silent] = &[
    silent("foreign", 1, "no lane is below the lowest"),
    silent("offset[0]", !0, "no lane is below the lowest"),
    silent("offset[1]", !0b110, "one lane is below this one"),
    silent("offset[?]", !0b1110, "at most three lanes are below it"),
];
const NO_POINTS: &[Silent] = &[silent("event_lpc", !0, "stacks of several paths have no likely-convergence points")];
const FIRST_IN_ROUND: &[Silent] = &[silent("through", 1, "whoever is chosen, the round is through the first")];
const GROUPS: &[Silent] = &[silent("*before_top", 8, "no group is after the last one")];
const SMALL_GRIDS: &[Silent] = &[
    silent("*tid_write_?[*", !7, "CTAs of the trace have at most 8 threads in a direction"),
    silent("*tid_write_number[*", 7, "a thread has the same place in each group"),
    silent("*tid_write_y[*", !3, "CTAs of the trace have at most 4 threads in y"),
    silent("*fill_?", !7, "CTAs of the trace have at most 8 threads in a direction"),
    silent("*fill_y", !3, "CTAs of the trace have at most 4 threads in y"),
    silent("*threads[?].x", !7, "CTAs of the trace have at most 8 threads in x"),
    silent("*threads[?].y", !3, "CTAs of the trace have at most 4 threads in y"),
    silent("*threads[?].z", !0xf, "CTAs of the trace count up to 16 threads in z"),
    silent("*fill_lane", 7, "groups of 8 lanes"),
    silent("*_ctaid_?", !3, "grids of the trace have at most 4 CTAs in a direction"),
    silent("*next_?", !3, "grids of the trace have at most 4 CTAs in a direction"),
    silent("*fill_in_cta", 4, "a CTA has at most all 4 warps"),
    silent("cta_start_threads", !0x7f, "CTAs of the trace have at most 64 threads"),
    silent("*fill_thread", !0x78, "CTAs of the trace have at most 64 threads, and groups have 8"),
    silent("warp_slot[0]", 3, "warp 0 is always in slot 0"),
    silent("*slot_of_warp[0]", 3, "warp 0 is always in slot 0"),
    silent("warp_slot[1]", 2, "warp 1 is in slot 0 or 1"),
    silent("*slot_of_warp[1]", 2, "warp 1 is in slot 0 or 1"),
];
const NOT_DIVIDED: &[Silent] = &[
    silent("decoded_subdividable", 1, NO_SPLITS),
    silent("decoded_spin", 1, NO_TURNS),
    silent("decoded_join", 1, NO_JOINS),
    silent("selected_subdividable", 1, NO_SPLITS),
    silent("selected_spin", 1, NO_TURNS),
    silent("selected_join", 1, NO_JOINS),
    silent("issue_subdividable", 1, NO_SPLITS),
    silent("issue_spin", 1, NO_TURNS),
    silent("issue_join", 1, NO_JOINS),
    silent("q_subdividable", 1, NO_SPLITS),
    silent("q_spin", 1, NO_TURNS),
    silent("q_join", 1, NO_JOINS),
    silent("read_subdividable[0]", 1, NO_SPLITS),
    silent("read_spin[0]", 1, NO_TURNS),
    silent("read_join[0]", 1, NO_JOINS),
];
const ISSUE_STAGE: &[Silent] = &[
    silent("selected_subdividable", 1, NO_SPLITS),
    silent("selected_spin", 1, NO_TURNS),
    silent("selected_join", 1, NO_JOINS),
    silent("issue_subdividable", 1, NO_SPLITS),
    silent("issue_spin", 1, NO_TURNS),
    silent("issue_join", 1, NO_JOINS),
    silent("q_subdividable", 1, NO_SPLITS),
    silent("q_spin", 1, NO_TURNS),
    silent("q_join", 1, NO_JOINS),
    silent("*by_warp*", !0 << 32, "random words hardly have floats as results: exercised by the row's own run"),
];
const NO_FLAGS: &[Silent] = &[
    silent("*flags*", !0, "a load raises no flags"),
    silent("*raises*", !0, "a load raises no flags"),
    silent("*replaces*", !0, "a load raises no flags"),
];
const NO_SPLITS: &str = "only a core that divides warps keeps it";
const NO_TURNS: &str = "only a core whose threads take turns keeps it";
const NO_JOINS: &str = "only a core that regroups threads keeps it";
const FEW_ADDRESSES: &[Silent] = &[
    silent("selected_pc", !0xfc, "PCs of the trace are in the first 64 words, and multiples of four"),
    silent("selected_subdividable", 1, NO_SPLITS),
    silent("selected_spin", 1, NO_TURNS),
    silent("selected_join", 1, NO_JOINS),
];
const FEW_THREADS: &[Silent] = &[silent("*waiting", 0xffc0, "few threads of the trace wait at once")];
const DECODER_TRAPS: &[Silent] = &[
    silent("controls_trap", 0b0110, "no cause from 2 to 6 comes from the decoder"),
    silent("issued_subdividable", 1, NO_SPLITS),
    silent("issued_spin", 1, NO_TURNS),
    silent("issued_join", 1, NO_JOINS),
];
const FLOAT_SOURCES: &[Silent] = &[
    silent("rs2", 32, "of a float instruction the second operand is a float"),
    silent("rs3", 32, "the third operand is a float"),
    silent("fields_rs3[0]", 32, "the third operand is a float"),
    silent("flags", 0x7f, "those of all instructions"),
];
const EIGHT_BITS: &[Silent] = &[silent("value*", !0xff, "fcsr has eight bits")];
const LANE_FLAGS: &[Silent] = &[
    silent("comparison_flags", 0xf, "comparisons raise NV alone"),
    silent("*pipeline*", 8, "only quotients have a divisor"),
];
const BRANCH_TRAPS: &[Silent] = &[silent("trap", 0b1000, "only targets are checked")];
const EXECUTE_TRAPS: &[Silent] = &[
    silent("execute_trap_cause", 0b1000, "cause 8 and 9 come from other units"),
    silent("*float_lanes*raised", 8, "only quotients have a divisor"),
    silent("*float_pipe*flags*", 8, "only quotients have a divisor"),
    silent("*float_divide*place", 0x0155_5555, "two places a step"),
    silent("*float_divide*replaces*", !0, "what says what the flags are, whatever they were, is no quotient"),
    silent("*float_pipe*replaces*", !0, "what says what the flags are, whatever they were, is no sum"),
    silent("*product_pipe*flags*", !0, "a product of integers raises no flags"),
    silent("*product_pipe*raises*", !0, "a product of integers raises no flags"),
    silent("*product_pipe*replaces*", !0, "a product of integers raises no flags"),
    silent("*multiply.*raises*", !0, "a product of integers raises no flags"),
    silent("*multiply.*replaces*", !0, "a product of integers raises no flags"),
    silent("resolve_subdividable", 1, NO_SPLITS),
    silent("resolve_spin", 1, NO_TURNS),
    silent("resolve_join", 1, NO_JOINS),
];
const REGROUPING: &[Silent] = &[
    silent("*next_row.passed", 1, "whichever row was last, the round is past the first"),
    silent("form_warp", !0, "each lane has its own"),
    silent("fetch_mask", !0, "an instruction takes its lanes when it issues"),
    silent(
        "dynamic_warp_formation.lut.ways[?].counts[?]",
        0x10,
        "where all threads wait at one PC its entry has come to the first way, as long as nobody steers them; of a way alone all bits toggle",
    ),
    silent("pool_events_joined", 4, "whoever has formed the warp that others join has a lane of it"),
];
const HIGHEST: &[Silent] = &[silent("below", 1 << 15, "nothing is above the last entry")];
const SIDES_ABOVE: &[Silent] = &[
    silent("*awaiting", 0xc, "of four entries, two are sides of the branch whose point a third one is"),
    silent("*links[0].first_awaiting", 2, "of four entries, two are sides of the branch whose point a third one is"),
];
const BENEATH: &[Silent] =
    &[silent("*diverted[0]", !0, "of two branches the left one's entry comes above the right one's")];
const FEW_ROWS: &[Silent] =
    &[silent("*count*", !7, "a lane has at most four threads, and counts are as wide as their sum")];
const FOUR_ENTRIES: &[Silent] = &[
    silent("*walk.passed_over", 8, "nothing is above the last entry"),
    silent("*walk.above", 8, "nothing is above the last entry"),
    silent("*awaiting", 0xc, "of four entries, two are above a likely-convergence entry"),
    silent("*waiting_index", 2, "of four entries, two are above a likely-convergence entry"),
];
const OF_LARGE_WARPS: &[Silent] = &[
    silent("fetch_mask", !0, "a sub-warp takes its lanes when it issues"),
    silent("large_warps.stack.columns[?].bypassed", !0, "nobody runs ahead"),
    silent("large_warps.rows.owners[0]", 3, "row 0 is the first of its large warp"),
    silent("large_warps.rows.owners[1]", 2, "row 1 is of large warp 0 or 1"),
    silent("large_warps.sub_warps.threads.counted[?]", 4, ALL_AT_ONCE),
    silent("sub_warp_events_threads", 0x10, ALL_AT_ONCE),
    silent("sub_warp_events_ideal", 4, ALL_AT_ONCE),
    silent("*events_threads", !0x1f, "the core has 16 threads, and counters 64 bits"),
    silent("*walk.passed_over", 8, "nothing is above the last entry"),
    silent("*walk.above", 8, "nothing is above the last entry"),
    silent("*awaiting", 0xc, "of four entries, two are above a likely-convergence entry"),
    silent("*waiting_index", 2, "of four entries, two are above a likely-convergence entry"),
];
const ALL_AT_ONCE: &str =
    "hardly all threads of the core wait in one large warp: exercised by the run of the unit that packs them";
const BOTH_SIDES: &[Silent] = &[
    silent("*walk[?].passed_over", 8, "nothing is above the last entry"),
    silent("*_lpc", !0, "stacks of several paths have no likely-convergence points"),
];
const INNER_PATH_STACK: &[Silent] = &[
    silent("path_consulted", !0, NOBODY_AHEAD),
    silent("path_bypassed", !0, NOBODY_AHEAD),
    silent("*stack.beneath", 0xc, WAITING_PATHS),
    silent("*stack.rested", 0xc, WAITING_PATHS),
    silent("*stack.walk[?].passed_over", 0xf, "walks past waiting entries: exercised by the stack's own run"),
];
const NOBODY_AHEAD: &str = "nothing is predicted, and no warp runs ahead";
const WAITING_PATHS: &str = "paths of CTAs of one warp hardly wait for each other: exercised by the stack's own run";
const ONE_PATH: &str = "of mechanisms with several paths: exercised by their own runs";
const INNER_STACK: &[Silent] = &[
    silent("present[0]", !0, ONE_PATH),
    silent("hold[0]", !0, ONE_PATH),
    silent("flush[0]", !0, ONE_PATH),
    silent("copy_valid", !0, ONE_PATH),
    silent("copy_warp", !0, ONE_PATH),
    silent("pushed", !0, ONE_PATH),
    silent("suspended", !0, ONE_PATH),
    silent("subdivided", !0, ONE_PATH),
    silent("merged", !0, ONE_PATH),
    silent("*stack.walk.passed_over", 0xf, "walks past waiting entries: exercised by the stack's own run"),
    silent("*stack.*waiting*", 3, "walks past waiting entries: exercised by the stack's own run"),
    silent("*stack.awaiting", 0xc, "of four entries, two are above a likely-convergence entry"),
    silent("*stack.giving_up", 1, "walks past waiting entries: exercised by the stack's own run"),
    silent("*counted", 0x18, "a lane has at most four threads, and counts are as wide as their sum"),
    silent("*_bypassed", 6, "hardly two random warps bypass at one branch"),
];
const WORDS: &[Silent] = &[silent("lowest", 3, "instructions are words")];
const ONE_STAYS: &[Silent] = &[
    silent("*events_released", 4, "whoever waits, waits for one of its lanes"),
    silent("group_events_merged", 4, "one lane at least is of the group that others join"),
];
const LINES: &[Silent] = &[
    silent("*flags*", !0, "a load raises no flags"),
    silent("*raises*", !0, "a load raises no flags"),
    silent("*replaces*", !0, "a load raises no flags"),
    silent("request_line", 0xf, "addresses of lines are multiples of 16"),
    silent("*reservation.refused", 0xff8, "hardly a reservation is refused for long"),
    silent("memory_trap_cause", 0b1100, "misaligned (5) or unmapped (6)"),
    silent("*written_rows[0]", 1, "nothing is older than itself"),
    silent("*written_rows[1]", 2, "nothing is older than itself"),
];
const COUNTS: &[Silent] = &[silent("*", !7, "counters of 64 bits")];
const CLOCKS: &[Silent] = &[
    silent("*now*", !0xff, "17 bits of clocks"),
    silent("*came*", !0xff, "17 bits of clocks"),
    silent("waited", !0xff, "17 bits of clocks"),
    silent("*since*", !0xff, "an interval of 7210 clocks"),
    silent("*owed*", !1, "refreshes of 7210 clocks each"),
];
const OWN_TEST: &[Silent] = &[silent("*", u64::MAX, "random requests seldom meet: a test of its own exercises it")];
const KERNELS: &[Silent] = &[silent("*", u64::MAX, "random inputs launch nothing sensible: kernels exercise the core")];

/// Threads that ask for the reservation, again and again, and seldom store.
fn reserving(cycle: &mut Cycle) {
    if cycle.random.chance(0.9) {
        let op = if cycle.random.chance(0.8) { 2 } else { 3 };
        cycle.set("head_op", op);
    }
    for (name, probability) in [("head_first_of_cta", 0.02), ("head_after_end", 0.02), ("launch_start", 0.01)] {
        let rare = cycle.random.chance(probability);
        cycle.set(name, rare as u64);
    }
}

/// An instruction word instead of a random one, most of the time: random words are hardly ever legal.
fn instruction(cycle: &mut Cycle, name: &str) {
    if cycle.random.chance(0.9) {
        let word = word(cycle.random);
        cycle.set(name, word);
    }
}

fn word(random: &mut Random) -> u64 {
    const OPCODES: [u64; 19] = [
        0x33, 0x33, 0x13, 0x03, 0x23, 0x63, 0x6f, 0x67, 0x37, 0x17, 0x73, 0x2f, 0x0b, 0x07, 0x27, 0x43, 0x53, 0x53,
        0x2b,
    ];
    let opcode = OPCODES[(random.bits() % 19) as usize];
    if opcode == 0x43 || opcode == 0x53 {
        return float_word(random, opcode);
    }
    let word = random.bits() & 0xffff_ff80 | opcode;
    match random.bits() % 8 {
        // funct7 of the base, of sub and sra, and of multiply and divide.
        0..2 => word & 0x01ff_ffff,
        2..4 => word & 0x01ff_ffff | 0x4000_0000,
        4..6 => word & 0x01ff_ffff | 0x0200_0000,
        6 if opcode == 0x73 => 0x0000_0073 | (random.bits() & 1) << 20,
        // cpop.
        7 if opcode == 0x13 => word & 0x000f_8f80 | 0x6020_1013,
        // fflags, frm, fcsr.
        7 if opcode == 0x73 => word & 0x000f_ffff | (random.bits() % 4) << 20,
        _ => word,
    }
}

/// Of single precision, with a rounding mode as often as not; what is no operand is 0 or 1.
fn float_word(random: &mut Random, opcode: u64) -> u64 {
    const OPERATIONS: [u64; 11] = [0x00, 0x01, 0x02, 0x03, 0x0b, 0x04, 0x05, 0x14, 0x18, 0x1a, 0x1c];
    let word = random.bits() & 0xf9ff_ff80;
    if opcode == 0x43 {
        return word | opcode | (random.bits() & 3) << 2;
    }
    let operation = match random.bits() % 12 {
        11 => 0x1e,
        index => OPERATIONS[index as usize],
    };
    let rs2 = match operation {
        0x0b | 0x1c | 0x1e => 0,
        0x18 | 0x1a => random.bits() & 1,
        _ => random.bits() & 31,
    };
    word & 0x000f_ff80 | opcode | operation << 27 | rs2 << 20
}

/// Programs and PCs in the first 64 words, so that what is loaded is also fetched.
fn few_addresses(cycle: &mut Cycle) {
    instruction(cycle, "load_word");
    cycle.below("load_address", 64);
    let pc = (cycle.random.bits() % 64) * 4;
    if cycle.random.chance(0.98) {
        cycle.set("fetch_pc", pc);
    }
}

/// CTAs of 2 or 3 threads that arrive one or two at a time.
fn few_threads(cycle: &mut Cycle) {
    for name in ["threads", "cta_start_threads", "arrive_count", "exit_count"] {
        if cycle.has(name) && cycle.random.chance(0.9) {
            let few = cycle.random.bits() % 4;
            cycle.set(name, few);
        }
    }
    for name in ["start", "cta_start_valid"] {
        if cycle.has(name) && !cycle.random.chance(0.05) {
            cycle.set(name, 0);
        }
    }
}

/// A launch that stays as it is for 250 cycles, with what a host would configure.
fn small_grids(cycle: &mut Cycle) {
    let mut launch = Random::new(cycle.number as u64 / 250);
    let mut up_to = |most| 1 + launch.bits() % most;
    let (block_x, block_y) = (up_to(8), up_to(4));
    let threads = block_x * block_y * if block_x * block_y <= 16 { up_to(4) } else { up_to(2) };
    let warps = threads.div_ceil(16);
    for (name, value) in [
        ("kernel_grid_x", up_to(4)),
        ("kernel_grid_y", up_to(4)),
        ("kernel_grid_z", up_to(4)),
        ("kernel_block_x", block_x),
        ("kernel_block_y", block_y),
        ("kernel_threads_per_cta", threads),
        ("kernel_warps_per_cta", warps),
        ("kernel_resident_ctas", up_to(4 / warps)),
        ("kernel_entry_pc", launch.bits()),
        ("kernel_shared_bytes", launch.bits()),
        ("launch_start", cycle.number.is_multiple_of(250) as u64),
        ("reset", cycle.number.is_multiple_of(1000) as u64),
    ] {
        cycle.set(name, value);
    }
}

/// Branches whose ways meet again, at once or after an instruction, at their likely-convergence point or at the other.
fn reconverging(cycle: &mut Cycle) {
    meeting(cycle, &["resolve_rpc", "resolve_lpc"]);
}

/// The same without likely-convergence points.
fn two_paths(cycle: &mut Cycle) {
    meeting(cycle, &["resolve_rpc"]);
    // Exits empty the stacks.
    if cycle.get("resolve_kind") == 2 && cycle.random.chance(0.8) {
        cycle.set("resolve_kind", 0);
    }
}

fn meeting(cycle: &mut Cycle, names: &[&str]) {
    let few = |cycle: &mut Cycle| (cycle.random.bits() % 4) * 0x5555_5554;
    if cycle.random.chance(0.8) {
        for name in names {
            let point = few(cycle);
            cycle.set(name, point);
        }
    }
    let points: Vec<u64> = names.iter().map(|name| cycle.get(name)).collect();
    for name in ["resolve_next_pc", "resolve_target"] {
        let point = points[cycle.random.bits() as usize % points.len()];
        match cycle.random.bits() % 8 {
            0 | 1 => cycle.set(name, point),
            2..5 => cycle.set(name, point.wrapping_sub(4)),
            _ => {}
        }
    }
}

/// Paths that end where they are, or an instruction further on.
fn ending_paths(cycle: &mut Cycle) {
    let few = |cycle: &mut Cycle| (cycle.random.bits() % 2) * 0x5555_5554;
    if cycle.random.chance(0.9) {
        let rpc = few(cycle);
        cycle.set("new_rpc", rpc);
    }
    for side in 0..4 {
        let pc = few(cycle).wrapping_sub(4);
        if cycle.random.chance(0.9) {
            cycle.set(&format!("new_pc[{side}]"), pc);
        }
    }
}

/// Warp-splits that end where their stack entry does, at once or after an instruction.
/// PCs that meet.
fn few_points(cycle: &mut Cycle) {
    let sides = (0..2).map(|side| format!("sides_pc[{side}]"));
    let threads = (0..4).map(|lane| format!("pcs[{lane}]"));
    let names = ["rpc", "next_pc", "pc"].map(String::from).into_iter().chain(sides).chain(threads);
    for name in names.filter(|name| cycle.has(name)).collect::<Vec<_>>() {
        if cycle.random.chance(0.9) {
            let point = (cycle.random.bits() % 4) * 0x5555_5554;
            cycle.set(&name, point);
        }
    }
}

/// Threads that go to few PCs, so that they meet there, and seldom end.
fn regrouping(cycle: &mut Cycle) {
    for name in
        ["pc", "park_pc", "launch_pc", "form_pc", "new_pc", "resolve_target", "resolve_next_pc", "resolve_rpc", "rpc"]
    {
        if cycle.has(name) && cycle.random.chance(0.9) {
            let point = (cycle.random.bits() % 8) * 0x2492_4924;
            cycle.set(name, point);
        }
    }
    if cycle.has("resolve_kind") && cycle.get("resolve_kind") == 2 && cycle.random.chance(0.8) {
        cycle.set("resolve_kind", 0);
    }
}

fn ending(cycle: &mut Cycle) {
    for name in ["fetch_rpc", "resolve_rpc", "resolve_next_pc", "resolve_target"] {
        if cycle.has(name) && cycle.random.chance(0.9) {
            let point = (cycle.random.bits() % 4) * 0x5555_5554;
            let before = name != "fetch_rpc" && name != "resolve_rpc" && cycle.random.chance(0.5);
            cycle.set(name, if before { point.wrapping_sub(4) } else { point });
        }
    }
}

/// CTAs of one or two warps whose branches lie at few addresses, so that warps of one entry often come to the same end, and its sides
/// meet where others do. What no warp could do occurs too: the stacks then go their ways through states that no program reaches.
fn gathering(cycle: &mut Cycle) {
    let points = ["low_pc", "top_pc", "rpc", "lpc", "pc", "target", "next_pc"];
    for point in points {
        for name in [format!("arrive_{point}"), format!("resolve_{point}")] {
            if cycle.has(&name) && cycle.random.chance(0.9) {
                let few = (cycle.random.bits() % 3) * 0x5555_5554;
                let nowhere = matches!(point, "rpc" | "lpc") && cycle.random.chance(0.3);
                cycle.set(&name, if nowhere { 1 } else { few });
            }
        }
    }
    let warps = 1 + cycle.random.bits() % 2;
    cycle.set("kernel_warps_per_cta", warps);
}

/// The same for whole units, with CTAs of 1, 2 or 4 warps that start as the dispatcher starts them, new ones every 100 cycles.
fn gathering_warps(cycle: &mut Cycle) {
    gathering_ctas(cycle, 1);
}

/// The same, with so many cycles for the launch of a warp. Returns how many warps a CTA has now.
fn gathering_ctas(cycle: &mut Cycle, for_each_warp: u64) -> u64 {
    gathering(cycle);
    let (epoch, step) = (cycle.number / 100, (cycle.number % 100) as u64);
    let warps = [1, 2, 4][epoch % 3];
    let period = for_each_warp * warps + 1;
    let (cta, place) = (step.saturating_sub(1) / period, step.saturating_sub(1) % period);
    let starting = step > 0 && cta < 4 / warps;
    for (name, value) in
        [("reset", step == 0), ("cta_start_valid", starting && place == 0), ("launch_valid", starting && place > 0)]
    {
        cycle.set(name, value as u64);
    }
    cycle.set("kernel_warps_per_cta", warps);
    for warp in 0..4 {
        let slot = format!("warp_slot[{warp}]");
        if cycle.has(&slot) {
            cycle.set(&slot, warp / warps);
        }
    }
    if starting {
        cycle.set("cta_start_slot", cta);
        cycle.set("launch_warp", (cta * warps + place.div_ceil(for_each_warp)).wrapping_sub(1));
        cycle.set("launch_mask", 0xf);
        cycle.set("resolve_valid", 0);
    }
    let first = cycle.get("resolve_warp") / warps * warps;
    for lane in 0..4 {
        let row = first + cycle.random.bits() % warps;
        cycle.set(&format!("resolve_home_warps[{lane}]"), row);
    }
    // Exits empty the CTAs.
    if cycle.get("resolve_kind") == 2 && cycle.random.chance(0.9) {
        cycle.set("resolve_kind", 0);
    }
    warps
}

/// The same, and as often as not a branch leads to the instruction before the one where warps meet.
fn gathering_paths(cycle: &mut Cycle) {
    gathering_warps(cycle);
    before_points(cycle);
}

/// The same of large warps, which begin a cycle before their first warp: what resolves is of one by its number.
fn large_warps(cycle: &mut Cycle) {
    if !cycle.has("resolve_valid") {
        return;
    }
    let warps = gathering_ctas(cycle, 2);
    cycle.set("resolve_warp", cycle.get("resolve_warp") / warps * warps);
    before_points(cycle);
}

fn before_points(cycle: &mut Cycle) {
    for name in ["resolve_target", "resolve_next_pc"] {
        if cycle.random.chance(0.5) {
            cycle.set(name, cycle.get(name).wrapping_sub(4));
        }
    }
}

/// Operands whose exponents are near each other or at an end, and whose fractions are long runs of equal bits as often as not; all the special values.
fn float_values(cycle: &mut Cycle) {
    let near = cycle.random.bits() % 256;
    for name in ["a", "b", "c", "value", "rs1", "float_rs1", "float_rs2", "float_rs3"] {
        if !cycle.has(name) || cycle.random.chance(0.2) {
            continue;
        }
        let any = cycle.random.bits();
        let exponent = match cycle.random.bits() % 6 {
            0 => 0,
            1 => 255 - any % 2,
            2 => 127 + any % 40,
            _ => (near + any % 32) % 256,
        };
        let fraction = run_of_bits(cycle, 23);
        cycle.set(name, (any >> 32 & 1) << 31 | exponent << 23 | fraction);
    }
}

/// Sums and magnitudes of long runs of equal bits, so that much is shifted out and much is zero.
fn long_runs(cycle: &mut Cycle) {
    for (name, width) in [("high", 26), ("low", 48), ("magnitude", 32)] {
        if cycle.has(name) && cycle.random.chance(0.8) {
            let run = run_of_bits(cycle, width);
            cycle.set(name, run);
        }
    }
}

/// Zeros, ones, or first some of the one and then of the other; or anything.
fn run_of_bits(cycle: &mut Cycle, width: u64) -> u64 {
    let (all, place) = ((1 << width) - 1, cycle.random.bits() % width);
    match cycle.random.bits() % 6 {
        0 => 0,
        1 => all,
        2 => all >> place,
        3 => all << place & all,
        4 => 1 << place,
        _ => cycle.random.bits() & all,
    }
}

/// Branches at few addresses, so that they are found again.
fn few_branches(cycle: &mut Cycle) {
    few_values(cycle, &["lookup_pc", "update_pc"]);
}

/// The branch before, and the one asked for, out of eight.
fn few_keys(cycle: &mut Cycle) {
    few_values(cycle, &["key", "before_tag"]);
}

fn few_values(cycle: &mut Cycle, ports: &[&str]) {
    for port in ports {
        let branch = cycle.random.bits() % 8;
        cycle.set(port, branch * 0x9E37_79B9);
    }
}

/// Addresses in a few lines of each region, hardly ever a trap: it stops everything until the reset.
fn mapped_addresses(cycle: &mut Cycle) {
    if cycle.random.chance(0.3) {
        let load_reserved_or_store_conditional = 2 + cycle.random.bits() % 2;
        cycle.set("memory_op", load_reserved_or_store_conditional);
    }
    let (loads_or_stores, bytes) = (cycle.get("memory_op") < 2, cycle.random.chance(0.3));
    let bytes = loads_or_stores && bytes;
    let far = if cycle.random.chance(0.2) { cycle.random.bits() & 0x7fff_ff00 } else { 0 };
    for lane in 0..4 {
        let region = match cycle.random.bits() % 64 {
            0..40 => 0x8000_0000 + far,
            40..52 => 0x2000_0000,
            _ => 0x3000_0000,
        };
        let offset = cycle.random.bits() % 256;
        let mapped = region + if bytes { offset } else { offset & !3 };
        let address = if cycle.random.chance(0.001) { cycle.random.bits() } else { mapped };
        cycle.set(&format!("memory_address[{lane}]"), address);
    }
    let (valid, start) = (cycle.random.chance(0.2), cycle.random.chance(0.002));
    for (name, value) in [
        ("memory_valid", valid as u64),
        ("memory_size", if bytes { 0 } else { 2 }),
        ("memory_shared_base", 0),
        ("kernel_shared_bytes", 1024),
        ("kernel_global_limit", 0x7fff_ffff),
        ("launch_start", start as u64),
    ] {
        cycle.set(name, value);
    }
}
