//! Exact register scoreboard: which paths' next instructions wait for a result, by thread.
//!
//! ```text
//!               +------------------+
//!  slot_* ----->|                  |
//!  write_* ---->| ThreadScoreboard |---> hazard[P]
//!  set_* ------>|                  |
//!  release_* -->|                  |
//!               +------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[P W]`, `slot_rs2[P W]`, `slot_rd[P W]` | 5 | from the warp buffer, index side x W + warp |
//! | `slot_reads_rs1[P]`, `slot_reads_rs2[P]`, `slot_writes_rd[P]` | W | the same, by side |
//! | `write_valid`, `write_warp`, `write_mask` | 1, p, L | from DECODE: an instruction of these lanes enters the slot of this path, {side, warp} |
//! | `set_valid`, `set_warp`, `set_rd`, `set_mask` | 1, p, 5, L | an instruction of these lanes that writes `rd` issues (never x0) |
//! | `release_valid`, `release_warp`, `release_rd`, `release_mask` | 1, p, 5, L | the result of these lanes takes a write-back slot |
//! | `hazard[P]` | W | by side; bit *i*: this path of warp *i* must wait |
//!
//! Latency 1: a register set at issue blocks from the next cycle, and released it is free in the next cycle. State: W x L x 32 bits and
//! P x W x L for the lanes of the slots, against 64 W of [`Scoreboard`](super::Scoreboard)'s kind for two paths.
//!
//! A pending bit for every thread and register: a path waits for its own threads' registers only, wherever they were when they issued. The side of
//! `set_warp` and `release_warp` says nothing. It is a yardstick, not a proposal: the scoreboard without false dependences that the paper compares
//! its own with, and the perfect one that it gives dynamic warp subdivision. Rhu 2014, 3.2.2 (optimistic scoreboard) and 3.3.1.
use super::ThreadScoreboardRow;
use crate::interface::{Decoded, RegisterEvent, Slots};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadScoreboard: clock, reset {
        pub slot: Vec<Slots<In>> = (0..sides).map(|_| Slots::new(config)).collect(),
        pub write: Decoded<In> = Decoded::of(config),
        pub set: RegisterEvent<In> = RegisterEvent::of(config),
        pub set_mask: Net<In> = lanes,
        pub release: RegisterEvent<In> = RegisterEvent::of(config),
        pub release_mask: Net<In> = lanes,
        pub hazard: Vec<Net<Out>> = Net::vec(sides, warps),

        /// By warp.
        rows: Vec<ThreadScoreboardRow> = (0..warps).map(|_| ThreadScoreboardRow::new(config, sides)).collect() => |i| {
            write_mask: write.mask, set_lanes: set_mask, set_mask: set_register, clear_lanes: release_mask,
            clear_mask: released_register, reads_rs1: reads_rs1_by_side[i], reads_rs2: reads_rs2_by_side[i],
            writes_rd: writes_rd_by_side[i], write: write_by_side[i],
        },
        // By warp: the bits of its paths.
        reads_rs1_by_side: Vec<Net<Local>> = Net::vec(warps, sides),
        reads_rs2_by_side: Vec<Net<Local>> = Net::vec(warps, sides),
        writes_rd_by_side: Vec<Net<Local>> = Net::vec(warps, sides),
        reads_rs3_by_side: Vec<Net<Local>> = Net::vec(warps * config.of_floats(), sides),
        waits_for_all_by_side: Vec<Net<Local>> = Net::vec(warps * config.of_floats(), sides),
        write_by_side: Vec<Net<Local>> = Net::vec(warps, sides),
        one_warp: Constant = Constant::new(1, warps),
        one_register: Constant = Constant::new(1, config.registers()),
        side_bit: Constant = Constant::new(w as u64, index_width(w + 1)),
        write_side: Net<Local> = path - w,
        write_row: Net<Local> = w,
        write_home_warps: Vec<Net<Local>> = Net::vec(sides, warps),
        set_row: Net<Local> = w,
        set_rows: Net<Local> = warps,
        set_register: Net<Local> = config.registers(),
        released_row: Net<Local> = w,
        released_rows: Net<Local> = warps,
        released_register: Net<Local> = config.registers(),
    }
    sizes { _w = w, _side = path - w, _floats = config.of_floats() }
    /// The scoreboard of a core with several paths per warp.
    pub fn new(config: &CoreConfig) {
        let (sides, warps, lanes) = (config.sides(), config.warps, config.lanes);
        let (path, w) = (config.path_width(), config.warp_width());
        assert!(sides > 1, "one path per warp is the plain scoreboard's");
    }
}

