//! Chooses, for every warp, which of its paths competes with the other warps.
//!
//! ```text
//!                 +---------------+
//!    ready[P] --->|               |---> warps
//!  present[P] --->| PathSelection |---> chosen[P]
//!    accepted --->|               |
//!                 +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `ready[P]` | W | by side: paths that could be served this cycle |
//! | `present[P]` | W | by side: paths that live |
//! | `accepted` | W | one-hot: this warp's chosen path is served |
//! | `long_latency` | 1 | with an operation of long latency |
//! | `warps` | W | warps with a chosen path |
//! | `chosen[P]` | W | by side: it is this path, at most one a warp |
//!
//! Latency 0; a [`PathSelector`] per warp. With one side there is nothing to choose: the warps are the paths.
//! "A single additional selection level": Rhu 2014, 3.2.3. Beside the warp scheduler and beside the fetch arbiter.
use super::PathSelector;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct PathSelection {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ready: Vec<Net<In>>,
    pub present: Vec<Net<In>>,
    pub accepted: Net<In>,
    pub long_latency: Signal<In, Bit>,
    pub warps: Net<Out>,
    pub chosen: Vec<Net<Out>>,

    /// By warp; none with one side.
    selectors: Vec<PathSelector>,
    // The same signals, by warp.
    warp_ready: Vec<Net<Local>>,
    warp_present: Vec<Net<Local>>,
}

impl PathSelection {
    /// For `warps` of `sides` paths; see [`PathSelector`] for `constrained`.
    pub fn new(warps: usize, sides: usize, constrained: bool) -> Self {
        let selectors = if sides == 1 { 0 } else { warps };
        Self {
            clock: Default::default(),
            reset: Default::default(),
            ready: Net::vec(sides, warps),
            present: Net::vec(sides, warps),
            accepted: Net::new(warps),
            long_latency: Default::default(),
            warps: Net::new(warps),
            chosen: Net::vec(sides, warps),
            warp_ready: Net::vec(selectors, sides),
            warp_present: Net::vec(selectors, sides),
            selectors: (0..selectors).map(|_| PathSelector::new(sides, constrained)).collect(),
        }
    }
}

impl Logic for PathSelection {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathSelection");
        self.warps.next = self.ready[0].val();
        for p in 0..self.chosen.len() {
            self.chosen[p].next = self.ready[p].val();
        }
        for i in 0..self.selectors.len() {
            self.selectors[i].clock.next = self.clock.val();
            self.selectors[i].reset.next = self.reset.val();
            self.warp_ready[i].next = 0.into();
            self.warp_present[i].next = 0.into();
            for p in 0..self.chosen.len() {
                self.warp_ready[i].next = self.warp_ready[i].val().replace_bit(p, self.ready[p].val().get_bit(i));
                self.warp_present[i].next = self.warp_present[i].val().replace_bit(p, self.present[p].val().get_bit(i));
            }
            self.selectors[i].ready.next = self.warp_ready[i].val();
            self.selectors[i].present.next = self.warp_present[i].val();
            for p in 0..self.chosen.len() {
                self.chosen[p].next = self.chosen[p].val().replace_bit(i, self.selectors[i].grant.val().get_bit(p));
            }
            self.selectors[i].accept.next = self.accepted.val().get_bit(i);
            self.selectors[i].long_latency.next = self.long_latency.val();
            self.warps.next = self.warps.val().replace_bit(i, self.selectors[i].any.val());
        }
    }
}
