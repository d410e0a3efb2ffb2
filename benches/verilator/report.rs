//! The comparison as tables, Markdown or JSON.
use anyhow::Result;
use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{CellAlignment, Table};
use serde_json::{Value, json};
use warploom_sim::emit::Target;

use crate::compare::{Comparison, Engine, Row, Speed, Spread};
use crate::growth::Step;
use crate::scaling::Scaling;
use crate::{Options, machine};

/// Prints what was measured.
pub fn print(options: &Options, comparison: &Comparison) -> Result<()> {
    if options.json { print_json(options, comparison) } else { print_tables(options, comparison) }
}

/// Prints what a cycle costs by the size of the core.
pub fn print_growth(options: &Options, steps: &[Step]) -> Result<()> {
    if options.json {
        let step = |step: &Step| {
            json!({
                "core": step.name,
                "lanes": step.lanes,
                "warps": step.warps,
                "nanoseconds_per_cycle": step.nanoseconds[0],
                "nanoseconds_per_cycle_waiting": step.nanoseconds[1],
                "build": step.build,
                "peak_bytes": step.peak_bytes,
            })
        };
        println!("{}", serde_json::to_string_pretty(&steps.iter().map(step).collect::<Vec<Value>>())?);
        return Ok(());
    }
    println!("{}; kernels of size {}.\n", conditions(options), options.size);
    let mut table = table(&GROWTH_HEADER, options.markdown);
    for step in steps {
        let threads = step.lanes * step.warps;
        let [computing, waiting] = step.nanoseconds;
        table.add_row([
            step.name.to_string(),
            format!("{} x {}", step.lanes, step.warps),
            format!("{computing:.0} ({:.0} to {:.0})", step.range[0], step.range[1]),
            format!("{:.2}", computing / threads as f64),
            format!("{waiting:.0}"),
            (step.peak_bytes / 1_000_000).to_string(),
            (step.build.code_bytes / 1000).to_string(),
            format!("{:.1}", step.build.first_cycle_seconds),
        ]);
    }
    println!("{table}");
    Ok(())
}

const GROWTH_HEADER: [&str; 8] = [
    "core",
    "lanes x warps",
    "ns a cycle, computing",
    "by lanes x warps",
    "ns a cycle, waiting",
    "peak memory, MB",
    "machine code, kB",
    "to the first cycle, cold, s",
];

/// Prints what more threads are worth.
pub fn print_scaling(options: &Options, rows: &[Scaling]) -> Result<()> {
    if options.json {
        let row = |row: &Scaling| {
            json!({
                "kernel": row.kernel,
                "engine": row.engine.name(),
                "threads": row.threads,
                "cycles": row.cycles,
                "wall_cycles_per_second": row.speeds,
                "ratio_spread": spread(row.ratio),
                "shared_share": row.shared_share,
                "round_trip_ns": spread(row.round_trip),
            })
        };
        println!("{}", serde_json::to_string_pretty(&rows.iter().map(row).collect::<Vec<Value>>())?);
        return Ok(());
    }
    let rounds = options.repetitions.max(1);
    println!("{}.", conditions(options));
    println!("{}kernels of size {}, {rounds} round(s) of four runs.\n", design(options), options.size);
    let mut table = table(&SCALING_HEADER, options.markdown);
    for row in rows {
        table.add_row([
            row.kernel.clone(),
            row.engine.name(),
            row.cycles.to_string(),
            format!("{:.0}", row.speeds[0]),
            percent(row.shared_share),
            format!("{}: {:.0}", row.threads, row.speeds[1]),
            format!("{:.2}", row.ratio.median),
            range(row.ratio),
            format!("{:.0} to {:.0}", row.round_trip.smallest, row.round_trip.largest),
        ]);
    }
    println!("{table}");
    Ok(())
}

const SCALING_HEADER: [&str; 9] = [
    "kernel",
    "engine",
    "cycles",
    "one thread, cycles/s",
    "of it shared part",
    "threads: cycles/s",
    "ratio",
    "of rounds",
    "a word there and back, ns",
];

/// Median over the rows of one kind.
struct Median {
    target: Target,
    waves: bool,
    waiting: bool,
    ratio: f64,
    wall_ratio: f64,
}

impl Median {
    /// All kinds that were measured; first the one that counts.
    fn all(rows: &[Row]) -> Vec<Self> {
        let mut medians: Vec<Self> = vec![];
        for row in rows {
            let kind = |row: &Row| (row.waves, row.waiting, row.target);
            if medians.iter().any(|median| (median.waves, median.waiting, median.target) == kind(row)) {
                continue;
            }
            let alike = || rows.iter().filter(|other| kind(other) == kind(row));
            let ratio = Spread::of(alike().map(|row| row.ratio.median)).median;
            let wall_ratio = Spread::of(alike().map(|row| row.wall_ratio.median)).median;
            medians.push(Self { target: row.target, waves: row.waves, waiting: row.waiting, ratio, wall_ratio });
        }
        medians.sort_by_key(|median| (median.waves, median.waiting));
        medians
    }
}

