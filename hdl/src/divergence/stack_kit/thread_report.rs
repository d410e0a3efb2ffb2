//! Counts the threads of a warp that end, or begin to wait at `bar.sync`.
//!
//! ```text
//!                    +--------------+
//!  warp, mask ------>| ThreadReport |---> exit
//!  exits, arrives -->|              |---> arrive
//!                    +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp`, `mask` | w, L | threads of a warp |
//! | `exits`, `arrives` | 1 | they end; they begin to wait |
//! | `exit`, `arrive` | | so many do |
//!
//! Latency 0, no state.
use crate::interface::ThreadEvent;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadReport {
        pub warp: Net<In> = index_width(warps),
        pub mask: Net<In> = lanes,
        pub exits: Signal<In, Bit>,
        pub arrives: Signal<In, Bit>,
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, index_width(warps)),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, index_width(warps)),

        threads: Popcount = Popcount::new(lanes) => { value: mask, count: exit.count },
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {}
}

impl Logic for ThreadReport {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadReport");
        self.exit.valid.next = self.exits.val();
        self.exit.warp.next = self.warp.val();
        self.arrive.valid.next = self.arrives.val();
        self.arrive.warp.next = self.warp.val();
        self.arrive.count.next = self.threads.count.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_a_warp_are_counted() {
        let mut report = ThreadReport::new(4, 4);
        report.connect_all();
        for (warp, mask, exits, arrives, count) in [(2, 0b1011, true, false, 3), (3, 0b1111, false, true, 4)] {
            report.warp.next = warp.into();
            report.mask.next = mask.into();
            report.exits.next = exits;
            report.arrives.next = arrives;
            simulate(&mut report, 100);
            for (event, happens) in [(&report.exit, exits), (&report.arrive, arrives)] {
                assert_eq!(event.valid.val(), happens);
                assert_eq!((event.warp.val().index(), event.count.val().index()), (warp, count));
            }
        }
    }
}
