//! Selects one of several words by a one-hot select.
//!
//! ```text
//!                +-----------+
//!  inputs[i] --->| OneHotMux |---> selected
//!     select --->|           |
//!                +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `inputs[i]` | w | candidates |
//! | `select` | n | one-hot, or 0 |
//! | `selected` | w | the selected input; 0 when none is; the OR of them when several are |
//!
//! Latency 0. And-or: shallower than decoding an index first, for arbiters whose grant is one-hot anyway.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct OneHotMux {
        pub inputs: Vec<Net<In>> = Net::vec(inputs, width),
        pub select: Net<In> = inputs,
        pub selected: Net<Out> = width,

        gated: Vec<Net<Local>> = Net::vec(inputs, width),
    }
    /// A multiplexer of `inputs` words of `width` bits.
    pub fn new(width: usize, inputs: usize) {}
}

impl Logic for OneHotMux {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OneHotMux");
        self.selected.next = 0.into();
        for i in 0..self.inputs.len() {
            self.gated[i].next = 0.into();
            if self.select.val().get_bit(i) {
                self.gated[i].next = self.inputs[i].val();
            }
            self.selected.next = self.selected.val() | self.gated[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_by_one_hot() {
        let mut mux = OneHotMux::new(8, 3);
        mux.connect_all();
        for (select, selected) in [(0b000, 0), (0b001, 0x11), (0b010, 0x22), (0b100, 0x44), (0b101, 0x55)] {
            for (i, input) in mux.inputs.iter_mut().enumerate() {
                input.next = (0x11usize << i).into();
            }
            mux.select.next = usize::into(select);
            simulate(&mut mux, 100);
            assert_eq!(mux.selected.val().value(), selected);
        }
    }
}
