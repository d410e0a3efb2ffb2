//! Finds the lowest set bit.
//!
//! ```text
//!                +-----------------+
//!                |                 |--> index
//!    request --->| PriorityEncoder |--> one_hot
//!                |                 |--> any
//!                +-----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | w | bits to choose from |
//! | `index` | index of w | position of the lowest set bit, 0 when none is set |
//! | `one_hot` | w | that bit alone, 0 when none is set |
//! | `any` | 1 | some bit is set |
//!
//! Latency 0.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct PriorityEncoder {
    pub request: Net<In>,
    pub index: Net<Out>,
    pub one_hot: Net<Out>,
    pub any: Signal<Out, Bit>,
}

impl PriorityEncoder {
    /// An encoder of `width` requests.
    pub fn new(width: usize) -> Self {
        Self {
            request: Net::new(width),
            index: Net::new(index_width(width)),
            one_hot: Net::new(width),
            any: Default::default(),
        }
    }
}

impl Logic for PriorityEncoder {
    fn update(&mut self) {
        let request = self.request.val();
        let position = if request.any() { request.value().trailing_zeros() as usize } else { 0 };
        self.index.next = position.into();
        self.one_hot.next = request & (!request + 1);
        self.any.next = request.any();
    }
    fn connect(&mut self) {
        self.index.connect();
        self.one_hot.connect();
        self.any.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::PriorityEncoder { width: self.request.width() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_set_bit() {
        let mut encoder = PriorityEncoder::new(6);
        encoder.connect_all();
        for (request, index, one_hot, any) in [
            (0b000000, 0, 0b000000, false),
            (0b000001, 0, 0b000001, true),
            (0b101000, 3, 0b001000, true),
            (0b100000, 5, 0b100000, true),
            (0b111111, 0, 0b000001, true),
        ] {
            encoder.request.next = request.into();
            simulate(&mut encoder, 10);
            let found = (encoder.index.val().index(), encoder.one_hot.val().index(), encoder.any.val());
            assert_eq!(found, (index, one_hot, any), "{request:06b}");
        }
    }

    #[test]
    fn widest_and_narrowest() {
        for width in [1, 64] {
            let mut encoder = PriorityEncoder::new(width);
            encoder.connect_all();
            encoder.request.next = Word::new(1 << (width - 1), width);
            simulate(&mut encoder, 10);
            assert_eq!(encoder.index.val(), width - 1);
            assert_eq!(encoder.one_hot.val(), encoder.request.val());
        }
    }
}
