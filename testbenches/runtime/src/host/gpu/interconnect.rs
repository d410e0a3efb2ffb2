//! The networks, with the links from there to all other parts, and the host as one who asks for memory.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Port, RestoreError, Simulator, State};

use super::host_port::HostPort;
use super::link::{Down, End, Lane, Up};
use super::parts::Command;
use super::ports::{FlitPorts, GrantPorts, port};

/// All of it between two rounds. What it has put into the links is with the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InterconnectState {
    engine: State,
    host: HostPort,
    cores: Vec<VecDeque<Up>>,
    slices: Vec<VecDeque<Lane>>,
    to_host: Vec<Down>,
    from_host: Vec<Up>,
}

pub(super) struct Interconnect<E> {
    pub engine: E,
    pub host: HostPort,
    /// Links to the cores.
    pub cores: Vec<End<Up, Down>>,
    /// Links to the memory partitions.
    pub slices: Vec<End<Lane, Lane>>,
    /// Between the host and the network: what is under way, by cycles of a round.
    to_host: Vec<Down>,
    from_host: Vec<Up>,
    reset: Port,
    launch_start: Port,
    grid: [Port; 3],
    core_tick: Port,
    network_tick: Port,
    links: Vec<FlitPorts>,
    reply_links: Vec<FlitPorts>,
    credit: Port,
    reply_credit: Port,
    slice_links: Vec<FlitPorts>,
    slice_reply_links: Vec<FlitPorts>,
    slice_credit: Port,
    slice_reply_credit: Port,
    cta_request: Port,
    grants: Vec<GrantPorts>,
}

impl<E: Engine> Interconnect<E> {
    /// `engine` simulates that of `system`.
    pub fn new(engine: E, system: &SystemConfig) -> Self {
        let port = |name: &str| port(&engine, name);
        let flits = |name: &str, count: usize| {
            (0..count).map(|i| FlitPorts::new(&engine, name, &format!("[{i}]"))).collect::<Vec<_>>()
        };
        Self {
            host: HostPort::new(system),
            cores: vec![End::new(system.link_cycles); system.cores],
            slices: vec![End::new(system.slice_link_ticks()); system.channels],
            to_host: vec![Lane::default(); system.link_cycles],
            from_host: vec![Lane::default(); system.link_cycles],
            reset: port("reset"),
            launch_start: port("launch_start"),
            grid: ["grid_x", "grid_y", "grid_z"].map(port),
            core_tick: port("core_tick"),
            network_tick: port("network_tick"),
            links: flits("link", system.ports()),
            reply_links: flits("reply_link", system.ports()),
            credit: port("credit"),
            reply_credit: port("reply_credit"),
            slice_links: flits("slice_link", system.channels),
            slice_reply_links: flits("slice_reply_link", system.channels),
            slice_credit: port("slice_credit"),
            slice_reply_credit: port("slice_reply_credit"),
            cta_request: port("cta_request"),
            grants: (0..system.cores).map(|i| GrantPorts::new(&engine, i)).collect(),
            engine,
        }
    }

    /// Nothing is under way any more.
    pub fn clear(&mut self, system: &SystemConfig) {
        self.host = HostPort::new(system);
        self.cores.iter_mut().for_each(End::clear);
        self.slices.iter_mut().for_each(End::clear);
        self.to_host.fill(Lane::default());
        self.from_host.fill(Lane::default());
    }

    /// The next launch has so many CTAs.
    pub fn configure(&mut self, grid: [u32; 3]) {
        for (port, value) in self.grid.into_iter().zip(grid) {
            self.engine.set(port, value.into());
        }
    }

    /// So many cycles of the cores, and as many of the rest as pass with them.
    pub fn round(&mut self, command: Command, cycles: usize) {
        let mut cycle = 0;
        if command == Command::Reset {
            // No clock ticks in a reset, so that this is all of the first cycle.
            self.engine.set(self.reset, 1);
            self.engine.step();
            self.engine.set(self.reset, 0);
            self.cores.iter_mut().for_each(End::tick_in_reset);
            cycle = 1;
        }
        self.engine.set(self.launch_start, (command == Command::Launch).into());
        self.show_cores(cycle);
        self.show_slices();
        while cycle < cycles {
            self.engine.step();
            let (core, network) = (self.engine.get(self.core_tick) == 1, self.engine.get(self.network_tick) == 1);
            if core {
                self.take_cores(cycle);
                self.engine.set(self.launch_start, 0);
                cycle += 1;
            }
            if network {
                self.take_slices();
            }
            if core && cycle < cycles {
                self.show_cores(cycle);
            }
            if network {
                self.show_slices();
            }
        }
    }

