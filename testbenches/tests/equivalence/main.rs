//! Every module of the catalog, at tiny sizes, in four executions.
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_testbenches::equivalence::check;

mod kernels;
mod special;

use special::{Special, special};

fn verify(entry: &CatalogEntry) -> Result<(), String> {
    let Special { config, stimulus, silent } = special(entry.name);
    let agreement = check((entry.build)(&config), &stimulus)?;
    match &agreement.unexplained(silent)[..] {
        [] => Ok(()),
        silent => Err(format!("never toggle: {}", silent.join(", "))),
    }
}

/// All modules, two at a time; `WARPLOOM_MODULE=alu` picks one.
#[test]
fn all_executions_agree() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    let entries: Vec<_> =
        CATALOG.iter().filter(|entry| only.as_deref().is_none_or(|only| entry.name == only)).collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = std::time::Instant::now();
            let result =
                std::panic::catch_unwind(|| verify(entry)).unwrap_or_else(|_| Err("panicked, see above".into()));
            println!(
                "{:<24} {:5.1} s  {}",
                entry.name,
                start.elapsed().as_secs_f64(),
                result.as_ref().err().map_or("agrees", String::as_str)
            );
            if let Err(problem) = result {
                failures.lock().unwrap().push(format!("{}: {problem}", entry.name));
            }
        }
    };
    std::thread::scope(|scope| {
        (0..2).for_each(|_| {
            scope.spawn(work);
        })
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
