//! `--mechanism`, as in `capri+lcp+slp=wid`, and the options that go with it.
use anyhow::{Error, Result, anyhow, bail, ensure};
use warploom_hdl::config::{CoreConfig, CtaPriority, HazardPrediction, HazardRule, Mechanism, MemoryPath, MshrTracker};
use warploom_hdl::mechanism::{Choice, Composition, MECHANISMS, SpellingError};

use crate::cli::CoreArgs;
use crate::suggest::nearest;

/// Sets what the arguments say about the mechanism.
pub fn configure(args: &CoreArgs, config: &mut CoreConfig) -> Result<()> {
    let text = args.mechanism();
    let composition: Composition = text.parse().map_err(|error| in_options(error, text))?;
    *config = config.clone().with(composition);
    predictor(args, config)?;
    turns(args, config)?;
    let stackless = args.stack_depth.is_some() && !has_stack(text);
    ensure!(!stackless, "--stack-depth is for mechanisms with reconvergence stacks: {text} has none");
    if let Some(name) = &args.cta_priority {
        config.cta_priority = chosen("CTA priority", name, CtaPriority::NAMES)?;
    }
    if let Some(name) = &args.hazards {
        config.hazards = chosen("hazard rule", name, HazardRule::NAMES)?;
    }
    if let Some(name) = &args.memory_path {
        config.memory_path = chosen("memory path", name, MemoryPath::NAMES)?;
    }
    if let Some(name) = &args.hazard_prediction {
        config.hazard_prediction = chosen("hazard prediction", name, HazardPrediction::NAMES)?;
    }
    if let Some(name) = &args.mshr_tracker {
        config.mshr_tracker = chosen("MSHR tracker", name, MshrTracker::NAMES)?;
    }
    Ok(())
}

/// What is wrong with a mechanism, in the words of the command line.
fn in_options(error: SpellingError, text: &str) -> Error {
    match error {
        SpellingError::Unknown { message, name, names, is_listed } => {
            let list = if is_listed { "\n  see `warploom mechanisms`" } else { "" };
            anyhow!("{message}{}{list}", nearest(&name, names))
        }
        SpellingError::Number { message, .. } | SpellingError::Wrong(message) => {
            anyhow!("--mechanism {text}: {message}")
        }
    }
}

fn predictor(args: &CoreArgs, config: &mut CoreConfig) -> Result<()> {
    let entry = config.mechanism.entry();
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
        let Some(history @ Choice::Name { names, .. }) = entry.choice("history") else { unreachable!() };
        config.mechanism = history.with(config.mechanism, choose("history", name, names.iter().copied())?);
    }
    Ok(())
}

/// The mechanisms whose threads take turns, for a sentence.
pub fn those_with_turns() -> String {
    let names: Vec<&str> =
        MECHANISMS.iter().filter(|entry| takes_turns(entry.name())).map(|entry| entry.name()).collect();
    names.join(" and ")
}

/// Whether threads take turns under the mechanism of this name.
pub fn takes_turns(name: &str) -> bool {
    name.parse().is_ok_and(|composition: Composition| composition.mechanism.traits().turns.is_some())
}

/// Whether the mechanism of this name has a stack: per warp or per CTA.
pub fn has_stack(name: &str) -> bool {
    name.parse().is_ok_and(|composition: Composition| {
        let traits = composition.mechanism.traits();
        traits.barriers.is_none() && !traits.regroups
    })
}

fn turns(args: &CoreArgs, config: &mut CoreConfig) -> Result<()> {
    for (name, given) in [("spin", args.spin), ("quantum", args.quantum)] {
        let Some(value) = given else { continue };
        let Some(choice) = config.mechanism.entry().choice(name) else {
            bail!("--{name} is for {}: {} has no turns", those_with_turns(), args.mechanism());
        };
        config.mechanism = choice.with(config.mechanism, value);
    }
    Ok(())
}

