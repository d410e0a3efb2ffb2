//! Second and third execution: the generated simulator, with all passes and without any.
use std::cell::OnceCell;

use warploom_sim::netlist::{ModuleId, Netlist};
use warploom_sim::{BuildOptions, Passes, Simulator};

use super::trace::{Port, Trace};

/// The two, generated once.
#[derive(Default)]
pub(super) struct Simulators {
    full: OnceCell<Result<Simulator, String>>,
    plain: OnceCell<Result<Simulator, String>>,
}

impl Simulators {
    /// Outputs, and the registers with everything they held.
    pub fn run(&self, netlist: &Netlist, stimulus: &Trace, outputs: &[Port]) -> Result<(Trace, Trace), String> {
        let mut registers = vec![];
        collect_registers(netlist, netlist.top, String::new(), &mut registers);
        let observe = registers.iter().map(|name| format!("*{name}")).collect();
        let options = BuildOptions { observe, ..Default::default() };
        let mut simulator = anew(&self.full, netlist, &options)?;
        let observed = simulator.observed().iter();
        let mut state = Trace::new(observed.map(|net| Port { name: net.path.clone(), width: net.width }).collect());
        assert!(state.ports().len() >= registers.len(), "every register is observed");
        let response = respond(&mut simulator, stimulus, outputs, |simulator| {
            state.push((0..simulator.observed().len()).map(|i| simulator.observed_value(i)));
        });
        Ok((response, state))
    }

    /// Outputs of the one without passes.
    pub fn run_plain(&self, netlist: &Netlist, stimulus: &Trace, outputs: &[Port]) -> Result<Trace, String> {
        let options = BuildOptions { passes: Passes::NONE, ..Default::default() };
        let mut simulator = anew(&self.plain, netlist, &options)?;
        Ok(respond(&mut simulator, stimulus, outputs, |_| {}))
    }
}

/// A simulator in its initial state.
fn anew(
    built: &OnceCell<Result<Simulator, String>>,
    netlist: &Netlist,
    options: &BuildOptions,
) -> Result<Simulator, String> {
    let build = || Simulator::build(netlist, options).map_err(|error| error.to_string());
    built.get_or_init(build).as_ref().map(Simulator::another).map_err(String::clone)
}

fn respond(
    simulator: &mut Simulator,
    stimulus: &Trace,
    outputs: &[Port],
    mut after_cycle: impl FnMut(&Simulator),
) -> Trace {
    let inputs: Vec<_> = stimulus.ports().iter().map(|port| simulator.port(&port.name).expect("an input")).collect();
    let slots: Vec<_> = outputs.iter().map(|port| simulator.port(&port.name).expect("an output")).collect();
    let mut response = Trace::new(outputs.to_vec());
    for row in stimulus.rows() {
        inputs.iter().zip(row).for_each(|(&port, &value)| simulator.set(port, value));
        simulator.step();
        response.push(slots.iter().map(|&port| simulator.get(port)));
        after_cycle(simulator);
    }
    response
}

/// Hierarchical names of all registers.
fn collect_registers(netlist: &Netlist, id: ModuleId, path: String, names: &mut Vec<String>) {
    let module = netlist.module(id);
    names.extend(module.registers.iter().map(|register| format!("{path}.{}", register.name)));
    for instance in &module.instances {
        collect_registers(netlist, instance.module, format!("{path}.{}", instance.name), names);
    }
}
