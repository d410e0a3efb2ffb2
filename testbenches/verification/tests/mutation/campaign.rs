//! Mutant by mutant.
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::binaries::{Binaries, Tests};
use crate::blocks::Block;
use crate::explained;
use crate::proof::is_equivalent;
use crate::sample::Sampled;

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// These tests fail.
    Caught {
        /// What kind of tests they are.
        stage: Stage,
        /// Their names; with `(no end)` if they do not stop.
        by: Vec<String>,
    },
    /// The block behaves as without it, for all inputs: proven.
    Proven,
    /// The block behaves as without it where it stands, see [`explained`].
    Explained,
    /// No test notices.
    Missed,
}

impl Verdict {
    /// There is nothing to be noticed.
    pub fn is_equivalent(&self) -> bool {
        matches!(self, Self::Proven | Self::Explained)
    }
}

/// Kinds of tests, in the order in which they are tried; the first that notices ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Unit tests of the block and of those that hold it.
    Unit,
    /// The block's testbench.
    Bench,
    /// Random programs on a core.
    Core,
}

/// A mutant and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The mutant.
    pub name: String,
    /// What came of it.
    pub verdict: Verdict,
}

/// Seconds that are added to ten times what tests take without a mutant.
const GRACE: Duration = Duration::from_secs(60);

/// Random programs on a core: not as many as the test has by itself, for the time that takes.
const PROGRAMS: &str = "60";

/// Tests of a block, by kind.
fn stages(block: &Block) -> Vec<(Stage, Tests)> {
    let tests = |binary, filters, environment| Tests { binary, filters, environment };
    let units = block.units.iter().map(|unit| format!("::{unit}::tests")).collect::<Vec<_>>();
    let units = (!units.is_empty()).then(|| (Stage::Unit, tests("unit_tests", units, vec![])));
    let reset = [(Stage::Unit, tests("reset", vec![], vec![("WARPLOOM_MODULE", block.name)]))];
    let benches = block.benches.iter().map(|&bench| {
        let (binary, filter) = bench.split_once(':').unwrap_or((bench, ""));
        let stage = if binary == "unit_tests" { Stage::Unit } else { Stage::Bench };
        (stage, tests(binary, vec![filter.to_string()], vec![]))
    });
    let cores = block.cores.iter().map(|&core| {
        // Another test's name ends with this one.
        let filter = ["--exact", "programs_run_as_in_the_reference_model"].map(str::to_string).to_vec();
        let environment = vec![("WARPLOOM_CORE", core), ("WARPLOOM_RANDOM_PROGRAMS", PROGRAMS)];
        (Stage::Core, tests("random_programs", filter, environment))
    });
    units.into_iter().chain(reset).chain(benches).chain(cores).collect()
}

/// What tests do without a mutant: those that pass, and how long they take.
type Baseline = (BTreeSet<String>, Duration);

/// A run over some mutants.
pub struct Campaign<'a> {
    mutants: &'a [Sampled],
    binaries: Binaries,
    baselines: Mutex<HashMap<Tests, Arc<OnceLock<Baseline>>>>,
}

impl<'a> Campaign<'a> {
    /// Builds what is needed.
    ///
    /// # Panics
    /// If there are no such tests as a block names: at once, not when its turn comes.
    pub fn new(mutants: &'a [Sampled]) -> Self {
        let binaries = Binaries::new(mutants.iter().map(|mutant| &mutant.name));
        let named: HashSet<Tests> =
            mutants.iter().flat_map(|mutant| stages(mutant.block)).map(|stage| stage.1).collect();
        let unknown: Vec<&Tests> = named.iter().filter(|tests| !binaries.have(tests)).collect();
        assert!(unknown.is_empty(), "no such tests: {unknown:#?}");
        Self { mutants, binaries, baselines: Mutex::default() }
    }

