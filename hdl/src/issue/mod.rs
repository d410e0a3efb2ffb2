//! Which warp issues: scheduler, scoreboard, barriers.
mod barrier_slot;
mod barrier_unit;
mod issue_stage;
mod scoreboard;
mod scoreboard_row;
mod warp_scheduler;

pub use barrier_slot::BarrierSlot;
pub use barrier_unit::BarrierUnit;
pub use issue_stage::IssueStage;
pub use scoreboard::Scoreboard;
pub use scoreboard_row::ScoreboardRow;
pub use warp_scheduler::WarpScheduler;
