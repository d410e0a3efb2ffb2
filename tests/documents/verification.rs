//! docs/verification.md: what is checked, put together from the pages of docs/verification.
//!
//! With `WARPLOOM_WRITE=1` the test writes the page instead of comparing it.
use std::fs;
use std::path::Path;

const INTRODUCTION: &str = "\
# Verification

What is checked, how, and how often. Each line has a page of its own in docs/verification, written by the run that it tells of, and this
page is put together from those (`WARPLOOM_WRITE=1 cargo test --test documents verification`).

Everything here speaks of one netlist: what rust-hdl's `update()` runs, what the generated simulator is generated from, and what is
exported as Verilog.

";

/// The lines of the table at the beginning of a page, in this order.
const LINES: [&str; 5] = ["What", "How", "How often", "Figures", "Command"];

/// Title and cells of a page.
fn summary(name: &str, text: &str) -> (String, [String; 5]) {
    let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
    let title = title.unwrap_or_else(|| panic!("{name} begins with no title"));
    let cell = |line: &str| {
        let row = text.lines().find_map(|row| row.strip_prefix(&format!("| {line} | ")));
        let row = row.and_then(|row| row.strip_suffix(" |"));
        row.unwrap_or_else(|| panic!("{name} has no line `{line}` in its first table")).to_string()
    };
    (title.to_string(), LINES.map(cell))
}

fn page(folder: &Path) -> String {
    let names = fs::read_dir(folder).expect("docs/verification").map(|file| file.expect("a file").file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    let mut page = INTRODUCTION.to_string();
    for name in &names {
        let text = fs::read_to_string(folder.join(name)).expect("a readable page");
        let (title, cells) = summary(name, &text);
        page += &format!("## [{title}](verification/{name})\n\n{}\n\n", cells[0]);
        for (line, cell) in LINES.iter().zip(&cells).skip(1) {
            page += &format!("- **{line}**: {cell}\n");
        }
        page += "\n";
    }
    page.trim_end().to_string() + "\n"
}

#[test]
fn the_page_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let (path, expected) = (docs.join("verification.md"), page(&docs.join("verification")));
    if std::env::var_os("WARPLOOM_WRITE").is_some() {
        fs::write(&path, &expected).expect("a writable page");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == expected, "docs/verification.md is out of date: WARPLOOM_WRITE=1 writes it");
}