impl Logic for ThreadScoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadScoreboard");
        self.write_side.next = bit_cast_to(self.write.warp.val() >> self.side_bit.val(), self._side);
        self.write_row.next = bit_cast_to(self.write.warp.val(), self._w);
        for s in 0..self.write_home_warps.len() {
            self.write_home_warps[s].next = 0.into();
            if self.write.valid.val() & (self.write_side.val() == s) {
                self.write_home_warps[s].next = self.one_warp.val() << self.write_row.val();
            }
        }
        self.set_row.next = bit_cast_to(self.set.warp.val(), self._w);
        self.set_rows.next = 0.into();
        if self.set.valid.val() {
            self.set_rows.next = self.one_warp.val() << self.set_row.val();
        }
        self.set_register.next = self.one_register.val() << self.set.rd.val();
        self.released_row.next = bit_cast_to(self.release.warp.val(), self._w);
        self.released_rows.next = 0.into();
        if self.release.valid.val() {
            self.released_rows.next = self.one_warp.val() << self.released_row.val();
        }
        self.released_register.next = self.one_register.val() << self.release.rd.val();

        for i in 0..self.rows.len() {
            self.rows[i].set.next = self.set_rows.val().get_bit(i);
            self.rows[i].clear.next = self.released_rows.val().get_bit(i);
            self.write_by_side[i].next = 0.into();
            self.reads_rs1_by_side[i].next = 0.into();
            self.reads_rs2_by_side[i].next = 0.into();
            self.writes_rd_by_side[i].next = 0.into();
            for p in 0..self._floats {
                self.reads_rs3_by_side[i].next = 0.into();
                self.waits_for_all_by_side[i].next = 0.into();
                for s in 0..self.hazard.len() {
                    self.rows[i].rs3[s].next = self.slot[s].rs3[i].val();
                    self.reads_rs3_by_side[i].next =
                        self.reads_rs3_by_side[i].val().replace_bit(s, self.slot[s].reads_rs3[p].val().get_bit(i));
                    self.waits_for_all_by_side[i].next = self.waits_for_all_by_side[i]
                        .val()
                        .replace_bit(s, self.slot[s].waits_for_all[p].val().get_bit(i));
                }
                self.rows[i].reads_rs3[p].next = self.reads_rs3_by_side[i].val();
                self.rows[i].waits_for_all[p].next = self.waits_for_all_by_side[i].val();
            }
        }
        for s in 0..self.hazard.len() {
            self.hazard[s].next = 0.into();
        }
        for s in 0..self.hazard.len() {
            for i in 0..self.rows.len() {
                self.rows[i].rs1[s].next = self.slot[s].rs1[i].val();
                self.rows[i].rs2[s].next = self.slot[s].rs2[i].val();
                self.rows[i].rd[s].next = self.slot[s].rd[i].val();
                self.reads_rs1_by_side[i].next =
                    self.reads_rs1_by_side[i].val().replace_bit(s, self.slot[s].reads_rs1.val().get_bit(i));
                self.reads_rs2_by_side[i].next =
                    self.reads_rs2_by_side[i].val().replace_bit(s, self.slot[s].reads_rs2.val().get_bit(i));
                self.writes_rd_by_side[i].next =
                    self.writes_rd_by_side[i].val().replace_bit(s, self.slot[s].writes_rd.val().get_bit(i));
                self.write_by_side[i].next =
                    self.write_by_side[i].val().replace_bit(s, self.write_home_warps[s].val().get_bit(i));
                self.hazard[s].next = self.hazard[s].val().replace_bit(i, self.rows[i].hazards.val().get_bit(s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::DualPathScoreboard;
    use super::super::register_script::wait_for_add;
    use super::*;
    use crate::config::{Mechanism, Subdivision};

    /// The four paths of warp 1 wait to execute `add x5, x6, x7`. `write set written | hazard of paths 3 2 1 0`; `2=0011`: these lanes are
    /// path 2's, `1100:6`: x6 of these lanes, `0/1100:6`: of warp 0's.
    const THREADS: &str = "
        0=1100 -        -        | 0000
        1=0010 1100:6   -        | 0000
        2=0001 -        -        | 0001    read after write: only path 0 has such threads
        3=1000 0011:7   -        | 0001
        -      -        0100:6   | 1111    a part of a load's results
        0=0110 -        -        | 1111    path 3 waits for the rest
        -      -        0011:7   | 1111    path 0 has a thread of path 1
        -      -        -        | 1000
        -      0010:6   1000:6   | 1000    different lanes of one register in one cycle
        -      -        -        | 0011
        -      0001:5   0010:6   | 0011
        -      0/1111:7 -        | 0100    write after write
        -      -        0/0001:5 | 0100    other warps do not matter
        -      1000:9   -        | 0100    nor do other registers
        -      -        0001:5   | 0100
        -      -        -        | 0000";

    #[test]
    fn only_its_own_threads_hold_a_path() {
        let subdivision = Subdivision { threshold: 50, splits: 4 };
        let mut scoreboard =
            ThreadScoreboard::new(&CoreConfig { mechanism: Mechanism::Subdivision(subdivision), ..CoreConfig::tiny() });
        scoreboard.connect_all();
        simulate(&mut scoreboard, 1000);
        scoreboard.slot.iter_mut().for_each(|slot| wait_for_add(slot, 0b1111));
        for line in THREADS.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().take(5).collect();
            let (side, lanes) = field[0].split_once('=').unwrap_or(("0", "0"));
            let result = |text: &str| {
                let (warp, result) = text.split_once('/').unwrap_or(("1", text));
                let (lanes, register) = result.split_once(':').unwrap_or(("0", "0"));
                (number(warp, 10), number(lanes, 2), number(register, 10))
            };
            scoreboard.write.valid.next = field[0] != "-";
            scoreboard.write.warp.next = (side.parse::<usize>().unwrap() * 4 + 1).into();
            scoreboard.write.mask.next = number(lanes, 2);
            scoreboard.set.valid.next = field[1] != "-";
            (scoreboard.set.warp.next, scoreboard.set_mask.next, scoreboard.set.rd.next) = result(field[1]);
            scoreboard.release.valid.next = field[2] != "-";
            (scoreboard.release.warp.next, scoreboard.release_mask.next, scoreboard.release.rd.next) = result(field[2]);
            simulate(&mut scoreboard, 1000);
            let hazards: String =
                scoreboard.hazard.iter().rev().map(|side| (side.val().get_bit(1) as u8).to_string()).collect();
            assert_eq!(hazards, field[4], "{line}");
            tick!(scoreboard);
        }
    }

    fn number(digits: &str, radix: u32) -> Word {
        usize::from_str_radix(digits, radix).unwrap().into()
    }

    /// An instruction of the program in Rhu 2014, Fig. 3.5, its register numbers ten higher: `rd rs1 rs2`, and its lanes.
    fn instruction(path: &str) -> ([Option<usize>; 3], &'static str) {
        match path {
            "A" => ([Some(10), None, None], "1111"),         // load r0
            "B" => ([Some(11), None, None], "1000"),         // load r1
            "C" => ([Some(15), Some(10), Some(12)], "0111"), // add r5, r0, r2
            "D" => ([Some(14), Some(11), Some(13)], "0100"), // add r4, r1, r3
            "E" => ([Some(14), Some(11), Some(13)], "0011"), // sub r4, r1, r3
            "F" => ([Some(17), None, None], "0111"),         // load r7
            "G" => ([Some(18), Some(11), Some(17)], "1111"), // add r8, r1, r7
            _ => ([None; 3], "0000"),
        }
    }

    /// `left slot, right slot, event | hazard left, right by path | by thread`: `issue` and `result` name instruction and side,
    /// `copy` is a divergence or reconvergence.
    const FIGURE_3_5: &str = "
        - - -           | - - | - -
        A - issue A L   | 0 - | 0 -
        - - copy        | - - | - -    A diverges into B, left, and C, right
        B - -           | 0 - | 0 -
        B C issue B L   | 0 1 | 0 1    C waits for A's r0
        - C result A L  | - 1 | - 1
        - C issue C R   | - 0 | - 0
        - - copy        | - - | - -    C diverges into D, left, and E, right
        D - result C R  | 1 - | 0 -    D waits for B's r1 without need
        D E -           | 1 1 | 0 0    E too
        D E result B L  | 1 1 | 0 0
        D E issue D L   | 0 0 | 0 0
        - E -           | - 0 | - 0    D's r4 is not E's
        - E issue E R   | - 0 | - 0
        D - result D L  | 1 - | 1 -    D's own r4, were it to be written again
        D - -           | 0 - | 0 -    E's r4 is not D's
        - - copy        | - - | - -    D and E reconverge, right
        - F result E R  | - 0 | - 0
        - F issue F R   | - 0 | - 0
        - - copy        | - - | - -    B and F reconverge, left
        G - -           | 1 - | 1 -    G waits for F's r7
        G - result F R  | 1 - | 1 -
        G - issue G L   | 0 - | 0 -
        - - result G L  | - - | - -";

    /// The same, but B's load takes long, and C does not diverge.
    const SLOW_LOAD: &str = "
        - - copy        | - - | - -
        B - issue B L   | 0 - | 0 -
        - C -           | - 0 | - 0
        - C issue C R   | - 0 | - 0
        - F result C R  | - 0 | - 0
        - F issue F R   | - 0 | - 0
        - - copy        | - - | - -
        G - -           | 1 - | 1 -    G waits for B's r1 and F's r7
        G - result F R  | 1 - | 1 -
        G - result B L  | 1 - | 1 -    still for r1
        G - issue G L   | 0 - | 0 -";

    #[test]
    fn golden_program_on_both_scoreboards() {
        let two_paths = Mechanism::DualPath(crate::config::DualPathVariant::Optimistic);
        for script in [FIGURE_3_5, SLOW_LOAD] {
            let config = CoreConfig { mechanism: two_paths, ..CoreConfig::tiny() };
            let (mut paths, mut threads) = (DualPathScoreboard::new(&config), ThreadScoreboard::new(&config));
            paths.connect_all();
            threads.connect_all();
            simulate(&mut paths, 1000);
            simulate(&mut threads, 1000);
            let lines: Vec<Vec<&str>> = script.trim().lines().map(|line| line.split_whitespace().collect()).collect();
            for (i, line) in lines.iter().enumerate() {
                // What the slots are written in this cycle they hold in the next.
                let next = lines.get(i + 1).map_or(["-"; 2], |line| [line[0], line[1]]);
                threads.write.valid.next = false;
                for side in 0..2 {
                    let ([rd, rs1, rs2], _) = instruction(line[side]);
                    for slot in [&mut paths.slot[side], &mut threads.slot[side]] {
                        slot.rs1[0].next = rs1.unwrap_or(0).into();
                        slot.rs2[0].next = rs2.unwrap_or(0).into();
                        slot.rd[0].next = rd.unwrap_or(0).into();
                        slot.reads_rs1.next = rs1.map_or(0usize, |_| 1).into();
                        slot.reads_rs2.next = rs2.map_or(0usize, |_| 1).into();
                        slot.writes_rd.next = rd.map_or(0usize, |_| 1).into();
                    }
                    if next[side] != "-" && next[side] != line[side] {
                        assert!(!threads.write.valid.next, "one instruction is decoded in a cycle");
                        threads.write.valid.next = true;
                        threads.write.warp.next = (side * 4).into();
                        threads.write.mask.next = number(instruction(next[side]).1, 2);
                    }
                }
                let (event, name, side) = (line[2], line[3], (line[4] == "R") as usize);
                let ([rd, ..], lanes) = instruction(name);
                for set in [&mut paths.set, &mut threads.set] {
                    set.valid.next = event == "issue";
                    set.warp.next = (side * 4).into();
                    set.rd.next = rd.unwrap_or(0).into();
                }
                threads.set_mask.next = number(lanes, 2);
                paths.release.valid.next = event == "result";
                paths.release.warp.next = (side * 4).into();
                paths.release.rd.next = rd.unwrap_or(0).into();
                threads.release.valid.next = event == "result";
                threads.release.warp.next = (side * 4).into();
                threads.release.rd.next = rd.unwrap_or(0).into();
                threads.release_mask.next = number(lanes, 2);
                paths.copy.valid.next = event == "copy";
                simulate(&mut paths, 1000);
                simulate(&mut threads, 1000);
                let seen = |side: usize, hazard: &Net<Out>| match line[side] {
                    "-" => "-",
                    _ if hazard.val().get_bit(0) => "1",
                    _ => "0",
                };
                let found = [
                    seen(0, &paths.hazard[0]),
                    seen(1, &paths.hazard[1]),
                    seen(0, &threads.hazard[0]),
                    seen(1, &threads.hazard[1]),
                ];
                let columns: Vec<&str> =
                    line.iter().skip_while(|word| **word != "|").filter(|word| **word != "|").copied().collect();
                assert_eq!(found, columns[..4], "{}", line.join(" "));
                tick!(paths);
                tick!(threads);
            }
        }
    }
}
