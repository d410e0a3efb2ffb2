//! The side of the simulating thread.
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::format::Format;
use super::selection::Selection;
use super::window::Window;
use super::writer::{Open, WaveError, Writer};
use crate::engine::{Simulator, Snapshot};
use crate::files;

/// Batches on their way to the writing thread; there are two more, one at either end.
const UNDER_WAY: usize = 3;

/// A batch with more records than this is full.
const RECORDS: usize = 1 << 14;

/// A batch that has fewer is handed over when this time has passed.
const DUE: Duration = Duration::from_millis(100);

/// The clock is looked at every so many cycles.
const CYCLES_PER_LOOK: usize = 64;

/// A file, created before anything runs, so that a path that cannot be written is known early.
pub struct WaveFile {
    path: PathBuf,
    file: File,
    format: Format,
}

/// Observed nets on their way into files.
pub struct Waveform {
    window: Window,
    state: State,
    running: Option<Running>,
    cycles: u64,
}

/// Where the run is in the window.
enum State {
    Before,
    Open(Snapshot),
    After,
}

/// The writing thread, and what goes there.
struct Running {
    batch: Batch,
    handed_over: Instant,
    full: SyncSender<Batch>,
    empty: Receiver<Batch>,
    thread: JoinHandle<Vec<WaveError>>,
}

impl WaveFile {
    /// Creates the file at `path`.
    pub fn create(path: &Path, format: Format) -> io::Result<Self> {
        Ok(Self { path: path.to_path_buf(), file: files::create(path)?, format })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Waveform {
    /// Writes the hierarchy of `selection` to all files, and starts the thread that writes the rest. When a file cannot take
    /// that much, [`Self::finish`] says so.
    ///
    /// # Errors
    /// If there can be no further thread.
    pub fn begin(files: Vec<WaveFile>, selection: Selection, window: Window) -> Result<Self, WaveError> {
        let first = files.first().map(|file| file.path.clone()).unwrap_or_default();
        let (mut opened, mut errors) = (vec![], vec![]);
        for WaveFile { path, file, format } in files {
            match format.encoder(file, &selection) {
                Ok(encoder) => opened.push(Open { path, encoder }),
                Err(error) => errors.push(WaveError { path, error }),
            }
        }
        let (full, to_write) = sync_channel(UNDER_WAY);
        let (written, empty) = sync_channel(UNDER_WAY + 2);
        let writer = Writer::new(selection, opened, errors);
        let thread = Builder::new().spawn(move || writer.run(to_write, written));
        let thread = thread.map_err(|error| WaveError { path: first, error })?;
        let running = Running { batch: Batch::default(), handed_over: Instant::now(), full, empty, thread };
        Ok(Self { window, state: State::Before, running: Some(running), cycles: 0 })
    }

    /// Adds `cycle`, which `simulator` has just stepped, if it is in the window. When a file cannot be written any more,
    /// [`Self::finish`] says so.
    pub fn sample(&mut self, simulator: &Simulator, cycle: u64) {
        let Some(running) = &mut self.running else { return };
        let batch = &mut running.batch;
        match &mut self.state {
            State::After => return,
            _ if self.window.is_past(cycle) => {
                running.hand_over();
                self.state = State::After;
                return;
            }
            State::Before if !self.window.opens(simulator, cycle) => return,
            State::Before => {
                self.state = State::Open(Snapshot::new(simulator));
                let words = simulator.observed_words();
                batch.slots.extend(0..words.len() as u32);
                batch.values.extend_from_slice(words);
            }
            State::Open(snapshot) => snapshot.changes(simulator, &mut batch.slots, &mut batch.values),
        }
        batch.end_cycle(cycle);
        self.cycles += 1;
        if running.is_due() && !running.hand_over() {
            self.state = State::After;
        }
    }

    /// The cycles that have to be [added](Self::sample), all of them: of others none is looked at.
    pub fn wanted(&self) -> Range<u64> {
        self.window.from..self.window.to.map_or(u64::MAX, |to| to.saturating_add(1))
    }

    /// Whether the cycle that was added last was in the window.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// Writes everything out. Returns how many cycles were in the window.
    ///
    /// # Errors
    /// All files that are incomplete.
    pub fn finish(mut self) -> Result<u64, Vec<WaveError>> {
        let errors = self.end();
        if errors.is_empty() { Ok(self.cycles) } else { Err(errors) }
    }

    fn end(&mut self) -> Vec<WaveError> {
        let Some(mut running) = self.running.take() else { return vec![] };
        running.hand_over();
        drop(running.full);
        running.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Waveform {
    fn drop(&mut self) {
        // Errors here have nowhere to go; `finish` reports them.
        self.end();
    }
}

impl Running {
    /// Whether the batch should go.
    fn is_due(&self) -> bool {
        let (cycles, records) = self.batch.len();
        records > RECORDS || cycles.is_multiple_of(CYCLES_PER_LOOK) && self.handed_over.elapsed() > DUE
    }

    /// Gives the batch to the writing thread and takes an empty one. Waits while there is too much to write. False when
    /// nothing can be written any more.
    fn hand_over(&mut self) -> bool {
        self.handed_over = Instant::now();
        let next = self.empty.try_recv().unwrap_or_default();
        self.full.send(std::mem::replace(&mut self.batch, next)).is_ok()
    }
}
