//! Mutants that change nothing where their block stands, though they do for some inputs or in some state of the block alone.
use crate::campaign::{Record, Verdict};

/// A mutant, and why it makes no difference.
pub struct Explanation {
    /// Its name.
    pub mutant: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const EXPLAINED: &[Explanation] = &[
    Explanation {
        mutant: "CtaStack.released_first.one_hot: lowest_one_hot(released.q) becomes all bits",
        reason: "nothing reads it: of this encoder the stack uses `any` and `index`",
    },
    Explanation {
        mutant: "DualPathStack.turn.one_hot: lowest_one_hot(turns.grant) becomes all bits",
        reason: "nothing reads it: of this encoder the stack uses `index`",
    },
    Explanation {
        mutant: "WarpSplitTable.unparking.one_hot: lowest_one_hot(((is_divided.q & ..) & any_open)) becomes all bits",
        reason: "nothing reads it: of this encoder the table uses `any` and `index`",
    },
    Explanation {
        mutant: "CtaStack.passes: ((step == 3) ? 0 : ((step == 4) ? 0 : (.. ? 0 : ..))) becomes 1 for 0",
        reason: "it is read in the step Walk alone, and this is the step PlaceLink",
    },
    Explanation {
        mutant: "CtaStack.flags: ((step == 7) ? 0 : 0) becomes 1 for 0 #2",
        reason: "they are written with `writes_moving` alone, and this is the step Idle, which writes no entry",
    },
    Explanation {
        mutant: "DualPathStack.diverts[1]: ((operation == 2) ? 0 : ((operation == 3) ? (.. ? 0 : ..) : 0)) becomes 1 for 0",
        reason: "at launch there is no right path. Its PC is written whenever one starts; what `diverted` makes the first branch write \
                 belongs to the right path of the first entry, which is not stored there",
    },
    Explanation {
        mutant: "SpeStack.passes: (!walk.any ? 0 : ((.. & ..) ? 0 : (.. ? 1 : 0))) becomes 1 for 0",
        reason: "the walk has come to its end: it begins anew or is over, and forgets what it has passed",
    },
    Explanation {
        mutant: "SpeStack.replaces: ((!.. & !links[0].link_awaits_merge) ? 0 : (!found_runs ? 0 : (.. ? 1 : ..))) becomes 1 for 0",
        reason: "the active entry has ended, and an empty one takes its place: the walk goes on, and replaces it again before anything runs",
    },
];

/// Why a mutant makes no difference, if it is known.
pub fn reason(mutant: &str) -> Option<&'static str> {
    EXPLAINED.iter().find(|known| known.mutant == mutant).map(|known| known.reason)
}

/// Those that a test has noticed.
pub fn stale(records: &[Record]) -> Vec<&str> {
    let caught = records.iter().filter(|record| matches!(record.verdict, Verdict::Caught { .. }));
    caught.map(|record| record.name.as_str()).filter(|name| reason(name).is_some()).collect()
}
