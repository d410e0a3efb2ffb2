//! Power of mapped gates a second time: from the directories that `warploom synth --gates` writes, with Icarus in place of our
//! own simulation and a calculation that shares no code with it. Prints both, side by side.
//!
//! ```text
//!  mapped.v, cells.lib --models, iverilog, vvp--> bench.vcd --+--> leakage, internal, switching --compare--> a table
//!  mapped.v, cells.lib, gates.sdc --loads, slews, arrivals----+                                    ^
//!                                                                          power.tsv, ours --------+
//! ```
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod design;
mod function;
mod liberty;
mod library;
mod netlist;
mod opensta;
mod power;
mod table;
mod timing;
mod vcd;

use design::Design;
use power::{Part, power};
use timing::Timing;

/// A difference that is too large, in %.
const MOST: f64 = 5.0;

const USAGE: &str = "\
usage: warploom-second-power [--by-kind] [--opensta] [--clock-slew NS] [--propagated-clocks] [--reuse] DIRECTORY...
directories that `warploom synth MODULE --kernel NAME --gates DIRECTORY` has written
  --by-kind            also by kind of cell
  --opensta            also leakage and clock pins by OpenSTA
  --clock-slew NS      how long clocks take to change, in place of 0
  --propagated-clocks  behind gates, as long as the gates make them
  --reuse              the waveforms that are there already";

#[derive(Default)]
struct Options {
    by_kind: bool,
    opensta: bool,
    clock_slew: f64,
    propagated: bool,
    reuse: bool,
    directories: Vec<PathBuf>,
}

impl Options {
    fn read() -> Option<Self> {
        let mut options = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--by-kind" => options.by_kind = true,
                "--opensta" => options.opensta = true,
                "--clock-slew" => options.clock_slew = arguments.next()?.parse().ok()?,
                "--propagated-clocks" => options.propagated = true,
                "--reuse" => options.reuse = true,
                other if other.starts_with('-') => return None,
                _ => options.directories.push(PathBuf::from(argument)),
            }
        }
        Some(options).filter(|options| !options.directories.is_empty())
    }
}

fn main() {
    let Some(options) = Options::read() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    println!("| gates | | total, uW | leakage | clock pins | other internal | switching | changes |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut worst = 0f64;
    for directory in &options.directories {
        let design = Design::read(directory);
        if !options.reuse || !directory.join("bench.vcd").exists() {
            simulate(&design, directory);
        }
        let timing = Timing::new(&design, options.clock_slew, !options.propagated);
        let second = power(&design, &timing, directory);
        let ours = ours(directory);
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        worst = worst.max(rows(&name, &sum(&ours), &sum(&second)));
        if options.opensta {
            println!("{}", opensta::row(&design, directory));
        }
        for (kind, second) in second.iter().filter(|_| options.by_kind) {
            rows(kind, ours.get(kind).unwrap_or(&Part::default()), second);
        }
    }
    println!("\nThe largest difference of a total: {worst:.2} %.");
    std::process::exit(i32::from(worst > MOST));
}

fn simulate(design: &Design, directory: &Path) {
    fs::write(directory.join("cells.v"), design.models()).expect("a writable directory");
    let run = |command: &str, arguments: &[&str]| {
        let status = Command::new(command).args(arguments).current_dir(directory).status();
        let status = status.unwrap_or_else(|error| panic!("{command} does not run: {error}"));
        assert!(status.success(), "{command} failed in {}", directory.display());
    };
    run("iverilog", &["-g2012", "-o", "bench", "bench.v", "mapped.v", "cells.v"]);
    run("vvp", &["-n", "bench"]);
}

/// What `synth` has calculated.
fn ours(directory: &Path) -> BTreeMap<String, Part> {
    let text = fs::read_to_string(directory.join("power.tsv")).expect("power.tsv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields[i].parse::<f64>().expect("a number");
        let part = Part {
            cells: number(1) as usize,
            changes: number(2) as u64,
            leakage: number(3),
            internal: number(4),
            clock: number(5),
            inputs: 0.0,
            switching: number(6),
        };
        (fields[0].to_string(), part)
    };
    text.lines().skip(1).map(row).collect()
}

fn sum(parts: &BTreeMap<String, Part>) -> Part {
    let mut total = Part::default();
    parts.values().for_each(|part| total.add(part));
    total
}

/// Ours, the second, and the difference in %; returns that of the total.
fn rows(name: &str, ours: &Part, second: &Part) -> f64 {
    let values = |part: &Part| {
        let total = part.leakage + part.internal + part.switching;
        [total, part.leakage, part.clock, part.internal - part.clock, part.switching, part.changes as f64]
    };
    let (ours, second) = (values(ours), values(second));
    let row = |values: [f64; 6]| {
        let [changes, powers @ ..] = [values[5], values[0], values[1], values[2], values[3], values[4]];
        let powers = powers.map(|power| format!("{power:.3}"));
        format!("{} | {changes}", powers.join(" | "))
    };
    println!("| {name} | ours | {} |", row(ours));
    println!("| | second | {} |", row(second));
    let difference = |i: usize| if second[i] == ours[i] { 0.0 } else { 100.0 * (ours[i] / second[i] - 1.0) };
    let differences = [0, 1, 2, 3, 4, 5].map(|i| format!("{:+.2} %", difference(i)));
    println!("| | difference | {} |", differences.join(" | "));
    difference(0).abs()
}
