//! A waveform (VCD), change by change.
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// A waveform that is being read.
pub struct Waveform {
    lines: std::io::Lines<BufReader<File>>,
    /// Codes of variables of one bit by their path, with dots.
    pub codes: HashMap<String, usize>,
    /// Of a unit of time, in ns.
    pub unit_ns: f64,
}

/// What a line says.
pub enum Event {
    Time(u64),
    /// Which variable, and its new value.
    Change(usize, bool),
    /// A value that is neither 0 nor 1.
    Unknown(usize),
}

/// Codes are numbers with the digits from `!` to `~`. There is a place for each below the largest, so that one has an end.
fn number(code: &str) -> Result<usize> {
    const MOST: usize = 1 << 26;
    let add = |number: usize, digit: u8| {
        let digit = usize::from(digit.checked_sub(b' ')?);
        Some(number * 95 + digit).filter(|number| *number < MOST)
    };
    let number = code.trim().bytes().rev().try_fold(0, add);
    number.with_context(|| format!("`{code}` is no code of a variable"))
}

impl Waveform {
    pub fn open(path: &Path) -> Result<Self> {
        let mut lines = BufReader::with_capacity(1 << 20, File::open(path)?).lines();
        let (mut codes, mut scopes, mut unit_ns) = (HashMap::new(), Vec::<String>::new(), 1.0);
        let mut text = vec![];
        for line in lines.by_ref() {
            text.extend(line?.split_whitespace().map(str::to_string));
            if text.last().is_none_or(|word| word != "$end") {
                continue;
            }
            let words: Vec<&str> = text.iter().map(String::as_str).collect();
            match words[..] {
                ["$scope", _, name, ..] => scopes.push(name.to_string()),
                ["$upscope", ..] => drop(scopes.pop()),
                ["$var", _, "1", code, name, ..] => {
                    let path = scopes.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
                    codes.insert(path, number(code)?);
                }
                ["$timescale", .., "$end"] => {
                    let unit = words[1..words.len() - 1].concat();
                    let digits = unit.trim_end_matches(char::is_alphabetic);
                    let scale = match &unit[digits.len()..] {
                        "s" => 1e9,
                        "ms" => 1e6,
                        "us" => 1e3,
                        "ns" => 1.0,
                        "ps" => 1e-3,
                        _ => 1e-6,
                    };
                    unit_ns = digits.parse::<f64>().unwrap_or(1.0) * scale;
                }
                ["$enddefinitions", ..] => break,
                _ => {}
            }
            text.clear();
        }
        ensure!(!codes.is_empty(), "no variable is in it");
        Ok(Self { lines, codes, unit_ns })
    }

    /// What the next line says that is of one bit or a time; none at the end.
    fn event(&mut self) -> Result<Option<Event>> {
        for line in self.lines.by_ref() {
            let line = line?;
            let Some((first, rest)) = line.split_at_checked(1) else { continue };
            return Ok(Some(match first {
                "#" => Event::Time(rest.trim().parse().with_context(|| format!("`{line}` is no time"))?),
                "0" | "1" => Event::Change(number(rest)?, first == "1"),
                "x" | "z" => Event::Unknown(number(rest)?),
                // Of several bits, and keywords.
                "b" | "r" | "$" => continue,
                _ => bail!("`{line}` is no change"),
            }));
        }
        Ok(None)
    }
}

impl Iterator for Waveform {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Result<Event>> {
        self.event().transpose()
    }
}
