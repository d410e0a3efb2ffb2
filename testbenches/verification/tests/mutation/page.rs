//! docs/verification/mutants.md, from the results beside it.
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use warploom_hdl::catalog::CATALOG;

use crate::blocks::BLOCKS;
use crate::campaign::{Record, Stage, Verdict};
use crate::explained;

/// Where both are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verification")
}

/// The page.
pub fn file() -> PathBuf {
    folder().join("mutants.md")
}

/// The results.
pub fn results() -> PathBuf {
    folder().join("mutants.json")
}

/// The recorded results, a line each.
pub fn read() -> Vec<Record> {
    let text = fs::read_to_string(results()).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}", results().display())))
        .collect()
}

/// Records with one that has been made anew, in the order of the sample.
pub fn merged(records: &[Record], new: &Record, sample: &[String]) -> Vec<Record> {
    let of = |name: &String| match *name == new.name {
        true => Some(new.clone()),
        false => records.iter().find(|record| record.name == *name).cloned(),
    };
    sample.iter().filter_map(of).collect()
}

/// The results as they are recorded.
pub fn json(records: &[Record]) -> String {
    let lines = records.iter().map(|record| serde_json::to_string(record).expect("strings") + "\n");
    lines.collect()
}

/// Mutants by what came of them.
#[derive(Clone, Copy, Default)]
struct Counts {
    all: usize,
    by_stage: [usize; 3],
    proven: usize,
    explained: usize,
    missed: usize,
}

impl Counts {
    fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Self {
        let mut counts = Self::default();
        for record in records {
            counts.all += 1;
            match record.verdict {
                Verdict::Caught { stage, .. } => counts.by_stage[stage as usize] += 1,
                Verdict::Proven => counts.proven += 1,
                Verdict::Explained => counts.explained += 1,
                Verdict::Missed => counts.missed += 1,
            }
        }
        counts
    }

    fn caught(&self) -> usize {
        self.by_stage.iter().sum()
    }

    /// Of those that could be caught.
    fn percent(&self) -> f64 {
        100.0 * self.caught() as f64 / (self.caught() + self.missed).max(1) as f64
    }
}

/// The figures in a sentence.
pub fn summary(records: &[Record]) -> String {
    let counts = Counts::of(records.iter());
    let [unit, bench, core] = counts.by_stage;
    let Counts { all, proven, explained, missed, .. } = counts;
    format!(
        "{all} mutants: {} caught ({unit} by unit tests, {bench} more by the blocks' testbenches, {core} more by random programs on the core), \
         {} equivalent ({proven} proven, {explained} explained), {missed} missed: {:.1} % of those that are not equivalent are caught.",
        counts.caught(),
        proven + explained,
        counts.percent()
    )
}

const COMMAND: &str = "cargo test -p warploom-verification --test mutation -- --ignored --nocapture";
/// What CI runs.
const SHORT: &str = "WARPLOOM_MUTANT_MODULES=Capt,PathSelector";

/// Blocks of the catalog by the folder that they are in.
fn folders() -> BTreeMap<String, BTreeSet<String>> {
    fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default().to_string();
            if path.is_dir() {
                collect(root, &path, found);
            } else if name != "tests" && CATALOG.iter().any(|entry| entry.name == name) {
                let folder = folder.strip_prefix(root).expect("below it").components().next();
                let folder = folder.map_or("itself".into(), |folder| folder.as_os_str().to_string_lossy().into_owned());
                found.entry(folder).or_default().insert(name);
            }
        }
    }
    let (root, mut found) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/src"), BTreeMap::new());
    collect(&root, &root, &mut found);
    found
}

/// The module of a mutant.
fn module(record: &Record) -> &str {
    record.name.split('.').next().unwrap_or_default()
}

/// Without what Markdown takes for its own.
fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "or"))
}

