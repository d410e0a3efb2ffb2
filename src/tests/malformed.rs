//! Text and files of users that are not what they should be: whatever they are, the parsers give a value, or an error that is a sentence.
//! `PROPTEST_CASES=100000` tries more of them.
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use clap::{ArgAction, Command as Grammar, CommandFactory, Parser};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{ADDITIONS, MECHANISMS};
use warploom_runtime::toolchain::{self, Debug};
use warploom_sim::ObservedNet;
use warploom_sim::glob::Globs;

use crate::activity::waveform::Recorded;
use crate::argument::{self, Argument};
use crate::cli::{Cli, Command, CoreArgs, LaunchArgs, SetupArgs};
use crate::compare::{Part, Plan, merge, share_plan, write};
use crate::extent::{Extent, Offset};
use crate::presets;
use crate::report::RunReport;
use crate::simulation::Simulation;
use crate::user_kernel::UserKernel;
use crate::waveform::Wanted;

/// What users write, rightly and wrongly, and what separates it.
const WORDS: &[&str] = &[
    "",
    "-",
    "--",
    "=",
    ":",
    ",",
    "+",
    ".",
    "*",
    "?",
    "/",
    "0",
    "1",
    "-1",
    "3",
    "4",
    "8",
    "32",
    "33",
    "48",
    "64",
    "65",
    "1e9",
    "0x10",
    "0x",
    "0b1",
    "1_0",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "4294967296",
    "nan",
    "inf",
    "-0.0",
    "tiny",
    "paper",
    "bfs",
    "vecadd",
    "smoke",
    "default",
    "large",
    "tbc+",
    "full",
    "optimistic",
    "slp=wid",
    "random",
    "2lev",
    "gto",
    "lrr",
    "zero",
    "iota",
    "local",
    "file",
    "i32",
    "u8",
    "f32",
    "i64",
    "n",
    "a",
    "capt-entries",
    "lanes",
    "scheduler",
    "preset",
    "2/8",
    "core",
    "core.issue_valid",
    "capt",
    "fifo",
    "none",
    "age",
    "latest",
    "2bit",
    "é",
    "\u{301}",
    "\n",
];

/// Those, and the names of all mechanisms and of what may be added to them.
fn words() -> Vec<&'static str> {
    let mechanisms = MECHANISMS.iter().map(|entry| &entry.about).chain(ADDITIONS).map(|about| about.name);
    WORDS.iter().copied().chain(mechanisms).collect()
}

/// One or several of them, or anything.
fn text() -> impl Strategy<Value = String> {
    let separator = select(vec!["", "=", ":", ",", "+", "/", " "]);
    prop_oneof![
        4 => select(words()).prop_map(String::from),
        4 => prop::collection::vec((select(words()), separator), 1..5)
            .prop_map(|parts| parts.into_iter().map(|(word, separator)| format!("{word}{separator}")).collect()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => "\\PC{0,16}",
    ]
}

/// An error that a user can read.
fn is_sentence(error: &str) -> Result<(), TestCaseError> {
    prop_assert!(error.trim().len() > 8 && !error.contains("panicked"), "{:?}", error);
    Ok(())
}

fn checked<T>(result: anyhow::Result<T>) -> Result<(), TestCaseError> {
    result.map_or_else(|error| is_sentence(&format!("{error:#}")), |_| Ok(()))
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let mut grammar = Cli::command();
    grammar.build();
    grammar
});

