//! `warploom export`: the Verilog of the core or of one module.
use std::fs;
use std::io::{IsTerminal, stderr, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use warploom_hdl::config::CoreConfig;
use warploom_sim::files;
use warploom_sim::tool::{self, Interrupted};
use warploom_synth::check::{self, Report, Verdict};
use warploom_synth::{clock_gates, verilog};

use crate::cli::ExportArgs;
use crate::elaborate::elaborate;
use crate::status::Status;
use crate::{gpu_module, mechanism, output, presets};

/// What the line of the file begins with that says how it was made.
const MADE_BY: &str = "// Made by: ";

/// Writes DIR/MODULE.v. What was made with other options is only overwritten if the user says so.
pub fn export(args: &ExportArgs) -> Result<Status> {
    let mut config = presets::configure(&args.core)?;
    let system = args.system.system(&args.core, &mut config)?;
    let netlist = elaborate(&args.module, gpu_module::build(&args.module, &config, system.as_ref())?)?;
    let text = match (args.assertions, args.gate_clocks) {
        (true, _) => verilog::export_with_assertions(&netlist),
        (_, true) => clock_gates::export(&netlist),
        _ => verilog::export(&netlist),
    };
    let command = command(args, &config);
    if !args.force {
        ask_before_another(&args.path(), &command)?;
    }
    let text = format!("{MADE_BY}{command}\n{text}");
    let file = write(args, &text)?;
    output::print(format!("{}: module {} and all it uses", file.display(), netlist.top().name))?;
    if args.check { check(&file, &netlist.top().name) } else { Ok(Status::Pass) }
}

/// What makes the same file, whatever the order in which the options were given.
fn command(args: &ExportArgs, config: &CoreConfig) -> String {
    let (preset, mechanism) = (args.core.preset(), mechanism::name(config));
    let options = args
        .core
        .parameters()
        .into_iter()
        .chain(args.system.parameters())
        .map(|(name, value)| format!(" --{name} {value}"));
    let mut command = format!("warploom export {} --preset {preset} --mechanism {mechanism}", args.module);
    command.extend(options);
    let how = [(args.assertions, " --assertions"), (args.gate_clocks, " --gate-clocks")];
    command.extend(how.iter().filter(|(is_asked, _)| *is_asked).map(|(_, option)| option.to_string()));
    command
}

/// Refuses, or asks at a terminal, if the file is there and is not what this command has written.
fn ask_before_another(file: &Path, command: &str) -> Result<()> {
    // A pipe or a device has nothing to lose, and would not end.
    let before = files::check_readable(file, u64::MAX).and_then(|()| fs::read(file));
    let Ok(before) = before else { return Ok(()) };
    let first = String::from_utf8_lossy(before.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
    let other = match first.strip_prefix(MADE_BY) {
        Some(made) if made == command => return Ok(()),
        Some(made) => format!("was made with other options (`{made}`)"),
        None if before.is_empty() => return Ok(()),
        None => "does not say which options it was made with".to_string(),
    };
    let shown = file.display();
    if stdin().is_terminal() && stderr().is_terminal() {
        eprint!("{shown} {other}; overwrite it? [y/N] ");
        wait_for_an_answer()?;
        let mut answer = String::new();
        stdin().read_line(&mut answer).context("cannot read the answer")?;
        if answer.trim().eq_ignore_ascii_case("y") {
            return Ok(());
        }
    }
    bail!("{shown} {other}: --force overwrites it, -o DIR writes elsewhere")
}

/// Returns when there is something on the standard input. Reading it would go on after Ctrl-C.
fn wait_for_an_answer() -> Result<(), Interrupted> {
    const MILLISECONDS: i32 = 20;
    let mut input = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    // SAFETY: waits for one descriptor, and writes what is there of it into the structure.
    while unsafe { libc::poll(&mut input, 1, MILLISECONDS) } < 1 {
        tool::go_on()?;
    }
    Ok(())
}

/// What the external tools say about the file; findings fail, a tool that is not here is only named.
fn check(file: &Path, top: &str) -> Result<Status> {
    let mut status = Status::Pass;
    for Report { tool, what, verdict } in check::check(file, top)? {
        let verdict = match verdict {
            Verdict::Clean => "clean".to_string(),
            Verdict::Missing(install) => format!("not checked: {tool} is not here ({install})"),
            Verdict::Findings(findings) => {
                status = Status::Fail;
                format!("FINDINGS\n{findings}")
            }
        };
        output::print(format!("{tool:<10} {what}: {verdict}"))?;
    }
    Ok(status)
}

fn write(args: &ExportArgs, text: &str) -> Result<PathBuf> {
    let (directory, path) = (&args.output, args.path());
    let remedy = || format!("cannot write into {} (choose a directory with -o DIR)", directory.display());
    tool::go_on()?;
    fs::create_dir_all(directory).with_context(remedy)?;
    output::save(&path, text).with_context(remedy)?;
    Ok(path)
}
