//! Power from activity.
use crate::cells::Cells;
use crate::gates::Gates;

use super::Activity;

/// Average power, in uW.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// At rest.
    pub leakage_uw: f64,
    /// Inside of cells, clock pins included.
    pub internal_uw: f64,
    /// Loading and unloading nets.
    pub switching_uw: f64,
}

/// Average power of gates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Power {
    /// Of all.
    pub total: Part,
    /// By module type of the children of the top; `None` is the top's own logic.
    pub parts: Vec<(Option<String>, Part)>,
    /// Energy of a clock cycle without leakage, in pJ.
    pub cycle_pj: f64,
}

/// Power of gates that were at work.
pub fn estimate(_gates: &Gates, _cells: &Cells, _activity: &Activity, _clock_ns: f64) -> Power {
    Power::default()
}
