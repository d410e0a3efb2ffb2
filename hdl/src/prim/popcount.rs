//! Counts the set bits.
//!
//! ```text
//!             +----------+
//!   value --->| Popcount |---> count
//!             +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | w | bits to count |
//! | `count` | index of w + 1 | how many are set, 0 to w |
//!
//! Latency 0.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Popcount {
    pub value: Net<In>,
    pub count: Net<Out>,
}

impl Popcount {
    /// A counter of the set bits among `width`.
    pub fn new(width: usize) -> Self {
        Self { value: Net::new(width), count: Net::new(index_width(width + 1)) }
    }
}

impl Logic for Popcount {
    fn update(&mut self) {
        self.count.next = (self.value.val().value().count_ones() as usize).into();
    }
    fn connect(&mut self) {
        self.count.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::Popcount { width: self.value.width() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_up_to_every_bit() {
        for (width, count_width) in [(1, 1), (3, 2), (4, 3), (32, 6), (64, 7)] {
            let mut popcount = Popcount::new(width);
            popcount.connect_all();
            assert_eq!(popcount.count.width(), count_width);
            for (value, count) in [(0, 0), (1, 1), (mask(width), width), (mask(width) >> 1, width - 1)] {
                popcount.value.next = Word::new(value, width);
                simulate(&mut popcount, 10);
                assert_eq!(popcount.count.val(), count, "{value:x} of {width} bits");
            }
        }
    }
}
