//! Functional coverage: the points that matter, and how often random programs hit them in the hardware.
//!
//! ```text
//!  rules.rs ---------> RuleWatch ---+                +--- classes of the core, the launch, the memory
//!                                   +--> Seen --> Tally --> Report
//!  instructions.rs --> IssueWatch --+
//! ```
//!
//! The points are defined here and nowhere else: [`rules`](RULES) by mechanism, crossed with [`classes`]; [`instructions`] crossed with who executes
//! them and what they have waited for; beside each cross, which of its points cannot be hit, and why. Hits are counted in nets of the simulated core, never in the text of a program,
//! so a simulator whose coverage is measured has to show [`nets`].
use std::cell::RefCell;
use std::rc::Rc;

use warploom_hdl::config::CoreConfig;
use warploom_sim::Simulator;

use crate::fuzz::Bench;

pub mod classes;
mod group;
pub mod instructions;
mod issue_watch;
mod nets;
mod report;
mod rule_watch;
mod rules;
mod tally;

pub use group::{Dimension, Group};
pub use report::{GroupReport, Report, RowReport, ValueReport, percent};
pub use rules::{Counts, RULES, Rule};
pub use tally::{Tally, groups};

use issue_watch::IssueWatch;
use rule_watch::RuleWatch;

/// What a case has hit.
pub struct Seen {
    /// By rule.
    pub rules: Counts,
    /// By point of the group of instructions.
    pub instructions: Vec<u64>,
}

/// Counts in the simulator of a bench.
pub struct Watch {
    rules: RuleWatch,
    issue: IssueWatch,
}

/// The nets that a simulator of this core must show.
pub fn nets(config: &CoreConfig) -> Vec<String> {
    [rule_watch::nets(config), issue_watch::nets(config)].concat()
}

/// A bench on a simulator that shows [`nets`], and what is counted in it.
pub fn watched(simulator: Simulator, config: &CoreConfig) -> (Bench, Rc<RefCell<Watch>>) {
    let watch = Watch { rules: RuleWatch::new(&simulator, config), issue: IssueWatch::new(&simulator, config) };
    let watch = Rc::new(RefCell::new(watch));
    let sees = watch.clone();
    let bench = Bench::watched(simulator, config, move |simulator| {
        let Watch { rules, issue } = &mut *sees.borrow_mut();
        rules.push(simulator);
        issue.push(simulator);
    });
    (bench, watch)
}

impl Watch {
    /// What has been hit since this was asked last.
    pub fn take(&mut self) -> Seen {
        Seen { rules: self.rules.take(), instructions: self.issue.take() }
    }
}
