//! Random cores, and simpler ones for what has failed.
use warploom_hdl::config::{
    CoreConfig, CtaPriority, Extensions, HazardPrediction, HazardRule, Mechanism, MemoryPath, MshrTracker, Permutation,
    SchedulerPolicy, WarpGroup,
};
use warploom_hdl::mechanism::Entry;

use crate::random_program::Choices;

/// From this depth on no program of the generator may overflow a stack.
pub const DEEP: usize = 48;

/// Kinds of schedulers.
const SCHEDULERS: u64 = 4;

/// Any core with this mechanism that can be built, mostly small: its simulator has to be compiled. In eight rounds there is every kind of scheduler with
/// likely-convergence points and without. `isa` may say what it has beside RV32IMA.
pub fn draw(choices: &mut Choices, entry: &Entry, round: u64, isa: Option<Extensions>) -> CoreConfig {
    loop {
        let config = draw_any(choices, entry, round);
        if config.check().is_ok() && isa.is_none_or(|isa| isa.floats == config.floats) {
            // Last, so that all else of a seed's core is what it was when there were none.
            let drawn = choices.below(4) == 3;
            let warp_instructions = isa.map_or(drawn, |isa| isa.warp_instructions);
            return with_path(choices, CoreConfig { warp_instructions, ..config });
        }
    }
}

/// Where memory instructions wait: half of those cores that can issue loads again do, and a fifth of the others stall. In half of those where loads may wait for
/// an MSHR before they issue, some do. In some, groups share MSHRs.
fn with_path(choices: &mut Choices, config: CoreConfig) -> CoreConfig {
    use HazardPrediction::{Counters, Every, Known, Off};
    use MemoryPath::{Decoupled, Replay, Stalling};
    let shared = CoreConfig { mshr_merges: choices.of(&[1, 1, 1, 2, 4]), ..config.clone() };
    let config = if shared.check().is_ok() { shared } else { config };
    let of = |memory_path| CoreConfig { memory_path, ..config.clone() };
    let may_replay = config.mechanism == Mechanism::SinglePath && of(Replay).check().is_ok();
    let config = if may_replay && choices.below(2) == 0 {
        of(Replay)
    } else {
        of(choices.of(&[Decoupled, Decoupled, Decoupled, Decoupled, Stalling]))
    };
    let predicting = CoreConfig { hazard_prediction: Every, ..config.clone() };
    if predicting.check().is_err() || choices.below(2) == 1 {
        return config;
    }
    CoreConfig {
        hazard_prediction: choices.of(&[Off, Known, Counters, Counters, Every]),
        mshr_tracker: choices.of(&[MshrTracker::Credit, MshrTracker::Credit, MshrTracker::Naive]),
        ..config
    }
}

fn draw_any(choices: &mut Choices, entry: &Entry, round: u64) -> CoreConfig {
    let wide = choices.of(&[8, 16, 32]);
    let lanes = choices.of(&[4, 4, 4, 4, 4, 4, 8, 8, 8, 8, wide]);
    let most = match (lanes, choices.below(12)) {
        (4, 11) => 48,
        (4 | 8, _) => 12,
        // CTAs of a thousand threads: seldom, for they take long.
        (32, 11) => 32,
        (16, _) => 8,
        _ => 5,
    };
    let warps = 4 + choices.below(most - 3) as usize;
    let mechanism = mechanism(choices, entry);
    let permutation = choices.of(&Permutation::ALL);
    let shallow = choices.below(8) == 7;
    let l1_ports = choices.of(&[1, 1, 2]);
    let config = CoreConfig {
        in_gpu: false,
        lanes,
        warps,
        cta_slots: 1 + choices.below(8) as usize,
        mechanism,
        likely_convergence: (round / SCHEDULERS).is_multiple_of(2),
        permutation: choices.of(&[Permutation::None, permutation]),
        stack_depth: if shallow { 3 + choices.below(14) as usize } else { choices.of(&[DEEP, 64]) },
        hazards: choices.of(&[HazardRule::Own, HazardRule::Own, HazardRule::Any]),
        taken_first: choices.below(2) == 0,
        scheduler: scheduler(choices, round % SCHEDULERS, warps),
        cta_priority: choices.of(&[
            CtaPriority::None,
            CtaPriority::None,
            CtaPriority::Age,
            CtaPriority::RoundRobin,
            CtaPriority::StickyRoundRobin,
        ]),
        issue_interval: choices.of(&[1, 1, 1, 2, 4]),
        warp_interval: choices.of(&[1, 1, 2, 3]),
        warp_buffer: if mechanism == Mechanism::SinglePath { choices.of(&[1, 2, 4, 8]) } else { 1 },
        memory_path: MemoryPath::Decoupled,
        hazard_prediction: HazardPrediction::Off,
        mshr_tracker: MshrTracker::Credit,
        instruction_words: 4096,
        shared_bytes: choices.of(&[8192, 16384, 4 * lanes * warps.next_power_of_two()]),
        private_bytes: choices.of(&[1024, 256, 64]),
        line_bytes: choices.of(&[16, 32, 64, 128]),
        l1_sets: choices.of(&[16, 2, 4, 8, 32]) * l1_ports,
        l1_ways: choices.of(&[2, 4, 8]),
        mshrs: choices.of(&[4, 2, 3, 5, 8, 16]) * l1_ports,
        mshr_merges: 1,
        l1_ports,
        memory_interval: choices.of(&[1, 1, 1, 2, 3]),
        memory_queue: choices.of(&[4, 1, 2, 3, 8]),
        multiply_latency: choices.of(&[3, 4, 8, 24]),
        alu_latency: choices.of(&[1, 1, 2, 3, 4, 8]),
        divide_bits: choices.of(&[4, 1, 2, 8, 16]),
        floats: choices.below(3) == 2,
        float_latency: choices.of(&[6, 6, 8, 11, 24]),
        warp_instructions: false,
    };
    let float_latency = config.float_latency.max(config.alu_latency);
    CoreConfig {
        float_latency,
        likely_convergence: config.likely_convergence && mechanism.traits().likely_convergence,
        ..config
    }
}

