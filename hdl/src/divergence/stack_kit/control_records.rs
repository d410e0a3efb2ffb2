//! Resolved control instructions in rows: what a queue and a table of them keep.
//!
//! ```text
//!                            +----------------+
//!  write_enable, write_row ->|                |
//!  resolve ----------------->| ControlRecords |---> event
//!  read_row ---------------->|                |
//!                            +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write_enable`, `write_row`, `resolve` | 1, r, | at the edge, this row is written with what has been resolved |
//! | `read_row` | r | row to read |
//! | `event_kind` | `ControlKind` | what the instruction there does |
//! | `event_taken`, `event_mask` | L | lanes that go to the target; lanes that executed it |
//! | `event_target`, `event_next_pc` | 32 | where the taken and the other lanes go |
//! | `event_rpc`, `event_lpc` | 32 | where they reconverge, and where they are likely to; 1: nowhere |
//! | `spin` | 1 | with turns: the target is the head of a loop that may wait for other threads |
//!
//! Latency: read 0, write 1. State: the rows. Instructions are aligned: an odd address is one that no PC equals.
use crate::interface::{ControlKind, Resolve};
use crate::prelude::*;

registers! {
    /// [`ControlEvent`], a cycle later.
    pub struct ControlEventRegister {
        /// A resolved control instruction, as a stack takes it up.
        ControlEvent(lanes: usize) {
            kind: ControlKind,
            /// Lanes that go to the target.
            taken: [lanes],
            /// Lanes that executed it.
            mask: [lanes],
            target: [32],
            /// Where the other lanes go: behind it.
            next_pc: [32],
            /// Reconvergence PC; 1: none.
            rpc: [32],
            /// Likely-convergence PC; 1: none.
            lpc: [32],
        }
    }
}

records! {
    /// Keeps them.
    pub struct ControlTable {
        /// A [`ControlEvent`] as memories hold it: its kind by number, `lpc` and `spin` if there are any.
        ControlRecord(lanes: usize, links: usize, turns: usize) {
            kind: [2],
            taken: [lanes],
            mask: [lanes],
            target: [32],
            next_pc: [32],
            rpc: [32],
            lpc: [32; links],
            spin: [1; turns],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ControlRecords: clock {
        pub write_enable: Signal<In, Bit>,
        pub write_row: Net<In> = warp,
        pub resolve: Resolve<In> = Resolve::new(lanes, warp, warp, home_warps),
        pub read_row: Net<In> = warp,
        pub event: ControlEvent<Out> = ControlEvent::new(lanes),
        pub spin: Vec<Signal<Out, Bit>> = bit_vec(takes_turns as usize),

        rows: ControlTable = ControlTable::new(warps, 1, lanes, likely_convergence as usize, takes_turns as usize) => {
            write_enable, write_row, write.taken: resolve.taken, write.mask: resolve.mask, write.target: resolve.target,
            write.next_pc: resolve.next_pc, read_row[0]: read_row, read[0].taken: event.taken, read[0].mask: event.mask,
            read[0].target: event.target, read[0].next_pc: event.next_pc, read[0].rpc: event.rpc,
        },
    }
    /// A row for each of `warps` warps of `lanes` threads, with likely-convergence points or without, with turns or without; `home_warps` as of [`Resolve`].
    pub fn new(lanes: usize, warps: usize, home_warps: usize, likely_convergence: bool, takes_turns: bool) {
        let warp = index_width(warps);
    }
}

impl Logic for ControlRecords {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ControlRecords");
        self.rows.write.kind.next = bit_cast_to(self.resolve.kind.val(), 2);
        self.rows.write.rpc.next = 1.into();
        if self.resolve.annotation.rpc_valid.val() {
            self.rows.write.rpc.next = self.resolve.annotation.rpc.val();
        }
        match self.rows.read[0].kind.val().index() {
            0 => self.event.kind.next = ControlKind::Branch,
            1 => self.event.kind.next = ControlKind::Jump,
            2 => self.event.kind.next = ControlKind::Exit,
            _ => self.event.kind.next = ControlKind::Barrier,
        }
        self.event.lpc.next = 1.into();
        for i in 0..self.rows.write.lpc.len() {
            self.rows.write.lpc[i].next = self.resolve.annotation.lpc.val();
            self.event.lpc.next = self.rows.read[0].lpc[i].val();
        }
        for i in 0..self.spin.len() {
            self.rows.write.spin[i].next = bit_cast_to(self.resolve.annotation.spin.val(), 1);
            self.spin[i].next = self.rows.read[0].spin[i].val().any();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControlKind::*;

    #[test]
    fn every_field_comes_back_from_its_row() {
        for (likely_convergence, takes_turns) in [(true, false), (false, true)] {
            let mut records = ControlRecords::new(8, 4, 1, likely_convergence, takes_turns);
            records.connect_all();
            records.write_enable.next = true;
            for (row, kind) in [Branch, Jump, Exit, Barrier].into_iter().enumerate() {
                records.write_row.next = row.into();
                records.resolve.kind.next = kind;
                records.resolve.taken.next = (row + 0x10).into();
                records.resolve.mask.next = (row + 0x30).into();
                records.resolve.target.next = (0x100 * row).into();
                records.resolve.next_pc.next = (0x100 * row + 4).into();
                records.resolve.annotation.rpc.next = (0x100 * row + 8).into();
                records.resolve.annotation.rpc_valid.next = row != 2;
                records.resolve.annotation.lpc.next = (0x100 * row + 12).into();
                records.resolve.annotation.spin.next = row == 1;
                tick!(records);
            }
            records.write_enable.next = false;
            records.resolve.mask.next = 0.into();
            tick!(records);
            for (row, kind) in [Branch, Jump, Exit, Barrier].into_iter().enumerate() {
                records.read_row.next = row.into();
                simulate(&mut records, 100);
                let event = &records.event;
                assert_eq!(event.kind.val(), kind);
                assert_eq!((event.taken.val().index(), event.mask.val().index()), (row + 0x10, row + 0x30));
                assert_eq!((event.target.val().index(), event.next_pc.val().index()), (0x100 * row, 0x100 * row + 4));
                assert_eq!(event.rpc.val().index(), if row == 2 { 1 } else { 0x100 * row + 8 });
                assert!(records.spin.iter().all(|spin| spin.val() == (row == 1)));
                assert_eq!(event.lpc.val().index(), if likely_convergence { 0x100 * row + 12 } else { 1 });
            }
        }
    }
}
