//! The parts of a GPU that are simulated apart, and the rounds after which they exchange what went over their links.
//!
//! A link has k registers in each direction. What enters it in a round of k cycles leaves it in the next, so a part needs nothing of the others for a round: the parts are simulated one by one, or at
//! once on several threads, and the result is, bit for bit, that of all of them in step.
use std::mem::swap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};
use std::thread;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Simulator};

use super::crew::Crew;
use super::shared::{Shared, SharedState};
use super::tile::{Tile, TileState};
use crate::host::CheckpointError;
use crate::host::dram::Violation;
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

/// The cores, and what they share.
pub(super) struct Parts<E> {
    pub shared: Mutex<Shared<E>>,
    pub tiles: Vec<Mutex<Tile<E>>>,
    pub program: Program,
    pub threads: usize,
    round: usize,
}

fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().expect("no part panics")
}

impl<E: Engine + Send> Parts<E> {
    pub fn new(shared: Shared<E>, tiles: Vec<Tile<E>>, round: usize) -> Self {
        let tiles = tiles.into_iter().map(Mutex::new).collect();
        Self { shared: Mutex::new(shared), tiles, program: Program::empty(), threads: 1, round }
    }

    pub fn shared(&mut self) -> &mut Shared<E> {
        self.shared.get_mut().expect("no part panics")
    }

    pub fn tiles(&mut self) -> impl Iterator<Item = &mut Tile<E>> {
        self.tiles.iter_mut().map(|tile| tile.get_mut().expect("no part panics"))
    }

    /// Of tile by tile, while others may be at work: between two rounds.
    pub fn each<T>(&self, mut of: impl FnMut(&mut Tile<E>) -> T) -> Vec<T> {
        self.tiles.iter().map(|tile| of(&mut locked(tile))).collect()
    }

    /// A command that DRAM did not allow, if there was one.
    pub fn take_violation(&self) -> Option<Violation> {
        locked(&self.shared).violation.take()
    }

    /// What went over the links in a round is there in the next.
    pub fn exchange(&self) {
        let mut shared = locked(&self.shared);
        for (number, tile) in self.tiles.iter().enumerate() {
            let (mut tile, shared) = (locked(tile), &mut *shared);
            swap(&mut tile.goes, &mut shared.came[number]);
            swap(&mut tile.came, &mut shared.goes[number]);
        }
    }

    /// One round, one part after the other. `observe` sees each cycle of each core.
    pub fn alone(&mut self, command: Command, cycle: u64, observe: &mut dyn FnMut(usize, &E, u64)) {
        locked(&self.shared).round(command, self.round);
        for (number, tile) in self.tiles.iter().enumerate() {
            let mut of_core = |engine: &E, cycle| observe(number, engine, cycle);
            locked(tile).round(command, &self.program, cycle, &mut of_core);
        }
        self.exchange();
    }

    /// Rounds until `between` ends them, which is asked before each, on as many threads as there are parts for; it is told the cycles that have passed.
    pub fn together(&self, mut cycle: u64, mut between: impl FnMut(&Self, u64) -> ControlFlow<()>) {
        let parts = self.tiles.len() + 1;
        let work = |part: usize, cycle: u64| match part.checked_sub(1) {
            None => locked(&self.shared).round(Command::Run, self.round),
            Some(tile) => locked(&self.tiles[tile]).round(Command::Run, &self.program, cycle, &mut |_, _| ()),
        };
        let (crew, members) = (Crew::new(parts), self.threads.min(parts));
        thread::scope(|scope| {
            let _end = crew.dismiss_at_end();
            for number in 1..members {
                let mut member = crew.member(number, members);
                scope.spawn(move || member.follow(&work));
            }
            let mut leader = crew.member(0, members);
            while between(self, cycle).is_continue() {
                leader.lead(cycle, &work);
                self.exchange();
                cycle += self.round as u64;
            }
        });
    }
}

/// All parts between two rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartsState {
    shared: SharedState,
    tiles: Vec<TileState>,
}

impl Parts<Simulator> {
    /// Of the netlists of which they are.
    pub fn fingerprint(&self) -> u64 {
        let core = self.tiles.first().map(|tile| locked(tile).core.engine.fingerprint());
        fingerprint(&(core, locked(&self.shared).fingerprint()))
    }

    pub fn save(&self) -> PartsState {
        PartsState { shared: locked(&self.shared).save(), tiles: self.each(|tile| tile.save()) }
    }

    /// # Errors
    /// If it is of other parts.
    pub fn restore(&mut self, state: PartsState, system: &SystemConfig) -> Result<(), CheckpointError> {
        let fits = self.shared().fits(&state.shared, system)
            && self.tiles.len() == state.tiles.len()
            && self.tiles().zip(&state.tiles).all(|(tile, state)| tile.fits(state));
        if !fits {
            return Err(CheckpointError::Parts);
        }
        self.shared().restore(state.shared)?;
        self.tiles().zip(state.tiles).try_for_each(|(tile, state)| tile.restore(state))?;
        Ok(())
    }
}
