//! `--mechanism`: a base and what is added to it, as in `capri+lcp+slp=wid`; and the options that go with it.
use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, CtaPriority, DualPathVariant, Mechanism, Permutation, Subdivision,
};

use crate::cli::CoreArgs;
use crate::suggest::nearest;

/// A base, or a part one may add to it.
pub struct Part {
    /// As given to `--mechanism`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// What it is made of: modules of the catalog.
    pub blocks: &'static [&'static str],
}

/// What brings threads back together.
pub const BASES: &[Part] = &[
    Part {
        name: "spe",
        summary: "single-path execution: one reconvergence stack per warp, immediate post-dominators",
        source: "Fung & Aamodt 2011, 2.2.2; Rhu 2014, 3.1.1",
        blocks: &["spe_stack", "scoreboard"],
    },
    Part {
        name: "tbc",
        summary: "thread block compaction: one stack per CTA; its warps gather at branches and jumps, and are formed anew",
        source: "Fung & Aamodt 2011, 3; Rhu 2014, 4.1",
        blocks: &["thread_block_compaction", "cta_stack", "event_table", "warp_compaction_unit"],
    },
    Part {
        name: "tbc-plus",
        summary: "the same, but warps do not gather at jumps and at branches that are uniform over the CTA",
        source: "Rhu 2014, 4.1",
        blocks: &["thread_block_compaction", "cta_stack", "event_table", "warp_compaction_unit"],
    },
    Part {
        name: "capri",
        summary: "the same, and a warp gathers at a divergent branch only if compaction has helped there before",
        source: "Rhu 2014, 4.2",
        blocks: &["capt", "adequacy_evaluator", "thread_block_compaction", "cta_stack", "warp_compaction_unit"],
    },
    Part {
        name: "dpe",
        summary: "dual-path execution: both sides of a branch run; dpe:constrained has one scheduler entry a warp, dpe:optimistic no false dependences",
        source: "Rhu 2014, 3.2",
        blocks: &["dual_path_stack", "dual_path_scoreboard", "path_selector"],
    },
    Part {
        name: "dws",
        summary: "dynamic warp subdivision: a warp is divided where the block behind the branch is short; dws:N says how short, 50 by default",
        source: "Rhu 2014, 3.1.2",
        blocks: &["warp_subdivision", "warp_split_table", "thread_scoreboard"],
    },
];

/// What any base may have in addition.
pub const PARTS: &[Part] = &[
    Part {
        name: "lcp",
        summary: "likely-convergence points: threads meet at the end of a loop's body, before all of them must",
        source: "Fung & Aamodt 2011, 4",
        blocks: &["convergence_links"],
    },
    Part {
        name: "slp",
        summary: "SIMD lane permutation at launch; slp=NAME chooses which, balanced by default",
        source: "Rhu 2014, 4.3",
        blocks: &["lane_permutation"],
    },
];

/// Names of the permutations.
pub const PERMUTATIONS: &[(&str, Permutation)] = &[
    ("balanced", Permutation::Balanced),
    ("odd_even", Permutation::OddEven),
    ("flip_odd", Permutation::FlipOdd),
    ("rotate_odd", Permutation::RotateOdd),
    ("swap_halves", Permutation::SwapHalves),
    ("wid", Permutation::WarpNumber),
    ("rev_wid", Permutation::ReversedWarpNumber),
    ("random", Permutation::Random),
];

const DUAL_PATH_VARIANTS: &[(&str, DualPathVariant)] = &[
    ("full", DualPathVariant::Full),
    ("constrained", DualPathVariant::Constrained),
    ("optimistic", DualPathVariant::Optimistic),
];

const HISTORIES: &[(&str, AdequacyHistory)] =
    &[("latest", AdequacyHistory::Latest), ("sticky", AdequacyHistory::Sticky), ("2bit", AdequacyHistory::TwoBit)];

const PRIORITIES: &[(&str, CtaPriority)] = &[
    ("none", CtaPriority::None),
    ("age", CtaPriority::Age),
    ("rrb", CtaPriority::RoundRobin),
    ("srr", CtaPriority::StickyRoundRobin),
];

