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
use warploom_verification::cores::each;
use warploom_verification::equivalence::Execution;

mod assertions;
mod cores;
mod modules;
mod page;
mod special;
mod whole_runs;

use page::Row;

/// Something to be compared on its own.
struct Job {
    name: String,
    run: Box<dyn Fn() -> Result<Row, String> + Send + Sync>,
}

impl Job {
    fn new(name: impl Into<String>, run: impl Fn() -> Result<Row, String> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

/// The longest first, so that the processors finish together.
fn jobs(only: Option<&str>) -> Vec<Job> {
    let modules = CATALOG.iter().filter(|entry| only.is_none_or(|only| entry.name == only));
    let modules = modules.flat_map(|entry| {
        [
            Job::new(entry.name, || modules::tiny(entry, &Execution::ALL)),
            Job::new(format!("{}, paper", entry.name), || modules::paper(entry)),
        ]
    });
    let mut jobs = if only.is_none_or(|only| only == "core") { cores::jobs() } else { vec![] };
    jobs.extend(modules.filter(|job| job.name != "core, paper"));
    jobs
}

/// Runs them; panics with all disagreements.
fn agree(jobs: Vec<Job>) -> Vec<Row> {
    let (jobs, results): (Vec<_>, _) = (jobs.into_iter().enumerate().collect(), Mutex::new(vec![]));
    each(&jobs, |(number, job)| {
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(&job.run)).unwrap_or_else(|_| Err("panicked, see above".into()));
        let said = result.as_ref().err().map_or("agrees", String::as_str);
        println!("{:<40} {:5.1} s  {said}", job.name, start.elapsed().as_secs_f64());
        results.lock().unwrap().push((*number, result));
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, _)| *number);
    let (rows, failures): (Vec<_>, Vec<_>) = results.into_iter().map(|(_, result)| result).partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    rows.into_iter().filter_map(Result::ok).collect()
}

#[test]
fn tiny_modules_agree_with_their_update() {
    let modules = CATALOG
        .iter()
        .map(|entry| Job::new(entry.name, || modules::tiny(entry, &[Execution::Update, Execution::Simulator])));
    agree(modules.collect());
}

#[test]
#[ignore = "long: every module and core in five executions; runs in .ci/run"]
fn all_executions_agree() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    let jobs = jobs(only.as_deref());
    assert!(!jobs.is_empty(), "no module is called {}", only.unwrap_or_default());
    let rows = agree(jobs);
    if only.is_none() {
        page::check(&rows);
    }
}
