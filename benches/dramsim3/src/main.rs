//! The DRAM controller beside DRAMsim3: the same requests, the same times, latency and bandwidth of both.
//!
//! ```text
//!                +-- ours: DramController, generated simulator, DRAM that checks every command --+
//!  traces -------|                                                                               |--- clocks, share of the bus --> table
//!                +-- theirs: DRAMsim3 with an .ini from the same table of times -----------------+
//! ```
//! docs/verification/dramsim3.md says what comes out, and why. Not a part of the workspace: it needs cmake and a C++ compiler.
use anyhow::Result;
use clap::Parser;
use comfy_table::{Table, presets};
use warploom_hdl::memory_system::dram::{DramTiming, GDDR3, GDDR5};

mod ini;
mod ours;
mod theirs;
mod traces;
mod variants;

use ini::Ini;
use traces::{Access, Trace};
use variants::Variant;

/// Compares the DRAM controller with DRAMsim3 on the same requests.
#[derive(Parser)]
struct Options {
    /// Clocks of the command bus over which a bandwidth is measured.
    #[arg(long, default_value_t = 50_000)]
    clocks: usize,
    /// Clocks before them, in which queues fill.
    #[arg(long, default_value_t = 5_000)]
    warm_up: usize,
    /// Bandwidths with one thing changed on one of the sides as well: what makes the difference.
    #[arg(long)]
    causes: bool,
    /// Only print the files that DRAMsim3 gets.
    #[arg(long)]
    ini: bool,
}

/// A kind of DRAM, and how many lines of two bursts wait for it in the machines of the papers.
struct Kind {
    name: &'static str,
    timing: DramTiming,
    queue: usize,
}

fn kinds() -> [Kind; 2] {
    [Kind { name: "GDDR3", timing: GDDR3, queue: 32 }, Kind { name: "GDDR5", timing: GDDR5, queue: 64 }]
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    table
}

fn latencies(kind: &Kind) -> Result<Table> {
    let mut table = table(&["latency in clocks", "ours", "DRAMsim3", "ratio"]);
    let read = |row| Access { bank: 0, row, line: 1, write: false };
    let cases = [
        ("read, idle bank, 1 burst", None, 1),
        ("read, idle bank, 2 bursts", None, 2),
        ("read, row open, 2 bursts", Some(read(2)), 2),
        ("read, another row open, 1 burst", Some(read(1)), 1),
        ("read, another row open, 2 bursts", Some(read(1)), 2),
    ];
    for (name, before, bursts) in cases {
        let ours = ours::latency(&kind.timing, kind.queue, before, read(2), bursts)?;
        let theirs = theirs::latency(&Ini::new(&kind.timing, kind.queue), before, read(2), bursts)?;
        let ratio = ours as f64 / theirs as f64;
        table.add_row([name.into(), ours.to_string(), theirs.to_string(), format!("{ratio:.3}")]);
    }
    Ok(table)
}

fn bandwidths(kind: &Kind, options: &Options, variants: &[Variant]) -> Result<Table> {
    let mut header = vec!["share of the data bus", "ours", "DRAMsim3", "ratio"];
    header.extend(variants.iter().map(|variant| variant.name));
    let mut table = table(&header);
    for trace in Trace::ALL {
        let measure = |variant: Option<&Variant>| -> Result<[f64; 2]> {
            let (mut queue, mut ini) = (kind.queue, Ini::new(&kind.timing, kind.queue));
            if let Some(variant) = variant {
                (variant.change)(&mut queue, &mut ini);
            }
            let (warm_up, clocks) = (options.warm_up, options.clocks);
            let ours = ours::share(&kind.timing, queue, trace, warm_up, clocks)?;
            Ok([ours, theirs::share(&ini, trace, warm_up, clocks)?])
        };
        let [ours, theirs] = measure(None)?;
        let mut row = vec![trace.name().to_string(), format!("{ours:.3}"), format!("{theirs:.3}")];
        row.push(format!("{:.3}", ours / theirs));
        for variant in variants {
            let [ours, theirs] = measure(Some(variant))?;
            row.push(format!("{ours:.3} / {theirs:.3} = {:.3}", ours / theirs));
        }
        table.add_row(row);
    }
    Ok(table)
}

fn main() -> Result<()> {
    let options = Options::parse();
    for kind in kinds() {
        if options.ini {
            println!("# {}\n{}", kind.name, Ini::new(&kind.timing, kind.queue));
            continue;
        }
        let variants: &[Variant] = if options.causes { variants::ALL } else { &[] };
        println!("{}, {} lines of two bursts wait\n", kind.name, kind.queue);
        println!("{}\n\n{}\n", latencies(&kind)?, bandwidths(&kind, &options, variants)?);
    }
    Ok(())
}
