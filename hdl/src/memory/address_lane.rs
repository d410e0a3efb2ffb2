//! Checks and translates the address of one lane.
//!
//! ```text
//!                 +-------------+
//!  address ------>|             |---> misaligned
//!  size --------->|             |---> unmapped
//!  home warp, lane ---->| AddressLane |---> shared
//!  shared_base -->|             |---> physical
//!  *_bytes/limit->|             |
//!                 +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `address` | 32 | virtual address |
//! | `size` | 2 | 0 byte, 1 half, 2 word |
//! | `home_warp`, `lane` | w, l | the thread, for private space |
//! | `shared_base` | 32 | start of the CTA's slot in shared memory |
//! | `own_base` | 32 | where warps are of threads of several CTAs, instead (Vec of one): that of the thread's CTA |
//! | `kernel_shared_bytes` | 32 | size of that slot |
//! | `kernel_global_limit` | 32 | bytes of global memory |
//! | `misaligned` | 1 | not a multiple of its size |
//! | `unmapped` | 1 | some byte lies in no region |
//! | `shared` | 1 | in the shared window: `physical` is an address of the shared memory |
//! | `physical` | 32 | address of the shared memory or of the L1 |
//!
//! Latency 0, no state. The address map is in docs/developer/microarchitecture.md: private words of the
//! same offset lie side by side for all threads of the core, so that lanes touching one stack slot coalesce.
use crate::interface::KernelConfiguration;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AddressLane {
        pub address: Net<In> = 32,
        pub size: Net<In> = 2,
        pub home_warp: Net<In> = config.warp_width(),
        pub lane: Net<In> = config.lane_width(),
        pub shared_base: Net<In> = 32,
        pub own_base: Vec<Net<In>> = Net::vec(config.where_mixed(1), 32),
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub misaligned: Signal<Out, Bit>,
        pub unmapped: Signal<Out, Bit>,
        pub shared: Signal<Out, Bit>,
        pub physical: Net<Out> = 32,

        region: Net<Local> = 4,
        /// Offset in the region, and that of the last byte accessed.
        offset: Net<Local> = 32,
        last: Net<Local> = 32,
        thread: Net<Local> = 32,
        lanes: Constant = constant(config.lanes),
        threads: Constant = constant(config.lanes * config.warps),
        private_bytes: Constant = constant(config.private_bytes),
    }
    /// A lane of the core `config`.
    pub fn new(config: &CoreConfig) {
        let constant = |value| Constant::new(value as u64, 32);
    }
}

impl Logic for AddressLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AddressLane");
        self.misaligned.next = false;
        self.region.next = bit_cast_to(self.address.val() >> 28, 4);
        self.offset.next = bit_cast_to(bit_cast_to(self.address.val(), 28), 32);
        if self.region.val().get_bit(3) {
            self.offset.next = bit_cast_to(bit_cast_to(self.address.val(), 31), 32);
        }
        self.last.next = self.offset.val();
        if self.size.val() == 1 {
            self.misaligned.next = self.address.val().get_bit(0);
            self.last.next = self.offset.val() | 1;
        } else if self.size.val() == 2 {
            self.misaligned.next = self.address.val().get_bit(0) | self.address.val().get_bit(1);
            self.last.next = self.offset.val() | 3;
        }

        self.thread.next = bit_cast_to(self.home_warp.val(), 32) * self.lanes.val() + bit_cast_to(self.lane.val(), 32);
        self.unmapped.next = true;
        self.shared.next = false;
        self.physical.next = self.address.val();
        if self.region.val().get_bit(3) {
            self.unmapped.next = self.last.val() >= self.kernel.global_limit.val();
        } else if self.region.val() == 2 {
            self.unmapped.next = self.last.val() >= self.kernel.shared_bytes.val();
            self.shared.next = true;
            self.physical.next = self.shared_base.val() + self.offset.val();
            for i in 0..self.own_base.len() {
                self.physical.next = self.own_base[i].val() + self.offset.val();
            }
        } else if self.region.val() == 3 {
            self.unmapped.next = self.last.val() >= self.private_bytes.val();
            self.physical.next = (((self.offset.val() >> 2) * self.threads.val() + self.thread.val()) << 2)
                | bit_cast_to(bit_cast_to(self.address.val(), 2), 32)
                | 0x4000_0000;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(address, size) -> misaligned unmapped shared physical`, for home warp 3, lane 2 of the tiny core.
    fn translate(address: usize, size: usize) -> (bool, bool, bool, u64) {
        let mut lane = AddressLane::new(&CoreConfig::tiny());
        lane.connect_all();
        lane.address.next = address.into();
        lane.size.next = size.into();
        lane.home_warp.next = 3.into();
        lane.lane.next = 2.into();
        lane.shared_base.next = 0x800.into();
        lane.kernel.shared_bytes.next = 0x400.into();
        lane.kernel.global_limit.next = 0x1000_0002.into();
        simulate(&mut lane, 1000);
        (lane.misaligned.val(), lane.unmapped.val(), lane.shared.val(), lane.physical.val().value())
    }

    #[test]
    fn regions_have_bounds() {
        assert_eq!(translate(0x8000_0004, 2), (false, false, false, 0x8000_0004));
        assert_eq!(translate(0x9000_0000, 1), (false, false, false, 0x9000_0000));
        assert!(translate(0x9000_0000, 2).1, "the last two bytes of the word are outside");
        assert!(translate(0x9000_0002, 0).1);
        assert_eq!(translate(0x2000_03ff, 0), (false, false, true, 0xbff));
        assert!(translate(0x2000_0400, 0).1);
        for size in 0..3 {
            for address in [0x9000_0008, 0x2000_0400, 0x3000_0400] {
                assert!(translate(address, size).1, "{address:#x} {size}");
            }
            for address in [0x8000_0008, 0x2000_03fc, 0x3000_03fc] {
                assert!(!translate(address, size).1, "{address:#x} {size}");
            }
        }
        for address in [0, 0x1000_0000, 0x3000_0400, 0x4000_0000, 0x7fff_fffc] {
            assert!(translate(address, 2).1, "{address:#x}");
        }
    }

    #[test]
    fn private_words_interleave_by_thread() {
        // 16 threads; thread 3 * 4 + 2 = 14.
        assert_eq!(translate(0x3000_0000, 2), (false, false, false, 0x4000_0000 + 14 * 4));
        assert_eq!(translate(0x3000_000a, 1), (false, false, false, 0x4000_0000 + 2 * 64 + 14 * 4 + 2));
        assert_eq!(translate(0x3000_03ff, 0), (false, false, false, 0x4000_0000 + 255 * 64 + 14 * 4 + 3));
    }

    #[test]
    fn shared_memory_begins_with_the_slot_of_the_threads_cta() {
        let mut lane = AddressLane::new(&CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() });
        lane.connect_all();
        lane.kernel.shared_bytes.next = 0x400.into();
        lane.shared_base.next = 0x800.into();
        for (own_base, physical) in [(0, 0x3fc), (0x1c00usize, 0x1ffc)] {
            lane.address.next = 0x2000_03fc.into();
            lane.own_base[0].next = own_base.into();
            simulate(&mut lane, 1000);
            assert_eq!((lane.shared.val(), lane.physical.val().value()), (true, physical));
        }
    }

    #[test]
    fn alignment_follows_the_size() {
        for (address, size, misaligned) in
            [(1, 0, false), (1, 1, true), (2, 1, false), (2, 2, true), (1, 2, true), (4, 2, false)]
        {
            assert_eq!(translate(0x8000_0000 + address, size).0, misaligned, "{address} {size}");
        }
    }
}
