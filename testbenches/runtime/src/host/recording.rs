//! The inputs of a core, cycle by cycle, to drive another execution of the same hardware with.
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port};

/// The core's inputs without the clock; `response_data` is an array of words.
const INPUTS: &str = "reset load_enable load_address load_word load_rpc load_rpc_valid load_lpc \
                      load_uniform load_subdividable load_data_dependent launch_start kernel_entry_pc \
                      kernel_grid_x kernel_grid_y kernel_grid_z kernel_block_x kernel_block_y kernel_block_z \
                      kernel_threads_per_cta kernel_warps_per_cta kernel_resident_ctas kernel_arguments \
                      kernel_shared_bytes kernel_global_limit kernel_compact kernel_permute request_ready response_valid \
                      response_id";

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
        let names = INPUTS.split_whitespace().map(String::from).chain(words);
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
