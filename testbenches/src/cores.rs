//! Which core a test runs on. This is the one place that says so.
//!
//! Every core is a simulator of its own, and compiling one takes longer than what most tests do with it. A test that needs some core, or a core with
//! some mechanism, therefore takes one of these: they are compiled once, whoever asks first. Only a test of a parameter builds
//! a core that nobody else has.
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, DualPathVariant, Mechanism, Permutation, Subdivision,
};

/// A mechanism, with the options that exercise most of it.
#[derive(Clone, Copy, Debug)]
pub struct Representative {
    /// As the command line spells it.
    pub name: &'static str,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Whether its stack has likely-convergence points.
    pub likely_convergence: bool,
    /// Where the threads of a warp run.
    pub permutation: Permutation,
}

impl Representative {
    /// A core of these sizes with the mechanism.
    pub fn with(&self, sizes: CoreConfig) -> CoreConfig {
        let Self { mechanism, likely_convergence, permutation, .. } = *self;
        CoreConfig { mechanism, likely_convergence, permutation, ..sizes }
    }
}

/// Conventional single-path execution.
pub const SPE: Representative = Representative {
    name: "spe",
    mechanism: Mechanism::SinglePath,
    likely_convergence: false,
    permutation: Permutation::None,
};
/// Single-path execution with likely-convergence points.
pub const SPE_LCP: Representative = Representative { name: "spe+lcp", likely_convergence: true, ..SPE };
/// Thread-block compaction: warps of threads from several rows.
pub const TBC_LCP: Representative =
    Representative { name: "tbc+lcp", mechanism: Mechanism::Tbc, likely_convergence: true, ..SPE };
/// The same with uniform branches marked.
pub const TBC_PLUS: Representative = Representative { name: "tbc+", mechanism: Mechanism::TbcPlus, ..SPE };
/// Compaction only where it is predicted to be worth it, in permuted lanes.
pub const CAPRI: Representative = Representative {
    name: "capri+lcp+slp",
    mechanism: Mechanism::Capri(AdequacyPredictor { entries: 32, history: AdequacyHistory::Latest }),
    likely_convergence: true,
    permutation: Permutation::Balanced,
};
/// Two paths of a warp at once.
pub const DPE: Representative =
    Representative { name: "dpe", mechanism: Mechanism::DualPath(DualPathVariant::Full), ..SPE };
/// Warps that are divided.
pub const DWS: Representative = Representative {
    name: "dws:50",
    mechanism: Mechanism::Subdivision(Subdivision { threshold: 50, splits: 4 }),
    ..SPE
};

/// Every mechanism once.
pub const MECHANISMS: [Representative; 7] = [SPE, SPE_LCP, TBC_LCP, TBC_PLUS, CAPRI, DPE, DWS];

/// The core of a test that needs no other.
pub fn plain() -> CoreConfig {
    SPE.with(CoreConfig::tiny())
}

/// Every mechanism on the smallest core.
pub fn tiny() -> [CoreConfig; MECHANISMS.len()] {
    MECHANISMS.map(|mechanism| mechanism.with(CoreConfig::tiny()))
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