/// A command line of real options with real and other values.
fn command_line() -> impl Strategy<Value = Vec<String>> {
    let option = (any::<Index>(), text(), any::<bool>(), 0..8u8);
    (any::<Index>(), prop::collection::vec(option, 0..8)).prop_map(|(command, options)| {
        let commands: Vec<&Grammar> = GRAMMAR.get_subcommands().collect();
        let command = *command.get(&commands);
        let arguments: Vec<_> = command.get_arguments().collect();
        let mut line = vec!["warploom".to_string(), command.get_name().to_string()];
        for (argument, value, joined, stray) in options.into_iter().filter(|_| !arguments.is_empty()) {
            let argument = argument.get(&arguments);
            let takes = !matches!(argument.get_action(), ArgAction::SetTrue | ArgAction::Help | ArgAction::Version);
            match argument.get_long().filter(|_| stray > 0) {
                Some(long) if takes && joined => line.push(format!("--{long}={value}")),
                Some(long) if takes => line.extend([format!("--{long}"), value]),
                Some(long) => line.push(format!("--{long}")),
                None => line.push(value),
            }
        }
        line
    })
}

/// What a command checks before it does anything.
fn check(command: &Command) -> Result<(), TestCaseError> {
    match command {
        Command::Run(args) => checked(Simulation::new(args.setup.clone())),
        Command::Picture(args) => checked(presets::configure(&args.setup.core)),
        Command::Export(args) => checked(presets::configure(&args.core)),
        Command::Modules(args) => checked(presets::configure(&args.core)),
        Command::Synth(args) => checked(presets::configure(&args.core)),
        Command::Compare(args) => {
            let plan = Plan::new(args);
            if let Ok(plan) = &plan {
                plan.points.iter().take(8).try_for_each(|point| checked(presets::configure(&point.core)))?;
            }
            checked(plan)
        }
        _ => Ok(()),
    }
}

/// Kernels of OpenCL C, if there is a compiler.
static OPENCL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    if !toolchain::available() {
        println!("no clang here: arguments of OpenCL kernels are not tried");
        return vec![];
    }
    let source = |name: &&str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opencl").join(name);
    let compile = |name: &&str| toolchain::compile(&source(name), Debug::Lines).expect("it compiles").0;
    ["vecadd.cl", "reduce.cl", "integers.cl"].iter().map(compile).collect()
});

fn nets() -> Vec<ObservedNet> {
    let net = |path: &str, width, variants: Option<&[&str]>| ObservedNet {
        path: path.to_string(),
        width,
        variants: variants.map(|names| names.iter().map(|name| name.to_string()).collect()),
    };
    vec![net("core.issue_valid", 1, None), net("n", 64, None), net("a", 2, Some(&["none", "age", "local"]))]
}

/// A comparison in two parts, in a directory.
fn shards(directory: &Path) -> Vec<std::path::PathBuf> {
    let point = |seed| SetupArgs {
        kernel: Some("bfs".to_string()),
        launch: LaunchArgs { seed: Some(seed), ..LaunchArgs::default() },
        ..SetupArgs::default()
    };
    let plan = Plan { points: (0..4).map(point).collect() };
    share_plan(&plan, directory).unwrap();
    let mut paths = vec![directory.join("plan.json")];
    for part in ["1/2", "2/2"].map(|part| part.parse::<Part>().unwrap()) {
        let share = part.share_of(&plan);
        let reports = share.points.iter().map(|_| RunReport::default()).collect();
        paths.push(write(directory, part, 7, share, reports).unwrap());
    }
    paths
}

const VCD: &str = "$timescale 1 ns $end\n$scope module core $end\n$var wire 1 ! clock $end\n$var wire 8 # value [7:0] $end\n\
    $upscope $end\n$enddefinitions $end\n#0\n0!\nb0 #\n#5\n1!\nb101 #\n#10\n0!\n#15\n1!\nb11111111 #\n#20\n0!\n";

/// Bytes here and there are others; cut off.
fn damage(bytes: &mut Vec<u8>, changes: &[(Index, u8)], end: Option<Index>) {
    for (at, byte) in changes {
        *at.get_mut(bytes) = *byte;
    }
    if let Some(end) = end {
        bytes.truncate(end.index(bytes.len()));
    }
}

fn changes() -> impl Strategy<Value = Vec<(Index, u8)>> {
    let byte = prop_oneof![any::<u8>(), select(b"0129-.eE{}[]\",:#! \n$".to_vec())];
    prop::collection::vec((any::<Index>(), byte), 0..6)
}

