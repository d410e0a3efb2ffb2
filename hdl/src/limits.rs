//! The legal values of every parameter of a core, and why they are what they are.
//!
//! [`CoreConfig::check`] is what decides; the command line, the tests and docs/reference/parameters.md are made of the same table.
use std::fmt;

use crate::config::{CoreConfig, HazardRule, Mechanism, MemoryPath, SchedulerPolicy, WarpGroup, least_float_latency};
use crate::mechanism::{Choice, MECHANISMS};

/// A number that sizes the core.
pub struct Parameter {
    /// Its field, or what it is called in the table of its own: `scheduler_group`.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Its legal values; they may depend on the other parameters.
    pub legal: fn(&CoreConfig) -> Legal,
    /// Why there are no others.
    pub reason: &'static str,
    /// Its value; `None` where the mechanism or the scheduler has no such parameter.
    pub get: fn(&CoreConfig) -> Option<usize>,
    /// Sets it, where there is one.
    pub set: fn(&mut CoreConfig, usize),
}

/// The legal values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The least.
    pub least: usize,
    /// The greatest.
    pub greatest: usize,
    /// Which of those between.
    pub step: Step,
    /// 0 is legal beside them.
    pub or_zero: bool,
}

/// Which values of a range are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// All.
    One,
    /// Powers of two.
    PowersOfTwo,
    /// Multiples of this.
    Multiples(usize),
}

/// Why there is no such core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A number outside its range.
    #[error("{parameter} {value}: it is {legal} ({reason})")]
    Value {
        /// [`Parameter::name`].
        parameter: &'static str,
        /// What it was to be.
        value: usize,
        /// What it may be.
        legal: Legal,
        /// [`Parameter::reason`].
        reason: &'static str,
    },
    /// [`CoreConfig::likely_convergence`] with a mechanism that cannot have it.
    #[error("likely-convergence points are for stacks that run one path at a time")]
    LikelyConvergence,
    /// [`CoreConfig::hazard_prediction`] in a core that cannot have it.
    #[error("loads cannot wait for an MSHR before they issue here (--hazard-prediction): {missing}")]
    HazardPrediction {
        /// What to change.
        missing: &'static str,
    },
    /// [`MemoryPath::Replay`] in a core that cannot have it.
    #[error("loads cannot be issued again here (--memory-path replay): {missing}")]
    Replay {
        /// What to change.
        missing: &'static str,
    },
}

impl Legal {
    pub(crate) const fn range(least: usize, greatest: usize) -> Self {
        Self { least, greatest, step: Step::One, or_zero: false }
    }

    pub(crate) const fn powers_of_two(least: usize, greatest: usize) -> Self {
        Self { least, greatest, step: Step::PowersOfTwo, or_zero: false }
    }

    /// Whether a value is one of them.
    pub fn contains(&self, value: usize) -> bool {
        let steps = match self.step {
            Step::One => true,
            Step::PowersOfTwo => value.is_power_of_two(),
            Step::Multiples(of) => value.is_multiple_of(of),
        };
        (self.or_zero && value == 0) || ((self.least..=self.greatest).contains(&value) && steps)
    }

    /// All of them, in order.
    pub fn values(self) -> impl Iterator<Item = usize> {
        let stride = if let Step::Multiples(of) = self.step { of } else { 1 };
        let range = (self.least..=self.greatest).step_by(stride);
        self.or_zero.then_some(0).into_iter().chain(range.filter(move |value| self.contains(*value)))
    }
}

/// As in `4, 8, 16 or 32`, `2 to 64`, `a power of two from 16 to 524288`.
impl fmt::Display for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, greatest, step, or_zero } = *self;
        if or_zero {
            write!(f, "0 or ")?;
        }
        match step {
            Step::One => write!(f, "{least} to {greatest}"),
            Step::PowersOfTwo if greatest / least <= 16 => {
                let all: Vec<String> = self.values().map(|value| value.to_string()).collect();
                let (last, others) = all.split_last().expect("a parameter has a legal value");
                write!(f, "{} or {last}", others.join(", "))
            }
            Step::PowersOfTwo => write!(f, "a power of two from {least} to {greatest}"),
            Step::Multiples(of) => write!(f, "a multiple of {of} from {least} to {greatest}"),
        }
    }
}

/// A [`Parameter`] for a field of [`CoreConfig`].
macro_rules! field {
    ($name:ident, $meaning:literal, $legal:expr, $reason:literal) => {
        Parameter {
            name: stringify!($name),
            meaning: $meaning,
            legal: $legal,
            reason: $reason,
            get: |config| Some(config.$name),
            set: |config, value| config.$name = value,
        }
    };
}

