//! `warploom app`: an OpenCL application on the core, once under each mechanism.
//!
//! The application finds the library beside this program as its OpenCL platform, is told of its device by the environment, and leaves a line for
//! every launch: [`warploom_runtime::application`].
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, anyhow, bail, ensure};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::Serialize;
use tempfile::TempDir;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::application::{
    LAUNCHES, Launched, MECHANISM, MEMORY, PAGE, PERFETTO, PRESET, SETTING, Setting, WAVE,
};
use warploom_runtime::host::{LaunchStats, Limits};
use warploom_sim::tool::{self, ToolError};

use crate::cli::{AppArgs, CoreArgs};
use crate::output;
use crate::progress::Progress;
use crate::simulation::interrupt_flag;
use crate::status::Status;
use crate::{mechanism, presets};

/// Names the library, if it lies elsewhere.
const LIBRARY: &str = "WARPLOOM_OPENCL";
const FILE: &str = "libwarploom_opencl.so";

/// The launches of a kernel.
#[derive(Clone, Debug, Default, Serialize)]
struct Launches {
    kernel: String,
    launches: u64,
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    simd_utilization: f64,
    /// Why one was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

/// The application under a mechanism.
#[derive(Debug, Serialize)]
struct AppReport {
    mechanism: String,
    preset: String,
    /// Of the program, if it ended by itself.
    exit_code: Option<i32>,
    /// Whether it ended well.
    success: bool,
    /// Whether it printed what it printed under the first one.
    same_output: bool,
    kernels: Vec<Launches>,
    #[serde(skip)]
    printed: Vec<u8>,
}

/// Checks everything, runs the application under each mechanism, and compares.
pub fn app(args: &AppArgs) -> Result<Status> {
    interrupt_flag()?;
    for variable in [WAVE, PERFETTO] {
        let set = std::env::var_os(variable).is_some_and(|path| !path.is_empty());
        ensure!(
            !set || args.mechanisms().len() == 1,
            "{variable} names one file, and the program runs under several mechanisms: name one with --mechanisms"
        );
    }
    for (variable, option) in
        [(PRESET, "--preset"), (MECHANISM, "--mechanisms"), (SETTING, "--config"), (LAUNCHES, "--json")]
    {
        let is_set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        ensure!(
            !is_set,
            "{variable} is set, which is for programs that run without `warploom app`: here it is {option}"
        );
    }
    if let Some(bytes) = args.global_bytes {
        ensure!(bytes.is_multiple_of(PAGE), "--global-bytes {bytes}: it is a multiple of {PAGE}");
    }
    let library = library()?;
    let settings = args.mechanisms().iter().map(|name| setting(args, name)).collect::<Result<Vec<_>>>()?;
    let progress = Progress::start();
    let mut reports: Vec<AppReport> = Vec::new();
    for setting in &settings {
        let name = mechanism::name(&setting.core);
        progress.say(format!("{} under {name}", args.program[0].display()));
        let mut report = run(args, setting, &library, name, &progress)?;
        report.same_output = reports.first().is_none_or(|first| first.printed == report.printed);
        reports.push(report);
    }
    drop(progress);
    output::print(if args.json { serde_json::to_string_pretty(&reports)? } else { text(&reports) })?;
    Ok(status(args, &reports))
}

fn status(args: &AppArgs, reports: &[AppReport]) -> Status {
    let mut status = Status::Pass;
    for report in reports {
        if report.kernels.iter().any(|kernel| kernel.stopped.is_some()) {
            return Status::Stopped;
        }
        let differs = !report.same_output && !args.any_output;
        if differs {
            output::say!(
                "under {}, the program printed something else than under {}",
                report.mechanism,
                reports[0].mechanism
            );
        }
        if report.kernels.is_empty() {
            output::say!("under {}, the program has launched no kernel", report.mechanism);
        }
        if !report.success || differs || report.kernels.is_empty() {
            status = Status::Fail;
        }
    }
    status
}

/// The library that is the application's platform.
fn library() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(LIBRARY).map(PathBuf::from) {
        return path.canonicalize().with_context(|| format!("{LIBRARY}={}", path.display()));
    }
    let here = std::env::current_exe().context("cannot tell where warploom lies")?;
    let beside = here.with_file_name(FILE);
    if !beside.is_file() {
        bail!(
            "there is no {}: `cargo build --package warploom-opencl` makes it (with --release where warploom is built so); \
             ${LIBRARY} names one elsewhere",
            beside.display()
        );
    }
    Ok(beside)
}

fn setting(args: &AppArgs, name: &str) -> Result<Setting> {
    let core = CoreArgs { mechanism: Some(name.to_string()), ..args.core.clone() };
    let config = presets::configure(&core)?;
    let machine = presets::machine(&core)?;
    let memory = args.memory.timing(&config, (machine.memory)())?;
    let floats_if_needed = core.isa.is_none();
    presets::check(&CoreConfig { floats: config.floats || floats_if_needed, ..config.clone() }, &core)?;
    let Limits { cycles, silence, .. } = Limits::default();
    let preset = machine.name.to_string();
    Ok(Setting { preset, core: config, floats_if_needed, memory, cycles: args.limit(cycles), silence })
}

