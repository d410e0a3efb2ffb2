//! The papers' machines, measured: latency, bandwidth and divergent loads as their tables say (docs/reference/memory-model.md).

use crate::timing::code::*;
use crate::timing::{Bench, interval};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{MemoryTiming, Session};
use warploom_runtime::kernels::micro;
use warploom_runtime::loader::GLOBAL_BASE;
use warploom_runtime::machines::{self, Machine};

/// Cycles of the core itself between the issue of a load that misses and that of what depends on it.
const CORE: f64 = 9.0;

struct Measured {
    core: CoreConfig,
    memory: MemoryTiming,
    bench: Bench,
}

impl Measured {
    fn new(machine: &Machine) -> Self {
        let (core, memory) = ((machine.core)(), (machine.memory)());
        let bench = Bench::new(&core, memory.clone());
        Self { core, memory, bench }
    }

    /// Cycles from the issue of a load to that of what depends on it: from DRAM, then from L2.
    fn latencies(&mut self) -> [f64; 2] {
        let mut code = Code::default();
        code.constant(A0, GLOBAL_BASE + 0x8000);
        let load = code.push(lw(A2, 0, A0));
        let used = code.push(add(A3, A2, A2));
        let dram = self.bench.run(&code.finish(), 1, 0).between(load, used);
        let l2 = self.bench.relaunch(1, 0).between(load, used);
        [dram as f64, l2 as f64]
    }

    /// Bytes per cycle of all warps that stream through memory.
    fn streaming(&mut self) -> f64 {
        const TRIPS: u32 = 32;
        let threads = 1024;
        let program = micro::find("stream_load").expect("a micro-kernel").binary.program();
        let words = threads * 4 * TRIPS as usize;
        let mut session = Session::new(&mut self.bench.device, &program).unwrap();
        let buffers = [0, 1].map(|_| session.zeros(words).unwrap().address);
        session.launch([1, 1, 1], [threads as u32, 1, 1], 0, &[buffers[0], buffers[1], TRIPS]).unwrap();
        4.0 * words as f64 / session.totals().0.cycles as f64
    }

    /// Cycles of a load all of whose lanes hit a line of their own.
    fn divergent_load(&mut self) -> f64 {
        let line = self.core.line_bytes;
        let setup = |code: &mut Code| {
            code.push(lane(A0));
            code.push(slli(A0, A0, line.ilog2() as i32));
            code.constant(A1, GLOBAL_BASE);
            code.push(add(A0, A0, A1));
            code.push(lw(A2, 0, A0));
        };
        interval(&mut self.bench, setup, &(16..24).map(|rd| lw(rd, 0, A0)).collect::<Vec<_>>())
    }
}

fn within(what: &str, found: f64, expected: f64, tolerance: f64) {
    println!("{what}: {found:.2}, expected {expected:.2}");
    assert!((found - expected).abs() <= tolerance * expected, "{what}: {found:.2}, expected {expected:.2}");
}

#[test]
#[ignore = "long: compiles four of the papers' cores; runs in .ci/run"]
fn the_papers_machines_do_what_their_tables_say() {
    // Of a load with a line per lane: 32 lanes, by lines in a cycle.
    for (name, lines_per_cycle) in [("capri", 2.0), ("fung", 1.0), ("dpe", 0.5), ("lazy", 0.5)] {
        let mut machine = Measured::new(machines::find(name).expect("a machine"));
        let MemoryTiming { dram_latency, dram_bandwidth, l2_latency, l2_bandwidth, .. } = machine.memory;
        let line = machine.core.line_bytes as f64;
        let [dram, l2] = machine.latencies();
        within(&format!("{name}: load from DRAM"), dram, dram_latency as f64 + line / dram_bandwidth + CORE, 0.05);
        within(&format!("{name}: load from L2"), l2, l2_latency as f64 + line / l2_bandwidth + CORE, 0.05);
        let streaming = machine.streaming();
        // The MSHRs of dpe are a few less than DRAM's latency times its bandwidth.
        let bandwidth = dram_bandwidth.min(machine.core.mshrs as f64 * line / dram);
        let found = format!("{name}: streams {streaming:.2} of {bandwidth:.2} B per cycle (DRAM's: {dram_bandwidth})");
        println!("{found}");
        assert!(streaming >= 0.9 * bandwidth, "{found}");
        within(&format!("{name}: load of a line per lane"), machine.divergent_load(), 32.0 / lines_per_cycle, 0.05);
    }
}
