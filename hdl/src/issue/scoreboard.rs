//! Register scoreboard: which warps' next instructions wait for a result.
//!
//! ```text
//!                +-----------------------------+
//!  slot_* ------>|  ScoreboardRow x W: pending |---> hazard, pending
//!  set_* ------->|    |                        |
//!  release_* --->|    v of slots that threads  |
//!  orphan_* ---->|    |   have left, by CTA    |
//!  left -------->|    +-> OneHotMux x C -------|---> orphans
//!  elsewhere --->|  IndexedMux x W: the CTA's  |
//!                +-----------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[W]`, `slot_rs2[W]`, `slot_rd[W]`, `slot_reads_rs1`, `slot_reads_rs2`, `slot_writes_rd` | 5, W | from the warp buffer |
//! | `set_valid`, `set_warp`, `set_rd` | 1, w, 5 | an instruction that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd` | 1, w, 5 | its result takes a write-back slot |
//! | `orphan_valid`, `orphan_warp` | 1, w | threads leave this warp slot, from the reconvergence unit |
//! | `warp_slot[W]` | c | CTA slot of each warp |
//! | `left` | W | where there is one for each side (Vec of one): the warp slots of this side that threads leave |
//! | `orphans[C]`, `elsewhere[C]` | 2^r | there: the orphans of each CTA on this side, and on all |
//! | `hazard` | W | bit *i*: warp *i* must wait |
//! | `pending` | W | where threads leave a warp only when it has no register pending: it has some |
//!
//! Latency 1: a register set at issue blocks from the next cycle, and released it is free in the next cycle. State: W x 32 bits, twice that if warps are compacted.
//!
//! A thread that moves to another warp still waits for its results: the slot it leaves keeps them as orphans until they are released, and they count for
//! every warp of the CTA (docs/decisions/0006-orphaned-registers.md).
//! Rhu 2014, 3.2.2 (single-path scoreboard).
use super::ScoreboardRow;
use crate::interface::{RegisterEvent, Slots, WarpEvent};
use crate::parts::OneHotMux;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Scoreboard: clock, reset {
        pub slot: Slots<In> = Slots::new(config),
        pub set: RegisterEvent<In> = RegisterEvent::new(config.warp_width(), config.register_width()),
        pub release: RegisterEvent<In> = RegisterEvent::new(config.warp_width(), config.register_width()),
        pub orphan: WarpEvent<In> = WarpEvent::of(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub left: Vec<Net<In>> = Net::vec(config.of_left_paths(1), warps),
        pub orphans: Vec<Net<Out>> = Net::vec(config.of_left_paths(ctas), registers),
        pub elsewhere: Vec<Net<In>> = Net::vec(config.of_left_paths(ctas), registers),
        pub hazard: Net<Out> = warps,
        /// Where paths are drained: one, else none.
        pub pending: Vec<Net<Out>> = Net::vec(config.drains_paths() as usize, warps),

        rows: Vec<ScoreboardRow> = (0..warps).map(|_| ScoreboardRow::new(config, compacts)).collect() => |i| {
            rs1: slot.rs1[i], rs2: slot.rs2[i], rd: slot.rd[i], set_mask, clear_mask: release_mask,
        },
        one_warp: Net<Local> = warps,
        one_register: Net<Local> = registers,
        set_warps: Net<Local> = warps,
        set_mask: Net<Local> = registers,
        released_warps: Net<Local> = warps,
        release_mask: Net<Local> = registers,
        left_warps: Net<Local> = warps,
        members: Vec<Net<Local>> = Net::vec(ctas, warps),
        // Where warps are compacted: the orphans of each CTA, gathered from its slots and given to its slots.
        cta_orphans: Vec<OneHotMux> = (0..ctas).map(|_| OneHotMux::new(registers, warps)).collect() => |c| { select: members[c] },
        foreign: Vec<IndexedMux> = (0..slots).map(|_| IndexedMux::new(registers, ctas)).collect() => |i| {
            index: warp_slot[i],
        },
    }
    /// The scoreboard of a core.
    pub fn new(config: &CoreConfig) {
        let (warps, c) = (config.warps, config.slot_width());
        let compacts = config.compacts() && !config.drains_paths();
        let registers = config.registers();
        let (ctas, slots) = if compacts { (config.cta_slots, warps) } else { (0, 0) };
    }
}

