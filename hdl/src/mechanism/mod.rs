//! The mechanisms of divergence: what there is, how it is spelled, and in what one differs from another.
//!
//! This is where a mechanism lives: an entry of [`MECHANISMS`], in a file of this folder together with what it leaves to choose. The command
//! line, the comparison, the fuzzer, the tests and the scripts (`warploom mechanisms --json`) go by that table. Beside it a mechanism has
//! blocks, a branch where the hardware differs ([`ReconvergenceUnit`](crate::divergence::ReconvergenceUnit)), a model, a testbench and a page:
//! docs/developer/adding-a-mechanism.md goes through them.
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::config::CoreConfig;
use crate::limits::Parameter;

mod compaction;
mod cta_dual_path;
mod dual_path;
mod independent_threads;
mod large_warps;
mod permutation;
mod representative;
mod schedulable_stack;
mod single_path;
mod spelling;
mod subdivision;
#[cfg(test)]
mod tests;
mod turns;
mod warp_formation;

pub use permutation::Permutation;
pub use representative::{Representative, covering, representatives};
pub use spelling::{Composition, SpellingError};

/// What mechanisms leave to choose.
pub mod options {
    pub use super::compaction::{AdequacyHistory, AdequacyPredictor};
    pub use super::dual_path::DualPathVariant;
    pub use super::independent_threads::IndependentThreads;
    pub use super::large_warps::{JumpIssue, LargeWarps};
    pub use super::subdivision::Subdivision;
    pub use super::turns::Turns;
    pub use super::warp_formation::{FormationHazards, FormationScope, IssuePolicy, Regrouping, WarpFormation};
}

use options::*;

/// What takes a warp from a divergent branch back to its reconvergence point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mechanism {
    /// A stack per warp: Rhu 2014, 3.1.1.
    SinglePath,
    /// A stack per CTA; its warps gather at every branch and jump and are formed anew: Fung & Aamodt 2011, 3.
    Tbc,
    /// The same, but branches marked uniform and jumps do not gather: Rhu 2014, 4.1.
    TbcPlus,
    /// The same, and a warp gathers only where compaction has helped before: Rhu 2014, 4.2.
    Capri(AdequacyPredictor),
    /// A stack per warp whose entries hold both sides of a branch, and both may issue: Rhu 2014, 3.2.
    DualPath(DualPathVariant),
    /// [`Tbc`](Self::Tbc) with entries that hold both sides of a branch, and both may issue: Rhu 2014, 4.5.4.
    TbcDualPath,
    /// The same, and both share the warp slots of one.
    TbcDualPathConstrained,
    /// [`TbcPlus`](Self::TbcPlus) as [`TbcDualPath`](Self::TbcDualPath).
    TbcPlusDualPath,
    /// [`TbcPlus`](Self::TbcPlus) as [`TbcDualPathConstrained`](Self::TbcDualPathConstrained).
    TbcPlusDualPathConstrained,
    /// A stack per warp, and a table of warp-splits that run side by side: Rhu 2014, 3.1.2.
    Subdivision(Subdivision),
    /// A stack per warp whose threads take turns: Vortex, schedulable convergence stack.
    SchedulableStack(Turns),
    /// A PC for every thread; those at one PC run together, and wait for others at convergence barriers: US 10,067,768.
    IndependentThreads(IndependentThreads),
    /// Threads of several warps share a PC and a stack: Narasiman 2014, 4.2.
    LargeWarps(LargeWarps),
    /// No stack: threads at the same PC are regrouped into warps: Fung & Aamodt 2011, 2.3.
    WarpFormation(WarpFormation),
    /// The same, but a warp stays together until it diverges, and waits for its threads where they reconverge: Fung & Aamodt 2011, 2.4.
    WarpBarriers(WarpFormation),
}

