//! Code of others that panics where it should return an error.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls are under way.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// Calls it. `None` if it has panicked, of which nothing is printed, whichever of its threads it was.
pub fn quietly<T>(call: impl FnOnce() -> T) -> Option<T> {
    UNDER_WAY.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(call)).ok();
    UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Whether a panic is no bug of warploom's.
pub fn is_under_way() -> bool {
    UNDER_WAY.load(Ordering::SeqCst) > 0
}
