//! Puts a lane's store data in place within its 32-bit word.
//!
//! ```text
//!            +-----------+
//!  offset -->|           |---> aligned
//!    size -->| StoreLane |
//!    data -->|           |---> mask
//!            +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `offset` | 2 | byte in the word |
//! | `size` | 2 | 0 byte, 1 half, 2 word |
//! | `data` | 32 | rs2, right-aligned |
//! | `aligned` | 32 | the same, shifted to its bytes |
//! | `mask` | 4 | the bytes it covers |
//!
//! Latency 0, no state. The inverse of [`LoadLane`](super::LoadLane).
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct StoreLane {
        pub offset: Net<In> = 2,
        pub size: Net<In> = 2,
        pub data: Net<In> = 32,
        pub aligned: Net<Out> = 32,
        pub mask: Net<Out> = 4,

        amount: Net<Local> = 5,
    }
}

impl Logic for StoreLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module StoreLane");
        self.amount.next = bit_cast_to(self.offset.val(), 5) << 3;
        self.aligned.next = self.data.val() << self.amount.val();
        self.mask.next = 15.into();
        if self.size.val() == 0 {
            self.mask.next = bit_cast_to(1, 4) << self.offset.val();
        } else if self.size.val() == 1 {
            self.mask.next = bit_cast_to(3, 4) << self.offset.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_to_their_place() {
        let mut lane = StoreLane::default();
        lane.connect_all();
        for (offset, size, data, aligned, mask) in [
            (0, 2, 0x8765_4321, 0x8765_4321, 0xf),
            (2, 1, 0x4321, 0x4321_0000, 0xc),
            (0, 1, 0x4321, 0x4321, 0x3),
            (3, 0, 0x21, 0x2100_0000, 0x8),
            (1, 0, 0x21, 0x2100, 0x2),
        ] {
            lane.offset.next = offset.into();
            lane.size.next = size.into();
            lane.data.next = data.into();
            simulate(&mut lane, 1000);
            assert_eq!((lane.aligned.val().index(), lane.mask.val().index()), (aligned, mask));
        }
    }
}
