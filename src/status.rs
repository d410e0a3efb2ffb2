//! How a command ends, for the shell.
use std::process::ExitCode;

/// Exit status of a command that did its work; an error (bad usage or input) is 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Pass,
    /// The kernel's result is wrong, or a check found something.
    Fail,
    /// The hardware or the watchdog stopped the run: trap, deadlock, overflow, cycle limit.
    Stopped,
    /// Ctrl-C.
    Interrupted,
}

/// Bad usage or input.
pub const BAD_INPUT: u8 = 2;
/// Ctrl-C, as a shell reports it.
pub const INTERRUPTED: u8 = 130;

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Pass => 0,
            Status::Fail => 1,
            Status::Stopped => 3,
            Status::Interrupted => INTERRUPTED,
        })
    }
}
