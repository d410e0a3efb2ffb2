//! Chooses which result is written back, and tells the scoreboard.
//!
//! ```text
//!   EXECUTE                                             WRITEBACK
//!   result_*     (ALU, CSR, ballot, link) --+
//!   multiply_*   (two cycles older) --------+--> mux --[.]--> writeback_*
//!   divide_*  ---> divide_done -------------+     |
//!   load_*    ---> load_ready --------------+     +---------> release_*
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `result_valid`, `result_home_warps[R]`, `result_{warp,rd,mask}`, `result_data[L]` | | one-cycle result; cannot wait |
//! | `multiply_valid`, `multiply_home_warps[R]`, `multiply_{warp,rd,mask}`, `multiply_data[L]` | | product; cannot wait |
//! | `float_valid`, ..., `float_flags[L]` with floats | | a result of the float pipeline; cannot wait |
//! | `divide_valid`, `divide_home_warps[R]`, `divide_{warp,rd,mask}`, `divide_data[L]` | | quotient or remainder; waits for `divide_done` |
//! | `load_valid`, `load_home_warps[R]`, `load_{warp,rd,mask}`, `load_data[L]` | | a load; waits for `load_ready` |
//! | `divide_done` | 1 | the division is written back |
//! | `load_ready` | 1 | a load can be written back in this cycle; independent of `load_valid` |
//! | `elastic_blocked` | 1 | a division or load waits because a fixed result has the slot |
//! | `release_valid`, `release_warp`, `release_rd`, `release_mask` | 1, p, 5, L | the register is no longer pending in these lanes: all of the instruction's |
//! | `release_home_warps[L]` | w | where there are large warps: of these threads |
//! | `back_valid`, `back_warp`, `back_rd` | 1, p, 5 | where loads are issued again (Vec of one): the data of one look at a load are written |
//! | `is_last_look` | 1 | there: they are its last, and the register is released |
//! | `writeback_valid`, `writeback_home_warps[R]`, `writeback_{warp,rd,mask}`, `writeback_data[L]` | | registered: what is written |
//!
//! Latency 1. State: the result being written. The two fixed results never meet: the issue stage
//! reserves a multiplication's slot. A division goes before loads, because loads may come in every
//! cycle and divisions cannot. A result for x0 takes the slot but writes and releases nothing, unless it raises flags.
//! `*_home_warps` is whose register is written, `*_warp` the path that issued the instruction.
use crate::interface::{LaneResult, LaneResultRegister, LookBack, RegisterEvent};
use crate::prelude::*;

