use std::time::Instant;
use warploom_hdl::config::*;
use warploom_hdl::prelude::*;
use warploom_sim::{BuildOptions, Passes, Simulator, elaborate, netlist::NetKind, netlist::Netlist};
mod support;
use support::random::Random;

fn run(name: &str, netlist: &Netlist, passes: Passes) {
    let options = BuildOptions { passes, cache: Some("/tmp/warp-probe".into()), ..Default::default() };
    let mut sim = match Simulator::build(netlist, &options) {
        Ok(s) => s,
        Err(e) => {
            println!("{name}: BUILD {e}");
            return;
        }
    };
    let top = netlist.top();
    let inputs: Vec<_> = top
        .ports
        .iter()
        .map(|&p| top.net(p))
        .filter(|n| n.kind == NetKind::Input)
        .map(|n| (sim.port(&n.name.to_string()).unwrap(), n.width))
        .collect();
    let mut r = Random::new(5);
    let mut cycles = 0u64;
    let mut spent = 0.0;
    while spent < 0.3 {
        for _ in 0..20 {
            for (p, w) in &inputs {
                let v = r.next() & support::mask(*w);
                sim.set(*p, v);
            }
            let s = Instant::now();
            for _ in 0..50 {
                sim.step();
            }
            spent += s.elapsed().as_secs_f64();
            cycles += 50;
        }
    }
    let rep = sim.report();
    println!(
        "{name:20} {:9.0} cyc/s  scalar {:6} vector {:5} fallback {:3} gen {:.2} compile {:.2}",
        cycles as f64 / spent,
        rep.scalar_ops,
        rep.vector_ops,
        rep.scalar_fallbacks,
        rep.generate_seconds,
        rep.compile_seconds
    );
}
fn probe(name: &str, mut m: impl Block) {
    m.connect_all();
    let s = Instant::now();
    match elaborate(&m) {
        Ok(n) => {
            let e = s.elapsed().as_secs_f64();
            println!("{name} elaborate {e:.2}");
            run(name, &n, Passes::default());
            run(name, &n, Passes::NONE);
        }
        Err(e) => println!("{name}: {}", e.to_string().lines().next().unwrap_or("")),
    }
}
#[test]
fn probe_modules() {
    let c = CoreConfig::paper();
    probe("RegisterFile", warploom_hdl::execute::RegisterFile::new(32, 32));
    probe("BranchUnit", warploom_hdl::execute::BranchUnit::new(32));
    probe("Scoreboard", warploom_hdl::issue::Scoreboard::new(32));
    probe("IssueStage", warploom_hdl::issue::IssueStage::new(&c));
    probe("Frontend", warploom_hdl::frontend::Frontend::new(&c));
    probe("Execute", warploom_hdl::execute::Execute::new(&c));
    probe("Coalescer", warploom_hdl::memory::Coalescer::new(32, 64));
    probe("LoadStoreUnit", warploom_hdl::memory::LoadStoreUnit::new(&c));
    probe("PerformanceCounters", warploom_hdl::performance_counters::PerformanceCounters::new(&c));
}
