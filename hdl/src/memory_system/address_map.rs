//! Which channel an address belongs to, and where it is in there: chunks of 256 bytes go round the channels.
//!
//! ```text
//!              +------------+
//!  address --->| AddressMap |---> channel, in_channel
//!              +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `address` | 32 | |
//! | `channel` | c | whose it is |
//! | `in_channel` | 32 | its address among those of the channel |
//!
//! Latency 0, no state. Of 2^k channels: bits of the address. Of 3 x 2^k: a division by 3, which is a product with 2^25 / 3 (five adders), exact for the 24 bits of a chunk's number.
//! Wang 2020, 4.1; GPGPU-Sim's `dramid@8`.
use crate::prelude::*;

/// Bits of an address in its chunk.
const CHUNK: u64 = 8;
/// Bits of a product.
const WIDE: usize = 50;

module! {
    /// See the [module documentation](self).
    pub struct AddressMap {
        pub address: Net<In> = 32,
        pub channel: Net<Out> = channel,
        pub in_channel: Net<Out> = 32,

        chunk_shift: Constant = Constant::new(CHUNK, 6),
        log_even: Constant = Constant::new(even as u64, 6),
        even_mask: Constant = Constant::new((1 << even) - 1, WIDE),
        /// Of 3 x 2^k channels: one, else none.
        thirds: Vec<Constant> = (0..by_three).map(|_| Constant::new(25, 6)).collect(),

        /// The number of the chunk, that above the bits which are the channel's, and a third of it.
        chunk: Net<Local> = WIDE,
        above: Net<Local> = WIDE,
        third: Net<Local> = WIDE,
        rest: Net<Local> = WIDE,
        /// Products of it, by their factors.
        by_5: Net<Local> = WIDE,
        by_55: Net<Local> = WIDE,
        by_5555: Net<Local> = WIDE,
        by_555555: Net<Local> = WIDE,
        offset: Net<Local> = 32,
    }
    sizes { _channel = channel, _wide = WIDE }
    /// For so many channels.
    ///
    /// # Panics
    /// If it is neither 2^k nor 3 x 2^k.
    pub fn new(channels: usize) {
        let by_three = channels.is_multiple_of(3) as usize;
        let even = if by_three == 1 { channels / 3 } else { channels };
        assert!(even.is_power_of_two(), "{channels} channels are neither 2^k nor 3 x 2^k");
        let (channel, even) = (index_width(channels), even.ilog2());
    }
}

impl Logic for AddressMap {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AddressMap");
        self.chunk.next = bit_cast_to(self.address.val() >> self.chunk_shift.val(), self._wide);
        self.above.next = self.chunk.val() >> self.log_even.val();
        self.third.next = self.above.val();
        self.rest.next = 0.into();
        self.by_5.next = self.above.val() + (self.above.val() << 2);
        self.by_55.next = self.by_5.val() + (self.by_5.val() << 4);
        self.by_5555.next = self.by_55.val() + (self.by_55.val() << 8);
        self.by_555555.next = self.by_5555.val() + (self.by_55.val() << 16);
        for k in 0..self.thirds.len() {
            self.third.next = ((self.by_555555.val() << 1) + self.above.val()) >> self.thirds[k].val();
            self.rest.next = self.above.val() - self.third.val() - (self.third.val() << 1);
        }
        self.channel.next = bit_cast_to(
            (self.rest.val() << self.log_even.val()) | (self.chunk.val() & self.even_mask.val()),
            self._channel,
        );
        self.offset.next = self.address.val() & 0xff;
        self.in_channel.next = bit_cast_to(self.third.val() << self.chunk_shift.val(), 32) | self.offset.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(map: &mut AddressMap, address: usize) -> (usize, usize) {
        map.address.next = address.into();
        simulate(map, 100);
        (map.channel.val().index(), map.in_channel.val().index())
    }

    /// Golden vectors of the specification.
    #[test]
    fn eight_and_six_channels() {
        let mut eight = AddressMap::new(8);
        eight.connect_all();
        assert_eq!(place(&mut eight, 0x120), (1, 0x20));
        assert_eq!(place(&mut eight, 0x800), (0, 0x100));
        assert_eq!(place(&mut eight, 0x4000), (0, 0x800));
        assert_eq!(place(&mut eight, 0x1234_5678), (6, 0x246_8a78));
        let mut six = AddressMap::new(6);
        six.connect_all();
        assert_eq!(place(&mut six, 0x140), (1, 0x40));
        assert_eq!(place(&mut six, 0x600), (0, 0x100));
        assert_eq!(place(&mut six, 0xc00), (0, 0x200));
        assert_eq!(place(&mut six, 0x1234_5678), (0, 0x308_b978));
    }

    /// Chunks go round: as a quotient and a remainder say, up to the last address.
    #[test]
    fn chunks_go_round_the_channels() {
        for channels in [1, 2, 3, 4, 6, 8, 12] {
            let mut map = AddressMap::new(channels);
            map.connect_all();
            let some = (0..4000).map(|n| n * 0x0010_3b01 % (1 << 32));
            for address in some.chain([0, 0xff, 0x100, 0xffff_ff00, 0xffff_ffff]) {
                let (channel, local) = (address / 256 % channels, address / 256 / channels * 256 + address % 256);
                let found = place(&mut map, address);
                assert_eq!(found.1, local, "{address:#x} of {channels}");
                assert_eq!(found.0, channel, "{address:#x} of {channels}");
            }
        }
    }
}
