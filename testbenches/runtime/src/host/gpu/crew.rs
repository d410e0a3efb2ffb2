//! [`Crew`]: threads that share the parts of each round.
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// What they share. They wait awake: a round takes less time than it takes to wake a thread.
pub(super) struct Crew {
    /// Which round it is, from 1, and the cycles before it.
    round: AtomicUsize,
    cycle: AtomicUsize,
    /// By part: the last round in which somebody has taken it.
    taken: Vec<AtomicUsize>,
    done: AtomicUsize,
    is_over: AtomicBool,
}

/// One of the threads.
pub(super) struct Member<'a> {
    crew: &'a Crew,
    /// The parts as it looks for them: first what it had in the last round, whose state is in the cache of its processor.
    order: Vec<usize>,
}

/// Looks at what another thread changes before this one lets others run.
const LOOKS: usize = 10_000;

fn wait_until(is_so: impl Fn() -> bool) {
    let mut looks = 0;
    while !is_so() {
        looks += 1;
        if looks < LOOKS { spin_loop() } else { thread::yield_now() }
    }
}

impl Crew {
    /// For so many parts.
    pub fn new(parts: usize) -> Self {
        Self {
            round: AtomicUsize::new(0),
            cycle: AtomicUsize::new(0),
            taken: (0..parts).map(|_| AtomicUsize::new(0)).collect(),
            done: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// One of so many, who begins with every so manieth part.
    pub fn member(&self, number: usize, members: usize) -> Member<'_> {
        let mut order: Vec<usize> = (0..self.taken.len()).collect();
        order.sort_by_key(|part| part % members != number);
        Member { crew: self, order }
    }

    /// Sends all home, when it is dropped: also if a thread panics.
    pub fn dismiss_at_end(&self) -> impl Drop + '_ {
        Dismissed(self)
    }
}

impl Member<'_> {
    /// Leads a round: returns when all parts are done.
    pub fn lead(&mut self, cycle: u64, work: &impl Fn(usize, u64)) {
        let crew = self.crew;
        crew.cycle.store(cycle as usize, Ordering::Release);
        crew.done.store(0, Ordering::Release);
        let round = crew.round.fetch_add(1, Ordering::AcqRel) + 1;
        self.take(round, work);
        wait_until(|| crew.done.load(Ordering::Acquire) == crew.taken.len());
    }

    /// Takes parts of every round until it is over.
    pub fn follow(&mut self, work: &impl Fn(usize, u64)) {
        let (crew, mut last) = (self.crew, 0);
        let is_over = || crew.is_over.load(Ordering::Acquire);
        loop {
            wait_until(|| is_over() || crew.round.load(Ordering::Acquire) != last);
            if is_over() {
                return;
            }
            last = crew.round.load(Ordering::Acquire);
            self.take(last, work);
        }
    }

    /// Works on parts until all are taken.
    fn take(&mut self, round: usize, work: &impl Fn(usize, u64)) {
        let mut own = 0;
        for place in 0..self.order.len() {
            let part = self.order[place];
            // Who is late finds all parts of its round taken.
            let take = self.crew.taken[part].compare_exchange(round - 1, round, Ordering::AcqRel, Ordering::Relaxed);
            if take.is_err() {
                continue;
            }
            let _done = Done(&self.crew.done);
            work(part, self.crew.cycle.load(Ordering::Acquire) as u64);
            self.order[own..=place].rotate_right(1);
            own += 1;
        }
    }
}

/// Counts a part as done, also if its thread panics: the others do not wait for it.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

struct Dismissed<'a>(&'a Crew);

impl Drop for Dismissed<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_part_is_done_once_in_every_round() {
        let (parts, rounds, members) = (5, 200, 3);
        let crew = Crew::new(parts);
        let seen = Mutex::new(vec![]);
        let work = |part: usize, cycle: u64| seen.lock().unwrap().push((cycle, part));
        thread::scope(|scope| {
            let _end = crew.dismiss_at_end();
            for number in 1..members {
                let mut member = crew.member(number, members);
                scope.spawn(move || member.follow(&work));
            }
            let mut leader = crew.member(0, members);
            (0..rounds).for_each(|cycle| leader.lead(cycle, &work));
        });
        let mut seen = seen.into_inner().unwrap();
        assert!(seen.is_sorted_by_key(|(cycle, _)| *cycle), "a round begins when the one before is over");
        seen.sort_unstable();
        let all = (0..rounds).flat_map(|cycle| (0..parts).map(move |part| (cycle, part)));
        assert_eq!(seen, all.collect::<Vec<_>>());
    }

    #[test]
    fn what_a_member_had_it_looks_for_first() {
        let crew = Crew::new(5);
        let mut member = crew.member(1, 2);
        assert_eq!(member.order, [1, 3, 0, 2, 4]);
        crew.taken[1].store(1, Ordering::Relaxed);
        member.take(1, &|_, _| ());
        assert_eq!(member.order, [3, 0, 2, 4, 1]);
    }
}
