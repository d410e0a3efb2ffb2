//! `warploom compare`.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde_json::Value;
use warploom_runtime::kernels;
use warploom_sim::tool;

use super::picture;
use crate::cli::{CoreArgs, SetupArgs};
use crate::colour;
use crate::compare::{Cache, CompareArgs, Plan, disagreements, emit, execute, merge, share_plan, write};
use crate::document::{document, html, markdown};
use crate::energy::EnergyArgs;
use crate::figures::{Runs, Variant, figures, harmonic_mean, mean, mechanisms};
use crate::output;
use crate::paths;
use crate::report::{Ending, RunReport};
use crate::shell::quoted;
use crate::simulation::{Simulation, interrupt_flag};
use crate::status::Status;

/// Runs, or takes from the cache or from shards, and reports.
pub fn compare(args: &CompareArgs) -> Result<Status> {
    if let Some(directory) = &args.merge {
        let (plan, reports) = merge(directory)?;
        paths::check_planned(args, &plan)?;
        return report(args, &plan, &reports);
    }
    let plan = Plan::new(args)?;
    if args.plan.is_some() {
        paths::check_planned(args, &plan)?;
    }
    let doubts: BTreeSet<String> = plan.check()?.iter().filter_map(Simulation::doubt).collect();
    doubts.iter().for_each(|doubt| output::say!("warning: {doubt}"));
    if args.emit.is_some() {
        let script = emit(args, &plan)?;
        output::print(format!(
            "{} runs in {} shards; start them with: sh {}",
            plan.points.len(),
            args.shards,
            script.display()
        ))?;
        return Ok(Status::Pass);
    }
    let here = match args.shard {
        Some(part) => {
            share_plan(&plan, &args.into)?;
            part.share_of(&plan)
        }
        None => plan,
    };
    args.energy.as_ref().map_or(Ok(()), EnergyArgs::check)?;
    let interrupt = interrupt_flag()?;
    let cache = Cache::open(args.cache.as_deref(), args.fresh)?;
    let jobs = args.jobs.map_or(0, usize::from);
    let ran = execute(&here.check()?, &cache, jobs, &interrupt)?;
    let (all, cached) = (ran.reports.len(), ran.cached);
    let reports: Vec<RunReport> = ran.reports.into_iter().flatten().collect();
    if reports.len() < all {
        output::say!(
            "stopped: {} of {all} runs are done, and kept; the same command goes on from there",
            reports.len()
        );
        return Ok(Status::Interrupted);
    }
    if cached > 0 {
        output::say!("{cached} of {all} results were there from earlier runs (--fresh runs them again)");
    }
    match args.shard {
        None => report(args, &here, &reports),
        Some(part) => {
            let status = status(&reports);
            let path = write(&args.into, part, cache.program(), here, reports)?;
            output::print(format!("{}: {all} runs", path.display()))?;
            Ok(status)
        }
    }
}

fn status(reports: &[RunReport]) -> Status {
    let any = |ending| reports.iter().any(|report| report.result == ending);
    match (any(Ending::Fail) || !disagreements(reports).is_empty(), any(Ending::Error)) {
        (true, _) => Status::Fail,
        (false, true) => Status::Stopped,
        (false, false) => Status::Pass,
    }
}

/// All outputs that were asked for.
fn report(args: &CompareArgs, plan: &Plan, reports: &[RunReport]) -> Result<Status> {
    let runs = Runs::new(reports);
    if let Some(path) = &args.csv {
        output::save(path, csv(reports)?)?;
    }
    if args.svg.is_some() || args.html.is_some() {
        let figures = figures(&runs);
        if let Some(directory) = &args.svg {
            let cannot = || format!("cannot make the directory {}", directory.display());
            fs::create_dir_all(directory).with_context(cannot)?;
            for figure in &figures {
                tool::go_on()?;
                output::save(&directory.join(format!("{}.svg", figure.id)), &figure.svg)?;
            }
        }
        let command =
            std::env::args_os().skip(1).map(|argument| format!(" {}", argument.to_string_lossy())).collect::<String>();
        let sections = document(&runs, figures, &format!("warploom{command}"));
        if let (Some(path), Some(directory)) = (&args.markdown, &args.svg) {
            output::save(path, markdown(&sections, &relative(directory, path)))?;
        }
        if let Some(path) = &args.html {
            output::save(path, html(&sections, &pictures(plan, &runs)?))?;
        }
    }
    let differ = disagreements(reports);
    if args.json {
        output::print(serde_json::to_string_pretty(reports)?)?;
        differ.iter().for_each(|sentence| output::say!("{sentence}"));
    } else {
        let differ: String = differ.iter().map(|sentence| format!("\n{sentence}")).collect();
        output::print(format!("{}{}{differ}", colour::verdicts(&table(&runs)), energy_table(&runs)))?;
    }
    Ok(status(reports))
}

