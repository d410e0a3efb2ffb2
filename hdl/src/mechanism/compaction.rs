//! Thread block compaction, and what decides where it gathers.
use serde::{Deserialize, Serialize};

use super::{About, Choice, Entry, Mechanism, Representative, Traits};
use crate::limits::{Legal, Parameter};

/// The compaction-adequacy predictor, one per core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdequacyPredictor {
    /// Entries of the table; 0 builds the variant without one, which gathers at every divergence (Rhu 2014, 4.5.3).
    pub entries: usize,
    /// What an entry remembers.
    pub history: AdequacyHistory,
}

/// What the adequacy predictor remembers of a branch: Rhu 2014, 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdequacyHistory {
    /// One bit: the last result.
    Latest,
    /// One bit: it has diverged.
    Sticky,
    /// A saturating counter of two bits, adequate from 2 on, which is where it starts.
    TwoBit,
}

impl AdequacyHistory {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Latest, Self::Sticky, Self::TwoBit];
}

pub const TRAITS: Traits = Traits { compacts: true, gathers: true, ..Traits::SINGLE_PATH };

const STACK: &str = "thread_block_compaction";
const BLOCKS: &[&str] = &[STACK, "cta_stack", "event_table", "warp_compaction_unit"];

pub static TBC: Entry = Entry {
    about: About {
        name: "tbc",
        summary: "thread block compaction: one stack per CTA; its warps gather at branches and jumps, and are formed anew",
        source: "Fung & Aamodt 2011, 3; Rhu 2014, 4.1",
        blocks: BLOCKS,
    },
    alias: None,
    stack: STACK,
    default: Mechanism::Tbc,
    choices: &[],
    spelled: 0,
    representatives: &[Representative::of("tbc+lcp")],
};

pub static TBC_PLUS: Entry = Entry {
    about: About {
        name: "tbc-plus",
        summary: "the same, but warps do not gather at jumps and at branches that are uniform over the CTA",
        source: "Rhu 2014, 4.1",
        blocks: BLOCKS,
    },
    alias: Some("tbc+"),
    stack: STACK,
    default: Mechanism::TbcPlus,
    choices: &[],
    spelled: 0,
    representatives: &[Representative::of("tbc-plus")],
};

pub static CAPRI: Entry = Entry {
    about: About {
        name: "capri",
        summary: "the same, and a warp gathers at a divergent branch only if compaction has helped there before",
        source: "Rhu 2014, 4.2",
        blocks: &["capt", "adequacy_evaluator", STACK, "cta_stack", "warp_compaction_unit"],
    },
    alias: None,
    stack: STACK,
    default: Mechanism::Capri(PREDICTOR),
    choices: &[
        Choice::Number {
            parameter: Parameter {
                name: "capt_entries",
                meaning: "entries of capri's prediction table; 0: the variant without one",
                legal: |_| Legal { or_zero: true, ..Legal::range(2, 32) },
                reason: "the papers' largest table has 32; a table of one entry has no order of use to keep",
                get: |config| predictor(config.mechanism).map(|predictor| predictor.entries),
                set: |config, value| {
                    if let Mechanism::Capri(predictor) = &mut config.mechanism {
                        predictor.entries = value;
                    }
                },
            },
            of: "entries",
            tried: &[32, 2, 4, 8, 0],
        },
        Choice::Name {
            name: "history",
            names: &["latest", "sticky", "2bit"],
            get: |mechanism| {
                let history = predictor(mechanism)?.history;
                AdequacyHistory::ALL.iter().position(|other| *other == history)
            },
            set: |mechanism, value| {
                if let Mechanism::Capri(predictor) = mechanism {
                    predictor.history = AdequacyHistory::ALL[value];
                }
            },
        },
    ],
    spelled: 0,
    // A table that is small enough to be full.
    representatives: &[
        Representative::of("capri").with(&[("capt_entries", 4)]),
        Representative::of("capri+lcp+slp").with(&[("capt_entries", 4)]).covering().on_paper(),
    ],
};

/// The paper's default: Rhu 2014, 4.4.1.
const PREDICTOR: AdequacyPredictor = AdequacyPredictor { entries: 32, history: AdequacyHistory::Latest };

fn predictor(mechanism: Mechanism) -> Option<AdequacyPredictor> {
    match mechanism {
        Mechanism::Capri(predictor) => Some(predictor),
        _ => None,
    }
}
