//! A PC for every thread: where it goes on when it runs next.
//!
//! ```text
//!                +-----------------------+
//!  warp -------->| a memory by lane, a   |---> pcs[L]
//!  write ------->| row of it by warp     |
//!  sides[2] ---->|                       |
//!                +-----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp` | w | the warp that the engine works on |
//! | `pcs[L]` | 32 | where its threads go on |
//! | `write`, `sides[2]` | 1, {32, L} | at the edge, the threads of either side go on at its PC |
//!
//! Latency: read 0, write 1. State: a PC by thread. That of a thread that runs means nothing: its group has it.
use super::Path;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadPcs: clock {
        pub warp: Net<In> = index_width(warps),
        pub pcs: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub write: Signal<In, Bit>,
        pub sides: Vec<Path<In>> = (0..2).map(|_| Path::new(lanes)).collect(),

        memories: Vec<Memory> = (0..lanes).map(|_| Memory::new(32, warps, 1, 1, ReadKind::Asynchronous)).collect() => |lane| {
            read_address[0]: warp, read_data[0]: pcs[lane], write_address[0]: warp,
        },
        stops: Net<Local> = lanes,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {}
}

impl Logic for ThreadPcs {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadPcs");
        self.stops.next = 0.into();
        if self.write.val() {
            self.stops.next = self.sides[0].mask.val() | self.sides[1].mask.val();
        }
        for lane in 0..self.memories.len() {
            self.memories[lane].write_enable[0].next = self.stops.val().get_bit(lane);
            self.memories[lane].write_data[0].next = self.sides[1].pc.val();
            if self.sides[0].mask.val().get_bit(lane) {
                self.memories[lane].write_data[0].next = self.sides[0].pc.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_written_at_once() {
        let mut threads = ThreadPcs::new(4, 2);
        threads.connect_all();
        threads.sides[0].pc.next = 0x40.into();
        threads.sides[1].pc.next = 0x80.into();
        for (warp, write, masks) in [(1, true, [0b0110, 0b0001]), (1, false, [0b1000, 0]), (0, true, [0, 0b1111])] {
            threads.warp.next = warp.into();
            threads.write.next = write;
            threads.sides.iter_mut().zip(masks).for_each(|(side, mask)| side.mask.next = mask.into());
            tick!(threads);
        }
        for (warp, pcs) in [(0, [0x80; 4]), (1, [0x80, 0x40, 0x40, 0])] {
            threads.warp.next = warp.into();
            simulate(&mut threads, 100);
            assert!(threads.pcs.iter().zip(pcs).all(|(pc, expected)| pc.val().value() == expected), "{warp}");
        }
    }
}
