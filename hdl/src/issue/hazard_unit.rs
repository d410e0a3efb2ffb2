//! Which paths' next instructions wait for a register: the scoreboard that suits the mechanism.
//!
//! ```text
//!                +--------------------------------------------------+
//!  slot_* ------>|  Scoreboard, by warp: one path a warp            |
//!  set_* ------->|  or                                              |
//!  release_* --->|  DualPathScoreboard, by path: two paths a warp   |---> hazard[P]
//!  written_* --->|  or                                              |
//!  orphan_* ---->|  ThreadScoreboard, by thread: any number of them |
//!  copy_* ------>|                                                  |
//!                +--------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[P W]`, `slot_rs2[P W]`, `slot_rd[P W]` | 5 | from the warp buffers, index side x W + warp: registers of each path's instruction |
//! | `slot_reads_rs1[P]`, `slot_reads_rs2[P]`, `slot_writes_rd[P]` | W | which of them count |
//! | `write_valid`, `write_warp`, `write_mask` | 1, p, L | DECODE: an instruction of these lanes enters the buffer of this path |
//! | `set_valid`, `set_warp`, `set_rd`, `set_mask` | 1, p, 5, L | an instruction that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd` | 1, p, 5 | its result takes a write-back slot |
//! | `written_valid`, `written_mask` | 1, L | so does the result of these lanes, with `release_warp` and `release_rd` |
//! | `orphan_valid`, `orphan_warp`, `warp_slot[W]` | 1, w, c | threads leave this warp slot; the CTA slot of each warp |
//! | `copy_valid`, `copy_warp` | 1, w | the threads of this warp may change sides |
//! | `hazard[P]` | W | by side, bit *i*: that path of warp *i* must wait |
//!
//! Latency 1. No state of its own: exactly one of its parts exists.
use super::{DualPathScoreboard, Scoreboard, ThreadScoreboard};
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct HazardUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub slot_rs1: Vec<Net<In>>,
    pub slot_rs2: Vec<Net<In>>,
    pub slot_rd: Vec<Net<In>>,
    pub slot_reads_rs1: Vec<Net<In>>,
    pub slot_reads_rs2: Vec<Net<In>>,
    pub slot_writes_rd: Vec<Net<In>>,
    pub write_valid: Signal<In, Bit>,
    pub write_warp: Net<In>,
    pub write_mask: Net<In>,
    pub set_valid: Signal<In, Bit>,
    pub set_warp: Net<In>,
    pub set_rd: Net<In>,
    pub set_mask: Net<In>,
    pub release_valid: Signal<In, Bit>,
    pub release_warp: Net<In>,
    pub release_rd: Net<In>,
    pub written_valid: Signal<In, Bit>,
    pub written_mask: Net<In>,
    pub orphan_valid: Signal<In, Bit>,
    pub orphan_warp: Net<In>,
    pub warp_slot: Vec<Net<In>>,
    pub copy_valid: Signal<In, Bit>,
    pub copy_warp: Net<In>,
    pub hazard: Vec<Net<Out>>,

    by_warp: Vec<Scoreboard>,
    by_path: Vec<DualPathScoreboard>,
    by_thread: Vec<ThreadScoreboard>,
}

impl HazardUnit {
    /// The hazard unit of a core.
    pub fn new(config: &CoreConfig) -> Self {
        let (w, path, warps, sides) = (config.warp_width(), config.path_width(), config.warps, config.sides());
        let (mut by_warp, mut by_path, mut by_thread) = (vec![], vec![], vec![]);
        if config.tracks_threads() {
            by_thread.push(ThreadScoreboard::new(config));
        } else if sides == 2 {
            by_path.push(DualPathScoreboard::new(config));
        } else {
            by_warp.push(Scoreboard::new(config));
        }
        Self {
            clock: Default::default(),
            reset: Default::default(),
            slot_rs1: Net::vec(sides * warps, 5),
            slot_rs2: Net::vec(sides * warps, 5),
            slot_rd: Net::vec(sides * warps, 5),
            slot_reads_rs1: Net::vec(sides, warps),
            slot_reads_rs2: Net::vec(sides, warps),
            slot_writes_rd: Net::vec(sides, warps),
            write_valid: Default::default(),
            write_warp: Net::new(path),
            write_mask: Net::new(config.lanes),
            set_valid: Default::default(),
            set_warp: Net::new(path),
            set_rd: Net::new(5),
            set_mask: Net::new(config.lanes),
            release_valid: Default::default(),
            release_warp: Net::new(path),
            release_rd: Net::new(5),
            written_valid: Default::default(),
            written_mask: Net::new(config.lanes),
            orphan_valid: Default::default(),
            orphan_warp: Net::new(w),
            warp_slot: Net::vec(warps, config.slot_width()),
            copy_valid: Default::default(),
            copy_warp: Net::new(w),
            hazard: Net::vec(sides, warps),
            by_warp,
            by_path,
            by_thread,
        }
    }
}

