//! Value change dump.
use std::fs::File;
use std::io::{self, Write};

use vcd::{IdCode, ReferenceIndex, TimescaleUnit, VarType};

use super::behind::{Behind, Failed};
use super::encoder::{Change, Encoder};
use super::scopes::Scope;
use super::selection::{Selection, Signal};

/// The file is written in pieces of about this many bytes.
const PIECE: usize = 1 << 18;

/// More than a line of a signal that is no name.
const LONGEST_LINE: usize = 96;

/// The digits of every byte.
static DIGITS: [[u8; 8]; 256] = {
    let mut digits = [[b'0'; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        digits[i / 8][i % 8] += ((i / 8) >> (7 - i % 8) & 1) as u8;
        i += 1;
    }
    digits
};

/// All digits of a value.
pub fn digits(value: u64) -> [u8; 64] {
    let mut digits = [0; 64];
    for (eight, byte) in digits.chunks_exact_mut(8).zip(value.to_be_bytes()) {
        eight.copy_from_slice(&DIGITS[byte as usize]);
    }
    digits
}

/// See the [module documentation](self).
pub struct Vcd {
    text: Text,
    /// By signal.
    lines: Vec<Line>,
    clock: Line,
}

/// A file with what is not in it yet.
struct Text {
    /// None after an error.
    file: Option<Behind>,
    filled: usize,
    buffer: Box<[u8]>,
}

/// How the changes of a signal are written.
struct Line {
    /// What follows the value, the end of the line included.
    tail: [u8; 8],
    tail_length: usize,
    kind: Kind,
}

enum Kind {
    Bit,
    Vector,
    /// Whole lines by encoding.
    Names(Vec<String>),
}

impl Vcd {
    /// Writes the hierarchy, with a clock in the top scope.
    pub fn new(file: File, selection: &Selection) -> io::Result<Self> {
        let mut vcd = vcd::Writer::new(Vec::with_capacity(1 << 20));
        vcd.version(concat!("warploom ", env!("CARGO_PKG_VERSION")))?;
        vcd.timescale(1, TimescaleUnit::NS)?;
        let codes = vec![None; selection.signals().len()];
        let mut header = Header { vcd, selection, codes, clock: None };
        Scope::roots(selection.nets()).iter().try_for_each(|scope| header.scope(scope))?;
        header.vcd.enddefinitions()?;
        (&file).write_all(header.vcd.writer())?;
        let lines = selection.signals().iter().zip(&header.codes);
        let lines = lines.map(|(signal, code)| Line::new(signal, code.expect("every signal is a net's"))).collect();
        let clock = Line::with_kind(Kind::Bit, header.clock.expect("the first scope has the clock"));
        let text = Text { file: Some(Behind::new(file)?), filled: 0, buffer: vec![0; PIECE + LONGEST_LINE].into() };
        Ok(Self { text, lines, clock })
    }

    /// A point in time, and the clock's value from then on.
    fn half_cycle(&mut self, time: u64, clock: u64) -> io::Result<()> {
        self.text.line(|line| {
            let (space, mut rest) = (line.len(), line);
            writeln!(rest, "#{time}").expect("it is shorter than the longest line");
            space - rest.len()
        })?;
        self.text.line(|line| self.clock.write(clock, line))
    }
}

impl Encoder for Vcd {
    fn cycle(&mut self, cycle: u64, changes: &[Change]) -> io::Result<()> {
        let start = cycle * super::UNITS_PER_CYCLE;
        self.half_cycle(start, 1)?;
        for &Change { signal, value } in changes {
            let line = &self.lines[signal as usize];
            match &line.kind {
                Kind::Names(names) => match names.get(value as usize) {
                    Some(name) => self.text.any_line(name.as_bytes())?,
                    None => self.text.any_line(&line.unnamed(value))?,
                },
                _ => self.text.line(|text| line.write(value, text))?,
            }
        }
        self.half_cycle(start + super::UNITS_PER_CYCLE / 2, 0)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.text.write_out()
    }

    fn finish(mut self: Box<Self>, end: u64) -> io::Result<()> {
        self.text.any_line(format!("#{}\n", end * super::UNITS_PER_CYCLE).as_bytes())?;
        self.text.write_out()?;
        self.text.file.map_or(Ok(()), Behind::finish)
    }
}

impl Text {
    /// Adds a line, which `write` puts at the start of the space it is given; it returns the length.
    fn line(&mut self, write: impl FnOnce(&mut [u8]) -> usize) -> io::Result<()> {
        if self.filled >= PIECE {
            self.write_out()?;
        }
        self.filled += write(&mut self.buffer[self.filled..][..LONGEST_LINE]);
        Ok(())
    }

    /// Adds a line of any length.
    fn any_line(&mut self, line: &[u8]) -> io::Result<()> {
        for part in line.chunks(LONGEST_LINE) {
            self.line(|text| {
                text[..part.len()].copy_from_slice(part);
                part.len()
            })?;
        }
        Ok(())
    }

    fn write_out(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let (buffer, filled) = (std::mem::take(&mut self.buffer), std::mem::take(&mut self.filled));
        match file.write(buffer, filled) {
            Ok(buffer) => {
                self.buffer = buffer;
                Ok(())
            }
            Err(Failed) => {
                let file = self.file.take().expect("checked above");
                Err(file.finish().expect_err("it has failed"))
            }
        }
    }
}

impl Line {
    fn new(signal: &Signal, code: IdCode) -> Self {
        let kind = match &signal.variants {
            Some(names) => Kind::Names(names.iter().map(|name| format!("s{name} {code}\n")).collect()),
            None if signal.width == 1 => Kind::Bit,
            None => Kind::Vector,
        };
        Self::with_kind(kind, code)
    }

    fn with_kind(kind: Kind, code: IdCode) -> Self {
        let text = if matches!(kind, Kind::Vector) { format!(" {code}\n") } else { format!("{code}\n") };
        let mut tail = [0; 8];
        tail[..text.len()].copy_from_slice(text.as_bytes());
        Self { tail, tail_length: text.len(), kind }
    }

    /// Writes the line at the start of `text`, which has room for the longest, and returns its length.
    fn write(&self, value: u64, text: &mut [u8]) -> usize {
        let digits = if matches!(self.kind, Kind::Bit) {
            text[0] = b'0' + value as u8;
            0
        } else {
            // Without leading zeros: the digits are shifted to the top, then taken by the byte.
            let digits = 64 - (value | 1).leading_zeros() as usize;
            text[0] = b'b';
            let bytes = (value << (64 - digits)).to_be_bytes();
            for (eight, &byte) in text[1..65].chunks_exact_mut(8).zip(&bytes[..digits.div_ceil(8)]) {
                eight.copy_from_slice(&DIGITS[byte as usize]);
            }
            digits
        };
        text[1 + digits..][..8].copy_from_slice(&self.tail);
        1 + digits + self.tail_length
    }

    /// The line of a value that has no name.
    fn unnamed(&self, value: u64) -> Vec<u8> {
        [format!("s{value}? ").as_bytes(), &self.tail[..self.tail_length]].concat()
    }
}

/// The part of the file before the values.
struct Header<'a> {
    vcd: vcd::Writer<Vec<u8>>,
    selection: &'a Selection,
    /// By signal.
    codes: Vec<Option<IdCode>>,
    clock: Option<IdCode>,
}

impl Header<'_> {
    fn scope(&mut self, scope: &Scope) -> io::Result<()> {
        self.vcd.add_module(scope.name)?;
        if self.clock.is_none() {
            self.clock = Some(self.vcd.add_wire(1, "clock")?);
        }
        scope.nets.iter().try_for_each(|&(net, name)| self.variable(net, name))?;
        scope.children.iter().try_for_each(|child| self.scope(child))?;
        self.vcd.upscope()
    }

    fn variable(&mut self, net: usize, name: &str) -> io::Result<()> {
        let number = self.selection.signal_of(net);
        let signal = &self.selection.signals()[number];
        let (var_type, width) = match signal.variants {
            Some(_) => (VarType::String, 1),
            None => (VarType::Wire, signal.width as u32),
        };
        let range = (width > 1).then(|| ReferenceIndex::Range(width as i32 - 1, 0));
        match self.codes[number] {
            Some(code) => self.vcd.var_def(var_type, width, code, name, range),
            None => {
                self.codes[number] = Some(self.vcd.add_var(var_type, width, name, range)?);
                Ok(())
            }
        }
    }
}