/// All mechanisms, in the order in which they are shown.
pub static MECHANISMS: [&Entry; 13] = [
    &single_path::ENTRY,
    &compaction::TBC,
    &compaction::TBC_PLUS,
    &compaction::CAPRI,
    &dual_path::ENTRY,
    &cta_dual_path::TBC,
    &cta_dual_path::TBC_PLUS,
    &subdivision::ENTRY,
    &schedulable_stack::ENTRY,
    &independent_threads::ENTRY,
    &warp_formation::ENTRY,
    &warp_formation::WARP_BARRIERS,
    &large_warps::ENTRY,
];

/// What any mechanism may have in addition, as far as it [composes](Traits::likely_convergence) with it.
pub const ADDITIONS: &[About] = &[LIKELY_CONVERGENCE, LANE_PERMUTATION];

const LIKELY_CONVERGENCE: About = About {
    name: "lcp",
    summary: "likely-convergence points: threads meet at the end of a loop's body, before all of them must",
    source: "Fung & Aamodt 2011, 4",
    blocks: &["convergence_links"],
};

const LANE_PERMUTATION: About = About {
    name: "slp",
    summary: "SIMD lane permutation at launch; slp=NAME chooses which, balanced by default",
    source: "Rhu 2014, 4.3",
    blocks: &["lane_permutation"],
};

/// A mechanism, or what may be added to one, for people.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct About {
    /// As the command line spells it.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// What it is made of: modules of the [catalog](crate::catalog).
    pub blocks: &'static [&'static str],
}

/// A line of [`MECHANISMS`].
pub struct Entry {
    /// Name, summary, source and blocks.
    pub about: About,
    /// What else the command line takes for the name.
    pub alias: Option<&'static str>,
    /// The block that holds its stack; mechanisms with the same one differ in what they decide.
    pub stack: &'static str,
    /// As it is when nothing is chosen.
    pub default: Mechanism,
    /// What it leaves to choose.
    pub choices: &'static [Choice],
    /// How many of them, from the first on, are spelled in the name, each behind a colon.
    pub spelled: usize,
    /// Cores that stand for it in tests.
    pub representatives: &'static [Representative],
}

/// What a mechanism leaves to choose.
pub enum Choice {
    /// A number.
    Number {
        /// Its name, its legal values, and where it is in a core.
        parameter: Parameter,
        /// What it is a number of, as in "the number of instructions".
        of: &'static str,
        /// Those that random cores have, the usual one first.
        tried: &'static [usize],
    },
    /// One of a few, by its place among the names.
    Name {
        /// What is chosen.
        name: &'static str,
        /// The usual one first.
        names: &'static [&'static str],
        /// What a mechanism has chosen; `None` of one that has not this choice.
        get: fn(Mechanism) -> Option<usize>,
        /// Chooses.
        set: fn(&mut Mechanism, usize),
    },
}

/// In what the cores of mechanisms differ, as far as others than its own blocks have to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Warps are formed from threads of several home warps.
    pub compacts: bool,
    /// For that the warps of a CTA gather at branches, and a compaction unit forms them anew.
    pub gathers: bool,
    /// Paths of a warp that can be scheduled at once.
    pub sides: usize,
    /// Sides of a branch that an entry of its stack holds.
    pub entry_sides: usize,
    /// By what pending registers are tracked.
    pub scoreboard: TrackedBy,
    /// A branch whose reconvergence point begins a block of at most so many instructions divides a warp; `None`: no branch does.
    pub divides_before: Option<usize>,
    /// Its stack may have likely-convergence points.
    pub likely_convergence: bool,
    /// Threads of a warp take turns, so that those who are waited for go on; `None`: they do not.
    pub turns: Option<Turns>,
    /// A thread that others wait for in a loop goes on after a bounded time, whatever they do.
    pub progresses: bool,
    /// The lanes of a `jalr` may have different targets: they take it one target after the other.
    pub divergent_jumps: bool,
    /// Convergence barriers of a warp; `None`: it has a stack.
    pub barriers: Option<usize>,
    /// Threads are regrouped wherever the control flow of others may meet theirs.
    pub regroups: bool,
    /// Behind every instruction.
    pub regroups_always: bool,
    /// Only those of warps that have diverged, and these wait for one another where they reconverge.
    pub warp_barriers: bool,
    /// Warps are formed from threads of several CTAs.
    pub mixes_ctas: bool,
    /// Threads that share a PC and a stack; `None`: those of a warp.
    pub large_warp_threads: Option<usize>,
}

