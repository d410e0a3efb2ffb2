//! What a finished launch has left: buffers, variables of the program, and how its threads say that they have ended.
use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use twox_hash::XxHash64;
use warploom_runtime::host::{Buffer, Session, take_printed};
use warploom_runtime::loader::{GLOBAL_BASE, Program};

use super::read;
use crate::output;
use crate::suggest::nearest;

/// See the [module documentation](self).
#[derive(Default)]
pub struct Outputs {
    /// Buffers by name, in the order of the parameters.
    pub buffers: Vec<(String, Vec<u8>)>,
    /// What was written where no buffer is.
    pub overrun: Option<String>,
    /// The program says that it has failed.
    pub failed: Option<String>,
    /// What it has printed.
    pub printed: String,
    /// What it says besides.
    pub notes: Vec<String>,
    /// Global memory as far as the program has variables there.
    variables: Vec<u8>,
}

impl Outputs {
    /// What the program has left in its variables.
    pub(super) fn of(session: &mut Session, program: &Program) -> Self {
        let words = program.data_end().div_ceil(4) - GLOBAL_BASE / 4;
        let mut outputs = Self {
            variables: read(session, Buffer { address: GLOBAL_BASE, words: words as usize }),
            printed: take_printed(session.memory(), program),
            ..Self::default()
        };
        let word = |address: u32| {
            let at = (address - GLOBAL_BASE) as usize;
            let bytes = outputs.variables.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
        };
        let (status, tohost) = (program.exit_status.and_then(word), program.tohost.and_then(word));
        if let Some(status) = status.filter(|&status| status != 0) {
            outputs.failed = Some(format!("a thread has ended with the exit status {} (a0)", status as i32));
        }
        match tohost {
            None => {}
            Some(0) => outputs.notes.push("nothing was stored to tohost".into()),
            Some(1) => outputs.notes.push("tohost is 1: passed".into()),
            Some(value) if value % 2 == 1 => {
                outputs.failed = Some(format!("tohost is {value}: test {} has failed", value / 2));
            }
            Some(value) => outputs.failed = Some(format!("tohost is {value:#x}, which is no end of a test")),
        }
        outputs
    }

    /// What is in each buffer, as a number.
    pub fn fingerprints(&self) -> BTreeMap<String, String> {
        let number = |bytes: &[u8]| format!("{:016x}", XxHash64::oneshot(0, bytes));
        self.buffers.iter().map(|(name, bytes)| (name.clone(), number(bytes))).collect()
    }

    /// Writes buffers and variables to files.
    pub fn write(&self, program: &Program, dumps: &[(String, PathBuf)]) -> Result<()> {
        for (name, path) in dumps {
            let bytes = match self.buffers.iter().find(|(other, _)| other == name) {
                Some((_, bytes)) => bytes,
                None => {
                    let (start, end) = variable(program, name)?;
                    self.variables.get(start..end).unwrap_or_default()
                }
            };
            output::save(path, bytes).with_context(|| format!("--dump {name}"))?;
        }
        Ok(())
    }
}

/// Where a variable lies, or what is between two symbols: bytes from the start of global memory.
fn variable(program: &Program, name: &str) -> Result<(usize, usize)> {
    let find = |symbol: &str| {
        let names = || program.variables.keys().map(String::as_str);
        let found = program.variables.get(symbol);
        found.copied().with_context(|| {
            format!("--dump {name}: there is no buffer and no variable `{symbol}`{}", nearest(symbol, names()))
        })
    };
    let (start, end) = match name.split_once("..") {
        Some((first, last)) => (find(first)?.0, find(last)?.0),
        None => {
            let (start, size) = find(name)?;
            ensure!(
                size > 0,
                "--dump {name}: the file does not say how large it is; name its end, too: {name}..SYMBOL"
            );
            (start, start.saturating_add(size))
        }
    };
    if !(start <= end && end <= program.data_end()) {
        bail!("--dump {name}: {start:#x} to {end:#x} is no piece of the program's data");
    }
    Ok(((start - GLOBAL_BASE) as usize, (end - GLOBAL_BASE) as usize))
}

/// Checks that there is a variable of this name.
pub(super) fn check(program: &Program, name: &str) -> Result<()> {
    variable(program, name).map(drop)
}
