//! Handles of the core's ports, looked up once by name.
use warploom_hdl::compaction_counters::COMPACTION_COUNTERS;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory::HAZARD_COUNTERS;
use warploom_hdl::path_counters::PATH_COUNTERS;
use warploom_hdl::performance_counters::{PERFORMANCE_COUNTERS, issue_buckets};
use warploom_hdl::replay::REPLAY_COUNTERS;
use warploom_hdl::sub_warp_counters::SUB_WARP_COUNTERS;
use warploom_hdl::turn_statistics::TURN_COUNTERS;
use warploom_sim::{Engine, Port};

use super::inputs::{INSTRUCTION_PORTS, LAUNCH_PORTS};

macro_rules! ports {
    ($($name:ident),* $(,)?; $($array:ident: $count:expr),* $(,)?; $config:ident) => {
        /// The core's ports; see docs/developer/microarchitecture.md.
        #[allow(missing_docs)]
        pub struct Ports {
            $(pub $name: Port,)*
            $(pub $array: Vec<Port>,)*
            /// Those of [`INSTRUCTION_PORTS`].
            pub instruction: [Port; INSTRUCTION_PORTS.len()],
            /// Those of [`LAUNCH_PORTS`].
            pub launch: [Port; LAUNCH_PORTS.len()],
        }

        impl Ports {
            /// Looks them up.
            ///
            /// # Panics
            /// If the design is not the core that `config` describes.
            pub fn new(engine: &impl Engine, $config: &CoreConfig) -> Self {
                let port = |name: &str| engine.port(name).unwrap_or_else(|| panic!("the core has no port {name}"));
                Self {
                    $($name: port(stringify!($name)),)*
                    $($array: (0..$count).map(|i| port(&format!("{}[{i}]", stringify!($array)))).collect(),)*
                    instruction: INSTRUCTION_PORTS.map(port),
                    launch: LAUNCH_PORTS.map(port),
                }
            }
        }
    };
}

ports! {
    reset, load_enable, load_address, launch_start, kernel_warps_per_cta, kernel_permute, busy,
    request_valid, request_ready, request_kind, request_line, request_id, request_atomic,
    response_valid, response_ready, response_id,
    trap_valid, trap_cause, trap_warp, trap_home_warp, trap_lane, trap_pc, trap_value,
    issue_valid, issue_warp, issue_pc, issue_mask,
    writeback_valid, writeback_warp, writeback_rd, writeback_mask,
    debug_resident, debug_hazards, debug_slot_valid, debug_fetchable, debug_waiting, debug_gathering, debug_memory_idle;
    request_data: config.line_words(),
    request_mask: config.line_words(),
    response_data: config.line_words(),
    issue_home_warps: config.home_warps(),
    writeback_home_warps: config.home_warps(),
    writeback_data: config.lanes,
    counter: PERFORMANCE_COUNTERS.len(),
    counter_issued: issue_buckets(config.lanes),
    compaction_counter: if config.gathers() { COMPACTION_COUNTERS.len() } else { 0 },
    path_counter: if config.paths() > 1 { PATH_COUNTERS.len() } else { 0 },
    turn_counter: if config.takes_turns() { TURN_COUNTERS.len() } else { 0 },
    formation_counter: config.formation_counters(),
    sub_warp_counter: SUB_WARP_COUNTERS.len() * config.of_large_warps(),
    replay_counter: REPLAY_COUNTERS.len() * config.of_replay(),
    hazard_counter: HAZARD_COUNTERS.len() * config.of_hazards();
    config
}
