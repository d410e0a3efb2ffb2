//! Tests that drive a rust-hdl module themselves, on its netlist.
//!
//! [`simulate`] stands in for rust-hdl's function of this name. It runs `update()` as that does; then, if mutants are asked for, the outputs
//! are overwritten by those of the netlist, which gets the same inputs and the same rising edges.
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rust_hdl::prelude::{Atom, AtomKind, Block, Out, Probe};
use warploom_sim::engine::Port;
use warploom_sim::{Simulator, elaborate};

use super::Chosen;
use super::port::{Drive, driver, number, port_name};

/// Settles a module.
pub fn simulate<B: Block>(module: &mut B, most: usize) -> bool {
    let settles = rust_hdl::prelude::simulate(module, most);
    if let Some(chosen) = Chosen::from_environment() {
        Shadow::with(module, chosen, Shadow::follow);
    }
    settles
}

/// A port of a module that may have been moved since.
struct Pin {
    atom: *const dyn Atom,
    /// It lies in the module itself, not on the heap.
    moves: bool,
}

impl Pin {
    fn atom(&self, moved: isize) -> *const dyn Atom {
        if self.moves { self.atom.wrapping_byte_offset(moved) } else { self.atom }
    }
}

/// The netlist of one rust-hdl module.
struct Shadow {
    type_name: &'static str,
    address: *const u8,
    identity: usize,
    anchor: usize,
    pins: Vec<Pin>,
    clock: Option<usize>,
    level: u64,
    inputs: Vec<(usize, Port)>,
    outputs: Vec<(usize, Port, Drive)>,
    simulator: Simulator,
}

thread_local! {
    static SHADOWS: RefCell<Vec<Shadow>> = const { RefCell::new(vec![]) };
    static SIMULATORS: RefCell<HashMap<u64, Rc<Simulator>>> = RefCell::new(HashMap::new());
}

/// Ports of the outermost module.
struct Ports {
    depth: usize,
    /// Those around the port.
    bundles: Vec<String>,
    found: Vec<(String, *const dyn Atom)>,
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.bundles.push(name.to_string());
    }
    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.bundles.pop();
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        if self.depth == 1 && matches!(atom.kind(), AtomKind::InputParameter | AtomKind::OutputParameter) {
            // SAFETY: only the lifetime is given up; it is read while its module is borrowed.
            let atom = unsafe { std::mem::transmute::<*const (dyn Atom + '_), *const (dyn Atom + 'static)>(atom) };
            self.found.push((port_name(&self.bundles, name), atom));
        }
    }
}

impl Shadow {
    /// Calls `f` with the shadow of the module and how far it has moved since that was made.
    fn with<B: Block>(module: &B, chosen: &Chosen, f: impl FnOnce(&mut Self, isize)) {
        let address = std::ptr::from_ref(module).cast::<u8>();
        SHADOWS.with_borrow_mut(|shadows| {
            let type_name = std::any::type_name::<B>();
            let known = shadows.iter().position(|shadow| {
                // SAFETY: a module of the same type has its ports at the same distances.
                let id = || unsafe { &*shadow.pins[shadow.anchor].atom(shadow.moved(address)) }.id();
                shadow.type_name == type_name && id() == shadow.identity
            });
            let known = known.unwrap_or_else(|| {
                shadows.push(Self::new(module, type_name, chosen));
                shadows.len() - 1
            });
            let moved = shadows[known].moved(address);
            f(&mut shadows[known], moved);
        });
    }

    fn moved(&self, address: *const u8) -> isize {
        (address as isize).wrapping_sub(self.address as isize)
    }

    fn new<B: Block>(module: &B, type_name: &'static str, chosen: &Chosen) -> Self {
        let mut ports = Ports { depth: 0, bundles: vec![], found: vec![] };
        module.accept("top", &mut ports);
        let simulator = simulator(module, chosen);
        let address = std::ptr::from_ref(module).cast::<u8>();
        let inside = address as usize..address as usize + size_of::<B>();
        let (mut pins, mut clock, mut inputs, mut outputs) = (vec![], None, vec![], vec![]);
        for (i, (name, atom)) in ports.found.into_iter().enumerate() {
            pins.push(Pin { atom, moves: inside.contains(&(atom.cast::<u8>() as usize)) });
            // SAFETY: it has just been found in `module`.
            let atom = unsafe { &*atom };
            let port = || simulator.port(&name).unwrap_or_else(|| panic!("the netlist has no port {name}"));
            match atom.kind() {
                AtomKind::OutputParameter => outputs.push((i, port(), driver::<Out>(atom))),
                _ if atom.descriptor().name == "clock" => clock = Some(i),
                _ => inputs.push((i, port())),
            }
        }
        let anchor = pins.iter().position(|pin| pin.moves).expect("a port that is no array");
        // SAFETY: as above.
        let identity = unsafe { &*pins[anchor].atom }.id();
        Self { type_name, address, identity, anchor, pins, clock, level: 0, inputs, outputs, simulator }
    }

    /// Inputs in, an edge if there is one, outputs out.
    fn follow(&mut self, moved: isize) {
        // SAFETY: `with` found the module alive at this place, and lends it for this call; rust-hdl's pointers into it are not in use.
        let atom = |pin: usize| unsafe { &*self.pins[pin].atom(moved) };
        for (pin, port) in &self.inputs {
            self.simulator.set(*port, number(atom(*pin)));
        }
        let level = self.clock.map_or(0, |clock| number(atom(clock)));
        if std::mem::replace(&mut self.level, level) == 0 && level == 1 {
            self.simulator.step();
        }
        self.simulator.evaluate();
        for (pin, port, drive) in &self.outputs {
            let address = self.pins[*pin].atom(moved).cast_mut().cast::<()>();
            // SAFETY: as above; `drive` was made for this port.
            unsafe { drive(address, self.simulator.get(*port)) };
        }
    }
}

/// The woven netlist of the module as a simulator; equal modules share its code.
fn simulator(module: &dyn Block, chosen: &Chosen) -> Simulator {
    let netlist = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let build = || {
        let simulator = Simulator::build(chosen.weave(&netlist), &Default::default());
        Rc::new(simulator.unwrap_or_else(|e| panic!("{e}")))
    };
    let built = SIMULATORS.with_borrow_mut(|built| built.entry(netlist.fingerprint()).or_insert_with(build).clone());
    let mut simulator = built.another();
    chosen.drive(&mut simulator);
    simulator
}