/// All of them, those of the mechanisms last; a parameter depends only on those before it.
pub fn parameters() -> impl Iterator<Item = &'static Parameter> {
    // Mechanisms may share a choice: it is one parameter.
    let choices = MECHANISMS.iter().enumerate().flat_map(|(number, entry)| {
        let is_new =
            move |choice: &&Choice| MECHANISMS[..number].iter().all(|entry| entry.choice(choice.name()).is_none());
        entry.choices.iter().filter(is_new)
    });
    SIZES.iter().chain(choices.filter_map(Choice::parameter))
}

/// What every core has.
static SIZES: &[Parameter] = &[
    field!(
        lanes,
        "lanes of a warp",
        |_| Legal::powers_of_two(4, 32),
        "lane numbers are bit fields of addresses, and the result of a ballot is one register of 32 bits; warps of fewer than 4 lanes hardly diverge, and are not tested"
    ),
    field!(
        warps,
        "hardware warps",
        |_| Legal::range(4, 64),
        "a mask of them is one word of 64 bits; fewer than 4 are not tested"
    ),
    field!(
        cta_slots,
        "CTAs resident at once; those beyond the number of warps stay empty",
        |_| Legal::range(1, 64),
        "a CTA has at least one warp, and there are at most 64"
    ),
    field!(
        stack_depth,
        "entries of each reconvergence stack",
        |_| Legal::range(2, 64),
        "a branch needs two, and the valid bits of a stack are one word of 64 bits"
    ),
    field!(
        issue_interval,
        "cycles of an issue slot",
        |_| Legal::range(1, 8),
        "the papers' narrowest SIMD units take four cycles for a warp; more than 8 are not tested"
    ),
    field!(
        warp_interval,
        "issue slots from an instruction of a warp to its next",
        |_| Legal::range(1, 4),
        "two schedulers that take turns need 2; more than 4 are not tested"
    ),
    field!(
        warp_buffer,
        "instructions of a warp that are fetched before they issue",
        |config| Legal::powers_of_two(1, config.most_ahead()),
        "its slots are a circle whose numbers wrap, and more than 8 are not tested; but for `spe`, mechanisms wait for the last instruction of a warp or path to issue before threads leave it"
    ),
    field!(
        instruction_words,
        "words of instruction memory",
        |_| Legal::powers_of_two(16, 1 << 22),
        "addresses are bit fields of the PC, and the loader reads no more than 16 MB of code"
    ),
    field!(
        shared_bytes,
        "bytes of shared memory",
        |config| {
            let row = 4 * config.lanes;
            Legal { least: 2 * row, greatest: 1 << 20, step: Step::Multiples(row), or_zero: false }
        },
        "each lane has a bank of 32-bit words, of two rows at least; 1 MB is the most that is tested"
    ),
    field!(
        private_bytes,
        "bytes of private memory of a thread",
        |_| Legal::powers_of_two(16, 1 << 19),
        "stack pointers are multiples of 16, and those of 64 warps of 32 threads share 1 GB of addresses"
    ),
    field!(
        line_bytes,
        "bytes of an L1 line",
        |_| Legal::powers_of_two(16, 128),
        "128 are the most that the papers' machines have; lines of fewer than four words are not tested"
    ),
    field!(
        l1_ports,
        "lines of the L1 that can be accessed at once: banks",
        |_| Legal::powers_of_two(1, 2),
        "the number of a bank is the lowest bit of a line's number, and more than two are not built"
    ),
    field!(
        l1_sets,
        "sets of the L1",
        |config| Legal::powers_of_two(2 * config.l1_ports, 64 * config.l1_ports),
        "in each bank the valid bits of a way are one word of 64 bits, and a set number is a bit field of the address"
    ),
    field!(l1_ways, "ways of the L1", |_| Legal::range(2, 64), "a mask of ways is one word of 64 bits"),
    field!(
        mshrs,
        "outstanding misses and atomics of the L1",
        |config| {
            let banks = config.l1_ports;
            Legal { least: 2 * banks, greatest: 128, step: Step::Multiples(banks), or_zero: false }
        },
        "each bank has as many, and with one alone no hit would pass under a miss; more than 128 are not tested"
    ),
    field!(
        mshr_merges,
        "groups of threads that may wait in the L1, for each of its MSHRs",
        |config| Legal::powers_of_two(1, if config.mshrs > 64 { 1 } else { 1 << (128 / config.mshrs).ilog2().min(3) }),
        "a request has the number of a group that waits, and more than 128 of these are not tested"
    ),
    field!(
        memory_interval,
        "cycles between two accesses of a bank of the L1, or of the shared memory",
        |_| Legal::range(1, 8),
        "more than 8 are not tested"
    ),
    field!(
        memory_queue,
        "memory instructions queued before the load/store unit; where all instructions stall behind them (`--memory-path stalling`), slots of the operand collector",
        |_| Legal::range(1, 64),
        "the load table has an entry for each of them beside one for each miss; more than 64 are not tested"
    ),
    field!(
        multiply_latency,
        "cycles from EXECUTE until a product is written back",
        |_| Legal::range(3, 32),
        "operands and product are registered; a cycle more is a register more of a warp's results, and 24 are the most of the papers' machines"
    ),
    field!(
        alu_latency,
        "cycles from EXECUTE until any other result of the lanes is written back, quotients aside",
        |config| Legal::range(1, config.multiply_latency),
        "the issue stage keeps a product's write-back slot free of what issues later, not the other way round"
    ),
    field!(
        divide_bits,
        "quotient bits that the dividers work out in a cycle",
        |_| Legal::powers_of_two(1, 16),
        "all steps of a division are alike, so they divide 32 bits evenly, and there are two of them at least"
    ),
    Parameter {
        name: "float_latency",
        meaning: "with floats: cycles from EXECUTE until a sum, product or conversion is written back",
        legal: |config| Legal::range(least_float_latency().max(config.alu_latency), 32),
        reason: "a fused multiply-add has five stages, and is written back in a sixth cycle; the issue stage keeps its write-back slot free of what issues later, so it is not before the other results of the lanes",
        get: |config| config.floats.then_some(config.float_latency),
        set: |config, value| config.float_latency = value,
    },
    Parameter {
        name: "scheduler_group",
        meaning: "warps of a group of the two-level scheduler",
        legal: |config| Legal::range(1, config.warps),
        reason: "a group has no more warps than the core",
        get: |config| match config.scheduler {
            SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(warps), .. } => Some(warps),
            _ => None,
        },
        set: |config, value| {
            if let SchedulerPolicy::TwoLevel { group, .. } = &mut config.scheduler {
                *group = WarpGroup::Warps(value);
            }
        },
    },
    Parameter {
        name: "scheduler_timeout",
        meaning: "issued instructions after which the first group loses its place; 0: none",
        legal: |_| Legal::range(0, 1_000_000),
        reason: "more is as good as none, which is 0",
        get: |config| match config.scheduler {
            SchedulerPolicy::TwoLevel { timeout, .. } => Some(timeout),
            _ => None,
        },
        set: |config, value| {
            if let SchedulerPolicy::TwoLevel { timeout, .. } = &mut config.scheduler {
                *timeout = value;
            }
        },
    },
];

