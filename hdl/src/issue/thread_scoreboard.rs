//! Exact register scoreboard: which paths' next instructions wait for a result, by thread.
//!
//! ```text
//!               +-------------------------------------------+
//!  slot_* ----->|--> needs ----------v                      |
//!  set_* ------>|--> pending of every thread --> hits       |
//!  written_* -->|                                  v        |
//!  write_* ---->|--> lanes of every slot --------> & ---> | |---> hazard[P]
//!               +-------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_rs1[P W]`, `slot_rs2[P W]`, `slot_rd[P W]` | 5 | from the warp buffer, index side x W + warp |
//! | `slot_reads_rs1[P]`, `slot_reads_rs2[P]`, `slot_writes_rd[P]` | W | the same, by side |
//! | `write_valid`, `write_warp`, `write_mask` | 1, p, L | from DECODE: an instruction of these lanes enters the slot of this path, {side, warp} |
//! | `set_valid`, `set_warp`, `set_rd`, `set_mask` | 1, p, 5, L | an instruction of these lanes that writes `rd` issues (never x0) |
//! | `written_valid`, `written_warp`, `written_rd`, `written_mask` | 1, p, 5, L | results of these lanes, all or some of an instruction's, take a write-back slot |
//! | `hazard[P]` | W | by side; bit *i*: this path of warp *i* must wait |
//!
//! Latency 1: a register set at issue blocks from the next cycle, and written it is free in the next cycle. State: W x L x 32 bits and
//! P x W x L for the lanes of the slots, against 64 W of [`Scoreboard`](super::Scoreboard)'s kind for two paths.
//!
//! A pending bit for every thread and register: a path waits for its own threads' registers only, wherever they were when they issued. The side of
//! `set_warp` and `written_warp` says nothing. It is a yardstick, not a proposal: the scoreboard without false dependences that the paper compares
//! its own with, and the perfect one that it gives dynamic warp subdivision. Rhu 2014, 3.2.2 (optimistic scoreboard) and 3.3.1.
use super::ThreadScoreboardColumn;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct ThreadScoreboard {
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
    pub written_valid: Signal<In, Bit>,
    pub written_warp: Net<In>,
    pub written_rd: Net<In>,
    pub written_mask: Net<In>,
    pub hazard: Vec<Net<Out>>,

    /// By lane.
    columns: Vec<ThreadScoreboardColumn>,
    /// Lanes of the instruction in each slot, by side x W + warp.
    slot_lanes: Vec<EnabledRegister>,
    one_warp: Constant,
    side_bit: Constant,
    one_register: Constant,
    write_side: Net<Local>,
    write_row: Net<Local>,
    write_rows: Vec<Net<Local>>,
    set_row: Net<Local>,
    set_rows: Net<Local>,
    set_register: Net<Local>,
    written_row: Net<Local>,
    written_rows: Net<Local>,
    written_register: Net<Local>,
    needs_rs1: Vec<Net<Local>>,
    needs_rs2: Vec<Net<Local>>,
    needs_rd: Vec<Net<Local>>,
    waiting_lanes: Vec<Net<Local>>,
    _warps: usize,
    _w: usize,
    _side: usize,
}

impl ThreadScoreboard {
    /// The scoreboard of a core with several paths per warp.
    pub fn new(config: &CoreConfig) -> Self {
        let (sides, warps, lanes) = (config.sides(), config.warps, config.lanes);
        let (slots, path, w) = (sides * warps, config.path_width(), config.warp_width());
        assert!(sides > 1, "one path per warp is the plain scoreboard's");
        Self {
            clock: Default::default(),
            reset: Default::default(),
            slot_rs1: Net::vec(slots, 5),
            slot_rs2: Net::vec(slots, 5),
            slot_rd: Net::vec(slots, 5),
            slot_reads_rs1: Net::vec(sides, warps),
            slot_reads_rs2: Net::vec(sides, warps),
            slot_writes_rd: Net::vec(sides, warps),
            write_valid: Default::default(),
            write_warp: Net::new(path),
            write_mask: Net::new(lanes),
            set_valid: Default::default(),
            set_warp: Net::new(path),
            set_rd: Net::new(5),
            set_mask: Net::new(lanes),
            written_valid: Default::default(),
            written_warp: Net::new(path),
            written_rd: Net::new(5),
            written_mask: Net::new(lanes),
            hazard: Net::vec(sides, warps),
            columns: (0..lanes).map(|_| ThreadScoreboardColumn::new(sides, warps)).collect(),
            slot_lanes: EnabledRegister::vec(slots, lanes),
            one_warp: Constant::new(1, warps),
            side_bit: Constant::new(w as u64, index_width(w + 1)),
            one_register: Constant::new(1, 32),
            write_side: Net::new(path - w),
            write_row: Net::new(w),
            write_rows: Net::vec(sides, warps),
            set_row: Net::new(w),
            set_rows: Net::new(warps),
            set_register: Net::new(32),
            written_row: Net::new(w),
            written_rows: Net::new(warps),
            written_register: Net::new(32),
            needs_rs1: Net::vec(slots, 32),
            needs_rs2: Net::vec(slots, 32),
            needs_rd: Net::vec(slots, 32),
            waiting_lanes: Net::vec(slots, lanes),
            _warps: warps,
            _w: w,
            _side: path - w,
        }
    }
}

