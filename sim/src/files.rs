//! Files of users: read if they are files and of a sensible size, and written whole or not at all.
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;

use tempfile::{Builder, NamedTempFile};

use crate::tool::{self, ToolError};

/// Bytes of a file that nobody has a reason to give: a program, a table, a description.
pub const MOST: u64 = 1 << 30;

/// Sees that a path leads to a file of up to `most` bytes. What is none - a directory, a pipe, a device - would not end, or never come.
pub fn check_readable(path: &Path, most: u64) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    let kind = metadata.file_type();
    let reason = if metadata.is_dir() {
        "it is a directory, not a file".to_string()
    } else if kind.is_fifo() || kind.is_socket() {
        "it is a pipe, not a file: write to a file first, and name that".to_string()
    } else if !metadata.is_file() {
        "it is a device, not a file".to_string()
    } else if metadata.len() > most {
        too_large(most)
    } else {
        return Ok(());
    };
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

fn too_large(most: u64) -> String {
    format!("it has more than {most} bytes, the most that makes sense here")
}

/// What is in a file of up to `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    check_readable(path, most)?;
    let mut bytes = Vec::new();
    // It may grow meanwhile, and files of the kernel do not say how long they are.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::Error::new(ErrorKind::InvalidInput, too_large(most))) } else { Ok(bytes) }
}

/// The same of a text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text in UTF-8"))
}

/// Where what is written to a path goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// This file, be it there or not: behind all links, its directory without any.
    File(PathBuf),
    /// Something else, as /dev/stdout or a named pipe: it is written to.
    Stream,
}

/// Links that lead to another at most, as the kernel has it.
const LINKS: usize = 40;

/// Where what is written to `path` goes. What a link leads to is written, not the link, also if it is not there yet.
pub fn place(path: &Path) -> io::Result<Place> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(Place::Stream);
    }
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        // What ends in a slash names a directory, though `file_name` does not see it.
        let bytes = path.as_os_str().as_encoded_bytes();
        let is_file = !bytes.ends_with(b"/") && !bytes.ends_with(b"/.");
        let Some(name) = path.file_name().filter(|_| is_file) else { return Err(ErrorKind::IsADirectory.into()) };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = fs::canonicalize(parent)?;
        // What a program has open; a file that is renamed to there would be another one.
        if parent.starts_with("/proc") {
            return Ok(Place::Stream);
        }
        let resolved = parent.join(name);
        match fs::symlink_metadata(&resolved) {
            Ok(metadata) if metadata.is_symlink() => path = parent.join(fs::read_link(&resolved)?),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => return Ok(Place::File(resolved)),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Whether [`replace`] would work there, as far as one can tell without changing anything.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let Place::File(file) = place(path)? else {
        // Where only what a program has open is named, nothing is made.
        return if fs::metadata(path)?.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) };
    };
    if file.exists() {
        return OpenOptions::new().write(true).open(&file).map(drop);
    }
    beside(&file).map(drop)
}

/// Writes a file: whatever happens meanwhile, all of it is there or what was there before.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let Place::File(path) = place(path)? else {
        return stream(path)?.write_all(contents);
    };
    let mut file = match beside(&path) {
        // A file that may be written, in a directory that may not.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && path.exists() => {
            return fs::write(&path, contents);
        }
        created => created?,
    };
    // Errors of the temporary file itself would name it, and nobody knows that name.
    file.as_file_mut().write_all(contents)?;
    if let Ok(before) = fs::metadata(&path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|failed| failed.error)?;
    Ok(())
}

/// A file to write bit by bit, empty; or what is no file, to write to.
pub fn create(path: &Path) -> io::Result<File> {
    match place(path)? {
        Place::File(path) => File::create(path),
        Place::Stream => stream(path),
    }
}

/// What is no file, to write to. Standard output is this process's own, so that what is written stands behind what has been printed.
fn stream(path: &Path) -> io::Result<File> {
    let (at, mut stdout) = (fs::metadata(path)?, io::stdout());
    stdout.flush()?;
    let own = File::from(stdout.as_fd().try_clone_to_owned()?);
    let is_own = own.metadata().is_ok_and(|own| (own.dev(), own.ino()) == (at.dev(), at.ino()));
    match is_own {
        true => Ok(own),
        false if at.file_type().is_fifo() => pipe(path),
        false => OpenOptions::new().append(true).open(path),
    }
}

