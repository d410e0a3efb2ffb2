//! What `warploom run` runs: a kernel that comes with warploom, or an ELF of the user's own.
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_testbenches::host::{Device, DeviceError, Session};
use warploom_testbenches::kernels::{self, KERNELS, Kernel, Mismatch, Problem, Random, micro};
use warploom_testbenches::loader::Program;
use warploom_testbenches::loader::lines::SourceLines;

use crate::cli::SetupArgs;
use crate::suggest::nearest;

/// See the [module documentation](self).
pub enum Workload {
    /// With inputs and a reference.
    Kernel(&'static dyn Kernel, Problem),
    /// One launch.
    Elf {
        /// The program.
        program: Box<Program>,
        /// Where its instructions come from.
        lines: Box<SourceLines>,
        /// CTAs.
        grid: u32,
        /// Threads of a CTA.
        block: u32,
        /// What its `kernel` function is given.
        arguments: Vec<Argument>,
        /// Of random buffers.
        seed: u64,
    },
}

/// An argument of a user's kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Argument {
    /// This number.
    Number(u32),
    /// The address of so many zeros.
    Zeros(usize),
    /// The address of so many random words.
    Random(usize),
}

impl FromStr for Argument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "it is a 32-bit number (decimal or 0x...), zeros:WORDS or random:WORDS (up to 16777216)";
        let words = |text: &str| text.parse().ok().filter(|words| (1..=1 << 24).contains(words));
        let argument = match (text.split_once(':'), text.strip_prefix("0x")) {
            (Some(("zeros", count)), _) => words(count).map(Self::Zeros),
            (Some(("random", count)), _) => words(count).map(Self::Random),
            (_, Some(digits)) => u32::from_str_radix(digits, 16).ok().map(Self::Number),
            _ => text.parse::<u32>().or_else(|_| text.parse::<i32>().map(|n| n as u32)).ok().map(Self::Number),
        };
        argument.ok_or(EXPECTED)
    }
}

/// As on the command line.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Zeros(words) => write!(f, "zeros:{words}"),
            Self::Random(words) => write!(f, "random:{words}"),
        }
    }
}

impl From<Argument> for String {
    fn from(argument: Argument) -> Self {
        argument.to_string()
    }
}

impl TryFrom<String> for Argument {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// How a run that came to its end ended.
pub enum Finish {
    /// As the reference has it.
    Right,
    /// Not so.
    Wrong(Mismatch),
    /// There is no reference.
    Unchecked,
}

impl Workload {
    /// What the arguments ask for, as far as it can be checked before there is a core.
    pub fn new(args: &SetupArgs, config: &CoreConfig) -> Result<Self> {
        let most = config.lanes * config.warps;
        if let Some(block) = args.block {
            ensure!(
                (1..=most).contains(&block),
                "--block {block}: a CTA has 1 to {most} threads on this core ({} warps x {} lanes)",
                config.warps,
                config.lanes
            );
        }
        let name = args.kernel.as_deref().unwrap_or_default();
        match KERNELS.iter().find(|kernel| kernel.name() == name) {
            Some(kernel) => Self::kernel(*kernel, args),
            None => Self::elf(name, args, config),
        }
    }

    fn kernel(kernel: &'static dyn Kernel, args: &SetupArgs) -> Result<Self> {
        ensure!(
            args.grid.is_none() && args.arguments.is_empty(),
            "--grid and --arg are for an ELF of your own; those of {} follow from --size",
            kernel.name()
        );
        let sizes = kernel.sizes();
        let text = args.size.as_deref().unwrap_or("default");
        let Some(size) = sizes.parse(text) else {
            bail!("--size {text}: it is smoke, default, large, or 1 to {} {}", sizes.most(), kernel.unit());
        };
        Ok(Self::Kernel(kernel, Problem { size, seed: args.seed.unwrap_or(1), block: args.block }))
    }

    fn elf(name: &str, args: &SetupArgs, config: &CoreConfig) -> Result<Self> {
        let path = Path::new(name);
        let is_path = path.exists() || path.components().count() > 1 || path.extension().is_some();
        let micro = micro::find(name).filter(|_| !is_path);
        if !is_path && micro.is_none() {
            let names = KERNELS.iter().map(|kernel| kernel.name()).chain(micro::MICRO.iter().map(|micro| micro.name));
            bail!(
                "there is no kernel `{name}`, and no file of that name{}\n  see `warploom kernels`",
                nearest(name, names)
            );
        }
        if path.extension().is_some_and(|extension| extension == "c" || extension == "s") {
            bail!("{name} is a source file: compile it with `warploom build {name}`, then run the ELF");
        }
        ensure!(
            args.size.is_none(),
            "--size is for the kernels of `warploom kernels`; an ELF of your own takes --grid, --block and --arg"
        );
        ensure!(args.arguments.len() <= 8, "--arg: a kernel has up to 8 arguments, not {}", args.arguments.len());
        let bytes = match micro {
            Some(micro) => micro.binary.elf.to_vec(),
            None => fs::read(path).with_context(|| format!("cannot read {name}"))?,
        };
        let program = Box::new(Program::from_elf(name, &bytes)?);
        let lines = Box::new(SourceLines::from_elf(&bytes));
        let block = args.block.or(micro.and_then(|micro| micro.threads));
        let block = Problem { size: 1, seed: 1, block }.threads(config) as u32;
        let (grid, arguments, seed) = (args.grid.unwrap_or(1), args.arguments.clone(), args.seed.unwrap_or(1));
        Ok(Self::Elf { program, lines, grid, block, arguments, seed })
    }

    /// Kernel name or path.
    pub fn name(&self) -> &str {
        match self {
            Self::Kernel(kernel, _) => kernel.name(),
            Self::Elf { program, .. } => &program.name,
        }
    }

    /// What the core runs.
    pub fn program(&self) -> Program {
        match self {
            Self::Kernel(kernel, _) => kernel.binary().program(),
            Self::Elf { program, .. } => program.as_ref().clone(),
        }
    }

    /// Where its instructions come from, as far as the ELF tells.
    pub fn lines(&self) -> SourceLines {
        match self {
            Self::Kernel(kernel, _) => SourceLines::from_elf(kernel.binary().elf),
            Self::Elf { lines, .. } => lines.as_ref().clone(),
        }
    }

    /// How much there is to do, and what that counts.
    pub fn size(&self) -> (u64, &'static str) {
        match self {
            Self::Kernel(kernel, problem) => (problem.size as u64, kernel.unit()),
            Self::Elf { grid, block, .. } => (u64::from(*grid) * u64::from(*block), "threads"),
        }
    }

    /// Runs it and, where there is a reference, checks the result.
    pub fn run(&self, device: &mut dyn Device) -> Result<Finish, DeviceError> {
        match self {
            Self::Kernel(kernel, problem) => {
                let outcome = kernels::run(*kernel, device, problem)?;
                Ok(outcome.mismatch().map_or(Finish::Right, Finish::Wrong))
            }
            Self::Elf { program, grid, block, arguments, seed, .. } => {
                let mut session = Session::new(device, program)?;
                let mut random = Random::new(*seed);
                let values = arguments.iter().map(|argument| match *argument {
                    Argument::Number(number) => Ok(number),
                    Argument::Zeros(words) => Ok(session.zeros(words)?.address),
                    Argument::Random(words) => Ok(session.buffer(&random.words(words))?.address),
                });
                let values = values.collect::<Result<Vec<u32>, DeviceError>>()?;
                session.launch([*grid, 1, 1], [*block, 1, 1], 0, &values)?;
                Ok(Finish::Unchecked)
            }
        }
    }
}
