//! From `--preset` and its overrides to a [`CoreConfig`].
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use warploom_hdl::config::{CoreConfig, Extensions, ISAS, SchedulerPolicy, WarpGroup};
use warploom_hdl::limits::{ConfigError, Parameter, parameters};
use warploom_hdl::mechanism::{Choice, MECHANISMS};
use warploom_runtime::machines::{self, MACHINES, Machine};

use crate::cli::CoreArgs;
use crate::mechanism;
use crate::suggest::nearest;

/// The machine that `--preset` names.
///
/// # Errors
/// If there is none of this name.
pub fn machine(args: &CoreArgs) -> Result<&'static Machine> {
    machines::find(args.preset()).with_context(|| {
        let names =
            MACHINES.iter().flat_map(|machine| [machine.name].into_iter().chain(machine.aliases.iter().copied()));
        format!("there is no preset `{}`{}\n  see `warploom presets`", args.preset(), nearest(args.preset(), names))
    })
}

/// The sizes the user asked for, within their legal ranges.
pub fn configure(args: &CoreArgs) -> Result<CoreConfig> {
    let mut config = (machine(args)?.core)();
    for (name, size) in args.clone().sizes() {
        if let (Some(size), Some(parameter)) = (*size, parameters().find(|parameter| parameter.name == name)) {
            (parameter.set)(&mut config, size);
        }
    }
    match (&args.scheduler, &mut config.scheduler) {
        (Some(text), scheduler) => *scheduler = policy(text, config.warps)?,
        // Of fewer warps than the preset has, no group can have more.
        (None, SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(group), .. }) => *group = (*group).min(config.warps),
        _ => (),
    }
    if let Some(isa) = &args.isa {
        let Extensions { floats, warp_instructions } = extensions(isa)?;
        (config.floats, config.warp_instructions) = (floats, warp_instructions);
    }
    if args.float_latency.is_none() {
        config.float_latency = config.float_latency.max(config.alu_latency);
    }
    mechanism::configure(args, &mut config)?;
    if args.warp_buffer.is_none() {
        // What a preset fetches ahead, not every mechanism can.
        config.warp_buffer = config.warp_buffer.min(config.most_ahead());
    }
    check(&config, args)?;
    Ok(config)
}

/// What this instruction set has beside RV32IMA.
///
/// # Errors
/// If there is none of this name.
pub fn extensions(isa: &str) -> Result<Extensions> {
    Extensions::of_isa(isa).with_context(|| format!("there is no instruction set `{isa}`{}", nearest(isa, ISAS)))
}

/// Whether there is such a core; if not, why, in the words of the command line.
///
/// # Errors
/// If there is none.
pub fn check(config: &CoreConfig, args: &CoreArgs) -> Result<()> {
    // What is given is looked at, also where it has no effect.
    let floats = config.floats || args.float_latency.is_some();
    CoreConfig { floats, ..config.clone() }.check().map_err(|error| in_options(error, args))
}

/// What is wrong with a core, in the words of the command line.
fn in_options(error: ConfigError, args: &CoreArgs) -> Error {
    let ConfigError::Value { parameter, value, legal, reason } = error else {
        return anyhow!("--mechanism {}: {error}", args.mechanism());
    };
    if let Some(of) = spelled(parameter) {
        return anyhow!("--mechanism {}: the number of {of} is {legal} ({reason})", args.mechanism());
    }
    let scheduler = args.scheduler.as_deref().unwrap_or_default();
    let (given, what) = match parameter {
        "scheduler_group" => (format!("--scheduler {scheduler}"), "the number of warps of a group"),
        "scheduler_timeout" => (format!("--scheduler {scheduler}"), "the timeout"),
        _ => (format!("--{} {value}", parameter.replace('_', "-")), "it"),
    };
    anyhow!("{given}: {what} is {legal} ({reason})")
}

/// What a parameter counts that is spelled in the name of a mechanism.
fn spelled(parameter: &str) -> Option<&'static str> {
    MECHANISMS.iter().flat_map(|entry| entry.spelled()).find_map(|choice| match choice {
        Choice::Number { parameter: Parameter { name, .. }, of, .. } if *name == parameter => Some(*of),
        _ => None,
    })
}

/// `lrr`, `gto`, `oldest`, `2lev`, `2lev:group` or `2lev:group:timeout`, a group being a number of warps or `cta`; by default it has as many
/// warps as a CTA that fills a quarter of the core.
fn policy(text: &str, warps: usize) -> Result<SchedulerPolicy> {
    let (name, sizes) = text.split_once(':').map_or((text, None), |(name, sizes)| (name, Some(sizes)));
    ensure!(name == "2lev" || sizes.is_none(), "--scheduler {text}: only 2lev has groups");
    let number = |number: &str| {
        let whole =
            || format!("--scheduler {text}: a group is `cta` or a whole number, as a timeout is, not `{number}`");
        number.parse().ok().with_context(whole)
    };
    Ok(match name {
        "lrr" => SchedulerPolicy::LooseRoundRobin,
        "gto" => SchedulerPolicy::GreedyThenOldest,
        "oldest" => SchedulerPolicy::OldestFirst,
        "2lev" => {
            let default = (warps / 4).max(2).to_string();
            let (group, timeout) =
                sizes.map_or((default.as_str(), "0"), |sizes| sizes.split_once(':').unwrap_or((sizes, "0")));
            let group = if group == "cta" { WarpGroup::Cta } else { WarpGroup::Warps(number(group)?) };
            SchedulerPolicy::TwoLevel { group, timeout: number(timeout)? }
        }
        _ => bail!("there is no scheduler `{name}`{}", nearest(name, ["lrr", "gto", "oldest", "2lev"])),
    })
}