/// The paper's default: Rhu 2014, 4.4.1.
const PREDICTOR: AdequacyPredictor = AdequacyPredictor { entries: 32, history: AdequacyHistory::Latest };

/// Sets what the arguments say about the mechanism.
pub fn configure(args: &CoreArgs, config: &mut CoreConfig) -> Result<()> {
    parse(args.mechanism(), config)?;
    predictor(args, config)?;
    if let Some(name) = &args.cta_priority {
        config.cta_priority = choose("CTA priority", name, PRIORITIES)?;
    }
    Ok(())
}

/// `base{+lcp|+slp[=permutation]}`
fn parse(text: &str, config: &mut CoreConfig) -> Result<()> {
    let (base, parts) = match text.strip_prefix("tbc+") {
        Some(rest) if rest.is_empty() || rest.starts_with('+') => ("tbc-plus", rest.strip_prefix('+')),
        _ => text.split_once('+').map_or((text, None), |(base, parts)| (base, Some(parts))),
    };
    let (base, variant) = base.split_once(':').map_or((base, None), |(base, variant)| (base, Some(variant)));
    config.mechanism = match base {
        "spe" => Mechanism::SinglePath,
        "tbc" => Mechanism::Tbc,
        "tbc-plus" => Mechanism::TbcPlus,
        "capri" => Mechanism::Capri(PREDICTOR),
        "dpe" => Mechanism::DualPath(choose("variant of dpe", variant.unwrap_or("full"), DUAL_PATH_VARIANTS)?),
        "dws" => Mechanism::Subdivision(subdivision(text, variant)?),
        _ => {
            let names = BASES.iter().map(|base| base.name);
            bail!("there is no mechanism `{base}`{}\n  see `warploom mechanisms`", nearest(base, names))
        }
    };
    ensure!(variant.is_none() || matches!(base, "dpe" | "dws"), "--mechanism {text}: {base} has no variants");
    for part in parts.into_iter().flat_map(|parts| parts.split('+')) {
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        let twice = match name {
            "lcp" => {
                ensure!(value.is_none(), "--mechanism {text}: lcp takes no value");
                std::mem::replace(&mut config.likely_convergence, true)
            }
            "slp" => {
                let permutation = choose("permutation", value.unwrap_or("balanced"), PERMUTATIONS)?;
                std::mem::replace(&mut config.permutation, permutation) != Permutation::None
            }
            _ => {
                let names = PARTS.iter().map(|part| part.name);
                bail!(
                    "there is nothing called `{name}` to add to a mechanism{}\n  see `warploom mechanisms`",
                    nearest(name, names)
                )
            }
        };
        ensure!(!twice, "--mechanism {text}: {name} is there twice");
    }
    Ok(())
}

/// `dws:10`: the longest block, in instructions.
fn subdivision(text: &str, threshold: Option<&str>) -> Result<Subdivision> {
    let threshold = match threshold {
        None => 50,
        Some(number) => number
            .parse()
            .with_context(|| format!("--mechanism {text}: dws:N takes a number of instructions, as in dws:50"))?,
    };
    Ok(Subdivision { threshold, splits: 4 })
}

fn predictor(args: &CoreArgs, config: &mut CoreConfig) -> Result<()> {
    let Mechanism::Capri(predictor) = &mut config.mechanism else {
        for (option, given) in [("--capt-entries", args.capt_entries.is_some()), ("--history", args.history.is_some())]
        {
            ensure!(!given, "{option} is for capri: {} has no adequacy predictor", args.mechanism());
        }
        return Ok(());
    };
    if let Some(entries) = args.capt_entries {
        predictor.entries = entries;
    }
    if let Some(name) = &args.history {
        ensure!(predictor.entries != 0, "--history {name}: without a table (--capt-entries 0) there is none");
        predictor.history = choose("history", name, HISTORIES)?;
    }
    Ok(())
}

