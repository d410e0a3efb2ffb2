//! The equivalence matrix: every module of the catalog, and the core under every mechanism on every kernel, in executions that
//! must agree on every output in every cycle.
//!
//! `WARPLOOM_MODULE=alu` picks one module (at tiny and paper sizes), `WARPLOOM_MODULE=core` the cores. With `WARPLOOM_WRITE=1` the
//! test writes docs/verification/equivalence.md instead of comparing it.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use warploom_hdl::catalog::CATALOG;

mod assertions;
mod cores;
mod modules;
mod page;
mod special;

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
            Job::new(entry.name, || modules::tiny(entry)),
            Job::new(format!("{}, paper", entry.name), || modules::paper(entry)),
        ]
    });
    let mut jobs = if only.is_none_or(|only| only == "core") { cores::jobs() } else { vec![] };
    jobs.extend(modules.filter(|job| job.name != "core, paper"));
    jobs
}

#[test]
fn all_executions_agree() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    let jobs = jobs(only.as_deref());
    assert!(!jobs.is_empty(), "no module is called {}", only.unwrap_or_default());
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        while let Some((number, job)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, jobs.get(n)?)))
        {
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(&job.run)).unwrap_or_else(|_| Err("panicked, see above".into()));
            let said = result.as_ref().err().map_or("agrees", String::as_str);
            println!("{:<40} {:5.1} s  {said}", job.name, start.elapsed().as_secs_f64());
            results.lock().unwrap().push((number, result));
        }
    };
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        (0..processors).for_each(|_| drop(scope.spawn(work)));
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, _)| *number);
    let (rows, failures): (Vec<_>, Vec<_>) = results.into_iter().map(|(_, result)| result).partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    let rows: Vec<Row> = rows.into_iter().filter_map(Result::ok).collect();
    if only.is_none() {
        page::check(&rows);
    }
}
