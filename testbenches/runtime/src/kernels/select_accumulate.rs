//! The scan of [`select`](super::select), by the instruction that stores what lanes have found one behind the other.
use super::About;
pub(super) use super::select::run;

pub(super) const ABOUT: About = About {
    summary: "numbers of the words of a table below a limit: an instruction stores what lanes have found, a row at a time",
    papers: "Narasiman 2014 (full table scan, COND_ACC)",
    ..super::select::ABOUT
};
