//! Register scoreboard of dual-path execution on the CTA-wide stack where both paths share the warp slots.
//!
//! ```text
//!                +----------------------+
//!  slot_* ------>|                      |
//!  set_* ------->|                      |
//!  release_* --->| SharedPathScoreboard |---> hazard
//!  orphan_* ---->|                      |
//!  moved ------->|                      |
//!  rights ------>|                      |
//!                +----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot` | | from the warp buffer |
//! | `set_valid`, `set_warp`, `set_rd` | 1, w, 5 | an instruction that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd` | 1, w, 5 | its result takes a write-back slot |
//! | `orphan_valid`, `orphan_warp`, `orphan_right` | 1, w, 1 | threads leave this warp slot, in which they were a warp of this path |
//! | `moved` | W | the warp slots of a CTA of which another entry has become active |
//! | `rights` | W | in this slot is a warp of the right path |
//! | `warp_slot[W]` | c | CTA slot of each warp |
//! | `hazard` | W | bit *i*: the warp in slot *i* must wait |
//!
//! Latency 1, as of [`Scoreboard`](super::Scoreboard). State: per warp slot 32 pending bits, 32 orphans, and for which of the paths these count.
//!
//! As in [`CtaPathScoreboard`](super::CtaPathScoreboard), what the warps of a path have orphaned counts for that path of the CTA, and for both once another entry has become active. Here a slot may see
//! warps of either path while an entry is active: where both have left orphans, all of them count for both. A warp also waits for what is still pending in its slot, whoever it was
//! from: results name their slot, and nothing else. Both hold back more than they must, and nobody too little.
use super::ScoreboardRow;
use crate::interface::{RegisterEvent, Slots, WarpEvent};
use crate::parts::OneHotMux;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SharedPathScoreboard: clock, reset {
        pub slot: Slots<In> = Slots::new(config),
        pub set: RegisterEvent<In> = RegisterEvent::new(w, config.register_width()),
        pub release: RegisterEvent<In> = RegisterEvent::new(w, config.register_width()),
        pub orphan: WarpEvent<In> = WarpEvent::of(config),
        pub orphan_right: Signal<In, Bit>,
        pub moved: Net<In> = warps,
        pub rights: Net<In> = warps,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub hazard: Net<Out> = warps,

        rows: Vec<ScoreboardRow> = (0..warps).map(|_| ScoreboardRow::new(config, true)).collect() => |i| {
            rs1: slot.rs1[i], rs2: slot.rs2[i], rd: slot.rd[i], set_mask, clear_mask: release_mask,
        },
        /// By path: slots whose orphans count for it.
        counts: Vec<Register> = Register::vec(2, warps),
        one_warp: Constant = Constant::new(1, warps),
        one_register: Constant = Constant::new(1, registers),
        set_warps: Net<Local> = warps,
        set_mask: Net<Local> = registers,
        released_warps: Net<Local> = warps,
        release_mask: Net<Local> = registers,
        left_warps: Net<Local> = warps,
        left_by: Vec<Net<Local>> = Net::vec(2, warps),
        has_orphans: Net<Local> = warps,
        /// By CTA: its slots.
        members: Vec<Net<Local>> = Net::vec(ctas, warps),
        /// By path x C + CTA: the orphans that count for it.
        orphans: Vec<OneHotMux> = (0..2 * ctas).map(|_| OneHotMux::new(registers, warps)).collect(),
        /// By path x W + warp: those of the warp's CTA.
        foreign: Vec<IndexedMux> = (0..2 * warps).map(|_| IndexedMux::new(registers, ctas)).collect(),
    }
    sizes { _warps = warps, _ctas = ctas }
    /// The scoreboard of a core whose CTA-wide stack has dual paths in one set of slots.
    pub fn new(config: &CoreConfig) {
        let (warps, w, registers) = (config.warps, config.warp_width(), config.registers());
        let (ctas, c) = (config.cta_slots, config.slot_width());
    }
}

