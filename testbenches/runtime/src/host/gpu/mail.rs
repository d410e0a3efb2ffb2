//! [`Mail`]: what a part and the interconnect have for each other, while they may be on different threads.
use std::mem::swap;
use std::sync::{Mutex, MutexGuard};

use super::link::End;

/// By whether the number of a round is odd: what waits at its beginning. What is put into a link in a round waits at the beginning of the next, when what waited for it has been taken.
pub(super) struct Mail<Up, Down, Seen> {
    up: [Mutex<FromPart<Up, Seen>>; 2],
    down: [Mutex<Vec<Down>>; 2],
}

/// What a part has put into its link in a round, and what was seen of it.
struct FromPart<Up, Seen> {
    lanes: Vec<Up>,
    seen: Seen,
}

/// What only one thread needs at a time.
///
/// # Panics
/// If another thread has, while it had it.
pub(super) fn locked<T: ?Sized>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().expect("no part panics")
}

impl<Up, Down, Seen: Copy> Mail<Up, Down, Seen> {
    /// Of a part of which this was seen.
    pub fn new(seen: Seen) -> Self {
        let up = || Mutex::new(FromPart { lanes: vec![], seen });
        Self { up: [up(), up()], down: [Mutex::default(), Mutex::default()] }
    }

    fn up(&self, round: u64) -> MutexGuard<'_, FromPart<Up, Seen>> {
        locked(&self.up[(round % 2) as usize])
    }

    fn down(&self, round: u64) -> MutexGuard<'_, Vec<Down>> {
        locked(&self.down[(round % 2) as usize])
    }

    /// At the beginning of a round: what comes from the part; what was seen of it.
    pub fn come_up(&self, round: u64, end: &mut End<Up, Down>) -> Seen {
        let mut up = self.up(round);
        end.came.extend(up.lanes.drain(..));
        up.seen
    }

    /// At its end: what goes to the part.
    pub fn go_down(&self, round: u64, end: &mut End<Up, Down>) {
        swap(&mut end.goes, &mut self.down(round + 1));
    }

    /// At the beginning of a round: what comes to the part.
    pub fn come_down(&self, round: u64, end: &mut End<Down, Up>) {
        end.came.extend(self.down(round).drain(..));
    }

    /// At its end: what goes from the part.
    pub fn go_up(&self, round: u64, end: &mut End<Down, Up>, seen: Seen) {
        let mut up = self.up(round + 1);
        swap(&mut end.goes, &mut up.lanes);
        up.seen = seen;
    }
}