impl Logic for HazardUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardUnit");
        for k in 0..self.by_warp.len() {
            self.by_warp[k].clock.next = self.clock.val();
            self.by_warp[k].reset.next = self.reset.val();
            for i in 0..self.slot_rs1.len() {
                self.by_warp[k].slot_rs1[i].next = self.slot_rs1[i].val();
                self.by_warp[k].slot_rs2[i].next = self.slot_rs2[i].val();
                self.by_warp[k].slot_rd[i].next = self.slot_rd[i].val();
            }
            for i in 0..self.warp_slot.len() {
                self.by_warp[k].warp_slot[i].next = self.warp_slot[i].val();
            }
            self.by_warp[k].slot_reads_rs1.next = self.slot_reads_rs1[0].val();
            self.by_warp[k].slot_reads_rs2.next = self.slot_reads_rs2[0].val();
            self.by_warp[k].slot_writes_rd.next = self.slot_writes_rd[0].val();
            self.by_warp[k].set_valid.next = self.set_valid.val();
            self.by_warp[k].set_warp.next = self.set_warp.val();
            self.by_warp[k].set_rd.next = self.set_rd.val();
            self.by_warp[k].release_valid.next = self.release_valid.val();
            self.by_warp[k].release_warp.next = self.release_warp.val();
            self.by_warp[k].release_rd.next = self.release_rd.val();
            self.by_warp[k].orphan_valid.next = self.orphan_valid.val();
            self.by_warp[k].orphan_warp.next = self.orphan_warp.val();
            self.hazard[0].next = self.by_warp[k].hazard.val();
        }
        for k in 0..self.by_path.len() {
            self.by_path[k].clock.next = self.clock.val();
            self.by_path[k].reset.next = self.reset.val();
            for i in 0..self.slot_rs1.len() {
                self.by_path[k].slot_rs1[i].next = self.slot_rs1[i].val();
                self.by_path[k].slot_rs2[i].next = self.slot_rs2[i].val();
                self.by_path[k].slot_rd[i].next = self.slot_rd[i].val();
            }
            self.by_path[k].set_valid.next = self.set_valid.val();
            self.by_path[k].set_warp.next = self.set_warp.val();
            self.by_path[k].set_rd.next = self.set_rd.val();
            self.by_path[k].release_valid.next = self.release_valid.val();
            self.by_path[k].release_warp.next = self.release_warp.val();
            self.by_path[k].release_rd.next = self.release_rd.val();
            self.by_path[k].copy_valid.next = self.copy_valid.val();
            self.by_path[k].copy_warp.next = self.copy_warp.val();
            for p in 0..self.hazard.len() {
                self.by_path[k].slot_reads_rs1[p].next = self.slot_reads_rs1[p].val();
                self.by_path[k].slot_reads_rs2[p].next = self.slot_reads_rs2[p].val();
                self.by_path[k].slot_writes_rd[p].next = self.slot_writes_rd[p].val();
                self.hazard[p].next = self.by_path[k].hazard[p].val();
            }
        }
        for k in 0..self.by_thread.len() {
            self.by_thread[k].clock.next = self.clock.val();
            self.by_thread[k].reset.next = self.reset.val();
            for i in 0..self.slot_rs1.len() {
                self.by_thread[k].slot_rs1[i].next = self.slot_rs1[i].val();
                self.by_thread[k].slot_rs2[i].next = self.slot_rs2[i].val();
                self.by_thread[k].slot_rd[i].next = self.slot_rd[i].val();
            }
            self.by_thread[k].write_valid.next = self.write_valid.val();
            self.by_thread[k].write_warp.next = self.write_warp.val();
            self.by_thread[k].write_mask.next = self.write_mask.val();
            self.by_thread[k].set_valid.next = self.set_valid.val();
            self.by_thread[k].set_warp.next = self.set_warp.val();
            self.by_thread[k].set_rd.next = self.set_rd.val();
            self.by_thread[k].set_mask.next = self.set_mask.val();
            self.by_thread[k].written_valid.next = self.written_valid.val();
            self.by_thread[k].written_warp.next = self.release_warp.val();
            self.by_thread[k].written_rd.next = self.release_rd.val();
            self.by_thread[k].written_mask.next = self.written_mask.val();
            for p in 0..self.hazard.len() {
                self.by_thread[k].slot_reads_rs1[p].next = self.slot_reads_rs1[p].val();
                self.by_thread[k].slot_reads_rs2[p].next = self.slot_reads_rs2[p].val();
                self.by_thread[k].slot_writes_rd[p].next = self.slot_writes_rd[p].val();
                self.hazard[p].next = self.by_thread[k].hazard[p].val();
            }
        }
    }
}
