//! Litmus tests: a few threads, a few words, and which results the order of memory (docs/reference/memory-order.md) allows.
mod program;
mod tests;

pub use program::{Places, WORDS_OF_AN_INSTANCE, program};
pub use tests::{TESTS, Test};

/// What a thread does. Words and results are numbered; a result belongs to one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Stores 1 to 7 to a word.
    Store(u32, u32),
    /// Loads a word: a result.
    Load(u32, usize),
    /// `fence`
    Fence,
    /// Adds to a word; the result is what it was. With `rl`, with `aq`.
    Add {
        /// The word.
        word: u32,
        /// How much.
        value: u32,
        /// What it was.
        result: usize,
        /// `rl`
        release: bool,
        /// `aq`
        acquire: bool,
    },
    /// LR and SC, until it stores the word and 1: the result is what it was.
    Increment(u32, usize),
}

/// Threads of an instance, on four cores at most.
pub const MOST_THREADS: usize = 4;
