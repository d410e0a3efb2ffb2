//! As one HTML file that needs no other.
use std::fmt::Write;

use warploom_hdl::mechanism::{ADDITIONS, About, MECHANISMS};

use super::{Block, Section};
use crate::figures::Figure;

/// Where the pages of the blocks are.
const BLOCKS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/reference/blocks");

/// Wide figures and tables scroll by themselves, at their own size: their text is as small as it may be.
const STYLE: &str = "
body { font: 16px/1.5 sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; color: #222; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; margin-top: 2em; }
nav a { margin-right: 1em; display: inline-block; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { display: block; max-width: none; }
table { border-collapse: collapse; font-size: 14px; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: .25rem .6rem; text-align: left; vertical-align: top; overflow-wrap: normal; }
thead th { position: sticky; top: 0; background: #f4f4f4; }
td:first-child { min-width: 8rem; }
code { background: #f4f4f4; padding: 0 .2em; }
";

/// The page; `pictures` of execution are drawn as they are, with a caption each.
pub fn html(sections: &[Section], pictures: &[(String, String)]) -> String {
    let title = sections.first().map_or("", |section| section.title.as_str());
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>warploom: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    );
    contents(&mut text, sections);
    for (number, Section { title, blocks }) in sections.iter().enumerate() {
        let level = if number == 0 { 1 } else { 2 };
        let _ = writeln!(text, "<h{level} id=\"{}\">{}</h{level}>", anchor(title), prose(title));
        for block in blocks {
            match block {
                Block::Text(paragraph) => {
                    let _ = writeln!(text, "<p>{}</p>", prose(paragraph));
                }
                Block::Table { header, rows } => table(&mut text, header, rows),
                Block::Figure(figure) => self::figure(&mut text, figure),
            }
        }
    }
    if !pictures.is_empty() {
        text.push_str("<h2 id=\"execution\">Execution, cycle by cycle</h2>\n");
    }
    for (caption, svg) in pictures {
        let _ = writeln!(text, "<figure>{svg}<figcaption>{}</figcaption></figure>", prose(caption));
    }
    mechanisms(&mut text);
    text + "</body>\n</html>\n"
}

fn contents(text: &mut String, sections: &[Section]) {
    text.push_str("<nav>");
    for section in &sections[1.min(sections.len())..] {
        let _ = write!(text, "<a href=\"#{}\">{}</a>", anchor(&section.title), prose(&section.title));
    }
    text.push_str("<a href=\"#mechanisms\">The mechanisms</a></nav>\n");
}

fn table(text: &mut String, header: &[String], rows: &[Vec<String>]) {
    let cells = |cells: &[String], tag: &str| {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", prose(cell))).collect::<String>()
    };
    let _ = writeln!(text, "<table>\n<thead><tr>{}</tr></thead>\n<tbody>", cells(header, "th"));
    for row in rows {
        let _ = writeln!(text, "<tr>{}</tr>", cells(row, "td"));
    }
    text.push_str("</tbody>\n</table>\n");
}

fn figure(text: &mut String, figure: &Figure) {
    let Figure { id, title, beside, paper, here, note, svg } = figure;
    let _ = writeln!(text, "<h3 id=\"{id}\">{}</h3>\n<figure>{svg}</figure>\n<table><tbody>", prose(title));
    for (name, value) in [("beside", *beside), ("the paper", paper), ("here", here)] {
        let _ = writeln!(text, "<tr><th>{name}</th><td>{}</td></tr>", prose(value));
    }
    text.push_str("</tbody></table>\n");
    if !note.is_empty() {
        let _ = writeln!(text, "<p>{}</p>", prose(note));
    }
}

/// What the mechanisms are, and where their blocks are described.
fn mechanisms(text: &mut String) {
    text.push_str("<h2 id=\"mechanisms\">The mechanisms</h2>\n<table>\n<thead><tr><th>mechanism</th><th>what it is</th><th>described in</th><th>blocks</th></tr></thead>\n<tbody>\n");
    for About { name, summary, source, blocks } in MECHANISMS.iter().map(|entry| &entry.about).chain(ADDITIONS) {
        let link = |block: &&str| format!("<a href=\"{BLOCKS}/{block}.md\">{block}</a>");
        let links: Vec<String> = blocks.iter().map(link).collect();
        let (summary, source, links) = (prose(summary), prose(source), links.join(" "));
        let _ =
            writeln!(text, "<tr><td><code>{name}</code></td><td>{summary}</td><td>{source}</td><td>{links}</td></tr>");
    }
    text.push_str("</tbody>\n</table>\n");
}

fn anchor(title: &str) -> String {
    title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// Escaped, with `code`, **strong** and *emphasis* marked.
fn prose(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let marks = [("`", "code"), ("**", "strong"), ("*", "em")];
    marks.into_iter().fold(escaped, |text, (mark, tag)| marked(&text, mark, tag))
}

fn marked(text: &str, mark: &str, tag: &str) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    if parts.len().is_multiple_of(2) {
        return text.to_string();
    }
    let part = |(number, part): (usize, &&str)| {
        if number % 2 == 1 { format!("<{tag}>{part}</{tag}>") } else { part.to_string() }
    };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn prose_is_escaped_and_marked() {
        assert_eq!(prose("a < `b` & **c** *d*"), "a &lt; <code>b</code> &amp; <strong>c</strong> <em>d</em>");
        assert_eq!(prose("one ` alone"), "one ` alone");
    }
}