impl Logic for Scoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Scoreboard");
        self.one_warp.next = 1.into();
        self.one_register.next = 1.into();
        self.set_warps.next = 0.into();
        if self.set.valid.val() {
            self.set_warps.next = self.one_warp.val() << self.set.warp.val();
        }
        self.set_mask.next = self.one_register.val() << self.set.rd.val();
        self.released_warps.next = 0.into();
        if self.release.valid.val() {
            self.released_warps.next = self.one_warp.val() << self.release.warp.val();
        }
        self.release_mask.next = self.one_register.val() << self.release.rd.val();

        self.left_warps.next = 0.into();
        if self.orphan.valid.val() {
            self.left_warps.next = self.one_warp.val() << self.orphan.warp.val();
        }
        for k in 0..self.left.len() {
            self.left_warps.next = self.left[k].val();
        }
        for c in 0..self.cta_orphans.len() {
            for i in 0..self.rows.len() {
                self.cta_orphans[c].inputs[i].next = self.rows[i].shadows.val();
            }
        }
        for c in 0..self.cta_orphans.len() {
            self.members[c].next = 0.into();
            for i in 0..self.rows.len() {
                self.members[c].next = self.members[c].val().replace_bit(i, self.warp_slot[i].val() == c);
            }
        }
        for i in 0..self.foreign.len() {
            for c in 0..self.cta_orphans.len() {
                self.foreign[i].inputs[c].next = self.cta_orphans[c].selected.val();
            }
        }
        for c in 0..self.orphans.len() {
            self.orphans[c].next = self.cta_orphans[c].selected.val();
            for i in 0..self.foreign.len() {
                self.foreign[i].inputs[c].next = self.elsewhere[c].val();
            }
        }
        self.hazard.next = 0.into();
        for p in 0..self.pending.len() {
            self.pending[p].next = 0.into();
        }
        for i in 0..self.rows.len() {
            self.rows[i].foreign.next = 0.into();
        }
        for i in 0..self.foreign.len() {
            self.rows[i].foreign.next = self.foreign[i].selected.val();
        }
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
            for p in 0..self.pending.len() {
                self.pending[p].next = self.pending[p].val().replace_bit(i, self.rows[i].waits[p].val());
            }
            self.rows[i].copy.next = self.left_warps.val().get_bit(i);
            self.hazard.next = self.hazard.val().replace_bit(i, self.rows[i].hazard.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::register_script::{drive, wait_for_add};
    use super::*;
    use crate::config::{AdequacyHistory, AdequacyPredictor, FormationHazards, Mechanism, WarpFormation};

    /// Warp 1 waits to execute `add x5, x6, x7`. `set release | hazard of warp 1`, as `warp:register`.
    const HAZARDS: &str = "
        -   -   | 0
        1:6 -   | 0    takes effect at the edge
        -   -   | 1    read after write, first operand
        -   1:6 | 1
        1:7 -   | 0
        1:9 1:7 | 1    second operand
        1:5 -   | 0    x9 does not matter
        -   1:9 | 1    write after write
        0:6 1:5 | 1
        -   -   | 0    another warp's x6 does not matter";

    /// Warps 0 and 1 are of CTA 0, 2 of CTA 1; all wait to execute `add x5, x6, x7`. `set release leave | hazard of warps 2 1 0`.
    const ORPHANS: &str = "
        0:6 -   - | 000
        -   -   - | 001    only its own warp waits
        -   -   0 | 001    its threads leave
        -   -   - | 011    whoever may have got them waits, not the other CTA
        2:7 -   2 | 011    issue and departure in one cycle
        -   0:6 - | 111
        1:9 -   - | 100    released everywhere
        -   2:7 - | 100
        0:5 -   - | 000
        -   0:5 0 | 001    released as they leave: nothing remains
        -   -   - | 000";

    /// Warps 0 and 1 of CTA 0 and 2 of CTA 1, all with `add x5, x6, x7` in their slots.
    fn with_three_warps(mechanism: Mechanism) -> Scoreboard {
        let mut scoreboard = Scoreboard::new(&CoreConfig { mechanism, ..CoreConfig::tiny() });
        scoreboard.connect_all();
        wait_for_add(&mut scoreboard.slot, 0b0111);
        (0..4).for_each(|i| scoreboard.warp_slot[i].next = (i / 2).into());
        simulate(&mut scoreboard, 1000);
        scoreboard
    }

    #[test]
    fn orphans_hold_the_cta() {
        let capri = AdequacyPredictor { entries: 2, history: AdequacyHistory::Latest };
        let mut scoreboard = with_three_warps(Mechanism::Capri(capri));
        for line in ORPHANS.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            drive(&mut scoreboard.set, field(0));
            drive(&mut scoreboard.release, field(1));
            scoreboard.orphan.valid.next = field(2) != "-";
            scoreboard.orphan.warp.next = field(2).parse::<usize>().unwrap_or(0).into();
            simulate(&mut scoreboard, 1000);
            assert_eq!(format!("{:04b}", scoreboard.hazard.val().value())[1..], *field(4), "{line}");
            tick!(scoreboard);
        }
    }

    /// One of two sides of a warp pool; warps 0 and 1 are of CTA 0, 2 of CTA 1; all wait to execute `add x5, x6, x7`.
    /// `set left, pending elsewhere in CTA 0 | hazard of warps 2 1 0, orphans of CTA 0`.
    const LEFT: &str = "
        0:6 -   - | 000 -
        -   -   - | 001 -
        -   0   - | 001 -    its threads leave
        -   -   - | 001 6    for all sides to wait
        -   -   6 | 011 6
        2:7 0,2 7 | 011 6    another side's
        -   -   - | 101 6    x7 is of CTA 1, and named here by its own warp only
        -   -   - | 101 6";

    #[test]
    fn orphans_of_a_side_are_for_all() {
        let orphans = WarpFormation { hazards: FormationHazards::Orphans, ..WarpFormation::DEFAULT };
        let mut scoreboard = with_three_warps(Mechanism::WarpFormation(orphans));
        for line in LEFT.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            drive(&mut scoreboard.set, field(0));
            let left = field(1).split(',').filter_map(|warp| warp.parse::<u32>().ok());
            scoreboard.left[0].next = left.map(|warp| 1usize << warp).sum::<usize>().into();
            scoreboard.elsewhere[0].next = field(2).parse::<u32>().map_or(0usize, |register| 1 << register).into();
            simulate(&mut scoreboard, 1000);
            assert_eq!(format!("{:04b}", scoreboard.hazard.val().value())[1..], *field(4), "{line}");
            let orphans = field(5).parse::<u32>().map_or(0u64, |register| 1 << register);
            assert_eq!(scoreboard.orphans[0].val().value(), orphans, "{line}");
            tick!(scoreboard);
        }
    }

    #[test]
    fn hazards_appear_and_clear() {
        let mut scoreboard = Scoreboard::new(&CoreConfig::tiny());
        scoreboard.connect_all();
        simulate(&mut scoreboard, 1000);
        scoreboard.slot.rs1[1].next = 6.into();
        scoreboard.slot.rs2[1].next = 7.into();
        scoreboard.slot.rd[1].next = 5.into();
        scoreboard.slot.reads_rs1.next = 0b10.into();
        scoreboard.slot.reads_rs2.next = 0b10.into();
        scoreboard.slot.writes_rd.next = 0b10.into();
        for line in HAZARDS.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            drive(&mut scoreboard.set, field(0));
            drive(&mut scoreboard.release, field(1));
            simulate(&mut scoreboard, 1000);
            assert_eq!(scoreboard.hazard.val().get_bit(1), field(3) == "1", "{line}");
            tick!(scoreboard);
        }
    }
}
