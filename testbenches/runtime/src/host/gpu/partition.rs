//! A memory partition in an engine, with the DRAM behind its pins.
use std::collections::VecDeque;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::{CHANNEL_COUNTERS, ChannelConfig, DramCommand};
use warploom_hdl::memory_system::l2::L2_COUNTERS;
use warploom_sim::{Engine, Port, RestoreError, Simulator, State};

use super::counts::ChannelCounts;
use super::link::{End, Lane};
use super::memory::{GpuMemory, SharedCells};
use super::parts::Command;
use super::ports::{FlitPorts, port};
use crate::host::dram::{DramArray, DramPins, Violation};

/// What was seen of it at the end of a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Condition {
    /// DRAM has all that was dirty in the slice.
    pub flushed: bool,
    /// DRAM did not allow a command.
    pub violated: bool,
}

/// A partition between two rounds. What it has put into its link is with the interconnect.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartitionState {
    engine: State,
    came: VecDeque<Lane>,
    array: DramArray,
}

pub(super) struct Partition<E> {
    pub engine: E,
    /// That of its link.
    pub end: End<Lane, Lane>,
    /// A command that DRAM did not allow.
    pub violation: Option<Violation>,
    channel: usize,
    dram: ChannelConfig,
    array: DramArray,
    reset: Port,
    core_tick: Port,
    network_tick: Port,
    dram_tick: Port,
    link: FlitPorts,
    reply_link: FlitPorts,
    credit: Port,
    reply_credit: Port,
    flush: Port,
    flushed: Port,
    /// Command, bank, row, column.
    command: [Port; 4],
    data: Vec<Port>,
    mask: Vec<Port>,
    read_data: Vec<Port>,
    l2_counters: Vec<Port>,
    dram_counters: Vec<Port>,
}

impl<E: Engine> Partition<E> {
    /// `engine` simulates the one of this channel.
    pub fn new(engine: E, system: &SystemConfig, channel: usize) -> Self {
        let port = |name: &str| port(&engine, name);
        let numbered = |name: &str, count: usize| (0..count).map(|i| port(&format!("{name}[{i}]"))).collect::<Vec<_>>();
        let beat = system.dram.beat_words();
        Self {
            end: End::new(system.slice_link_ticks()),
            violation: None,
            channel,
            dram: system.dram.clone(),
            array: DramArray::new(&system.dram),
            reset: port("reset"),
            core_tick: port("core_tick"),
            network_tick: port("network_tick"),
            dram_tick: port("dram_tick"),
            link: FlitPorts::new(&engine, "link", ""),
            reply_link: FlitPorts::new(&engine, "reply_link", ""),
            credit: port("credit"),
            reply_credit: port("reply_credit"),
            flush: port("flush"),
            flushed: port("flushed"),
            command: ["command", "bank", "row", "column"].map(|field| port(&format!("bus_{field}"))),
            data: numbered("bus_data", beat),
            mask: numbered("bus_mask", beat),
            read_data: numbered("read_data", beat),
            l2_counters: numbered("l2_counter", L2_COUNTERS.len()),
            dram_counters: numbered("dram_counter", CHANNEL_COUNTERS.len()),
            engine,
        }
    }

    /// Nothing is under way any more. DRAM is as after power-up, but for what is in it: its controller is going to be reset.
    pub fn clear(&mut self) {
        self.end.clear();
        self.array = DramArray::new(&self.dram);
        self.violation = None;
        self.set_flush(false);
    }

    /// Whether from the next cycle on lines of L2 are written to DRAM.
    pub fn set_flush(&mut self, on: bool) {
        self.engine.set(self.flush, on.into());
    }

    /// What is seen of it now.
    pub fn condition(&self) -> Condition {
        Condition { flushed: self.engine.get(self.flushed) == 1, violated: self.violation.is_some() }
    }

    /// So many cycles of the cores, and as many of its own as pass with them.
    pub fn round(&mut self, command: Command, cycles: usize, memory: &Mutex<GpuMemory>) {
        let mut passed = 0;
        if command == Command::Reset {
            // No clock ticks in a reset, so that this is all of the first cycle.
            self.engine.set(self.reset, 1);
            self.engine.step();
            self.engine.set(self.reset, 0);
            passed = 1;
        }
        self.show();
        while passed < cycles {
            for (port, word) in self.read_data.iter().zip(self.array.drives().into_iter().flatten()) {
                self.engine.set(*port, (*word).into());
            }
            self.engine.step();
            if self.engine.get(self.dram_tick) == 1 {
                self.clock_dram(memory);
            }
            if self.engine.get(self.network_tick) == 1 {
                let (flit, credit) = (self.reply_link.get(&self.engine), self.engine.get(self.credit) == 1);
                self.end.tick(Lane { flit, credit, cta: () });
                self.show();
            }
            passed += usize::from(self.engine.get(self.core_tick) == 1);
        }
    }

    /// What comes out of the link until the next clock of the networks.
    fn show(&mut self) {
        // Nothing is known of a clock that passes in the next round.
        let Some(Lane { flit, credit, .. }) = self.end.now() else { return };
        self.link.set(&mut self.engine, flit);
        self.engine.set(self.reply_credit, (*credit).into());
    }

    fn clock_dram(&mut self, memory: &Mutex<GpuMemory>) {
        let [command, bank, row, column] = self.command.map(|port| self.engine.get(port) as usize);
        let (mut data, mut mask) = (vec![], vec![]);
        if self.array.takes_data() {
            data.extend(self.data.iter().map(|port| self.engine.get(*port) as u32));
            mask.extend(self.mask.iter().map(|port| self.engine.get(*port) as u8));
        }
        let pins = DramPins { command: DramCommand::VARIANTS[command], bank, row, column, data, mask };
        if let Err(violation) = self.array.clock(&pins, &mut SharedCells { memory, channel: self.channel }) {
            self.violation.get_or_insert(violation);
        }
    }

    /// Of the channel and its slice.
    pub fn counters(&self, system: &SystemConfig) -> ChannelCounts {
        let read = |ports: &[Port]| ports.iter().map(|port| self.engine.get(*port)).collect();
        ChannelCounts::new(read(&self.l2_counters), read(&self.dram_counters), system)
    }
}

impl Partition<Simulator> {
    pub fn save(&self) -> PartitionState {
        PartitionState { engine: self.engine.save(), came: self.end.came.clone(), array: self.array.clone() }
    }

    /// Whether this can be restored, as far as it is not of the engine.
    pub fn fits(&self, state: &PartitionState, system: &SystemConfig) -> bool {
        state.came.len() == self.end.came.len() && state.array.is_of(&system.dram)
    }

    pub fn restore(&mut self, state: PartitionState) -> Result<(), RestoreError> {
        self.engine.restore(&state.engine)?;
        self.end.came = state.came;
        self.array = state.array;
        self.violation = None;
        Ok(())
    }
}
