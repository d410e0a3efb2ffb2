//! Every legal core elaborates, and what is beyond the limits is refused with the reason: the ends of every parameter's range,
//! and all pairs of all parameters' values.
//!
//! `WARPLOOM_CONFIGURATIONS=all` takes the pairs at their real sizes, up to 32 lanes and 48 warps, and runs a program on each of them at
//! small sizes; what came of it is kept in docs/verification/configurations.json, for the page.
mod page;
mod pairwise;
mod program;
mod space;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::{CoreConfig, SchedulerPolicy};
use warploom_hdl::core::Core;
use warploom_hdl::limits::{Legal, Parameter, Step, parameters};
use warploom_hdl::mechanism::MECHANISMS;
use warploom_hdl::prelude::Block;

/// What a run of all of them has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Figures {
    /// Rows of the covering array, pairs that it covers, and pairs that cannot be in one core.
    rows: usize,
    pairs: usize,
    excluded: usize,
    /// Rows elaborated at their real sizes; seconds for all, and for the slowest; which that was.
    elaborated: usize,
    seconds: f64,
    slowest_seconds: f64,
    slowest: String,
    /// Rows that ran the program at small sizes, and seconds for all, compiling included.
    ran: usize,
    run_seconds: f64,
}

/// A small core that has the parameter.
fn base(parameter: &Parameter) -> CoreConfig {
    let grouped = SchedulerPolicy::groups_of(2);
    let mut cores = MECHANISMS.into_iter().flat_map(|entry| {
        [false, true].map(|floats| CoreConfig { scheduler: grouped, floats, ..CoreConfig::tiny() }.with(entry.default))
    });
    cores.find(|core| (parameter.get)(core).is_some()).expect("a core with the parameter")
}

/// Values just outside a range, as far as there are any.
fn beyond(legal: Legal) -> Vec<usize> {
    let Legal { least, greatest, step, or_zero } = legal;
    let above = match step {
        Step::One => greatest + 1,
        Step::PowersOfTwo => 2 * greatest,
        Step::Multiples(of) => greatest + of,
    };
    let below = match step {
        Step::One => least.checked_sub(1).filter(|below| !(or_zero && *below == 0)),
        Step::PowersOfTwo => Some(least / 2),
        Step::Multiples(of) => Some(least - of),
    };
    // Inside the range, but none of its steps.
    let between = (least..greatest).find(|value| !legal.contains(*value));
    below.into_iter().chain(between).chain([above]).collect()
}

/// The core, or what is wrong with it.
fn elaborate(config: &CoreConfig) -> Result<(), String> {
    let mut core = Core::new(config);
    core.connect_all();
    warploom_sim::elaborate(&core).map(drop).map_err(|error| format!("{config:?}\n{error}"))
}

/// Does it for all of them, on every processor; panics with all that went wrong.
fn all<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = work(item) {
                wrong.lock().unwrap().push(error);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // Elaboration walks the hierarchy of the core.
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, worker).unwrap();
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), items.len(), wrong.join("\n"));
}

/// A small core with the parameter at this value.
fn with(parameter: &Parameter, value: usize) -> CoreConfig {
    let mut config = base(parameter);
    (parameter.set)(&mut config, value);
    assert_eq!((parameter.get)(&config), Some(value), "{}", parameter.name);
    config
}

/// Small cores, each with one parameter at an end of its range.
fn ends() -> Vec<CoreConfig> {
    let ends = |parameter: &'static Parameter| {
        let Legal { least, greatest, .. } = (parameter.legal)(&base(parameter));
        [least, greatest].map(|value| with(parameter, value))
    };
    parameters().flat_map(ends).collect()
}

#[test]
fn the_ends_of_every_range_are_cores() {
    all(&ends(), |config| {
        config.check().map_err(|error| error.to_string())?;
        elaborate(config)
    });
}

#[test]
fn what_is_beyond_is_refused_with_the_reason() {
    for parameter in parameters() {
        let legal = (parameter.legal)(&base(parameter));
        for value in beyond(legal) {
            let error = with(parameter, value).check().unwrap_err().to_string();
            let expected = format!("{} {value}: it is {legal} ({})", parameter.name, parameter.reason);
            assert_eq!(error, expected);
        }
        for value in legal.values().take(1000) {
            assert!(legal.contains(value) && with(parameter, value).check().is_ok(), "{} {value}", parameter.name);
        }
    }
}

