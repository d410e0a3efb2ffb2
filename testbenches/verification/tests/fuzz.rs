//! The fuzzer on itself: that it finds what is wrong, and makes it small; and the corpus of what it has found.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::gpu::parts;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{DeviceError, GpuDevice, GpuEngines};
use warploom_runtime::machines::in_gpu;
use warploom_sim::netlist::{Netlist, Op};
use warploom_sim::{BuildOptions, Simulator, elaborate};
use warploom_verification::fuzz::{Bench, Case, Failure, Found, Machine, SharedParts, campaign, file, simulator};
use warploom_verification::random_program::{Choices, Shape, generate};

/// The core with a fault.
fn faulty(config: &CoreConfig, fault: impl FnOnce(&mut Netlist)) -> Simulator {
    let mut core = Core::new(config);
    core.connect_all();
    let mut netlist = elaborate(&core).unwrap();
    fault(&mut netlist);
    Simulator::build(&netlist, &BuildOptions::default()).unwrap()
}

/// Applies `change` to the only operator of module `name` for which it is something else.
fn change(netlist: &mut Netlist, name: &str, change: impl Fn(&Op) -> Option<Op>) {
    let module = netlist.modules.iter_mut().find(|module| module.name == name).expect("the module");
    let found: Vec<_> = module.exprs.iter_mut().filter_map(|expr| change(&expr.op).map(|op| (expr, op))).collect();
    assert_eq!(found.len(), 1, "operators to change in {name}");
    found.into_iter().for_each(|(expr, op)| expr.op = op);
}

/// Of the first so many differences from seed 0 on, all made small, the smallest: in a loop that only ends by what it has computed, little can be left out.
fn find(mut bench: Bench, differences: usize) -> Found {
    let config = bench.config().clone();
    let mut found = vec![];
    for seed in 0..200 {
        let mut choices = Choices::random(seed);
        let case = Case::draw(&mut choices, &config).unwrap();
        if let Err(failure) = bench.check(&case) {
            found.push(campaign::smallest(&mut bench, seed, choices.into_parts().0, case, failure).unwrap());
        }
        if found.len() == differences {
            break;
        }
    }
    let smallest = found.into_iter().min_by_key(|found| found.smallest.case.program.words.len());
    smallest.expect("a difference in 200 programs")
}

/// A core whose `xor` is an `or`.
fn without_xor(config: &CoreConfig) -> Simulator {
    faulty(config, or_for_xor)
}

fn or_for_xor(netlist: &mut Netlist) {
    change(netlist, "Alu", |op| match *op {
        Op::Xor(a, b) => Some(Op::Or(a, b)),
        _ => None,
    });
}

#[test]
fn a_wrong_operation_is_found_and_made_small() {
    let config = CoreConfig { stack_depth: 48, ..CoreConfig::tiny() };
    let found = find(Bench::new(without_xor(&config), &config), 4);
    let smallest = &found.smallest;
    assert!(matches!(found.failure, Failure::Registers { .. }), "{}", found.failure);
    assert!(smallest.case.program.words.len() <= 6, "{}", file::text("", smallest).unwrap());
    assert_eq!(smallest.case.shape.all_threads(), 1);
    let text = file::text("", smallest).unwrap();
    assert!(text.contains(": xor"), "{text}");
    // The file is the case, and the core without the fault is right.
    let again = file::parse("again", &text).unwrap();
    assert!(again.machine.bench().unwrap().check(&again.case).is_ok());
}

/// What only the cores of a GPU have wrong stays a program for a GPU, and its file says which.
#[test]
fn a_fault_of_a_gpu_is_found_on_a_gpu() {
    let config = in_gpu(&CoreConfig { stack_depth: 48, ..CoreConfig::tiny() });
    let shared = SharedParts::plain(2, 1);
    let system = shared.system(&config);
    let mut netlists = parts(&config, &system).map(|mut part| {
        part.connect_all();
        elaborate(&*part).unwrap()
    });
    or_for_xor(&mut netlists[0]);
    let simulators = netlists.map(|netlist| Simulator::build(&netlist, &BuildOptions::default()).unwrap());
    let engines = GpuEngines::of(simulators, &system, |one| anyhow::Ok(one.another())).unwrap();
    let gpu = GpuDevice::new(engines, config.clone(), system);
    let found = find(Bench::gpu(gpu, &shared), 1);
    assert!(matches!(found.failure, Failure::Registers { .. }), "{}", found.failure);
    assert_eq!(found.smallest.machine, Machine::gpu(&config, shared));
    let text = file::text("", &found.smallest).unwrap();
    assert!(text.contains("\n# gpu {}\n") && text.contains(": xor"), "{text}");
}

/// Neither a program that runs, nor the hundreds that are tried to make one smaller.
#[test]
fn who_stops_a_bench_need_not_wait() {
    let config = CoreConfig { stack_depth: 48, ..CoreConfig::tiny() };
    let mut bench = Bench::new(without_xor(&config), &config);
    let case = |seed| {
        let mut choices = Choices::random(seed);
        let case = Case::draw(&mut choices, &config).unwrap();
        (choices.into_parts().0, case)
    };
    let fails = |seed: u64| {
        let (made, case) = case(seed);
        bench.check(&case).err().map(|failure| (seed, made, case, failure))
    };
    let (seed, made, case, failure) = (0..200).find_map(fails).expect("a difference in 200 programs");
    let whole = case.program.words.len();
    bench.stop().store(true, Ordering::Relaxed);
    let stopped = bench.check(&case);
    assert!(matches!(stopped, Err(Failure::Core(DeviceError::Interrupted { .. }))), "{stopped:?}");
    let found = campaign::smallest(&mut bench, seed, made, case, failure.clone()).unwrap();
    assert_eq!((found.tried, found.failure, found.smallest.case.program.words.len()), (0, failure, whole));
}

/// CTAs as large as they can be, and odd.
#[test]
#[ignore = "long: a core of 1,024 threads; runs in .ci/run"]
fn ctas_of_a_thousand_threads_run_as_in_the_reference_model() {
    let config = CoreConfig { lanes: 32, warps: 32, stack_depth: 48, cta_slots: 3, ..CoreConfig::tiny() };
    let mut bench = Bench::new(simulator(&config).unwrap(), &config);
    for (seed, threads) in [1023, 1021, 1024, 993, 511, 769, 1, 33].into_iter().enumerate() {
        let mut choices = Choices::random(seed as u64);
        let case = Case::draw(&mut choices, &config).unwrap();
        let shape = Shape { grid: [2, 1, 1], block: [threads, 1, 1], spare_words: 0, ..case.shape };
        let program = generate(&mut choices, &shape).unwrap();
        if let Err(failure) = bench.check(&Case { program, shape, ..case }) {
            panic!("seed {seed}, {threads} threads: {failure}");
        }
    }
}

#[test]
fn the_corpus_runs_as_in_the_reference_model() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Those of rules are replayed where the rules are counted: random_programs.
    files.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rule-")));
    files.sort();
    let mut benches: Vec<Bench> = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "s")) {
        let name = path.display().to_string();
        let file::OnMachine { machine, case } = file::parse(&name, &fs::read_to_string(path).unwrap()).unwrap();
        let place = benches.iter().position(|bench| *bench.machine() == machine).unwrap_or_else(|| {
            benches.push(machine.bench().unwrap());
            benches.len() - 1
        });
        if let Err(failure) = benches[place].check(&case) {
            panic!("{name}: {failure}");
        }
    }
}