    /// Runs them all, the quick tests of every mutant before the slow ones of any, and reports every result when it is there.
    pub fn run(&self, report: impl FnMut(Record) + Send) {
        let report = Mutex::new(report);
        let mut open: Vec<usize> = (0..self.mutants.len()).collect();
        for round in 0.. {
            println!("round {round}: {} mutants", open.len());
            if round > 0 {
                open.iter().for_each(|&index| println!("     open: {}", self.mutants[index].name));
            }
            if open.is_empty() {
                break;
            }
            let (next, left) = (AtomicUsize::new(0), Mutex::new(vec![]));
            let work = || {
                while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (start, name) = (Instant::now(), &self.mutants[index].name);
                    match self.round(round, index) {
                        Some(verdict) => {
                            println!("{:>4} {:5.1} s {name} | {verdict:?}", index + 1, start.elapsed().as_secs_f64());
                            (report.lock().unwrap())(Record { name: name.clone(), verdict });
                        }
                        None => left.lock().unwrap().push(index),
                    }
                }
            };
            std::thread::scope(|scope| {
                [(); 2].map(|()| scope.spawn(work)).map(|worker| worker.join().expect("it runs"))
            });
            open = left.into_inner().unwrap();
            open.sort_unstable();
        }
    }

    /// A mutant and the next kind of tests; when there is none left, whether it makes a difference at all.
    fn round(&self, round: usize, index: usize) -> Option<Verdict> {
        let mutant = &self.mutants[index];
        match stages(mutant.block).into_iter().nth(round) {
            Some((stage, tests)) => {
                let by = self.noticed(stage, &tests, index + 1);
                (!by.is_empty()).then_some(Verdict::Caught { stage, by })
            }
            None if explained::reason(&mutant.name).is_some() => Some(Verdict::Explained),
            None if is_equivalent(&mutant.block.netlist(), &mutant.name) => Some(Verdict::Proven),
            None => Some(Verdict::Missed),
        }
    }

    /// The tests that fail with a mutant, and pass without.
    fn noticed(&self, stage: Stage, tests: &Tests, number: usize) -> Vec<String> {
        let (passing, time) = self.baseline(tests);
        let outcome = self.binaries.run(tests, number, time * 10 + GRACE);
        let here = |name: &str| match (stage, tests.environment.first()) {
            (Stage::Core, Some((_, core))) => format!("{} on {core}", tests.binary),
            _ if tests.binary == "unit_tests" => name.to_string(),
            _ => format!("{}::{name}", tests.binary),
        };
        let mut by: Vec<String> = outcome.failed.intersection(&passing).map(|name| here(name)).collect();
        if by.is_empty() && outcome.stuck {
            let name = passing.difference(&outcome.passed).next().cloned().unwrap_or_default();
            by.push(format!("{} (no end)", here(&name)));
        }
        by
    }

    /// Tests that pass on the design as it is: woven, with no mutant active.
    fn baseline(&self, tests: &Tests) -> Baseline {
        let cell = self.baselines.lock().unwrap().entry(tests.clone()).or_default().clone();
        cell.get_or_init(|| self.pass(tests)).clone()
    }

    fn pass(&self, tests: &Tests) -> Baseline {
        // Once to build the simulators, once for the time.
        let [first, outcome] = [(); 2].map(|()| self.binaries.run(tests, 0, Duration::from_secs(1800)));
        assert!(!outcome.stuck && !outcome.passed.is_empty(), "{tests:?} fail without a mutant");
        let [build, run] = [first.time, outcome.time].map(|time| time.as_secs_f64());
        let (count, Tests { binary, filters, environment }) = (outcome.passed.len(), tests);
        let what = format!("{binary} {} {environment:?}", filters.join(" "));
        println!("     {build:5.1} s, then {run:.1} s: {what}: {count} tests");
        if !outcome.failed.is_empty() {
            println!("     cannot run on a netlist: {:?}", outcome.failed);
        }
        (outcome.passed, outcome.time)
    }
}