/// All that it leaves to choose.
fn mechanism(choices: &mut Choices, entry: &Entry) -> Mechanism {
    entry.choices.iter().fold(entry.default, |mechanism, choice| {
        let value = choices.of(&choice.tried());
        choice.with(mechanism, value)
    })
}

fn scheduler(choices: &mut Choices, kind: u64, warps: usize) -> SchedulerPolicy {
    match kind {
        0 => SchedulerPolicy::LooseRoundRobin,
        1 => SchedulerPolicy::GreedyThenOldest,
        2 => SchedulerPolicy::OldestFirst,
        _ => {
            let warps = 1 + choices.below(warps as u32) as usize;
            let group = choices.of(&[WarpGroup::Warps(warps), WarpGroup::Cta]);
            SchedulerPolicy::TwoLevel { group, timeout: choices.of(&[0, 3, 30]) }
        }
    }
}

/// Cores with less in them, the simplest first: of what has failed it should be said on which of them.
pub fn simpler(config: &CoreConfig) -> Vec<CoreConfig> {
    let CoreConfig { mechanism, stack_depth, floats, warp_instructions, .. } = *config;
    let tiny = CoreConfig { mechanism, stack_depth, floats, warp_instructions, ..CoreConfig::tiny() };
    let mut cores = vec![
        CoreConfig { mechanism: Mechanism::SinglePath, ..tiny.clone() },
        tiny.clone(),
        CoreConfig { likely_convergence: config.likely_convergence, permutation: config.permutation, ..tiny },
        CoreConfig {
            permutation: Permutation::None,
            scheduler: SchedulerPolicy::LooseRoundRobin,
            cta_priority: CtaPriority::None,
            ..config.clone()
        },
    ];
    cores.retain(|core| core != config);
    cores.dedup();
    cores
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use warploom_hdl::config::ISAS;
    use warploom_hdl::mechanism::MECHANISMS;

    use super::*;

    #[test]
    fn cores_have_the_instruction_set_that_is_asked_for_or_any() {
        for (seed, isa) in (0..40).zip(ISAS.into_iter().cycle()) {
            assert_eq!(draw(&mut Choices::random(seed), MECHANISMS[0], 0, Extensions::of_isa(isa)).isa(), isa);
        }
        let isas: BTreeSet<_> =
            (0..200).map(|seed| draw(&mut Choices::random(seed), MECHANISMS[0], 0, None).isa()).collect();
        assert_eq!(isas, BTreeSet::from(ISAS));
    }

    #[test]
    fn cores_keep_the_rules_and_differ() {
        let mut sizes = BTreeSet::new();
        for seed in 0..600 {
            let entry = MECHANISMS[seed as usize % MECHANISMS.len()];
            let core = draw(&mut Choices::random(seed), entry, seed / 6, None);
            assert_eq!(core.check(), Ok(()));
            sizes.insert((core.lanes, core.warps));
        }
        assert!(sizes.len() > 30 && sizes.iter().any(|(_, warps)| warps % 2 == 1), "{sizes:?}");
        assert!([4, 8, 16, 32].iter().all(|lanes| sizes.iter().any(|(seen, _)| seen == lanes)), "{sizes:?}");
    }
}