hardware_enum! {
    /// Which result has the write-back slot.
    pub enum WritebackSource {
        /// One-cycle results.
        Result,
        /// The multiplier.
        Multiply,
        /// The divider.
        Divide,
        /// The load/store unit.
        Load,
        /// The float pipeline.
        Float,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct Writeback: clock, reset {
        pub result: LaneResult<In> = LaneResult::new(config),
        pub multiply: LaneResult<In> = LaneResult::new(config),
        pub float: Vec<LaneResult<In>> = (0..config.of_floats()).map(|_| LaneResult::new(config)).collect(),
        pub divide: LaneResult<In> = LaneResult::new(config),
        pub divide_done: Signal<Out, Bit>,
        pub load: LaneResult<In> = LaneResult::new(config),
        pub load_ready: Signal<Out, Bit>,
        pub elastic_blocked: Signal<Out, Bit>,
        pub release: RegisterEvent<Out> = RegisterEvent::of(config),
        pub release_mask: Net<Out> = config.lanes,
        /// Where there are large warps: by lane, else none.
        pub release_home_warps: Vec<Net<Out>> = Net::vec(config.lanes * config.of_large_warps(), config.warp_width()),
        pub writeback: LaneResult<Out> = LaneResult::new(config),
        /// Where loads are issued again, of which this is one look; and the last of its load. One each, or none.
        pub back: Vec<LookBack<Out>> = (0..config.of_replay()).map(|_| LookBack::new(config)).collect(),
        pub is_last_look: Vec<Signal<In, Bit>> = bit_vec(config.of_replay()),

        fixed: Signal<Local, Bit>,
        source: Signal<Local, WritebackSource>,
        winner: LaneResult<Local> = LaneResult::new(config),
        /// Something is written back.
        chosen: Signal<Local, Bit>,
        writes: Signal<Local, Bit>,
        held: LaneResultRegister = LaneResultRegister::new(config) => { q: writeback },
    }
    /// The write-back stage of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for Writeback {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Writeback");
        self.fixed.next = self.result.valid.val() | self.multiply.valid.val();
        for p in 0..self.float.len() {
            self.fixed.next = self.result.valid.val() | self.multiply.valid.val() | self.float[p].valid.val();
        }
        self.divide_done.next = self.divide.valid.val() & !self.fixed.val();
        self.load_ready.next = !self.divide.valid.val() & !self.fixed.val();
        self.elastic_blocked.next = self.fixed.val() & (self.divide.valid.val() | self.load.valid.val());
        self.chosen.next = self.fixed.val() | self.divide.valid.val() | self.load.valid.val();

        self.source.next = WritebackSource::Load;
        if self.multiply.valid.val() {
            self.source.next = WritebackSource::Multiply;
        } else if self.result.valid.val() {
            self.source.next = WritebackSource::Result;
        } else if self.divide.valid.val() {
            self.source.next = WritebackSource::Divide;
        }
        for p in 0..self.float.len() {
            if self.float[p].valid.val() {
                self.source.next = WritebackSource::Float;
            }
        }
        match self.source.val() {
            WritebackSource::Result => {
                wire::join(&mut self.result, &mut self.winner);
            }
            WritebackSource::Multiply => {
                wire::join(&mut self.multiply, &mut self.winner);
            }
            WritebackSource::Divide => {
                wire::join(&mut self.divide, &mut self.winner);
            }
            _ => {
                wire::join(&mut self.load, &mut self.winner);
            }
        }
        for p in 0..self.float.len() {
            if self.source.val() == WritebackSource::Float {
                wire::join(&mut self.float[p], &mut self.winner);
            }
        }
        self.writes.next = self.chosen.val() & (self.winner.destination.rd.val() != 0);
        for p in 0..self.float.len() {
            self.writes.next = self.chosen.val()
                & ((self.winner.destination.rd.val() != 0) | self.winner.destination.raises[p].val().any());
        }
        self.release.valid.next = self.writes.val();
        self.release.warp.next = self.winner.destination.warp.val();
        self.release.rd.next = self.winner.destination.rd.val();
        self.release_mask.next = self.winner.destination.mask.val();
        for lane in 0..self.release_home_warps.len() {
            self.release_home_warps[lane].next = self.winner.destination.home_warps[lane].val();
        }
        for r in 0..self.back.len() {
            self.back[r].valid.next =
                self.load.valid.val() & self.load_ready.val() & self.load.destination.is_look[r].val().any();
            self.back[r].warp.next = self.load.destination.warp.val();
            self.back[r].rd.next = self.load.destination.rd.val();
            if self.back[r].valid.val() & !self.is_last_look[r].val() {
                self.release.valid.next = false;
            }
        }
        wire::join(&mut self.winner, &mut self.held.d);
        self.held.d.valid.next = self.writes.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle. Offered: `rd` of the result, multiply, divide, load, or `.`. Then `divide_done load_ready elastic_blocked`, the released register, and the
    /// register written in the *next* cycle, each `.` for none.
    const SCRIPT: &str = "
        1 . . . | 0 0 0 | 1 1   fixed results take the slot
        . 2 . . | 0 0 0 | 2 2
        . . 3 . | 1 0 0 | 3 3   elastic ones when it is free
        . . . 4 | 0 1 0 | 4 4
        1 . 3 4 | 0 0 1 | 1 1   both wait
        . 2 3 4 | 0 0 1 | 2 2
        . . 3 4 | 1 0 0 | 3 3   the division goes first
        1 . . 4 | 0 0 1 | 1 1
        . . . 4 | 0 1 0 | 4 4
        . . . 0 | 0 1 0 | . .   x0 is neither written nor released
        . . 0 . | 1 0 0 | . .
        . . . . | 0 1 0 | . .";

    fn register(text: &str) -> Option<usize> {
        match text {
            "." => None,
            rd => Some(rd.parse().unwrap()),
        }
    }

    #[test]
    fn chooses_and_releases() {
        let mut writeback = Writeback::new(&CoreConfig::tiny());
        writeback.connect_all();
        for lane in 0..4 {
            writeback.result.data[lane].next = (0x100 + lane).into();
            writeback.multiply.data[lane].next = (0x200 + lane).into();
            writeback.divide.data[lane].next = (0x300 + lane).into();
            writeback.load.data[lane].next = (0x400 + lane).into();
        }
        for (source, (warp, home_warps, mask)) in [
            (
                &mut writeback.result.destination.warp,
                &mut writeback.result.destination.home_warps,
                &mut writeback.result.destination.mask,
            ),
            (
                &mut writeback.multiply.destination.warp,
                &mut writeback.multiply.destination.home_warps,
                &mut writeback.multiply.destination.mask,
            ),
            (
                &mut writeback.divide.destination.warp,
                &mut writeback.divide.destination.home_warps,
                &mut writeback.divide.destination.mask,
            ),
            (
                &mut writeback.load.destination.warp,
                &mut writeback.load.destination.home_warps,
                &mut writeback.load.destination.mask,
            ),
        ]
        .into_iter()
        .enumerate()
        {
            warp.next = source.into();
            home_warps[0].next = (3 - source).into();
            mask.next = (1 << source).into();
        }
        simulate(&mut writeback, 1000);
        for line in SCRIPT.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().filter(|field| *field != "|").collect();
            let offered: Vec<Option<usize>> = fields[..4].iter().map(|rd| register(rd)).collect();
            writeback.result.valid.next = offered[0].is_some();
            writeback.result.destination.rd.next = offered[0].unwrap_or(31).into();
            writeback.multiply.valid.next = offered[1].is_some();
            writeback.multiply.destination.rd.next = offered[1].unwrap_or(31).into();
            writeback.divide.valid.next = offered[2].is_some();
            writeback.divide.destination.rd.next = offered[2].unwrap_or(31).into();
            writeback.load.valid.next = offered[3].is_some();
            writeback.load.destination.rd.next = offered[3].unwrap_or(31).into();
            simulate(&mut writeback, 1000);
            let handshake = [&writeback.divide_done, &writeback.load_ready, &writeback.elastic_blocked];
            for (signal, expected) in handshake.iter().zip(&fields[4..7]) {
                assert_eq!(signal.val(), *expected == "1", "{line}");
            }
            assert_eq!(writeback.release.valid.val(), fields[7] != ".", "{line}");
            if let Some(rd) = register(fields[7]) {
                assert_eq!(writeback.release.rd.val(), rd, "{line}");
            }
            tick!(writeback);
            assert_eq!(writeback.writeback.valid.val(), fields[8] != ".", "{line}");
            if let Some(rd) = register(fields[8]) {
                let source = rd.min(4) - 1;
                assert_eq!(writeback.writeback.destination.rd.val(), rd, "{line}");
                assert_eq!(writeback.writeback.destination.warp.val(), source, "{line}");
                assert_eq!(writeback.writeback.destination.home_warps[0].val(), 3 - source, "{line}");
                assert_eq!(writeback.writeback.destination.mask.val(), 1 << source, "{line}");
                assert_eq!(writeback.writeback.data[3].val(), 0x103 + 0x100 * source, "{line}");
            }
        }
    }
}
