//! Register scoreboard of dual-path execution: which paths' next instructions wait for a result.
//!
//! ```text
//!                +--------------------------------------+
//!  slot_* ------>|  left: pending,   right: pending,    |
//!  set_* ------->|        shadow <--\ /--> shadow       |---> hazard[2]
//!  release_* --->|                   X                  |
//!  copy_* ------>|       hazard <---/ \--> hazard       |   per warp
//!                +--------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[2W]`, `slot_rs2[2W]`, `slot_rd[2W]` | 5 | from the warp buffer, index side x W + warp; side 0 is the left path |
//! | `slot_reads_rs1[2]`, `slot_reads_rs2[2]`, `slot_writes_rd[2]` | W | the same, by side |
//! | `set_valid`, `set_warp`, `set_rd` | 1, w + 1, 5 | an instruction of this path, {side, warp}, that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd` | 1, w + 1, 5 | the result of this path's instruction takes a write-back slot |
//! | `copy_valid`, `copy_warp` | 1, w | threads of this warp may run on the other side from now on, from the reconvergence unit |
//! | `hazard[2]` | W | by side; bit *i*: this path of warp *i* must wait |
//!
//! Latency 1: a register set at issue blocks from the next cycle, and released it is free in the next cycle; so do shadows. State: per warp and side
//! 32 `pending` and 32 `shadow` bits.
//!
//! A path waits for the pending registers of its own side and for the shadows of the other one. At a divergence or a reconvergence all that is
//! pending on either side is copied to its shadows, and a release clears both bits where the instruction came from, wherever its threads are by then. That is
//! conservative: after a copy a path waits for registers of the other side's threads too. The paper's prose copies the side that diverges or
//! reconverges only, its example both; both is what needs no side from the reconvergence unit.
//! Rhu 2014, 3.2.2, Fig. 3.4 to 3.6.
use super::ScoreboardRow;
use crate::interface::{RegisterEvent, Slots, WarpEvent};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DualPathScoreboard: clock, reset {
        pub slot: Vec<Slots<In>> = (0..2).map(|_| Slots::new(config)).collect(),
        pub set: RegisterEvent<In> = RegisterEvent::new(w + 1, config.register_width()),
        pub release: RegisterEvent<In> = RegisterEvent::new(w + 1, config.register_width()),
        pub copy: WarpEvent<In> = WarpEvent::of(config),
        pub hazard: Vec<Net<Out>> = Net::vec(2, warps),

        /// By side x W + warp.
        rows: Vec<ScoreboardRow> = (0..2 * warps).map(|_| ScoreboardRow::new(config, true)).collect(),
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
        copied_rows: Net<Local> = warps,
    }
    sizes { _warps = warps, _w = w, _floats = config.of_floats() }
    /// The scoreboard of a core with two paths per warp.
    pub fn new(config: &CoreConfig) {
        let (warps, w, registers) = (config.warps, config.warp_width(), config.registers());
    }
}

impl Logic for DualPathScoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DualPathScoreboard");
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
        }
        self.copied_rows.next = 0.into();
        if self.copy.valid.val() {
            self.copied_rows.next = self.one_warp.val() << self.copy.warp.val();
        }
        for s in 0..2 {
            self.hazard[s].next = 0.into();
        }
        // A loop of one trip: an index may hold numbers and loop variables only.
        for warps in self._warps..(self._warps + 1) {
            for s in 0..2 {
                for i in 0..self._warps {
                    self.rows[s * warps + i].rs1.next = self.slot[s].rs1[i].val();
                    self.rows[s * warps + i].rs2.next = self.slot[s].rs2[i].val();
                    self.rows[s * warps + i].rd.next = self.slot[s].rd[i].val();
                    self.rows[s * warps + i].reads_rs1.next = self.slot[s].reads_rs1.val().get_bit(i);
                    self.rows[s * warps + i].reads_rs2.next = self.slot[s].reads_rs2.val().get_bit(i);
                    self.rows[s * warps + i].writes_rd.next = self.slot[s].writes_rd.val().get_bit(i);
                    for p in 0..self._floats {
                        self.rows[s * warps + i].rs3[p].next = self.slot[s].rs3[i].val();
                        self.rows[s * warps + i].reads_rs3[p].next = self.slot[s].reads_rs3[p].val().get_bit(i);
                        self.rows[s * warps + i].waits_for_all[p].next = self.slot[s].waits_for_all[p].val().get_bit(i);
                    }
                    self.rows[s * warps + i].set.next = self.set_rows[s].val().get_bit(i);
                    self.rows[s * warps + i].set_mask.next = self.set_mask.val();
                    self.rows[s * warps + i].clear.next = self.released_rows[s].val().get_bit(i);
                    self.rows[s * warps + i].clear_mask.next = self.release_mask.val();
                    self.rows[s * warps + i].copy.next = self.copied_rows.val().get_bit(i);
                    self.rows[s * warps + i].foreign.next = self.rows[(1 - s) * warps + i].shadows.val();
                    self.hazard[s].next = self.hazard[s].val().replace_bit(i, self.rows[s * warps + i].hazard.val());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::register_script::wait_for_add;
    use super::*;

    /// All paths wait to execute `add x5, x6, x7`. `set release copy | hazard of the left paths of warps 1 0, of the right ones`,
    /// `L0:6` is x6 of warp 0's left path.
    const COPIES: &str = "
        L0:6 -    - | 00 00
        -    -    - | 01 00    read after write on its own side only
        -    -    0 | 01 00
        -    -    - | 01 01    threads may have gone to the right
        R0:7 -    - | 01 01
        L1:9 L0:6 - | 01 01
        R1:5 -    - | 00 01    free on both sides; x7 is of the right path alone, x9 does not matter
        -    R1:5 1 | 00 11    write after write; released as threads move: nothing remains
        R1:6 R0:7 1 | 00 01    issued as they move
        L1:6 -    - | 10 10
        -    R1:6 - | 10 10    the same register is pending on both sides
        -    -    - | 10 00    and is tracked by side
        -    -    1 | 10 00
        -    L1:6 1 | 10 10    copied again, and gone all the same
        L1:7 -    - | 00 00
        -    -    0 | 10 00    of another warp
        -    L1:7 - | 10 00
        -    -    - | 00 00";

    #[test]
    fn copies_reach_the_other_side() {
        let mut scoreboard = DualPathScoreboard::new(&CoreConfig::tiny());
        scoreboard.connect_all();
        simulate(&mut scoreboard, 1000);
        scoreboard.slot.iter_mut().for_each(|slot| wait_for_add(slot, 0b1111));
        for line in COPIES.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().take(6).collect();
            let write = |text: &str| {
                let (path, register) = text.split_once(':').unwrap_or(("L0", "0"));
                let warp = path[1..].parse::<usize>().unwrap();
                ((path.starts_with('R') as usize * 4 + warp).into(), register.parse::<usize>().unwrap().into())
            };
            scoreboard.set.valid.next = field[0] != "-";
            (scoreboard.set.warp.next, scoreboard.set.rd.next) = write(field[0]);
            scoreboard.release.valid.next = field[1] != "-";
            (scoreboard.release.warp.next, scoreboard.release.rd.next) = write(field[1]);
            scoreboard.copy.valid.next = field[2] != "-";
            scoreboard.copy.warp.next = field[2].parse::<usize>().unwrap_or(0).into();
            simulate(&mut scoreboard, 1000);
            let hazards: Vec<String> =
                scoreboard.hazard.iter().map(|side| format!("{:02b}", side.val().value())).collect();
            assert_eq!(hazards, field[4..6], "{line}");
            tick!(scoreboard);
        }
    }
}