/// Execution on the first machine of the comparison, under its mechanisms: of the kernel whose utilisation changes most, and of the
/// papers' worked example where warps have its four lanes. A caption and a picture each.
fn pictures(plan: &Plan, runs: &Runs) -> Result<Vec<(String, String)>> {
    const LANES: usize = 4;
    const PANELS: usize = 6;
    let (Some(base), Some(first)) = (runs.base(), runs.reports().next()) else { return Ok(Vec::new()) };
    let runs = runs.on(&base.preset);
    let mut variants = runs.variants();
    variants.retain(|variant| variant.parameters == base.parameters);
    variants.truncate(PANELS);
    let change = |kernel: &&str| {
        let of = |variant: &Variant| runs.get(kernel, variant).map(|report| report.simd_utilization);
        let all: Vec<f64> = variants.iter().filter_map(of).collect();
        all.iter().copied().fold(0.0, f64::max) - all.iter().copied().fold(1.0, f64::min)
    };
    let kernel = runs.kernels().into_iter().max_by(|a, b| change(a).total_cmp(&change(b)));
    let example = (first.lanes == LANES).then_some("rhu_4_1");
    let kernel = kernel.filter(|kernel| example != Some(*kernel));
    let mechanisms: Vec<String> = variants.into_iter().map(|variant| variant.mechanism).collect();
    let mut pictures = Vec::new();
    for kernel in example.into_iter().chain(kernel) {
        let core = CoreArgs { preset: Some(base.preset.clone()), ..CoreArgs::default() };
        let mut setup = SetupArgs { kernel: Some(kernel.to_string()), core, ..SetupArgs::default() };
        // One of the user's own has no sizes, but a launch.
        if kernels::all().any(|known| known.name() == kernel) {
            setup.launch.size = Some("smoke".to_string());
        } else if let Some(point) = plan.points.iter().find(|point| point.kernel.as_deref() == Some(kernel)) {
            setup.launch = point.launch.clone();
        }
        let mut command = format!(
            "warploom picture {}{} --preset {} --mechanisms {}",
            quoted(kernel),
            setup.launch.command_line(),
            base.preset,
            mechanisms.join(",")
        );
        for (name, value) in &base.parameters {
            setup.set(name, value)?;
            command += &format!(" --{name} {value}");
        }
        if let Some(svg) = picture::drawn(&setup, &mechanisms)? {
            pictures.push((format!("`{command}`"), svg));
        }
    }
    Ok(pictures)
}

/// The directory as seen from a file, if it is beneath the file's own; otherwise as it was given.
fn relative(directory: &Path, file: &Path) -> String {
    let beneath = directory.strip_prefix(file.parent().unwrap_or(Path::new(""))).unwrap_or(directory);
    if beneath.as_os_str().is_empty() { ".".to_string() } else { beneath.display().to_string() }
}

/// Kernels by variants: cycles of the first, speed of the others over it, and utilisation of the lanes. Of more variants than a terminal
/// has room for, only the mechanisms as such.
fn table(runs: &Runs) -> String {
    const ROOM: usize = 8;
    let all = runs.variants();
    let variants = if all.len() > ROOM { mechanisms(runs) } else { all.clone() };
    let Some((base, others)) = variants.split_first() else { return "nothing to compare".to_string() };
    let mut table = Table::new();
    let header = ["kernel".to_string(), format!("{base}, cycles")].into_iter();
    table.load_preset(NOTHING).set_header(header.chain(others.iter().map(|variant| variant.to_string())));
    let percent = |report: &RunReport| format!("{:>3.0} %", 100.0 * report.simd_utilization);
    for kernel in runs.kernels() {
        let cell = |variant| match runs.any(kernel, variant) {
            None => "-".to_string(),
            Some(report) if report.result == Ending::Fail => "FAIL".to_string(),
            Some(report) if report.result == Ending::Error => "STOPPED".to_string(),
            Some(report) if variant == base => format!("{}  {}", report.cycles, percent(report)),
            Some(report) => match runs.speedup(kernel, variant, base) {
                Some(speedup) => format!("{speedup:.2}  {}", percent(report)),
                None => format!("-  {}", percent(report)),
            },
        };
        table.add_row([kernel.to_string(), cell(base)].into_iter().chain(others.iter().map(cell)));
    }
    let mean = |variant| {
        let speeds = runs.kernels().into_iter().filter_map(|kernel| runs.speedup(kernel, variant, base));
        harmonic_mean(speeds).map_or("-".to_string(), |mean| format!("{mean:.2}       "))
    };
    let name = ["harmonic mean".to_string(), String::new()].into_iter();
    table.add_row(name.chain(others.iter().map(mean)));
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let wrong = runs.reports().filter(|report| report.result != Ending::Pass);
    let wrong: String = wrong
        .map(|report| {
            let reason = report.reason.as_deref().unwrap_or_default().replace('\n', "\n  ");
            format!("\n{} under {}: {reason}", report.kernel, Variant::of(report))
        })
        .collect();
    let left_out = match all.len() - variants.len() {
        0 => String::new(),
        count => format!("; {count} further variants are in what --csv, --svg and --html write"),
    };
    format!("{table}\n\nspeed over {base}, and SIMD utilisation{left_out}{wrong}")
}

