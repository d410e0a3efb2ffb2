//! The thread that formats and writes.
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::encoder::{Change, Encoder};
use super::selection::Selection;

/// What has been written reaches the file at least this often.
const FLUSH: Duration = Duration::from_millis(500);

/// A file of a waveform that could not be written to its end.
#[derive(Debug, thiserror::Error)]
#[error("the waveform {} is incomplete: {error}", .path.display())]
pub struct WaveError {
    /// Which file.
    pub path: PathBuf,
    /// What went wrong.
    pub error: io::Error,
}

/// See the [module documentation](self).
pub struct Writer {
    selection: Selection,
    files: Vec<Open>,
    errors: Vec<WaveError>,
    /// The words of the cycle before; none before the first.
    words: Vec<u64>,
    changes: Vec<Change>,
    /// The cycle after the last.
    end: u64,
}

/// A file in the making.
pub struct Open {
    pub path: PathBuf,
    pub encoder: Box<dyn Encoder>,
}

impl Writer {
    /// To `files`; `errors` are of those that have failed already.
    pub fn new(selection: Selection, files: Vec<Open>, errors: Vec<WaveError>) -> Self {
        Self { selection, files, errors, words: vec![], changes: vec![], end: 0 }
    }

    /// Writes what comes from `full`, and sends it back emptied, until there is no more or every file has failed. Returns
    /// what went wrong.
    pub fn run(mut self, full: Receiver<Batch>, empty: SyncSender<Batch>) -> Vec<WaveError> {
        let mut flushed = Instant::now();
        for mut batch in full {
            self.batch(&batch);
            batch.clear();
            // When nobody wants it back, the simulating thread has ended, or has enough of them.
            let _ = empty.try_send(batch);
            if flushed.elapsed() > FLUSH {
                self.each_file(|encoder| encoder.flush());
                flushed = Instant::now();
            }
            if self.files.is_empty() {
                return self.errors;
            }
        }
        for file in std::mem::take(&mut self.files) {
            let result = file.encoder.finish(self.end).and_then(|()| std::fs::metadata(&file.path).map(drop));
            self.errors.extend(result.err().map(|error| WaveError { path: file.path, error }));
        }
        self.errors
    }

    fn batch(&mut self, batch: &Batch) {
        for (cycle, records) in batch.cycles() {
            let mut changes = std::mem::take(&mut self.changes);
            changes.clear();
            let records = batch.slots[records.clone()].iter().zip(&batch.values[records]);
            if self.words.is_empty() {
                self.words.extend(records.map(|(_, &value)| value));
                let all = self.selection.bits().iter().enumerate();
                changes.extend(all.map(|(i, bits)| Change { signal: i as u32, value: bits.of(&self.words) }));
            } else {
                for (&slot, &value) in records {
                    let word = &mut self.words[slot as usize];
                    let changed = *word ^ value;
                    *word = value;
                    let (first, all) = self.selection.bits_in(slot as usize);
                    for (i, bits) in all.iter().enumerate() {
                        if bits.in_word(changed) != 0 {
                            changes.push(Change { signal: (first + i) as u32, value: bits.in_word(value) });
                        }
                    }
                }
            }
            self.each_file(|encoder| encoder.cycle(cycle, &changes));
            self.changes = changes;
            self.end = cycle + 1;
        }
    }

    /// Does something to every file; those that fail are given up.
    fn each_file(&mut self, mut work: impl FnMut(&mut dyn Encoder) -> io::Result<()>) {
        let errors = &mut self.errors;
        self.files.retain_mut(|file| match work(&mut *file.encoder) {
            Ok(()) => true,
            Err(error) => {
                errors.push(WaveError { path: file.path.clone(), error });
                false
            }
        });
    }
}
