//! Which paths' next instructions wait for a register: the scoreboard that suits the mechanism.
//!
//! ```text
//!                +--------------------------------------------------+
//!  slot_* ------>|  Scoreboard, by warp: one path a warp;           |---> pending[P]
//!                |  or one for each side: paths that are regrouped  |
//!  set_* ------->|  or                                              |
//!  release_* --->|  DualPathScoreboard, by path: two paths a warp   |---> hazard[P]
//!               |  or                                              |
//!  orphan_* ---->|  CtaPathScoreboard, the same by CTA;             |
//!  rights ------>|  SharedPathScoreboard, in one set of slots       |
//!  copy_* ------>|  or                                              |
//!  moved, left ->|  ThreadScoreboard, by thread: any number of them |
//!                +--------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[P W]`, `slot_rs2[P W]`, `slot_rd[P W]` | 5 | from the warp buffers, index side x W + warp: registers of each path's instruction |
//! | `slot_reads_rs1[P]`, `slot_reads_rs2[P]`, `slot_writes_rd[P]` | W | which of them count |
//! | `write_valid`, `write_warp`, `write_mask` | 1, p, L | DECODE: an instruction of these lanes enters the buffer of this path |
//! | `set_valid`, `set_warp`, `set_rd`, `set_mask` | 1, p, 5, L | an instruction that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd`, `release_mask` | 1, p, 5, L | its result takes a write-back slot |
//! | `orphan_valid`, `orphan_warp`, `warp_slot[W]` | 1, w, c | threads leave this warp slot; the CTA slot of each warp |
//! | `copy_valid`, `copy_warp` | 1, w | the threads of this warp may change sides |
//! | `pending[P]` | W | by side, where threads leave a path only when it has no register pending: it has some |
//! | `orphan_right`, `moved` | 1, W | with dual paths on the CTA-wide stack (Vec of one): the slot that threads leave is one of the right side; the threads of these warps may change sides |
//! | `left[P]` | W | by side, where threads leave a path with registers pending: the warp slots that they leave |
//! | `rights` | W | where both paths share the slots (Vec of one): in this slot is a warp of the right path |
//! | `hazard[P]` | W | by side, bit *i*: that path of warp *i* must wait |
//!
//! Latency 1. No state of its own: exactly one of its parts exists.
use super::{CtaPathScoreboard, DualPathScoreboard, Scoreboard, SharedPathScoreboard, ThreadScoreboard};
use crate::interface::{Decoded, RegisterEvent, Slots, WarpEvent};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct HazardUnit: clock, reset {
        pub slot: Vec<Slots<In>> = (0..sides).map(|_| Slots::new(config)).collect(),
        pub write: Decoded<In> = Decoded::of(config),
        pub set: RegisterEvent<In> = RegisterEvent::of(config),
        pub set_mask: Net<In> = config.lanes,
        pub release: RegisterEvent<In> = RegisterEvent::of(config),
        pub release_mask: Net<In> = config.lanes,
        pub orphan: WarpEvent<In> = WarpEvent::of(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, config.slot_width()),
        pub copy: WarpEvent<In> = WarpEvent::of(config),
        pub orphan_right: Vec<Signal<In, Bit>> = bit_vec(config.of_cta_paths()),
        pub moved: Vec<Net<In>> = Net::vec(config.of_cta_paths(), warps),
        pub rights: Vec<Net<In>> = Net::vec(config.of_shared_slots(), warps),
        pub left: Vec<Net<In>> = Net::vec(config.of_left_paths(sides), warps),
        pub hazard: Vec<Net<Out>> = Net::vec(sides, warps),
        pub pending: Vec<Net<Out>> = Net::vec(if config.drains_paths() { sides } else { 0 }, warps),

        by_warp: Vec<Scoreboard> = by_warp => |k| { slot: slot[0], warp_slot, set, release, orphan },
        by_path: Vec<DualPathScoreboard> = by_path => |k| { slot, set, release, copy, hazard },
        /// For paths that are drained, or left.
        by_side: Vec<Scoreboard> = by_side => |s| {
            slot: slot[s], warp_slot, set.rd, release.rd, orphan, hazard: hazard[s],
        },
        by_cta_path: Vec<CtaPathScoreboard> = by_cta_path => |k| {
            slot, set, release, orphan, orphan_right: orphan_right[k], moved: moved[k], warp_slot, hazard,
        },
        by_shared_path: Vec<SharedPathScoreboard> = by_shared_path => |k| {
            slot: slot[0], set, release, orphan, orphan_right: orphan_right[k], moved: moved[k], rights: rights[k],
            warp_slot, hazard: hazard[0],
        },
        by_thread: Vec<ThreadScoreboard> = by_thread => |k| {
            slot, write, set, set_mask, release, release_mask, hazard,
        },
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..apart).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Vec<Constant> = (0..apart).map(|_| Constant::new(mask(path) ^ mask(w), path)).collect(),
        /// By CTA, where paths are left: orphans on any side.
        orphans: Vec<Net<Local>> = Net::vec(config.of_left_paths(config.cta_slots), config.registers()),
    }
    sizes { _warp = w }
    /// The hazard unit of a core.
    pub fn new(config: &CoreConfig) {
        let (warps, sides) = (config.warps, config.sides());
        let (w, path) = (config.warp_width(), config.path_width());
        let (mut by_warp, mut by_path, mut by_thread, mut by_side) = (vec![], vec![], vec![], vec![]);
        let (mut by_cta_path, mut by_shared_path) = (vec![], vec![]);
        let apart = if config.drains_paths() { sides } else { config.of_left_paths(sides) };
        if apart > 0 {
            by_side.extend((0..sides).map(|_| Scoreboard::new(config)));
        } else if config.tracks_threads() {
            by_thread.push(ThreadScoreboard::new(config));
        } else if config.of_shared_slots() == 1 {
            by_shared_path.push(SharedPathScoreboard::new(config));
        } else if config.of_cta_paths() == 1 {
            by_cta_path.push(CtaPathScoreboard::new(config));
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
            self.hazard[0].next = self.by_warp[k].hazard.val();
        }
        for s in 0..self.by_side.len() {
            self.by_side[s].set.warp.next = bit_cast_to(self.set.warp.val(), self._warp);
            self.by_side[s].set.valid.next =
                self.set.valid.val() & ((self.set.warp.val() & self.side_bits[s].val()) == self.sides[s].val());
            self.by_side[s].release.warp.next = bit_cast_to(self.release.warp.val(), self._warp);
            self.by_side[s].release.valid.next =
                self.release.valid.val() & ((self.release.warp.val() & self.side_bits[s].val()) == self.sides[s].val());
        }
        for s in 0..self.pending.len() {
            self.pending[s].next = self.by_side[s].pending[0].val();
        }
        for c in 0..self.orphans.len() {
            self.orphans[c].next = 0.into();
            for s in 0..self.left.len() {
                self.by_side[s].left[0].next = self.left[s].val();
                self.orphans[c].next = self.orphans[c].val() | self.by_side[s].orphans[c].val();
            }
            for s in 0..self.left.len() {
                self.by_side[s].elsewhere[c].next = self.orphans[c].val();
            }
        }
    }
}
