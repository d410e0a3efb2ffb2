//! How often each rule has taken effect.
use std::collections::BTreeMap;
use std::fmt;

/// The rules of the mechanisms, and what is counted. The numbers are those of the specification, DWS is warp subdivision; 1 (no reconvergence point), 5 (a parent never
/// resumes at its own end) and 13 (all warps of an entry meet the same event) are assertions or count with others.
pub const RULES: &[(&str, &str)] = &[
    ("2 slot reuse", "a branch reconverges where its entry ends: the entry's slot is reused"),
    ("2 region", "a branch with a new reconvergence point: its entry waits there"),
    ("3 empty side", "a side with no threads, or starting at the reconvergence point, is not pushed"),
    ("4 hole", "an entry takes a hole below the top"),
    ("4 empty top", "an empty entry is dropped from the top"),
    ("5 pop", "an entry ends at its reconvergence point"),
    ("6 uniform", "all threads of a warp's entry go the same way: only its PC changes"),
    ("7 exit", "threads end that are in several entries"),
    ("8 entry", "a likely-convergence entry is pushed"),
    ("8 inherit", "sides inherit the link of the entry whose slot they reuse"),
    ("8 chain", "a likely-convergence entry inherits a link to another one"),
    ("9 merge", "an entry merges into its likely-convergence entry"),
    ("10 wait", "an entry waits at a barrier"),
    ("11 yield", "an entry runs below one that waits"),
    ("11 fallback", "a likely-convergence entry runs though others could still merge into it"),
    ("12 in place", "dual paths: the only side left takes the place of the path that diverged"),
    ("12 overwrite", "dual paths: both sides take over their entry, whose other path is dead"),
    (
        "12 push",
        "dual paths: both sides get an entry of their own though they end where theirs does, since its other path lives",
    ),
    ("12 suspended", "dual paths: a divergence suspends the path beside it"),
    ("12 both", "dual paths: a path diverges that has been suspended after its branch had issued"),
    ("12 yield", "dual paths: a path runs beside one whose threads wait"),
    ("13 commit", "both staged sides of a branch become entries"),
    ("14 uniform mark", "a branch marked uniform passes without gathering"),
    ("15 agreement", "all threads of a CTA-wide entry agree: nothing is pushed"),
    ("16 bypass", "a warp runs ahead into a staged side"),
    ("16 held", "the event of a warp that ran ahead waits for its entry"),
    ("17 second path", "a diverging warp runs ahead on one side, its other threads gather on the other"),
    ("18 refused", "a side that starts at a convergence point takes no warp that runs ahead"),
    ("19 excluded", "an entry is formed without threads that have run ahead"),
    ("20 evaluated", "the predictor learns from a side's first activation"),
    ("20 evicted", "the predictor has lost the branch of a side in the meantime"),
    ("21 allocated", "the predictor allocates an entry"),
    ("22 held barrier", "a warp that ran ahead waits to count at a barrier"),
    ("DWS divide", "a divergence with a short block behind it divides a warp"),
    ("DWS split", "a warp-split diverges"),
    ("DWS arrive", "threads of a divided warp arrive at the end of its entry"),
    ("DWS merge", "warp-splits that have met go on as one"),
    ("DWS park", "a side finds no slot: its threads are parked"),
    ("DWS resume", "parked threads get a slot"),
    ("DWS wait", "a warp-split waits at a barrier"),
    ("DWS end", "all threads of a divided warp have arrived or ended"),
];

/// A count per rule.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeMap<&'static str, u64>);

impl Coverage {
    /// The rule has taken effect.
    pub fn fires(&mut self, rule: &'static str) {
        debug_assert!(RULES.iter().any(|(name, _)| *name == rule), "{rule}");
        *self.0.entry(rule).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (rule, count) in &other.0 {
            *self.0.entry(rule).or_default() += count;
        }
    }

    /// How often.
    pub fn count(&self, rule: &str) -> u64 {
        self.0.get(rule).copied().unwrap_or(0)
    }

    /// Rules that have never taken effect.
    pub fn missing(&self) -> Vec<&'static str> {
        RULES.iter().map(|(rule, _)| *rule).filter(|rule| self.count(rule) == 0).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (rule, meaning) in RULES {
            writeln!(f, "{:>9}  {rule:16} {meaning}", self.count(rule))?;
        }
        Ok(())
    }
}
