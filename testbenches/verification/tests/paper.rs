//! The core of the papers: all kernels, and the throughput it is built for.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{LaunchStats, MemoryTiming, RtlDevice, Session};
use warploom_runtime::kernels::{self, KERNELS, Problem, micro};
use warploom_sim::netlist::Netlist;
use warploom_sim::{Simulator, elaborate};

fn netlist(config: &CoreConfig) -> Netlist {
    let mut core = Core::new(config);
    core.connect_all();
    elaborate(&core).unwrap_or_else(|e| panic!("{e}"))
}

fn device(netlist: &Netlist) -> RtlDevice<'static> {
    let simulator = Simulator::build(netlist, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    RtlDevice::new(simulator, CoreConfig::paper(), MemoryTiming::default())
}

/// Runs a micro-kernel that reads and writes `words` words and then takes `trips`.
fn run(netlist: &Netlist, name: &str, ctas: u32, threads: u32, words: usize, trips: u32) -> LaunchStats {
    let mut device = device(netlist);
    let mut session = Session::new(&mut device, &micro::find(name).expect("a micro-kernel").binary.program()).unwrap();
    let (from, to) = (session.zeros(words).unwrap(), session.zeros(words).unwrap());
    let arguments = if name == "stream" { vec![from.address, to.address, trips] } else { vec![to.address, trips] };
    session.launch([ctas, 1, 1], [threads, 1, 1], 0, &arguments).unwrap();
    session.totals().0.clone()
}

#[test]
#[ignore = "long: all kernels at three sizes on the papers' core; runs in .ci/run"]
fn the_paper_core_passes() {
    let mut core = device(&netlist(&CoreConfig { floats: true, ..CoreConfig::paper() }));
    let mut resident = 0;
    for kernel in KERNELS {
        for size in [1, 37, kernel.sizes().smoke * 3] {
            let outcome = kernels::run(kernel, &mut core, &Problem::new(size));
            let outcome = outcome.unwrap_or_else(|e| panic!("{} {size}: {e}", kernel.name()));
            assert_eq!(outcome.mismatch(), None, "{} {size}", kernel.name());
            resident = resident.max(outcome.stats.resident_ctas_max);
        }
    }
    assert!(resident >= 2, "at most {resident} CTAs at once");
}

#[test]
fn the_paper_core_keeps_its_units_busy() {
    let netlist = netlist(&CoreConfig::paper());
    let stats = run(&netlist, "alu_loop", 1, 8 * 32, 8 * 32, 100);
    let rate = stats.warp_instructions as f64 / stats.cycles as f64;
    assert!(rate >= 0.95, "eight warps issue {rate:.3} instructions a cycle");

    let (ctas, threads, trips) = (4, 256, 4);
    let words = (ctas * threads * 4 * trips) as usize;
    let stats = run(&netlist, "stream", ctas, threads, words, trips);
    let rate = (2 * 4 * words) as f64 / stats.cycles as f64;
    let bandwidth = MemoryTiming::default().dram_bandwidth;
    assert!(rate >= 0.9 * bandwidth, "a stream moves {rate:.2} of {bandwidth} bytes a cycle");
}
