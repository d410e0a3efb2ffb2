//! Straight-line code, which a busy simulator runs in place of its partitions: a library of its own, compiled beside the run where the first cycle is to be
//! [soon](super::BuildOptions::soon).
//!
//! ```text
//!   waiting --missed PATIENCE times--> compiling, in a thread --> linked
//!      |                                         |                  ^
//!      |                                         +--> failed        |
//!      +-- build: in the cache, or the first cycle is not urgent ---+
//! ```
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{process, thread};

use super::BuildError;
use super::compile::Compilation;
use super::library::{Library, map, symbol};
use crate::emit::WINDOW;

/// How often it is missed, once in [`WINDOW`] busy cycles, until it is compiled. So many cycles take a core about a quarter of the time of its compilation: who has been busy for so
/// long probably goes on, and a shorter run does not pay for what it hardly uses.
const PATIENCE: u64 = (1 << 18) / WINDOW;

/// Tells a library where the code is.
pub type Link = unsafe extern "C" fn(*mut ());

/// Of one library.
pub struct Straight {
    link: Link,
    progress: Mutex<Progress>,
}

enum Progress {
    /// And how often it was missed.
    Waiting(Arc<Compilation>, u64),
    /// In a thread of this process.
    Compiling(Receiver<Result<PathBuf, BuildError>>, u32),
    Linked,
    Failed(Arc<BuildError>),
}

impl Straight {
    /// To be compiled when it is missed.
    pub fn later(link: Link, compilation: Compilation) -> Self {
        Self { link, progress: Mutex::new(Progress::Waiting(Arc::new(compilation), 0)) }
    }

    /// Compiled already.
    pub fn compiled(link: Link, path: &Path) -> Result<Self, BuildError> {
        Ok(Self { link, progress: Mutex::new(Progress::linked(link, path)?) })
    }

    /// It would have been used. In time it is compiled, and linked when that is done.
    #[cold]
    pub fn missed(&self) {
        let mut progress = self.progress();
        match &mut *progress {
            Progress::Waiting(_, missed) if *missed < PATIENCE => *missed += 1,
            Progress::Waiting(..) => progress.begin(),
            _ => progress.end(self.link, |compiled| compiled.try_recv().ok()),
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is compiled, if that has begun.
    fn finish(&self) -> Result<(), Arc<BuildError>> {
        let mut progress = self.progress();
        progress.end(self.link, |compiled| compiled.recv().ok());
        match &*progress {
            Progress::Failed(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }
}

impl Drop for Straight {
    /// What has been begun is of use to the next run.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Progress {
    /// Compiles it, unless that has been done.
    fn begin(&mut self) {
        let Self::Waiting(compilation, _) = self else { return };
        let ((done, compiled), compilation) = (channel(), compilation.clone());
        // Others may have compiled it meanwhile. Nobody waits for it any more if this process is at its end.
        let compile = move || done.send(compilation.find().map_or_else(|| compilation.run(), Ok)).ok();
        let thread = thread::Builder::new().name("straight".into()).spawn(compile);
        *self = thread.map_or_else(Self::failed, |_| Self::Compiling(compiled, process::id()));
    }

    /// Links what the compiler has made, if it was at work and there is an answer.
    fn end(
        &mut self,
        link: Link,
        answer: impl Fn(&Receiver<Result<PathBuf, BuildError>>) -> Option<Result<PathBuf, BuildError>>,
    ) {
        // Who was forked from that process has no such thread, and would wait for ever.
        let Self::Compiling(compiled, at_work) = self else { return };
        if *at_work == process::id()
            && let Some(compiled) = answer(compiled)
        {
            let linked = compiled.and_then(|path| Self::linked(link, &path));
            *self = linked.unwrap_or_else(|error| Self::Failed(Arc::new(error)));
        }
    }

    fn linked(link: Link, path: &Path) -> Result<Self, BuildError> {
        // It stays mapped: who has loaded the same library as this has the same pointer to it.
        let library = ManuallyDrop::new(map(path)?);
        // SAFETY: it was generated with the library that it is linked to, for the same state, which is of types whose layout is C's.
        unsafe { link(symbol::<unsafe extern "C" fn()>(&library, path, "warploom_straight")? as *mut ()) };
        Ok(Self::Linked)
    }

    /// There is no thread to be had.
    fn failed(error: std::io::Error) -> Self {
        Self::Failed(Arc::new(BuildError::Io { path: "rustc".into(), reason: error.to_string() }))
    }
}

/// The straight-line code of simulators that were to start [soon](super::BuildOptions::soon).
pub struct StraightLine(Arc<Library>);

impl StraightLine {
    /// Of simulators of this library, if they have any.
    pub(super) fn of(library: &Arc<Library>) -> Option<Self> {
        library.straight.as_ref().map(|_| Self(library.clone()))
    }

    /// Compiles it now, unless it is there already.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn complete(&self) -> Result<(), Arc<BuildError>> {
        self.0.straight.iter().for_each(|straight| straight.progress().begin());
        self.finish()
    }

    /// Waits until it is compiled, if that has begun.
    ///
    /// # Errors
    /// If it could not be compiled: simulators are right without it, and slower.
    pub fn finish(&self) -> Result<(), Arc<BuildError>> {
        self.0.straight.as_ref().map_or(Ok(()), Straight::finish)
    }
}
