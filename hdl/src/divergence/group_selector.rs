//! Which threads of a warp may run together: those at one PC.
//!
//! ```text
//!                  +--------------------------+
//!  pcs[L], ready ->| LowestPc                 |---> lowest
//!  thread -------->| OneHotMux                |---> thread_pc
//!  pc ------------>| = of every thread        |---> there
//!                  +--------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `pcs[L]`, `ready` | 32, L | where the threads of a warp are; those that can run |
//! | `lowest` | 32 | the lowest PC of those |
//! | `thread`, `thread_pc` | L, 32 | one of the threads (one-hot), and where it is |
//! | `pc`, `there` | 32, L | the threads at this PC, whether they can run or not |
//!
//! Latency 0, no state. A PC is found in one cycle and compared with all others in the next: the tournament of [`LowestPc`](super::LowestPc) is the
//! longest path as it is.
use super::LowestPc;
use crate::parts::OneHotMux;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct GroupSelector {
        pub pcs: Vec<Net<In>> = Net::vec(lanes, 32),
        pub ready: Net<In> = lanes,
        pub lowest: Net<Out> = 32,
        pub thread: Net<In> = lanes,
        pub thread_pc: Net<Out> = 32,
        pub pc: Net<In> = 32,
        pub there: Net<Out> = lanes,

        tournament: LowestPc = LowestPc::new(lanes) => { pcs, ready, lowest },
        of_thread: OneHotMux = OneHotMux::new(32, lanes) => { inputs: pcs, select: thread, selected: thread_pc },
    }
    /// Among `lanes` threads.
    pub fn new(lanes: usize) {}
}

impl Logic for GroupSelector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module GroupSelector");
        self.there.next = 0.into();
        for lane in 0..self.pcs.len() {
            self.there.next = self.there.val().replace_bit(lane, self.pcs[lane].val() == self.pc.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_that_of_a_thread_and_who_is_there() {
        let mut selector = GroupSelector::new(4);
        selector.connect_all();
        selector.pcs.iter_mut().zip([0x40, 0x20, 0x40, 0x60]).for_each(|(port, pc): (_, usize)| port.next = pc.into());
        for (ready, lowest) in [(0b1111, 0x20), (0b1101, 0x40), (0b1000, 0x60)] {
            selector.ready.next = Word::from(ready as usize);
            selector.thread.next = 0b0100.into();
            selector.pc.next = 0x40.into();
            simulate(&mut selector, 100);
            let seen = [&selector.lowest, &selector.thread_pc, &selector.there].map(|port| port.val().value());
            assert_eq!(seen, [lowest, 0x40, 0b0101], "{ready:b}");
        }
    }
}
