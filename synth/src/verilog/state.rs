//! Registers and memories.
use warploom_sim::netlist::{ExprId, Memory, Op, Register, WritePort};

use super::module::Printer;

/// `[7:0] ` in a declaration; nothing for a single bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

impl Printer<'_> {
    pub(super) fn declare_register(&self, register: &Register) -> String {
        let (name, width) = (self.net(register.q), register.width);
        format!("  reg {}{name} = {};\n", range(width), self.constant(register.initial, width, Some(register.q)))
    }

    /// Conditions under which a register takes a value, one per line; none of them: it holds.
    pub(super) fn register(&self, register: &Register) -> String {
        let name = self.net(register.q);
        let mut text = format!("\n  always @(posedge {})\n", self.net(register.clock));
        let mut otherwise = "";
        if let Some(reset) = register.reset {
            let initial = self.constant(register.initial, register.width, Some(register.q));
            text += &format!("    if ({}) {name} <= {initial};\n", self.expr(reset).flat(true));
            otherwise = "else ";
        }
        if let Some(enable) = register.enable {
            let head = format!("{otherwise}if ({}) {name}", self.expr(enable).flat(true));
            return text + &self.choice_value(register.d, Some(register.q)).statement(4, &head, "<=");
        }
        let (choices, default) = match self.names[register.d.0 as usize] {
            Some(_) => (vec![], register.d),
            None => self.choices(register.d, Some(register.q)),
        };
        for (condition, value) in choices {
            text += &value.statement(4, &format!("{otherwise}if ({}) {name}", condition.flat(true)), "<=");
            otherwise = "else ";
        }
        if !matches!(self.module.expr(default).op, Op::Net(net) if net == register.q) || otherwise.is_empty() {
            let default = self.choice_value(default, Some(register.q));
            text += &default.statement(4, &format!("{otherwise}{name}"), "<=");
        }
        text
    }

    pub(super) fn declare_memory(&self, i: usize, memory: &Memory) -> String {
        let (depth, width) = (memory.depth, memory.width);
        let mut text = format!("  reg {}{} [0:{}];\n", range(width), self.memories[i], depth - 1);
        for read in memory.reads.iter().filter(|read| read.enable.is_some()) {
            text += &format!("  reg {}{} = {width}'d0;\n", range(width), self.net(read.data));
        }
        text
    }

    /// All memories start at 0 in simulation. Synthesis leaves memories without a reset anyway, and yosys takes time
    /// quadratic in the rows to unroll the loop (over ten minutes for the `paper` core, against seconds without).
    pub(super) fn clear_memories(&self, row: &str) -> String {
        let mut text = format!("`ifndef SYNTHESIS\n  integer {row};\n  initial begin\n");
        for (name, memory) in self.memories.iter().zip(&self.module.memories) {
            let (depth, width) = (memory.depth, memory.width);
            text += &format!("    for ({row} = 0; {row} < {depth}; {row} = {row} + 1) {name}[{row}] = {width}'d0;\n");
        }
        text + "  end\n`endif\n"
    }

    /// `address < depth`, unless that is always so.
    fn within(&self, memory: &Memory, address: ExprId) -> Option<String> {
        let width = self.module.expr(address).width;
        let always = width < 32 && 1 << width <= memory.depth;
        (!always).then(|| {
            format!("({} < {})", self.expr(address).flat(false), self.constant(memory.depth as u64, width, None))
        })
    }

    /// What a read port gives now.
    pub(super) fn row(&self, i: usize, port: usize) -> String {
        let memory = &self.module.memories[i];
        let address = memory.reads[port].address;
        let row = format!("{}[{}]", self.memories[i], self.expr(address).flat(true));
        match self.within(memory, address) {
            Some(within) => format!("{within} ? {row} : {}'d0", memory.width),
            None => row,
        }
    }

    pub(super) fn memory(&self, i: usize, memory: &Memory) -> String {
        let edge = format!("\n  always @(posedge {})", self.net(memory.clock));
        let mut text = String::new();
        for (port, read) in memory.reads.iter().enumerate() {
            if let Some(enable) = read.enable {
                text += &format!("{edge}\n    if ({})\n", self.expr(enable).flat(true));
                text += &format!("      {} <= {};\n", self.net(read.data), self.row(i, port));
            }
        }
        if memory.writes.is_empty() {
            return text;
        }
        text += &format!("{edge} begin\n");
        for write in &memory.writes {
            text += &self.write(i, memory, write);
        }
        text + "  end\n"
    }

    fn write(&self, i: usize, memory: &Memory, write: &WritePort) -> String {
        let row = format!("{}[{}]", self.memories[i], self.expr(write.address).flat(true));
        let enable = match self.within(memory, write.address) {
            Some(within) => format!("{} && {within}", self.expr(write.enable).flat(false)),
            None => self.expr(write.enable).flat(true),
        };
        let Some(mask) = write.mask else {
            return self.expr(write.data).statement(4, &format!("if ({enable}) {row}"), "<=");
        };
        let mut text = format!("    if ({enable}) begin\n");
        for byte in 0..memory.width / 8 {
            let (enable, data) = (self.slice(mask, byte, 1), self.slice(write.data, 8 * byte, 8));
            let bits = match memory.width {
                8 => String::new(),
                _ => format!("[{}:{}]", 8 * byte + 7, 8 * byte),
            };
            text += &format!("      if ({enable}) {row}{bits} <= {data};\n");
        }
        text + "    end\n"
    }
}
