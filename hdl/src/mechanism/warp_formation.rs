//! Dynamic warp formation: what decides which warp issues, and whose threads a warp is formed from.
use serde::{Deserialize, Serialize};

use super::{About, Choice, Entry, Mechanism, Representative, TrackedBy, Traits};
use crate::limits::{Legal, Parameter};

/// Dynamic warp formation: Fung & Aamodt 2011, 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarpFormation {
    /// Which of the warps that threads may join issues.
    pub policy: IssuePolicy,
    /// Slots of the pool for each warp that is launched: what diverges needs more than one.
    pub sides: usize,
    /// Entries of the table of warps that threads may join.
    pub lut_entries: usize,
    /// Instructions after which a warp that could issue goes first; 0: never.
    pub age_limit: usize,
    /// Of the warps that dissolve while threads wait for a slot, every so many leaves its own to them.
    pub relief: usize,
    /// Whose threads may be in a warp together.
    #[serde(default)]
    pub scope: FormationScope,
    /// Behind which instructions a warp dissolves.
    #[serde(default)]
    pub regrouping: Regrouping,
    /// When a warp whose last results are outstanding dissolves.
    #[serde(default)]
    pub hazards: FormationHazards,
}

/// Behind which instructions a warp dissolves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Regrouping {
    /// Those that control flow may leave or enter: within a block nobody else can come to where its threads are.
    #[default]
    Block,
    /// Behind every one, as the paper has it: a warp has one in flight.
    Instruction,
}

/// When a warp whose last results are outstanding dissolves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormationHazards {
    /// When they are there.
    #[default]
    Drain,
    /// At once: they hold back all warps of its CTA that use these registers, as where warps are compacted.
    Orphans,
}

impl FormationHazards {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Drain, Self::Orphans];
}

impl Regrouping {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Block, Self::Instruction];
}

/// Whose threads may be in a warp together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormationScope {
    /// Those of a CTA.
    #[default]
    Cta,
    /// Those of all CTAs of the core.
    Core,
}

impl FormationScope {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Cta, Self::Core];
}

/// Which of the warps in the pool that have not issued does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IssuePolicy {
    /// One of those at the PC where most threads wait, until there are none.
    Majority,
    /// One of those at the PC where the fewest wait, until there are none.
    Minority,
    /// The one formed first.
    Oldest,
    /// The one formed at the lowest PC.
    LowestPc,
}

impl IssuePolicy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Majority, Self::Minority, Self::Oldest, Self::LowestPc];
}

impl WarpFormation {
    /// As it is when nothing is chosen.
    pub const DEFAULT: Self = Self {
        policy: IssuePolicy::Majority,
        sides: 2,
        lut_entries: 32,
        age_limit: 1024,
        relief: 16,
        scope: FormationScope::Cta,
        regrouping: Regrouping::Block,
        hazards: FormationHazards::Drain,
    };

    /// Those of the mechanism with warp barriers: who has come to one waits for all others of its warp, whatever these wait for.
    pub(super) fn barrier_traits(self) -> Traits {
        Traits { warp_barriers: true, progresses: false, ..self.traits() }
    }

    /// Those of the mechanism.
    pub fn traits(self) -> Traits {
        Traits {
            compacts: true,
            sides: self.sides,
            scoreboard: match self.hazards {
                FormationHazards::Drain => TrackedBy::DrainedPath,
                FormationHazards::Orphans => TrackedBy::LeftPath,
            },
            likely_convergence: false,
            regroups: true,
            regroups_always: self.regrouping == Regrouping::Instruction,
            mixes_ctas: self.scope == FormationScope::Core,
            progresses: self.age_limit > 0,
            divergent_jumps: true,
            ..Traits::SINGLE_PATH
        }
    }
}

/// A number of [`WarpFormation`].
macro_rules! number {
    ($field:ident, $name:literal, $meaning:literal, $legal:expr, $reason:literal, $of:literal, $tried:expr) => {
        Choice::Number {
            parameter: Parameter {
                name: $name,
                meaning: $meaning,
                legal: |_| $legal,
                reason: $reason,
                get: |config| formation(config.mechanism).map(|formation| formation.$field),
                set: |config, value| {
                    if let Some(formation) = formation_mut(&mut config.mechanism) {
                        formation.$field = value;
                    }
                },
            },
            of: $of,
            tried: $tried,
        }
    };
}