impl Logic for SharedPathScoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SharedPathScoreboard");
        self.set_mask.next = self.one_register.val() << self.set.rd.val();
        self.release_mask.next = self.one_register.val() << self.release.rd.val();
        self.set_warps.next = 0.into();
        if self.set.valid.val() {
            self.set_warps.next = self.one_warp.val() << self.set.warp.val();
        }
        self.released_warps.next = 0.into();
        if self.release.valid.val() {
            self.released_warps.next = self.one_warp.val() << self.release.warp.val();
        }
        self.left_warps.next = 0.into();
        if self.orphan.valid.val() {
            self.left_warps.next = self.one_warp.val() << self.orphan.warp.val();
        }
        self.left_by[0].next = self.left_warps.val();
        self.left_by[1].next = 0.into();
        if self.orphan_right.val() {
            self.left_by[0].next = 0.into();
            self.left_by[1].next = self.left_warps.val();
        }

        // For which paths the orphans of a slot count.
        self.has_orphans.next = 0.into();
        for i in 0..self.rows.len() {
            self.has_orphans.next = self.has_orphans.val().replace_bit(i, self.rows[i].shadows.val().any());
        }
        for s in 0..2 {
            // What is orphaned in the very cycle counts as well.
            self.counts[s].d.next =
                (self.counts[s].q.val() & self.has_orphans.val()) | self.left_by[s].val() | self.moved.val();
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
                    for c in 0..self._ctas {
                        self.orphans[s * ctas + c].select.next = self.members[c].val() & self.counts[s].q.val();
                        for i in 0..self._warps {
                            self.orphans[s * ctas + c].inputs[i].next = self.rows[i].shadows.val();
                        }
                    }
                    for i in 0..self._warps {
                        self.foreign[s * warps + i].index.next = self.warp_slot[i].val();
                        for c in 0..self._ctas {
                            self.foreign[s * warps + i].inputs[c].next = self.orphans[s * ctas + c].selected.val();
                        }
                    }
                }
                for i in 0..self._warps {
                    self.rows[i].foreign.next = self.foreign[i].selected.val();
                    if self.rights.val().get_bit(i) {
                        self.rows[i].foreign.next = self.foreign[warps + i].selected.val();
                    }
                }
            }
        }

        self.hazard.next = 0.into();
        for i in 0..self.rows.len() {
            self.rows[i].reads_rs1.next = self.slot.reads_rs1.val().get_bit(i);
            self.rows[i].reads_rs2.next = self.slot.reads_rs2.val().get_bit(i);
            self.rows[i].writes_rd.next = self.slot.writes_rd.val().get_bit(i);
            for p in 0..self.slot.reads_rs3.len() {
                self.rows[i].rs3[p].next = self.slot.rs3[i].val();
                self.rows[i].reads_rs3[p].next = self.slot.reads_rs3[p].val().get_bit(i);
                self.rows[i].waits_for_all[p].next = self.slot.waits_for_all[p].val().get_bit(i);
            }
            self.rows[i].set.next = self.set_warps.val().get_bit(i);
            self.rows[i].clear.next = self.released_warps.val().get_bit(i);
            self.rows[i].copy.next = self.left_warps.val().get_bit(i);
            self.hazard.next = self.hazard.val().replace_bit(i, self.rows[i].hazard.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::register_script::{drive, wait_for_add};
    use super::*;
    use crate::config::Mechanism;

    /// Warps 0 and 1 are of CTA 0, 2 and 3 of CTA 1; 0 to 2 wait to execute `add x5, x6, x7`. `set release leave moved | which warps are of the right path | hazard of warps 2 1 0`; `L0` are
    /// the threads of the left path in slot 0, `0:6` is x6 of slot 0.
    const ORPHANS: &str = "
        0:6 -   -  - | 010 | 000
        -   -   -  - | 010 | 001    its own warp waits
        -   -   L0 - | 010 | 001    its threads leave
        -   -   -  - | 010 | 001    the right path does not wait for them
        -   -   -  - | 000 | 011    a left warp in slot 1 does
        -   -   -  - | 011 | 001    so does a right one in slot 0: the result names the slot
        1:7 -   -  - | 011 | 001
        -   -   R1 - | 011 | 011
        -   0:6 -  - | 011 | 011
        -   -   -  - | 011 | 011    what the right path has orphaned holds back its warps
        -   -   -  - | 010 | 010    not those of the left one
        -   -   -  0 | 010 | 010
        -   -   -  - | 000 | 011    until another entry becomes active
        -   1:7 -  - | 000 | 011
        0:6 -   L0 - | 000 | 000    issued as its warp dissolves
        0:7 -   -  - | 011 | 001    the next one in that slot is of the right path
        -   -   R0 - | 011 | 001
        -   -   -  - | 011 | 011    both have left something there: it counts for both
        -   -   -  - | 000 | 011
        -   0:6 -  - | 000 | 011
        -   -   -  - | 000 | 011
        -   0:7 -  - | 000 | 011
        2:9 -   L2 1 | 000 | 000    x9 does not matter
        -   2:9 -  - | 000 | 000
        2:6 -   R2 - | 000 | 000    another CTA
        -   -   -  - | 000 | 100
        -   2:6 -  - | 000 | 100
        -   -   -  - | 111 | 000
        3:6 -   L3 - | 111 | 000    and what its left path leaves
        -   -   -  - | 111 | 000    is nothing to a right warp beside it
        -   -   -  - | 011 | 100
        -   3:6 -  - | 011 | 100
        -   -   -  - | 011 | 000";

    /// Warp 0 is of CTA 1, the others of CTA 2.
    const OTHER_CTAS: &str = "
        1:6 -   L1 - | 000 | 000
        -   -   -  - | 000 | 110    its own slot, and a warp of the same path
        -   -   -  - | 100 | 010
        -   1:6 -  - | 000 | 110
        -   -   -  - | 000 | 000";

    #[test]
    fn orphans_hold_the_path_then_the_cta() {
        run([0, 0, 1, 1], ORPHANS);
        run([1, 2, 2, 2], OTHER_CTAS);
    }

    fn run(ctas: [usize; 4], script: &str) {
        let config = CoreConfig { mechanism: Mechanism::TbcDualPathConstrained, ..CoreConfig::tiny() };
        let mut scoreboard = SharedPathScoreboard::new(&config);
        scoreboard.connect_all();
        simulate(&mut scoreboard, 1000);
        wait_for_add(&mut scoreboard.slot, 0b0111);
        (0..4).for_each(|i| scoreboard.warp_slot[i].next = ctas[i].into());
        for line in script.trim().lines().map(str::trim) {
            let columns: Vec<Vec<&str>> = line.split('|').map(|column| column.split_whitespace().collect()).collect();
            let [set, release, leave, moved] = columns[0][..] else { panic!("{line}") };
            drive(&mut scoreboard.set, set);
            drive(&mut scoreboard.release, release);
            scoreboard.orphan.valid.next = leave != "-";
            scoreboard.orphan_right.next = leave.starts_with('R');
            scoreboard.orphan.warp.next = leave.trim_start_matches(['L', 'R']).parse::<usize>().unwrap_or(0).into();
            scoreboard.moved.next = moved.parse::<usize>().map_or(0, |cta| 0b11 << (2 * cta)).into();
            scoreboard.rights.next = usize::from_str_radix(columns[1][0], 2).unwrap().into();
            simulate(&mut scoreboard, 1000);
            assert_eq!(format!("{:03b}", scoreboard.hazard.val().value()), columns[2][0], "{line}");
            tick!(scoreboard);
        }
    }
}
