//! Netlists built by hand and at random.
#![allow(dead_code)] // every test file uses a part of it

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use warploom_sim::netlist::*;

pub mod compare;
pub mod design;
pub mod designs;
pub mod equivalence;
pub mod random;

/// A module under construction.
pub struct Builder {
    pub module: Module,
}

pub fn segment(field: &str, index: &[usize]) -> Segment {
    Segment { field: field.into(), index: index.to_vec() }
}

impl Builder {
    pub fn new(name: &str) -> Self {
        let mut this = Self {
            module: Module {
                name: name.into(),
                source: name.into(),
                nets: vec![],
                ports: vec![],
                exprs: vec![],
                instances: vec![],
                registers: vec![],
                memories: vec![],
            },
        };
        let clock = this.net(vec![segment("clock", &[])], 1, NetKind::Clock, Driver::Parent);
        this.module.ports.push(clock);
        this
    }

    pub fn net(&mut self, name: Vec<Segment>, width: usize, kind: NetKind, driver: Driver) -> NetId {
        self.module.nets.push(Net { name: NetName(name), width, kind, driver, variants: None });
        NetId(self.module.nets.len() as u32 - 1)
    }

    pub fn expr(&mut self, width: usize, op: Op) -> ExprId {
        assert!((1..=64).contains(&width));
        let expr = Expr { width, op };
        if let Some(i) = self.module.exprs.iter().position(|other| *other == expr) {
            return ExprId(i as u32);
        }
        self.module.exprs.push(expr);
        ExprId(self.module.exprs.len() as u32 - 1)
    }

    pub fn width(&self, id: ExprId) -> usize {
        self.module.expr(id).width
    }

    pub fn constant(&mut self, width: usize, value: u64) -> ExprId {
        self.expr(width, Op::Const(value & mask(width)))
    }

    pub fn input(&mut self, name: &str, index: &[usize], width: usize) -> ExprId {
        let net = self.net(vec![segment(name, index)], width, NetKind::Input, Driver::Parent);
        self.module.ports.push(net);
        self.expr(width, Op::Net(net))
    }

    pub fn output(&mut self, name: &str, index: &[usize], value: ExprId) {
        let width = self.width(value);
        let net = self.net(vec![segment(name, index)], width, NetKind::Output, Driver::Expr(value));
        self.module.ports.push(net);
    }

    pub fn local(&mut self, name: &str, index: &[usize], value: ExprId) -> ExprId {
        let width = self.width(value);
        let net = self.net(vec![segment(name, index)], width, NetKind::Local, Driver::Expr(value));
        self.expr(width, Op::Net(net))
    }

    /// A register with its next value still to be connected: its position and its value.
    pub fn register(&mut self, name: &str, index: &[usize], width: usize, initial: u64) -> (usize, ExprId) {
        let position = self.module.registers.len();
        let name = segment(name, index);
        let q =
            self.net(vec![name.clone(), segment("q", &[])], width, NetKind::RegisterOutput(position), Driver::State);
        let value = self.expr(width, Op::Net(q));
        self.module.registers.push(Register {
            name: NetName(vec![name]),
            width,
            initial: initial & mask(width),
            clock: NetId(0),
            reset: None,
            enable: None,
            d: value,
            q,
        });
        (position, value)
    }

    /// A memory without ports: its position.
    pub fn memory(&mut self, name: &str, index: &[usize], width: usize, depth: usize) -> usize {
        self.module.memories.push(Memory {
            name: NetName(vec![segment(name, index)]),
            width,
            depth,
            clock: NetId(0),
            reads: vec![],
            writes: vec![],
        });
        self.module.memories.len() - 1
    }

    pub fn read(&mut self, memory: usize, address: ExprId, enable: Option<ExprId>) -> ExprId {
        let (m, port) = (&self.module.memories[memory], self.module.memories[memory].reads.len());
        let (mut name, width) = (m.name.0.clone(), m.width);
        name.push(segment("read_data", &[port]));
        let data = self.net(name, width, NetKind::ReadData(memory, port), Driver::State);
        self.module.memories[memory].reads.push(ReadPort { address, enable, data });
        self.expr(width, Op::Net(data))
    }

    /// A child with a net for each of its ports; outputs as expressions by port name.
    pub fn instance(
        &mut self,
        name: Segment,
        id: ModuleId,
        module: &Module,
        mut input: impl FnMut(&mut Self, &Net) -> ExprId,
    ) -> Vec<(String, ExprId)> {
        let (i, mut ports, mut outputs) = (self.module.instances.len(), vec![], vec![]);
        for &port in &module.ports {
            let port = module.net(port);
            let path = std::iter::once(name.clone()).chain(port.name.0.clone()).collect();
            ports.push(match port.kind {
                NetKind::Clock => NetId(0),
                NetKind::Input => {
                    let value = input(self, port);
                    assert_eq!(self.width(value), port.width);
                    self.net(path, port.width, NetKind::ChildInput(i), Driver::Expr(value))
                }
                _ => {
                    let net = self.net(path, port.width, NetKind::ChildOutput(i), Driver::Child);
                    outputs.push((port.name.to_string(), self.expr(port.width, Op::Net(net))));
                    net
                }
            });
        }
        self.module.instances.push(Instance { name, module: id, ports });
        outputs
    }
}

pub fn mask(width: usize) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A compiler that does this with straight-line code before it compiles it.
pub fn compiler(directory: &Path, does: &str) -> PathBuf {
    let path = directory.join("rustc");
    let is_straight = "grep -q 'fn warploom_straight' simulator.rs 2>/dev/null";
    fs::write(&path, format!("#!/bin/sh\nif {is_straight}; then {does}; fi\nexec \"${{RUSTC:-rustc}}\" \"$@\"\n"))
        .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path
}
