//! The compaction-adequacy predictor: Rhu 2014, 4.2.
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor};

use super::Coverage;

/// One predictor serves all CTAs of a core.
pub type SharedPredictor = Rc<RefCell<Predictor>>;

/// Fully associative, least recently used first.
#[derive(Clone, Debug)]
pub struct Predictor {
    /// Size and kind of history.
    pub config: AdequacyPredictor,
    /// Branch and history.
    pub table: Vec<(usize, u8)>,
    /// Times it was asked, and knew the branch.
    pub lookups: (u64, u64),
    /// Rules that have taken effect.
    pub coverage: Coverage,
}

impl Predictor {
    /// An empty table.
    pub fn new(config: AdequacyPredictor) -> Self {
        Self { config, table: vec![], lookups: (0, 0), coverage: Coverage::default() }
    }

    /// The same, to be shared.
    pub fn shared(config: AdequacyPredictor) -> SharedPredictor {
        Rc::new(RefCell::new(Self::new(config)))
    }

    /// The lowest history that predicts adequacy, which is also the first one.
    fn adequate(&self) -> u8 {
        if self.config.history == AdequacyHistory::TwoBit { 2 } else { 1 }
    }

    /// Whether a warp that diverges at `branch` gathers. A miss allocates. Without a table, every warp does.
    pub fn gathers(&mut self, branch: usize) -> bool {
        if self.config.entries == 0 {
            return true;
        }
        self.lookups.0 += 1;
        let entry = match self.table.iter().position(|(known, _)| *known == branch) {
            Some(hit) => {
                self.lookups.1 += 1;
                self.table.remove(hit)
            }
            None => {
                self.coverage.fires("21 allocated");
                if self.table.len() == self.config.entries {
                    self.table.remove(0);
                }
                (branch, self.adequate())
            }
        };
        self.table.push(entry);
        entry.1 >= self.adequate()
    }

    /// What compaction has made of a side; not a use.
    pub fn learn(&mut self, branch: usize, adequate: bool) {
        let Some((_, history)) = self.table.iter_mut().find(|(known, _)| *known == branch) else {
            self.coverage.fires("20 evicted");
            return;
        };
        self.coverage.fires("20 evaluated");
        *history = match (self.config.history, adequate) {
            (AdequacyHistory::Latest, _) => adequate as u8,
            (AdequacyHistory::Sticky, _) => *history,
            (AdequacyHistory::TwoBit, true) => (*history + 1).min(3),
            (AdequacyHistory::TwoBit, false) => history.saturating_sub(1),
        };
    }
}

impl fmt::Display for Predictor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = |branch: usize| (b'A' + branch as u8) as char;
        let entries: Vec<String> =
            self.table.iter().map(|(branch, history)| format!("'{}': {history}", name(*branch))).collect();
        if entries.is_empty() { write!(f, "-") } else { write!(f, "{{{}}}", entries.join(", ")) }
    }
}
