//! Many cases, by their seeds. Every seed stands for a core or a GPU, which is that of all seeds of its block, and for a case on it.
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use warploom_hdl::config::Extensions;
use warploom_hdl::mechanism::Entry;
use warploom_runtime::host::DeviceError;
use warploom_runtime::machines::in_gpu;

use super::file::OnMachine;
use super::shrink::{Shrunk, shrink};
use super::{Bench, Case, Failure, GpuSize, Machine, Passed, SharedParts, core, observed_simulator};
use crate::coverage::{self, Tally};
use crate::random_program::Choices;

/// Seeds with the same core: so many that its simulator's compilation takes the lesser part.
pub const BLOCK: u64 = 250;
/// Cases tried to make one smaller.
const TRIES: usize = 1500;

/// What is drawn from.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Mechanisms of the cores; block after block takes the next, and when all have been taken the next scheduler. Not empty.
    pub mechanisms: Vec<&'static Entry>,
    /// Only cores of this instruction set.
    pub isa: Option<Extensions>,
    /// Several of these cores, with what they share.
    pub gpu: Option<GpuSize>,
}

/// Some seeds of one machine.
#[derive(Clone, Debug)]
pub struct Block {
    /// What its mechanism is drawn from.
    pub mechanism: &'static Entry,
    /// The core, or the GPU.
    pub machine: Machine,
    /// The seeds.
    pub seeds: Range<u64>,
}

/// A difference, made small.
pub struct Found {
    /// Of the case as it was drawn.
    pub seed: u64,
    /// What is different, of the case as it is.
    pub failure: Failure,
    /// The smallest case found, with its machine.
    pub smallest: OnMachine,
    /// Cases tried for that.
    pub tried: usize,
}

impl Campaign {
    /// These seeds, by their machines.
    pub fn blocks(&self, seeds: Range<u64>) -> impl Iterator<Item = Block> + '_ {
        (seeds.start / BLOCK..seeds.end.div_ceil(BLOCK)).map(move |number| {
            let (round, place) = (number / self.mechanisms.len() as u64, number % self.mechanisms.len() as u64);
            let mechanism = self.mechanisms[place as usize];
            // The cases of a seed and the core of a block have nothing to do with each other.
            let mut choices = Choices::random(!number);
            let config = core::draw(&mut choices, mechanism, round, self.isa);
            let machine = match self.gpu {
                None => Machine::alone(&config),
                Some(size) => {
                    let config = in_gpu(&config);
                    let shared = SharedParts::draw(&mut choices, &config, size);
                    Machine::gpu(&config, shared)
                }
            };
            let first = seeds.start.max(number * BLOCK);
            Block { mechanism, machine, seeds: first..seeds.end.min((number + 1) * BLOCK) }
        })
    }
}

impl Block {
    /// Runs all of it. `ran` is told how each case went; after a difference it goes on. What the cases without one hit is added to `coverage`.
    /// Ends early when `stop` is set, also while a case runs or is made smaller.
    ///
    /// # Errors
    /// If the machine cannot be built, or the coverage of a GPU is asked for, which nothing counts.
    pub fn run(
        &self,
        stop: &Arc<AtomicBool>,
        mut coverage: Option<&mut Tally>,
        mut ran: impl FnMut(u64, Result<Passed, Box<Found>>) -> Result<()>,
    ) -> Result<()> {
        let config = &self.machine.config;
        let (mut bench, watch) = match coverage {
            None => (self.machine.bench()?, None),
            Some(_) => {
                ensure!(self.machine.shared.is_none(), "coverage is counted on a core alone");
                let simulator = observed_simulator(config, coverage::nets(config))?;
                let (bench, watch) = coverage::watched(simulator, config);
                (bench, Some(watch))
            }
        };
        bench.stop_by(stop.clone());
        for seed in self.seeds.clone() {
            if bench.stopped() {
                break;
            }
            let mut choices = Choices::random(seed);
            let case = Case::draw(&mut choices, config)?;
            let checked = bench.check(&case);
            if matches!(checked, Err(Failure::Core(DeviceError::Interrupted { .. }))) {
                break;
            }
            if let (Some(tally), Some(watch)) = (&mut coverage, &watch) {
                let seen = watch.borrow_mut().take();
                if checked.is_ok() {
                    tally.add(&seen, config, &case);
                }
            }
            match checked {
                Ok(passed) => ran(seed, Ok(passed))?,
                Err(failure) => {
                    let found = smallest(&mut bench, seed, choices.into_parts().0, case, failure)?;
                    if let Some(watch) = &watch {
                        // What the tries have hit does not count.
                        watch.borrow_mut().take();
                    }
                    ran(seed, Err(Box::new(found)))?;
                }
            }
        }
        Ok(())
    }
}

/// A difference of the same kind in a smaller case, and if there is one, on a simpler machine: the smallest that has been found when the bench is stopped.
///
/// # Errors
/// If a simpler machine cannot be built.
pub fn smallest(bench: &mut Bench, seed: u64, made: Vec<u32>, case: Case, failure: Failure) -> Result<Found> {
    let kind = failure.kind();
    let stop = bench.stop();
    let mut found = Found { seed, failure, smallest: OnMachine { machine: bench.machine().clone(), case }, tried: 0 };
    let on = |bench: &mut Bench, made: Vec<u32>, found: &mut Found| {
        let machine = bench.machine().clone();
        let draw = |choices: &mut Choices| Case::draw(choices, &machine.config).ok();
        let mut last = None;
        let fails = |case: &Case| match bench.check(case) {
            Err(failure) if failure.kind() == kind => {
                last = Some(failure);
                true
            }
            _ => false,
        };
        let shrunk = shrink(made, TRIES, &stop, draw, fails);
        if let Some(Shrunk { made, case, tried }) = shrunk {
            found.tried += tried;
            if let Some(failure) = last {
                (found.failure, found.smallest) = (failure, OnMachine { machine, case });
            }
            return Some(made);
        }
        None
    };
    let made = on(bench, made.clone(), &mut found).unwrap_or(made);
    for machine in bench.machine().simpler() {
        if bench.stopped() {
            break;
        }
        let mut other = machine.bench()?;
        other.stop_by(stop.clone());
        let Ok(case) = Case::draw(&mut Choices::replay(made.clone()), &machine.config) else { continue };
        match other.check(&case) {
            Err(failure) if failure.kind() == kind => {
                (found.failure, found.smallest) = (failure, OnMachine { machine, case });
                on(&mut other, made, &mut found);
                break;
            }
            _ => {}
        }
    }
    Ok(found)
}
