//! The comparison as tables or JSON.
use anyhow::Result;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use serde_json::json;

use crate::compare::{Comparison, Engine, median};
use crate::{Options, machine};

/// Median over the kernels.
fn ratio(comparison: &Comparison) -> f64 {
    let mut ratios: Vec<f64> = comparison.rows.iter().map(|row| row.ratio[1]).collect();
    ratios.sort_by(f64::total_cmp);
    median(&ratios)
}

/// Prints what was measured.
pub fn print(options: &Options, comparison: &Comparison) -> Result<()> {
    if options.json { print_json(options, comparison) } else { print_tables(options, comparison) }
}

fn print_json(options: &Options, comparison: &Comparison) -> Result<()> {
    let rows = comparison.rows.iter().map(|row| {
        json!({
            "kernel": row.kernel,
            "cycles": row.cycles,
            "generated_cycles_per_second": row.speed[0],
            "verilator_cycles_per_second": row.speed[1],
            "ratio_to_verilator": row.ratio[1],
            "ratio_smallest": row.ratio[0],
            "ratio_largest": row.ratio[2],
        })
    });
    let engine = |engine: &Engine| {
        json!({
            "cold": engine.cold,
            "warm": engine.warm,
            "peak_bytes": engine.peak_bytes,
        })
    };
    let [generated, verilator] = &comparison.engines;
    let object = json!({
        "ratio_to_verilator": ratio(comparison),
        "preset": options.preset,
        "size": options.size,
        "repetitions": options.repetitions.max(1),
        "waves": options.waves,
        "machine": machine::cpu(),
        "load": machine::load(),
        "verilator": machine::version("verilator"),
        "compiler": machine::version("g++"),
        "rows": rows.collect::<Vec<_>>(),
        "engines": { "generated": engine(generated), "verilator": engine(verilator) },
    });
    println!("{}", serde_json::to_string_pretty(&object)?);
    Ok(())
}

fn print_tables(options: &Options, comparison: &Comparison) -> Result<()> {
    println!("machine   {}, load {}", machine::cpu(), machine::load());
    println!("verilator {}, {}", machine::version("verilator"), machine::version("g++"));
    let waves = if options.waves { ", every net to a VCD" } else { "" };
    println!("core      {}; kernels of size {}{waves}", options.preset, options.size);
    let mut kernels = table(&["kernel", "cycles", "generated, cycles/s", "Verilator, cycles/s", "ratio", "of pairs"]);
    for row in &comparison.rows {
        kernels.add_row([
            row.kernel.clone(),
            row.cycles.to_string(),
            format!("{:.0}", row.speed[0]),
            format!("{:.0}", row.speed[1]),
            format!("{:.2}", row.ratio[1]),
            format!("{:.2} to {:.2}", row.ratio[0], row.ratio[2]),
        ]);
    }
    println!("{kernels}\nratio, median over the kernels: {:.2}", ratio(comparison));
    let mut engines = table(&["engine", "generated", "Verilator"]);
    let mut line = |what: &str, value: &dyn Fn(&Engine) -> String| {
        let [generated, verilator] = &comparison.engines;
        engines.add_row([what.to_string(), value(generated), value(verilator)]);
    };
    line("elaborate, s", &|engine| format!("{:.2}", engine.cold.elaborate_seconds));
    line("generate source, s", &|engine| format!("{:.2}", engine.cold.generate_seconds));
    line("compile, s", &|engine| format!("{:.1}", engine.cold.compile_seconds));
    line("to the first cycle, cold, s", &|engine| format!("{:.1}", engine.cold.first_cycle_seconds));
    line("to the first cycle, warm, s", &|engine| format!("{:.2}", engine.warm.first_cycle_seconds));
    line("machine code, kB", &|engine| (engine.warm.code_bytes / 1000).to_string());
    line("peak memory, running, MB", &|engine| (engine.peak_bytes / 1_000_000).to_string());
    line("peak memory, compiler, MB", &|engine| (engine.cold.compiler_bytes / 1_000_000).to_string());
    println!("{engines}");
    Ok(())
}

/// Text on the left, numbers on the right.
fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
