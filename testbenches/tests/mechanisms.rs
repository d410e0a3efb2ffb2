//! Every kernel under every mechanism.
use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, CoreConfig, Mechanism};
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::{Simulator, elaborate};
use warploom_testbenches::host::{Limits, MemoryTiming, RtlDevice};
use warploom_testbenches::kernels::{self, KERNELS, Problem};

fn device(config: &CoreConfig) -> RtlDevice<'static> {
    let mut core = Core::new(config);
    core.connect_all();
    let netlist = elaborate(&core).unwrap_or_else(|e| panic!("{e}"));
    let simulator = Simulator::build(&netlist, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut device = RtlDevice::new(simulator, config.clone(), MemoryTiming::default());
    device.set_limits(Limits { silence: 20_000, ..Limits::default() });
    device
}

fn capri(entries: usize, history: AdequacyHistory) -> Mechanism {
    Mechanism::Capri(AdequacyPredictor { entries, history })
}

#[test]
fn every_kernel_passes_under_every_mechanism() {
    let mut failures = vec![];
    for preset in [CoreConfig::tiny(), CoreConfig::small()] {
        for mechanism in [Mechanism::Tbc, Mechanism::TbcPlus, capri(32, AdequacyHistory::Latest)] {
            for likely_convergence in [false, true] {
                let config = CoreConfig { mechanism, likely_convergence, ..preset.clone() };
                let mut device = device(&config);
                for kernel in KERNELS {
                    for size in [7, kernel.sizes().smoke] {
                        let problem = Problem { size, seed: size as u64, block: None };
                        let outcome = kernels::run(*kernel, &mut device, &problem);
                        let what =
                            format!("{} {size} {mechanism:?} lcp {likely_convergence} {}", kernel.name(), config.lanes);
                        match outcome {
                            Err(e) => failures.push(format!("{what}: {e}")),
                            Ok(outcome) => {
                                if let Some(mismatch) = outcome.mismatch() {
                                    failures.push(format!("{what}: {mismatch}"));
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
