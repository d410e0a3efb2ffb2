//! Pictures of execution, as in the papers' figures (Fung & Aamodt 2011, Fig 7; Rhu 2014, Fig 4.1): who runs in each lane, cycle by
//! cycle, a panel for every mechanism.
//!
//! [`Recorder`] fills a [`Panel`] while the core runs; [`render()`] draws panels of one program below each other.
mod panel;
mod recorder;
mod render;

pub use panel::{Column, Panel, Window};
pub use recorder::{FirstIdleLane, Recorder};
pub use render::render;
pub use warploom_runtime::trace::BlockNames;

#[cfg(test)]
mod tests;
