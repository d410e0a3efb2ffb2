//! Which files a command reads and which it writes, looked at before anything is opened: no output is an input or another output, and
//! all of them can be written.
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use warploom_sim::files::{self, Place};

use crate::cli::{Command, RunArgs, SetupArgs};
use crate::compare::{CompareArgs, Plan};

mod of_commands;
#[cfg(test)]
mod tests;

use of_commands::of;

/// Looks at the paths of a command.
///
/// # Errors
/// If a file would be overwritten that the command reads, or has written itself, or if one cannot be written.
pub fn check(command: &Command) -> Result<()> {
    let mut paths = Paths::default();
    of(command, &mut paths);
    paths.check()
}

/// Looks at those of a run once more when its checkpoint has said what it is a run of.
///
/// # Errors
/// As those of [`check`].
pub fn check_restored(args: &RunArgs, restored: &SetupArgs) -> Result<()> {
    let mut paths = Paths::default();
    of_commands::run(args, &mut paths);
    of_commands::setup(restored, &mut paths);
    paths.check()
}

/// Looks at those of a comparison once more when a file has said what is compared.
///
/// # Errors
/// As those of [`check`].
pub fn check_planned(args: &CompareArgs, plan: &Plan) -> Result<()> {
    let mut paths = Paths::default();
    of_commands::compare(args, &mut paths);
    plan.points.iter().for_each(|point| of_commands::setup(point, &mut paths));
    paths.check()
}

/// A path, and which option it is of.
struct Named {
    name: String,
    path: PathBuf,
}

impl Named {
    fn new(name: &str, path: impl Into<PathBuf>) -> Self {
        Self { name: name.to_string(), path: path.into() }
    }
}

/// A directory of an option's.
struct Directory {
    named: Named,
    extension: &'static str,
    /// Files are written there, and it is made if need be; else they are read.
    is_written: bool,
}

/// See the [module documentation](self).
#[derive(Default)]
struct Paths {
    read: Vec<Named>,
    written: Vec<Named>,
    /// Files with names of warploom's, which have an extension, are there.
    directories: Vec<Directory>,
    /// Names of files that take the place of what has been read.
    renewed: Option<(String, String)>,
    /// The option that has all of standard output for itself.
    printing: Option<&'static str>,
    /// Names of files that are not written from their beginning to their end, or not once.
    seeking: Vec<String>,
}

impl Paths {
    fn reads(&mut self, name: &str, path: impl Into<PathBuf>) {
        self.read.push(Named::new(name, path));
    }

    fn writes(&mut self, name: &str, path: impl Into<PathBuf>) {
        self.written.push(Named::new(name, path));
    }

    fn fills(&mut self, name: &str, path: impl Into<PathBuf>, extension: &'static str) {
        self.directories.push(Directory { named: Named::new(name, path), extension, is_written: true });
    }

    fn reads_from(&mut self, name: &str, path: impl Into<PathBuf>, extension: &'static str) {
        self.directories.push(Directory { named: Named::new(name, path), extension, is_written: false });
    }

    /// What `read` names may be what `written` names: it has been read to its end by then.
    fn renews(&mut self, read: &str, written: &str) {
        self.renewed = Some((read.to_string(), written.to_string()));
    }

    /// Standard output is to be what `option` prints, and nothing else.
    fn prints(&mut self, option: &'static str) {
        self.printing = Some(option);
    }

    /// What `name` names has to be a file.
    fn seeks(&mut self, name: &str) {
        self.seeking.push(name.to_string());
    }

    fn check(&self) -> Result<()> {
        let written: Vec<_> = self.written.iter().map(|named| (named, Identity::of(&named.path))).collect();
        for Named { name, path } in &self.read {
            let read = Identity::of(path);
            let may_be = |other: &Named| self.renewed == Some((name.clone(), other.name.clone()));
            let same = written.iter().find(|(other, written)| written.is(&read) && !may_be(other));
            if let Some((other, _)) = same {
                bail!(
                    "{} {}: that is {name}, which would be lost; name another file",
                    other.name,
                    other.path.display()
                );
            }
        }
        for (place, (one, identity)) in written.iter().enumerate() {
            if let Some((other, _)) = written[..place].iter().find(|(_, other)| other.is(identity)) {
                let what = if identity.place.is_some() { "file" } else { "stream" };
                bail!("{} and {}: {} is one {what}, and they need two", other.name, one.name, one.path.display());
            }
        }
        if let Some(printing) = self.printing {
            let stdout = Identity::of_stdout();
            if let Some((one, _)) = written.iter().find(|(_, other)| other.is(&stdout)) {
                bail!("{} {}: that is where {printing} prints, and they need two", one.name, one.path.display());
            }
        }
        for Named { name, path } in &self.written {
            ensure!(!path.is_dir(), "{name}: {} is a directory", path.display());
            files::check_writable(path).with_context(|| format!("{name}: cannot write {}", path.display()))?;
            ensure!(
                !self.seeking.contains(name) || files::place(path)? != Place::Stream,
                "{name}: {} is no file, and its format needs one",
                path.display()
            );
        }
        self.directories.iter().try_for_each(|directory| self.check_directory(directory))
    }

