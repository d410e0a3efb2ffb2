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
//! | `rs1[P]`, `rs2[P]`, `rd[P]` | 5 | registers of the instructions in the slots of the warp's paths, by side |
//! | `reads_rs1`, `reads_rs2`, `writes_rd` | P | which of them count |
//! | `write`, `write_mask` | P, L | an instruction of these lanes enters the slot of this side |
//! | `set`, `set_lanes`, `set_mask` | 1, L, 32 | these lanes issue: these registers become pending at the edge |
//! | `clear`, `clear_lanes`, `clear_mask` | 1, L, 32 | results of these lanes arrive: these are pending no more |
//! | `hazards` | P | by side: a lane of the slot's instruction has a register pending that counts |
//!
//! Latency 1 for write, set and clear. State: L x 32 bits, and P x L for the lanes of the slots. A destination counts as well, as in
//! [`ScoreboardRow`](super::ScoreboardRow).
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct ThreadScoreboardRow {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rs1: Vec<Net<In>>,
    pub rs2: Vec<Net<In>>,
    pub rd: Vec<Net<In>>,
    pub reads_rs1: Net<In>,
    pub reads_rs2: Net<In>,
    pub writes_rd: Net<In>,
    pub write: Net<In>,
    pub write_mask: Net<In>,
    pub set: Signal<In, Bit>,
    pub set_lanes: Net<In>,
    pub set_mask: Net<In>,
    pub clear: Signal<In, Bit>,
    pub clear_lanes: Net<In>,
    pub clear_mask: Net<In>,
    pub hazards: Net<Out>,

    /// By lane.
    pending: Vec<Register>,
    /// By side.
    slot_lanes: Vec<EnabledRegister>,
    one_register: Constant,
    needs: Vec<Net<Local>>,
    kept: Vec<Net<Local>>,
    waits: Vec<Signal<Local, Bit>>,
}

impl ThreadScoreboardRow {
    /// For a warp of `lanes` lanes with `sides` paths.
    pub fn new(sides: usize, lanes: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rs1: Net::vec(sides, 5),
            rs2: Net::vec(sides, 5),
            rd: Net::vec(sides, 5),
            reads_rs1: Net::new(sides),
            reads_rs2: Net::new(sides),
            writes_rd: Net::new(sides),
            write: Net::new(sides),
            write_mask: Net::new(lanes),
            set: Default::default(),
            set_lanes: Net::new(lanes),
            set_mask: Net::new(32),
            clear: Default::default(),
            clear_lanes: Net::new(lanes),
            clear_mask: Net::new(32),
            hazards: Net::new(sides),
            pending: Register::vec(lanes, 32),
            slot_lanes: EnabledRegister::vec(sides, lanes),
            one_register: Constant::new(1, 32),
            needs: Net::vec(sides, 32),
            kept: Net::vec(lanes, 32),
            waits: bit_vec(sides),
        }
    }
}

impl Logic for ThreadScoreboardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadScoreboardRow");
        for lane in 0..self.pending.len() {
            self.pending[lane].clock.next = self.clock.val();
            self.pending[lane].reset.next = self.reset.val();
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
            self.slot_lanes[s].clock.next = self.clock.val();
            self.slot_lanes[s].reset.next = self.reset.val();
            self.slot_lanes[s].enable.next = self.write.val().get_bit(s);
            self.slot_lanes[s].d.next = self.write_mask.val();
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
