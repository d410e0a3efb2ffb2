//! Register scoreboard of dual-path execution on the CTA-wide stack: which paths' next instructions wait for a result.
//!
//! ```text
//!                +-------------------+
//!  slot_* ------>|                   |
//!  set_* ------->|                   |
//!  release_* --->| CtaPathScoreboard |---> hazard[2]
//!  orphan_* ---->|                   |
//!  moved ------->|                   |
//!                +-------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot[2]` | | from the warp buffers, by side |
//! | `set_valid`, `set_warp`, `set_rd` | 1, p, 5 | an instruction that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd` | 1, p, 5 | its result takes a write-back slot |
//! | `orphan_valid`, `orphan_warp`, `orphan_right` | 1, w, 1 | threads leave this warp slot of this side |
//! | `moved` | W | the warp slots of a CTA of which another entry has become active |
//! | `warp_slot[W]` | c | CTA slot of each warp |
//! | `hazard[2]` | W | by side, bit *i*: the warp in slot *i* must wait |
//!
//! Latency 1, as of [`Scoreboard`](super::Scoreboard). State: per side and warp slot 32 pending bits, 32 orphans, and a bit `both`.
//!
//! A thread that leaves its warp goes on in another slot of the same side, as long as its entry is active; so the orphans of a slot count for that
//! side of its CTA only (docs/decisions/0006-orphaned-registers.md). When another entry becomes active, a thread may run on the other side than before: from then on
//! what is orphaned counts for both, until it is released. The two paths of an entry have no thread in common, so the loads of one never hold back the other.
//! Rhu 2014, 3.2.2: the shadow bit, with a CTA in place of a warp.
use super::ScoreboardRow;
use crate::interface::{RegisterEvent, Slots, WarpEvent};
use crate::parts::OneHotMux;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaPathScoreboard: clock, reset {
        pub slot: Vec<Slots<In>> = (0..2).map(|_| Slots::new(config)).collect(),
        pub set: RegisterEvent<In> = RegisterEvent::new(w + 1, config.register_width()),
        pub release: RegisterEvent<In> = RegisterEvent::new(w + 1, config.register_width()),
        pub orphan: WarpEvent<In> = WarpEvent::of(config),
        pub orphan_right: Signal<In, Bit>,
        pub moved: Net<In> = warps,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub hazard: Vec<Net<Out>> = Net::vec(2, warps),

        /// By side x W + warp.
        rows: Vec<ScoreboardRow> = (0..2 * warps).map(|_| ScoreboardRow::new(config, true)).collect(),
        /// By side: slots whose orphans count for both.
        both: Vec<Register> = Register::vec(2, warps),
        one_warp: Constant = Constant::new(1, warps),
        side_bit: Constant = Constant::new(w as u64, index_width(w + 1)),
        one_register: Constant = Constant::new(1, registers),
        set_side: Net<Local> = 1,
        set_row: Net<Local> = w,
        set_rows: Vec<Net<Local>> = Net::vec(2, warps),
        set_mask: Net<Local> = registers,
        release_side: Net<Local> = 1,
        release_row: Net<Local> = w,
        released_rows: Vec<Net<Local>> = Net::vec(2, warps),
        release_mask: Net<Local> = registers,
        left_rows: Vec<Net<Local>> = Net::vec(2, warps),
        has_orphans: Vec<Net<Local>> = Net::vec(2, warps),
        /// By CTA: its slots.
        members: Vec<Net<Local>> = Net::vec(ctas, warps),
        // By side x C + CTA: the orphans of its slots on that side; those that count for both.
        own: Vec<OneHotMux> = (0..2 * ctas).map(|_| OneHotMux::new(registers, warps)).collect(),
        common: Vec<OneHotMux> = (0..2 * ctas).map(|_| OneHotMux::new(registers, warps)).collect(),
        /// By side x W + warp: the orphans that it waits for.
        foreign: Vec<IndexedMux> = (0..2 * warps).map(|_| IndexedMux::new(registers, ctas)).collect() => |i| { selected: foreign_of[i] },
        foreign_of: Vec<Net<Local>> = Net::vec(2 * warps, registers),
    }
    sizes { _warps = warps, _ctas = ctas, _w = w, _floats = config.of_floats() }
    /// The scoreboard of a core whose CTA-wide stack has dual paths.
    pub fn new(config: &CoreConfig) {
        let (warps, w, registers) = (config.warps, config.warp_width(), config.registers());
        let (ctas, c) = (config.cta_slots, config.slot_width());
    }
}