/// Runs the application.
fn run(args: &AppArgs, setting: &Setting, library: &Path, mechanism: String, progress: &Progress) -> Result<AppReport> {
    let directory = TempDir::new().context("cannot make a directory for the files of a run")?;
    let file = |name: &str, text: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(path)
    };
    let setting_file = file("setting.json", serde_json::to_string(setting)?.as_bytes())?;
    let launches = file("launches.jsonl", b"")?;
    // The loaders of Khronos and of Debian both take a directory with a file for each platform.
    fs::create_dir(directory.path().join("vendors")).context("cannot make a directory")?;
    file("vendors/warploom.icd", library.as_os_str().as_encoded_bytes())?;
    let [program, arguments @ ..] = args.program.as_slice() else { bail!("name the program behind `--`") };
    let mut command = Command::new(program);
    command.args(arguments).env(SETTING, setting_file).env(LAUNCHES, &launches);
    command.env("OCL_ICD_VENDORS", directory.path().join("vendors"));
    command.env_remove("OCL_ICD_FILENAMES");
    if let Some(bytes) = args.global_bytes {
        command.env(MEMORY, bytes.to_string());
    }
    let ended = tool::output(&mut command).map_err(|error| match error {
        ToolError::Interrupted(interrupted) => interrupted.into(),
        ToolError::Io(error) => anyhow!("cannot run {}: {error}", Path::new(program).display()),
    })?;
    progress.suspend(|| tell(&ended.stderr, &mechanism, ended.status, program));
    Ok(AppReport {
        mechanism,
        preset: setting.preset.clone(),
        exit_code: ended.status.code(),
        success: ended.status.success(),
        same_output: true,
        kernels: kernels(&launches, setting)?,
        printed: ended.stdout,
    })
}

/// What the program had to say, and how it failed.
fn tell(messages: &[u8], mechanism: &str, status: ExitStatus, program: &OsString) {
    let messages = String::from_utf8_lossy(messages);
    if !messages.is_empty() {
        output::say!("{}", messages.trim_end());
    }
    if !status.success() {
        output::say!("under {mechanism}, {} ended with {status}", Path::new(program).display());
    }
}

/// The launches, kernel by kernel in the order of their first.
fn kernels(path: &Path, setting: &Setting) -> Result<Vec<Launches>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut order = Vec::new();
    let mut sums: BTreeMap<String, (u64, LaunchStats, Option<String>)> = BTreeMap::new();
    for line in text.lines() {
        let launched: Launched = serde_json::from_str(line).context("a line of the launches is broken")?;
        let (count, sum, stopped) = sums.entry(launched.kernel.clone()).or_insert_with(|| {
            order.push(launched.kernel.clone());
            Default::default()
        });
        *count += 1;
        sum.add(&launched.stats);
        *stopped = stopped.take().or(launched.stopped);
    }
    let kernel = |name: String| {
        let (launches, stats, stopped) = sums.remove(&name).unwrap_or_default();
        Launches {
            kernel: name,
            launches,
            cycles: stats.cycles,
            warp_instructions: stats.warp_instructions,
            thread_instructions: stats.thread_instructions,
            simd_utilization: utilization(stats.thread_instructions, stats.warp_instructions, setting.core.lanes),
            stopped,
        }
    };
    Ok(order.into_iter().map(kernel).collect())
}

/// Lanes that are active in an instruction, of those that there are.
fn utilization(threads: u64, warps: u64, lanes: usize) -> f64 {
    if warps == 0 { 0.0 } else { threads as f64 / (warps * lanes as u64) as f64 }
}

/// What the program printed, and the table.
fn text(reports: &[AppReport]) -> String {
    let Some((first, others)) = reports.split_first() else { return String::new() };
    let mut table = Table::new();
    let header = ["kernel".to_string(), "launches".to_string(), format!("{}, cycles", first.mechanism)];
    table.load_preset(NOTHING).set_header(header.into_iter().chain(others.iter().map(|other| other.mechanism.clone())));
    for base in &first.kernels {
        let name = &base.kernel;
        let cells = [name.clone(), base.launches.to_string(), cell(base, None)].into_iter();
        let beside = others.iter().map(|other| {
            let same = other.kernels.iter().find(|kernel| kernel.kernel == *name);
            same.map_or("-".to_string(), |kernel| cell(kernel, Some(base)))
        });
        table.add_row(cells.chain(beside));
    }
    let cycles = |report: &AppReport| report.kernels.iter().map(|kernel| kernel.cycles).sum::<u64>();
    if first.kernels.len() > 1 {
        let launches: u64 = first.kernels.iter().map(|kernel| kernel.launches).sum();
        let all = ["all".to_string(), launches.to_string(), cycles(first).to_string()].into_iter();
        let speed = |other| match cycles(other) {
            0 => "-".to_string(),
            other => format!("{:.2}", cycles(first) as f64 / other as f64),
        };
        table.add_row(all.chain(others.iter().map(speed)));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let printed = String::from_utf8_lossy(&first.printed);
    let separator = if printed.is_empty() || printed.ends_with('\n') { "" } else { "\n" };
    format!(
        "{printed}{separator}{table}\n\nOf {}; the others: how many times as fast, and the lanes that are active in an instruction",
        first.preset
    )
}

/// Cycles, or how many times as fast as another; and the lanes that are active in an instruction.
fn cell(kernel: &Launches, base: Option<&Launches>) -> String {
    let lanes = format!("{:>3.0} %", 100.0 * kernel.simd_utilization);
    match base {
        _ if kernel.stopped.is_some() => "STOPPED".to_string(),
        None => format!("{}  {lanes}", kernel.cycles),
        Some(base) => format!("{:.2}  {lanes}", base.cycles as f64 / kernel.cycles.max(1) as f64),
    }
}
