//! What changes together, and how often: an estimate, which decides about speed only.
//!
//! Every source belongs to a class by its place in the hierarchy: one that the design states ([`ActivityClasses`]), or what lies in the same [levels](LEVELS) of it. All of a class is taken to change in the same cycles; different
//! classes are taken to be independent.
use std::collections::HashMap;

use warploom_hdl::activity::ActivityClasses;

use super::Source;
use super::free_running::FREE_RUNNING;
use crate::ir::{Design, path_name};

/// At most so many classes: sets of them are words.
const MOST_CLASSES: usize = 64;

/// Of a class that nothing is known about: seldom, so that what is large stays apart. Of what the cores of a GPU share, with three levels of the hierarchy, 0.05 and 0.4 left
/// 2 494 and 3 472 of 5 551 operations in a step (bitonic; four cores of `capri`, two channels); one level and 0.05, 3 539.
const CHANCE: f64 = 0.05;
/// Levels of the hierarchy that name such a class.
const LEVELS: usize = 3;
/// Share of the changes of a class that come through values of other partitions.
const THROUGH: f64 = 0.5;

/// Classes, as bits.
pub type Classes = u64;

/// The classes of a design.
pub struct Activity {
    known: ActivityClasses,
    names: HashMap<String, usize>,
    chances: Vec<f64>,
    sources: HashMap<Source, Classes>,
    free_running: Classes,
}

impl Activity {
    /// Finds them, of which these are known; these registers are free-running.
    pub fn new(design: &Design, known: ActivityClasses, free: &[bool]) -> Self {
        let mut activity =
            Self { known, names: HashMap::new(), chances: vec![], sources: HashMap::new(), free_running: 0 };
        if free.contains(&true) {
            activity.free_running = activity.class(FREE_RUNNING, 1.0);
        }
        for (i, register) in design.registers.iter().enumerate() {
            let classes = match free[i] {
                true => activity.free_running,
                false => activity.of(&path_name(&register.paths[0])),
            };
            activity.sources.insert(Source::Register(i as u32), classes);
        }
        for (i, memory) in design.memories.iter().enumerate() {
            let classes = activity.of(&path_name(&memory.paths[0]));
            activity.sources.insert(Source::Memory(i as u32), classes);
        }
        let inputs = activity.class("(inputs)", 0.1);
        activity.sources.extend((0..design.inputs.len() as u32).map(|i| (Source::Input(i), inputs)));
        activity
    }

    fn of(&mut self, path: &str) -> Classes {
        match self.known.of(path) {
            Some(known) => self.class(known.class, known.chance),
            None => {
                let path = self.known.inner(path);
                let instances: Vec<&str> =
                    path.split('.').map(|level| level.split('[').next().unwrap_or(level)).collect();
                let levels = LEVELS.min(instances.len() - 1).max(1);
                self.class(&instances[..levels].join("."), CHANCE)
            }
        }
    }

    fn class(&mut self, name: &str, chance: f64) -> Classes {
        let next = self.names.len();
        let class = *self.names.entry(name.to_string()).or_insert(next) % MOST_CLASSES;
        if class == self.chances.len() {
            self.chances.push(chance);
        }
        1 << class
    }

    /// The class of a source.
    pub fn classes(&self, source: Source) -> Classes {
        self.sources[&source]
    }

    /// What of these a bit that is made of them changes with: seldom with what runs free, which it asks whether it is time.
    pub fn of_answer(&self, classes: Classes) -> Classes {
        classes & !self.free_running
    }

    /// Chance that a partition runs that reads sources of the classes `own`, and values made from those of `through`.
    pub fn chance(&self, own: Classes, through: Classes) -> f64 {
        let rests = |classes: Classes, share: f64| {
            let bits = (0..self.chances.len()).filter(move |class| classes >> class & 1 == 1);
            bits.map(|class| 1.0 - share * self.chances[class]).product::<f64>()
        };
        1.0 - rests(own, 1.0) * rests(through & !own, THROUGH)
    }
}
