//! What the cores share, with DRAM behind its pins, and the host as one who asks for memory.
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::{CHANNEL_COUNTERS, ChannelConfig, DramCommand};
use warploom_hdl::memory_system::l2::L2_COUNTERS;
use warploom_sim::{Engine, Port, RestoreError, Simulator, State};

use super::counts::ChannelCounts;
use super::host_port::HostPort;
use super::link::{Down, Lane, Up};
use super::memory::{GpuMemory, MemoryState};
use super::parts::Command;
use super::ports::{FlitPorts, GrantPorts, port};
use crate::host::DEFAULT_GLOBAL_BYTES;
use crate::host::dram::{DramArray, DramPins, Violation};

/// The pins of a channel.
struct BusPorts {
    /// Command, bank, row, column.
    command: [Port; 4],
    data: Vec<Port>,
    mask: Vec<Port>,
    read_data: Vec<Port>,
}

/// All of it between two rounds. What it has put into the links is with the tiles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SharedState {
    engine: State,
    memory: MemoryState,
    host: HostPort,
    came: Vec<Vec<Up>>,
    to_host: Vec<Down>,
    from_host: Vec<Up>,
    arrays: Vec<DramArray>,
}

pub(super) struct Shared<E> {
    pub engine: E,
    pub memory: GpuMemory,
    pub host: HostPort,
    /// What comes out of the link of each core in the cycles of a round, and what goes into the other.
    pub came: Vec<Vec<Up>>,
    pub goes: Vec<Vec<Down>>,
    /// A command that DRAM did not allow.
    pub violation: Option<Violation>,
    /// Between the host and the network: what is under way.
    to_host: Vec<Down>,
    from_host: Vec<Up>,
    reset: Port,
    launch_start: Port,
    grid: [Port; 3],
    flush: Port,
    flushed: Port,
    core_tick: Port,
    dram_tick: Port,
    links: Vec<FlitPorts>,
    reply_links: Vec<FlitPorts>,
    credit: Port,
    reply_credit: Port,
    cta_request: Port,
    grants: Vec<GrantPorts>,
    buses: Vec<BusPorts>,
    l2_counters: Vec<Port>,
    dram_counters: Vec<Port>,
    dram: ChannelConfig,
    arrays: Vec<DramArray>,
}

impl<E: Engine> Shared<E> {
    /// `engine` simulates what `system` describes, of cores of this configuration.
    pub fn new(engine: E, config: &CoreConfig, system: &SystemConfig) -> Self {
        let port = |name: &str| port(&engine, name);
        let numbered = |name: &str, count: usize| (0..count).map(|i| port(&format!("{name}[{i}]"))).collect::<Vec<_>>();
        let flits =
            |name: &str| (0..system.ports()).map(|i| FlitPorts::new(&engine, name, &format!("[{i}]"))).collect();
        let beat = system.dram.beat_words();
        let read_data = numbered("read_data", system.channels * beat);
        let bus = |channel: usize| BusPorts {
            command: ["command", "bank", "row", "column"].map(|field| port(&format!("bus_{field}[{channel}]"))),
            data: numbered(&format!("bus_data[{channel}]"), beat),
            mask: numbered(&format!("bus_mask[{channel}]"), beat),
            read_data: read_data[channel * beat..(channel + 1) * beat].to_vec(),
        };
        Self {
            memory: GpuMemory::new(DEFAULT_GLOBAL_BYTES, config, system),
            host: HostPort::new(system),
            came: vec![vec![Lane::default(); system.link_cycles]; system.cores],
            goes: vec![vec![Lane::default(); system.link_cycles]; system.cores],
            violation: None,
            to_host: vec![Lane::default(); system.link_cycles],
            from_host: vec![Lane::default(); system.link_cycles],
            reset: port("reset"),
            launch_start: port("launch_start"),
            grid: ["grid_x", "grid_y", "grid_z"].map(port),
            flush: port("flush"),
            flushed: port("flushed"),
            core_tick: port("core_tick"),
            dram_tick: port("dram_tick"),
            links: flits("link"),
            reply_links: flits("reply_link"),
            credit: port("credit"),
            reply_credit: port("reply_credit"),
            cta_request: port("cta_request"),
            grants: (0..system.cores).map(|i| GrantPorts::new(&engine, i)).collect(),
            buses: (0..system.channels).map(bus).collect(),
            l2_counters: numbered("l2_counter", system.channels * L2_COUNTERS.len()),
            dram_counters: numbered("dram_counter", system.channels * CHANNEL_COUNTERS.len()),
            dram: system.dram.clone(),
            arrays: (0..system.channels).map(|_| DramArray::new(&system.dram)).collect(),
            engine,
        }
    }

    /// Nothing is under way any more. DRAM is as after power-up, but for what is in it: its controllers are going to be reset.
    pub fn clear(&mut self, system: &SystemConfig) {
        self.arrays.fill_with(|| DramArray::new(&self.dram));
        self.host = HostPort::new(system);
        self.came.iter_mut().for_each(|lanes| lanes.fill(Lane::default()));
        self.goes.iter_mut().for_each(|lanes| lanes.fill(Lane::default()));
        self.to_host.fill(Lane::default());
        self.from_host.fill(Lane::default());
        self.violation = None;
    }

    /// The next launch has so many CTAs.
    pub fn configure(&mut self, grid: [u32; 3]) {
        for (port, value) in self.grid.into_iter().zip(grid) {
            self.engine.set(port, value.into());
        }
    }

