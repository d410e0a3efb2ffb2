//! A bank of DRAM, as its controller knows it: the open row, and which commands its own past allows.
//!
//! ```text
//!                            +----------+
//!  activate, row ----------->|          |---> open, open_row
//!  read, write, precharge -->| DramBank |---> may_activate, may_read, may_write, may_precharge
//!  group_read, refresh ----->|          |
//!                            +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `activate`, `read`, `write`, `precharge` | 1 | the command of this clock is this one, to this bank |
//! | `row` | r | of `activate` |
//! | `group_read` | 1 | the command is a read of some bank of its group |
//! | `refresh` | 1 | it is a refresh |
//! | `open`, `open_row` | 1, r | a row is open, and which |
//! | `may_*` | 1 | as far as this bank is concerned, the command is allowed in this clock |
//!
//! Latency 1. State: the row, and a [`Countdown`](super::Countdown) for each kind of command.
use super::{Countdown, DramTiming};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DramBank: clock, reset {
        pub tick: Signal<In, Bit>,
        pub activate: Signal<In, Bit>,
        pub read: Signal<In, Bit>,
        pub write: Signal<In, Bit>,
        pub precharge: Signal<In, Bit>,
        pub row: Net<In> = row,
        pub group_read: Signal<In, Bit>,
        pub refresh: Signal<In, Bit>,
        pub open: Signal<Out, Bit>,
        pub open_row: Net<Out> = row,
        pub may_activate: Signal<Out, Bit>,
        pub may_read: Signal<Out, Bit>,
        pub may_write: Signal<Out, Bit>,
        pub may_precharge: Signal<Out, Bit>,

        is_open: StateRegister<Bit> => { q: open },
        held_row: Flop = Flop::new(row) => { q: open_row },
        to_activate: Countdown = Countdown::new(&[timing.rc, timing.rp, timing.rfc]) => { tick },
        to_read: Countdown = Countdown::new(&[timing.rcd]) => { tick },
        to_write: Countdown = Countdown::new(&[timing.rcd_write]) => { tick },
        to_precharge: Countdown = Countdown::new(&[timing.ras, timing.rtp, timing.rtp_group, timing.write_to_precharge()]) => { tick },
    }
    /// A bank of this DRAM, whose rows are numbered with `row` bits.
    pub fn new(timing: &DramTiming, row: usize) {}
}

impl Logic for DramBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramBank");
        dff_setup!(self, clock, is_open, held_row);
        if self.tick.val() {
            if self.activate.val() {
                self.is_open.d.next = true;
                self.held_row.d.next = self.row.val();
            } else if self.precharge.val() {
                self.is_open.d.next = false;
            }
        }
        self.to_activate.start.next = bit_cast_to(self.activate.val(), 3)
            | (bit_cast_to(self.precharge.val(), 3) << 1)
            | (bit_cast_to(self.refresh.val(), 3) << 2);
        self.to_read.start.next = bit_cast_to(self.activate.val(), 1);
        self.to_write.start.next = bit_cast_to(self.activate.val(), 1);
        self.to_precharge.start.next = bit_cast_to(self.activate.val(), 4)
            | (bit_cast_to(self.read.val(), 4) << 1)
            | (bit_cast_to(self.group_read.val(), 4) << 2)
            | (bit_cast_to(self.write.val(), 4) << 3);
        self.may_activate.next = !self.is_open.q.val() & self.to_activate.over.val();
        self.may_read.next = self.is_open.q.val() & self.to_read.over.val();
        self.may_write.next = self.is_open.q.val() & self.to_write.over.val();
        self.may_precharge.next = self.is_open.q.val() & self.to_precharge.over.val();
    }
}
