//! Several cores and what they share: kernels, on GPUs of the small cores.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::{Clocks, SystemConfig};
use warploom_runtime::host::{Device, GpuCounts, GpuDevice};
use warploom_runtime::kernels::{self, Kernel, Problem};
use warploom_verification::gpu::{WholeGpu, gpu, small_system};

/// Those of the papers: cores, networks and L2, DRAM.
const PAPERS: [Clocks; 3] = [
    Clocks { core: 325, network: 650, l2: 650, dram: 800 },
    Clocks { core: 1300, network: 650, l2: 650, dram: 800 },
    Clocks { core: 700, network: 1400, l2: 700, dram: 924 },
];

fn passes(device: &mut GpuDevice<'_>, kernel: &'static Kernel, what: &str) -> GpuCounts {
    let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
    let outcome = kernels::run(kernel, device, &problem).unwrap_or_else(|error| panic!("{what}: {error}"));
    if let Some(mismatch) = outcome.mismatch() {
        panic!("{what}: {mismatch}");
    }
    device.counts().clone()
}

#[test]
fn every_kernel_on_one_two_and_four_cores() {
    for cores in [1, 2, 4] {
        let mut device = gpu(small_system(&CoreConfig::tiny(), cores));
        let config = device.config().clone();
        for kernel in kernels::on(&config) {
            let what = format!("{} on {cores} cores", kernel.name());
            let before = device.counts().cycles;
            let counts = passes(&mut device, kernel, &what);
            println!("{what}: {} cycles", counts.cycles - before);
        }
    }
}

/// Parts that tick at their own times, links of any length, and lines of one to four sectors.
#[test]
fn whatever_the_clocks_are() {
    for (number, clocks) in PAPERS.into_iter().enumerate() {
        let line_bytes = [32, 64, 128][number];
        let (config, system) = small_system(&CoreConfig { line_bytes, ..CoreConfig::tiny() }, 2);
        let (link_cycles, l2_fixed) = ([1, 2, 7][number], [0, 9, 40][number]);
        let mut device = gpu((config.clone(), SystemConfig { clocks, link_cycles, l2_fixed, ..system }));
        for kernel in kernels::on(&config) {
            passes(&mut device, kernel, &format!("{} with {clocks:?}", kernel.name()));
        }
    }
}

/// What is counted is the same, to the last cycle.
#[test]
fn threads_of_the_simulator_change_nothing() {
    let on = |threads: usize| {
        let mut device = gpu(small_system(&CoreConfig::tiny(), 3));
        device.set_threads(threads);
        let config = device.config().clone();
        let some = kernels::on(&config).step_by(5);
        some.map(|kernel| passes(&mut device, kernel, kernel.name())).collect::<Vec<_>>()
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(4));
}

/// What each core counts, cycles included: in parts with links that the host keeps, and in one netlist with those of the hardware.
#[test]
fn parts_do_what_the_whole_does() {
    let (config, system) = small_system(&CoreConfig::tiny(), 2);
    let slower = SystemConfig { clocks: Clocks { core: 2, network: 1, l2: 1, dram: 2 }, ..system.clone() };
    let of_one_clock = ["vecadd", "sobel", "gcd", "mandelbrot", "transpose"].map(|name| (name, &system));
    for (name, system) in of_one_clock.into_iter().chain([("vecadd", &slower), ("transpose", &slower)]) {
        let kernel = kernels::find(name).expect("a kernel");
        let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
        let mut whole = WholeGpu::new(config.clone(), system.clone());
        let of_whole = kernels::run(kernel, &mut whole, &problem).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut parts = gpu((config.clone(), system.clone()));
        let counted = passes(&mut parts, kernel, name);
        let cores: Vec<_> = counted.cores.into_iter().map(|core| core.counts).collect();
        assert_eq!(whole.counts(), cores, "{name}");
        assert_eq!(of_whole.stats.cycles, counted.cycles, "{name}");
        assert!(of_whole.mismatch().is_none(), "{name}");
    }
}
