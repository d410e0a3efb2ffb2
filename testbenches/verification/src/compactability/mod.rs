//! What compaction could do with a program, by the book: Rhu's definitions, which ask for more than a run of one machine shows.
//!
//! ```text
//!  reference model --paths of threads--> walk: a CTA as one wide warp --groups, branches--> Counter
//! ```
//!
//! The threads of a CTA run together on a stack of reconvergence points, all of them as one warp. Nothing has been compacted where
//! they come to a branch, so what could be is not less for what has been: under `tbc` it is.
mod branch;
mod walk;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, Permutation};
use warploom_runtime::loader::Program;

use crate::divergence_model::Predictor;
use crate::reference::{Observer, ThreadRecord};
use branch::{Branch, Shape};
use walk::{Event, walk};

/// Parts into which sides of branches are counted by their threads: up to a quarter of the CTA, up to a half...
pub const QUARTERS: usize = 4;

/// Sums over a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compactability {
    /// Thread instructions.
    pub threads: u64,
    /// Warp instructions if threads stay in their warps.
    pub apart: u64,
    /// Warp instructions if threads keep their lanes: what TBC comes to at best.
    pub compacted: u64,
    /// Warp instructions if threads could change lanes.
    pub ideal: u64,
    /// Sides of branches that depend on the thread's number only.
    pub p: Sides,
    /// Sides of branches that depend on data.
    pub d: Sides,
    /// What warps at branches decide.
    pub decisions: Vec<Decisions>,
}

/// Sides of the branches at which a CTA diverges, by their share of the CTA's threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// All of them.
    pub paths: u64,
    /// Sides that fit into fewer warps if threads could change lanes.
    pub ideal: [u64; QUARTERS],
    /// Sides that fit into fewer warps by permutation of lanes, the first of which is none.
    pub compacted: Vec<(String, [u64; QUARTERS])>,
}

/// Warps that come to branches, by what they decide and what is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// Who decides: a mechanism, as on the command line.
    pub mechanism: String,
    /// Stall, rightly.
    pub stall_stall: u64,
    /// Bypass, rightly.
    pub bypass_bypass: u64,
    /// Bypass, where compaction would have helped.
    pub bypass_stall: u64,
    /// Stall for nothing.
    pub stall_bypass: u64,
}

impl Decisions {
    /// In the order of Rhu 2014, Fig 4.21.
    pub fn counts(&self) -> [u64; 4] {
        [self.stall_stall, self.bypass_bypass, self.bypass_stall, self.stall_bypass]
    }

    fn count(&mut self, stalls: bool, should: bool) {
        *match (stalls, should) {
            (true, true) => &mut self.stall_stall,
            (false, false) => &mut self.bypass_bypass,
            (false, true) => &mut self.bypass_stall,
            (true, false) => &mut self.stall_bypass,
        } += 1;
    }
}

/// Who decides at a branch whether a warp waits to be compacted.
enum Decider {
    Never,
    Always,
    /// Not where all threads go the same way in any case.
    UnlessUniform,
    /// The predictor, if the warp diverges.
    Predictor(Box<Predictor>),
}

impl Decider {
    /// Those of Rhu 2014, Fig 4.21, by their names on the command line.
    fn all() -> Vec<(&'static str, Self)> {
        let predictor = |history| Self::Predictor(Predictor::new(AdequacyPredictor { entries: 32, history }).into());
        vec![
            ("spe", Self::Never),
            ("tbc", Self::Always),
            ("tbc-plus", Self::UnlessUniform),
            ("capri", predictor(AdequacyHistory::Latest)),
            ("capri, history sticky", predictor(AdequacyHistory::Sticky)),
        ]
    }

    fn stalls(&mut self, branch: &Branch, diverges: bool) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::UnlessUniform => !branch.is_uniform,
            Self::Predictor(predictor) => diverges && predictor.gathers(branch.pc as usize),
        }
    }

    fn learn(&mut self, branch: &Branch) {
        if let Self::Predictor(predictor) = self
            && branch.diverging.iter().any(|diverges| *diverges)
        {
            branch.sides.iter().for_each(|side| predictor.learn(branch.pc as usize, side.is_compactable()));
        }
    }
}

/// Counts what threads do. As the [`Observer`] of a reference device.
pub struct Counter {
    lanes: usize,
    deciders: Vec<(&'static str, Decider)>,
    counts: Compactability,
}

impl Counter {
    /// For warps of so many lanes.
    pub fn new(lanes: usize) -> Self {
        let permutations = Permutation::ALL.iter().map(|kind| kind.name().unwrap_or("none").to_string());
        let sides =
            Sides { compacted: permutations.map(|name| (name, Default::default())).collect(), ..Sides::default() };
        let deciders = Decider::all();
        let decisions =
            deciders.iter().map(|(name, _)| Decisions { mechanism: name.to_string(), ..Decisions::default() });
        let counts =
            Compactability { p: sides.clone(), d: sides, decisions: decisions.collect(), ..Compactability::default() };
        Self { lanes, deciders, counts }
    }

    /// Of all CTAs so far.
    pub fn counts(self) -> Compactability {
        self.counts
    }
}

impl Observer for Counter {
    fn cta(&mut self, program: &Program, threads: &[ThreadRecord]) {
        let Self { lanes, deciders, counts } = self;
        let lanes = *lanes;
        let paths: Vec<&[u32]> = threads.iter().map(|thread| &thread.pcs[..]).collect();
        walk(&paths, program, |event| match event {
            Event::Instructions { number, threads } => {
                let shape = Shape::new(threads, lanes, Permutation::None);
                counts.threads += number * threads.len() as u64;
                counts.apart += number * shape.apart as u64;
                counts.compacted += number * shape.compacted as u64;
                counts.ideal += number * shape.ideal as u64;
            }
            Event::Branch { pc, sides } => {
                let annotation = program.annotation(pc as usize / 4);
                let branch = Branch::new(pc, annotation.uniform, sides, lanes);
                if sides.iter().all(|side| !side.is_empty()) {
                    let class = if annotation.data_dependent { &mut counts.d } else { &mut counts.p };
                    sides.iter().for_each(|side| class.count(side, paths.len(), lanes));
                }
                for ((_, decider), decisions) in deciders.iter_mut().zip(&mut counts.decisions) {
                    for (&diverges, &should) in branch.diverging.iter().zip(&branch.should_stall) {
                        decisions.count(decider.stalls(&branch, diverges), should);
                    }
                    decider.learn(&branch);
                }
            }
        });
    }
}

impl Sides {
    fn count(&mut self, threads: &[u32], of: usize, lanes: usize) {
        self.paths += 1;
        let quarter = ((threads.len() * QUARTERS - 1) / of).min(QUARTERS - 1);
        for ((_, counts), &permutation) in self.compacted.iter_mut().zip(&Permutation::ALL) {
            counts[quarter] += u64::from(Shape::new(threads, lanes, permutation).is_compactable());
        }
        let shape = Shape::new(threads, lanes, Permutation::None);
        self.ideal[quarter] += u64::from(shape.ideal < shape.apart);
    }
}

#[cfg(test)]
mod tests;
