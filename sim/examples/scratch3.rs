use std::collections::VecDeque;
use warploom_hdl::prelude::*;
use warploom_hdl::core::Core;
fn main() {
    let preset = std::env::args().nth(1).unwrap_or("tiny".into());
    let grid: u64 = std::env::args().nth(2).map_or(3, |s| s.parse().unwrap());
    let block: u64 = std::env::args().nth(3).map_or(6, |s| s.parse().unwrap());
    let config = match preset.as_str() { "tiny" => CoreConfig::tiny(), "small" => CoreConfig::small(), _ => CoreConfig::paper() };
    let mut core = Core::new(&config);
    core.connect_all();
    let netlist = warploom_sim::elaborate(&core).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = warploom_sim::Simulator::build(&netlist, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<u32> = std::fs::read("/tmp/k2.bin").unwrap().chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let set = |sim: &mut warploom_sim::Simulator, n: &str, v: u64| { let p = sim.port(n).unwrap_or_else(|| panic!("{n}")); sim.set(p, v) };
    let get = |sim: &warploom_sim::Simulator, n: &str| { let p = sim.port(n).unwrap_or_else(|| panic!("{n}")); sim.get(p) };
    set(&mut sim, "reset", 1); sim.step(); set(&mut sim, "reset", 0);
    let rpc = |i: usize| match i { 10 => Some(0x40), 22 => Some(0x5c), _ => None };
    for (i, w) in words.iter().enumerate() {
        set(&mut sim, "load_enable", 1); set(&mut sim, "load_address", i as u64); set(&mut sim, "load_word", *w as u64);
        set(&mut sim, "load_rpc", rpc(i).unwrap_or(0)); set(&mut sim, "load_rpc_valid", rpc(i).is_some() as u64);
        sim.step();
    }
    set(&mut sim, "load_enable", 0);
    let wpc = block.div_ceil(config.lanes as u64);
    for (n, v) in [("entry_pc", 0), ("grid_x", grid), ("grid_y", 1), ("grid_z", 1), ("block_x", block), ("block_y", 1), ("block_z", 1), ("threads_per_cta", block), ("warps_per_cta", wpc), ("resident_ctas", (config.cta_slots as u64).min(config.warps as u64 / wpc)), ("arguments", 0x80000000), ("shared_bytes", 0), ("global_limit", 0x10000)] { set(&mut sim, &format!("config_{n}"), v); }
    let n = grid * block;
    let mut mem = vec![0u8; 0x10000];
    for i in 0..n as usize { mem[i*4..i*4+4].copy_from_slice(&((i * 11) as u32).to_le_bytes()); }
    set(&mut sim, "launch_start", 1); sim.step(); set(&mut sim, "launch_start", 0);
    set(&mut sim, "request_ready", 1);
    let lw = config.line_words();
    let mut q: VecDeque<(u64, u64, Vec<u32>)> = VecDeque::new();
    let trace = std::env::var("TRACE").is_ok();
    let t0 = std::time::Instant::now(); let mut last = 0; for cycle in 0..3000000u64 { last = cycle;

        let ready = q.front().is_some_and(|f| f.0 <= cycle);
        set(&mut sim, "response_valid", ready as u64);
        if ready { let f = q.front().unwrap().clone(); set(&mut sim, "response_id", f.1); for i in 0..lw { set(&mut sim, &format!("response_data[{i}]"), f.2[i] as u64); } }
        sim.step();
        if ready && get(&sim, "response_ready") == 1 { q.pop_front(); }
        if trace && get(&sim, "issue_valid") == 1 { println!("{cycle}: warp {} pc {:x} mask {:b}", get(&sim, "issue_warp"), get(&sim, "issue_pc"), get(&sim, "issue_mask")); }
        if get(&sim, "request_valid") == 1 {
            let line = get(&sim, "request_line"); let kind = get(&sim, "request_kind"); let mask = get(&sim, "request_mask");
            if trace { println!("{cycle}: request kind {kind} line {line:x} mask {mask:x}"); }
            let a = (line - 0x80000000) as usize;
            match kind { 0 => { let d = (0..lw).map(|i| u32::from_le_bytes(mem[a+4*i..a+4*i+4].try_into().unwrap())).collect(); q.push_back((cycle + 20, get(&sim, "request_id"), d)); }
                1 => for b in 0..4*lw { if mask >> b & 1 == 1 { mem[a+b] = (get(&sim, &format!("request_data[{}]", b/4)) >> (8*(b%4))) as u8; } }, _ => panic!() }
        }
        if get(&sim, "trap_valid") == 1 { println!("TRAP cause {} warp {} lane {} pc {:x} value {:x}", get(&sim,"trap_cause"), get(&sim,"trap_warp"), get(&sim,"trap_lane"), get(&sim,"trap_pc"), get(&sim,"trap_value")); break; }
        if get(&sim, "busy") == 0 && cycle > 2 { println!("done at {cycle}"); break; }
    }
    println!("{last} cycles, {:.0} cycles/s, {:?}", last as f64 / t0.elapsed().as_secs_f64(), sim.report());
    let mut bad = 0;
    for i in 0..n as u32 {
        let mut v = i * 11; if i & 1 == 1 { v += 100 } else { v = (v + 7) / 3 } v += 1.max((i & 63) << 5);
        let got = u32::from_le_bytes(mem[0x400 + i as usize * 4..0x404 + i as usize * 4].try_into().unwrap());
        if got != v { bad += 1; if bad < 10 { println!("thread {i}: expected {v} got {got}"); } }
    }
    println!("{}", if bad == 0 { "OK" } else { "BAD" });
    for c in ["cycles", "warp_instructions", "thread_instructions", "stall", "idle_memory", "barrier", "idle_other", "stack_max_depth", "l1_accesses", "l1_misses", "transactions", "ctas", "resident_ctas_max"] { print!("{c}={} ", get(&sim, &format!("counter_{c}"))); }
    println!();
}