impl Logic for CtaPathScoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaPathScoreboard");
        self.set_mask.next = self.one_register.val() << self.set.rd.val();
        self.release_mask.next = self.one_register.val() << self.release.rd.val();
        self.set_side.next = bit_cast_to(self.set.warp.val() >> self.side_bit.val(), 1);
        self.release_side.next = bit_cast_to(self.release.warp.val() >> self.side_bit.val(), 1);
        self.set_row.next = bit_cast_to(self.set.warp.val(), self._w);
        self.release_row.next = bit_cast_to(self.release.warp.val(), self._w);
        for s in 0..2 {
            self.set_rows[s].next = 0.into();
            if self.set.valid.val() & (self.set_side.val() == s) {
                self.set_rows[s].next = self.one_warp.val() << self.set_row.val();
            }
            self.released_rows[s].next = 0.into();
            if self.release.valid.val() & (self.release_side.val() == s) {
                self.released_rows[s].next = self.one_warp.val() << self.release_row.val();
            }
            self.left_rows[s].next = 0.into();
            if self.orphan.valid.val() & (bit_cast_to(self.orphan_right.val(), 1) == s) {
                self.left_rows[s].next = self.one_warp.val() << self.orphan.warp.val();
            }
        }
        for c in 0..self.members.len() {
            self.members[c].next = 0.into();
            for i in 0..self.warp_slot.len() {
                self.members[c].next = self.members[c].val().replace_bit(i, self.warp_slot[i].val() == c);
            }
        }

        // Loops of one trip: an index may hold numbers and loop variables only.
        for warps in self._warps..(self._warps + 1) {
            for ctas in self._ctas..(self._ctas + 1) {
                for s in 0..2 {
                    self.has_orphans[s].next = 0.into();
                    for i in 0..self._warps {
                        self.has_orphans[s].next =
                            self.has_orphans[s].val().replace_bit(i, self.rows[s * warps + i].shadows.val().any());
                    }
                    // What is orphaned in the very cycle counts for both sides as well.
                    self.both[s].d.next = (self.both[s].q.val() & self.has_orphans[s].val()) | self.moved.val();
                    for c in 0..self._ctas {
                        self.own[s * ctas + c].select.next = self.members[c].val();
                        self.common[s * ctas + c].select.next = self.members[c].val() & self.both[s].q.val();
                        for i in 0..self._warps {
                            self.own[s * ctas + c].inputs[i].next = self.rows[s * warps + i].shadows.val();
                            self.common[s * ctas + c].inputs[i].next = self.rows[s * warps + i].shadows.val();
                        }
                    }
                }
            }
        }
        for s in 0..2 {
            self.hazard[s].next = 0.into();
        }
        for warps in self._warps..(self._warps + 1) {
            for ctas in self._ctas..(self._ctas + 1) {
                for s in 0..2 {
                    for i in 0..self._warps {
                        self.foreign[s * warps + i].index.next = self.warp_slot[i].val();
                        for c in 0..self._ctas {
                            self.foreign[s * warps + i].inputs[c].next =
                                self.own[s * ctas + c].selected.val() | self.common[(1 - s) * ctas + c].selected.val();
                        }
                        self.rows[s * warps + i].rs1.next = self.slot[s].rs1[i].val();
                        self.rows[s * warps + i].rs2.next = self.slot[s].rs2[i].val();
                        self.rows[s * warps + i].rd.next = self.slot[s].rd[i].val();
                        self.rows[s * warps + i].reads_rs1.next = self.slot[s].reads_rs1.val().get_bit(i);
                        self.rows[s * warps + i].reads_rs2.next = self.slot[s].reads_rs2.val().get_bit(i);
                        self.rows[s * warps + i].writes_rd.next = self.slot[s].writes_rd.val().get_bit(i);
                        for p in 0..self._floats {
                            self.rows[s * warps + i].rs3[p].next = self.slot[s].rs3[i].val();
                            self.rows[s * warps + i].reads_rs3[p].next = self.slot[s].reads_rs3[p].val().get_bit(i);
                            self.rows[s * warps + i].waits_for_all[p].next =
                                self.slot[s].waits_for_all[p].val().get_bit(i);
                        }
                        self.rows[s * warps + i].set.next = self.set_rows[s].val().get_bit(i);
                        self.rows[s * warps + i].set_mask.next = self.set_mask.val();
                        self.rows[s * warps + i].clear.next = self.released_rows[s].val().get_bit(i);
                        self.rows[s * warps + i].clear_mask.next = self.release_mask.val();
                        self.rows[s * warps + i].copy.next = self.left_rows[s].val().get_bit(i);
                        self.rows[s * warps + i].foreign.next = self.foreign_of[s * warps + i].val();
                        self.hazard[s].next =
                            self.hazard[s].val().replace_bit(i, self.rows[s * warps + i].hazard.val());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::register_script::wait_for_add;
    use super::*;
    use crate::config::Mechanism;

    /// Warps 0 and 1 are of CTA 0, 2 of CTA 1; all wait to execute `add x5, x6, x7`. `set release leave moved | hazard of the left warps 2 1 0, of the right ones`,
    /// `L0:6` is x6 of the left warp in slot 0.
    const ORPHANS: &str = "
        L0:6 -    -  - | 000 000
        -    -    -  - | 001 000    its own warp waits
        -    -    L0 - | 001 000    its threads leave
        -    -    -  - | 011 000    whoever of that side may have got them waits
        R1:7 -    -  - | 011 000
        -    -    R1 - | 011 010    what the paths have orphaned does not hold back each other,
        -    -    -  - | 011 011
        -    -    -  0 | 011 011
        -    -    -  - | 011 011    until another entry becomes active: then it counts for both
        -    L0:6 -  - | 011 011
        -    -    -  - | 011 011    the other one's is left
        -    R1:7 -  - | 011 011
        -    -    -  - | 000 000
        L1:9 -    L1 0 | 000 000    issued, orphaned and moved in one cycle
        L0:5 -    -  - | 000 000    x9 does not matter
        -    -    L0 - | 001 000    of a later activation:
        -    L1:9 -  - | 011 000    for its own side only
        -    L0:5 -  - | 011 000
        L2:6 -    L2 1 | 000 000    another CTA
        -    -    -  - | 100 100
        -    L2:6 -  - | 100 100
        R0:6 -    -  - | 000 000
        -    -    R0 - | 000 001
        -    -    -  - | 000 011
        -    -    -  - | 000 011    the right one's do not hold back the left,
        -    -    -  0 | 000 011
        -    -    -  - | 011 011    until then
        -    -    -  - | 011 011
        -    R0:6 -  - | 011 011
        L1:6 -    -  - | 000 000
        -    -    L1 - | 010 000
        -    -    -  - | 011 000
        -    L1:6 -  - | 011 000
        -    -    -  - | 000 000";

    /// The script in slots `slot(warp)` and CTAs `cta(number)`.
    fn run(slot: fn(usize) -> usize, cta: fn(usize) -> usize) {
        let config = CoreConfig { mechanism: Mechanism::TbcDualPath, ..CoreConfig::tiny() };
        let mut scoreboard = CtaPathScoreboard::new(&config);
        scoreboard.connect_all();
        simulate(&mut scoreboard, 1000);
        let waiting = (0..3).fold(0, |set, warp| set | 1 << slot(warp));
        scoreboard.slot.iter_mut().for_each(|side| wait_for_add(side, waiting));
        (0..4).for_each(|warp| scoreboard.warp_slot[slot(warp)].next = cta(warp / 2).into());
        for line in ORPHANS.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().take(7).collect();
            let write = |text: &str| {
                let (path, register) = text.split_once(':').unwrap_or(("L0", "0"));
                let warp = slot(path[1..].parse().unwrap());
                ((path.starts_with('R') as usize * 4 + warp).into(), register.parse::<usize>().unwrap().into())
            };
            scoreboard.set.valid.next = field[0] != "-";
            (scoreboard.set.warp.next, scoreboard.set.rd.next) = write(field[0]);
            scoreboard.release.valid.next = field[1] != "-";
            (scoreboard.release.warp.next, scoreboard.release.rd.next) = write(field[1]);
            scoreboard.orphan.valid.next = field[2] != "-";
            scoreboard.orphan_right.next = field[2].starts_with('R');
            scoreboard.orphan.warp.next = slot(field[2].trim_start_matches(['L', 'R']).parse().unwrap_or(0)).into();
            scoreboard.moved.next =
                field[3].parse::<usize>().map_or(0, |cta| 1 << slot(2 * cta) | 1 << slot(2 * cta + 1)).into();
            simulate(&mut scoreboard, 1000);
            let waits = |side: &Net<Out>, warp| side.val().get_bit(slot(warp));
            let of = |side| [2, 1, 0].map(|warp| if waits(side, warp) { '1' } else { '0' }).iter().collect::<String>();
            let hazards: Vec<String> = scoreboard.hazard.iter().map(of).collect();
            assert_eq!(hazards, field[5..7], "{line}");
            tick!(scoreboard);
        }
    }

    #[test]
    fn orphans_hold_the_side_then_the_cta() {
        run(|warp| warp, |cta| cta);
        run(|warp| 3 - warp, |cta| 2 + cta);
    }
}
