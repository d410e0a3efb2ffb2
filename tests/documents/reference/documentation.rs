//! A module's `//!` documentation as Markdown for a page.
use std::collections::BTreeMap;

/// The documentation at the head of a source file, in its parts.
pub struct Documentation {
    /// The first paragraph.
    pub introduction: String,
    /// The drawing, as a code block.
    pub schematic: Option<String>,
    /// From the schematic to the paragraph on latency.
    pub ports: String,
    /// The rest: latency, state, reasons, source.
    pub timing: String,
}

impl Documentation {
    pub fn of(source: &str) -> Self {
        let lines = source.lines().take_while(|line| line.starts_with("//!"));
        let text: Vec<_> = lines.map(|line| line.strip_prefix("//! ").unwrap_or("")).collect();
        let text = text.join("\n");
        let latency = ["\nLatency", " Latency"].iter().find_map(|start| text.find(start));
        let (body, timing) = text.split_at(latency.expect("a module says its latency"));
        let (introduction, schematic, ports) = match body.split_once("```text\n") {
            Some((introduction, rest)) => {
                let (drawing, ports) = rest.split_once("```").expect("a code block ends");
                (introduction, Some(format!("```text\n{drawing}```\n")), ports)
            }
            None => {
                let (introduction, ports) = body.split_once("\n\n").expect("a module says its ports");
                (introduction, None, ports)
            }
        };
        let [introduction, ports, timing] = [introduction, ports, timing].map(|part| part.trim().to_string());
        Self { introduction, schematic, ports, timing }
    }

    /// Cycles from input to output: the sentence that begins with "Latency", up to its first stop.
    pub fn latency(&self) -> String {
        let text = self.timing.trim_start_matches("Latency").replace('\n', " ");
        let stops = [". ", "; state", ", no state", "  "];
        let end = stops.iter().filter_map(|stop| text.find(stop)).min().unwrap_or(text.len());
        text[..end].trim_start_matches([':', ',']).trim_end_matches('.').trim().to_string()
    }

    /// The text on timing with what one looks for in it in bold.
    pub fn timing_marked(&self) -> String {
        let text = self.timing.replacen("Latency", "**Latency**", 1);
        text.replacen("State:", "**State:**", 1).replacen("Source:", "**Source:**", 1)
    }
}

/// `[`name`](path)` and `[`name`]` become a link to the page of that block, or just its name.
pub fn resolve_links(text: &str, page_of: &BTreeMap<String, String>) -> String {
    let mut parts = text.split("[`");
    let mut out = parts.next().unwrap().to_string();
    for part in parts {
        let Some((name, rest)) = part.split_once("`]") else {
            out += "[`";
            out += part;
            continue;
        };
        let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, rest)) => rest,
            None => rest,
        };
        let name = name.rsplit("::").next().unwrap();
        out += &match page_of.get(name) {
            Some(page) => format!("[`{name}`]({page})"),
            None => format!("`{name}`"),
        };
        out += rest;
    }
    out
}

/// Other pages of the documentation become links, as a page of a block sees them.
pub fn link_documents(text: &str) -> String {
    let mut parts = text.split("docs/");
    let mut out = parts.next().unwrap().to_string();
    for part in parts {
        out += &match part.split_once(".md") {
            Some((page, rest)) if !page.contains(' ') => format!("[docs/{page}.md](../../{page}.md){rest}"),
            _ => format!("docs/{part}"),
        };
    }
    out
}
