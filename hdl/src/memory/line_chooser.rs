//! Chooses a lane, and all that access the same line.
//!
//! ```text
//!  request ----->+-------------+---> any, lane, one_hot
//!                | LineChooser |---> address
//!  address[L] -->+-------------+---> same_line
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | L | lanes to choose from |
//! | `address[L]` | 32 | physical addresses |
//! | `any`, `lane`, `one_hot` | 1, l, L | the lowest of them |
//! | `chosen_address` | 32 | its address |
//! | `same_line` | L | lanes in its line, whether they request or not |
//!
//! Latency 0, no state.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LineChooser {
        pub request: Net<In> = lanes,
        pub address: Vec<Net<In>> = Net::vec(lanes, 32),
        pub any: Signal<Out, Bit>,
        pub lane: Net<Out> = index_width(lanes),
        pub one_hot: Net<Out> = lanes,
        pub chosen_address: Net<Out> = 32,
        pub same_line: Net<Out> = lanes,

        encoder: PriorityEncoder = PriorityEncoder::new(lanes) => { request, any, one_hot, index: lane },
        mux: IndexedMux = IndexedMux::new(32, lanes) => {
            index: encoder.index, inputs: address, selected: chosen_address,
        },
        chosen_line: Net<Local> = 32,
        offset: Constant = Constant::new(index_width(config.line_bytes) as u64, 6),
    }
    /// For the lanes of the core `config`.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
    }
}

impl Logic for LineChooser {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LineChooser");
        self.chosen_line.next = self.mux.selected.val() >> self.offset.val();
        self.same_line.next = 0.into();
        for i in 0..self.address.len() {
            self.same_line.next = self
                .same_line
                .val()
                .replace_bit(i, (self.address[i].val() >> self.offset.val()) == self.chosen_line.val());
        }
    }
}