    /// Whether from the next cycle on lines of L2 are written to DRAM.
    pub fn set_flush(&mut self, on: bool) {
        self.engine.set(self.flush, on.into());
    }

    /// They all have been.
    pub fn is_flushed(&self) -> bool {
        self.engine.get(self.flushed) == 1
    }

    /// So many cycles of the cores.
    pub fn round(&mut self, command: Command, cycles: usize) {
        if command == Command::Reset {
            // No clock ticks in a reset, so that this is all of the first cycle.
            self.engine.set(self.reset, 1);
            self.engine.step();
            self.engine.set(self.reset, 0);
            self.goes.iter_mut().for_each(|lanes| lanes[0] = Lane::default());
        }
        for cycle in usize::from(command == Command::Reset)..cycles {
            self.engine.set(self.launch_start, (command == Command::Launch && cycle == 0).into());
            self.cycle(cycle);
        }
    }

    /// A cycle of the cores, and as many of the rest as pass with it.
    fn cycle(&mut self, cycle: usize) {
        let (mut credits, mut requests) = (0, 0);
        let came = self.came.iter().chain([&self.from_host]).map(|lanes| &lanes[cycle]);
        for (number, (port, Lane { flit, credit, cta })) in self.links.iter().zip(came).enumerate() {
            port.set(&mut self.engine, flit);
            credits |= u64::from(*credit) << number;
            requests |= u64::from(*cta) << number;
        }
        self.engine.set(self.reply_credit, credits);
        self.engine.set(self.cta_request, requests);
        loop {
            self.step();
            if self.engine.get(self.core_tick) == 1 {
                break;
            }
        }
        let credits = self.engine.get(self.credit);
        let credit = |number: usize| credits >> number & 1 == 1;
        for (number, goes) in self.goes.iter_mut().enumerate() {
            let flit = self.reply_links[number].get(&self.engine);
            goes[cycle] = Lane { flit, credit: credit(number), cta: self.grants[number].get(&self.engine) };
        }
        // The host's link is as long as those of the cores, so that it fits in a round, too.
        let host = self.goes.len();
        let came = self.to_host[cycle];
        let flit = self.reply_links[host].get(&self.engine);
        self.to_host[cycle] = Lane { flit, credit: credit(host), cta: None };
        self.from_host[cycle] = self.host.cycle(&came.flit, came.credit);
    }

    /// A cycle of the clock of the fastest part.
    fn step(&mut self) {
        for (array, bus) in self.arrays.iter().zip(&self.buses) {
            for (port, word) in bus.read_data.iter().zip(array.drives().into_iter().flatten()) {
                self.engine.set(*port, (*word).into());
            }
        }
        self.engine.step();
        if self.engine.get(self.dram_tick) == 0 {
            return;
        }
        for (channel, (array, bus)) in self.arrays.iter_mut().zip(&self.buses).enumerate() {
            let [command, bank, row, column] = bus.command.map(|port| self.engine.get(port) as usize);
            let (mut data, mut mask) = (vec![], vec![]);
            if array.takes_data() {
                data.extend(bus.data.iter().map(|port| self.engine.get(*port) as u32));
                mask.extend(bus.mask.iter().map(|port| self.engine.get(*port) as u8));
            }
            let pins = DramPins { command: DramCommand::VARIANTS[command], bank, row, column, data, mask };
            if let Err(violation) = array.clock(&pins, &mut self.memory.of_channel(channel)) {
                self.violation.get_or_insert(violation);
            }
        }
    }

    /// Of each channel and its slice.
    pub fn counters(&self, system: &SystemConfig) -> Vec<ChannelCounts> {
        let read = |ports: &[Port]| ports.iter().map(|port| self.engine.get(*port)).collect();
        let l2 = self.l2_counters.chunks(L2_COUNTERS.len());
        let channels = l2.zip(self.dram_counters.chunks(CHANNEL_COUNTERS.len()));
        channels.map(|(l2, dram)| ChannelCounts::new(read(l2), read(dram), system)).collect()
    }
}

impl Shared<Simulator> {
    /// Of its netlist.
    pub fn fingerprint(&self) -> u64 {
        self.engine.fingerprint()
    }

    pub fn save(&self) -> SharedState {
        SharedState {
            engine: self.engine.save(),
            memory: self.memory.save(),
            host: self.host.clone(),
            came: self.came.clone(),
            to_host: self.to_host.clone(),
            from_host: self.from_host.clone(),
            arrays: self.arrays.clone(),
        }
    }

    /// Whether this can be restored, as far as it is not of the engine.
    pub fn fits(&self, state: &SharedState, system: &SystemConfig) -> bool {
        let lanes = |came: &[Vec<Up>]| came.iter().map(Vec::len).collect::<Vec<_>>();
        self.memory.fits(&state.memory)
            && state.host.is_of(system)
            && lanes(&self.came) == lanes(&state.came)
            && [state.to_host.len(), state.from_host.len()] == [self.to_host.len(), self.from_host.len()]
            && state.arrays.len() == self.arrays.len()
            && state.arrays.iter().all(|array| array.is_of(&system.dram))
    }

    pub fn restore(&mut self, state: SharedState) -> Result<(), RestoreError> {
        self.engine.restore(&state.engine)?;
        self.memory.restore(&state.memory);
        self.host = state.host;
        self.came = state.came;
        self.to_host = state.to_host;
        self.from_host = state.from_host;
        self.arrays = state.arrays;
        self.violation = None;
        Ok(())
    }
}
