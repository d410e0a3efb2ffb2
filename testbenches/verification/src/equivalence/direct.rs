//! First execution: rust-hdl's own `update()`, called until nothing changes.
use rust_hdl::prelude::{Atom, AtomKind, Block, In, Probe};

use super::port::{Drive, driver, number, port_name};
use super::trace::{Port, Trace};

/// A module whose ports are driven and read by name.
pub struct Direct {
    block: Box<dyn Block>,
    clock: Option<Input>,
    inputs: Vec<Input>,
    outputs: Vec<(Port, *const dyn Atom)>,
}

/// An input port: where it is, and how a value gets into it.
struct Input {
    name: String,
    address: *mut (),
    drive: Drive,
}

impl Direct {
    /// Takes a module before its `connect_all`.
    pub fn new(mut block: Box<dyn Block>) -> Self {
        block.connect_all();
        let mut ports = Ports { depth: 0, bundles: vec![], clock: None, inputs: vec![], outputs: vec![] };
        block.accept("top", &mut ports);
        let Ports { clock, inputs, outputs, .. } = ports;
        let mut direct = Self { block, clock, inputs, outputs };
        direct.settle();
        direct
    }

    /// The module itself, for the elaborator.
    pub fn block(&self) -> &dyn Block {
        &*self.block
    }

    /// The output ports.
    pub fn outputs(&self) -> impl Iterator<Item = &Port> {
        self.outputs.iter().map(|(port, _)| port)
    }

    /// Runs the whole trace; gives what the outputs are in every cycle before its edge.
    pub fn run(&mut self, stimulus: &Trace) -> Trace {
        let mut response = Trace::new(self.outputs().cloned().collect());
        let columns: Vec<_> = self.inputs.iter().map(|input| stimulus.column(&input.name)).collect();
        for row in stimulus.rows() {
            for (input, column) in self.inputs.iter().zip(&columns) {
                // SAFETY: `address` is a field inside `block`, of the type that `drive` expects (see `driver`); nothing
                // else borrows the block now, and it has not moved: a `Vec` of ports never grows after construction.
                unsafe { (input.drive)(input.address, row[*column]) };
            }
            self.settle();
            // SAFETY: as above; only read.
            response.push(self.outputs.iter().map(|(_, atom)| number(unsafe { &**atom })));
            for level in [1, 0] {
                if let Some(clock) = &self.clock {
                    // SAFETY: as above.
                    unsafe { (clock.drive)(clock.address, level) };
                }
                self.settle();
            }
        }
        response
    }

    fn settle(&mut self) {
        for _ in 0..10_000 {
            self.block.update_all();
            if !self.block.has_changed() {
                return;
            }
        }
        panic!("update() does not settle");
    }
}

/// Collects the ports of the outermost module.
struct Ports {
    depth: usize,
    /// Those around the port.
    bundles: Vec<String>,
    clock: Option<Input>,
    inputs: Vec<Input>,
    outputs: Vec<(Port, *const dyn Atom)>,
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
        if self.depth > 1 {
            return;
        }
        let name = port_name(&self.bundles, name);
        match atom.kind() {
            AtomKind::InputParameter => {
                let address = std::ptr::from_ref(atom).cast::<()>().cast_mut();
                let input = Input { name, address, drive: driver::<In>(atom) };
                match atom.descriptor().name.as_str() {
                    "clock" => self.clock = Some(input),
                    _ => self.inputs.push(input),
                }
            }
            AtomKind::OutputParameter => {
                // SAFETY: only the lifetime is given up; `Direct` keeps the block that the atom lives in.
                let atom = unsafe { std::mem::transmute::<*const (dyn Atom + '_), *const (dyn Atom + 'static)>(atom) };
                self.outputs.push((Port { name, width: unsafe { &*atom }.bits() }, atom));
            }
            _ => {}
        }
    }
}