fn print_json(options: &Options, comparison: &Comparison) -> Result<()> {
    let speed = |speed: &Speed| {
        json!({
            "cycles_per_second": speed.cycles_per_second,
            "wall_cycles_per_second": speed.wall_cycles_per_second,
            "engine_share": speed.engine_share,
            "wave_bytes_per_cycle": speed.wave_bytes_per_cycle,
        })
    };
    let row = |row: &Row| {
        json!({
            "kernel": row.kernel,
            "target": row.target.name(),
            "waves": row.waves,
            "waiting": row.waiting,
            "cycles": row.cycles,
            "waiting_share": row.waiting_share,
            "generated": speed(&row.generated),
            "verilator": speed(&row.verilator),
            "ratio_to_verilator": row.ratio.median,
            "ratio_spread": spread(row.ratio),
            "wall_ratio_spread": spread(row.wall_ratio),
        })
    };
    let engine = |engine: &Engine| {
        json!({
            "engine": if engine.variant.target.is_some() { "generated" } else { "verilator" },
            "target": engine.variant.target.map(Target::name),
            "waves": engine.variant.waves,
            "cold": engine.cold,
            "warm": engine.warm,
            "peak_bytes": engine.peak_bytes,
        })
    };
    let medians = Median::all(&comparison.rows);
    let the_one = |waiting: bool| medians.iter().find(|median| !median.waves && median.waiting == waiting);
    let median = |median: &Median| {
        json!({
            "target": median.target.name(),
            "waves": median.waves,
            "waiting": median.waiting,
            "ratio_to_verilator": median.ratio,
            "wall_ratio_to_verilator": median.wall_ratio,
        })
    };
    let object = json!({
        "ratio_to_verilator": the_one(false).map(|median| median.ratio),
        "ratio_to_verilator_waiting": the_one(true).map(|median| median.ratio),
        "medians": medians.iter().map(median).collect::<Vec<Value>>(),
        "preset": options.preset,
        "mechanism": options.mechanism,
        "memory_path": options.memory_path,
        "floats": options.floats,
        "cores": options.cores,
        "channels": options.channels,
        "threads": options.threads,
        "verilator_threads": options.verilator_threads,
        "size": options.size,
        "wave_size": options.wave_size,
        "repetitions": options.repetitions.max(1),
        "dram_latency": options.dram_latency,
        "machine": machine::cpu(),
        "load": machine::load(),
        "tools": machine::tools(options.verilator.as_deref()),
        "rows": comparison.rows.iter().map(row).collect::<Vec<Value>>(),
        "engines": comparison.engines.iter().map(engine).collect::<Vec<Value>>(),
    });
    println!("{}", serde_json::to_string_pretty(&object)?);
    Ok(())
}

fn print_tables(options: &Options, comparison: &Comparison) -> Result<()> {
    let table = |header: &[&str]| table(header, options.markdown);
    println!("{}.", conditions(options));
    let latency = options.dram_latency.map_or(String::new(), |cycles| format!(", DRAM after {cycles} cycles"));
    let pairs = options.repetitions.max(1);
    let threads = match options.verilator_threads {
        1 => String::new(),
        threads => format!(", Verilator with {threads} threads"),
    };
    println!("{}kernels of size {}, {pairs} pair(s) of runs{latency}{threads}.\n", design(options), options.size);
    for waves in [false, true] {
        let rows = || comparison.rows.iter().filter(|row| row.waves == waves);
        if rows().next().is_none() {
            continue;
        }
        if waves {
            println!("\nEvery net to a VCD file, kernels of size {}:\n", options.wave_size);
            println!("{}", wave_table(rows(), table(&WAVE_HEADER)));
        } else {
            println!("{}", speed_table(rows(), table(&SPEED_HEADER)));
        }
    }
    println!();
    let mut medians = table(&["median over the kernels", "target", "ratio", "on the clock"]);
    for Median { target, waves, waiting, ratio, wall_ratio } in Median::all(&comparison.rows) {
        let kind = if waiting { "waiting for memory" } else { "computing" };
        let kind = if waves { format!("{kind}, with waves") } else { kind.to_string() };
        medians.add_row([kind, target.name().to_string(), format!("{ratio:.2}"), format!("{wall_ratio:.2}")]);
    }
    println!("{medians}\n");
    println!("{}", engine_table(&comparison.engines, table));
    Ok(())
}

