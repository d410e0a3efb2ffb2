//! Carries a multiplication's controls and destination along the multipliers of the lanes.
//!
//! ```text
//!   EXECUTE          + 1                 + 2
//!   start, kind ---> [kind]  ---> high, a_signed, b_signed
//!   warp, rd, mask ->[.....] -----------> [.....] ---> result_valid, result_warp, result_rd, result_mask
//!   rows[R] -------->[.....] -----------> [.....] ---> result_rows[R]
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: a multiplication with a destination |
//! | `start_high`, `start_a_signed`, `start_b_signed` | 1 | which one |
//! | `start_warp`, `start_rows[R]`, `start_rd`, `start_mask` | w, w, 5, L | its destination |
//! | `high`, `a_signed`, `b_signed` | 1 | one cycle later, for [`Multiply`](super::Multiply) |
//! | `result_valid`, `result_warp`, `result_rows[R]`, `result_rd`, `result_mask` | 1, w, w, 5, L | two cycles later, with the result |
//!
//! Latency 2, one per cycle. State: two stages.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MultiplyControl: clock, reset {
        pub start: Signal<In, Bit>,
        pub start_high: Signal<In, Bit>,
        pub start_a_signed: Signal<In, Bit>,
        pub start_b_signed: Signal<In, Bit>,
        pub start_warp: Net<In> = path,
        pub start_rows: Vec<Net<In>> = Net::vec(rows, warp),
        pub start_rd: Net<In> = 5,
        pub start_mask: Net<In> = lanes,
        pub high: Signal<Out, Bit>,
        pub a_signed: Signal<Out, Bit>,
        pub b_signed: Signal<Out, Bit>,
        pub result_valid: Signal<Out, Bit>,
        pub result_warp: Net<Out> = path,
        pub result_rows: Vec<Net<Out>> = Net::vec(rows, warp),
        pub result_rd: Net<Out> = 5,
        pub result_mask: Net<Out> = lanes,

        high_1: StateRegister<Bit>,
        a_signed_1: StateRegister<Bit>,
        b_signed_1: StateRegister<Bit>,
        valid_1: StateRegister<Bit>,
        valid_2: StateRegister<Bit>,
        warp_1: Flop = Flop::new(path),
        warp_2: Flop = Flop::new(path),
        rows_1: Vec<Flop> = Flop::vec(rows, warp),
        rows_2: Vec<Flop> = Flop::vec(rows, warp),
        rd_1: Flop = Flop::new(5),
        rd_2: Flop = Flop::new(5),
        mask_1: Flop = Flop::new(lanes),
        mask_2: Flop = Flop::new(lanes),
    }
    /// Of the multipliers of a core.
    pub fn new(config: &CoreConfig) {
        let (warp, path, lanes, rows) = (config.warp_width(), config.path_width(), config.lanes, config.row_ports());
    }
}

impl Logic for MultiplyControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MultiplyControl");
        dff_setup!(self, clock, high_1, a_signed_1, b_signed_1, valid_1, valid_2);
        dff_setup!(self, clock, warp_1, warp_2, rd_1, rd_2, mask_1, mask_2);

        self.valid_1.d.next = self.start.val();
        self.high_1.d.next = self.start_high.val();
        self.a_signed_1.d.next = self.start_a_signed.val();
        self.b_signed_1.d.next = self.start_b_signed.val();
        self.warp_1.d.next = self.start_warp.val();
        self.rd_1.d.next = self.start_rd.val();
        self.mask_1.d.next = self.start_mask.val();
        self.high.next = self.high_1.q.val();
        self.a_signed.next = self.a_signed_1.q.val();
        self.b_signed.next = self.b_signed_1.q.val();

        self.valid_2.d.next = self.valid_1.q.val();
        self.warp_2.d.next = self.warp_1.q.val();
        self.rd_2.d.next = self.rd_1.q.val();
        self.mask_2.d.next = self.mask_1.q.val();
        self.result_valid.next = self.valid_2.q.val();
        self.result_warp.next = self.warp_2.q.val();
        self.result_rd.next = self.rd_2.q.val();
        self.result_mask.next = self.mask_2.q.val();
        for i in 0..self.rows_1.len() {
            self.rows_1[i].d.next = self.start_rows[i].val();
            self.rows_2[i].d.next = self.rows_1[i].q.val();
            self.result_rows[i].next = self.rows_2[i].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `start high rd | high result_valid result_rd`.
    const DELAYS: &str = "
        1 1 5 | 0 0 0
        0 0 6 | 1 0 0
        1 0 7 | 0 1 5
        0 0 0 | 0 0 6
        0 0 0 | 0 1 7
        0 0 0 | 0 0 0";

    #[test]
    fn delays() {
        let mut control = MultiplyControl::new(&CoreConfig::tiny());
        control.connect_all();
        simulate(&mut control, 1000);
        for line in DELAYS.trim().lines().map(str::trim) {
            control.start.next = &line[0..1] == "1";
            control.start_high.next = &line[2..3] == "1";
            control.start_rd.next = line[4..5].parse::<usize>().unwrap().into();
            simulate(&mut control, 1000);
            let outputs = (control.high.val() as u8, control.result_valid.val() as u8, control.result_rd.val().value());
            assert_eq!(format!("{} {} {}", outputs.0, outputs.1, outputs.2), &line[8..13], "{line}");
            tick!(control);
        }
    }
}
