//! [`Imaging`]: what a run gives to the core, as text files for another testbench of the same core.
//!
//! `$readmemh` of Verilog reads them: hexadecimal numbers, `@` before an index, comments behind `//`.
//!
//! | file | what |
//! |---|---|
//! | `program.hex` | a row per instruction: the values of the [`INSTRUCTION_PORTS`] |
//! | `launchN.hex` | of the launch N, from 1: the values of the [`LAUNCH_PORTS`] |
//! | `memoryN.hex` | global memory before it; words by their index, what is left out is zero |
//! | `expectedN.hex` | global memory after it |
use std::fmt::Write;

use warploom_hdl::config::CoreConfig;
use warploom_sim::Engine;

use super::inputs::{self, INSTRUCTION_PORTS, LAUNCH_PORTS};
use super::{Device, DeviceError, GlobalMemory, Launch, LaunchStats, RtlDevice};
use crate::loader::Program;

/// A device, and the files of what it has been given.
pub struct Imaging<'d, 'a, E> {
    device: &'d mut RtlDevice<'a, E>,
    files: Vec<(String, String)>,
    launches: usize,
}

impl<'d, 'a, E: Engine> Imaging<'d, 'a, E> {
    /// Nothing yet.
    pub fn new(device: &'d mut RtlDevice<'a, E>) -> Self {
        Self { device, files: vec![], launches: 0 }
    }

    /// Names and contents. A launch that was stopped has left no memory to expect.
    pub fn into_files(self) -> Vec<(String, String)> {
        self.files
    }

    fn add_memory(&mut self, name: &str) {
        let text = memory(self.device.memory());
        self.files.push((format!("{name}{}.hex", self.launches), text));
    }
}

impl<E: Engine> Device for Imaging<'_, '_, E> {
    fn config(&self) -> &CoreConfig {
        self.device.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.device.memory()
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.device.read(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.device.write(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        self.device.load(program)?;
        let mut text = format!("// {}\n@0\n", INSTRUCTION_PORTS.join(" "));
        for index in 0..program.words.len() {
            let [word, rpc, rpc_valid, lpc, flags @ ..] = inputs::instruction(program, self.config(), index);
            let [uniform, subdividable, spin, join, data_dependent] = flags;
            let _ = writeln!(
                text,
                "{word:08x} {rpc:08x} {rpc_valid} {lpc:08x} {uniform} {subdividable} {spin} {join} {data_dependent}"
            );
        }
        self.files.push(("program.hex".into(), text));
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.launches += 1;
        let mut text = String::new();
        for (port, value) in LAUNCH_PORTS.iter().zip(self.device.launch_inputs(launch)) {
            let _ = writeln!(text, "{value:08x} // {port}");
        }
        self.files.push((format!("launch{}.hex", self.launches), text));
        self.add_memory("memory");
        let stats = self.device.launch(launch)?;
        self.add_memory("expected");
        Ok(stats)
    }
}

/// The words that are not zero, a line each.
fn memory(memory: &GlobalMemory) -> String {
    let words = memory.bytes().chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let mut text = String::new();
    let mut next = None;
    for (index, word) in words.enumerate().filter(|(_, word)| *word != 0) {
        if next != Some(index) {
            let _ = writeln!(text, "@{index:x}");
        }
        let _ = writeln!(text, "{word:08x}");
        next = Some(index + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::GLOBAL_BASE;

    #[test]
    fn zeros_are_left_out() {
        let mut global = GlobalMemory::new(64);
        assert_eq!(memory(&global), "");
        global.write_words(GLOBAL_BASE + 8, &[5, 0xffff_ffff, 0, 0x10]);
        global.write_words(GLOBAL_BASE + 60, &[1]);
        assert_eq!(memory(&global), "@2\n00000005\nffffffff\n@5\n00000010\n@f\n00000001\n");
    }
}
