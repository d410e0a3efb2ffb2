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
//!
//! Latency: read 0, write 1. State: the rows. Instructions are aligned: an odd address is one that no PC equals.
use crate::interface::{ControlKind, Resolve};
use crate::prelude::*;

bundle! {
    /// A resolved control instruction, as a stack takes it up.
    pub struct ControlEvent(lanes: usize) {
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

module! {
    /// See the [module documentation](self).
    pub struct ControlRecords: clock {
        pub write_enable: Signal<In, Bit>,
        pub write_row: Net<In> = warp,
        pub resolve: Resolve<In> = Resolve::new(lanes, warp, warp, row_ports),
        pub read_row: Net<In> = warp,
        pub event: ControlEvent<Out> = ControlEvent::new(lanes),

        kinds: Memory = column(2),
        takens: Memory = column(lanes),
        masks: Memory = column(lanes),
        targets: Memory = column(32),
        next_pcs: Memory = column(32),
        rpcs: Memory = column(32),
        /// With likely-convergence points: one, else none.
        lpcs: Vec<Memory> = (0..likely_convergence as usize).map(|_| column(32)).collect(),
    }
    /// A row for each of `warps` warps of `lanes` threads, with likely-convergence points or without; `row_ports` as of [`Resolve`].
    pub fn new(lanes: usize, warps: usize, row_ports: usize, likely_convergence: bool) {
        let warp = index_width(warps);
        let column = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ControlRecords {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ControlRecords");
        self.kinds.write_enable[0].next = self.write_enable.val();
        self.takens.write_enable[0].next = self.write_enable.val();
        self.masks.write_enable[0].next = self.write_enable.val();
        self.targets.write_enable[0].next = self.write_enable.val();
        self.next_pcs.write_enable[0].next = self.write_enable.val();
        self.rpcs.write_enable[0].next = self.write_enable.val();
        self.kinds.write_address[0].next = self.write_row.val();
        self.takens.write_address[0].next = self.write_row.val();
        self.masks.write_address[0].next = self.write_row.val();
        self.targets.write_address[0].next = self.write_row.val();
        self.next_pcs.write_address[0].next = self.write_row.val();
        self.rpcs.write_address[0].next = self.write_row.val();
        self.kinds.read_address[0].next = self.read_row.val();
        self.takens.read_address[0].next = self.read_row.val();
        self.masks.read_address[0].next = self.read_row.val();
        self.targets.read_address[0].next = self.read_row.val();
        self.next_pcs.read_address[0].next = self.read_row.val();
        self.rpcs.read_address[0].next = self.read_row.val();
        self.kinds.write_data[0].next = bit_cast_to(self.resolve.kind.val(), 2);
        self.takens.write_data[0].next = self.resolve.taken.val();
        self.masks.write_data[0].next = self.resolve.mask.val();
        self.targets.write_data[0].next = self.resolve.target.val();
        self.next_pcs.write_data[0].next = self.resolve.next_pc.val();
        self.rpcs.write_data[0].next = 1.into();
        if self.resolve.annotation.rpc_valid.val() {
            self.rpcs.write_data[0].next = self.resolve.annotation.rpc.val();
        }

        match self.kinds.read_data[0].val().index() {
            0 => self.event.kind.next = ControlKind::Branch,
            1 => self.event.kind.next = ControlKind::Jump,
            2 => self.event.kind.next = ControlKind::Exit,
            _ => self.event.kind.next = ControlKind::Barrier,
        }
        self.event.taken.next = self.takens.read_data[0].val();
        self.event.mask.next = self.masks.read_data[0].val();
        self.event.target.next = self.targets.read_data[0].val();
        self.event.next_pc.next = self.next_pcs.read_data[0].val();
        self.event.rpc.next = self.rpcs.read_data[0].val();
        self.event.lpc.next = 1.into();
        for i in 0..self.lpcs.len() {
            self.lpcs[i].write_enable[0].next = self.write_enable.val();
            self.lpcs[i].write_address[0].next = self.write_row.val();
            self.lpcs[i].write_data[0].next = self.resolve.annotation.lpc.val();
            self.lpcs[i].read_address[0].next = self.read_row.val();
            self.event.lpc.next = self.lpcs[i].read_data[0].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControlKind::*;

    #[test]
    fn every_field_comes_back_from_its_row() {
        for likely_convergence in [true, false] {
            let mut records = ControlRecords::new(8, 4, 1, likely_convergence);
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
                assert_eq!(event.lpc.val().index(), if likely_convergence { 0x100 * row + 12 } else { 1 });
            }
        }
    }
}
