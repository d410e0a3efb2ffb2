//! Every kernel on memories of any speed, that refuse requests at random and answer out of order: all outputs right.
//!
//! With `WARPLOOM_WRITE=1` the test writes docs/verification/memory-stress.md instead of comparing it.
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::RequestKind;
use warploom_hdl::mechanism::covering;
use warploom_runtime::host::{Jitter, MemoryTiming, Ports, RtlDevice};
use warploom_runtime::kernels::{self, KERNELS, Problem};
use warploom_sim::Simulator;
use warploom_verification::core_simulator;
use warploom_verification::cores::{each, with_floats};

/// Latencies of L2 and of DRAM, what else is unusual, and how the answers are disturbed.
fn memories() -> Vec<MemoryTiming> {
    let quick = MemoryTiming { l2_bandwidth: 64.0, dram_bandwidth: 64.0, ..MemoryTiming::default() };
    let latency = |l2_latency, dram_latency| MemoryTiming { l2_latency, dram_latency, ..quick.clone() };
    let disturbed = |timing, delay, refuse| MemoryTiming { jitter: Some(Jitter { seed: 3, delay, refuse }), ..timing };
    vec![
        latency(1, 1),
        disturbed(latency(1, 1), 0, 128),
        disturbed(latency(1, 2), 50, 0),
        disturbed(latency(10, 30), 80, 80),
        MemoryTiming { l2_bytes: 0, queue: 1, dram_bandwidth: 1.0, ..latency(50, 100) },
        disturbed(MemoryTiming { queue: 2, ..latency(100, 300) }, 300, 160),
        latency(1000, 1000),
        disturbed(latency(500, 1000), 1000, 40),
        disturbed(MemoryTiming { l2_bytes: 0, queue: 1, ..latency(1000, 1000) }, 1000, 240),
    ]
}

/// Cores whose divergence mechanisms differ the most, and of twice the size the one with most in it.
fn cores() -> Vec<(String, CoreConfig)> {
    let tiny = covering().map(|one| (format!("tiny {}", one.spelling), with_floats(one.on_tiny())));
    let small = covering().filter(|one| one.on_tiny().compacts());
    let small = small.map(|one| (format!("small {}", one.spelling), with_floats(one.on(CoreConfig::small()))));
    tiny.chain(small).collect()
}

/// What the memory port has seen.
#[derive(Clone, Default)]
struct Traffic {
    cycles: u64,
    requests: u64,
    refused: u64,
    answers: u64,
    overtaking: u64,
    outstanding: VecDeque<u64>,
}

impl Traffic {
    fn push(&mut self, ports: &Ports, simulator: &Simulator) {
        let get = |port| simulator.get(port);
        self.cycles += 1;
        if get(ports.request_valid) != 0 {
            let accepted = get(ports.request_ready) != 0;
            self.requests += u64::from(accepted);
            self.refused += u64::from(!accepted);
            if accepted && get(ports.request_kind) != RequestKind::Write as u64 {
                self.outstanding.push_back(get(ports.request_id));
            }
        }
        if get(ports.response_valid) != 0 && get(ports.response_ready) != 0 {
            let id = get(ports.response_id);
            let place = self.outstanding.iter().position(|&other| other == id).expect("an answer to a request");
            self.outstanding.remove(place);
            self.answers += 1;
            self.overtaking += u64::from(place > 0);
        }
    }
}

/// Runs every kernel at its smoke size.
fn run(name: &str, config: &CoreConfig, timing: &MemoryTiming) -> Traffic {
    let simulator = core_simulator(config, &Default::default());
    let ports = Ports::new(&simulator, config);
    let traffic = RefCell::new(Traffic::default());
    let mut device = RtlDevice::new(simulator, config.clone(), timing.clone());
    device.observe(Box::new(|simulator, _| traffic.borrow_mut().push(&ports, simulator)));
    for kernel in KERNELS {
        let outcome = kernels::run(kernel, &mut device, &Problem::new(kernel.sizes().smoke));
        let outcome = outcome.unwrap_or_else(|e| panic!("{} on {name}, {timing:?}: {e}", kernel.name()));
        assert_eq!(outcome.mismatch(), None, "{} on {name}, {timing:?}", kernel.name());
    }
    drop(device);
    traffic.into_inner()
}

