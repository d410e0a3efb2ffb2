//! A small program for each rule, in testbenches/verification/corpus: it makes the rule take effect. `WARPLOOM_WRITE=1` finds and shrinks those that are not there.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use warploom_hdl::config::CoreConfig;
use warploom_verification::coverage::RULES;
use warploom_verification::fuzz::{Case, Machine, file, shrink};
use warploom_verification::random_program::Choices;

use super::{Lab, Run};

/// Seeds in which a rule is looked for, on each core.
const SEEDS: u64 = 250;
/// Cases tried to make one smaller.
const TRIES: usize = 700;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// `rule-2-slot-reuse.s`
fn path(rule: usize) -> PathBuf {
    let name = RULES[rule].name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    directory().join(format!("rule-{}.s", words.join("-")))
}

/// The programs of this core's rules; which rules they are.
pub fn of_core(config: &CoreConfig) -> Vec<(usize, Case)> {
    let all = (0..RULES.len()).filter_map(|rule| {
        let path = path(rule);
        let text = fs::read_to_string(&path).ok()?;
        let name = format!("{}", path.display());
        let file::OnMachine { machine, case } = file::parse(&name, &text).unwrap_or_else(|e| panic!("{e:#}"));
        Some((rule, machine.config, case))
    });
    all.filter(|(_, of, _)| of == config).map(|(rule, _, case)| (rule, case)).collect()
}

/// Rules without a program.
pub fn missing() -> Vec<usize> {
    (0..RULES.len()).filter(|&rule| !path(rule).exists()).collect()
}

/// Runs the programs of this core's rules. What is wrong with them.
pub fn replay(lab: &mut Lab, run: &Run) -> Vec<String> {
    let check = |(rule, case): (usize, Case)| match lab.fires(&case) {
        Err(failure) => Some(format!("{}: {failure}", path(rule).display())),
        Ok((_, counts)) if counts[rule] == 0 => {
            Some(format!("{}: the rule does not take effect", path(rule).display()))
        }
        Ok(_) => None,
    };
    of_core(&run.config).into_iter().filter_map(check).collect()
}

/// Writes programs for those of the `wanted` rules that take effect on this core; which they are.
pub fn write(lab: &mut Lab, run: &Run, wanted: &[usize]) -> Vec<usize> {
    let config = &run.config;
    let draw = |choices: &mut Choices| {
        let mut case = Case::draw(choices, config).ok()?;
        case.timing = run.timing.clone();
        Some(case)
    };
    let mut written = vec![];
    for seed in 0..SEEDS {
        if written.len() == wanted.len() {
            break;
        }
        let mut choices = Choices::random(seed);
        let Some((_, counts)) = draw(&mut choices).and_then(|case| lab.fires(&case).ok()) else { continue };
        let made = choices.into_parts().0;
        for &rule in wanted.iter().filter(|rule| counts[**rule] > 0) {
            if written.contains(&rule) {
                continue;
            }
            let fires = |case: &Case| lab.fires(case).is_ok_and(|(_, counts)| counts[rule] > 0);
            let Some(shrunk) = shrink::shrink(made.clone(), TRIES, &AtomicBool::default(), draw, fires) else {
                continue;
            };
            let about = format!("{}: {}.", RULES[rule].name, RULES[rule].condition);
            let on_core = file::OnMachine { machine: Machine::alone(config), case: shrunk.case };
            fs::write(path(rule), file::text(&about, &on_core).unwrap()).unwrap();
            written.push(rule);
        }
    }
    written
}
