//! [`DrivenCore`]: a core in an engine, with what drives it and what is read of it.
use warploom_hdl::config::{CoreConfig, Permutation};
use warploom_hdl::interface::TrapCause;
use warploom_hdl::performance_counters::PerformanceCounts;
use warploom_sim::{Engine, Port};

use super::ports::Ports;
use super::run_state::WarpTrace;
use super::trace::logical_lane;
use super::{DeviceError, LaunchStats, Traffic, Trap, inputs};
use crate::loader::Program;

mod watchdog;

/// A core in an engine.
pub(super) struct DrivenCore<E> {
    pub engine: E,
    pub ports: Ports,
    pub config: CoreConfig,
    /// Launches permute lanes, where the core can.
    pub permute: bool,
    /// Where each warp is.
    pub warps: Vec<WarpTrace>,
}

impl<E: Engine> DrivenCore<E> {
    /// `engine` simulates the core that `config` describes.
    pub fn new(engine: E, config: CoreConfig) -> Self {
        let ports = Ports::new(&engine, &config);
        Self { ports, permute: true, warps: vec![WarpTrace::of(&config); config.warps], engine, config }
    }

    pub fn get(&self, port: Port) -> u64 {
        self.engine.get(port)
    }

    pub fn set(&mut self, port: Port, value: u64) {
        self.engine.set(port, value);
    }

    /// The instruction at `index` enters with the next cycle.
    pub fn load(&mut self, program: &Program, index: usize) {
        self.set(self.ports.load_enable, 1);
        self.set(self.ports.load_address, index as u64);
        for (port, value) in self.ports.instruction.into_iter().zip(inputs::instruction(program, &self.config, index)) {
            self.set(port, value);
        }
    }

    /// From the next cycle on a launch is described by these values of the [`LAUNCH_PORTS`](super::inputs::LAUNCH_PORTS), and no warp has begun.
    pub fn configure(&mut self, values: [u64; inputs::LAUNCH_PORTS.len()]) {
        self.warps.fill(WarpTrace::of(&self.config));
        for (port, value) in self.ports.launch.into_iter().zip(values) {
            self.set(port, value);
        }
    }

    /// Number in its warp of the thread that runs in a physical lane of a row.
    fn logical_lane(&self, row: usize, physical: usize) -> usize {
        let kind = if self.permute { self.config.permutation } else { Permutation::None };
        let warp = row % self.get(self.ports.kernel_warps_per_cta) as usize;
        logical_lane(kind, warp, physical, self.config.lanes)
    }

    /// Why it has stopped.
    pub fn trap(&self, program: &Program) -> DeviceError {
        let pc = self.get(self.ports.trap_pc) as u32;
        let row = self.get(self.ports.trap_home_warp) as usize;
        DeviceError::Trap(Box::new(Trap {
            cause: TrapCause::VARIANTS[self.get(self.ports.trap_cause) as usize],
            core: None,
            warp: row,
            lane: self.logical_lane(row, self.get(self.ports.trap_lane) as usize),
            pc,
            place: program.source_place(pc),
            value: self.get(self.ports.trap_value) as u32,
            called: program.calls.get(&pc).copied(),
        }))
    }

    /// What its counters say about all launches so far, a stopped one included.
    pub fn totals(&self) -> LaunchStats {
        let read = |ports: &[Port]| ports.iter().map(|port| self.get(*port)).collect::<Vec<u64>>();
        let Ports {
            counter,
            counter_issued,
            compaction_counter,
            path_counter,
            turn_counter,
            formation_counter,
            sub_warp_counter,
            replay_counter,
            hazard_counter,
            ..
        } = &self.ports;
        LaunchStats {
            counts: PerformanceCounts::of(read(counter)),
            issued: read(counter_issued),
            compaction_counts: read(compaction_counter),
            path_counts: read(path_counter),
            turn_counts: read(turn_counter),
            formation_counts: read(formation_counter),
            sub_warp_counts: read(sub_warp_counter),
            replay_counts: read(replay_counter),
            hazard_counts: read(hazard_counter),
            traffic: Traffic::default(),
        }
    }
}
