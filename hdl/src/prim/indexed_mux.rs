//! Selects one of n words by its number.
//!
//! ```text
//!   inputs[0] --->+------------+
//!   inputs[1] --->| IndexedMux |---> selected
//!      ...        |            |
//!   inputs[n-1] ->+------------+
//!   index -------------^
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `inputs[n]` | w | the words |
//! | `index` | index of n | which one |
//! | `selected` | w | `inputs[index]`, 0 when `index` is n or more |
//!
//! Latency 0.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct IndexedMux {
    pub inputs: Vec<Net<In>>,
    pub index: Net<In>,
    pub selected: Net<Out>,
}

impl IndexedMux {
    /// A multiplexer of `inputs` words of `width` bits.
    pub fn new(width: usize, inputs: usize) -> Self {
        Self { inputs: Net::vec(inputs, width), index: Net::new(index_width(inputs)), selected: Net::new(width) }
    }
}

impl Logic for IndexedMux {
    fn update(&mut self) {
        let input = self.inputs.get(self.index.val().index());
        self.selected.next = input.map_or(Word::new(0, self.selected.width()), |input| input.val());
    }
    fn connect(&mut self) {
        self.selected.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::IndexedMux { width: self.selected.width(), inputs: self.inputs.len() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_and_reads_zero_past_the_end() {
        let mut mux = IndexedMux::new(8, 3);
        mux.connect_all();
        for (input, value) in mux.inputs.iter_mut().zip([0x11, 0x22, 0x33]) {
            input.next = value.into();
        }
        for (index, selected) in [0x11, 0x22, 0x33, 0].into_iter().enumerate() {
            mux.index.next = index.into();
            simulate(&mut mux, 10);
            assert_eq!(mux.selected.val(), selected, "inputs[{index}]");
        }
    }
}
