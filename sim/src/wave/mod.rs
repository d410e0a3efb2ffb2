//! Waveforms of a running [`Simulator`](crate::Simulator).
//!
//! ```text
//!  simulating thread                          writing thread
//!  Waveform::sample                           Writer
//!    window: is this cycle wanted? --no-->      which signals are in the words that changed?
//!    Snapshot: which words changed?             Vcd, Fst: format
//!    records of a cycle --- Batch, when full or due --->
//!                      <--- emptied ---                 Behind: of a VCD, one more thread hands the text to the
//!                                                       operating system
//! ```
//! [`Waveform`] streams the observed nets to files in one or both of two formats; [`write_save_file`] writes the
//! `.gtkw` file with which GTKWave opens on them, grouped by scope.
mod batch;
mod behind;
mod encoder;
mod format;
mod fst;
mod save_file;
mod scopes;
mod selection;
mod vcd;
mod waveform;
mod window;
mod writer;

pub use encoder::UNITS_PER_CYCLE;
pub use format::Format;
pub use save_file::{View, write_save_file, write_view};
pub use selection::Selection;
pub use waveform::{WaveFile, Waveform};
pub use window::{Trigger, Window};
pub use writer::WaveError;
