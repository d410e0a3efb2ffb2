//! The parts of a GPU that are simulated apart, and the rounds after which they exchange what went over their links.
//!
//! A link has k registers in each direction. What enters it in a round of k cycles leaves it in the next, so a part needs nothing of the others for a round: the parts are simulated one by one, or at
//! once on several [threads](Crew), and the result is, bit for bit, that of all of them in step.
use std::ops::ControlFlow;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Simulator};

use super::crew::{Crew, HUB};
use super::interconnect::{Interconnect, InterconnectState};
use super::link::End;
use super::mail::{Mail, locked};
use super::memory::{GpuMemory, MemoryState};
use super::partition::{Condition, Partition, PartitionState};
use super::tile::{Seen, Tile, TileState};
use crate::host::CheckpointError;
use crate::host::history::fingerprint;
use crate::loader::Program;

/// What the cores are told in the cycles of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Run,
    /// Reset, in the first.
    Reset,
    /// Instructions of the program, one in each, from this on.
    Load(usize),
    /// A launch begins, in the first.
    Launch,
}

/// The interconnect, and what is linked to it: cores, and memory partitions.
pub(super) struct Parts<E> {
    pub interconnect: Interconnect<E>,
    pub tiles: Vec<Tile<E>>,
    pub partitions: Vec<Partition<E>>,
    /// In the DRAM of the partitions.
    pub memory: Mutex<GpuMemory>,
    pub program: Program,
    pub threads: usize,
    round: usize,
}

/// What is known of a launch between two rounds.
pub(super) struct Progress<'a, E> {
    /// Cycles that have passed.
    pub now: u64,
    /// By core.
    pub seen: Vec<Seen>,
    /// By channel.
    pub conditions: Vec<Condition>,
    pub interconnect: &'a mut Interconnect<E>,
}

impl<E: Engine + Send> Parts<E> {
    /// # Panics
    /// If there are not as many as `system` says.
    pub fn new(
        interconnect: Interconnect<E>,
        tiles: Vec<Tile<E>>,
        partitions: Vec<Partition<E>>,
        memory: GpuMemory,
        system: &SystemConfig,
    ) -> Self {
        assert_eq!((tiles.len(), partitions.len()), (system.cores, system.channels), "as many cores and channels");
        let (memory, round) = (Mutex::new(memory), system.link_cycles);
        Self { interconnect, tiles, partitions, memory, program: Program::empty(), threads: 1, round }
    }

    /// What is in DRAM.
    ///
    /// # Panics
    /// If a thread has.
    pub fn memory(&mut self) -> &mut GpuMemory {
        self.memory.get_mut().expect("no part panics")
    }

