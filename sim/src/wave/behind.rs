//! Writing to a file while the next piece is made.
use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

/// Pieces on their way to the file; there are two more, one at either end.
const UNDER_WAY: usize = 2;

/// A file with a thread of its own: most of the time of a large VCD is the operating system's, taking the bytes.
pub struct Behind {
    full: SyncSender<Piece>,
    empty: Receiver<Box<[u8]>>,
    thread: JoinHandle<io::Result<()>>,
}

/// A buffer, and how much of it is to be written.
type Piece = (Box<[u8]>, usize);

impl Behind {
    /// Starts the thread.
    ///
    /// # Errors
    /// If there can be no further one.
    pub fn new(mut file: File) -> io::Result<Self> {
        let (full, pieces) = sync_channel::<Piece>(UNDER_WAY);
        let (written, empty) = sync_channel(UNDER_WAY + 2);
        let thread = Builder::new().spawn(move || {
            for (buffer, filled) in pieces {
                file.write_all(&buffer[..filled])?;
                // When there is no one left to take it, this was the last.
                let _ = written.try_send(buffer);
            }
            Ok(())
        })?;
        Ok(Self { full, empty, thread })
    }

    /// Hands over a buffer, of which `filled` bytes are written, for another of the same length.
    ///
    /// # Errors
    /// That no more can be written; [`Self::finish`] says why.
    pub fn write(&mut self, buffer: Box<[u8]>, filled: usize) -> Result<Box<[u8]>, Failed> {
        let length = buffer.len();
        self.full.send((buffer, filled)).map_err(|_| Failed)?;
        Ok(self.empty.try_recv().unwrap_or_else(|_| vec![0; length].into()))
    }

    /// Waits until everything has been written. Returns the first error.
    pub fn finish(self) -> io::Result<()> {
        drop(self.full);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// See [`Behind::write`].
pub struct Failed;
