//! What the cores share, in an engine: its ports, and DRAM behind its pins.
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::{CHANNEL_COUNTERS, DramCommand};
use warploom_hdl::memory_system::l2::L2_COUNTERS;
use warploom_sim::{Engine, Port};

use super::link::Flit;
use super::memory::GpuMemory;
use crate::host::dram::{DramArray, DramPins, Violation};

/// The ports of a flit.
pub(super) struct FlitPorts {
    valid: Port,
    head: Port,
    tail: Port,
    destination: Port,
    payload: Vec<Port>,
}

impl FlitPorts {
    /// Of this name, and of this index (`[2]`) if there are several.
    pub fn new(engine: &impl Engine, name: &str, index: &str) -> Self {
        let port = |field: &str| port(engine, &format!("{name}_{field}"));
        let payload = (0..8).map(|word| port(&format!("payload{index}[{word}]"))).collect();
        let port = |field: &str| port(&format!("{field}{index}"));
        Self { valid: port("valid"), head: port("head"), tail: port("tail"), destination: port("destination"), payload }
    }

    /// A flit as it goes out.
    pub fn get(&self, engine: &impl Engine) -> Flit {
        if engine.get(self.valid) == 0 {
            return Flit::default();
        }
        Flit {
            valid: true,
            head: engine.get(self.head) == 1,
            tail: engine.get(self.tail) == 1,
            destination: engine.get(self.destination) as u8,
            payload: std::array::from_fn(|word| engine.get(self.payload[word]) as u32),
        }
    }

    /// A flit comes in.
    pub fn set(&self, engine: &mut impl Engine, flit: &Flit) {
        engine.set(self.valid, flit.valid.into());
        if !flit.valid {
            return;
        }
        engine.set(self.head, flit.head.into());
        engine.set(self.tail, flit.tail.into());
        engine.set(self.destination, flit.destination.into());
        for (port, word) in self.payload.iter().zip(flit.payload) {
            engine.set(*port, word.into());
        }
    }
}

/// A port.
///
/// # Panics
/// If there is none of this name: the design is another one.
pub(super) fn port(engine: &impl Engine, name: &str) -> Port {
    engine.port(name).unwrap_or_else(|| panic!("the design has no port {name}"))
}

/// The pins of a channel.
struct BusPorts {
    /// Command, bank, row, column.
    command: [Port; 4],
    data: Vec<Port>,
    mask: Vec<Port>,
    read_data: Vec<Port>,
}

/// The ports of a grant.
pub(super) struct GrantPorts {
    valid: Port,
    fields: [Port; 4],
}

/// The answer to who has asked for a CTA: none, or which.
pub type Grant = Option<[u32; 4]>;

impl GrantPorts {
    /// Of this number.
    pub fn new(engine: &impl Engine, number: usize) -> Self {
        let port = |field: &str| port(engine, &format!("cta_grant_{field}[{number}]"));
        Self { valid: port("valid"), fields: ["none", "x", "y", "z"].map(port) }
    }

    /// As it goes out.
    pub fn get(&self, engine: &impl Engine) -> Grant {
        (engine.get(self.valid) == 1).then(|| self.fields.map(|field| engine.get(field) as u32))
    }

    /// It comes in.
    pub fn set(&self, engine: &mut impl Engine, grant: &Grant) {
        engine.set(self.valid, grant.is_some().into());
        for (port, value) in self.fields.iter().zip(grant.iter().flatten()) {
            engine.set(*port, (*value).into());
        }
    }
}

/// All that the cores share.
pub(super) struct DrivenUncore<E> {
    pub engine: E,
    pub reset: Port,
    pub launch_start: Port,
    pub grid: [Port; 3],
    pub flush: Port,
    pub flushed: Port,
    pub core_tick: Port,
    dram_tick: Port,
    pub links: Vec<FlitPorts>,
    pub reply_links: Vec<FlitPorts>,
    pub credit: Port,
    pub reply_credit: Port,
    pub cta_request: Port,
    pub grants: Vec<GrantPorts>,
    buses: Vec<BusPorts>,
    l2_counters: Vec<Port>,
    dram_counters: Vec<Port>,
    arrays: Vec<DramArray>,
}

impl<E: Engine> DrivenUncore<E> {
    /// `engine` simulates what `system` describes.
    pub fn new(engine: E, system: &SystemConfig) -> Self {
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
            arrays: (0..system.channels).map(|_| DramArray::new(&system.dram)).collect(),
            engine,
        }
    }

    /// DRAM is as after power-up, but for what is in it: the controllers are going to be reset.
    pub fn reset_memory(&mut self, system: &SystemConfig) {
        self.arrays.fill_with(|| DramArray::new(&system.dram));
    }

    /// A cycle of the clock of the fastest part; whether one of the cores has passed with it.
    ///
    /// # Errors
    /// A command that DRAM does not allow.
    pub fn step(&mut self, memory: &mut GpuMemory) -> Result<bool, Violation> {
        for (array, bus) in self.arrays.iter().zip(&self.buses) {
            for (port, word) in bus.read_data.iter().zip(array.drives().into_iter().flatten()) {
                self.engine.set(*port, (*word).into());
            }
        }
        self.engine.step();
        if self.engine.get(self.dram_tick) == 1 {
            for (channel, (array, bus)) in self.arrays.iter_mut().zip(&self.buses).enumerate() {
                let [command, bank, row, column] = bus.command.map(|port| self.engine.get(port) as usize);
                let data = bus.data.iter().map(|port| self.engine.get(*port) as u32).collect();
                let mask = bus.mask.iter().map(|port| self.engine.get(*port) as u8).collect();
                let pins = DramPins { command: DramCommand::VARIANTS[command], bank, row, column, data, mask };
                array.clock(&pins, &mut memory.of_channel(channel))?;
            }
        }
        Ok(self.engine.get(self.core_tick) == 1)
    }

    /// Counters of the slices, in the order of [`L2_COUNTERS`], and of the channels, in that of [`CHANNEL_COUNTERS`].
    pub fn counters(&self) -> [Vec<Vec<u64>>; 2] {
        let read = |ports: &[Port], count| {
            ports.chunks(count).map(|ports| ports.iter().map(|port| self.engine.get(*port)).collect()).collect()
        };
        [read(&self.l2_counters, L2_COUNTERS.len()), read(&self.dram_counters, CHANNEL_COUNTERS.len())]
    }
}
