use warploom_hdl::prelude::*;
use warploom_testbenches::host::*;
use warploom_testbenches::kernels::{self, Problem, KERNELS};
fn main() {
    let which: Vec<String> = std::env::args().skip(1).collect();
    for (name, config) in [("tiny", CoreConfig::tiny()), ("small", CoreConfig::small()), ("paper", CoreConfig::paper())] {
        if !which.is_empty() && !which.contains(&name.to_string()) { continue; }
        let mut core = warploom_hdl::core::Core::new(&config);
        core.connect_all();
        let netlist = warploom_sim::elaborate(&core).unwrap_or_else(|e| panic!("{e}"));
        for kernel in KERNELS {
            for size in [kernel.sizes().smoke, 37] {
                let sim = warploom_sim::Simulator::build(&netlist, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
                let mut device = RtlDevice::new(sim, config.clone(), MemoryTiming::default());
                let mut l = Limits::default(); l.cycles = 3_000_000; device.set_limits(l);
                let t = std::time::Instant::now();
                match kernels::run(*kernel, &mut device, &Problem::new(size)) {
                    Ok(o) => println!("{name} {} {size}: {} cycles {} ipc {:.2} resident {} depth {} {:.0} c/s", kernel.name(), o.mismatch().map_or("PASS".into(), |m| format!("FAIL {m:?}")), o.stats.cycles, o.stats.thread_instructions as f64 / o.stats.cycles as f64, o.stats.resident_ctas_max, o.stats.stack_max_depth, o.stats.cycles as f64 / t.elapsed().as_secs_f64()),
                    Err(e) => println!("{name} {} {size}: ERROR {e}", kernel.name()),
                }
            }
        }
    }
}
