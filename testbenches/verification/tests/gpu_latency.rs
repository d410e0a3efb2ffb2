//! How long the memory of the papers' machines takes, and how much it brings: between the port of a core and back, in cycles of the core.
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::Clocks;
use warploom_runtime::host::{GpuDevice, Session};
use warploom_runtime::kernels::micro;
use warploom_runtime::machines::{self, Machine};
use warploom_sim::{Port, Simulator};
use warploom_verification::gpu::gpu;

/// Cycles from a request of the core to its answer, in order.
type Latencies = Rc<RefCell<Vec<u64>>>;

struct Watch {
    ports: [Port; 6],
    asked: HashMap<u64, u64>,
    found: Latencies,
}

impl Watch {
    fn new(engine: &Simulator, found: Latencies) -> Self {
        let names = ["request_valid", "request_ready", "request_id", "response_valid", "response_ready", "response_id"];
        Self { ports: names.map(|name| engine.port(name).expect("a port of the tile")), asked: HashMap::new(), found }
    }

    fn cycle(&mut self, engine: &Simulator, cycle: u64) {
        let [asks, taken, id, answers, takes, answer] = self.ports.map(|port| engine.get(port));
        if asks & taken == 1 {
            self.asked.insert(id, cycle);
        }
        if answers & takes == 1
            && let Some(asked) = self.asked.remove(&answer)
        {
            self.found.borrow_mut().push(cycle - asked);
        }
    }
}

struct Bench {
    device: GpuDevice<'static>,
    found: Latencies,
}

impl Bench {
    /// A core of the machine, and one channel.
    fn new(machine: &Machine) -> Self {
        let config = CoreConfig { in_gpu: true, ..(machine.core)() };
        let mut device = gpu((config.clone(), machine.system(&config, 1, Some(1))));
        let found = Latencies::default();
        let mut watch = Watch::new(device.engine(0), found.clone());
        device.observe(0, Box::new(move |engine, cycle| watch.cycle(engine, cycle)));
        Self { device, found }
    }

    /// One thread follows a chain through these places of a buffer, so many times; how long each load took that the L1 did not have.
    fn chase(&mut self, places: &[usize], passes: usize) -> Vec<u64> {
        let program = micro::find("chase").expect("a micro-kernel").binary.program();
        let mut session = Session::new(&mut self.device, &program).unwrap();
        let words = places.iter().max().unwrap() / 4 + 1;
        let [out, first] = [0, 1].map(|_| session.zeros(64).unwrap());
        let buffer = session.zeros(words).unwrap();
        let mut chain = vec![0; words];
        for (number, place) in places.iter().enumerate() {
            chain[place / 4] = buffer.address + places[(number + 1) % places.len()] as u32;
        }
        session.write(buffer, &chain);
        session.write(first, &[buffer.address + places[0] as u32]);
        self.found.borrow_mut().clear();
        let trips = (passes * places.len()) as u32;
        session.launch([1, 1, 1], [1, 1, 1], 0, &[out.address, first.address, trips]).unwrap();
        self.found.borrow().clone()
    }
}

fn median(values: &[u64]) -> u64 {
    let mut values = values.to_vec();
    values.sort_unstable();
    values[values.len() / 2]
}

fn within(what: &str, found: f64, expected: f64) {
    println!("{what}: {found}, expected {expected}");
    assert!((found - expected).abs() <= 0.05 * expected, "{what}: {found}, expected {expected}");
}

/// Cycles of a load: from L2, from DRAM where no row is open, and what it is less for one that is, and more for another.
const EXPECTED: [(&str, [f64; 4]); 4] = [
    ("capri", [122.0, 133.0, 4.9, 4.1]),
    ("fung", [488.0, 532.0, 19.6, 16.4]),
    ("dpe", [256.0, 500.0, 18.2, 18.2]),
    ("lazy", [270.0, 514.0, 18.2, 18.2]),
];

#[test]
fn loads_take_as_long_as_in_the_papers_machines() {
    for (name, [l2, closed, less, more]) in EXPECTED {
        let machine = machines::find(name).unwrap();
        let mut bench = Bench::new(machine);
        let config = (machine.core)();
        let line = config.line_bytes;
        // More than the L1 holds, so that the second pass finds nothing there.
        let lines = 2 * config.l1_sets * config.l1_ways;
        let places: Vec<usize> = (0..lines).map(|number| number * line).collect();
        let loads = bench.chase(&places, 2);
        let (first, second) = loads.split_at(loads.len() / 2);
        within(&format!("{name}: L2"), median(second) as f64, l2);
        within(&format!("{name}: DRAM, open row"), median(first) as f64, closed - less);
        // The same bank, in another row each time.
        let places: Vec<usize> = (0..60).map(|number| number << 16).collect();
        let loads = bench.chase(&places, 1);
        within(&format!("{name}: DRAM, closed bank"), loads[0] as f64, closed);
        within(&format!("{name}: DRAM, another row"), median(&loads) as f64, closed + more);
    }
}

/// Bytes that CTAs of seven warps read, and in how many cycles: so many groups of four rows. A row is no power of two, so that rows are in different banks.
fn stream(device: &mut GpuDevice<'_>, ctas: u32, trips: u32) -> (usize, u64) {
    let program = micro::find("stream_load").expect("a micro-kernel").binary.program();
    let words = (224 * ctas * 4 * trips) as usize;
    let mut session = Session::new(device, &program).unwrap();
    let buffers = [0, 1].map(|_| session.zeros(words).unwrap().address);
    session.launch([ctas, 1, 1], [224, 1, 1], 0, &[buffers[0], buffers[1], trips]).unwrap();
    (4 * words, session.totals().0.cycles)
}

/// Cores whose MSHRs are more than DRAM needs read as fast as a channel can. That of dpe opens a row for every two or three lines, and writes lines that CTAs have left which end early (docs/decisions/0050-answer-with-the-last-fill.md).
#[test]
fn cores_take_all_that_a_channel_has() {
    for (name, cores, share) in [("capri", 4, 0.9), ("dpe", 4, 0.8)] {
        let machine = machines::find(name).unwrap();
        let config = CoreConfig { in_gpu: true, ..(machine.core)() };
        let system = machine.system(&config, cores, Some(1));
        let Clocks { core, dram, .. } = system.clocks;
        let channel = (4 * system.dram.beat_words() * dram) as f64 / core as f64;
        let mut device = gpu((config, system));
        // As many as are resident, and without what a launch takes before and behind.
        let [(few, short), (many, long)] = [4, 12].map(|trips| stream(&mut device, 4 * cores as u32, trips));
        let rate = (many - few) as f64 / (long - short) as f64;
        println!("{name}: {cores} cores read {rate:.1} of {channel:.1} bytes per cycle");
        assert!(rate >= share * channel, "{name}: {rate:.1} of {channel:.1} bytes per cycle");
    }
}
