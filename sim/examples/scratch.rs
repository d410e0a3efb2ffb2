use std::time::Instant;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::*;
fn main() {
    for (name, config) in [("gto", CoreConfig { scheduler: warploom_hdl::config::SchedulerPolicy::GreedyThenOldest, ..CoreConfig::paper() }),("tiny", CoreConfig::tiny()), ("small", CoreConfig::small()), ("paper", CoreConfig::paper())]
    {
        let t = Instant::now();
        let mut core = Core::new(&config);
        core.connect_all();
        let netlist = match warploom_sim::elaborate(&core) {
            Ok(n) => n,
            Err(e) => {
                println!("{e}");
                return;
            }
        };
        println!(
            "{name}: elaborated in {:?}, {} module types, {} exprs",
            t.elapsed(),
            netlist.modules.len(),
            netlist.modules.iter().map(|m| m.exprs.len()).sum::<usize>()
        );
        let t = Instant::now();
        let mut sim = match warploom_sim::Simulator::build(&netlist, &Default::default()) {
            Ok(s) => s,
            Err(e) => {
                let s = e.to_string();
                println!("{}", &s[..s.len().min(3000)]);
                return;
            }
        };
        println!("  built in {:?}: {:?}", t.elapsed(), sim.report());
        let t = Instant::now();
        for _ in 0..20000 {
            sim.step();
        }
        println!("  idle: {:.0} cycles/s", 20000.0 / t.elapsed().as_secs_f64());
    }
}
