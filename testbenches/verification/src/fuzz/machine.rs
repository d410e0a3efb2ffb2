//! [`Machine`]: what cases run on.
use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::machines::in_gpu;

use super::{Bench, SharedParts, core, simulator};
use crate::gpu;

/// A core alone, or several of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The core; all are the same.
    pub config: CoreConfig,
    /// What several share.
    pub shared: Option<SharedParts>,
}

impl Machine {
    /// A core alone.
    pub fn alone(config: &CoreConfig) -> Self {
        Self { config: CoreConfig { in_gpu: false, ..config.clone() }, shared: None }
    }

    /// Cores like this one, which share this.
    pub fn gpu(config: &CoreConfig, shared: SharedParts) -> Self {
        Self { config: in_gpu(config), shared: Some(shared) }
    }

    /// A bench on it.
    ///
    /// # Errors
    /// If it cannot be elaborated or compiled.
    pub fn bench(&self) -> Result<Bench> {
        match &self.shared {
            None => Ok(Bench::new(simulator(&self.config)?, &self.config)),
            Some(shared) => Ok(Bench::gpu(gpu::build(self.config.clone(), shared.system(&self.config))?, shared)),
        }
    }

    /// Machines with less in them, the simplest first: of what has failed it should be said on which of them.
    pub fn simpler(&self) -> Vec<Self> {
        let Some(shared) = &self.shared else {
            return core::simpler(&self.config).iter().map(Self::alone).collect();
        };
        // A core alone is the simplest: then nothing that is shared is to blame. There are few of them, for all have to be compiled.
        let alone = Self::alone(&self.config);
        let simplest = core::simpler(&alone.config).into_iter().next().unwrap_or_else(|| alone.config.clone());
        let plain = SharedParts::plain(shared.cores.min(2), 1);
        // What is shared may need lines of this length.
        let with = |shared: &SharedParts, config: &CoreConfig| {
            Self::gpu(&CoreConfig { line_bytes: self.config.line_bytes, ..config.clone() }, shared.clone())
        };
        let mut machines = vec![
            Self::alone(&simplest),
            alone,
            with(&plain, &simplest),
            with(shared, &simplest),
            with(&plain, &self.config),
        ];
        machines.retain(|machine| machine.config.check().is_ok() && machine != self);
        machines.dedup();
        machines
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::mechanism::MECHANISMS;

    use super::super::GpuSize;
    use super::*;
    use crate::random_program::Choices;

    #[test]
    fn what_is_drawn_and_what_is_simpler_can_be_built() {
        for seed in 0..200 {
            let mut choices = Choices::random(seed);
            let entry = MECHANISMS[seed as usize % MECHANISMS.len()];
            let config = in_gpu(&core::draw(&mut choices, entry, seed / 6, None));
            let size = GpuSize { cores: 3, channels: (seed % 2 == 0).then_some(4) };
            let shared = SharedParts::draw(&mut choices, &config, size);
            assert!(size.channels.is_none_or(|channels| channels == shared.channels), "{shared:?}");
            let machine = Machine::gpu(&config, shared);
            let simpler = machine.simpler();
            assert!(simpler[0].shared.is_none() && !simpler.contains(&machine), "{simpler:?}");
            for Machine { config, shared } in simpler.iter().chain([&machine]) {
                assert_eq!(config.check(), Ok(()));
                assert_eq!(config.in_gpu, shared.is_some());
                assert_eq!(shared.as_ref().map_or(Ok(()), |shared| shared.check(config)), Ok(()));
            }
        }
    }
}
