//! One lane of the [`ThreadScoreboard`](super::ThreadScoreboard): the pending registers of its threads, one of every warp.
//!
//! ```text
//!                               +------------------------+
//!                  needs ------>|                        |
//!     set_rows, set_mask ------>| ThreadScoreboardColumn |---> hits
//!  clear_rows, clear_mask ----->|                        |
//!                               +------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `needs[P W]` | 32 | registers that count for the instruction of each slot, index side x W + warp |
//! | `set`, `set_rows`, `set_mask` | 1, W, 32 | the thread of this warp issues: these registers become pending at the edge |
//! | `clear`, `clear_rows`, `clear_mask` | 1, W, 32 | its result arrives: these are pending no more |
//! | `hits[P]` | W | by side; bit *i*: this lane's thread of warp *i* has a register pending that the slot needs |
//!
//! Latency 1 for set and clear. State: W x 32 bits. Whether the thread takes part in the slot's instruction is for the scoreboard to say.
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct ThreadScoreboardColumn {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub needs: Vec<Net<In>>,
    pub set: Signal<In, Bit>,
    pub set_rows: Net<In>,
    pub set_mask: Net<In>,
    pub clear: Signal<In, Bit>,
    pub clear_rows: Net<In>,
    pub clear_mask: Net<In>,
    pub hits: Vec<Net<Out>>,

    pending: Vec<Register>,
    kept: Vec<Net<Local>>,
    _warps: usize,
}

impl ThreadScoreboardColumn {
    /// For `warps` warps of `sides` paths.
    pub fn new(sides: usize, warps: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            needs: Net::vec(sides * warps, 32),
            set: Default::default(),
            set_rows: Net::new(warps),
            set_mask: Net::new(32),
            clear: Default::default(),
            clear_rows: Net::new(warps),
            clear_mask: Net::new(32),
            hits: Net::vec(sides, warps),
            pending: Register::vec(warps, 32),
            kept: Net::vec(warps, 32),
            _warps: warps,
        }
    }
}

impl Logic for ThreadScoreboardColumn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadScoreboardColumn");
        for i in 0..self.pending.len() {
            self.pending[i].clock.next = self.clock.val();
            self.pending[i].reset.next = self.reset.val();
            self.kept[i].next = self.pending[i].q.val();
            if self.clear.val() & self.clear_rows.val().get_bit(i) {
                self.kept[i].next = self.pending[i].q.val() & !self.clear_mask.val();
            }
            self.pending[i].d.next = self.kept[i].val();
            if self.set.val() & self.set_rows.val().get_bit(i) {
                self.pending[i].d.next = self.kept[i].val() | self.set_mask.val();
            }
        }
        // A loop of one trip: an index may hold numbers and loop variables only.
        for warps in self._warps..(self._warps + 1) {
            for s in 0..self.hits.len() {
                self.hits[s].next = 0.into();
                for i in 0..self.pending.len() {
                    self.hits[s].next = self.hits[s]
                        .val()
                        .replace_bit(i, (self.needs[s * warps + i].val() & self.pending[i].q.val()).any());
                }
            }
        }
    }
}
