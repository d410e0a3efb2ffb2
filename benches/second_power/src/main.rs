//! Power of mapped gates a second time: from the directories that `warploom synth --gates` writes, with Icarus in place of our
//! own simulation and a calculation that shares no code with it. Prints both, side by side.
//!
//! ```text
//!  mapped.v, cells.lib --models, iverilog, vvp--> bench.vcd --+--> leakage, internal, switching --compare--> a table
//!  mapped.v, cells.lib, gates.sdc --loads, slews, arrivals----+                                    ^
//!                                                                          power.tsv, ours --------+
//! ```
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

mod design;
mod function;
mod icarus;
mod liberty;
mod library;
mod netlist;
mod opensta;
mod ours;
mod power;
mod table;
mod timing;
mod vcd;

use design::Design;
use power::{Part, power};
use timing::Timing;

/// A difference that is too large, in %.
const MOST: f64 = 5.0;

/// Calculates the power of mapped gates a second time, and prints it beside that of `warploom synth`.
///
/// Needs Icarus (iverilog and vvp), whose waveform is written to the directory: up to some GB. Prints a table in Markdown, in
/// uW. Ends with 1 if a total differs by more than 5 %, and with 2 if something is wrong with a directory.
#[derive(Parser)]
#[command(name = "warploom-second-power")]
struct Options {
    /// Directories that `warploom synth MODULE --kernel NAME --gates DIRECTORY` has written.
    #[arg(required = true, value_name = "DIRECTORY")]
    directories: Vec<PathBuf>,
    /// Also by kind of cell.
    #[arg(long)]
    by_kind: bool,
    /// Also leakage by OpenSTA (sta), and clock pins where no clock is gated.
    #[arg(long)]
    opensta: bool,
    /// How long clocks take to change.
    #[arg(long, value_name = "NS", default_value_t = 0.0, value_parser = nanoseconds)]
    clock_slew: f64,
    /// Clocks behind gates take as long to change as the gates make them.
    #[arg(long)]
    propagated_clocks: bool,
    /// Take the waveforms that are there already.
    #[arg(long)]
    reuse: bool,
}

fn nanoseconds(text: &str) -> Result<f64, String> {
    let slew = text.parse().ok().filter(|slew| (0.0..=1000.0).contains(slew));
    slew.ok_or_else(|| "it is a number of nanoseconds from 0 to 1000".to_string())
}

fn main() -> ExitCode {
    match compare(&Options::parse()) {
        Ok(worst) => ExitCode::from(u8::from(worst > MOST)),
        Err(error) => {
            // Where nobody reads it there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Prints both of all directories; returns the largest difference of a total, in %.
fn compare(options: &Options) -> Result<f64> {
    let mut worst = 0f64;
    for (i, directory) in options.directories.iter().enumerate() {
        let compared = compare_one(options, directory).with_context(|| directory.display().to_string())?;
        if i == 0 {
            print("| gates | | total, uW | leakage | clock pins | other internal | switching | changes |")?;
            print("|---|---|---|---|---|---|---|---|")?;
        }
        print(&compared.rows)?;
        worst = worst.max(compared.difference);
    }
    print(&format!("\nThe largest difference of a total: {worst:.2} %."))?;
    Ok(worst)
}

fn print(text: &str) -> Result<()> {
    writeln!(stdout(), "{text}").context("the table cannot be printed")
}

/// Rows of the table, and the difference of the total in %.
struct Compared {
    rows: String,
    difference: f64,
}

fn compare_one(options: &Options, directory: &Path) -> Result<Compared> {
    ensure!(
        directory.is_dir(),
        "no such directory; `warploom synth MODULE --kernel NAME --gates DIRECTORY` writes one"
    );
    let design = Design::read(directory)?;
    let ours = ours::read(directory)?;
    let timing = Timing::new(&design, options.clock_slew, !options.propagated_clocks)?;
    if !options.reuse || !directory.join("bench.vcd").exists() {
        icarus::simulate(&design, directory)?;
    }
    let second = power(&design, &timing, directory)?;
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let mut compared = rows(&name, &Part::sum(ours.values()), &Part::sum(second.values()));
    if options.opensta {
        compared.rows += &format!("\n{}", opensta::row(&design, directory)?);
    }
    for (kind, second) in second.iter().filter(|_| options.by_kind) {
        compared.rows += &format!("\n{}", rows(kind, ours.get(kind).unwrap_or(&Part::default()), second).rows);
    }
    Ok(compared)
}

/// Ours, the second, and the difference in %.
fn rows(name: &str, ours: &Part, second: &Part) -> Compared {
    let values = |part: &Part| {
        let total = part.leakage + part.internal + part.switching;
        [total, part.leakage, part.clock, part.internal - part.clock, part.switching, part.changes as f64]
    };
    let (ours, second) = (values(ours), values(second));
    let row = |[powers @ .., changes]: [f64; 6]| {
        let powers = powers.map(|power| format!("{power:.3}"));
        format!("{} | {changes}", powers.join(" | "))
    };
    let difference = |i: usize| if second[i] == ours[i] { 0.0 } else { 100.0 * (ours[i] / second[i] - 1.0) };
    let differences = [0, 1, 2, 3, 4, 5].map(|i| format!("{:+.2} %", difference(i)));
    let rows = format!(
        "| {name} | ours | {} |\n| | second | {} |\n| | difference | {} |",
        row(ours),
        row(second),
        differences.join(" | ")
    );
    Compared { rows, difference: difference(0).abs() }
}
