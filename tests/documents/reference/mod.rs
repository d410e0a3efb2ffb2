//! What the reference pages say of a block: collected here, written by `page` and by the index.
mod documentation;
mod page;
mod storage;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::CoreConfig;
use warploom_sim::elaborate;

pub use documentation::{Documentation, resolve_links};
pub use storage::Storage;

/// The presets that the pages give sizes for.
pub const PRESETS: [&str; 2] = ["tiny", "paper"];

/// One block of the catalog.
pub struct Block {
    pub name: &'static str,
    pub summary: &'static str,
    /// Its source, below `hdl/src`.
    pub file: PathBuf,
    pub documentation: Documentation,
    /// Names of the blocks that its struct has as fields.
    pub contains: Vec<&'static str>,
    /// Per preset.
    pub storage: [Storage; 2],
    /// Per preset: how many of each type of module are directly inside.
    pub instances: [BTreeMap<String, usize>; 2],
}

impl Block {
    /// `divergence`; empty for what lies beside the folders.
    pub fn folder(&self) -> &str {
        self.file.parent().and_then(Path::to_str).unwrap_or_default()
    }
}

pub fn hardware() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl/src")
}

/// All blocks, in the order of the catalog.
pub fn blocks() -> Vec<Block> {
    let mut files = vec![];
    sources(&hardware(), &mut files);
    CATALOG
        .iter()
        .map(|entry| {
            let found =
                files.iter().find_map(|(path, text)| Some((path, text, definition(text, &type_name(entry.name))?)));
            let (path, text, definition) = found.unwrap_or_else(|| panic!("no source defines {}", entry.name));
            let names = with_its_own(definition.names(), &files);
            let netlists = [CoreConfig::tiny(), CoreConfig::paper()].map(|config| {
                let mut block = (entry.build)(&config);
                block.connect_all();
                elaborate(&*block).unwrap_or_else(|e| panic!("{}: {e}", entry.name))
            });
            Block {
                name: entry.name,
                summary: entry.summary,
                file: path.strip_prefix(hardware()).unwrap().to_path_buf(),
                documentation: Documentation::of(text),
                contains: contained(&names),
                storage: netlists.each_ref().map(Storage::of_top),
                instances: netlists.each_ref().map(storage::instances_of_top),
            }
        })
        .collect()
}

/// The blocks of these names.
fn contained(names: &BTreeSet<&str>) -> Vec<&'static str> {
    CATALOG.iter().map(|entry| entry.name).filter(|block| names.contains(type_name(block).as_str())).collect()
}

/// The pages of all blocks, by file name.
pub fn pages(blocks: &[Block]) -> BTreeMap<String, String> {
    blocks.iter().map(|block| (format!("{}.md", block.name), page::page(block, blocks))).collect()
}

/// `warp_slot` to `WarpSlot`.
pub fn type_name(block: &str) -> String {
    block.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// What the source says of a module's struct.
struct Definition<'a> {
    /// Its fields.
    fields: &'a str,
    /// `module!`, `records!` or `registers!`; empty for a plain struct.
    by: &'a str,
}

/// Where the struct of that name is declared: at the start of a line, or in `module! {` and the like.
fn definition<'a>(source: &'a str, name: &str) -> Option<Definition<'a>> {
    let head = format!("pub struct {name}");
    let (before, rest) = source
        .match_indices(&head)
        .map(|(start, _)| (&source[..start], &source[start + head.len()..]))
        .find(|(_, rest)| rest.starts_with([' ', ':', '<']))?;
    let (above, indent) = before.rsplit_once('\n').unwrap_or(("", before));
    let end = format!("\n{indent}}}");
    let fields = rest.split_once(&end).map_or(rest, |(fields, _)| fields);
    let around = above.lines().rev().find(|line| !line.is_empty() && !line.starts_with(' ')).unwrap_or_default();
    let by = if indent.is_empty() { "" } else { around.strip_suffix(" {").unwrap_or_default() };
    Some(Definition { fields, by })
}

impl<'a> Definition<'a> {
    /// The type of each field.
    fn types(&self) -> impl Iterator<Item = &'a str> {
        let lines = self.fields.lines().filter(|line| !line.trim().starts_with("//"));
        lines.filter_map(|line| line.split_once(": ")?.1.split(" = ").next())
    }

    /// Names in the types of its fields.
    fn names(&self) -> BTreeSet<&'a str> {
        match self.by {
            "records!" => BTreeSet::from(["Memory"]),
            "registers!" => {
                let is_flop = |field: &str| field.starts_with('[');
                let values = self.types().filter(|field| field.ends_with(','));
                values.map(|field| if is_flop(field) { "Flop" } else { "StateRegister" }).collect()
            }
            _ => self.types().flat_map(|field| field.split(|c: char| !c.is_alphanumeric())).collect(),
        }
    }
}

/// Tables and registers that a block has for itself are no blocks: what is in them is in the block.
fn with_its_own<'a>(mut names: BTreeSet<&'a str>, files: &'a [(PathBuf, String)]) -> BTreeSet<&'a str> {
    let is_block = |name: &str| CATALOG.iter().any(|entry| type_name(entry.name) == name);
    for name in names.clone().into_iter().filter(|name| !name.is_empty() && !is_block(name)) {
        let found = files.iter().find_map(|(_, text)| definition(text, name));
        names.extend(found.iter().filter(|found| !found.by.is_empty()).flat_map(Definition::names));
    }
    names
}

/// Sources of the hardware: path, text.
fn sources(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

#[test]
fn a_block_contains_what_its_fields_are() {
    let source = "\
bundle! {
    pub struct Trio(width: usize) {
        flop: [width],
    }
}
module! {
    /// No Popcount but in words.
    pub struct Pair: clock, reset {
        pub trio: Trio<In> = Trio::new(3),
        // register: Register,
        table: RowTable = RowTable::new(),
        flops: Vec<Flop> = (0..2).map(|_| Flop::new(Popcount::WIDTH)).collect(),
    }
    pub fn new(other: EnabledRegister) {}
}
records! {
    pub struct RowTable {
        Row(width: usize) {
            value: [width],
        }
    }
}
registers! {
    pub struct DeskRegister {
        Guest(age: usize) {
            valid: Bit,
            age: [age],
        }
    }
}
pub struct Leaf<T: Synth> {
    state: StateRegister<T>,
}
";
    let files = [(PathBuf::new(), source.to_string())];
    let contains = |name: &str| contained(&with_its_own(definition(source, name).unwrap().names(), &files));
    assert_eq!(contains("Pair"), ["flop", "memory"], "of them a memory in its table");
    assert_eq!(contains("RowTable"), ["memory"]);
    assert_eq!(contains("DeskRegister"), ["flop", "state_register"]);
    assert_eq!(contains("Leaf"), ["state_register"]);
    assert!(definition(source, "Trio").is_none(), "a bundle is no module");
}
