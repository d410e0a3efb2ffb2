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

module! {
    /// See the [module documentation](self).
    pub struct HazardUnit: clock, reset {
        pub slot_rs1: Vec<Net<In>> = Net::vec(sides * warps, 5),
        pub slot_rs2: Vec<Net<In>> = Net::vec(sides * warps, 5),
        pub slot_rd: Vec<Net<In>> = Net::vec(sides * warps, 5),
        pub slot_reads_rs1: Vec<Net<In>> = Net::vec(sides, warps),
        pub slot_reads_rs2: Vec<Net<In>> = Net::vec(sides, warps),
        pub slot_writes_rd: Vec<Net<In>> = Net::vec(sides, warps),
        pub write_valid: Signal<In, Bit>,
        pub write_warp: Net<In> = path,
        pub write_mask: Net<In> = config.lanes,
        pub set_valid: Signal<In, Bit>,
        pub set_warp: Net<In> = path,
        pub set_rd: Net<In> = 5,
        pub set_mask: Net<In> = config.lanes,
        pub release_valid: Signal<In, Bit>,
        pub release_warp: Net<In> = path,
        pub release_rd: Net<In> = 5,
        pub written_valid: Signal<In, Bit>,
        pub written_mask: Net<In> = config.lanes,
        pub orphan_valid: Signal<In, Bit>,
        pub orphan_warp: Net<In> = w,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, config.slot_width()),
        pub copy_valid: Signal<In, Bit>,
        pub copy_warp: Net<In> = w,
        pub hazard: Vec<Net<Out>> = Net::vec(sides, warps),

        by_warp: Vec<Scoreboard> = by_warp,
        by_path: Vec<DualPathScoreboard> = by_path,
        by_thread: Vec<ThreadScoreboard> = by_thread,
    }
    /// The hazard unit of a core.
    pub fn new(config: &CoreConfig) {
        let (w, path, warps, sides) = (config.warp_width(), config.path_width(), config.warps, config.sides());
        let (mut by_warp, mut by_path, mut by_thread) = (vec![], vec![], vec![]);
        if config.tracks_threads() {
            by_thread.push(ThreadScoreboard::new(config));
        } else if sides == 2 {
            by_path.push(DualPathScoreboard::new(config));
        } else {
            by_warp.push(Scoreboard::new(config));
        }
    }
}

impl Logic for HazardUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardUnit");
        for k in 0..self.by_warp.len() {
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
