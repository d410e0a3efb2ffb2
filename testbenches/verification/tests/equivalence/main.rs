//! The equivalence matrix: every module of the catalog, and the core under every mechanism on every kernel, in executions that
//! must agree on every output in every cycle.
//!
//! `cargo test` compares the modules at tiny sizes in `update()` and the simulator; the whole matrix runs with `--ignored`.
//! `WARPLOOM_MODULE=alu` picks one module of it (at tiny and paper sizes), `WARPLOOM_MODULE=core` the cores. With `WARPLOOM_WRITE=1` the
//! test writes docs/verification/equivalence.md instead of comparing it.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

use warploom_hdl::catalog::CATALOG;
use warploom_hdl::prelude::Block;
use warploom_requirements::Shown;
use warploom_sim::elaborate;
use warploom_synth::verilog::export;
use warploom_verification::cores::each;
use warploom_verification::equivalence::Execution;

mod assertions;
mod cores;
mod gpu;
mod modules;
mod page;
mod special;
mod whole_runs;

use page::Row;

/// Something to be compared on its own.
struct Job {
    name: String,
    block: Box<dyn Fn() -> Box<dyn Block> + Send + Sync>,
    run: Box<dyn Fn() -> Result<Row, String> + Send + Sync>,
}

impl Job {
    fn new(
        name: impl Into<String>,
        block: impl Fn() -> Box<dyn Block> + Send + Sync + 'static,
        run: impl Fn() -> Result<Row, String> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), block: Box::new(block), run: Box::new(run) }
    }

    /// The hardware in all its detail.
    fn design(&self) -> String {
        let mut block = (self.block)();
        block.connect_all();
        export(&elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", self.name)))
    }
}

/// The longest first, so that the processors finish together.
fn jobs(only: Option<&str>) -> Vec<Job> {
    let modules = CATALOG.iter().filter(|entry| only.is_none_or(|only| entry.name == only));
    let modules = modules.flat_map(|entry| [modules::tiny(entry), modules::paper(entry)]);
    let mut jobs = if only.is_none_or(|only| only == "core") { cores::jobs() } else { vec![] };
    // What holds cores of the papers' sizes has them on kernels, in whole_runs.
    jobs.extend(modules.filter(|job| !["core, paper", "core_tile, paper", "gpu, paper"].contains(&&job.name[..])));
    let named = CATALOG.iter().filter(|entry| only.is_none_or(|only| entry.name == only));
    jobs.extend(named.flat_map(|entry| modules::variants(entry, usize::MAX, &Execution::ALL)));
    jobs
}

/// Runs them, but for those of which it has been shown; panics with all disagreements.
fn agree(jobs: Vec<Job>, shown: Option<&Shown>) -> Vec<(usize, Row)> {
    let (jobs, results): (Vec<_>, _) = (jobs.into_iter().enumerate().collect(), Mutex::new(vec![]));
    each(&jobs, |(number, job)| {
        let start = Instant::now();
        let design = shown.map(|shown| (shown, job.design()));
        if design.as_ref().is_some_and(|(shown, design)| !shown.is_due(&job.name, design)) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(&job.run)).unwrap_or_else(|_| Err("panicked, see above".into()));
        let said = result.as_ref().err().map_or("agrees", String::as_str);
        if let (Some((shown, design)), Ok(_)) = (&design, &result) {
            shown.record(&job.name, design);
        }
        println!("{:<40} {:5.1} s  {said}", job.name, start.elapsed().as_secs_f64());
        results.lock().unwrap().push((*number, result));
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, _)| *number);
    let failures: Vec<&str> = results.iter().filter_map(|(_, result)| Some(&result.as_ref().err()?[..])).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    results.into_iter().filter_map(|(number, result)| Some((number, result.ok()?))).collect()
}

#[test]
fn tiny_modules_agree_with_their_update() {
    let brief = &[Execution::Update, Execution::Simulator];
    let variants = CATALOG.iter().flat_map(|entry| modules::variants(entry, 1000, brief));
    agree(CATALOG.iter().map(modules::briefly).chain(variants).collect(), None);
}

#[test]
#[ignore = "long: every module and core in five executions; runs in .ci/run"]
fn all_executions_agree() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    let jobs = jobs(only.as_deref());
    assert!(!jobs.is_empty(), "no module is called {}", only.unwrap_or_default());
    let names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
    let rows = agree(jobs, Some(&Shown::by("executions")));
    if only.is_none() {
        page::check(&names, &rows);
    }
}