const SPEED_HEADER: [&str; 9] = [
    "kernel",
    "target",
    "cycles",
    "waiting",
    "generated, cycles/s",
    "of it host",
    "Verilator, cycles/s",
    "ratio",
    "of pairs",
];

fn speed_table<'a>(rows: impl Iterator<Item = &'a Row>, mut table: Table) -> Table {
    for row in rows {
        table.add_row([
            row.kernel.clone(),
            row.target.name().to_string(),
            row.cycles.to_string(),
            percent(row.waiting_share),
            format!("{:.0}", row.generated.cycles_per_second),
            percent(1.0 - row.generated.engine_share),
            format!("{:.0}", row.verilator.cycles_per_second),
            format!("{:.2}", row.ratio.median),
            range(row.ratio),
        ]);
    }
    table
}

const WAVE_HEADER: [&str; 9] = [
    "kernel",
    "target",
    "cycles",
    "generated, cycles/s",
    "Verilator, cycles/s",
    "bytes/cycle",
    "ratio, CPU",
    "of pairs",
    "ratio, on the clock",
];

fn wave_table<'a>(rows: impl Iterator<Item = &'a Row>, mut table: Table) -> Table {
    for row in rows {
        let Row { generated, verilator, .. } = row;
        table.add_row([
            row.kernel.clone(),
            row.target.name().to_string(),
            row.cycles.to_string(),
            format!("{:.0} ({:.0})", generated.cycles_per_second, generated.wall_cycles_per_second),
            format!("{:.0} ({:.0})", verilator.cycles_per_second, verilator.wall_cycles_per_second),
            format!("{:.0} / {:.0}", generated.wave_bytes_per_cycle, verilator.wave_bytes_per_cycle),
            format!("{:.2}", row.ratio.median),
            range(row.ratio),
            format!("{:.2} ({})", row.wall_ratio.median, range(row.wall_ratio)),
        ]);
    }
    table
}

/// An engine per column, so that its many figures stand below each other.
fn engine_table(engines: &[Engine], table: impl Fn(&[&str]) -> Table) -> Table {
    let names: Vec<String> = engines.iter().map(|engine| engine.variant.name()).collect();
    let mut table = table(&std::iter::once("engine").chain(names.iter().map(String::as_str)).collect::<Vec<_>>());
    let mut line = |what: &str, value: &dyn Fn(&Engine) -> String| {
        table.add_row(std::iter::once(what.to_string()).chain(engines.iter().map(value)));
    };
    let cold = |engine: &Engine, seconds: f64| {
        if engine.cold.cached { "in the cache".to_string() } else { format!("{seconds:.1}") }
    };
    line("elaborate, s", &|engine| format!("{:.2}", engine.cold.elaborate_seconds));
    line("generate source, s", &|engine| cold(engine, engine.cold.generate_seconds));
    line("compile, s", &|engine| cold(engine, engine.cold.compile_seconds));
    line("to the first cycle, cold, s", &|engine| cold(engine, engine.cold.first_cycle_seconds));
    line("to the first cycle, warm, s", &|engine| format!("{:.2}", engine.warm.first_cycle_seconds));
    line("machine code, kB", &|engine| (engine.warm.code_bytes / 1000).to_string());
    line("peak memory, running, MB", &|engine| (engine.peak_bytes / 1_000_000).to_string());
    line("peak memory, compiler, MB", &|engine| cold(engine, engine.cold.compiler_bytes as f64 / 1e6));
    table
}

/// What was measured with: the machine, its tools, and whether it was quiet.
fn conditions(options: &Options) -> String {
    format!("{}; {}; load {}", machine::cpu(), machine::tools(options.verilator.as_deref()), machine::load())
}

/// What is simulated.
fn design(options: &Options) -> String {
    let Options { preset, mechanism, memory_path, .. } = options;
    let floats = if options.floats { " with floats" } else { "" };
    let waits = memory_path.as_ref().map_or(String::new(), |path| format!(", memory path {path}"));
    let of = options.cores.map_or(String::new(), |cores| {
        let channels = options.channels.map_or(String::new(), |channels| format!(", {channels} channels"));
        format!("{cores} cores{channels}, {} thread(s); each: ", options.threads)
    });
    format!("Core: {of}{preset}{floats}, {mechanism}{waits}; ")
}

fn spread(spread: Spread) -> Value {
    json!([spread.smallest, spread.median, spread.largest])
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn range(spread: Spread) -> String {
    format!("{:.2} to {:.2}", spread.smallest, spread.largest)
}

/// Text on the left, numbers on the right.
fn table(header: &[&str], markdown: bool) -> Table {
    let mut table = Table::new();
    table.load_preset(if markdown { ASCII_MARKDOWN } else { UTF8_FULL_CONDENSED }).set_header(header);
    if !markdown {
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
