//! What the host drives the core's inputs with to load a program and to launch a grid, port by port.
use warploom_hdl::config::CoreConfig;

use super::Launch;
use crate::loader::{Annotation, Program};

/// The ports that take an instruction, in a cycle with `load_enable`.
pub const INSTRUCTION_PORTS: [&str; 9] = [
    "load_word",
    "load_rpc",
    "load_rpc_valid",
    "load_lpc",
    "load_uniform",
    "load_subdividable",
    "load_spin",
    "load_join",
    "load_data_dependent",
];

/// The ports that say what is launched: from the cycle of `launch_start` until the launch has ended.
pub const LAUNCH_PORTS: [&str; 15] = [
    "kernel_entry_pc",
    "kernel_grid_x",
    "kernel_grid_y",
    "kernel_grid_z",
    "kernel_block_x",
    "kernel_block_y",
    "kernel_block_z",
    "kernel_threads_per_cta",
    "kernel_warps_per_cta",
    "kernel_resident_ctas",
    "kernel_arguments",
    "kernel_shared_bytes",
    "kernel_global_limit",
    "kernel_compact",
    "kernel_permute",
];

/// The instruction at `index`, and its annotation, for the [`INSTRUCTION_PORTS`].
pub fn instruction(program: &Program, config: &CoreConfig, index: usize) -> [u64; INSTRUCTION_PORTS.len()] {
    let Annotation { rpc, lpc, uniform, data_dependent, meeting_block, spin, join } = program.annotation(index);
    let short = meeting_block.is_some_and(|instructions| config.divides_before(instructions as usize));
    [
        program.words[index].into(),
        rpc.unwrap_or(0).into(),
        rpc.is_some().into(),
        lpc.unwrap_or(1).into(),
        uniform.into(),
        short.into(),
        spin.into(),
        join.into(),
        data_dependent.into(),
    ]
}

/// What a device was set to, whatever is launched.
#[derive(Clone, Copy, Debug)]
pub struct Switches {
    /// Form warps from threads of several rows, if the core can.
    pub compact: bool,
    /// Permute lanes, if the core can.
    pub permute: bool,
}

/// A launch of `program` on a core before `global_bytes` of memory, for the [`LAUNCH_PORTS`].
pub fn launch(
    launch: &Launch,
    program: &Program,
    config: &CoreConfig,
    global_bytes: usize,
    switches: Switches,
) -> [u64; LAUNCH_PORTS.len()] {
    let [grid_x, grid_y, grid_z] = launch.grid.map(u64::from);
    let [block_x, block_y, block_z] = launch.block.map(u64::from);
    [
        program.entry.into(),
        grid_x,
        grid_y,
        grid_z,
        block_x,
        block_y,
        block_z,
        launch.threads() as u64,
        launch.warps(config) as u64,
        launch.resident_ctas(config) as u64,
        launch.arguments.into(),
        launch.shared_bytes.into(),
        global_bytes as u64,
        switches.compact.into(),
        switches.permute.into(),
    ]
}