/// The page; so many of the sample have no result.
pub fn page(records: &[Record], open: usize) -> String {
    let mut page = String::from("# Mutants: would the tests notice a fault?\n\n| | |\n|---|---|\n");
    page += "| What | The netlist of every block of frontend, issue, divergence, execute and memory that has logic of its own is broken one operator at a time; some test has to fail. |\n";
    page += "| How | All mutants of a sample are built into one simulator and chosen by an input, so that the tests' own binaries run against each: unit tests on the netlist, the blocks' testbenches, random programs on the core. Tests of equivalence do not count. |\n";
    writeln!(page, "| How often | The whole sample by hand, most of an hour on two cores; some blocks in minutes, with `{SHORT}`; the tool's own tests and this page in `cargo test`. |").unwrap();
    let open = if open == 0 {
        String::new()
    } else {
        format!(" {open} more of the sample have no result yet: not all tests have been asked.")
    };
    writeln!(page, "| Figures | {}{open} |", summary(records)).unwrap();
    writeln!(page, "| Command | `{COMMAND}` |\n").unwrap();
    page += "Generated by testbenches/verification/tests/mutation, which checks this page, and writes it anew from mutants.json with\n\
             `WARPLOOM_WRITE=1 cargo test -p warploom-verification --test mutation page`; with `WARPLOOM_WRITE=1` the command above writes both.\n\
             The operators and what they become are in testbenches/verification/src/mutation/operators.rs, the tests of each block in\n\
             testbenches/verification/tests/mutation/blocks.rs. A mutant is named by its module, the net or register whose logic it is in, what stands there and what it becomes.\n\n";
    page += "## Blocks\n\nThe figures are about these blocks of the catalog. What is not among them has no logic of its own (records, registers), is a leaf that the elaborator\n\
             knows, counts, or puts others together.\n\n| folder of hdl/src | covered | not covered |\n|---|--:|---|\n";
    for (folder, names) in folders() {
        let is_covered = |name: &String| BLOCKS.iter().any(|block| block.name == name);
        let (covered, others): (Vec<_>, Vec<_>) = names.into_iter().partition(is_covered);
        writeln!(page, "| {folder} | {} of {} | {} |", covered.len(), covered.len() + others.len(), others.join(", "))
            .unwrap();
    }
    page += "\nA kind of tests is asked only about what those before it have missed.\n\n";
    page +=
        "| module | mutants | unit tests | testbench | core | equivalent | missed |\n|---|--:|--:|--:|--:|--:|--:|\n";
    let mut by_module: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    records.iter().for_each(|record| by_module.entry(module(record)).or_default().push(record));
    for (module, records) in &by_module {
        let Counts { all, by_stage: [unit, bench, core], proven, explained, missed } =
            Counts::of(records.iter().copied());
        writeln!(page, "| {module} | {all} | {unit} | {bench} | {core} | {} | {missed} |", proven + explained).unwrap();
    }
    page += "\n## Not caught\n\n";
    let left = records.iter().filter(|record| !matches!(record.verdict, Verdict::Caught { .. }));
    page += "| mutant | why |\n|---|---|\n";
    for record in left {
        let why = match record.verdict {
            Verdict::Proven => "equivalent for all inputs: proven",
            Verdict::Explained => explained::reason(&record.name).unwrap_or("explained no more"),
            _ => "**missed**",
        };
        writeln!(page, "| {} | {why} |", cell(&record.name)).unwrap();
    }
    page += "\n## Caught\n\n| mutant | by |\n|---|---|\n";
    for record in records {
        let Verdict::Caught { by, stage } = &record.verdict else { continue };
        let first = by.first().map_or("", String::as_str);
        let shown = if *stage == Stage::Unit { first.rsplit("::").next().unwrap_or_default() } else { first };
        let more = if by.len() > 1 { format!(" and {} more", by.len() - 1) } else { String::new() };
        writeln!(page, "| {} | {shown}{more} |", cell(&record.name)).unwrap();
    }
    page
}
