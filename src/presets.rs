//! From `--preset` and its overrides to a [`CoreConfig`].
use anyhow::{Result, bail, ensure};
use warploom_hdl::config::{CoreConfig, SchedulerPolicy};

use crate::cli::CoreArgs;
use crate::mechanism;
use crate::suggest::nearest;

/// A named set of sizes.
pub struct Preset {
    /// As given to `--preset`.
    pub name: &'static str,
    /// What it is, and where it departs from its source.
    pub summary: &'static str,
    /// Its sizes.
    pub config: fn() -> CoreConfig,
}

/// All of them.
pub const PRESETS: &[Preset] = &[
    Preset { name: "tiny", summary: "the papers' worked examples", config: CoreConfig::tiny },
    Preset { name: "small", summary: "between the two: odd corners show quickly", config: CoreConfig::small },
    Preset {
        name: "paper",
        summary: "Rhu 2014, Table 4.1; RV32 needs 32,768 registers where the table has 16,384",
        config: CoreConfig::paper,
    },
    Preset {
        name: "fermi",
        summary: "Rhu 2014, Table 3.1; it has lines of 128 B, two schedulers, and 32,768 registers where RV32 needs 49,152",
        config: CoreConfig::fermi,
    },
];

/// The sizes the user asked for, within their legal ranges.
pub fn configure(args: &CoreArgs) -> Result<CoreConfig> {
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == args.preset()) else {
        let names = PRESETS.iter().map(|preset| preset.name);
        bail!("there is no preset `{}`{}\n  see `warploom presets`", args.preset(), nearest(args.preset(), names));
    };
    let mut config = (preset.config)();
    let set = |field: &mut usize, value: Option<usize>| *field = value.unwrap_or(*field);
    set(&mut config.lanes, args.lanes);
    set(&mut config.warps, args.warps);
    set(&mut config.stack_depth, args.stack_depth);
    set(&mut config.mshrs, args.mshrs);
    ensure!(
        matches!(config.lanes, 4 | 8 | 16 | 32),
        "--lanes {}: a warp has 4, 8, 16 or 32 lanes (lane numbers are bit fields of row addresses)",
        config.lanes
    );
    ensure!((4..=48).contains(&config.warps), "--warps {}: the core has 4 to 48 warps", config.warps);
    ensure!(
        (2..=64).contains(&config.stack_depth),
        "--stack-depth {}: a stack has 2 to 64 entries (its valid bits are one word)",
        config.stack_depth
    );
    ensure!((2..=64).contains(&config.mshrs), "--mshrs {}: the cache has 2 to 64", config.mshrs);
    if let Some(text) = &args.scheduler {
        config.scheduler = scheduler(text, config.warps)?;
    }
    mechanism::configure(args, &mut config)?;
    Ok(config)
}

/// `lrr`, `gto`, `oldest`, `2lev`, `2lev:group` or `2lev:group:timeout`; by default a group has as many warps as a CTA that fills a quarter of
/// the core.
fn scheduler(text: &str, warps: usize) -> Result<SchedulerPolicy> {
    const MOST: usize = 1_000_000;
    let (name, sizes) = text.split_once(':').map_or((text, None), |(name, sizes)| (name, Some(sizes)));
    ensure!(name == "2lev" || sizes.is_none(), "--scheduler {text}: only 2lev has groups");
    Ok(match name {
        "lrr" => SchedulerPolicy::LooseRoundRobin,
        "gto" => SchedulerPolicy::GreedyThenOldest,
        "oldest" => SchedulerPolicy::OldestFirst,
        "2lev" => {
            let default = (warps / 4).max(2).to_string();
            let (group, timeout) =
                sizes.map_or((default.as_str(), "0"), |sizes| sizes.split_once(':').unwrap_or((sizes, "0")));
            let group = group.parse().ok().filter(|group| (1..=warps).contains(group));
            let timeout = timeout.parse().ok().filter(|timeout| *timeout <= MOST);
            let Some(group) = group else { bail!("--scheduler {text}: a group has 1 to {warps} warps") };
            let Some(timeout) = timeout else {
                bail!("--scheduler {text}: a timeout is 1 to {MOST} instructions, or 0 for none")
            };
            SchedulerPolicy::TwoLevel { group, timeout }
        }
        _ => bail!("there is no scheduler `{name}`{}", nearest(name, ["lrr", "gto", "oldest", "2lev"])),
    })
}
