//! warploom: an open RTL laboratory for irregular GPU control flow.
use std::io::Write;
use std::process::ExitCode;

use warploom_sim::tool::Interrupted;

mod activity;
mod allocator;
mod argument;
mod cells;
mod chart;
mod checkpoint;
mod cli;
mod colour;
mod commands;
mod compare;
mod document;
mod eddy;
mod elaborate;
mod energy;
mod extent;
mod figures;
mod first_look;
mod foreign;
mod gpu_module;
mod hardware;
mod machine;
mod mechanism;
mod output;
mod paths;
mod picture;
mod presets;
mod progress;
mod report;
mod shell;
mod simulation;
mod status;
mod suggest;
#[cfg(test)]
mod tests;
mod trace;
mod user_kernel;
mod waveform;
mod workload;

use cli::{Cli, Command};
use status::{BAD_INPUT, Status};

fn main() -> ExitCode {
    // A file that grows past the limit of `ulimit -f` is an error to be told, as a full disk is.
    // SAFETY: no handler is set, the signal is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    std::panic::set_hook(Box::new(|panic| {
        if foreign::is_under_way() {
            return;
        }
        let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("no message");
        output::say!("error: this is a bug in warploom{place}: {message}\n  please report it, with the command line");
    }));
    let listens = simulation::interrupt_flag();
    let mut cli = cli::parse().unwrap_or_else(|error| refuse(&error));
    let checked = listens.and_then(|_| paths::check(&cli.command));
    let checked = checked.and_then(|()| machine::configure(&mut cli.command));
    match checked.and_then(|()| dispatch(cli)) {
        Ok(status) => status.into(),
        Err(error) if error.chain().any(|cause| cause.is::<Interrupted>()) => {
            output::say!("interrupted before there was a result");
            Status::Interrupted.into()
        }
        Err(error) => {
            output::say!("error: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Ends with what clap says of the command line; of an argument that is no text, with which one it is.
fn refuse(error: &clap::Error) -> ! {
    let argument = std::env::args_os().find(|argument| argument.to_str().is_none());
    match argument {
        Some(argument) if error.kind() == clap::error::ErrorKind::InvalidUtf8 => {
            output::say!(
                "error: the argument {argument:?} is no text in UTF-8: name the file by another name, as of a link"
            );
            std::process::exit(BAD_INPUT.into());
        }
        _ => {
            // Help and version are results: where they are lost, that is said.
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            if let Err(lost) = printed.as_ref()
                && !error.use_stderr()
                && lost.kind() != std::io::ErrorKind::BrokenPipe
            {
                output::say!("error: cannot write to standard output: {lost}");
                std::process::exit(BAD_INPUT.into());
            }
            std::process::exit(error.exit_code());
        }
    }
}

fn dispatch(cli: Cli) -> anyhow::Result<Status> {
    match cli.command {
        Command::Run(args) => commands::run::run(&args),
        Command::Compare(args) => commands::compare::compare(&args),
        Command::App(args) => commands::app::app(&args),
        Command::Picture(args) => commands::picture::picture(&args),
        Command::Export(args) => commands::export::export(&args),
        Command::Build(args) => commands::build::build(&args),
        Command::Disasm(args) => commands::disasm::disasm(&args),
        Command::Fuzz(args) => commands::fuzz::fuzz(&args),
        Command::Kernels(args) => commands::kernels::kernels(&args),
        Command::Mechanisms(args) => commands::lists::mechanisms(&args),
        Command::Presets(args) => commands::lists::presets(&args),
        Command::Modules(args) => commands::modules::modules(&args),
        Command::Synth(args) => commands::synth::synth(&args),
        Command::Cache(args) => commands::cache::cache(&args),
        Command::Doctor => commands::doctor::doctor(),
        Command::Schema { of } => commands::meta::schema(of),
        Command::Completions { shell } => commands::meta::completions(shell),
        Command::Man { output } => commands::meta::man(&output),
    }
}