/// Kernels by variants: energy of the first, energy and energy times delay of the others over it; nothing if it was not measured.
fn energy_table(runs: &Runs) -> String {
    let variants = mechanisms(runs);
    let Some((base, others)) = variants.split_first() else { return String::new() };
    let Some(energy) = runs.reports().find_map(|report| report.energy.as_ref()) else { return String::new() };
    let mut table = Table::new();
    let header = ["kernel".to_string(), format!("{base}, uJ")].into_iter();
    table.load_preset(NOTHING).set_header(header.chain(others.iter().map(|variant| variant.to_string())));
    let cell = |ratios: (Option<f64>, Option<f64>)| match ratios {
        (Some(energy), Some(with_delay)) => format!("{energy:.2}  {with_delay:.2}"),
        _ => "-".to_string(),
    };
    for kernel in runs.kernels() {
        let own = runs.get(kernel, base).map_or("-".to_string(), |report| format!("{:.1}", report.energy_uj()));
        let ratios = |variant| {
            let over = |number: fn(&RunReport) -> f64| runs.ratio(kernel, variant, base, number);
            cell((over(RunReport::energy_uj), over(RunReport::energy_delay)))
        };
        table.add_row([kernel.to_string(), own].into_iter().chain(others.iter().map(ratios)));
    }
    let means = |variant| {
        let over = |number: fn(&RunReport) -> f64| {
            mean(runs.kernels().into_iter().filter_map(|kernel| runs.ratio(kernel, variant, base, number)))
        };
        cell((over(RunReport::energy_uj), over(RunReport::energy_delay)))
    };
    table.add_row(["mean".to_string(), String::new()].into_iter().chain(others.iter().map(means)));
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    format!(
        "\n\n{table}\n\nenergy, and energy x delay, over {base}: cells of {} with gated clocks at {} ns, without wires; memories by a model",
        energy.cells, energy.clock_ns
    )
}

/// A line for each report; nested values have names with dots.
fn csv(reports: &[RunReport]) -> Result<String> {
    let flat = |report: &RunReport| -> Result<Vec<(String, String)>> {
        let mut cells = Vec::new();
        flatten("", &serde_json::to_value(report)?, &mut cells);
        Ok(cells)
    };
    let rows = reports.iter().map(flat).collect::<Result<Vec<_>>>()?;
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    // What a run is comes before what came of it.
    const FIRST: [&str; 8] = ["kernel", "preset", "mechanism", "parameters.", "size", "result", "cycles", "ipc"];
    let place = |column: &str| FIRST.iter().position(|first| column.starts_with(first)).unwrap_or(FIRST.len());
    columns.sort_by_key(|column| (place(column), column.to_string()));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    for row in &rows {
        let cell = |column: &&str| row.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value.as_str());
        writer.write_record(columns.iter().map(cell))?;
    }
    match writer.into_inner() {
        Ok(bytes) => Ok(String::from_utf8(bytes)?),
        Err(error) => bail!("cannot write a table of commas: {error}"),
    }
}

fn flatten(name: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => {
            for (field, value) in object {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(&name, value, cells);
            }
        }
        Value::String(text) => cells.push((name.to_string(), text.clone())),
        other => cells.push((name.to_string(), other.to_string())),
    }
}
