//! What `warploom run` runs: a kernel that comes with warploom, or one of the user's own.
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, DeviceError};
use warploom_runtime::kernels::{self, Kernel, Mismatch, Problem, micro};
use warploom_runtime::loader::Program;

use crate::cli::{LaunchArgs, SetupArgs};
use crate::suggest::nearest;
use crate::user_kernel::{Compiled, Outputs, PlacedBuffer, UserKernel};

/// See the [module documentation](self).
pub enum Workload {
    /// With inputs and a reference.
    Kernel(&'static Kernel, Problem),
    /// One launch.
    Own(Box<UserKernel>),
}

/// How a run that came to its end ended.
pub enum Finish {
    /// As the reference has it.
    Right,
    /// Not so.
    Wrong(Mismatch),
    /// There is no reference.
    Unchecked(Outputs),
}

impl Workload {
    /// What the arguments ask for, as far as it can be checked before there is a core.
    /// What it compiles on the way is added to `compiled`.
    pub fn new(args: &SetupArgs, config: &CoreConfig, compiled: &mut Compiled) -> Result<Self> {
        let most = config.lanes * config.warps;
        if let Some(block) = args.launch.block {
            ensure!(
                (1..=most).contains(&block),
                "--block {block}: a CTA has 1 to {most} threads on this core ({} warps x {} lanes)",
                config.warps,
                config.lanes
            );
        }
        let name = args.kernel.as_deref().unwrap_or_default();
        match kernels::all().find(|kernel| kernel.name() == name) {
            Some(kernel) => Self::kernel(kernel, &args.launch),
            None => Self::own(name, &args.launch, config, compiled),
        }
    }

    fn kernel(kernel: &'static Kernel, args: &LaunchArgs) -> Result<Self> {
        let for_own = [
            ("--grid", args.grid.is_some()),
            ("--global", args.global.is_some()),
            ("--local", args.local.is_some()),
            ("--offset", args.offset.is_some()),
            ("--arg", !args.arguments.is_empty()),
            ("--buffer", !args.buffers.is_empty()),
            ("--kernel", args.function.is_some()),
        ];
        let for_own = for_own.iter().find(|(_, given)| *given).map(|(option, _)| *option);
        if let Some(option) = for_own.or_else(|| args.source.given()) {
            bail!("{option} is for a kernel of your own; what {} is launched with follows from --size", kernel.name());
        }
        let sizes = kernel.sizes();
        let text = args.size.as_deref().unwrap_or("default");
        let Some(size) = sizes.parse(text) else {
            bail!("--size {text}: it is smoke, default, large, or 1 to {} {}", sizes.most(), kernel.about().unit);
        };
        if args.selectivity.is_some() && kernel.selectivity().is_none() {
            let selecting = kernels::all().filter(|kernel| kernel.selectivity().is_some());
            let names: Vec<&str> = selecting.map(|kernel| kernel.name()).collect();
            bail!("--selectivity: {} selects nothing; it is for {}", kernel.name(), names.join(" and "));
        }
        Ok(Self::Kernel(kernel, Problem { size, seed: args.seed(), block: args.block, selectivity: args.selectivity }))
    }

    fn own(name: &str, args: &LaunchArgs, config: &CoreConfig, compiled: &mut Compiled) -> Result<Self> {
        let path = Path::new(name);
        let is_path = path.exists() || path.components().count() > 1 || path.extension().is_some();
        let micro = micro::find(name).filter(|_| !is_path);
        if !is_path && micro.is_none() {
            let names = kernels::all().map(|kernel| kernel.name()).chain(micro::MICRO.iter().map(|micro| micro.name));
            bail!(
                "there is no kernel `{name}`, and no file of that name{}\n  see `warploom kernels`",
                nearest(name, names)
            );
        }
        let own = match micro {
            Some(micro) => UserKernel::of_micro(micro, args, config)?,
            None => UserKernel::new(name, args, config, compiled)?,
        };
        Ok(Self::Own(Box::new(own)))
    }

    /// The buffers that have names, where they will lie.
    pub fn buffers(&self, config: &CoreConfig) -> Vec<PlacedBuffer> {
        match self {
            Self::Kernel(..) => Vec::new(),
            Self::Own(own) => own.buffers(config),
        }
    }

    /// Checks that there is what is asked for.
    pub fn check_dumps(&self, dumps: &[(String, PathBuf)]) -> Result<()> {
        match self {
            Self::Own(own) => own.check_dumps(dumps),
            Self::Kernel(kernel, _) => {
                ensure!(
                    dumps.is_empty(),
                    "--dump is for a kernel of your own; the outputs of {} are checked",
                    kernel.name()
                );
                Ok(())
            }
        }
    }

    /// Kernel name or path.
    pub fn name(&self) -> &str {
        match self {
            Self::Kernel(kernel, _) => kernel.name(),
            Self::Own(own) => &own.program.name,
        }
    }

    /// What the core runs.
    pub fn program(&self) -> Program {
        match self {
            Self::Kernel(kernel, _) => kernel.binary().program(),
            Self::Own(own) => own.program.clone(),
        }
    }

    /// What makes it another workload under the same options, as a number: of the program and, if it is the user's own, what its
    /// buffers are filled with.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Kernel(..) => self.program().fingerprint(),
            Self::Own(own) => own.fingerprint(),
        }
    }

    /// What it takes for granted of the core, if the core does not have it.
    pub fn lacks(&self, config: &CoreConfig) -> Option<&'static str> {
        match self {
            Self::Kernel(kernel, _) if !kernel.needs().met_by(config) => kernel.needs().name(),
            _ => None,
        }
    }

    /// How much there is to do, and what that counts.
    pub fn size(&self) -> (u64, &'static str) {
        match self {
            Self::Kernel(kernel, problem) => (problem.size as u64, kernel.about().unit),
            Self::Own(own) => (own.threads(), "threads"),
        }
    }

    /// Runs it and, where there is a reference, checks the result.
    pub fn run(&self, device: &mut dyn Device) -> Result<Finish, DeviceError> {
        match self {
            Self::Kernel(kernel, problem) => {
                let outcome = kernels::run(kernel, device, problem)?;
                Ok(outcome.mismatch().map_or(Finish::Right, Finish::Wrong))
            }
            Self::Own(own) => Ok(Finish::Unchecked(own.run(device)?)),
        }
    }
}
