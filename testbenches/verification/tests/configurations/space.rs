//! The space of cores: every parameter with the values that are tried, and how a choice of them becomes a core.
use warploom_hdl::config::{CoreConfig, CtaPriority, HazardRule, Mechanism, Permutation, SchedulerPolicy, WarpGroup};
use warploom_hdl::limits::{Legal, Parameter, Step, parameters};
use warploom_hdl::mechanism::{Choice, Entry, MECHANISMS};

/// A parameter of any kind, with the values that are tried.
pub struct Factor {
    /// As in [`CoreConfig`]; of what a mechanism has by name, with whose it is.
    pub name: String,
    /// Their names.
    pub levels: Vec<String>,
    kind: Kind,
}

enum Kind {
    /// What handles divergence, all that it leaves to choose as usual.
    Mechanism(Vec<Mechanism>),
    /// One of a few choices that some mechanisms leave by name.
    Variant(&'static Choice),
    /// One of a few choices.
    Choice(Vec<fn(&mut CoreConfig)>),
    /// The least, something between, and the greatest of what is legal beside the other parameters.
    Number(&'static Parameter),
}

/// A level for every factor.
pub type Row = Vec<usize>;

macro_rules! choices {
    ($name:ident: $($value:expr),+ $(,)?) => {
        Factor {
            name: stringify!($name).to_string(),
            levels: vec![$(stringify!($value).to_string()),+],
            kind: Kind::Choice(vec![$(|config| config.$name = $value),+]),
        }
    };
}

fn mechanisms() -> Factor {
    Factor {
        name: "mechanism".to_string(),
        levels: MECHANISMS.iter().map(|entry| entry.name().to_string()).collect(),
        kind: Kind::Mechanism(MECHANISMS.iter().map(|entry| entry.default).collect()),
    }
}

/// A factor for each choice that some mechanisms leave by name, not for each combination of them: every two of them meet so, too.
fn variants() -> Vec<Factor> {
    let choices = MECHANISMS.iter().flat_map(|entry| entry.choices);
    let first = choices.enumerate().filter(|(number, choice)| {
        choice.names().is_some()
            && !MECHANISMS.iter().flat_map(|entry| entry.choices).take(*number).any(|c| same(c, choice))
    });
    let of = |choice: &Choice| {
        let with = MECHANISMS.iter().filter(|entry| variant(entry, choice).is_some());
        with.map(|entry| entry.name()).collect::<Vec<_>>().join(", ")
    };
    first
        .map(|(_, choice)| Factor {
            name: format!("{} of {}", choice.name(), of(choice)),
            levels: choice.names().unwrap_or_default().iter().map(|name| name.to_string()).collect(),
            kind: Kind::Variant(choice),
        })
        .collect()
}

/// Whether these are one choice, of two mechanisms maybe.
fn same(one: &Choice, other: &Choice) -> bool {
    one.name() == other.name() && one.names() == other.names()
}

fn variant(entry: &Entry, choice: &Choice) -> Option<&'static Choice> {
    entry.choices.iter().find(|other| same(other, choice))
}

/// All factors: choices first, for some numbers depend on them.
pub fn factors() -> Vec<Factor> {
    use SchedulerPolicy::{GreedyThenOldest, LooseRoundRobin, OldestFirst};
    let mut factors = vec![mechanisms()];
    factors.extend(variants());
    factors.extend([
        choices!(likely_convergence: false, true),
        choices!(permutation: Permutation::None, Permutation::Balanced, Permutation::OddEven, Permutation::FlipOdd,
            Permutation::RotateOdd, Permutation::SwapHalves, Permutation::WarpNumber, Permutation::ReversedWarpNumber,
            Permutation::Random),
        choices!(taken_first: false, true),
        choices!(scheduler: LooseRoundRobin, GreedyThenOldest, OldestFirst,
            SchedulerPolicy::groups_of(2), SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 }),
        choices!(cta_priority: CtaPriority::None, CtaPriority::Age, CtaPriority::RoundRobin,
            CtaPriority::StickyRoundRobin),
        choices!(hazards: HazardRule::Own, HazardRule::Any),
        choices!(floats: false, true),
    ]);
    factors.extend(parameters().map(|parameter| Factor {
        name: parameter.name.to_string(),
        levels: ["least", "between", "greatest"].map(String::from).to_vec(),
        kind: Kind::Number(parameter),
    }));
    factors
}

