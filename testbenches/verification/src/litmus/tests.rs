//! The tests.
use super::Step::{self, Add, Fence, Increment, Load, Store};

/// A test.
pub struct Test {
    /// As in the literature, with what is between the accesses.
    pub name: &'static str,
    /// By thread.
    pub threads: &'static [&'static [Step]],
    /// How many there are: results, and behind them the words as they are at the end.
    pub results: usize,
    /// How many words there are.
    pub words: usize,
    /// Whether the order of memory allows this.
    pub allowed: fn(&[u32]) -> bool,
    /// Whether it is allowed, and no interleaving of the threads gives it.
    pub relaxed: fn(&[u32]) -> bool,
}

const fn release(word: u32, value: u32, result: usize) -> Step {
    Add { word, value, result, release: true, acquire: false }
}

const fn acquire(word: u32, value: u32, result: usize) -> Step {
    Add { word, value, result, release: false, acquire: true }
}

const fn plain(word: u32, value: u32, result: usize) -> Step {
    Add { word, value, result, release: false, acquire: false }
}

fn any(_: &[u32]) -> bool {
    true
}

fn none(_: &[u32]) -> bool {
    false
}

/// Message passing: the flag has come and the data have not.
fn message_lost(r: &[u32]) -> bool {
    r[0] == 1 && r[1] == 0
}

/// Store buffering, or load buffering from the other side: nobody has seen the other.
fn both_zero(r: &[u32]) -> bool {
    r[0] == 0 && r[1] == 0
}

fn both_one(r: &[u32]) -> bool {
    r[0] == 1 && r[1] == 1
}

/// IRIW: two readers see two writes in different order.
fn readers_disagree(r: &[u32]) -> bool {
    r[..4] == [1, 0, 1, 0]
}

/// All of them; x is word 0, y is word 1.
pub const TESTS: &[Test] = &[
    Test {
        name: "MP",
        threads: &[&[Store(0, 1), Store(1, 1)], &[Load(1, 0), Load(0, 1)]],
        results: 2,
        words: 2,
        allowed: any,
        relaxed: message_lost,
    },
    Test {
        name: "MP+fences",
        threads: &[&[Store(0, 1), Fence, Store(1, 1)], &[Load(1, 0), Fence, Load(0, 1)]],
        results: 2,
        words: 2,
        allowed: |r| !message_lost(r),
        relaxed: none,
    },
    Test {
        name: "MP+fence+plain",
        threads: &[&[Store(0, 1), Fence, Store(1, 1)], &[Load(1, 0), Load(0, 1)]],
        results: 2,
        words: 2,
        allowed: any,
        relaxed: message_lost,
    },
    Test {
        name: "MP+rl+aq",
        threads: &[&[Store(0, 1), release(1, 1, 2)], &[acquire(1, 0, 0), Load(0, 1)]],
        results: 3,
        words: 2,
        allowed: |r| !message_lost(r),
        relaxed: none,
    },
    Test {
        name: "MP+atomics",
        threads: &[&[Store(0, 1), plain(1, 1, 2)], &[plain(1, 0, 0), Load(0, 1)]],
        results: 3,
        words: 2,
        allowed: any,
        relaxed: message_lost,
    },
    Test {
        name: "SB",
        threads: &[&[Store(0, 1), Load(1, 0)], &[Store(1, 1), Load(0, 1)]],
        results: 2,
        words: 2,
        allowed: any,
        relaxed: both_zero,
    },
    Test {
        name: "SB+fences",
        threads: &[&[Store(0, 1), Fence, Load(1, 0)], &[Store(1, 1), Fence, Load(0, 1)]],
        results: 2,
        words: 2,
        allowed: |r| !both_zero(r),
        relaxed: none,
    },
    Test {
        name: "LB",
        threads: &[&[Load(0, 0), Store(1, 1)], &[Load(1, 1), Store(0, 1)]],
        results: 2,
        words: 2,
        allowed: any,
        relaxed: both_one,
    },
    Test {
        name: "LB+fences",
        threads: &[&[Load(0, 0), Fence, Store(1, 1)], &[Load(1, 1), Fence, Store(0, 1)]],
        results: 2,
        words: 2,
        allowed: |r| !both_one(r),
        relaxed: none,
    },
    Test {
        name: "IRIW",
        threads: &[&[Store(0, 1)], &[Store(1, 1)], &[Load(0, 0), Load(1, 1)], &[Load(1, 2), Load(0, 3)]],
        results: 4,
        words: 2,
        allowed: any,
        relaxed: readers_disagree,
    },
    Test {
        name: "IRIW+fences",
        threads: &[&[Store(0, 1)], &[Store(1, 1)], &[Load(0, 0), Fence, Load(1, 1)], &[Load(1, 2), Fence, Load(0, 3)]],
        results: 4,
        words: 2,
        allowed: |r| !readers_disagree(r),
        relaxed: none,
    },
    Test {
        name: "CoRR",
        threads: &[&[Store(0, 1)], &[Load(0, 0), Load(0, 1)]],
        results: 2,
        words: 1,
        allowed: |r| r[..2] != [1, 0],
        relaxed: none,
    },
    Test {
        name: "CoWW",
        threads: &[&[Store(0, 1), Store(0, 2)], &[Load(0, 0)]],
        results: 1,
        words: 1,
        allowed: |r| r[1] == 2,
        relaxed: none,
    },
    Test {
        name: "CoWR",
        threads: &[&[Store(0, 1), Load(0, 0)], &[Store(0, 2)]],
        results: 1,
        words: 1,
        allowed: |r| r[0] != 0 && r[1] != 0 && (r[0] == 1 || r[1] == 2),
        relaxed: none,
    },
    Test {
        name: "2+2W+fences",
        threads: &[&[Store(0, 1), Fence, Store(1, 2)], &[Store(1, 1), Fence, Store(0, 2)]],
        results: 0,
        words: 2,
        allowed: |r| r[..2] != [1, 1],
        relaxed: none,
    },
    Test {
        name: "atomics",
        threads: &[&[plain(0, 1, 0)], &[plain(0, 1, 1)], &[plain(0, 1, 2)], &[plain(0, 1, 3)]],
        results: 4,
        words: 1,
        allowed: |r| r[4] == 4 && (0..4).all(|old| r[..4].contains(&old)),
        relaxed: none,
    },
    Test {
        name: "LR/SC",
        threads: &[&[Increment(0, 0)], &[Increment(0, 1)], &[Increment(0, 2)], &[Increment(0, 3)]],
        results: 4,
        words: 1,
        allowed: |r| r[4] == 4 && (0..4).all(|old| r[..4].contains(&old)),
        relaxed: none,
    },
];