    /// After so many cycles.
    pub fn progress(&mut self, now: u64) -> Progress<'_, E> {
        let seen = self.tiles.iter().map(|tile| tile.seen).collect();
        let conditions = self.partitions.iter().map(Partition::condition).collect();
        Progress { now, seen, conditions, interconnect: &mut self.interconnect }
    }

    /// What went over the links in a round is there in the next.
    fn exchange(&mut self) {
        fn deliver<U, D>(here: &mut End<U, D>, there: &mut End<D, U>) {
            here.came.extend(there.goes.drain(..));
            there.came.extend(here.goes.drain(..));
        }
        let Interconnect { cores, slices, .. } = &mut self.interconnect;
        cores.iter_mut().zip(&mut self.tiles).for_each(|(end, tile)| deliver(end, &mut tile.end));
        slices.iter_mut().zip(&mut self.partitions).for_each(|(end, partition)| deliver(end, &mut partition.end));
    }

    /// One round, one part after the other. `observe` sees each cycle of each core.
    pub fn alone(&mut self, command: Command, cycle: u64, observe: &mut dyn FnMut(usize, &E, u64)) {
        self.interconnect.round(command, self.round);
        for (number, tile) in self.tiles.iter_mut().enumerate() {
            let mut of_core = |engine: &E, cycle| observe(number, engine, cycle);
            tile.round(command, &self.program, cycle, self.round, &mut of_core);
        }
        self.partitions.iter_mut().for_each(|partition| partition.round(command, self.round, &self.memory));
        self.exchange();
    }

    /// Rounds on as many threads as there are parts for. Before each, `between` is asked whether it is the last one. Returns how many cycles have passed behind that.
    pub fn together(&mut self, first: u64, between: impl Fn(&mut Progress<E>) -> ControlFlow<()> + Sync) -> u64 {
        let Self { interconnect, tiles, partitions, memory, program, threads, round } = self;
        let of_tiles: Vec<_> = tiles.iter().map(|tile| Mail::new(tile.seen)).collect();
        let of_partitions: Vec<_> = partitions.iter().map(|partition| Mail::new(partition.condition())).collect();
        let parts = 1 + tiles.len() + partitions.len();
        let crew = Crew::new(parts, (*threads).min(parts));
        let hub = Mutex::new(&mut *interconnect);
        let tiles: Vec<_> = tiles.iter_mut().map(Mutex::new).collect();
        let partitions: Vec<_> = partitions.iter_mut().map(Mutex::new).collect();
        let rounds = crew.run(&|part, number| {
            let now = first + number * *round as u64;
            if part == HUB {
                let interconnect = &mut **locked(&hub);
                let cores = of_tiles.iter().zip(&mut interconnect.cores);
                let seen = cores.map(|(mail, end)| mail.come_up(number, end)).collect();
                let slices = of_partitions.iter().zip(&mut interconnect.slices);
                let conditions = slices.map(|(mail, end)| mail.come_up(number, end)).collect();
                let is_last = between(&mut Progress { now, seen, conditions, interconnect });
                interconnect.round(Command::Run, *round);
                let cores = of_tiles.iter().zip(&mut interconnect.cores);
                cores.for_each(|(mail, end)| mail.go_down(number, end));
                let slices = of_partitions.iter().zip(&mut interconnect.slices);
                slices.for_each(|(mail, end)| mail.go_down(number, end));
                return is_last;
            }
            let spoke = part - 1;
            if let Some(tile) = tiles.get(spoke) {
                let (mut tile, mail) = (locked(tile), &of_tiles[spoke]);
                mail.come_down(number, &mut tile.end);
                tile.round(Command::Run, program, now, *round, &mut |_, _| ());
                let seen = tile.seen;
                mail.go_up(number, &mut tile.end, seen);
            } else {
                let channel = spoke - tiles.len();
                let (mut partition, mail) = (locked(&partitions[channel]), &of_partitions[channel]);
                mail.come_down(number, &mut partition.end);
                partition.round(Command::Run, *round, memory);
                let condition = partition.condition();
                mail.go_up(number, &mut partition.end, condition);
            }
            ControlFlow::Continue(())
        });
        let interconnect = hub.into_inner().expect("no part panics");
        for ((mail, here), tile) in of_tiles.iter().zip(&mut interconnect.cores).zip(&tiles) {
            mail.come_up(rounds, here);
            mail.come_down(rounds, &mut locked(tile).end);
        }
        for ((mail, here), partition) in of_partitions.iter().zip(&mut interconnect.slices).zip(&partitions) {
            mail.come_up(rounds, here);
            mail.come_down(rounds, &mut locked(partition).end);
        }
        first + rounds * *round as u64
    }
}

/// All parts between two rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartsState {
    interconnect: InterconnectState,
    tiles: Vec<TileState>,
    partitions: Vec<PartitionState>,
    memory: MemoryState,
}

impl Parts<Simulator> {
    /// Of the netlists of which they are.
    pub fn fingerprint(&self) -> u64 {
        let core = self.tiles.first().map(|tile| tile.core.engine.fingerprint());
        let partition = self.partitions.first().map(|partition| partition.engine.fingerprint());
        fingerprint(&(core, self.interconnect.engine.fingerprint(), partition))
    }

    pub fn save(&self) -> PartsState {
        PartsState {
            interconnect: self.interconnect.save(),
            tiles: self.tiles.iter().map(Tile::save).collect(),
            partitions: self.partitions.iter().map(Partition::save).collect(),
            memory: locked(&self.memory).save(),
        }
    }

    /// # Errors
    /// If it is of other parts.
    pub fn restore(&mut self, state: PartsState, system: &SystemConfig) -> Result<(), CheckpointError> {
        let fits = self.interconnect.fits(&state.interconnect, system)
            && self.memory().fits(&state.memory)
            && self.tiles.len() == state.tiles.len()
            && self.tiles.iter().zip(&state.tiles).all(|(tile, state)| tile.fits(state))
            && self.partitions.len() == state.partitions.len()
            && self.partitions.iter().zip(&state.partitions).all(|(partition, state)| partition.fits(state, system));
        if !fits {
            return Err(CheckpointError::Parts);
        }
        self.memory().restore(&state.memory);
        self.interconnect.restore(state.interconnect)?;
        self.tiles.iter_mut().zip(state.tiles).try_for_each(|(tile, state)| tile.restore(state))?;
        let mut partitions = self.partitions.iter_mut().zip(state.partitions);
        partitions.try_for_each(|(partition, state)| partition.restore(state))?;
        Ok(())
    }
}