fn line(core: &str, timing: &MemoryTiming, traffic: &Traffic) -> String {
    let MemoryTiming { l2_latency, dram_latency, queue, jitter, .. } = timing;
    let l2 = if timing.l2_bytes == 0 { "none".to_string() } else { l2_latency.to_string() };
    let (delay, refuse) = jitter.map_or((0, 0), |jitter| (jitter.delay, jitter.refuse));
    let Traffic { cycles, requests, refused, answers, overtaking, .. } = traffic;
    format!(
        "| {core} | {l2} | {dram_latency} | {queue} | {delay} | {refuse} | {cycles} | {requests} | {refused} | {answers} | {overtaking} |"
    )
}

fn page(lines: &[String], cycles: u64) -> String {
    let kernels = KERNELS.len();
    let mut page = format!(
        "# Memories that are fast, slow and unruly

| | |
|---|---|
| What | All {kernels} kernels give the right result whatever the memory beyond L1 does. |
| How | Latencies from 1 to 1000 cycles, requests refused at random, answers out of order; memories with and without L2, with a short queue. |
| How often | All of it in `.ci/run`; in `cargo test` two cores on one unruly memory. |
| Figures | {} combinations of memory and core, {} runs, {cycles} cycles, all PASS. |
| Command | `cargo test -p warploom-verification --test memory_stress -- --ignored` |

Generated by that command, which checks this page, and writes it anew with `WARPLOOM_WRITE=1`. Kernels run at their smoke size. \"delay\" is the longest random delay of an
answer in cycles; of 256 requests so many are \"refused\" at random. What the memory port has seen follows: cycles, requests accepted, cycles in which one was
refused (also since the queue was full), answers, and those that overtook an older request's.

| core | L2 latency | DRAM latency | queue | delay | refused | cycles | requests | refusals | answers | overtaking |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
",
        lines.len(),
        lines.len() * kernels,
    );
    lines.iter().for_each(|line| writeln!(page, "{line}").expect("writing to a string"));
    page
}

/// Every kernel on these cores, each with every one of these memories: a line for each, and cycles in all.
fn check(cores: &[(String, CoreConfig)], memories: &[MemoryTiming]) -> (Vec<String>, u64) {
    let pairs: Vec<_> = memories.iter().flat_map(|timing| cores.iter().map(move |core| (timing, core))).collect();
    let pairs: Vec<_> = pairs.into_iter().enumerate().collect();
    let results = Mutex::new(vec![]);
    each(&pairs, |(number, (timing, (name, config)))| {
        let traffic = run(name, config, timing);
        results.lock().unwrap().push((*number, line(name, timing, &traffic), traffic, timing.jitter));
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, ..)| *number);
    for (_, line, traffic, jitter) in &results {
        println!("{line}");
        assert!(traffic.outstanding.is_empty(), "requests without an answer: {line}");
        let disturbed = jitter.is_none_or(|jitter| {
            (jitter.delay == 0 || traffic.overtaking > 100) && (jitter.refuse == 0 || traffic.refused > 100)
        });
        assert!(disturbed, "the memory has hardly been unruly: {line}");
    }
    let cycles = results.iter().map(|(_, _, traffic, _)| traffic.cycles).sum();
    (results.into_iter().map(|(_, line, ..)| line).collect(), cycles)
}

#[test]
fn kernels_pass_on_an_unruly_memory() {
    check(&cores()[..2], &memories()[3..4]);
}

#[test]
#[ignore = "long: all kernels on nine memories behind five cores; runs in .ci/run"]
fn kernels_pass_on_any_memory() {
    let (lines, cycles) = check(&cores(), &memories());
    let page = page(&lines, cycles);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verification/memory-stress.md");
    if std::env::var_os("WARPLOOM_WRITE").is_some() {
        fs::write(&path, &page).expect("a writable page");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/verification/memory-stress.md is out of date: WARPLOOM_WRITE=1 writes it");
}
