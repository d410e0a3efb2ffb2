//! One warp in the [`ThreadScoreboard`](super::ThreadScoreboard): the pending registers of its threads, and the hazards of its paths' next instructions.
//!
//! ```text
//!                             +--------------------------------+
//!  rs1, rs2, rd, reads... --->|--> needs -----v                |
//!        write, write_mask -->|--> lanes of the slots --v      |
//!       set, set_*        --->|--> pending, by lane --> & ---> |---> hazards
//!       clear, clear_*    --->|                                |
//!                             +--------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1[P]`, `rs2[P]`, `rd[P]`; `rs3[P]` with floats | r | registers of the instructions in the slots of the warp's paths, by side |
//! | `reads_rs1`, `reads_rs2`, `writes_rd`; `reads_rs3` | P | which of them count |
//! | `waits_for_all` with floats | P | every register counts |
//! | `write`, `write_mask` | P, L | an instruction of these lanes enters the slot of this side |
//! | `set`, `set_lanes`, `set_mask` | 1, L, 2^r | these lanes issue: these registers become pending at the edge |
//! | `clear`, `clear_lanes`, `clear_mask` | 1, L, 2^r | results of these lanes arrive: these are pending no more |
//! | `hazards` | P | by side: a lane of the slot's instruction has a register pending that counts |
//!
//! Latency 1 for write, set and clear. State: L x 2^r bits, and P x L for the lanes of the slots. A destination counts as well, as in
//! [`ScoreboardRow`](super::ScoreboardRow).
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadScoreboardRow: clock, reset {
        pub rs1: Vec<Net<In>> = Net::vec(sides, config.register_width()),
        pub rs2: Vec<Net<In>> = Net::vec(sides, config.register_width()),
        pub rd: Vec<Net<In>> = Net::vec(sides, config.register_width()),
        pub rs3: Vec<Net<In>> = Net::vec(sides * config.of_floats(), config.register_width()),
        pub reads_rs1: Net<In> = sides,
        pub reads_rs2: Net<In> = sides,
        pub reads_rs3: Vec<Net<In>> = Net::vec(config.of_floats(), sides),
        pub writes_rd: Net<In> = sides,
        pub waits_for_all: Vec<Net<In>> = Net::vec(config.of_floats(), sides),
        pub write: Net<In> = sides,
        pub write_mask: Net<In> = lanes,
        pub set: Signal<In, Bit>,
        pub set_lanes: Net<In> = lanes,
        pub set_mask: Net<In> = registers,
        pub clear: Signal<In, Bit>,
        pub clear_lanes: Net<In> = lanes,
        pub clear_mask: Net<In> = registers,
        pub hazards: Net<Out> = sides,

        /// By lane.
        pending: Vec<Register> = Register::vec(lanes, registers),
        /// By side.
        slot_lanes: Vec<EnabledRegister> = EnabledRegister::vec(sides, lanes) => |s| { d: write_mask },
        one_register: Constant = Constant::new(1, registers),
        all: Constant = Constant::new(mask(registers), registers),
        needs: Vec<Net<Local>> = Net::vec(sides, registers),
        kept: Vec<Net<Local>> = Net::vec(lanes, registers),
        waits: Vec<Signal<Local, Bit>> = bit_vec(sides),
    }
    sizes { _any = config.of_any_register() }
    /// For a warp with `sides` paths.
    pub fn new(config: &CoreConfig, sides: usize) {
        let (lanes, registers) = (config.lanes, config.registers());
    }
}

impl Logic for ThreadScoreboardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadScoreboardRow");
        for lane in 0..self.pending.len() {
            self.kept[lane].next = self.pending[lane].q.val();
            if self.clear.val() & self.clear_lanes.val().get_bit(lane) {
                self.kept[lane].next = self.pending[lane].q.val() & !self.clear_mask.val();
            }
            self.pending[lane].d.next = self.kept[lane].val();
            if self.set.val() & self.set_lanes.val().get_bit(lane) {
                self.pending[lane].d.next = self.kept[lane].val() | self.set_mask.val();
            }
        }
        self.hazards.next = 0.into();
        for s in 0..self.slot_lanes.len() {
            self.slot_lanes[s].enable.next = self.write.val().get_bit(s);
            self.needs[s].next = 0.into();
            if self.reads_rs1.val().get_bit(s) {
                self.needs[s].next = self.one_register.val() << self.rs1[s].val();
            }
            if self.reads_rs2.val().get_bit(s) {
                self.needs[s].next = self.needs[s].val() | (self.one_register.val() << self.rs2[s].val());
            }
            if self.writes_rd.val().get_bit(s) {
                self.needs[s].next = self.needs[s].val() | (self.one_register.val() << self.rd[s].val());
            }
            for p in 0..self.reads_rs3.len() {
                if self.reads_rs3[p].val().get_bit(s) {
                    self.needs[s].next = self.needs[s].val() | (self.one_register.val() << self.rs3[s].val());
                }
                if self.waits_for_all[p].val().get_bit(s) {
                    self.needs[s].next = self.all.val();
                }
            }
            for _i in 0..self._any {
                self.needs[s].next = self.all.val();
            }
            self.waits[s].next = false;
            for lane in 0..self.pending.len() {
                self.waits[s].next = self.waits[s].val()
                    | (self.slot_lanes[s].q.val().get_bit(lane)
                        & (self.needs[s].val() & self.pending[lane].q.val()).any());
            }
            self.hazards.next = self.hazards.val().replace_bit(s, self.waits[s].val());
        }
    }
}
