//! What a test needs beside Rust: tools and libraries of cells.
//!
//! `cargo test` passes on a machine with nothing but Rust, and must not look as if everything had run there. libtest captures what a
//! test that passes prints, and cannot be told at run time that a test is ignored. So a skip is written to the standard error itself, and
//! the last line of a suite counts them:
//!
//! ```text
//! skipped: opencl: vectors_add needs clang and ld.lld: not here (`warploom doctor`)
//! ...
//! opencl: 10 tests were skipped
//! ```
//!
//! And what has been [shown](Shown) of a design that has not changed since.
mod shown;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

pub use shown::Shown;

/// With the value 1: what is missing is an error, as in `.ci/run`.
const REQUIRED: &str = "WARPLOOM_REQUIRE_TOOLS";

/// The tests that were skipped.
static SKIPPED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Whether all that a test needs is here, each by its name. If not, the test is to return.
///
/// # Panics
///
/// If something is missing and `WARPLOOM_REQUIRE_TOOLS=1`.
pub fn met(needs: &[(&str, bool)]) -> bool {
    let missing: Vec<_> = needs.iter().filter(|(_, is_here)| !is_here).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join(" and ");
    let required = std::env::var_os(REQUIRED).is_some_and(|value| value == "1");
    assert!(!required, "{missing}: not here, and {REQUIRED}=1 asks for it");
    skip(&missing);
    false
}

/// For a test that is about to return, since it cannot run without this, and nobody has to have it.
pub fn skip(missing: &str) {
    // libtest names a test's thread after it; where a test starts threads of its own, they have none.
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    say(&format!("skipped: {}: {test} needs {missing}: not here (`warploom doctor`)", suite()));
    let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    if skipped.is_empty() {
        // SAFETY: `count` is an `extern "C"` function without arguments that does not unwind. libtest ends by `exit`, which runs it.
        unsafe { libc::atexit(count) };
    }
    skipped.insert(test);
}

/// The last line of a suite.
extern "C" fn count() {
    let skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).len();
    let tests = if skipped == 1 { "1 test was".to_string() } else { format!("{skipped} tests were") };
    say(&format!("{}: {tests} skipped", suite()));
}

/// Past the capture of libtest, which is one of the printing macros only.
fn say(line: &str) {
    // A reader that has gone away is no reason for a test to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The name of this process' executable, without the hash that cargo appends.
fn suite() -> String {
    let executable = std::env::current_exe().ok();
    let stem = executable.as_deref().and_then(|path| path.file_stem()).unwrap_or_default().to_string_lossy();
    stem.rsplit_once('-').map_or(&*stem, |(name, _)| name).to_string()
}
