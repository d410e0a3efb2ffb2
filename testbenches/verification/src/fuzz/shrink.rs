//! Makes a failing case smaller, by its choices: leaves out what can be left out together, then runs of choices, then lowers single ones.
use std::sync::atomic::{AtomicBool, Ordering};

use super::Case;
use crate::random_program::Choices;

/// What a case is made from.
pub struct Shrunk {
    /// The choices.
    pub made: Vec<u32>,
    /// The case.
    pub case: Case,
    /// Cases that were tried.
    pub tried: usize,
}

/// The smallest case found within `budget` tries, or until `stop` is set, that `fails`. `draw` makes a case of choices.
pub fn shrink(
    made: Vec<u32>,
    budget: usize,
    stop: &AtomicBool,
    draw: impl Fn(&mut Choices) -> Option<Case>,
    mut fails: impl FnMut(&Case) -> bool,
) -> Option<Shrunk> {
    let best = Candidate::new(made, &draw)?;
    let mut shrinker = Shrinker { best, draw: &draw, fails: &mut fails, tried: 0, budget, stop };
    loop {
        let before = shrinker.best.size();
        shrinker.leave_out_spans();
        for length in [16, 8, 4, 2, 1] {
            shrinker.leave_out_runs(length);
        }
        shrinker.lower();
        if shrinker.best.size() >= before || shrinker.tried >= budget {
            let Candidate { made, case, .. } = shrinker.best;
            return Some(Shrunk { made, case, tried: shrinker.tried });
        }
    }
}

struct Candidate {
    made: Vec<u32>,
    spans: Vec<std::ops::Range<usize>>,
    case: Case,
}

impl Candidate {
    fn new(made: Vec<u32>, draw: &impl Fn(&mut Choices) -> Option<Case>) -> Option<Self> {
        let mut choices = Choices::replay(made);
        let case = draw(&mut choices)?;
        let (made, spans) = choices.into_parts();
        Some(Self { made, spans, case })
    }

    /// Instructions, threads, choices; then the choices themselves.
    fn size(&self) -> (usize, u32, usize, Vec<u32>) {
        let case = &self.case;
        (case.program.words.len(), case.shape.all_threads(), self.made.len(), self.made.clone())
    }
}

struct Shrinker<'a, D, F> {
    best: Candidate,
    draw: &'a D,
    fails: &'a mut F,
    tried: usize,
    budget: usize,
    stop: &'a AtomicBool,
}

impl<D: Fn(&mut Choices) -> Option<Case>, F: FnMut(&Case) -> bool> Shrinker<'_, D, F> {
    /// Takes the case of these choices if it is smaller and fails; whether it does.
    fn accept(&mut self, made: Vec<u32>) -> bool {
        if self.tried >= self.budget || self.stop.load(Ordering::Relaxed) || made == self.best.made {
            return false;
        }
        let Some(candidate) = Candidate::new(made, self.draw) else { return false };
        if candidate.size() >= self.best.size() {
            return false;
        }
        self.tried += 1;
        let fails = (self.fails)(&candidate.case);
        if fails {
            self.best = candidate;
        }
        fails
    }

    fn without(&self, range: std::ops::Range<usize>) -> Vec<u32> {
        let made = &self.best.made;
        [&made[..range.start.min(made.len())], &made[range.end.min(made.len())..]].concat()
    }

    fn leave_out_spans(&mut self) {
        let mut done = 0;
        loop {
            let mut spans = self.best.spans.clone();
            spans.sort_by_key(|span| std::cmp::Reverse((span.len(), span.start)));
            let Some(span) = spans.get(done).cloned() else { return };
            if !self.accept(self.without(span)) {
                done += 1;
            }
        }
    }

    fn leave_out_runs(&mut self, length: usize) {
        let mut start = self.best.made.len();
        while start > 0 {
            start = start.saturating_sub(1);
            self.accept(self.without(start..start + length));
            start = start.min(self.best.made.len());
        }
    }

    /// Each choice to 0; else down by halves, and by one.
    fn lower(&mut self) {
        let mut index = 0;
        while index < self.best.made.len() {
            let value = self.best.made[index];
            for lower in [0, value / 2, value.saturating_sub(1)] {
                if lower < value && self.best.made.get(index) == Some(&value) {
                    let mut made = self.best.made.clone();
                    made[index] = lower;
                    if self.accept(made) && lower > 0 {
                        // Again from there.
                        index = index.saturating_sub(1);
                    }
                }
            }
            index += 1;
        }
    }
}
