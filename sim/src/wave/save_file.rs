//! GTKWave's save file.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::scopes::Scope;
use crate::engine::ObservedNet;

// Trace flags of GTKWave, as they stand after the `@`.
const HEXADECIMAL: &str = "@22";
const BINARY: &str = "@28";
const GROUP_BEGIN: &str = "@800200";
const CLOSED_GROUP_BEGIN: &str = "@c00200";
const GROUP_END: &str = "@1000200";

/// More nets than this, and groups start closed.
const MOST_OPEN: usize = 100;

/// Writes the save file at `path` that shows `nets` of the waveform at `dump`, one group per scope.
pub fn write_save_file(path: &Path, dump: &Path, nets: &[ObservedNet]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let dump = std::path::absolute(dump).unwrap_or_else(|_| PathBuf::from(dump));
    writeln!(out, "[*] warploom {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "[dumpfile] \"{}\"", dump.display())?;
    writeln!(
        out,
        "[timestart] 0\n[size] 1600 900\n[pos] -1 -1\n[sst_width] 260\n[signals_width] 320\n[sst_expanded] 1"
    )?;
    let root = Scope::root(nets);
    if let Some(top) = root.children.first() {
        writeln!(out, "[treeopen] {}.\n{BINARY}\n{}.clock", top.name, top.name)?;
    }
    let begin = if nets.len() > MOST_OPEN { CLOSED_GROUP_BEGIN } else { GROUP_BEGIN };
    root.children.iter().try_for_each(|scope| write_group(&mut out, scope, nets, scope.name, begin))?;
    out.flush()
}

fn write_group(out: &mut impl Write, scope: &Scope, nets: &[ObservedNet], path: &str, begin: &str) -> io::Result<()> {
    if !scope.nets.is_empty() {
        writeln!(out, "{begin}\n-{path}")?;
        for &(i, _) in &scope.nets {
            let net = &nets[i];
            if net.variants.is_none() && net.width > 1 {
                writeln!(out, "{HEXADECIMAL}\n{}[{}:0]", net.path, net.width - 1)?;
            } else {
                writeln!(out, "{BINARY}\n{}", net.path)?;
            }
        }
        writeln!(out, "{GROUP_END}\n-{path}")?;
    }
    for child in &scope.children {
        write_group(out, child, nets, &format!("{path}.{}", child.name), begin)?;
    }
    Ok(())
}
