//! Which warp issues: scheduler, scoreboard, barriers.
mod issue_stage;
mod scoreboard;
mod scoreboard_row;
mod warp_scheduler;

pub use issue_stage::IssueStage;
pub use scoreboard::Scoreboard;
pub use scoreboard_row::ScoreboardRow;
pub use warp_scheduler::WarpScheduler;
