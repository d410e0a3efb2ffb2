//! Where random decisions come from: from a seed, or from the decisions of an earlier time, as in Hypothesis.
//!
//! Whatever is generated depends on nothing but the numbers that [`Choices::below`] returned. So what fails is made smaller by changing these
//! numbers, not the result: a shorter or smaller sequence gives another valid result, and 0 is always the simplest choice.
use std::ops::Range;

use warploom_runtime::kernels::Random;

enum Source {
    Random(Random),
    Replay(std::vec::IntoIter<u32>),
}

/// See the [module documentation](self).
pub struct Choices {
    source: Source,
    made: Vec<u32>,
    spans: Vec<Range<usize>>,
}

impl Choices {
    fn new(source: Source) -> Self {
        Self { source, made: vec![], spans: vec![] }
    }

    /// Decisions that depend on nothing but the seed.
    pub fn random(seed: u64) -> Self {
        Self::new(Source::Random(Random::new(seed)))
    }

    /// The same decisions again; those behind the end are 0.
    pub fn replay(made: Vec<u32>) -> Self {
        Self::new(Source::Replay(made.into_iter()))
    }

    /// A number below `bound`, which is not 0; one that was chosen below a larger bound is cut down.
    pub fn below(&mut self, bound: u32) -> u32 {
        let choice = match &mut self.source {
            Source::Random(random) => random.below(bound),
            Source::Replay(made) => made.next().unwrap_or(0).min(bound - 1),
        };
        self.made.push(choice);
        choice
    }

    /// One of several, the simplest first.
    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }

    /// Decisions so far.
    pub fn count(&self) -> usize {
        self.made.len()
    }

    /// What was decided since there were `start` decisions.
    pub fn since(&self, start: usize) -> Vec<u32> {
        self.made[start..].to_vec()
    }

    /// What was decided since there were `start` decisions can be left out as a whole.
    pub fn end_span(&mut self, start: usize) {
        self.spans.push(start..self.made.len());
    }

    /// The decisions, and which of them can be left out together.
    pub fn into_parts(self) -> (Vec<u32>, Vec<Range<usize>>) {
        (self.made, self.spans)
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn a_replay_is_cut_down_and_goes_on_with_zeros() {
        let mut random = Choices::random(7);
        let first: Vec<u32> = (0..20).map(|_| random.below(100)).collect();
        let mut again = Choices::replay(random.into_parts().0);
        assert_eq!((0..20).map(|_| again.below(100)).collect::<Vec<_>>(), first);
        assert_eq!(again.below(100), 0);
        assert_eq!(Choices::replay(vec![50]).below(8), 7);
    }
}
