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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of 16 bytes. `request addresses | any lane one_hot same_line`, lane 0 on the right of masks and on the left of addresses.
    #[test]
    fn the_lowest_lane_and_its_line() {
        for line in [
            "0000  10 10 10 10 | 0 - ---- -",
            "1111  10 1c 20 14 | 1 0 0001 1011",
            "1110  10 1c 20 14 | 1 1 0010 1011",
            "0100  10 1c 20 14 | 1 2 0100 0100",
            "1000  10 1c 20 14 | 1 3 1000 1011",
        ] {
            let field: Vec<&str> = line.split_whitespace().collect();
            let hex = |text: &str, radix| Word::from(usize::from_str_radix(text, radix).unwrap());
            let mut chooser = LineChooser::new(&CoreConfig::tiny());
            chooser.connect_all();
            chooser.request.next = hex(field[0], 2);
            for lane in 0..4 {
                chooser.address[lane].next = hex(field[1 + lane], 16);
            }
            simulate(&mut chooser, 100);
            assert_eq!(chooser.any.val(), field[6] == "1", "{line}");
            if chooser.any.val() {
                let found = [
                    chooser.lane.val().value().to_string(),
                    format!("{:04b}", chooser.one_hot.val().value()),
                    format!("{:04b}", chooser.same_line.val().value()),
                ];
                assert_eq!(found[..], field[7..], "{line}");
                let lane: usize = field[7].parse().unwrap();
                assert_eq!(chooser.chosen_address.val(), hex(field[1 + lane], 16), "{line}");
            }
        }
    }
}
