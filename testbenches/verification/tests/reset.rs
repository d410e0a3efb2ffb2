//! Reset: whatever a block has done, one cycle of it gives every register that has a reset its initial value again.
//!
//! Blocks' own tests begin with a new block, which is in that state without it. On the netlist, for every block of the catalog;
//! `WARPLOOM_MODULE=spe_stack` takes that one alone.
use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::kernels::Random;
use warploom_sim::netlist::{ExprId, Module, ModuleId, NetId, NetKind, Netlist, Op};
use warploom_sim::{Interpreter, elaborate};
use warploom_verification::mutation::{Chosen, PORT};

/// Cycles of random inputs before the reset.
const CYCLES: usize = 40;

/// A register that the reset of its module resets; others start anew with a launch.
struct Register {
    /// Instances on the way, and its output.
    path: Vec<String>,
    initial: u64,
    changed: bool,
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
    let own = module.registers.iter().filter(|register| register.reset.is_some_and(resets)).map(|register| Register {
        path: below(module.net(register.q).name.to_string()),
        initial: register.initial,
        changed: false,
    });
    let inside = module.instances.iter();
    let inside = inside.flat_map(|child| registers(netlist, child.module, &below(child.name.to_string())));
    own.chain(inside).collect()
}

/// Runs a block and resets it; the share of its registers that had changed.
fn check(entry: &CatalogEntry) -> (usize, usize) {
    let mut block = (entry.build)(&CoreConfig::tiny());
    block.connect_all();
    let netlist = elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    if netlist.top().port("reset").is_none() {
        return (0, 0);
    }
    let mut registers = registers(&netlist, netlist.top, &[]);
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
    for cycle in 0..=CYCLES {
        for (name, width) in &inputs {
            let mask = if *width == 64 { u64::MAX } else { (1 << width) - 1 };
            let value = u64::from(random.word()) << 32 | u64::from(random.word());
            let value = if name == "reset" { u64::from(cycle == CYCLES) } else { value & mask };
            interpreter.set(name, value);
        }
        interpreter.step();
        for register in &mut registers {
            let path: Vec<&str> = register.path.iter().map(String::as_str).collect();
            let value = interpreter.peek(&path).expect("it is in the netlist");
            if cycle == CYCLES {
                assert_eq!(value, register.initial, "{}: {} after reset", entry.name, path.join("."));
            } else {
                register.changed |= value != register.initial;
            }
        }
    }
    (registers.iter().filter(|register| register.changed).count(), registers.len())
}

#[test]
fn a_reset_brings_back_the_initial_state() {
    let only = std::env::var("WARPLOOM_MODULE").ok();
    // The core holds the others, and random inputs do not take it far.
    let all = CATALOG.iter().filter(|entry| entry.name != "core");
    let entries = all.filter(|entry| only.as_ref().is_none_or(|only| entry.name == only));
    let counts: Vec<_> = entries.map(|entry| (entry.name, check(entry))).collect();
    let (changed, all) = counts.iter().fold((0, 0), |(a, b), (_, (changed, all))| (a + changed, b + all));
    println!("{changed} of {all} registers with a reset have had another value before it: {counts:?}");
    assert!(only.is_some() || changed * 2 > all, "{changed} of {all} registers have been in another state");
}
