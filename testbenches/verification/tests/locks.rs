//! Kernels whose threads wait for one another without a barrier: where they end, where they do not, and what is said then.
use std::collections::BTreeSet;

use warploom_hdl::config::{CoreConfig, Mechanism};
use warploom_hdl::mechanism::{Entry, MECHANISMS};
use warploom_runtime::host::{Device, DeviceError, GlobalMemory, Launch, LaunchStats, Limits, MemoryTiming, RtlDevice};
use warploom_runtime::isa::{Instruction, decode};
use warploom_runtime::kernels::{self, Kernel, Needs, Problem, SYNCHRONISING};
use warploom_runtime::loader::Program;
use warploom_sim::BuildOptions;
use warploom_verification::reference::ReferenceDevice;
use warploom_verification::{core_simulator, cores};

/// Under these, threads wait where they meet for all of the warp, or of the CTA.
const WAIT_WHERE_THEY_MEET: [&str; 7] = ["spe", "tbc", "tbc-plus", "capri", "dpe", "dwf-wb", "lwm"];

fn device(config: &CoreConfig, cycles: u64) -> RtlDevice<'static> {
    let options = if cores::tiny().contains(config) { BuildOptions::default() } else { BuildOptions::brief() };
    let mut device = RtlDevice::new(core_simulator(config, &options), config.clone(), MemoryTiming::default());
    device.set_limits(Limits { cycles, silence: 20_000, ..Limits::default() });
    device
}

fn waiting() -> impl Iterator<Item = &'static Kernel> {
    SYNCHRONISING.iter().filter(|kernel| kernel.needs() == Needs::Progress)
}

/// One warp, a CTA of two, all that the core holds, and more: threads and those of a CTA.
fn problems(config: &CoreConfig) -> [Problem; 4] {
    let all = config.lanes * config.warps;
    let of = |size, block| Problem { block, ..Problem::new(size) };
    [
        of(config.lanes, Some(config.lanes)),
        of(2 * config.lanes, Some(2 * config.lanes)),
        of(all, None),
        of(2 * all + 1, None),
    ]
}

#[track_caller]
fn pass(kernel: &Kernel, device: &mut dyn Device, problem: &Problem) {
    let what = format!("{} {problem:?} on {:?}", kernel.name(), device.config().mechanism);
    let outcome = kernels::run(kernel, device, problem).unwrap_or_else(|e| panic!("{what}: {e}"));
    if let Some(mismatch) = outcome.mismatch() {
        panic!("{what}: {mismatch}");
    }
}

