//! As Markdown, with pictures in files beside it.
use std::fmt::Write;

use super::{Block, Section};
use crate::figures::Figure;

/// The text; `pictures` is where the figures' files are, as seen from it.
pub fn markdown(sections: &[Section], pictures: &str) -> String {
    let mut text = String::new();
    for (number, Section { title, blocks }) in sections.iter().enumerate() {
        let _ = writeln!(text, "{} {title}\n", if number == 0 { "#" } else { "##" });
        for block in blocks {
            match block {
                Block::Text(paragraph) => {
                    let _ = writeln!(text, "{paragraph}\n");
                }
                Block::Table { header, rows } => table(&mut text, header, rows),
                Block::Figure(figure) => self::figure(&mut text, figure, pictures),
            }
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn table(text: &mut String, header: &[String], rows: &[Vec<String>]) {
    let mut line = |cells: &[String]| {
        let _ = writeln!(text, "| {} |", cells.join(" | ").replace('\n', " "));
    };
    line(header);
    line(&vec!["---".to_string(); header.len()]);
    rows.iter().for_each(|row| line(row));
    text.push('\n');
}

fn figure(text: &mut String, figure: &Figure, pictures: &str) {
    let Figure { id, title, beside, paper, here, note, .. } = figure;
    let _ = writeln!(text, "### {title}\n\n![{title}]({pictures}/{id}.svg)\n");
    let _ = writeln!(text, "| | |\n|---|---|\n| beside | {beside} |\n| the paper | {paper} |\n| here | {here} |\n");
    if !note.is_empty() {
        let _ = writeln!(text, "{note}\n");
    }
}
