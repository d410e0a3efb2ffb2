//! Colours of verdicts, where a terminal wants them: `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `TERM` are honoured.
use std::io::stdout;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// Words that say how something ended.
const VERDICTS: [(&str, AnsiColor); 4] =
    [("PASS", AnsiColor::Green), ("DONE", AnsiColor::Green), ("FAIL", AnsiColor::Red), ("STOPPED", AnsiColor::Yellow)];

/// The text for standard output, its verdicts coloured.
pub fn verdicts(text: &str) -> String {
    if AutoStream::choice(&stdout()) == ColorChoice::Never { text.to_string() } else { coloured(text) }
}

fn coloured(text: &str) -> String {
    let colour = |word: &str| {
        let (bare, rest) = word.split_at(word.trim_end().len());
        let known = VERDICTS.iter().find(|(verdict, _)| *verdict == bare);
        known.map_or(word.to_string(), |(_, colour)| {
            let style = Style::new().bold().fg_color(Some((*colour).into()));
            format!("{style}{bare}{style:#}{rest}")
        })
    };
    text.split_inclusive([' ', '\n']).map(colour).collect()
}

#[cfg(test)]
mod tests {
    use super::coloured;

    #[test]
    fn verdicts_are_coloured_and_nothing_else() {
        assert_eq!(
            coloured("PASS  bfs on tiny\n  1 FAILURE\n"),
            "\u{1b}[1m\u{1b}[32mPASS\u{1b}[0m  bfs on tiny\n  1 FAILURE\n"
        );
        assert_eq!(coloured("a  FAIL\nb"), "a  \u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m\nb");
    }
}
