//! [`Crew`]: threads that share the rounds of a hub and its spokes.
//!
//! ```text
//!               round 0   round 1   round 2        A round of the hub needs the round before of each spoke,
//!     hub      --[ 0 ]-----[ 1 ]-----[ 2 ]--       a round of a spoke that of the hub and its own: nobody
//!               \  /  \ /  \  /  \ /  \  /         waits for all to be at the same place, and a spoke may be
//!     spoke 0  --[ 0 ]-----[ 1 ]-----[ 2 ]--       one round before another.
//!     spoke 1  --[ 0 ]-----[ 1 ]-----[ 2 ]--
//! ```
use std::hint::spin_loop;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

/// The part that all others exchange with.
pub(super) const HUB: usize = 0;

/// What the threads share. They wait awake: a round takes less time than it takes to wake a thread.
pub(super) struct Crew {
    members: usize,
    /// The hub, and behind it the spokes.
    parts: Vec<Part>,
    /// Rounds in all, as soon as it is known.
    end: AtomicU64,
    has_panicked: AtomicBool,
}

/// How far a part is.
struct Part {
    /// Rounds that have ended: what others wait for.
    done: Line<AtomicU64>,
    claim: Line<Claim>,
}

/// Who does the next round of a part: of interest to its owner, and to who looks for more to do.
struct Claim {
    /// Rounds that a thread has begun.
    taken: AtomicU64,
    /// The thread that has its state in the cache of its processor.
    owner: AtomicUsize,
}

/// In cache lines of its own, which go from processor to processor.
#[repr(align(128))]
struct Line<T>(T);

/// Looks for work in vain, in a row, after which a thread takes a part of another: to move its state costs something, to wait costs more.
const LOOKS_ALONE: u64 = 4;
/// Looks in a row before it lets others run.
const LOOKS: u64 = 10_000;

impl Crew {
    /// For so many parts, the hub among them, of so many threads.
    pub fn new(parts: usize, members: usize) -> Self {
        let claim = |part| Claim { taken: AtomicU64::new(0), owner: AtomicUsize::new(part % members) };
        let part = |part| Part { done: Line(AtomicU64::new(0)), claim: Line(claim(part)) };
        Self {
            members,
            parts: (0..parts).map(part).collect(),
            end: AtomicU64::new(u64::MAX),
            has_panicked: AtomicBool::new(false),
        }
    }

    /// All of them do `work` of parts and rounds until it breaks, as that of the hub may: this round is the last one, of all parts. Returns how many there were.
    pub fn run(&self, work: &(impl Fn(usize, u64) -> ControlFlow<()> + Sync)) -> u64 {
        thread::scope(|scope| {
            for member in 1..self.members {
                scope.spawn(move || self.join(member, work));
            }
            self.join(0, work);
        });
        self.end.load(Ordering::Acquire)
    }

    fn join(&self, member: usize, work: &impl Fn(usize, u64) -> ControlFlow<()>) {
        let mut looks = 0;
        while !self.is_over() {
            let Some((part, round)) = self.take(member, looks >= LOOKS_ALONE) else {
                looks += 1;
                if looks < LOOKS {
                    spin_loop()
                } else {
                    thread::yield_now()
                }
                continue;
            };
            looks = 0;
            let _panics = Panics(&self.has_panicked);
            if work(part, round).is_break() {
                self.end.store(round + 1, Ordering::Release);
            }
            self.parts[part].done.0.store(round + 1, Ordering::Release);
        }
    }

    /// Whether nothing is left to do. While nobody knows how many rounds there are, it reads nothing that changes.
    fn is_over(&self) -> bool {
        let end = self.end.load(Ordering::Acquire);
        let is_done = |part: &Part| part.done.0.load(Ordering::Acquire) >= end;
        self.has_panicked.load(Ordering::Acquire) || end < u64::MAX && self.parts.iter().all(is_done)
    }

    /// A round that can begin: the hub's first, which the most wait for. Of what this thread had before, or of `any` part; the hub stays where it is.
    fn take(&self, member: usize, any: bool) -> Option<(usize, u64)> {
        let take = |part: usize| {
            let Claim { taken, owner } = &self.parts[part].claim.0;
            let is_mine = owner.load(Ordering::Relaxed) == member;
            if !is_mine && (!any || part == HUB) {
                return None;
            }
            let round = taken.load(Ordering::Acquire);
            let is_taken = self.is_ready(part, round)
                && taken.compare_exchange(round, round + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok();
            if is_taken && !is_mine {
                owner.store(member, Ordering::Relaxed);
            }
            is_taken.then_some((part, round))
        };
        (0..self.parts.len()).find_map(take)
    }

    fn is_ready(&self, part: usize, round: u64) -> bool {
        let has_done = |part: &Part| part.done.0.load(Ordering::Acquire) >= round;
        let (hub, spokes) = (&self.parts[HUB], &self.parts[HUB + 1..]);
        let others = if part == HUB { spokes.iter().all(has_done) } else { has_done(hub) };
        others && has_done(&self.parts[part]) && round < self.end.load(Ordering::Acquire)
    }
}

/// If a thread panics, the others do not wait for it.
struct Panics<'a>(&'a AtomicBool);

impl Drop for Panics<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::*;

    /// What each part did, as it ended, of so many spokes whose hub ends it all in this round.
    fn seen(spokes: usize, members: usize, last: u64) -> Vec<(usize, u64)> {
        let (crew, seen) = (Crew::new(spokes + 1, members), Mutex::new(vec![]));
        let work = |part: usize, round: u64| {
            seen.lock().unwrap().push((part, round));
            if part == HUB && round == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(crew.run(&work), last + 1);
        seen.into_inner().unwrap()
    }

    #[test]
    fn every_part_does_every_round_once() {
        for members in 1..=4 {
            let mut seen = seen(4, members, 199);
            seen.sort_unstable();
            let all = (0..5).flat_map(|part| (0..200).map(move |round| (part, round)));
            assert_eq!(seen, all.collect::<Vec<_>>(), "{members} threads");
        }
    }

    #[test]
    fn a_round_begins_behind_what_it_needs() {
        let seen = seen(3, 3, 199);
        let place = |part: usize, round: u64| seen.iter().position(|of| *of == (part, round)).unwrap();
        for round in 1..200 {
            for spoke in 1..=3 {
                assert!(place(HUB, round) > place(spoke, round - 1));
                assert!(place(spoke, round) > place(HUB, round - 1));
                assert!(place(spoke, round) > place(spoke, round - 1));
            }
        }
    }

    #[test]
    fn what_a_thread_had_stays_with_it() {
        let crew = Crew::new(5, 2);
        assert_eq!(crew.take(1, false), Some((1, 0)));
        assert_eq!(crew.take(1, false), Some((3, 0)));
        assert_eq!(crew.take(1, false), None);
        assert_eq!(crew.take(1, true), Some((2, 0)), "it has looked for long");
        assert_eq!(crew.take(0, false), Some((HUB, 0)));
        assert_eq!(crew.take(0, false), Some((4, 0)));
        assert_eq!(crew.take(0, false), None);
    }

    #[test]
    fn a_panic_ends_it_for_all() {
        let crew = Crew::new(3, 2);
        let work = |part: usize, round: u64| {
            assert!((part, round) != (1, 7), "as it is to be");
            ControlFlow::Continue(())
        };
        assert!(catch_unwind(AssertUnwindSafe(|| crew.run(&work))).is_err());
    }
}