    /// What comes out of the links of the cores in this cycle of a round.
    fn show_cores(&mut self, cycle: usize) {
        let (mut credits, mut requests) = (0, 0);
        let came = self.cores.iter().filter_map(End::now).chain(self.from_host.get(cycle));
        for (number, (port, Lane { flit, credit, cta })) in self.links.iter().zip(came).enumerate() {
            port.set(&mut self.engine, flit);
            credits |= u64::from(*credit) << number;
            requests |= u64::from(*cta) << number;
        }
        self.engine.set(self.reply_credit, credits);
        self.engine.set(self.cta_request, requests);
    }

    /// What goes into them.
    fn take_cores(&mut self, cycle: usize) {
        let credits = self.engine.get(self.credit);
        let credit = |number: usize| credits >> number & 1 == 1;
        for (number, end) in self.cores.iter_mut().enumerate() {
            let flit = self.reply_links[number].get(&self.engine);
            end.tick(Lane { flit, credit: credit(number), cta: self.grants[number].get(&self.engine) });
        }
        // The host's link is as long as those of the cores, so that it fits in a round, too.
        let host = self.cores.len();
        let came = self.to_host[cycle];
        let flit = self.reply_links[host].get(&self.engine);
        self.to_host[cycle] = Lane { flit, credit: credit(host), cta: None };
        self.from_host[cycle] = self.host.cycle(&came.flit, came.credit);
    }

    /// What comes out of the links of the partitions until the next clock of the networks.
    fn show_slices(&mut self) {
        let mut credits = 0;
        for (number, (port, end)) in self.slice_reply_links.iter().zip(&self.slices).enumerate() {
            // Nothing is known of a clock that passes in the next round.
            let Some(Lane { flit, credit, .. }) = end.now() else { return };
            port.set(&mut self.engine, flit);
            credits |= u64::from(*credit) << number;
        }
        self.engine.set(self.slice_credit, credits);
    }

    /// What goes into them.
    fn take_slices(&mut self) {
        let credits = self.engine.get(self.slice_reply_credit);
        for (number, end) in self.slices.iter_mut().enumerate() {
            let flit = self.slice_links[number].get(&self.engine);
            end.tick(Lane { flit, credit: credits >> number & 1 == 1, cta: () });
        }
    }
}

impl Interconnect<Simulator> {
    pub fn save(&self) -> InterconnectState {
        InterconnectState {
            engine: self.engine.save(),
            host: self.host.clone(),
            cores: self.cores.iter().map(|end| end.came.clone()).collect(),
            slices: self.slices.iter().map(|end| end.came.clone()).collect(),
            to_host: self.to_host.clone(),
            from_host: self.from_host.clone(),
        }
    }

    /// Whether this can be restored, as far as it is not of the engine.
    pub fn fits(&self, state: &InterconnectState, system: &SystemConfig) -> bool {
        fn are_as_long<C, G>(ends: &[End<C, G>], came: &[VecDeque<C>]) -> bool {
            ends.len() == came.len() && ends.iter().zip(came).all(|(end, came)| end.came.len() == came.len())
        }
        state.host.is_of(system)
            && are_as_long(&self.cores, &state.cores)
            && are_as_long(&self.slices, &state.slices)
            && [state.to_host.len(), state.from_host.len()] == [self.to_host.len(), self.from_host.len()]
    }

    pub fn restore(&mut self, state: InterconnectState) -> Result<(), RestoreError> {
        self.engine.restore(&state.engine)?;
        self.host = state.host;
        self.cores.iter_mut().zip(state.cores).for_each(|(end, came)| end.came = came);
        self.slices.iter_mut().zip(state.slices).for_each(|(end, came)| end.came = came);
        self.to_host = state.to_host;
        self.from_host = state.from_host;
        Ok(())
    }
}
