//! The parts of a GPU that are simulated apart, and the rounds after which they exchange what went over their links.
//!
//! A link has k registers in each direction. What enters it in a round of k cycles leaves it in the next, so a part needs nothing of the others for a round: the parts are simulated one by one, or at
//! once on several [threads](Crew), and the result is, bit for bit, that of all of them in step.
use std::mem::swap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Simulator};

use super::crew::{Crew, HUB};
use super::mail::{Mail, locked};
use super::shared::{Shared, SharedState};
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

/// The cores, and what they share.
pub(super) struct Parts<E> {
    pub shared: Shared<E>,
    pub tiles: Vec<Tile<E>>,
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
    pub shared: &'a mut Shared<E>,
}

impl<E: Engine + Send> Parts<E> {
    pub fn new(shared: Shared<E>, tiles: Vec<Tile<E>>, round: usize) -> Self {
        Self { shared, tiles, program: Program::empty(), threads: 1, round }
    }

    /// After so many cycles.
    pub fn progress(&mut self, now: u64) -> Progress<'_, E> {
        let seen = self.tiles.iter().map(|tile| tile.seen).collect();
        Progress { now, seen, shared: &mut self.shared }
    }

    /// What went over the links in a round is there in the next.
    fn exchange(&mut self) {
        for (number, tile) in self.tiles.iter_mut().enumerate() {
            swap(&mut tile.goes, &mut self.shared.came[number]);
            swap(&mut tile.came, &mut self.shared.goes[number]);
        }
    }

    /// One round, one part after the other. `observe` sees each cycle of each core.
    pub fn alone(&mut self, command: Command, cycle: u64, observe: &mut dyn FnMut(usize, &E, u64)) {
        self.shared.round(command, self.round);
        for (number, tile) in self.tiles.iter_mut().enumerate() {
            let mut of_core = |engine: &E, cycle| observe(number, engine, cycle);
            tile.round(command, &self.program, cycle, &mut of_core);
        }
        self.exchange();
    }

    /// Rounds on as many threads as there are parts for. Before each, `between` is asked whether it is the last one. Returns how many cycles have passed behind that.
    pub fn together(&mut self, first: u64, between: impl Fn(&mut Progress<E>) -> ControlFlow<()> + Sync) -> u64 {
        let Self { shared, tiles, program, threads, round } = self;
        let mails: Vec<Mail> = tiles.iter().map(|_| Mail::new(*round)).collect();
        let exchange = |number: u64, shared: &mut Shared<E>, tiles: &mut [Tile<E>]| {
            let parts = tiles.iter_mut().zip(&mut shared.came);
            mails.iter().zip(parts).for_each(|(mail, (tile, came))| mail.exchange(number, tile, came));
        };
        exchange(0, shared, tiles);
        let crew = Crew::new(tiles.len() + 1, (*threads).min(tiles.len() + 1));
        let (hub, spokes): (_, Vec<_>) = (Mutex::new(&mut *shared), tiles.iter_mut().map(Mutex::new).collect());
        let rounds = crew.run(&|part, number| {
            let now = first + number * *round as u64;
            if part == HUB {
                let mut shared = locked(&hub);
                let came = mails.iter().zip(&mut shared.came);
                let seen = came.map(|(mail, came)| mail.come_up(number, came)).collect();
                let is_last = between(&mut Progress { now, seen, shared: &mut shared });
                shared.round(Command::Run, *round);
                mails.iter().zip(&mut shared.goes).for_each(|(mail, goes)| mail.go_down(number, goes));
                return is_last;
            }
            let (mut tile, mail) = (locked(&spokes[part - 1]), &mails[part - 1]);
            mail.come_down(number, &mut tile);
            tile.round(Command::Run, program, now, &mut |_, _| ());
            mail.go_up(number, &mut tile);
            ControlFlow::Continue(())
        });
        drop((hub, spokes));
        exchange(rounds, shared, tiles);
        first + rounds * *round as u64
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
        let core = self.tiles.first().map(|tile| tile.core.engine.fingerprint());
        fingerprint(&(core, self.shared.fingerprint()))
    }

    pub fn save(&self) -> PartsState {
        PartsState { shared: self.shared.save(), tiles: self.tiles.iter().map(Tile::save).collect() }
    }

    /// # Errors
    /// If it is of other parts.
    pub fn restore(&mut self, state: PartsState, system: &SystemConfig) -> Result<(), CheckpointError> {
        let fits = self.shared.fits(&state.shared, system)
            && self.tiles.len() == state.tiles.len()
            && self.tiles.iter().zip(&state.tiles).all(|(tile, state)| tile.fits(state));
        if !fits {
            return Err(CheckpointError::Parts);
        }
        self.shared.restore(state.shared)?;
        self.tiles.iter_mut().zip(state.tiles).try_for_each(|(tile, state)| tile.restore(state))?;
        Ok(())
    }
}