#[test]
fn presets_are_legal() {
    for config in [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi()] {
        assert_eq!(config.check(), Ok(()));
    }
}

#[test]
fn some_mechanisms_have_no_likely_convergence_points() {
    let without = MECHANISMS.iter().map(|entry| entry.default).filter(|m| !m.traits().likely_convergence);
    for mechanism in without {
        let config = CoreConfig { mechanism, likely_convergence: true, ..CoreConfig::tiny() };
        let error = config.check().unwrap_err().to_string();
        assert_eq!(error, "likely-convergence points are for stacks that run one path at a time");
    }
}

/// What decides which pairs can be in one core: a parameter is every variant's of a mechanism or none's.
#[test]
fn variants_of_a_mechanism_have_the_same_parameters() {
    let of = |mechanism| {
        let core = CoreConfig { scheduler: SchedulerPolicy::groups_of(2), ..CoreConfig::tiny() }.with(mechanism);
        parameters()
            .filter(|parameter| (parameter.get)(&core).is_some())
            .map(|parameter| parameter.name)
            .collect::<Vec<_>>()
    };
    for entry in MECHANISMS {
        for variant in entry.variants() {
            assert_eq!(of(variant), of(entry.default), "{}", variant.in_full());
        }
    }
}

/// What keeps the sizes small enough for seconds.
fn small(parameter: &str) -> usize {
    match parameter {
        "lanes" => 8,
        "warps" => 9,
        // With turns that end at every instruction a kernel takes 12 entries for eight lanes (decision 0031).
        "stack_depth" => 16,
        "l1_sets" | "mshrs" | "cta_slots" => 10,
        "l1_ways" | "memory_queue" | "capt_entries" => 6,
        "instruction_words" => 4096,
        _ => usize::MAX,
    }
}

/// Some rows of the array, and the program on one of them.
#[test]
fn some_pairs_of_values_are_cores() {
    let factors = space::factors();
    let array = pairwise::cover(&factors);
    let rows = array.rows.iter().step_by(8);
    let some: Vec<CoreConfig> = rows.map(|row| space::core(&factors, row, small)).collect();
    are_cores(&some);
    all(&some[..1], program::runs);
}

#[test]
#[ignore = "long: 430 cores; runs in .ci/run"]
fn all_pairs_of_values_are_cores_and_some_run() {
    let factors = space::factors();
    let array = pairwise::cover(&factors);
    let smalls: Vec<CoreConfig> = array.rows.iter().map(|row| space::core(&factors, row, small)).collect();
    if std::env::var("WARPLOOM_CONFIGURATIONS").is_ok_and(|value| value == "all") {
        return all_of_them(&factors, &array, &smalls);
    }
    are_cores(&smalls);
    all(&[smalls[1].clone(), smalls[smalls.len() / 2].clone()], program::runs);
}

fn are_cores(configs: &[CoreConfig]) {
    all(configs, |config| {
        config.check().map_err(|error| format!("{config:?}\n{error}"))?;
        elaborate(config)
    });
}

/// The long version.
fn all_of_them(factors: &[space::Factor], array: &pairwise::Array, smalls: &[CoreConfig]) {
    let slowest = Mutex::new((0.0, String::new()));
    let start = Instant::now();
    let real: Vec<CoreConfig> = array.rows.iter().map(|row| space::core(factors, row, |_| usize::MAX)).collect();
    all(&real, |config| {
        let start = Instant::now();
        elaborate(config)?;
        let mut slowest = slowest.lock().unwrap();
        if start.elapsed().as_secs_f64() > slowest.0 {
            let CoreConfig { lanes, warps, mechanism, .. } = config;
            *slowest = (start.elapsed().as_secs_f64(), format!("{lanes} x {warps}, {}", mechanism.in_full()));
        }
        Ok(())
    });
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let smalls = [smalls, &ends()].concat();
    all(&smalls, program::runs);
    let (slowest_seconds, slowest) = slowest.into_inner().unwrap();
    let figures = Figures {
        rows: array.rows.len(),
        pairs: array.pairs,
        excluded: array.excluded,
        elaborated: real.len(),
        seconds,
        slowest_seconds,
        slowest,
        ran: smalls.len(),
        run_seconds: start.elapsed().as_secs_f64(),
    };
    fs::write(page::figures_path(), serde_json::to_string_pretty(&figures).unwrap() + "\n").unwrap();
}

#[test]
fn pages() {
    page::check();
}
