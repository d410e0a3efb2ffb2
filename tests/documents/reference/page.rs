//! The page of one block.
use std::collections::BTreeMap;
use std::fs;

use super::documentation::{link_documents, resolve_links};
use super::{Block, PRESETS, hardware, type_name};

pub fn page(block: &Block, blocks: &[Block]) -> String {
    let mut pages: BTreeMap<_, _> =
        blocks.iter().map(|other| (type_name(other.name), format!("{}.md", other.name))).collect();
    pages.insert("records!".into(), "../../../hdl/src/records.rs".into());
    for bundle in bundles() {
        pages.insert(bundle, "../../../hdl/src/interface.rs".into());
    }
    let text = |text: &str| link_documents(&resolve_links(text, &pages));
    let Block { name, documentation, .. } = block;
    let file = block.file.display();
    let mut sections = vec![
        format!("# {}", type_name(name)),
        text(&documentation.introduction),
        format!(
            "Source [hdl/src/{file}](../../../hdl/src/{file}). As Verilog: `warploom export {name}`. [All blocks](../blocks.md)."
        ),
    ];
    sections.extend(documentation.schematic.as_ref().map(|schematic| schematic.trim_end().to_string()));
    sections.push(format!("## Ports\n\n{}", text(documentation.ports.trim_start_matches("Ports: "))));
    sections.push(format!("## Timing and reasons\n\n{}", text(&documentation.timing_marked())));
    sections.push(format!("## Storage\n\n{}", storage(block)));
    sections.push(format!("## Inside\n\n{}", inside(block, blocks)));
    sections.join("\n\n") + "\n"
}

/// Those between the blocks.
fn bundles() -> Vec<String> {
    let source = fs::read_to_string(hardware().join("interface.rs")).unwrap();
    let names = source.lines().filter_map(|line| line.strip_prefix("    pub struct ")?.split_once('('));
    names.map(|(name, _)| name.to_string()).collect()
}

/// Its own: what it contains would change with other blocks, and is in the index.
fn storage(block: &Block) -> String {
    if block.storage.iter().all(|storage| storage.own.registers + storage.own.memories == 0) {
        let inside = block.storage.iter().any(|storage| storage.total.registers + storage.total.memories > 0);
        return if inside { "None of its own." } else { "None." }.into();
    }
    let mut table = "| preset | flip-flops of its own | memory bits of its own |\n|---|---|---|".to_string();
    for (preset, storage) in PRESETS.iter().zip(&block.storage) {
        table += &format!("\n| `{preset}` | {} | {} |", storage.own.registers, storage.own.memories);
    }
    table
}

/// Primitives are not counted: they have melted into the block's own registers, memories and logic.
fn inside(block: &Block, blocks: &[Block]) -> String {
    let contained = blocks.iter().filter(|other| block.contains.contains(&other.name));
    let (primitives, modules): (Vec<_>, Vec<_>) = contained.partition(|other| other.folder() == "prim");
    let mut parts = vec![];
    if !modules.is_empty() {
        let mut table = "| block | in `tiny` | in `paper` |\n|---|---|---|".to_string();
        for Block { name, .. } in modules {
            let counts = block.instances.each_ref().map(|instances| instances.get(&type_name(name)));
            let [tiny, paper] = counts.map(|count| count.copied().unwrap_or(0));
            table += &format!("\n| {} | {tiny} | {paper} |", link(name));
        }
        parts.push(table);
    }
    if !primitives.is_empty() {
        let links: Vec<_> = primitives.iter().map(|primitive| link(primitive.name)).collect();
        parts.push(format!("Primitives: {}.", links.join(", ")));
    }
    if parts.is_empty() { "Nothing: it is a leaf.".into() } else { parts.join("\n\n") }
}

fn link(name: &str) -> String {
    format!("[`{}`]({name}.md)", type_name(name))
}
