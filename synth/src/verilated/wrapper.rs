//! The text around the design: a Verilog module with plain port names, and a C++ class with an array of words.
use std::fmt::Write;

use warploom_sim::Port;
use warploom_sim::netlist::{Module, NetKind};

use crate::verilog;

/// Ports with their names in the source; the n-th has slot n. The clock is none.
pub fn ports(top: &Module) -> Vec<(String, Port)> {
    let nets = top.ports.iter().map(|&port| &top.nets[port.0 as usize]).filter(|net| net.kind != NetKind::Clock);
    let ports = nets.enumerate().map(|(slot, net)| {
        let port = Port::new(slot, net.width, net.kind == NetKind::Input);
        (net.name.to_string(), port)
    });
    ports.collect()
}

/// Name of a port of the harness.
fn plain(port: Port) -> String {
    format!("{}{}", if port.is_input() { 'i' } else { 'o' }, port.slot())
}

/// `harness.v`: the design with every port renamed.
pub fn harness(top: &Module, ports: &[(String, Port)]) -> String {
    let mut text = String::from("module harness (\n  input wire clock");
    for &(_, port) in ports {
        let direction = if port.is_input() { "input" } else { "output" };
        write!(text, ",\n  {direction} wire [{}:0] {}", port.width() - 1, plain(port)).expect("a string");
    }
    let mut plain_names = ports.iter().map(|&(_, port)| plain(port));
    let connections = top.ports.iter().zip(verilog::port_names(top)).map(|(&id, name)| {
        let clock = top.nets[id.0 as usize].kind == NetKind::Clock;
        let to = if clock { "clock".to_string() } else { plain_names.next().expect("a port") };
        format!("    .{name}({to})")
    });
    let connections = connections.collect::<Vec<_>>().join(",\n");
    write!(text, "\n);\n  {} dut (\n{connections}\n  );\nendmodule\n", top.name).expect("a string");
    text
}

/// `wrapper.cpp`: entry points for `library.rs`.
pub fn wrapper(ports: &[(String, Port)], trace: bool) -> String {
    let of = |input: bool, line: &dyn Fn(Port) -> String| {
        ports.iter().filter(|(_, port)| port.is_input() == input).map(|&(_, port)| line(port)).collect::<String>()
    };
    let drive = of(true, &|port| format!("    top.{} = words[{}];\n", plain(port), port.slot()));
    let sample = of(false, &|port| format!("    words[{}] = top.{};\n", port.slot(), plain(port)));
    let text = include_str!("wrapper.cpp");
    let text = text.replace("/*DRIVE*/", drive.trim()).replace("/*SAMPLE*/", sample.trim());
    format!("#define WORDS {}\n#define TRACE {}\n{text}", ports.len().max(1), u8::from(trace))
}
