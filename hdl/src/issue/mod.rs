//! Which warp issues: scheduler, scoreboard, barriers.
mod barrier_slot;
mod barrier_unit;
mod cta_priority;
mod dual_path_scoreboard;
mod issue_stage;
mod path_selector;
mod scoreboard;
mod scoreboard_row;
mod stall_detector;
mod thread_scoreboard;
mod thread_scoreboard_column;
mod warp_scheduler;

pub use barrier_slot::BarrierSlot;
pub use barrier_unit::BarrierUnit;
pub use cta_priority::CtaPriority;
pub use dual_path_scoreboard::DualPathScoreboard;
pub use issue_stage::IssueStage;
pub use path_selector::PathSelector;
pub use scoreboard::Scoreboard;
pub use scoreboard_row::ScoreboardRow;
pub use stall_detector::StallDetector;
pub use thread_scoreboard::ThreadScoreboard;
pub use thread_scoreboard_column::ThreadScoreboardColumn;
pub use warp_scheduler::WarpScheduler;
