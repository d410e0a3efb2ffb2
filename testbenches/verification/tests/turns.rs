//! A core whose threads take turns: as single-path execution, cycle by cycle, while no turn ends; and a lock ends that hangs without.
//! And where threads have PCs of their own, they may meet in a function whoever called it.
use warploom_hdl::config::{CoreConfig, IndependentThreads, Mechanism, Turns};
use warploom_hdl::counters;
use warploom_hdl::turn_statistics::TURN_COUNTERS;
use warploom_runtime::host::{Device, LaunchStats, Limits, MemoryTiming, RtlDevice, Session};
use warploom_runtime::kernels::{self, KERNELS, Problem, micro};
use warploom_verification::core_simulator;

fn device(mechanism: Mechanism, floats: bool) -> RtlDevice<'static> {
    let config = CoreConfig { mechanism, floats, ..CoreConfig::tiny() };
    RtlDevice::new(core_simulator(&config, &Default::default()), config, MemoryTiming::default())
}

fn independent(barriers: usize, turns: Turns) -> Mechanism {
    Mechanism::IndependentThreads(IndependentThreads { barriers, turns })
}

fn count(stats: &LaunchStats, name: &str) -> u64 {
    stats.turn_counts[counters::place(TURN_COUNTERS, name)]
}

/// Counters of every kernel at its smoke size.
fn runs(mechanism: Mechanism) -> Vec<LaunchStats> {
    let mut device = device(mechanism, true);
    let run = |kernel: &kernels::Kernel| {
        let outcome = kernels::run(kernel, &mut device, &Problem::new(kernel.sizes().smoke));
        let outcome = outcome.unwrap_or_else(|e| panic!("{}: {e}", kernel.name()));
        assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
        outcome.stats
    };
    KERNELS.iter().map(run).collect()
}

#[test]
fn turns_that_do_not_end_cost_nothing() {
    let (spe, scs) = std::thread::scope(|scope| {
        let spe = scope.spawn(|| runs(Mechanism::SinglePath));
        let scs = runs(Mechanism::SchedulableStack(Turns::DEFAULT));
        (spe.join().expect("kernels that pass"), scs)
    });
    let mut others = vec![];
    for ((kernel, spe), scs) in KERNELS.iter().zip(&spe).zip(&scs) {
        if (count(scs, "breaks"), count(scs, "rotations")) == (0, 0) {
            assert_eq!(&LaunchStats { turn_counts: vec![], ..scs.clone() }, spe, "{}", kernel.name());
        } else {
            others.push(kernel.name());
        }
    }
    // They search memory, as if for what another thread is to write: `disasm` marks such loops.
    assert_eq!(others, ["bucketsort", "mum"], "no other kernel waits for threads for long");
}

#[test]
fn a_spin_lock_ends() {
    let program = micro::find("spin_lock").expect("a micro-kernel").binary.program();
    for (mechanism, ends) in [
        (Mechanism::SinglePath, false),
        // For its trips alone.
        (Mechanism::SchedulableStack(Turns { spin: 15, quantum: 1 << 24 }), true),
        (Mechanism::SchedulableStack(Turns { spin: 8, quantum: 16 }), true),
        (Mechanism::SchedulableStack(Turns { spin: 1, quantum: 1 }), true),
        (independent(8, Turns { spin: 15, quantum: 1 << 24 }), true),
        (independent(8, Turns { spin: 8, quantum: 64 }), true),
        (independent(0, Turns { spin: 1, quantum: 1 }), true),
    ] {
        let mut device = device(mechanism, false);
        device.set_limits(Limits { cycles: 1_000_000, ..Limits::default() });
        let threads = (device.config().lanes * device.config().warps) as u32;
        let mut session = Session::new(&mut device, &program).unwrap();
        let words = session.zeros(2).unwrap();
        let launched = session.launch([1, 1, 1], [threads, 1, 1], 0, &[words.address, words.address + 4]);
        assert_eq!(launched.is_ok(), ends, "{mechanism:?}: {launched:?}");
        if ends {
            assert_eq!(session.read(words), [0, threads], "{mechanism:?}");
            drop(session);
            let stats = device.totals();
            let waits = mechanism.traits().barriers != Some(0);
            assert!((count(&stats, "breaks") > 0) == waits && count(&stats, "rotations") > 0, "{stats:?}");
            assert!(count(&stats, "released_early") >= count(&stats, "breaks"), "{stats:?}");
        }
    }
}

#[test]
fn threads_of_two_callers_meet() {
    let program = micro::find("two_callers").expect("a micro-kernel").binary.program();
    let mut wide = vec![];
    for (barriers, quantum) in [(8, 1 << 24), (8, 4), (1, 1), (0, 2)] {
        let mut device = device(independent(barriers, Turns { spin: 8, quantum }), false);
        let threads = (device.config().lanes * device.config().warps) as u32;
        let mut session = Session::new(&mut device, &program).unwrap();
        let words = session.zeros(threads as usize).unwrap();
        session.launch([1, 1, 1], [threads, 1, 1], 0, &[words.address]).unwrap_or_else(|e| panic!("{barriers}: {e}"));
        let expected: Vec<u32> = (0..threads).map(|thread| (thread + 1) * 3 + thread % 2 * 1000).collect();
        assert_eq!(session.read(words), expected, "{barriers} barriers, quantum {quantum}");
        drop(session);
        // A side has half of the lanes, and by itself never issues with more.
        let issued = device.totals().issued;
        wide.push(issued[2] + issued[3]);
    }
    assert!(wide[1] > wide[0], "threads of both sides run together in the function: {wide:?}");
}
