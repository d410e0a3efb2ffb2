//! Which core a test runs on. This is the one place that says so.
//!
//! Every core is a simulator of its own, and compiling one takes longer than what most tests do with it. A test that needs some core, or a core with
//! some mechanism, therefore takes one of these: they are compiled once, whoever asks first. Only a test of a parameter builds
//! a core that nobody else has. What stands for the mechanisms is said in their table: [`warploom_hdl::mechanism`].
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{Composition, covering};

/// A core of these sizes with the mechanism that the command line spells so.
///
/// # Panics
/// If there is no such mechanism.
pub fn with(spelling: &str, sizes: CoreConfig) -> CoreConfig {
    let composition: Composition = spelling.parse().unwrap_or_else(|error| panic!("{error}"));
    sizes.with(composition)
}

/// The core of a test that needs no other. It has no floats.
pub fn plain() -> CoreConfig {
    CoreConfig::tiny()
}

/// The smallest core with every kind of stack, and with floats.
pub fn tiny() -> Vec<CoreConfig> {
    covering().map(|one| with_floats(one.on(CoreConfig::tiny()))).collect()
}

/// This core with floats: all kernels run on it.
pub fn with_floats(config: CoreConfig) -> CoreConfig {
    CoreConfig { floats: true, ..config }
}

/// Whether its warps are compacted: as it is, and not, if a launch may ask for that.
pub fn compactions(config: &CoreConfig) -> &'static [bool] {
    if config.may_leave_warps() { &[true, false] } else { &[true] }
}

/// Does it for each of them, on every processor: the compiler takes most of the time, and it has one thread for most of its own.
///
/// # Panics
/// If one of them does.
pub fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(worker))));
}
