//! Fast signal trace.
use std::fs::File;
use std::io::{self, BufWriter, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError,
};

use super::encoder::{Change, Encoder, UNIT_EXPONENT};
use super::scopes::Scope;
use super::selection::Selection;

/// Changes are held back up to this many bytes: they compress the better the more there are of a signal, but collecting a
/// signal's leaps through all of them, which is slow where they do not stay in the cache (16 MB took twice the time in all).
const SECTION: usize = 1 << 20;

/// See the [module documentation](self).
pub struct Fst {
    body: FstBodyWriter<BufWriter<File>>,
    /// By signal, with its width.
    signals: Vec<(FstSignalId, usize)>,
    clock: FstSignalId,
}

impl Fst {
    /// Writes the hierarchy, with a clock in the top scope.
    pub fn new(file: File, selection: &Selection) -> io::Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: UNIT_EXPONENT,
            version: concat!("warploom ", env!("CARGO_PKG_VERSION")).into(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let fst = FstHeaderWriter::new(BufWriter::with_capacity(1 << 18, file), &info).map_err(failed)?;
        let ids = vec![None; selection.signals().len()];
        let mut header = Header { fst, selection, ids, clock: None };
        Scope::roots(selection.nets()).iter().try_for_each(|scope| header.scope(scope)).map_err(failed)?;
        let clock = header.clock.expect("the first scope has the clock");
        let signals = header.ids.iter().zip(selection.signals());
        let signals = signals.map(|(id, signal)| (id.expect("every signal is a net's"), signal.width)).collect();
        let mut body = header.fst.finish().map_err(failed)?;
        body.set_deduplicate(false);
        Ok(Self { body, signals, clock })
    }

    fn half_cycle(&mut self, time: u64, clock: &[u8]) -> io::Result<()> {
        self.body.time_change(time).map_err(failed)?;
        self.body.signal_change(self.clock, clock).map_err(failed)
    }
}

impl Encoder for Fst {
    fn cycle(&mut self, cycle: u64, changes: &[Change]) -> io::Result<()> {
        if self.body.size() > SECTION {
            self.body.flush().map_err(failed)?;
        }
        let start = cycle * super::UNITS_PER_CYCLE;
        self.half_cycle(start, b"1")?;
        for &Change { signal, value } in changes {
            let (id, width) = self.signals[signal as usize];
            let digits = super::vcd::digits(value);
            self.body.signal_change(id, &digits[64 - width..]).map_err(failed)?;
        }
        self.half_cycle(start + super::UNITS_PER_CYCLE / 2, b"0")
    }

    fn flush(&mut self) -> io::Result<()> {
        // A file without its end cannot be read, and small sections compress badly.
        Ok(())
    }

    fn finish(mut self: Box<Self>, end: u64) -> io::Result<()> {
        // Readers want a point in time, even where nothing was written.
        self.body.time_change((end * super::UNITS_PER_CYCLE).max(1)).map_err(failed)?;
        self.body.finish().map_err(failed)?.flush()
    }
}

fn failed(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The part of the file before the values.
struct Header<'a> {
    fst: FstHeaderWriter<BufWriter<File>>,
    selection: &'a Selection,
    /// By signal.
    ids: Vec<Option<FstSignalId>>,
    clock: Option<FstSignalId>,
}

impl Header<'_> {
    fn scope(&mut self, scope: &Scope) -> fst_writer::Result<()> {
        self.fst.scope(scope.name, "", FstScopeType::Module)?;
        if self.clock.is_none() {
            self.clock = Some(self.variable("clock", 1, None)?);
        }
        for &(net, name) in &scope.nets {
            let number = self.selection.signal_of(net);
            let width = self.selection.signals()[number].width as u32;
            let name = if width > 1 { format!("{name} [{}:0]", width - 1) } else { name.to_string() };
            self.ids[number] = Some(self.variable(&name, width, self.ids[number])?);
        }
        scope.children.iter().try_for_each(|child| self.scope(child))?;
        self.fst.up_scope()
    }

    fn variable(&mut self, name: &str, width: u32, same: Option<FstSignalId>) -> fst_writer::Result<FstSignalId> {
        let ty = FstSignalType::bit_vec(width);
        self.fst.var(name, ty, FstVarType::Wire, FstVarDirection::Implicit, same)
    }
}