impl CoreConfig {
    /// Whether there is such a core.
    ///
    /// # Errors
    /// The first parameter, in the order of [`parameters`], that has no legal value, or parts that do not go together.
    pub fn check(&self) -> Result<(), ConfigError> {
        for Parameter { name: parameter, legal, reason, get, .. } in parameters() {
            let legal = legal(self);
            if let Some(value) = get(self).filter(|value| !legal.contains(*value)) {
                return Err(ConfigError::Value { parameter, value, legal, reason });
            }
        }
        if self.likely_convergence && !self.mechanism.traits().likely_convergence {
            return Err(ConfigError::LikelyConvergence);
        }
        let several_paths =
            (self.mechanism != Mechanism::SinglePath, "it is built for one path of a warp at a time (--mechanism spe)");
        if self.of_prediction() == 1 {
            let missing =
                [several_paths, (self.l1_ports > 1, "promises are of the MSHRs of one bank of L1 (--l1-ports 1)")];
            if let Some((_, missing)) = missing.into_iter().find(|(is, _)| *is) {
                return Err(ConfigError::HazardPrediction { missing });
            }
        }
        if self.memory_path == MemoryPath::Replay {
            let missing = [
                several_paths,
                (
                    self.warp_buffer == 1,
                    "a warp buffer of one instruction has no place for what waits (--warp-buffer 2, 4 or 8)",
                ),
                (self.l1_ports > 1, "a load is looked at by one bank of L1 at a time (--l1-ports 1)"),
                (self.of_warp_instructions() == 1, "it is not built for warp instructions (--isa rv32ima or rv32imaf)"),
                (
                    self.hazards == HazardRule::Any,
                    "what is issued again would wait for its own register (--hazards own)",
                ),
            ];
            if let Some((_, missing)) = missing.into_iter().find(|(is, _)| *is) {
                return Err(ConfigError::Replay { missing });
            }
        }
        Ok(())
    }
}
