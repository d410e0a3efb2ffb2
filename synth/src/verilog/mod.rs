//! Verilog from the netlist (docs/decisions/0004-verilog-from-the-netlist.md).
//!
//! ```text
//!  Netlist --per module--> names        names.rs
//!                          shared wires sharing.rs
//!                          expressions  expression.rs, functions.rs --Doc--> layout.rs
//!                          state        state.rs
//!                          the module   module.rs
//! ```
//!
//! The text is Verilog-2005: one module per type, children first, exact widths, every compound operand in
//! parentheses, and the same bytes on every run.
use std::collections::BTreeMap;

use warploom_sim::netlist::{Module, Netlist};

mod expression;
mod functions;
mod layout;
mod module;
mod names;
mod sharing;
mod state;
#[cfg(test)]
mod tests;

/// What Verilator's lint is told to accept, with the reason.
const WAIVERS: &[(&str, &str)] = &[
    ("DECLFILENAME", "one file holds all modules of the design"),
    ("UNUSEDSIGNAL", "not every bit of every field and every output of a shared part is needed everywhere"),
    ("SYMRSVDWORD", "names are those of the Rust source; Verilator renames those that C++ reserves"),
];

/// What is in modules that a netlist only knows from outside, by their names.
pub type Bodies = BTreeMap<String, String>;

/// The whole design as Verilog.
pub fn export(netlist: &Netlist) -> String {
    text(netlist, false, &Bodies::new())
}

/// The same with these bodies.
pub fn export_with(netlist: &Netlist, bodies: &Bodies) -> String {
    text(netlist, false, bodies)
}

/// The same with the [assertions](crate::assertions) of its modules, which `FORMAL` switches on.
pub fn export_with_assertions(netlist: &Netlist) -> String {
    text(netlist, true, &Bodies::new())
}

fn text(netlist: &Netlist, asserts: bool, bodies: &Bodies) -> String {
    let mut text = format!(
        "// {}: Verilog exported by warploom. Do not edit: change the Rust source instead.\n",
        netlist.top().name
    );
    text += "// Clocked by the rising edge of `clock`; all state starts at the value in its declaration.\n//\n";
    if asserts {
        text += "// Assertions are in force where `FORMAL` is defined: iverilog -g2012 -DFORMAL, verilator --assert -DFORMAL,\n";
        text += "// yosys read_verilog -sv -formal. They hold in the core, outside reset.\n//\n";
    }
    text += "// Accepted findings of verilator -Wall:\n";
    for (rule, reason) in WAIVERS {
        text += &format!("//   {rule}: {reason}\n");
    }
    for (rule, _) in WAIVERS {
        text += &format!("/* verilator lint_off {rule} */\n");
    }
    for module in &netlist.modules {
        text += &format!("\n// {}, from {}\n", module.source, names::source_file(&module.source));
        text += &module::print(netlist, module, asserts, bodies);
    }
    text
}

/// Names of a module's ports in the exported Verilog, in the order of [`Module::ports`].
pub fn port_names(module: &Module) -> Vec<String> {
    let nets = names::nets(module, &mut names::Names::default());
    module.ports.iter().map(|port| nets[port.0 as usize].clone()).collect()
}

/// Names of a module's instances in the exported Verilog, in the order of [`Module::instances`].
pub fn instance_names(module: &Module) -> Vec<String> {
    let mut taken = names::Names::default();
    names::nets(module, &mut taken);
    names::instances(module, &mut taken)
}

/// Names of a module's memories in the exported Verilog, in the order of [`Module::memories`].
pub fn memory_names(module: &Module) -> Vec<String> {
    let mut taken = names::Names::default();
    names::nets(module, &mut taken);
    names::instances(module, &mut taken);
    names::memories(module, &mut taken)
}