/// A named pipe, as soon as somebody reads it. Opened in the ordinary way, it would wait for that behind Ctrl-C.
fn pipe(path: &Path) -> io::Result<File> {
    let pipe = loop {
        match OpenOptions::new().append(true).custom_flags(libc::O_NONBLOCK).open(path) {
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                tool::go_on().map_err(|interrupted| io::Error::other(ToolError::from(interrupted)))?;
                thread::sleep(tool::LOOK);
            }
            opened => break opened?,
        }
    };
    // From here on a reader that is slow is waited for.
    // SAFETY: sets flags of a descriptor that is open.
    match unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(pipe),
    }
}

/// A new file in the directory of another one, which goes away unless it takes the other one's place. Its name is nobody's, and does
/// not grow with the other one's.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let mut builder = Builder::new();
    // Opened by ourselves: an error of `tempfile_in` has the name in it.
    let open = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).mode(0o666).open(path);
    builder.prefix(".warploom-").make_in(directory, open)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_file_is_replaced_and_a_link_stays() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        replace(&at("file"), b"before").unwrap();
        fs::set_permissions(at("file"), Permissions::from_mode(0o640)).unwrap();
        symlink(at("file"), at("link")).unwrap();
        replace(&at("link"), b"after").unwrap();
        assert_eq!(fs::read(at("file")).unwrap(), b"after");
        assert_eq!(fs::metadata(at("file")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn what_a_dangling_link_leads_to_is_made() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("there")).unwrap();
        symlink("there/second", at("first")).unwrap();
        symlink("file", at("there/second")).unwrap();
        check_writable(&at("first")).unwrap();
        replace(&at("first"), b"text").unwrap();
        assert_eq!(fs::read(at("there/file")).unwrap(), b"text");
        assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
        symlink("circle", at("circle")).unwrap();
        assert!(check_writable(&at("circle")).is_err());
    }

    #[test]
    fn nobody_elses_file_is_touched_on_the_way() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("a.partial"), "mine").unwrap();
        symlink(at("a.partial"), at("b.partial")).unwrap();
        replace(&at("a"), b"text").unwrap();
        replace(&at("b"), b"text").unwrap();
        assert_eq!(fs::read(at("a.partial")).unwrap(), b"mine");
    }

    #[test]
    fn the_longest_name_there_can_be() {
        let directory = tempfile::tempdir().unwrap();
        let longest = directory.path().join("n".repeat(255));
        check_writable(&longest).unwrap();
        replace(&longest, b"text").unwrap();
        assert_eq!(fs::read(&longest).unwrap(), b"text");
        assert!(check_writable(&directory.path().join("n".repeat(256))).is_err());
    }

    #[test]
    fn a_name_with_a_slash_at_its_end_is_none_of_a_file() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("there"), "before").unwrap();
        for name in ["new/", "new/.", "new//", "there/", "there/."] {
            let path = directory.path().join(name);
            for refused in [check_writable(&path), replace(&path, b"text"), create(&path).map(drop)] {
                assert_eq!(refused.unwrap_err().kind(), ErrorKind::IsADirectory, "{name}");
            }
        }
        assert_eq!(fs::read(directory.path().join("there")).unwrap(), b"before");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_no_file_that_nobody_knows() {
        // Nobody makes files there, not even root.
        let error = check_writable(Path::new("/sys/warploom")).unwrap_err().to_string();
        assert!(!error.contains("path"), "{error}");
    }

    #[test]
    fn a_pipe_waits_for_who_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (path, long) = (pipe.clone(), vec![b'x'; 1 << 20]);
        let reader = thread::spawn(move || {
            thread::sleep(3 * tool::LOOK);
            fs::read(path).unwrap()
        });
        create(&pipe).unwrap().write_all(&long).unwrap();
        assert!(reader.join().unwrap() == long);
    }

    #[test]
    fn what_is_no_file_is_written_to_and_not_read() {
        let directory = tempfile::tempdir().unwrap();
        replace(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(replace(Path::new("/dev/full"), b"text").unwrap_err().to_string().starts_with("No space left"));
        assert!(check_writable(directory.path()).is_err());
        let why = |path: &Path| read(path, 4).unwrap_err().to_string();
        assert!(why(Path::new("/dev/zero")).contains("a device"));
        assert!(why(directory.path()).contains("a directory"));
        let file = directory.path().join("file");
        fs::write(&file, "12345").unwrap();
        assert!(why(&file).contains("more than 4 bytes"));
        assert_eq!(read(&file, 5).unwrap(), b"12345");
    }
}
