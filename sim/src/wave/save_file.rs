//! GTKWave's save file.
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::UNITS_PER_CYCLE;
use super::scopes::Scope;
use crate::engine::ObservedNet;
use crate::files;

// Trace flags of GTKWave, as they stand after the `@`.
const HEXADECIMAL: &str = "@22";
const BINARY: &str = "@28";
const GROUP_BEGIN: &str = "@800200";
const CLOSED_GROUP_BEGIN: &str = "@c00200";
const GROUP_END: &str = "@1000200";

/// More nets than this, and groups start closed.
const MOST_OPEN: usize = 100;

/// What the viewer opens on.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The marker is there, not far from the left; `None`: the start of the waveform.
    pub cycle: Option<u64>,
    /// What the first group is called, and the names of its nets, as far as there are such nets.
    pub first: Option<(String, Vec<String>)>,
}

/// GTKWave's magnification: at this one a window of 1600 pixels shows some fifty cycles.
const ZOOM: &str = "-7.0";
/// Cycles to the left of the marker.
const BEFORE: u64 = 10;

/// Writes the save file at `path` that shows `nets` of the waveform at `dump`, one group per scope.
pub fn write_save_file(path: &Path, dump: &Path, nets: &[ObservedNet]) -> io::Result<()> {
    write_view(path, dump, nets, &View::default())
}

/// The same, opened on something.
pub fn write_view(path: &Path, dump: &Path, nets: &[ObservedNet], view: &View) -> io::Result<()> {
    let start = view.cycle.map_or(0, |cycle| cycle.saturating_sub(BEFORE) * UNITS_PER_CYCLE);
    let mut out = Vec::new();
    let dump = std::path::absolute(dump).unwrap_or_else(|_| PathBuf::from(dump));
    writeln!(out, "[*] warploom {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "[dumpfile] \"{}\"", dump.display())?;
    writeln!(
        out,
        "[timestart] {start}\n[size] 1600 900\n[pos] -1 -1\n[sst_width] 260\n[signals_width] 400\n[sst_expanded] 1"
    )?;
    if let Some(cycle) = view.cycle {
        writeln!(out, "*{ZOOM} {}{}", cycle * UNITS_PER_CYCLE, " -1".repeat(26))?;
    }
    let root = Scope::root(nets);
    if let Some(top) = root.children.first() {
        writeln!(out, "[treeopen] {}.\n{BINARY}\n{}.clock", top.name, top.name)?;
    }
    if let Some((name, first)) = &view.first {
        let first = first.iter().filter_map(|path| nets.iter().find(|net| net.path == *path));
        let first: Vec<&ObservedNet> = first.collect();
        write_nets(&mut out, &first, name, GROUP_BEGIN)?;
    }
    let begin = if nets.len() > MOST_OPEN { CLOSED_GROUP_BEGIN } else { GROUP_BEGIN };
    root.children.iter().try_for_each(|scope| write_group(&mut out, scope, nets, scope.name, begin))?;
    files::replace(path, &out)
}

fn write_group(out: &mut impl Write, scope: &Scope, nets: &[ObservedNet], path: &str, begin: &str) -> io::Result<()> {
    let own: Vec<&ObservedNet> = scope.nets.iter().map(|&(i, _)| &nets[i]).collect();
    write_nets(out, &own, path, begin)?;
    for child in &scope.children {
        write_group(out, child, nets, &format!("{path}.{}", child.name), begin)?;
    }
    Ok(())
}

fn write_nets(out: &mut impl Write, nets: &[&ObservedNet], name: &str, begin: &str) -> io::Result<()> {
    if nets.is_empty() {
        return Ok(());
    }
    writeln!(out, "{begin}\n-{name}")?;
    for net in nets {
        if net.variants.is_none() && net.width > 1 {
            writeln!(out, "{HEXADECIMAL}\n{}[{}:0]", net.path, net.width - 1)?;
        } else {
            writeln!(out, "{BINARY}\n{}", net.path)?;
        }
    }
    writeln!(out, "{GROUP_END}\n-{name}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_save_file_before_stays_until_there_is_another() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("a.gtkw"), "before").unwrap();
        // Who writes into the file changes it under its other name, too.
        fs::hard_link(at("a.gtkw"), at("other")).unwrap();
        write_save_file(&at("a.gtkw"), &at("a.vcd"), &[]).unwrap();
        assert_eq!(fs::read_to_string(at("other")).unwrap(), "before");
        assert!(fs::read_to_string(at("a.gtkw")).unwrap().contains("a.vcd\"\n[timestart] 0\n"));
    }
}
