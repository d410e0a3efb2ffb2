//! Which paths' next instructions wait for a register: the scoreboard that suits the mechanism.
//!
//! ```text
//!                +---------------------------------------------------+
//!  slot_* ------>|  Scoreboard, by warp: one path a warp             |---> hazard[P]
//!  set_* ------->|  or                                               |
//!  release_* --->|  Scoreboard x P, by side: paths that are          |---> pending[P]
//!  left -------->|    regrouped; orphans of all sides --> elsewhere  |
//!                |  or                                               |
//!  copy_* ------>|  DualPathScoreboard, by path: two paths a warp    |
//!  orphan_* ---->|  or                                               |
//!  moved ------->|  CtaPathScoreboard, the same by CTA               |
//!  rights ------>|  or SharedPathScoreboard, in one set of slots     |
//!                |  or                                               |
//!  write, masks >|  ThreadScoreboard, by thread: any number of paths |
//!                |  or nothing: with large warps, sub-warps see to it |
//!                +---------------------------------------------------+
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
//! Latency 1. No state of its own: one kind of its parts exists.
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
    sizes { _warp = w, _none = config.of_large_warps() }
    /// The hazard unit of a core.
    pub fn new(config: &CoreConfig) {
        let (warps, sides) = (config.warps, config.sides());
        let (w, path) = (config.warp_width(), config.path_width());
        let (mut by_warp, mut by_path, mut by_thread, mut by_side) = (vec![], vec![], vec![], vec![]);
        let (mut by_cta_path, mut by_shared_path) = (vec![], vec![]);
        let apart = if config.drains_paths() { sides } else { config.of_left_paths(sides) };
        if config.of_large_warps() == 1 {
            // A thread with a register pending is in no sub-warp.
        } else if apart > 0 {
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
        for _k in 0..self._none {
            self.hazard[0].next = 0.into();
        }
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

#[cfg(test)]
mod tests {
    use super::super::register_script::{drive, wait_for_add};
    use super::*;
    use crate::config::{FormationHazards, Mechanism, WarpFormation};

    /// Of two sides, 0 and 4 are the paths of warp 0; warps 0 and 1 are of CTA 0, 2 of CTA 1; all wait to execute `add x5, x6, x7`.
    /// `set release left | hazard of paths 2 1 0, and 6 5 4`.
    const LEFT: &str = "
        4:6 -   - | 000 000
        -   -   - | 000 001    of one path
        -   -   4 | 000 001    its threads leave, for any path of the CTA
        1:5 -   - | 011 011
        2:7 4:6 1 | 011 011
        -   -   - | 111 011    x6 is there; x5 was left on the other side
        -   1:5 2 | 111 011
        -   -   - | 100 100
        -   2:7 - | 100 100
        -   -   - | 000 000";

    #[test]
    fn what_is_left_on_one_side_holds_all_sides() {
        let how = WarpFormation { hazards: FormationHazards::Orphans, sides: 2, ..WarpFormation::DEFAULT };
        let config = CoreConfig { mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
        let mut unit = HazardUnit::new(&config);
        unit.connect_all();
        unit.slot.iter_mut().for_each(|slot| wait_for_add(slot, 0b0111));
        (0..4).for_each(|i| unit.warp_slot[i].next = (i / 2).into());
        simulate(&mut unit, 1000);
        for line in LEFT.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            drive(&mut unit.set, field(0));
            drive(&mut unit.release, field(1));
            let left = field(2).parse::<usize>().ok();
            for side in 0..2 {
                let warp = left.filter(|path| path / 4 == side).map(|path| path % 4);
                unit.left[side].next = warp.map_or(0, |warp| 1usize << warp).into();
            }
            simulate(&mut unit, 1000);
            let hazards = [0, 1].map(|side: usize| format!("{:04b}", unit.hazard[side].val().value())[1..].to_string());
            assert_eq!(hazards, [field(4), field(5)], "{line}");
            tick!(unit);
        }
    }
}
