//! Memories that are apart, by a model: what their accesses take.
//!
//! A read counts where its address is another than in the cycle before; with an enable, in every cycle in which it is set. A
//! write takes what a read takes, in each of the copies that further read ports are.
use super::pins::Pins;
use super::recorder::Twin;

/// The ports of all memories of a block that are apart.
pub struct MemoriesAtWork {
    pins: Vec<(String, usize)>,
    ports: Vec<Port>,
    energy_pj: f64,
}

/// A port, and what an access takes.
struct Port {
    access_pj: f64,
    access: Access,
}

/// When there is one; pins by number.
enum Access {
    /// While an enable is set.
    Enabled(usize),
    /// Where an address is another than it was last.
    Moved { address: usize, last: u64 },
    /// In every cycle, or in none.
    Always(bool),
}

impl Access {
    fn is_there(&mut self, inputs: &[u64]) -> bool {
        match self {
            Self::Enabled(enable) => inputs[*enable] != 0,
            Self::Moved { address, last } => std::mem::replace(last, inputs[*address]) != inputs[*address],
            Self::Always(is_there) => *is_there,
        }
    }
}

impl MemoriesAtWork {
    /// Those of a block with these pins.
    pub fn new(pins: &Pins) -> Self {
        let mut at_work = Self { pins: vec![], ports: vec![], energy_pj: 0.0 };
        for (name, memory) in &pins.memories {
            let access_pj = memory.read_energy_pj();
            for read in 0..memory.reads {
                let access = at_work.read(name, read, pins);
                at_work.ports.push(Port { access_pj, access });
            }
            for write in 0..memory.writes {
                let access = at_work.write(name, write, pins);
                at_work.ports.push(Port { access_pj: access_pj * memory.reads.max(1) as f64, access });
            }
        }
        at_work
    }

    /// An enable that is always set is none; an address that has no net stays what it is.
    fn read(&mut self, memory: &str, read: usize, pins: &Pins) -> Access {
        let mut pin = |field: &str| self.pin(format!("{memory}.{field}_{read}"), pins);
        let enable = pin("read_enable").map(Access::Enabled);
        let moved = |address| Access::Moved { address, last: 0 };
        enable.or_else(|| pin("read_address").map(moved)).unwrap_or(Access::Always(false))
    }

    fn write(&mut self, memory: &str, write: usize, pins: &Pins) -> Access {
        let enable = format!("{memory}.write_enable_{write}");
        let always = pins.constants.get(&enable) == Some(&1);
        self.pin(enable, pins).map_or(Access::Always(always), Access::Enabled)
    }

    fn pin(&mut self, name: String, pins: &Pins) -> Option<usize> {
        let width = pins.signals.get(&name)?.width;
        self.pins.push((name, width));
        Some(self.pins.len() - 1)
    }

    /// Of all accesses that count, in pJ.
    pub fn energy_pj(&self) -> f64 {
        self.energy_pj
    }
}

impl Twin for MemoriesAtWork {
    fn inputs(&self) -> Vec<(String, usize)> {
        self.pins.clone()
    }

    fn outputs(&self) -> Vec<String> {
        vec![]
    }

    fn cycle(&mut self, inputs: &[u64]) {
        for port in &mut self.ports {
            if port.access.is_there(inputs) {
                self.energy_pj += port.access_pj;
            }
        }
    }

    fn output(&mut self, _: usize) -> u64 {
        unreachable!("a model of memories is asked for nothing")
    }

    fn forget(&mut self) {
        self.energy_pj = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::config::CoreConfig;
    use warploom_sim::netlist::{Expr, ExprId, Netlist, Op};
    use warploom_synth::memories::Large;

    use super::*;
    use crate::elaborate::{elaborate, module};

    /// Of the masks of a column: four bits of a macro's 64.
    const ACCESS: f64 = 39.0 * 4.0 / 64.0;

    fn block(name: &str) -> Netlist {
        elaborate(name, (module(name).unwrap().build)(&CoreConfig::tiny())).unwrap()
    }

    /// The memories of a block, whatever their size.
    fn of(block: &Netlist) -> MemoriesAtWork {
        MemoriesAtWork::new(&Pins::new(block, "block", Large::from(1)))
    }

    fn given(memories: &MemoriesAtWork) -> Vec<String> {
        memories.inputs().into_iter().map(|(pin, _)| pin).collect()
    }

    #[test]
    fn a_read_is_another_address_and_a_write_reaches_every_copy() {
        let mut column = of(&block("thread_column"));
        assert_eq!(given(&column), ["masks.read_address_0", "masks.read_address_1", "masks.write_enable_0"]);
        for (inputs, accesses) in
            [([0, 0, 0], 0.0), ([1, 0, 0], 1.0), ([1, 0, 0], 0.0), ([2, 1, 0], 2.0), ([2, 1, 1], 2.0)]
        {
            column.forget();
            column.cycle(&inputs);
            assert_eq!(column.energy_pj(), accesses * ACCESS, "{inputs:?}");
        }
    }

    #[test]
    fn a_write_that_is_always_enabled_is_one_in_every_cycle() {
        // In two cycles, in two copies.
        for (enable, accesses) in [(0, 0.0), (1, 4.0)] {
            let mut block = block("thread_column");
            let column = &mut block.modules[block.top.0 as usize];
            column.exprs.push(Expr { width: 1, op: Op::Const(enable) });
            column.memories[0].writes[0].enable = ExprId(column.exprs.len() as u32 - 1);
            let mut column = of(&block);
            assert_eq!(given(&column), ["masks.read_address_0", "masks.read_address_1"]);
            column.cycle(&[0, 0]);
            column.cycle(&[0, 0]);
            assert_eq!(column.energy_pj(), accesses * ACCESS, "{enable}");
        }
    }
}