/// What either leaves to choose.
const CHOICES: &[Choice] = &[
    Choice::Name {
        name: "issue_policy",
        names: &["majority", "minority", "oldest", "lowest_pc"],
        get: |mechanism| {
            let policy = formation(mechanism)?.policy;
            IssuePolicy::ALL.iter().position(|other| *other == policy)
        },
        set: |mechanism, value| {
            if let Some(formation) = formation_mut(mechanism) {
                formation.policy = IssuePolicy::ALL[value];
            }
        },
    },
    Choice::Name {
        name: "formation_scope",
        names: &["cta", "core"],
        get: |mechanism| {
            let scope = formation(mechanism)?.scope;
            FormationScope::ALL.iter().position(|other| *other == scope)
        },
        set: |mechanism, value| {
            if let Some(formation) = formation_mut(mechanism) {
                formation.scope = FormationScope::ALL[value];
            }
        },
    },
    Choice::Name {
        name: "regrouping",
        names: &["block", "instruction"],
        get: |mechanism| {
            let regrouping = formation(mechanism)?.regrouping;
            Regrouping::ALL.iter().position(|other| *other == regrouping)
        },
        set: |mechanism, value| {
            if let Some(formation) = formation_mut(mechanism) {
                formation.regrouping = Regrouping::ALL[value];
            }
        },
    },
    Choice::Name {
        name: "formation_hazards",
        names: &["drain", "orphans"],
        get: |mechanism| {
            let hazards = formation(mechanism)?.hazards;
            FormationHazards::ALL.iter().position(|other| *other == hazards)
        },
        set: |mechanism, value| {
            if let Some(formation) = formation_mut(mechanism) {
                formation.hazards = FormationHazards::ALL[value];
            }
        },
    },
    number!(
        sides,
        "pool_sides",
        "slots of dwf's warp pool for each hardware warp",
        Legal::powers_of_two(1, 4),
        "their number is a bit field beside that of the warp; more than 4 are not tested",
        "slots",
        &[2, 1, 4]
    ),
    number!(
        lut_entries,
        "lut_entries",
        "entries of dwf's table of warps that threads may join",
        Legal::powers_of_two(8, 128),
        "sets of four ways, of which there are two at least; more than 128 entries are not tested",
        "entries",
        &[32, 8]
    ),
    number!(
        age_limit,
        "age_limit",
        "instructions after which a warp of dwf goes first, whatever the policy; 0: never",
        Legal { or_zero: true, ..Legal::powers_of_two(4, 1 << 16) },
        "a power of two is when a counter comes round; without it threads may wait for ever",
        "instructions",
        &[1024, 16]
    ),
    number!(
        relief,
        "relief",
        "of the warps that dissolve while threads have no slot in dwf's pool, every so many gives up its own",
        Legal::powers_of_two(1, 1 << 16),
        "a power of two is when a counter comes round",
        "warps",
        &[16, 1, 2]
    ),
];

pub static ENTRY: Entry = Entry {
    about: About {
        name: "dwf",
        summary: "dynamic warp formation: no stack; threads at the same PC are regrouped into warps behind every branch; dwf:oldest and others say which warp issues, dwf:core forms them from threads of all CTAs, dwf:instruction behind every instruction, dwf:orphans without waiting for results",
        source: "Fung & Aamodt 2011, 2.3",
        blocks: &["dynamic_warp_formation", "warp_pool", "warp_lut", "parked_threads", "cta_threads"],
    },
    alias: None,
    stack: "dynamic_warp_formation",
    default: Mechanism::WarpFormation(WarpFormation::DEFAULT),
    choices: CHOICES,
    spelled: 4,
    representatives: &[
        Representative::of("dwf").covering(),
        // A pool that is often full, a table that is too small.
        Representative::of("dwf:oldest").with(&[("pool_sides", 1), ("lut_entries", 8), ("relief", 2)]),
        Representative::of("dwf:core").with(&[("lut_entries", 8)]).covering(),
        Representative::of("dwf:instruction:orphans").with(&[("lut_entries", 8)]),
    ],
};

pub static WARP_BARRIERS: Entry = Entry {
    about: About {
        name: "dwf-wb",
        summary: "dynamic warp formation with warp barriers: as dwf, but a warp stays together until it diverges, and waits for its threads where they reconverge; dwf-wb:core forms them from threads of all CTAs",
        source: "Fung & Aamodt 2011, 2.4",
        blocks: &["dynamic_warp_formation", "warp_barriers", "warp_pool", "warp_lut", "parked_threads", "cta_threads"],
    },
    alias: None,
    stack: "warp_barriers",
    default: Mechanism::WarpBarriers(WarpFormation::DEFAULT),
    choices: CHOICES,
    spelled: 4,
    representatives: &[
        Representative::of("dwf-wb:oldest").with(&[("lut_entries", 8), ("relief", 2)]).covering(),
        Representative::of("dwf-wb:core:orphans").with(&[("pool_sides", 1), ("lut_entries", 8), ("relief", 2)]),
    ],
};

fn formation(mechanism: Mechanism) -> Option<WarpFormation> {
    match mechanism {
        Mechanism::WarpFormation(formation) | Mechanism::WarpBarriers(formation) => Some(formation),
        _ => None,
    }
}

fn formation_mut(mechanism: &mut Mechanism) -> Option<&mut WarpFormation> {
    match mechanism {
        Mechanism::WarpFormation(formation) | Mechanism::WarpBarriers(formation) => Some(formation),
        _ => None,
    }
}