/// What this name stands for.
fn chosen<T: Copy>(what: &str, name: &str, named: &[(&'static str, T)]) -> Result<T> {
    let place = choose(what, name, named.iter().map(|(name, _)| *name))?;
    Ok(named[place].1)
}

/// The place of a name among others.
fn choose(what: &str, name: &str, mut names: impl Iterator<Item = &'static str> + Clone) -> Result<usize> {
    match names.clone().position(|candidate| candidate == name) {
        Some(place) => Ok(place),
        None => bail!("there is no {what} `{name}`{}", nearest(name, names.by_ref())),
    }
}

/// The mechanism of a core, as `--mechanism` takes it.
pub fn name(config: &CoreConfig) -> String {
    config.composition().to_string()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, Turns};
    use warploom_hdl::mechanism::{Representative, representatives};

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
    fn every_representative_is_taken_as_it_is_spelled() {
        for Representative { spelling, .. } in representatives() {
            let config = configured(&[spelling]).unwrap();
            assert_eq!(Ok(config.composition()), spelling.parse());
            assert_eq!(configured(&[&name(&config)]).unwrap(), config);
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
    fn turns() {
        let turns = |arguments: &[&str]| configured(arguments).unwrap().mechanism.traits().turns;
        assert_eq!(turns(&["scs"]), Some(Turns { spin: 8, quantum: 16_384 }));
        assert_eq!(turns(&["scs", "--spin", "3"]), Some(Turns { spin: 3, quantum: 16_384 }));
        assert_eq!(turns(&["scs", "--quantum", "64", "--spin", "15"]), Some(Turns { spin: 15, quantum: 64 }));
        assert_eq!(turns(&["spe"]), None);
        assert!(takes_turns("scs+slp") && !takes_turns("dpe") && !takes_turns("nothing"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (arguments, text) in [
            (&["capry"][..], "there is no mechanism `capry`\n  did you mean capri?\n  see `warploom mechanisms`"),
            (&["spf"], "there is no mechanism `spf`\n  did you mean spe?\n  see `warploom mechanisms`"),
            (&["dpe:fast"], "there is no variant of dpe `fast`\n  there are: full, constrained, optimistic"),
            (&["dpe:constraint"], "there is no variant of dpe `constraint`\n  did you mean constrained?"),
            (&["spe", "--spin", "3"], &format!("--spin is for {}: spe has no turns", those_with_turns())),
            (&["capri", "--quantum", "3"], &format!("--quantum is for {}: capri has no turns", those_with_turns())),
            (&["dwf", "--stack-depth", "4"], "--stack-depth is for mechanisms with reconvergence stacks: dwf has none"),
            (
                &["its:2", "--stack-depth", "4"],
                "--stack-depth is for mechanisms with reconvergence stacks: its:2 has none",
            ),
            (&["scs", "--spin", "16"], "--spin 16: it is 1 to 15 (the counter has four bits)"),
            (
                &["scs", "--quantum", "48"],
                "--quantum 48: it is a power of two from 1 to 16777216 (a power of two is a bit of the counter)",
            ),
            (&["scs+lcp"], "--mechanism scs+lcp: likely-convergence points are for stacks that run one path at a time"),
            (&["spe:full"], "--mechanism spe:full: spe has no variants"),
            (&["dpe+lcp"], "--mechanism dpe+lcp: likely-convergence points are for stacks that run one path at a time"),
            (
                &["tbc+lpc"],
                "there is nothing called `lpc` to add to a mechanism\n  did you mean lcp?\n  see `warploom mechanisms`",
            ),
            (
                &["tbc++"],
                "there is nothing called `` to add to a mechanism\n  there are: lcp, slp\n  see `warploom mechanisms`",
            ),
            (&["tbc+slp=balance"], "there is no permutation `balance`\n  did you mean balanced?"),
            (&["spe+lcp=3"], "--mechanism spe+lcp=3: lcp takes no value"),
            (&["spe+lcp+lcp"], "--mechanism spe+lcp+lcp: lcp is there twice"),
            (&["tbc+slp+slp=wid"], "--mechanism tbc+slp+slp=wid: slp is there twice"),
            (&["spe", "--hazards", "ane"], "there is no hazard rule `ane`\n  did you mean any?"),
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
