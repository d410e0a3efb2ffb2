//! Reset: whatever state a block is in, one cycle of it gives every register that has a reset its initial value again.
//!
//! Blocks' own tests begin with a new block, which is in that state without it. On the netlist, for every block of the catalog as every kind of stack needs it;
//! `WARPLOOM_MODULE=spe_stack` takes that one alone.
use std::collections::HashSet;

use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::kernels::Random;
use warploom_sim::netlist::{ExprId, Module, ModuleId, NetId, NetKind, Netlist, Op};
use warploom_sim::{Interpreter, elaborate};
use warploom_verification::cores;
use warploom_verification::mutation::{Chosen, PORT};

/// Any state is possible before a reset, and any input during it; so many of both are tried.
const STATES: usize = 8;

/// A register that the reset of its module resets; others start anew with a launch.
struct Register {
    /// Instances on the way, and its output.
    path: Vec<String>,
    initial: u64,
}

/// Whether an expression depends on a net of its module.
fn reads(module: &Module, id: ExprId, net: NetId) -> bool {
    let op = &module.expr(id).op;
    *op == Op::Net(net) || op.operands().into_iter().any(|operand| reads(module, operand, net))
}

/// All of a module and its children.
fn registers(netlist: &Netlist, module: ModuleId, above: &[String]) -> Vec<Register> {
    let module = netlist.module(module);
    let below = |name: String| above.iter().cloned().chain([name]).collect::<Vec<_>>();
    let resets = |id: ExprId| module.port("reset").is_some_and(|port| reads(module, id, port));
    let own = module
        .registers
        .iter()
        .filter(|register| register.reset.is_some_and(resets))
        .map(|register| Register { path: below(module.net(register.q).name.to_string()), initial: register.initial });
    let inside = module.instances.iter();
    let inside = inside.flat_map(|child| registers(netlist, child.module, &below(child.name.to_string())));
    own.chain(inside).collect()
}

/// Resets a block in some states, unless its netlist has been seen, and how many of its registers it must reset.
fn check(entry: &CatalogEntry, config: &CoreConfig, seen: &mut HashSet<u64>) -> usize {
    let mut block = (entry.build)(config);
    block.connect_all();
    let netlist = elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    if netlist.top().port("reset").is_none() || !seen.insert(netlist.fingerprint()) {
        return 0;
    }
    let registers = registers(&netlist, netlist.top, &[]);
    let chosen = Chosen::from_environment();
    let netlist = chosen.map_or(netlist.clone(), |chosen| chosen.weave(&netlist));
    let mut interpreter = Interpreter::new(&netlist);
    if let Some(chosen) = chosen {
        interpreter.set(PORT, chosen.active());
    }
    let ports = netlist.top().ports.iter().map(|port| netlist.top().net(*port));
    let inputs = ports.filter(|net| net.kind == NetKind::Input).map(|net| (net.name.to_string(), net.width));
    let inputs: Vec<_> = inputs.filter(|(name, _)| name != PORT).collect();
    let mut random = Random::new(1);
    let mut any = move |width: usize| {
        let value = u64::from(random.word()) << 32 | u64::from(random.word());
        if width == 64 { value } else { value & ((1 << width) - 1) }
    };
    for _ in 0..STATES {
        interpreter.disturb(&mut any);
        for (name, width) in &inputs {
            interpreter.set(name, if name == "reset" { 1 } else { any(*width) });
        }
        interpreter.step();
        for register in &registers {
            let path: Vec<&str> = register.path.iter().map(String::as_str).collect();
            let value = interpreter.peek(&path).expect("it is in the netlist");
            assert_eq!(value, register.initial, "{}: {} after reset", entry.name, path.join("."));
        }
    }
    registers.len()
}

#[test]
fn a_reset_brings_back_the_initial_state() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    let entries = || CATALOG.iter().filter(|entry| only.as_ref().is_none_or(|only| entry.name == only));
    let mut seen = HashSet::new();
    let configs = [cores::plain()].into_iter().chain(cores::tiny());
    let registers = configs.map(|config| entries().map(|entry| check(entry, &config, &mut seen)).sum::<usize>());
    assert!(registers.sum::<usize>() > 0 || only.is_some());
}