impl Traits {
    /// Those of a stack per warp.
    const SINGLE_PATH: Self = Self {
        compacts: false,
        gathers: false,
        sides: 1,
        entry_sides: 1,
        scoreboard: TrackedBy::Warp,
        divides_before: None,
        likely_convergence: true,
        turns: None,
        progresses: false,
        divergent_jumps: false,
        barriers: None,
        regroups: false,
        regroups_always: false,
        warp_barriers: false,
        mixes_ctas: false,
        large_warp_threads: None,
    };
}

/// By what pending registers are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackedBy {
    /// By warp.
    Warp,
    /// By path of a warp, with false dependences between paths.
    Path,
    /// By thread, without.
    Thread,
    /// By path, which threads leave only when it has nothing pending.
    DrainedPath,
    /// By path; what threads have pending when they leave one counts for all paths of their CTA.
    LeftPath,
    /// A thread with a register pending issues nothing.
    ThreadInFlight,
}

impl Mechanism {
    /// Its line of [`MECHANISMS`].
    pub fn entry(self) -> &'static Entry {
        match self {
            Self::SinglePath => &single_path::ENTRY,
            Self::Tbc => &compaction::TBC,
            Self::TbcPlus => &compaction::TBC_PLUS,
            Self::Capri(_) => &compaction::CAPRI,
            Self::DualPath(_) => &dual_path::ENTRY,
            Self::TbcDualPath | Self::TbcDualPathConstrained => &cta_dual_path::TBC,
            Self::TbcPlusDualPath | Self::TbcPlusDualPathConstrained => &cta_dual_path::TBC_PLUS,
            Self::Subdivision(_) => &subdivision::ENTRY,
            Self::SchedulableStack(_) => &schedulable_stack::ENTRY,
            Self::IndependentThreads(_) => &independent_threads::ENTRY,
            Self::LargeWarps(_) => &large_warps::ENTRY,
            Self::WarpFormation(_) => &warp_formation::ENTRY,
            Self::WarpBarriers(_) => &warp_formation::WARP_BARRIERS,
        }
    }

    /// In what it differs from others.
    pub fn traits(self) -> Traits {
        match self {
            Self::SinglePath => Traits::SINGLE_PATH,
            Self::Tbc | Self::TbcPlus | Self::Capri(_) => compaction::TRAITS,
            Self::DualPath(variant) => variant.traits(),
            Self::TbcDualPath | Self::TbcPlusDualPath => cta_dual_path::TRAITS,
            Self::TbcDualPathConstrained | Self::TbcPlusDualPathConstrained => cta_dual_path::CONSTRAINED_TRAITS,
            Self::Subdivision(subdivision) => subdivision.traits(),
            Self::SchedulableStack(turns) => turns.stack_traits(),
            Self::IndependentThreads(threads) => threads.traits(),
            Self::LargeWarps(warps) => warps.traits(),
            Self::WarpFormation(formation) => formation.traits(),
            Self::WarpBarriers(formation) => formation.barrier_traits(),
        }
    }

    /// The same with dual paths: as `+dpe` says; `None` where they do not go together.
    pub fn with_dual_paths(self) -> Option<Self> {
        match self {
            Self::Tbc => Some(Self::TbcDualPath),
            Self::TbcPlus => Some(Self::TbcPlusDualPath),
            _ => None,
        }
    }

    /// The first whose traits are as asked for.
    pub fn first(wanted: impl Fn(Traits) -> bool) -> Option<Self> {
        MECHANISMS.iter().map(|entry| entry.default).find(|mechanism| wanted(mechanism.traits()))
    }

    /// Its name with all that it leaves to choose, also what the command line has options of their own for.
    pub fn in_full(self) -> String {
        let entry = self.entry();
        let rest: Vec<String> = entry.choices[entry.spelled..].iter().map(|choice| choice.describe(self)).collect();
        if rest.is_empty() { self.to_string() } else { format!("{self} ({})", rest.join(", ")) }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Entry {
    /// As the command line spells it.
    pub fn name(&self) -> &'static str {
        self.about.name
    }

    /// The line with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        MECHANISMS.into_iter().find(|entry| entry.name() == name)
    }

    /// The mechanism, with each of its variants that have a name: by all its choices of one of a few.
    pub fn variants(&self) -> Vec<Mechanism> {
        let mut all = vec![self.default];
        for choice in self.choices {
            if let Choice::Name { names, .. } = choice {
                let with = |mechanism: Mechanism| (0..names.len()).map(move |value| choice.with(mechanism, value));
                all = all.into_iter().flat_map(with).collect();
            }
        }
        all
    }

    /// The choices that are spelled in its name.
    pub fn spelled(&self) -> &'static [Choice] {
        &self.choices[..self.spelled]
    }

    /// Its choice of this name.
    pub fn choice(&self, name: &str) -> Option<&'static Choice> {
        self.choices.iter().find(|choice| choice.name() == name)
    }
}

