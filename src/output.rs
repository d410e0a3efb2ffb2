//! Standard output.
use std::fmt::Display;
use std::io::{ErrorKind, Write, stdout};

use anyhow::{Context, Result};

/// Prints a line. A reader that has gone (`warploom modules | head`) is no error.
pub fn print(line: impl Display) -> Result<()> {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}
