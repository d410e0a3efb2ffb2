//! The pins of a channel of DRAM as ports of a module.
use warploom_hdl::memory_system::dram::DramCommand;
use warploom_runtime::host::dram::DramPins;

use crate::module_simulator::ModuleSimulator;

/// What a module says on the ports `bus_*` in this cycle, so many words of data in a clock; `index` is that of the channel, as in `[2]`, if there are several.
pub fn pins(module: &ModuleSimulator, beat_words: usize, index: &str) -> DramPins {
    let of = |field: &str| module.get(&format!("bus_{field}{index}"));
    let words = |field: &str| {
        (0..beat_words).map(|word| module.get(&format!("bus_{field}{index}[{word}]"))).collect::<Vec<_>>()
    };
    DramPins {
        command: DramCommand::VARIANTS[of("command")],
        bank: of("bank"),
        row: of("row"),
        column: of("column"),
        data: words("data").into_iter().map(|word| word as u32).collect(),
        mask: words("mask").into_iter().map(|mask| mask as u8).collect(),
    }
}
