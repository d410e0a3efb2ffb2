//! What the formats have in common.
use std::io;

/// Time units of a cycle: the clock rises at its start and falls in its middle.
pub const UNITS_PER_CYCLE: u64 = 10;

/// Of the time unit, in seconds: the exponent of ten.
pub const UNIT_EXPONENT: i8 = -9;

/// A signal that has a new value.
#[derive(Clone, Copy)]
pub struct Change {
    /// Its number in the [`Selection`](super::Selection).
    pub signal: u32,
    /// The value.
    pub value: u64,
}

/// A file in the making.
pub trait Encoder: Send {
    /// Adds a cycle with what changed in it; in the first, that is everything.
    fn cycle(&mut self, cycle: u64, changes: &[Change]) -> io::Result<()>;

    /// Hands to the operating system what makes sense to a reader.
    fn flush(&mut self) -> io::Result<()>;

    /// Ends the last cycle before cycle `end`, and writes everything out.
    fn finish(self: Box<Self>, end: u64) -> io::Result<()>;
}
