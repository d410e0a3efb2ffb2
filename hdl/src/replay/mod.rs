//! Memory instructions that are issued again from the warp buffer, in place of waiting at a hazard (Turner 2012).
//!
//! ```text
//!            +--------------+  warp, slot, mask                      +--------------+
//!   fill --->| ReplayWindow |-------------------> operands ... ----->| memory stage |
//!            | a warp each  |                                        | looks once   |
//!            +--------------+<------+                                +--------------+
//!                   ^               | not all done: again                   | done
//!                   |        +--------------+   check                       |
//!                   |        | PrivateMasks |<------------------------------+
//!                   |        +--------------+                               |
//!             +------------+                                                |
//!             | GoldenLoad |<-----------------------------------------------+
//!             +------------+  who fails too often: the others wait for it
//!       MissCounters, CreditTracker: whether a load that will need an MSHR issues at all
//! ```
mod credit_tracker;
mod golden_load;
mod look_histogram;
mod look_table;
mod miss_counters;
mod private_masks;
mod replay_counters;
mod replay_slots;
mod replay_window;
mod warp_row;

pub use credit_tracker::{CreditTracker, credit_width};
pub use golden_load::GoldenLoad;
pub use look_histogram::{LOOK_GROUPS, LookHistogram};
pub use look_table::LookTable;
pub use miss_counters::MissCounters;
pub use private_masks::PrivateMasks;
pub use replay_counters::{REPLAY_COUNTERS, ReplayCounters};
pub use replay_slots::ReplaySlots;
pub use replay_window::ReplayWindow;
pub use warp_row::WarpRow;
