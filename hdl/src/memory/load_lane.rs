//! Takes a loaded value out of its 32-bit word and extends it.
//!
//! ```text
//!                 +----------+
//!  word --------->|          |
//!  offset ------->| LoadLane |---> value
//!  size --------->|          |
//!  zero_extend -->|          |
//!                 +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | word read |
//! | `offset` | 2 | byte in it |
//! | `size` | 2 | 0 byte, 1 half, 2 word |
//! | `zero_extend` | 1 | extend with zeros instead of the sign |
//! | `value` | 32 | register value |
//!
//! Latency 0, no state.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LoadLane {
        pub word: Net<In> = 32,
        pub offset: Net<In> = 2,
        pub size: Net<In> = 2,
        pub zero_extend: Signal<In, Bit>,
        pub value: Net<Out> = 32,

        amount: Net<Local> = 5,
        low_byte: Net<Local> = 8,
        half: Net<Local> = 16,
    }
}

impl Logic for LoadLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadLane");
        self.amount.next = bit_cast_to(self.offset.val(), 5) << 3;
        self.half.next = bit_cast_to(self.word.val() >> self.amount.val(), 16);
        self.low_byte.next = bit_cast_to(self.half.val(), 8);
        self.value.next = self.word.val();
        if self.size.val() == 0 {
            self.value.next = bit_cast_to(signed_cast(self.low_byte.val()), 32);
            if self.zero_extend.val() {
                self.value.next = bit_cast_to(self.low_byte.val(), 32);
            }
        } else if self.size.val() == 1 {
            self.value.next = bit_cast_to(signed_cast(self.half.val()), 32);
            if self.zero_extend.val() {
                self.value.next = bit_cast_to(self.half.val(), 32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extends_with_the_sign_or_zeros() {
        let mut lane = LoadLane::default();
        lane.connect_all();
        lane.word.next = 0x80ff_7f01.into();
        for (size, offset, signed, unsigned) in [
            (0, 0, 0x01, 0x01),
            (0, 1, 0x7f, 0x7f),
            (0, 2, 0xffff_ffff, 0xff),
            (0, 3, 0xffff_ff80, 0x80),
            (1, 0, 0x7f01, 0x7f01),
            (1, 2, 0xffff_80ff, 0x80ff),
            (2, 0, 0x80ff_7f01, 0x80ff_7f01u64),
        ] {
            lane.size.next = size.into();
            lane.offset.next = offset.into();
            for (zeros, expected) in [(false, signed), (true, unsigned)] {
                lane.zero_extend.next = zeros;
                simulate(&mut lane, 1000);
                assert_eq!(lane.value.val().value(), expected, "size {size} offset {offset}");
            }
        }
    }
}
