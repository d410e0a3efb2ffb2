//! Cores that stand for the mechanisms in tests.
//!
//! A core is a simulator to generate and to compile, so tests that want "every mechanism" share these.
use super::{Composition, MECHANISMS};
use crate::config::CoreConfig;
use crate::limits::parameters;

/// A core that stands for its mechanism.
#[derive(Clone, Copy, Debug)]
pub struct Representative {
    /// As the command line takes it.
    pub spelling: &'static str,
    /// Parameters that are not spelled, where they differ from the default.
    pub parameters: &'static [(&'static str, usize)],
    /// The few that are so have between them all hardware that there is.
    pub is_covering: bool,
    /// Stands for it also among cores of the papers' size.
    pub is_on_paper: bool,
}

impl Representative {
    pub(super) const fn of(spelling: &'static str) -> Self {
        Self { spelling, parameters: &[], is_covering: false, is_on_paper: false }
    }

    pub(super) const fn with(self, parameters: &'static [(&'static str, usize)]) -> Self {
        Self { parameters, ..self }
    }

    pub(super) const fn covering(self) -> Self {
        Self { is_covering: true, ..self }
    }

    pub(super) const fn on_paper(self) -> Self {
        Self { is_on_paper: true, ..self }
    }

    /// On a core of any size.
    ///
    /// # Panics
    /// Not if [`MECHANISMS`] is right, which its tests see to.
    pub fn on(&self, base: CoreConfig) -> CoreConfig {
        let composition: Composition = self.spelling.parse().expect("a mechanism");
        let mut config = base.with(composition);
        for (name, value) in self.parameters {
            let parameter = parameters().find(|parameter| parameter.name == *name).expect("a parameter");
            (parameter.set)(&mut config, *value);
        }
        config
    }

    /// On the tiny core, with as much instruction memory as the kernels need: what Icarus and rust-hdl's own simulator can run.
    pub fn on_tiny(&self) -> CoreConfig {
        self.on(CoreConfig { instruction_words: 1024, ..CoreConfig::tiny() })
    }

    /// On the paper core, if it stands for the mechanism there, too.
    pub fn on_paper_core(&self) -> Option<CoreConfig> {
        self.is_on_paper.then(|| self.on(CoreConfig::paper()))
    }
}

/// All of them: every mechanism, with every kind of block.
pub fn representatives() -> impl Iterator<Item = &'static Representative> {
    MECHANISMS.iter().flat_map(|entry| entry.representatives)
}

/// The few that have between them all hardware that there is, one for every kind of stack.
pub fn covering() -> impl Iterator<Item = &'static Representative> {
    representatives().filter(|representative| representative.is_covering)
}