/// One line for every kind of stack: the first that has it.
pub fn stacks() -> impl Iterator<Item = &'static Entry> {
    let first = |number: &usize| MECHANISMS[..*number].iter().all(|entry| entry.stack != MECHANISMS[*number].stack);
    (0..MECHANISMS.len()).filter(first).map(|number| MECHANISMS[number])
}

impl Choice {
    /// What is chosen.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number { parameter, .. } => parameter.name,
            Self::Name { name, .. } => name,
        }
    }

    /// Its number in the tables of the legal values; none of a name.
    pub fn parameter(&self) -> Option<&Parameter> {
        match self {
            Self::Number { parameter, .. } => Some(parameter),
            Self::Name { .. } => None,
        }
    }

    /// What a choice of one of a few calls its values; none of a number.
    pub fn names(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Number { .. } => None,
            Self::Name { names, .. } => Some(names),
        }
    }

    /// The values that random cores have, the usual one first.
    pub fn tried(&self) -> Vec<usize> {
        match self {
            Self::Number { tried, .. } => tried.to_vec(),
            Self::Name { names, .. } => (0..names.len()).collect(),
        }
    }

    /// What a mechanism has chosen.
    pub fn get(&self, mechanism: Mechanism) -> Option<usize> {
        match self {
            Self::Number { parameter, .. } => (parameter.get)(&CoreConfig { mechanism, ..CoreConfig::tiny() }),
            Self::Name { get, .. } => get(mechanism),
        }
    }

    /// The mechanism with another value.
    pub fn with(&self, mut mechanism: Mechanism, value: usize) -> Mechanism {
        match self {
            Self::Number { parameter, .. } => {
                let mut config = CoreConfig { mechanism, ..CoreConfig::tiny() };
                (parameter.set)(&mut config, value);
                config.mechanism
            }
            Self::Name { set, .. } => {
                set(&mut mechanism, value);
                mechanism
            }
        }
    }

    /// As in `capt_entries 32` or `history sticky`.
    fn describe(&self, mechanism: Mechanism) -> String {
        let value = self.get(mechanism).expect("one of its own choices");
        match self {
            Self::Number { parameter, .. } => format!("{} {value}", parameter.name),
            Self::Name { name, names, .. } => format!("{name} {}", names[value]),
        }
    }
}
