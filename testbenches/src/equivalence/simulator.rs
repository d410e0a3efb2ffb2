//! Second execution: the generated simulator.
use warploom_sim::netlist::{ModuleId, Netlist};
use warploom_sim::{BuildError, BuildOptions, Simulator};

use super::trace::{Port, Trace};

/// Outputs, and the registers with everything they held.
pub(super) fn run(netlist: &Netlist, stimulus: &Trace, outputs: &[Port]) -> Result<(Trace, Trace), BuildError> {
    let mut registers = vec![];
    collect_registers(netlist, netlist.top, String::new(), &mut registers);
    let observe = registers.iter().map(|name| format!("*{name}")).collect();
    let mut simulator = Simulator::build(netlist, &BuildOptions { observe, ..Default::default() })?;
    let inputs: Vec<_> = stimulus.ports().iter().map(|port| simulator.port(&port.name).expect("an input")).collect();
    let slots: Vec<_> = outputs.iter().map(|port| simulator.port(&port.name).expect("an output")).collect();
    let mut response = Trace::new(outputs.to_vec());
    let observed = simulator.observed().iter();
    let mut state = Trace::new(observed.map(|net| Port { name: net.path.clone(), width: net.width }).collect());
    assert!(state.ports().len() >= registers.len(), "every register is observed");
    for row in stimulus.rows() {
        inputs.iter().zip(row).for_each(|(&port, &value)| simulator.set(port, value));
        simulator.step();
        response.push(slots.iter().map(|&port| simulator.get(port)));
        state.push((0..simulator.observed().len()).map(|i| simulator.observed_value(i)));
    }
    Ok((response, state))
}

/// Hierarchical names of all registers.
fn collect_registers(netlist: &Netlist, id: ModuleId, path: String, names: &mut Vec<String>) {
    let module = netlist.module(id);
    names.extend(module.registers.iter().map(|register| format!("{path}.{}", register.name)));
    for instance in &module.instances {
        collect_registers(netlist, instance.module, format!("{path}.{}", instance.name), names);
    }
}
