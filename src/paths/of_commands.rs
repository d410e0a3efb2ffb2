//! Which command has which paths.
use std::path::{Path, PathBuf};

use warploom_runtime::kernels;

use super::Paths;
use crate::argument::Value;
use crate::cli::{BuildArgs, Command, ExportArgs, FuzzArgs, LaunchArgs, PictureArgs, RunArgs, SetupArgs, SynthArgs};
use crate::compare::CompareArgs;
use crate::waveform;

/// Adds those of a command.
pub fn of(command: &Command, paths: &mut Paths) {
    match command {
        Command::Run(args) => run(args, paths),
        Command::App(args) => config(args.core.config.as_ref(), paths),
        Command::Picture(args) => picture(args, paths),
        Command::Compare(args) => compare(args, paths),
        Command::Export(args) => export(args, paths),
        Command::Synth(args) => synth(args, paths),
        Command::Build(args) => build(args, paths),
        Command::Fuzz(args) => fuzz(args, paths),
        Command::Man { output } => paths.fills("--output", output, "1"),
        Command::Disasm(_)
        | Command::Kernels(_)
        | Command::Mechanisms(_)
        | Command::Presets(_)
        | Command::Modules(_)
        | Command::Cache(_)
        | Command::Doctor
        | Command::Schema { .. }
        | Command::Completions { .. } => {}
    }
}

fn config(config: Option<&PathBuf>, paths: &mut Paths) {
    config.into_iter().for_each(|path| paths.reads("the machine of --config", path));
}

fn kernels(names: impl IntoIterator<Item = impl AsRef<str>>, paths: &mut Paths) {
    for name in names {
        if kernels::all().all(|kernel| kernel.name() != name.as_ref()) {
            paths.reads("the kernel", name.as_ref());
        }
    }
}

/// Adds those of what is simulated.
pub fn setup(setup: &SetupArgs, paths: &mut Paths) {
    config(setup.core.config.as_ref(), paths);
    kernels(&setup.kernel, paths);
    launch(&setup.launch, paths);
}

fn launch(launch: &LaunchArgs, paths: &mut Paths) {
    for argument in launch.arguments.iter().chain(&launch.buffers) {
        if let Value::File { path, .. } = &argument.value {
            paths.reads("what a buffer is filled with", path);
        }
    }
}

/// Adds those of `run`.
pub fn run(args: &RunArgs, paths: &mut Paths) {
    setup(&args.setup, paths);
    let (checkpoints, wave) = (&args.checkpoints, &args.wave);
    checkpoints.restore.iter().for_each(|path| paths.reads("the checkpoint of --restore", path));
    paths.renews("the checkpoint of --restore", "--checkpoint");
    checkpoints.checkpoint.iter().for_each(|path| paths.writes("--checkpoint", path));
    paths.seeks("--checkpoint");
    let waves = [("--vcd", &wave.vcd), ("--fst", &wave.fst)];
    let waves = waves.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    let mut save_files: Vec<PathBuf> = Vec::new();
    for (option, path) in waves {
        paths.writes(option, path);
        // Two waveforms that differ in the extension have one save file.
        let save_file = waveform::save_file(path).filter(|save_file| !save_files.contains(save_file));
        if let Some(save_file) = save_file {
            paths.writes(&format!("the save file beside {option}"), &save_file);
            save_files.push(save_file);
        }
    }
    paths.seeks("--fst");
    if args.json {
        paths.prints("--json");
    }
    args.perfetto.iter().for_each(|path| paths.writes("--perfetto", path));
    args.image.iter().for_each(|path| paths.fills("--image", path, "hex"));
    args.dumps.iter().for_each(|(name, path)| paths.writes(&format!("--dump {name}"), path));
}

fn picture(args: &PictureArgs, paths: &mut Paths) {
    setup(&args.setup, paths);
    let path = args.path();
    // Without a kernel's name there is none of the picture, and another error.
    if path != Path::new("-") && !path.as_os_str().is_empty() {
        paths.writes("--output", path);
    }
}

/// Adds those of `compare`.
pub fn compare(args: &CompareArgs, paths: &mut Paths) {
    config(args.core.config.as_ref(), paths);
    kernels(&args.kernels, paths);
    launch(&args.launch, paths);
    args.plan.iter().for_each(|path| paths.reads("the plan of --plan", path));
    args.merge.iter().for_each(|path| paths.reads_from("--merge", path, "json"));
    // Where something else runs the comparison, it writes these.
    if args.emit.is_none() {
        for (option, path) in [("--csv", &args.csv), ("--html", &args.html), ("--markdown", &args.markdown)] {
            path.iter().for_each(|path| paths.writes(option, path));
        }
        args.svg.iter().for_each(|path| paths.fills("--svg", path, "svg"));
        if args.json {
            paths.prints("--json");
        }
    }
}

fn export(args: &ExportArgs, paths: &mut Paths) {
    config(args.core.config.as_ref(), paths);
    // The directory may have to be made.
    if args.output.is_dir() {
        paths.writes("--output", args.path());
    }
}

fn synth(args: &SynthArgs, paths: &mut Paths) {
    config(args.core.config.as_ref(), paths);
    if let Some(path) = &args.liberty {
        paths.reads("the cells of --liberty", path);
        paths.reads("the areas of --liberty", path.with_extension("lef"));
    }
    args.activity.iter().for_each(|path| paths.reads("the waveform of --activity", path));
    args.svg.iter().for_each(|path| paths.writes("--svg", path));
    if args.json {
        paths.prints("--json");
    }
}

fn build(args: &BuildArgs, paths: &mut Paths) {
    paths.reads("the source", &args.source);
    // What no file can be named after is no source, which is another error.
    if args.output.is_some() || args.source.file_name().is_some() {
        paths.writes("--output", args.path());
    }
}

fn fuzz(args: &FuzzArgs, paths: &mut Paths) {
    if args.replay.is_none() {
        paths.fills("--corpus", &args.corpus, "s");
    }
}