fn names(mechanisms: impl Iterator<Item = &'static Entry>) -> Vec<&'static str> {
    mechanisms.map(Entry::name).collect()
}

#[test]
fn threads_that_run_one_after_the_other_end() {
    let config = cores::plain();
    let mut device = ReferenceDevice::new(config.clone());
    for kernel in SYNCHRONISING.iter().filter(|kernel| kernel.needs() != Needs::StaticWarps) {
        for problem in problems(&config) {
            pass(kernel, &mut device, &problem);
        }
    }
}

/// The launch ends at its limit, and the watchdog says that threads wait in a loop.
#[test]
fn where_threads_wait_for_one_another_they_have_no_end() {
    let stacks: Vec<CoreConfig> = cores::tiny()
        .into_iter()
        .filter(|config| WAIT_WHERE_THEY_MEET.contains(&config.mechanism.entry().name()))
        .collect();
    let progressing = names(MECHANISMS.into_iter().filter(|entry| entry.default.traits().progresses));
    cores::each(&stacks, |config| {
        let mut device = device(config, 20_000);
        for kernel in waiting() {
            let [one_warp, two_warps, ..] = problems(config);
            for problem in [one_warp, two_warps] {
                let what = format!("{} {problem:?} under {}", kernel.name(), config.mechanism);
                let Err(DeviceError::Limit { running, .. }) = kernels::run(kernel, &mut device, &problem) else {
                    panic!("{what} ends");
                };
                let mut said = vec!["in a loop that may wait for other threads, from".to_string()];
                said.push(format!("it has no end under {}", config.mechanism));
                // Of a stack per warp it is known who waits where.
                said.extend((config.mechanism == Mechanism::SinglePath).then(|| "for these at".to_string()));
                said.extend((!progressing.is_empty()).then(|| format!("{} would let", progressing.join(" or "))));
                for said in said {
                    assert!(running.contains(&said), "{what}: {said}?\n{running}");
                }
            }
        }
    });
}

/// Whoever goes first, as long as those who wait give way.
#[test]
fn where_everyone_goes_on_they_end() {
    let progressing = MECHANISMS.into_iter().filter(|entry| entry.default.traits().progresses);
    let cores: Vec<CoreConfig> = progressing
        .flat_map(|entry| [false, true].map(|taken_first| (entry.default, taken_first)))
        .map(|(mechanism, taken_first)| CoreConfig { mechanism, taken_first, ..CoreConfig::tiny() })
        .collect();
    cores::each(&cores, |config| {
        let mut device = device(config, 2_000_000);
        for kernel in SYNCHRONISING.iter().filter(|kernel| kernel.needs() != Needs::StaticWarps) {
            for problem in problems(config) {
                pass(kernel, &mut device, &problem);
            }
        }
    });
}

#[test]
fn a_lock_that_is_given_back_inside_the_loop_ends_under_every_mechanism() {
    let kernel = kernels::find("lock_simt").expect("a kernel");
    cores::each(&cores::tiny(), |config| {
        let mut device = device(config, 1_000_000);
        for problem in problems(config) {
            pass(kernel, &mut device, &problem);
        }
    });
}

/// The first thread of a warp works for all of it: they have to meet before they look. Parts of a warp that go on by themselves do not.
#[test]
fn a_manager_needs_its_warp() {
    let kernel = kernels::find("manager").expect("a kernel");
    let stacks: Vec<CoreConfig> = cores::tiny()
        .into_iter()
        .filter(|config| WAIT_WHERE_THEY_MEET.contains(&config.mechanism.entry().name()))
        .collect();
    cores::each(&stacks, |config| {
        let mut device = device(config, 1_000_000);
        for compact in [true, false] {
            device.set_compaction(compact);
            for problem in problems(config) {
                pass(kernel, &mut device, &problem);
            }
        }
    });
    let go_on = |config: &CoreConfig| config.subdivides() || config.regroups() && !config.has_warp_barriers();
    for config in cores::tiny().into_iter().filter(go_on) {
        let outcome = kernels::run(kernel, &mut device(&config, 1_000_000), &Problem::new(config.lanes * config.warps));
        let is_wrong = outcome.expect("it ends").mismatch().is_some();
        assert!(is_wrong, "no thread has looked too early under {}", config.mechanism);
    }
}

/// Loads programs in which nobody waits.
struct Hasty<'a>(RtlDevice<'a>);

impl Device for Hasty<'_> {
    fn config(&self) -> &CoreConfig {
        self.0.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.0.memory()
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.0.read(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.0.write(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        let mut hasty = program.clone();
        for (word, annotation) in hasty.words.iter_mut().zip(&program.annotations) {
            if annotation.spin && matches!(decode(*word), Instruction::Branch { .. }) {
                *word = NOP;
            }
        }
        assert!(hasty.words != program.words, "nobody waits in {}", program.name);
        self.0.load(&hasty)
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.0.launch(launch)
    }
}

const NOP: u32 = 0x0000_0013;

/// What is behind a lock is not atomic: without the lock, results are wrong.
#[test]
fn a_lock_that_locks_nothing_is_seen() {
    let config = cores::plain();
    let mut device = Hasty(device(&config, 50_000));
    let mut right = BTreeSet::new();
    for kernel in waiting() {
        let outcome = kernels::run(kernel, &mut device, &Problem::new(config.lanes * config.warps));
        if outcome.is_ok_and(|outcome| outcome.mismatch().is_none()) {
            right.insert(kernel.name());
        }
    }
    assert!(right.is_empty(), "right without waiting: {right:?}");
}
