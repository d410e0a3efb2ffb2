//! A module of one's own: elaborated, simulated, looked at in GTKWave.
//!
//! ```text
//! MinPcSelector --elaborate--> netlist --build--> simulator <--port by port--> Warp
//!                                                     |
//!                                                     +--> min_pc.vcd, min_pc.gtkw
//! ```
mod min_pc_selector;
mod warp;

use std::error::Error;
use std::path::{Path, PathBuf};

use min_pc_selector::MinPcSelector;
use warp::Warp;
use warploom_hdl::prelude::*;
use warploom_sim::glob::Globs;
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window, write_save_file};
use warploom_sim::{BuildOptions, Port, Simulator, elaborate};

const LANES: usize = 8;

/// PC and threads of every instruction that has to run, in this order.
const EXPECTED: [(u64, u64); 7] = [(0, 0xff), (4, 0x55), (8, 0x55), (12, 0xaa), (16, 0xaa), (20, 0xff), (24, 0xff)];

fn main() {
    let directory = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("build"), PathBuf::from);
    if let Err(error) = run(&directory) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run(directory: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(directory)?;

    // From the Rust source to a netlist. What is wrong with the module as hardware is said here.
    let mut module = MinPcSelector::new(LANES);
    module.connect_all();
    let netlist = elaborate(&module)?;

    // From the netlist to native code. `observe` says which nets can be looked at, here all.
    let mut simulator = Simulator::build(&netlist, &BuildOptions { observe: vec!["*".into()], ..Default::default() })?;
    let mut waveform = waveform(&simulator, &directory.join("min_pc.vcd"))?;

    let port = |name: &str| simulator.port(name).ok_or(format!("the module has no port {name}"));
    let (active, pc, mask, divergent) = (port("active")?, port("pc")?, port("mask")?, port("divergent")?);
    let pcs: Vec<Port> = (0..LANES).map(|lane| port(&format!("pcs[{lane}]"))).collect::<Result<_, _>>()?;

    let mut warp = Warp::new(LANES);
    let mut ran = vec![];
    while warp.active != 0 {
        simulator.set(active, warp.active);
        for (port, at) in pcs.iter().zip(&warp.pcs) {
            simulator.set(*port, *at);
        }
        // One cycle: all logic, then the clock edge. Outputs are read as they were before the edge.
        simulator.step();
        waveform.sample(&simulator, ran.len() as u64);
        let (pc, mask) = (simulator.get(pc), simulator.get(mask));
        println!("cycle {}: threads {mask:08b} run {pc:2}", ran.len());
        ran.push((pc, mask));
        warp.run(pc, mask);
        if ran.len() > EXPECTED.len() {
            break;
        }
    }
    waveform.finish().map_err(|mut errors| errors.remove(0))?;
    println!("{} of {} cycles were divergent", simulator.get(divergent), ran.len());

    if ran != EXPECTED {
        return Err(format!("FAIL: expected were (PC, threads) {EXPECTED:x?}").into());
    }
    println!("PASS: now gtkwave {0}/min_pc.vcd {0}/min_pc.gtkw", directory.display());
    Ok(())
}

/// A waveform of all nets, and the file with which GTKWave opens on it.
fn waveform(simulator: &Simulator, path: &Path) -> Result<Waveform, Box<dyn Error>> {
    let selection = Selection::new(simulator, &Globs::new(&["*"]));
    write_save_file(&path.with_extension("gtkw"), path, selection.nets())?;
    Ok(Waveform::begin(vec![WaveFile::create(path, Format::Vcd)?], selection, Window::default())?)
}
