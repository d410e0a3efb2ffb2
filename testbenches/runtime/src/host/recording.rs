//! The inputs of a core, cycle by cycle, to drive another execution of the same hardware with.
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port};

use super::inputs::{INSTRUCTION_PORTS, LAUNCH_PORTS};

/// The core's other inputs, without the clock; `response_data` is an array of words.
const INPUTS: [&str; 7] =
    ["reset", "load_enable", "load_address", "launch_start", "request_ready", "response_valid", "response_id"];

/// Inputs over time. [`push`](Self::push) after every cycle, as an [`Observer`](super::Observer) of the device.
#[derive(Clone, Debug)]
pub struct Recording {
    inputs: Vec<(String, Port)>,
    rows: Vec<Vec<u64>>,
}

impl Recording {
    /// Nothing yet.
    ///
    /// # Panics
    /// If the engine does not run the core that `config` describes.
    pub fn new(engine: &impl Engine, config: &CoreConfig) -> Self {
        let words = (0..config.line_words()).map(|word| format!("response_data[{word}]"));
        let named = INPUTS.into_iter().chain(INSTRUCTION_PORTS).chain(LAUNCH_PORTS).map(String::from);
        let names = named.chain(words);
        let inputs = names.map(|name| {
            let port = engine.port(&name).unwrap_or_else(|| panic!("the core has no input {name}"));
            (name, port)
        });
        Self { inputs: inputs.collect(), rows: Vec::new() }
    }

    /// Adds the inputs of the cycle just simulated.
    pub fn push(&mut self, engine: &impl Engine) {
        self.rows.push(self.inputs.iter().map(|(_, port)| engine.get(*port)).collect());
    }

    /// Name and width of every input.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, usize)> {
        self.inputs.iter().map(|(name, port)| (name.as_str(), port.width()))
    }

    /// A row of values per cycle, in the order of [`inputs`](Self::inputs).
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }
}
