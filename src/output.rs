//! Standard output and standard error, and files that are there whole or not at all.
use std::fmt::Display;
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use warploom_sim::files;

/// Prints a line on the standard error, as `eprintln!` does; if nobody can read it, nothing is lost but the line.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

pub(crate) use say;

/// Prints a line. A reader that has gone (`warploom modules | head`) is no error.
pub fn print(line: impl Display) -> Result<()> {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}

/// Writes a file. If that fails, what was there before is there still.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    files::replace(path, contents.as_ref()).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_path() {
        let message = |path: &str| format!("{:#}", save(Path::new(path), "text").unwrap_err());
        assert!(message("/dev/full").starts_with("cannot write /dev/full: No space left"), "{}", message("/dev/full"));
        assert!(message("nowhere/file").starts_with("cannot write nowhere/file: No such file"));
    }
}
