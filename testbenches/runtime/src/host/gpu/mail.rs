//! [`Mail`]: what a core and what all share have for each other, while they may be on different threads.
use std::mem::swap;
use std::sync::{Mutex, MutexGuard};

use super::link::{Down, Lane, Up};
use super::tile::{Seen, Tile};

/// By whether the number of a round is odd: what waits at its beginning. What is put into the links in a round waits at the beginning of the next, when what waited for it has been taken.
pub(super) struct Mail {
    up: [Mutex<FromCore>; 2],
    down: [Mutex<Vec<Down>>; 2],
}

/// What a core has put into its link in a round, and what was seen of it.
struct FromCore {
    lanes: Vec<Up>,
    seen: Seen,
}

/// What only one thread needs at a time.
pub(super) fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().expect("no part panics")
}

impl Mail {
    /// Of rounds of so many cycles.
    pub fn new(cycles: usize) -> Self {
        let up = || Mutex::new(FromCore { lanes: vec![Lane::default(); cycles], seen: Seen::default() });
        let down = || Mutex::new(vec![Lane::default(); cycles]);
        Self { up: [up(), up()], down: [down(), down()] }
    }

    fn up(&self, round: u64) -> MutexGuard<'_, FromCore> {
        locked(&self.up[(round % 2) as usize])
    }

    fn down(&self, round: u64) -> MutexGuard<'_, Vec<Down>> {
        locked(&self.down[(round % 2) as usize])
    }

    /// What waits at the beginning of this round is exchanged with what a core and the others have before it.
    pub fn exchange<E>(&self, round: u64, tile: &mut Tile<E>, came: &mut Vec<Up>) {
        swap(&mut tile.came, &mut self.down(round));
        let mut up = self.up(round);
        swap(came, &mut up.lanes);
        up.seen = tile.seen;
    }

    /// At the beginning of a round: what comes from the core; what was seen of it.
    pub fn come_up(&self, round: u64, came: &mut Vec<Up>) -> Seen {
        let mut up = self.up(round);
        swap(came, &mut up.lanes);
        up.seen
    }

    /// At its end: what goes to the core.
    pub fn go_down(&self, round: u64, goes: &mut Vec<Down>) {
        swap(goes, &mut self.down(round + 1));
    }

    /// At the beginning of a round: what comes to the core.
    pub fn come_down<E>(&self, round: u64, tile: &mut Tile<E>) {
        swap(&mut tile.came, &mut self.down(round));
    }

    /// At its end: what goes from the core.
    pub fn go_up<E>(&self, round: u64, tile: &mut Tile<E>) {
        let mut up = self.up(round + 1);
        swap(&mut tile.goes, &mut up.lanes);
        up.seen = tile.seen;
    }
}
