//! Standard output, and files that are there whole or not at all.
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Prints a line. A reader that has gone (`warploom modules | head`) is no error.
pub fn print(line: impl Display) -> Result<()> {
    match writeln!(stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}

/// Writes a file. If that fails, what was there before is there still.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    replace(path, contents.as_ref()).with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // What a link leads to is replaced, not the link; what is no file, as /dev/stdout, cannot be.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.exists() && !path.is_file() {
        return fs::write(&path, contents);
    }
    let mut partial = OsString::from(&path);
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let mut file = match File::create(&partial) {
        // A file that may be written, in a directory that may not.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return fs::write(&path, contents),
        created => created?,
    };
    let written = file.write_all(contents).and_then(|()| match fs::metadata(&path) {
        Ok(before) => file.set_permissions(before.permissions()),
        Err(_) => Ok(()),
    });
    written.and_then(|()| fs::rename(&partial, &path)).inspect_err(|_| {
        let _ = fs::remove_file(&partial);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_a_link_stays() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        save(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        save(&link, "after").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_errors_name_the_path() {
        save(Path::new("/dev/null"), "nothing").unwrap();
        let message = |path: &str| format!("{:#}", save(Path::new(path), "text").unwrap_err());
        assert!(message("/dev/full").starts_with("cannot write /dev/full: No space left"), "{}", message("/dev/full"));
        assert!(message("nowhere/file").starts_with("cannot write nowhere/file: No such file"));
    }
}