impl Logic for ThreadScoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadScoreboard");
        self.write_side.next = bit_cast_to(self.write_warp.val() >> self.side_bit.val(), self._side);
        self.write_row.next = bit_cast_to(self.write_warp.val(), self._w);
        for s in 0..self.write_rows.len() {
            self.write_rows[s].next = 0.into();
            if self.write_valid.val() & (self.write_side.val() == s) {
                self.write_rows[s].next = self.one_warp.val() << self.write_row.val();
            }
        }
        self.set_row.next = bit_cast_to(self.set_warp.val(), self._w);
        self.set_rows.next = 0.into();
        if self.set_valid.val() {
            self.set_rows.next = self.one_warp.val() << self.set_row.val();
        }
        self.set_register.next = self.one_register.val() << self.set_rd.val();
        self.written_row.next = bit_cast_to(self.written_warp.val(), self._w);
        self.written_rows.next = 0.into();
        if self.written_valid.val() {
            self.written_rows.next = self.one_warp.val() << self.written_row.val();
        }
        self.written_register.next = self.one_register.val() << self.written_rd.val();

        // A loop of one trip: an index may hold numbers and loop variables only.
        for warps in self._warps..(self._warps + 1) {
            for s in 0..self.write_rows.len() {
                for i in 0..self._warps {
                    self.slot_lanes[s * warps + i].clock.next = self.clock.val();
                    self.slot_lanes[s * warps + i].reset.next = self.reset.val();
                    self.slot_lanes[s * warps + i].enable.next = self.write_rows[s].val().get_bit(i);
                    self.slot_lanes[s * warps + i].d.next = self.write_mask.val();
                    self.needs_rs1[s * warps + i].next = 0.into();
                    if self.slot_reads_rs1[s].val().get_bit(i) {
                        self.needs_rs1[s * warps + i].next =
                            self.one_register.val() << self.slot_rs1[s * warps + i].val();
                    }
                    self.needs_rs2[s * warps + i].next = 0.into();
                    if self.slot_reads_rs2[s].val().get_bit(i) {
                        self.needs_rs2[s * warps + i].next =
                            self.one_register.val() << self.slot_rs2[s * warps + i].val();
                    }
                    self.needs_rd[s * warps + i].next = 0.into();
                    if self.slot_writes_rd[s].val().get_bit(i) {
                        self.needs_rd[s * warps + i].next =
                            self.one_register.val() << self.slot_rd[s * warps + i].val();
                    }
                }
            }
        }
        for lane in 0..self.columns.len() {
            self.columns[lane].clock.next = self.clock.val();
            self.columns[lane].reset.next = self.reset.val();
            self.columns[lane].set.next = self.set_mask.val().get_bit(lane);
            self.columns[lane].set_rows.next = self.set_rows.val();
            self.columns[lane].set_mask.next = self.set_register.val();
            self.columns[lane].clear.next = self.written_mask.val().get_bit(lane);
            self.columns[lane].clear_rows.next = self.written_rows.val();
            self.columns[lane].clear_mask.next = self.written_register.val();
            for p in 0..self.slot_lanes.len() {
                self.columns[lane].needs[p].next =
                    self.needs_rs1[p].val() | self.needs_rs2[p].val() | self.needs_rd[p].val();
            }
        }
        for s in 0..self.hazard.len() {
            self.hazard[s].next = 0.into();
        }
        for warps in self._warps..(self._warps + 1) {
            for s in 0..self.hazard.len() {
                for i in 0..self._warps {
                    self.waiting_lanes[s * warps + i].next = 0.into();
                    for lane in 0..self.columns.len() {
                        self.waiting_lanes[s * warps + i].next = self.waiting_lanes[s * warps + i]
                            .val()
                            .replace_bit(lane, self.columns[lane].hits[s].val().get_bit(i));
                    }
                    self.hazard[s].next = self.hazard[s].val().replace_bit(
                        i,
                        (self.waiting_lanes[s * warps + i].val() & self.slot_lanes[s * warps + i].q.val()).any(),
                    );
                }
            }
        }
    }
}