fn choose<T: Copy>(what: &str, name: &str, choices: &[(&str, T)]) -> Result<T> {
    match choices.iter().find(|(candidate, _)| *candidate == name) {
        Some((_, choice)) => Ok(*choice),
        None => bail!("there is no {what} `{name}`{}", nearest(name, choices.iter().map(|(name, _)| *name))),
    }
}

/// The mechanism of a core, as `--mechanism` takes it.
pub fn name(config: &CoreConfig) -> String {
    let base = match config.mechanism {
        Mechanism::SinglePath => "spe",
        Mechanism::Tbc => "tbc",
        Mechanism::TbcPlus => "tbc-plus",
        Mechanism::Capri(_) => "capri",
        Mechanism::DualPath(DualPathVariant::Full) => "dpe",
        Mechanism::DualPath(DualPathVariant::Constrained) => "dpe:constrained",
        Mechanism::DualPath(DualPathVariant::Optimistic) => "dpe:optimistic",
        Mechanism::Subdivision(_) => "dws",
    };
    let mut text = base.to_string();
    if let Mechanism::Subdivision(subdivision) = config.mechanism {
        let _ = write!(text, ":{}", subdivision.threshold);
    }
    if config.likely_convergence {
        text += "+lcp";
    }
    if let Some((name, _)) = PERMUTATIONS.iter().find(|(_, permutation)| *permutation == config.permutation) {
        let _ = write!(text, "+slp={name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};
    use crate::presets;

    fn configured(arguments: &[&str]) -> Result<CoreConfig> {
        let cli = Cli::try_parse_from([&["warploom", "run", "bfs", "--preset", "tiny", "-m"], arguments].concat())?;
        let Command::Run(args) = cli.command else { unreachable!() };
        presets::configure(&args.setup.core)
    }

    fn message(arguments: &[&str]) -> String {
        configured(arguments).map(|config| name(&config)).unwrap_err().to_string()
    }

    #[test]
    fn bases_and_parts() {
        let (capri, dual) = (Mechanism::Capri(PREDICTOR), Mechanism::DualPath);
        let dws = |threshold| Mechanism::Subdivision(Subdivision { threshold, splits: 4 });
        for (text, mechanism, likely_convergence, permutation, canonical) in [
            ("spe", Mechanism::SinglePath, false, Permutation::None, "spe"),
            ("spe+lcp", Mechanism::SinglePath, true, Permutation::None, "spe+lcp"),
            ("tbc", Mechanism::Tbc, false, Permutation::None, "tbc"),
            ("tbc+lcp", Mechanism::Tbc, true, Permutation::None, "tbc+lcp"),
            ("tbc+", Mechanism::TbcPlus, false, Permutation::None, "tbc-plus"),
            ("tbc++lcp", Mechanism::TbcPlus, true, Permutation::None, "tbc-plus+lcp"),
            ("tbc-plus+slp", Mechanism::TbcPlus, false, Permutation::Balanced, "tbc-plus+slp=balanced"),
            ("capri+slp=rev_wid", capri, false, Permutation::ReversedWarpNumber, "capri+slp=rev_wid"),
            ("capri+slp=random+lcp", capri, true, Permutation::Random, "capri+lcp+slp=random"),
            ("dpe", dual(DualPathVariant::Full), false, Permutation::None, "dpe"),
            ("dpe:full", dual(DualPathVariant::Full), false, Permutation::None, "dpe"),
            ("dpe:constrained", dual(DualPathVariant::Constrained), false, Permutation::None, "dpe:constrained"),
            ("dpe:optimistic", dual(DualPathVariant::Optimistic), false, Permutation::None, "dpe:optimistic"),
            ("dpe+slp", dual(DualPathVariant::Full), false, Permutation::Balanced, "dpe+slp=balanced"),
            ("dws", dws(50), false, Permutation::None, "dws:50"),
            ("dws:10+slp", dws(10), false, Permutation::Balanced, "dws:10+slp=balanced"),
            ("dws:100", dws(100), false, Permutation::None, "dws:100"),
        ] {
            let config = configured(&[text]).unwrap();
            let got = (config.mechanism, config.likely_convergence, config.permutation, name(&config));
            assert_eq!(got, (mechanism, likely_convergence, permutation, canonical.to_string()), "{text}");
            assert_eq!(configured(&[canonical]).unwrap(), config);
        }
        for (name, permutation) in PERMUTATIONS {
            assert_eq!(configured(&[&format!("tbc+slp={name}")]).unwrap().permutation, *permutation);
        }
    }

    #[test]
    fn blocks_are_in_the_catalog() {
        for part in BASES.iter().chain(PARTS) {
            part.blocks.iter().for_each(|block| assert!(crate::elaborate::module(block).is_ok(), "{block}"));
        }
    }

    #[test]
    fn the_predictor() {
        let predictor = |arguments: &[&str]| match configured(arguments).unwrap().mechanism {
            Mechanism::Capri(AdequacyPredictor { entries, history }) => (entries, history),
            other => panic!("{other:?}"),
        };
        assert_eq!(predictor(&["capri"]), (32, AdequacyHistory::Latest));
        assert_eq!(predictor(&["capri", "--capt-entries", "2"]), (2, AdequacyHistory::Latest));
        assert_eq!(predictor(&["capri+slp", "--history", "sticky"]), (32, AdequacyHistory::Sticky));
        assert_eq!(predictor(&["capri", "--capt-entries", "16", "--history", "2bit"]), (16, AdequacyHistory::TwoBit));
        assert_eq!(predictor(&["capri", "--capt-entries", "0"]), (0, AdequacyHistory::Latest));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (arguments, text) in [
            (&["capry"][..], "there is no mechanism `capry`\n  did you mean capri?\n  see `warploom mechanisms`"),
            (&["spf"], "there is no mechanism `spf`\n  did you mean spe or dpe?\n  see `warploom mechanisms`"),
            (&["dpe:fast"], "there is no variant of dpe `fast`\n  there are: full, constrained, optimistic"),
            (&["dpe:constraint"], "there is no variant of dpe `constraint`\n  did you mean constrained?"),
            (&["spe:full"], "--mechanism spe:full: spe has no variants"),
            (&["dpe+lcp"], "--mechanism dpe+lcp: likely-convergence points are for stacks that run one path at a time"),
            (
                &["tbc+lpc"],
                "there is nothing called `lpc` to add to a mechanism\n  did you mean lcp or slp?\n  see `warploom mechanisms`",
            ),
            (
                &["tbc++"],
                "there is nothing called `` to add to a mechanism\n  there are: lcp, slp\n  see `warploom mechanisms`",
            ),
            (&["tbc+slp=balance"], "there is no permutation `balance`\n  did you mean balanced?"),
            (&["dws:x"], "--mechanism dws:x: dws:N takes a number of instructions, as in dws:50"),
            (&["dws:"], "--mechanism dws:: dws:N takes a number of instructions, as in dws:50"),
            (&["dws+lcp"], "--mechanism dws+lcp: likely-convergence points are for stacks that run one path at a time"),
            (&["spe+lcp=3"], "--mechanism spe+lcp=3: lcp takes no value"),
            (&["spe+lcp+lcp"], "--mechanism spe+lcp+lcp: lcp is there twice"),
            (&["tbc+slp+slp=wid"], "--mechanism tbc+slp+slp=wid: slp is there twice"),
            (&["tbc", "--capt-entries", "8"], "--capt-entries is for capri: tbc has no adequacy predictor"),
            (&["spe+lcp", "--history", "2bit"], "--history is for capri: spe+lcp has no adequacy predictor"),
            (
                &["capri", "--capt-entries", "1"],
                "--capt-entries 1: it is 0 or 2 to 32 (the papers' largest table has 32; a table of one entry has no order of use to keep)",
            ),
            (&["capri", "--history", "stick"], "there is no history `stick`\n  did you mean sticky?"),
            (
                &["capri", "--capt-entries", "0", "--history", "2bit"],
                "--history 2bit: without a table (--capt-entries 0) there is none",
            ),
        ] {
            assert_eq!(message(arguments), text);
        }
    }
}