    fn check_directory(&self, directory: &Directory) -> Result<()> {
        let Directory { named: Named { name, path }, extension, is_written } = directory;
        let place = resolved(path);
        let place_of = |named: &Named| Identity::of(&named.path).place;
        let is_it = |named: &&Named| place.is_some() && place_of(named) == place;
        if let Some(other) = self.written.iter().find(is_it) {
            bail!("{} and {name}: {} cannot be a file and a directory", other.name, path.display());
        }
        let may_be_there = |named: &&Named| {
            let other = place_of(named).filter(|place| place.extension() == Some(OsStr::new(extension)));
            place.is_some() && other.as_deref().and_then(Path::parent) == place.as_deref()
        };
        let read = self.read.iter().filter(|_| *is_written);
        if let Some(other) = self.written.iter().chain(read).find(may_be_there) {
            bail!("{} {}: a file of {name} may have this name", other.name, other.path.display());
        }
        if *is_written {
            self.check_links(directory)?;
            check_takes_files(path).with_context(|| format!("{name}: cannot write into {}", path.display()))?;
        }
        Ok(())
    }

    /// No file that may be written there is a file that is read, by a link.
    fn check_links(&self, Directory { named: Named { name, path }, extension, .. }: &Directory) -> Result<()> {
        let there = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        for there in there.filter(|there| there.extension() == Some(OsStr::new(extension))) {
            let identity = Identity::of(&there);
            if let Some(other) = self.read.iter().find(|other| Identity::of(&other.path).is(&identity)) {
                bail!("{name}: {} is {}, which may be lost; name another directory", there.display(), other.name);
            }
        }
        Ok(())
    }
}

/// Where a directory is, or will be.
fn resolved(path: &Path) -> Option<PathBuf> {
    let beneath = || {
        let absolute = std::path::absolute(path).ok()?;
        Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?))
    };
    path.canonicalize().ok().or_else(beneath)
}

/// Whether files can be made in a directory, or in what there is of its parents.
fn check_takes_files(path: &Path) -> Result<()> {
    let absolute = std::path::absolute(path)?;
    let there = absolute.ancestors().find(|path| fs::symlink_metadata(path).is_ok()).unwrap_or(Path::new("/"));
    ensure!(there.is_dir(), "{} is no directory", there.display());
    tempfile::tempfile_in(there)?;
    Ok(())
}

/// Which file or stream it is, by whatever way it is named; nothing for what can be several outputs.
#[derive(Debug)]
struct Identity {
    place: Option<PathBuf>,
    inode: Option<(u64, u64)>,
}

impl Identity {
    fn of(path: &Path) -> Self {
        let place = match files::place(path) {
            Ok(Place::File(place)) => Some(place),
            Ok(Place::Stream) => None,
            Err(_) => return Self { place: None, inode: None },
        };
        let inode = fs::metadata(place.as_deref().unwrap_or(path)).ok().and_then(|metadata| inode(&metadata));
        Self { place, inode }
    }

    fn of_stdout() -> Self {
        let stdout = io::stdout().as_fd().try_clone_to_owned().and_then(|stdout| File::from(stdout).metadata());
        Self { place: None, inode: stdout.ok().and_then(|metadata| inode(&metadata)) }
    }

    fn is(&self, other: &Self) -> bool {
        let same_place = self.place.is_some() && self.place == other.place;
        same_place || self.inode.is_some() && self.inode == other.inode
    }
}

/// Nothing for /dev/null and /dev/full, where there is nothing to be mixed.
fn inode(metadata: &Metadata) -> Option<(u64, u64)> {
    let device = metadata.rdev();
    let sink = metadata.file_type().is_char_device() && [libc::makedev(1, 3), libc::makedev(1, 7)].contains(&device);
    (!sink).then(|| (metadata.dev(), metadata.ino()))
}
