//! Registers and memories.
use warploom_sim::netlist::{ExprId, Memory, Register};

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

    pub(super) fn register(&self, register: &Register) -> String {
        let name = self.net(register.q);
        let mut text = format!("\n  always @(posedge {})\n", self.net(register.clock));
        let mut head = String::new();
        if let Some(reset) = register.reset {
            let initial = self.constant(register.initial, register.width, Some(register.q));
            text += &format!("    if ({}) {name} <= {initial};\n", self.expr(reset).flat(true));
            head += "else ";
        }
        if let Some(enable) = register.enable {
            head += &format!("if ({}) ", self.expr(enable).flat(true));
        }
        text + &self.value(register.d, Some(register.q)).statement(4, &format!("{head}{name}"), "<=")
    }

    pub(super) fn declare_memory(&self, i: usize, memory: &Memory) -> String {
        let (name, row) = &self.memories[i];
        let (depth, width) = (memory.depth, memory.width);
        let mut text = format!("  reg {}{name} [0:{}];\n  integer {row};\n", range(width), depth - 1);
        text += &format!("  initial for ({row} = 0; {row} < {depth}; {row} = {row} + 1) {name}[{row}] = {width}'d0;\n");
        for read in memory.reads.iter().filter(|read| read.enable.is_some()) {
            text += &format!("  reg {}{} = {width}'d0;\n", range(width), self.net(read.data));
        }
        text
    }

    /// `address < depth`, unless that is always so.
    fn within(&self, memory: &Memory, address: ExprId) -> Option<String> {
        let width = self.module.expr(address).width;
        let always = width < 32 && 1 << width <= memory.depth;
        (!always).then(|| format!("({} < {})", self.expr(address).flat(false), self.constant(memory.depth as u64, width, None)))
    }

    /// What a read port gives now.
    pub(super) fn row(&self, i: usize, port: usize) -> String {
        let memory = &self.module.memories[i];
        let address = memory.reads[port].address;
        let row = format!("{}[{}]", self.memories[i].0, self.expr(address).flat(true));
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
            let row = format!("{}[{}]", self.memories[i].0, self.expr(write.address).flat(true));
            let enable = match self.within(memory, write.address) {
                Some(within) => format!("{} && {within}", self.expr(write.enable).flat(false)),
                None => self.expr(write.enable).flat(true),
            };
            match write.mask {
                None => {
                    text += &format!("    if ({enable})\n");
                    text += &self.expr(write.data).statement(6, &row, "<=");
                }
                Some(mask) => {
                    text += &format!("    if ({enable}) begin\n");
                    for byte in 0..memory.width / 8 {
                        let lane = self.slice(write.data, 8 * byte, 8);
                        let enable = self.slice(mask, byte, 1);
                        let bytes = if memory.width == 8 { String::new() } else { format!("[{}:{}]", 8 * byte + 7, 8 * byte) };
                        text += &format!("      if ({enable}) {row}{bytes} <= {lane};\n");
                    }
                    text += "    end\n";
                }
            }
        }
        text + "  end\n"
    }
}
