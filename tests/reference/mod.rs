//! What the reference pages say of a block: collected here, written by `page` and by the index.
mod documentation;
mod page;
mod storage;

use std::collections::BTreeMap;
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
            let found = files.iter().find_map(|(path, text)| Some((path, text, definition(text, entry.name)?)));
            let (path, text, definition) = found.unwrap_or_else(|| panic!("no source defines {}", entry.name));
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
                contains: CATALOG.iter().map(|other| other.name).filter(|other| definition.contains(other)).collect(),
                storage: netlists.each_ref().map(Storage::of_top),
                instances: netlists.each_ref().map(storage::instances_of_top),
            }
        })
        .collect()
}

/// The pages of all blocks, by file name.
pub fn pages(blocks: &[Block]) -> BTreeMap<String, String> {
    blocks.iter().map(|block| (format!("{}.md", block.name), page::page(block, blocks))).collect()
}

/// `warp_slot` to `WarpSlot`.
pub fn type_name(block: &str) -> String {
    block.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// What the source says of a block's struct.
struct Definition<'a> {
    /// Its fields.
    fields: &'a str,
    /// [`records!`](warploom_hdl::records!) makes a memory of each.
    are_records: bool,
}

/// Where the struct of that block is declared: at the start of a line, or in `module! {` or `records! {`.
fn definition<'a>(source: &'a str, block: &str) -> Option<Definition<'a>> {
    let head = format!("pub struct {}", type_name(block));
    let (before, rest) = source
        .match_indices(&head)
        .map(|(start, _)| (&source[..start], &source[start + head.len()..]))
        .find(|(_, rest)| rest.starts_with([' ', ':', '<']))?;
    let (above, indent) = before.rsplit_once('\n').unwrap_or(("", before));
    let end = format!("\n{indent}}}");
    let fields = rest.split_once(&end).map_or(rest, |(fields, _)| fields);
    let around = above.lines().rev().find(|line| !line.is_empty() && !line.starts_with(' '));
    Some(Definition { fields, are_records: !indent.is_empty() && around == Some("records! {") })
}

impl Definition<'_> {
    fn contains(&self, block: &str) -> bool {
        let name = type_name(block);
        let fields = self.fields.lines().filter(|line| !line.trim().starts_with("//"));
        let mut types = fields.filter_map(|line| Some(line.split_once(": ")?.1.split(" = ").next()?));
        self.are_records && block == "memory"
            || types.any(|kind| kind.split(|c: char| !c.is_alphanumeric()).any(|word| word == name))
    }
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
    /// A flop: Memory in words only.
    pub struct Pair: clock, reset {
        pub trio: Trio<In> = Trio::new(3),
        // register: Register,
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
pub struct Leaf<T: Synth> {
    state: StateRegister<T>,
}
";
    let contains = |block: &str| -> Vec<_> {
        let definition = definition(source, block).unwrap();
        CATALOG.iter().map(|other| other.name).filter(|other| definition.contains(other)).collect()
    };
    assert_eq!(contains("pair"), ["flop"]);
    assert_eq!(contains("row_table"), ["memory"]);
    assert_eq!(contains("leaf"), ["state_register"]);
    assert!(definition(source, "trio").is_none(), "a bundle is no block");
}
