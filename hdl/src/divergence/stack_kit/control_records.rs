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
        pub write_row: Net<In> = index_width(rows),
        pub resolve: Resolve<In> = Resolve::new(lanes, path, 1, 0),
        pub read_row: Net<In> = index_width(rows),
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
    /// `rows` instructions of paths with `lanes` lanes, with likely-convergence points or without.
    pub fn new(rows: usize, lanes: usize, path: usize, likely_convergence: bool) {
        let column = |width| Memory::new(width, rows, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ControlRecords {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ControlRecords");
    }
}