proptest! {
    #[test]
    fn command_lines(line in command_line()) {
        match Cli::try_parse_from(&line) {
            Ok(cli) => check(&cli.command)?,
            Err(error) => is_sentence(&error.render().to_string())?,
        }
    }

    #[test]
    fn arguments_and_buffers(text in text()) {
        for parsed in [text.parse::<Argument>(), argument::buffer(&text)] {
            match parsed {
                Ok(argument) => prop_assert_eq!(argument.to_string().parse::<Argument>(), Ok(argument)),
                Err(error) => is_sentence(&error)?,
            }
        }
    }

    #[test]
    fn extents_and_parts(text in text()) {
        match text.parse::<Extent>() {
            Ok(extent) => prop_assert_eq!(extent.to_string().parse::<Extent>(), Ok(extent)),
            Err(error) => is_sentence(&error)?,
        }
        match text.parse::<Offset>() {
            Ok(offset) => prop_assert_eq!(offset.to_string().parse::<Offset>(), Ok(offset)),
            Err(error) => is_sentence(&error)?,
        }
        match text.parse::<Part>() {
            Ok(part) => prop_assert!(part.share_of(&Plan::default()).points.is_empty()),
            Err(error) => is_sentence(error)?,
        }
    }

    #[test]
    fn cores(mechanism in text(), scheduler in text(), numbers in prop::array::uniform5(prop::option::of(any::<usize>())), history in prop::option::of(text())) {
        let [lanes, warps, stack_depth, mshrs, capt_entries] = numbers;
        let args = CoreArgs { mechanism: Some(mechanism), scheduler: Some(scheduler), lanes, warps, stack_depth, mshrs, capt_entries, history, ..CoreArgs::default() };
        checked(presets::configure(&args))?;
        // With legal numbers the texts are looked at.
        let args = CoreArgs { lanes: None, warps: None, stack_depth: None, mshrs: None, capt_entries: None, history: None, ..args };
        match presets::configure(&args) {
            Ok(config) => prop_assert_eq!(config.check(), Ok(())),
            Err(error) => is_sentence(&format!("{error:#}"))?,
        }
    }

    #[test]
    fn arguments_of_opencl_kernels(kernel in any::<Index>(), options in prop::collection::vec((select(vec!["--arg", "--buffer", "--global", "--local", "--kernel"]), text()), 0..8)) {
        if !OPENCL.is_empty() {
            let mut line = vec!["warploom".to_string(), "run".to_string(), "kernel.elf".to_string()];
            line.extend(options.into_iter().flat_map(|(option, value)| [option.to_string(), value]));
            if let Ok(Cli { command: Command::Run(args) }) = Cli::try_parse_from(&line) {
                checked(UserKernel::load("kernel.elf", &OPENCL[kernel.index(OPENCL.len())], &args.setup.launch, &CoreConfig::tiny()))?;
            }
        }
    }

    #[test]
    fn triggers_and_signals(trigger in text(), globs in prop::collection::vec(text(), 0..4)) {
        checked(Wanted::new(&trigger).and_then(|wanted| wanted.find(&nets())))?;
        for net in nets() {
            prop_assert!(!Globs::new(&globs).matches(&net.path) || !globs.is_empty());
        }
    }

    #[test]
    fn damaged_shards(file in any::<Index>(), changes in changes(), end in prop::option::of(any::<Index>())) {
        let directory = tempfile::tempdir().unwrap();
        let path = file.get(&shards(directory.path())).clone();
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes, &changes, end);
        fs::write(&path, bytes).unwrap();
        checked(merge(directory.path()))?;
    }

    #[test]
    fn damaged_waveforms(changes in changes(), end in prop::option::of(any::<Index>())) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.vcd");
        let mut bytes = VCD.as_bytes().to_vec();
        damage(&mut bytes, &changes, end);
        fs::write(&path, bytes).unwrap();
        checked(Recorded::open(&path))?;
    }
}
