//! Kernels whose warps act together: under which mechanisms they are right.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::MECHANISMS;
use warploom_runtime::host::{Device, Limits, MemoryTiming, RtlDevice};
use warploom_runtime::kernels::{self, DATABASE, Kernel, Needs, Problem};
use warploom_sim::BuildOptions;
use warploom_verification::{core_simulator, cores};

/// The smallest core with each mechanism, and one whose threads run in other lanes.
fn with_warp_instructions() -> Vec<CoreConfig> {
    let tiny = CoreConfig { warp_instructions: true, ..CoreConfig::tiny() };
    let plain = MECHANISMS.iter().map(|entry| CoreConfig { mechanism: entry.default, ..tiny.clone() });
    plain.chain([cores::with("tbc+slp", tiny.clone())]).collect()
}

fn device(config: &CoreConfig) -> RtlDevice<'static> {
    let simulator = core_simulator(config, &BuildOptions::brief());
    let mut device = RtlDevice::new(simulator, config.clone(), MemoryTiming::default());
    device.set_limits(Limits { cycles: 2_000_000, silence: 20_000, ..Limits::default() });
    device
}

/// What is wrong with a run, if anything is.
fn wrong(kernel: &Kernel, device: &mut dyn Device, problem: &Problem) -> Option<String> {
    match kernels::run(kernel, device, problem) {
        Ok(outcome) => outcome.mismatch().map(|mismatch| mismatch.to_string()),
        Err(error) => Some(error.to_string()),
    }
}

/// Less than a warp has, what fills no warp, several turns of all warps, CTAs of one warp, and of which the last is not whole.
fn problems(kernel: &Kernel) -> Vec<Problem> {
    let sizes =
        [1, 7, kernel.sizes().smoke, 2 * kernel.sizes().smoke + 1].into_iter().zip([None, Some(4), Some(7), Some(16)]);
    let of = |(size, block), selectivity| Problem { seed: size as u64, block, selectivity, ..Problem::new(size) };
    let selectivities: &[Option<u32>] =
        if kernel.selectivity().is_some() { &[None, Some(1), Some(64)] } else { &[None] };
    sizes.flat_map(|size| selectivities.iter().map(move |&selectivity| of(size, selectivity))).collect()
}

/// Where the threads of a warp meet behind every branch they are right, whether warps are compacted or not: outside of branches these are as launched.
#[test]
fn with_what_they_need_they_are_right() {
    cores::each(&with_warp_instructions(), |config| {
        let mut device = device(config);
        for &compact in cores::compactions(config) {
            device.set_compaction(compact);
            for kernel in DATABASE {
                let has_lanes = kernel.needs() == Needs::StaticLanes;
                device.set_permutation(!has_lanes);
                if kernel.needs().met_by(config) || has_lanes && Needs::StaticWarps.met_by(config) {
                    for problem in problems(kernel) {
                        let wrong = wrong(kernel, &mut device, &problem);
                        assert_eq!(wrong, None, "{} {problem:?} under {config:?}, {compact}", kernel.name());
                    }
                }
            }
        }
    });
}

/// Parts of a warp that go on by themselves see only themselves; and permuted lanes have other numbers than their threads.
#[test]
fn without_it_scans_are_wrong() {
    cores::each(&with_warp_instructions(), |config| {
        let mut device = device(config);
        for kernel in DATABASE.iter().filter(|kernel| kernel.selectivity().is_some() && !kernel.needs().met_by(config))
        {
            let problem = Problem { block: Some(2 * config.lanes), ..Problem::new(kernel.sizes().smoke) };
            assert!(wrong(kernel, &mut device, &problem).is_some(), "{} under {config:?}", kernel.name());
        }
    });
}