/// What is tried of a range: its ends, and something between that is as odd as the range allows.
pub fn tried(legal: Legal) -> [usize; 3] {
    let Legal { least, greatest, step, or_zero } = legal;
    let between = match step {
        Step::One => ((least + (greatest - least) / 3) | 1).min(greatest),
        Step::PowersOfTwo => 1 << ((least.ilog2() + greatest.ilog2()) / 2),
        Step::Multiples(of) => least + of,
    };
    [if or_zero { 0 } else { least }, between, greatest]
}

/// The core of a row; `most` limits what a number may be, by its name.
pub fn core(factors: &[Factor], row: &Row, most: impl Fn(&str) -> usize) -> CoreConfig {
    let mut config = CoreConfig::tiny();
    for (factor, &level) in factors.iter().zip(row) {
        match &factor.kind {
            Kind::Mechanism(all) => config.mechanism = all[level],
            Kind::Variant(choice) => {
                if let Some(choice) = variant(config.mechanism.entry(), choice) {
                    config.mechanism = choice.with(config.mechanism, level);
                }
            }
            Kind::Choice(choices) => choices[level](&mut config),
            Kind::Number(parameter) => {
                let legal = (parameter.legal)(&config);
                let most = legal.greatest.min(most(parameter.name)).max(legal.least);
                let greatest = (legal.least..=most).rev().find(|value| legal.contains(*value)).expect("the least");
                (parameter.set)(&mut config, tried(Legal { greatest, ..legal })[level]);
            }
        }
    }
    config
}

/// Whether two levels can be in one core: the mechanism, the scheduler or a core with floats has the parameter, and they go together.
pub fn together(factors: &[Factor], one: (usize, usize), other: (usize, usize)) -> bool {
    // The choices that these levels leave open are tried, those of mechanism, scheduler and floats being all that matters: the variants of a
    // mechanism have the same parameters.
    let open = |factor: usize| {
        let fixed = [one, other].into_iter().find(|(fixed, _)| *fixed == factor).map(|(_, level)| level);
        fixed.map_or(0..factors[factor].levels.len(), |level| level..level + 1)
    };
    let place = |name: &str| factors.iter().position(|factor| factor.name == name).expect("a factor");
    let (mechanism, scheduler, floats) = (place("mechanism"), place("scheduler"), place("floats"));
    let mut choices = open(mechanism)
        .flat_map(|m| open(scheduler).map(move |s| (m, s)))
        .flat_map(|(m, s)| open(floats).map(move |f| (m, s, f)));
    choices.any(|(m, s, f)| {
        let mut row = vec![0; factors.len()];
        (row[mechanism], row[scheduler], row[floats]) = (m, s, f);
        (row[one.0], row[other.0]) = (one.1, other.1);
        let config = core(factors, &row, |_| usize::MAX);
        config.check().is_ok() && [one.0, other.0].into_iter().all(|factor| factors[factor].is_in(&config))
    })
}

impl Factor {
    /// Whether it is a number, not one of a few choices.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Number(_))
    }

    /// Whether the core has the parameter at all.
    pub fn is_in(&self, config: &CoreConfig) -> bool {
        match &self.kind {
            Kind::Mechanism(_) | Kind::Choice(_) => true,
            Kind::Variant(choice) => variant(config.mechanism.entry(), choice).is_some(),
            Kind::Number(parameter) => (parameter.get)(config).is_some(),
        }
    }
}
