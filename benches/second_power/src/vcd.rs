//! A waveform (VCD), change by change.
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

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

/// Codes are numbers with the digits from `!` to `~`.
fn number(code: &str) -> usize {
    code.bytes().rev().fold(0, |number, digit| number * 95 + usize::from(digit - b' '))
}

impl Waveform {
    pub fn open(path: &str) -> std::io::Result<Self> {
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
                    codes.insert(path, number(code));
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
        Ok(Self { lines, codes, unit_ns })
    }
}

impl Iterator for Waveform {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            let line = self.lines.next()?.expect("a readable waveform");
            let Some(first) = line.chars().next() else { continue };
            match first {
                '#' => return Some(Event::Time(line[1..].trim().parse().expect("a time"))),
                '0' | '1' => return Some(Event::Change(number(line[1..].trim()), first == '1')),
                'x' | 'z' => return Some(Event::Unknown(number(line[1..].trim()))),
                // Of several bits, and keywords.
                _ => {}
            }
        }
    }
}
