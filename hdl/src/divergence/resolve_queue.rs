//! Resolved control instructions, waiting for the reconvergence unit.
//!
//! ```text
//!                   +--------------+
//!  push_valid ----->|              |---> pop_valid
//!  push_* --------->| ResolveQueue |---> pop_*
//!                   |              |<--- pop_ready
//!                   +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push_valid` | 1 | a control instruction has been resolved |
//! | `pop_valid` | 1 | there is one to apply |
//! | `pop_ready` | 1 | it has been applied |
//! | `*_warp` | w | its warp |
//! | `*_kind` | `ControlKind` | what it does |
//! | `*_taken`, `*_mask` | L | lanes that go to the target; lanes that executed it |
//! | `*_target`, `*_next` | 32 | where the taken and the other lanes go |
//! | `push_rpc`, `push_rpc_valid` | 32, 1 | where they reconverge |
//! | `pop_rpc` | 32 | the same; 1 when they never do |
//! | `*_lpc` | 32 | where they are likely to; 1 when there is no such point, or points are not built |
//!
//! Latency 1. State: one row per warp. A warp has at most one unresolved control instruction, so the queue never overflows and needs no
//! `push_ready`. Instructions are aligned: an odd address is one that no PC equals.
use crate::interface::{ControlKind, Resolve};
use crate::parts::FifoControl;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ResolveQueue: clock, reset {
        pub push: Resolve<In> = Resolve::new(lanes, warp, warp, 1),
        pub pop_valid: Signal<Out, Bit>,
        pub pop_ready: Signal<In, Bit>,
        pub pop_warp: Net<Out> = warp,
        pub pop_kind: Signal<Out, ControlKind>,
        pub pop_taken: Net<Out> = lanes,
        pub pop_mask: Net<Out> = lanes,
        pub pop_target: Net<Out> = 32,
        pub pop_next: Net<Out> = 32,
        pub pop_rpc: Net<Out> = 32,
        pub pop_lpc: Net<Out> = 32,

        control: FifoControl = FifoControl::new(warps),
        warps: Memory = column(warp),
        kinds: Memory = column(2),
        takens: Memory = column(lanes),
        masks: Memory = column(lanes),
        targets: Memory = column(32),
        nexts: Memory = column(32),
        rpcs: Memory = column(32),
        lpcs: Vec<Memory> = (0..likely_convergence as usize).map(|_| column(32)).collect(),
    }
    /// For `warps` warps of `lanes` threads, with likely-convergence points or without.
    pub fn new(lanes: usize, warps: usize, likely_convergence: bool) {
        let warp = index_width(warps);
        let column = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ResolveQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ResolveQueue");
        self.control.push_valid.next = self.push.valid.val();
        self.control.pop_ready.next = self.pop_ready.val();
        self.pop_valid.next = self.control.pop_valid.val();

        self.warps.write_enable[0].next = self.control.write_enable.val();
        self.kinds.write_enable[0].next = self.control.write_enable.val();
        self.takens.write_enable[0].next = self.control.write_enable.val();
        self.masks.write_enable[0].next = self.control.write_enable.val();
        self.targets.write_enable[0].next = self.control.write_enable.val();
        self.nexts.write_enable[0].next = self.control.write_enable.val();
        self.rpcs.write_enable[0].next = self.control.write_enable.val();
        self.warps.write_address[0].next = self.control.write_row.val();
        self.kinds.write_address[0].next = self.control.write_row.val();
        self.takens.write_address[0].next = self.control.write_row.val();
        self.masks.write_address[0].next = self.control.write_row.val();
        self.targets.write_address[0].next = self.control.write_row.val();
        self.nexts.write_address[0].next = self.control.write_row.val();
        self.rpcs.write_address[0].next = self.control.write_row.val();
        self.warps.write_data[0].next = self.push.warp.val();
        self.kinds.write_data[0].next = bit_cast_to(self.push.kind.val(), 2);
        self.takens.write_data[0].next = self.push.taken.val();
        self.masks.write_data[0].next = self.push.mask.val();
        self.targets.write_data[0].next = self.push.target.val();
        self.nexts.write_data[0].next = self.push.next_pc.val();
        self.rpcs.write_data[0].next = 1.into();
        if self.push.annotation.rpc_valid.val() {
            self.rpcs.write_data[0].next = self.push.annotation.rpc.val();
        }

        self.warps.read_address[0].next = self.control.read_row.val();
        self.kinds.read_address[0].next = self.control.read_row.val();
        self.takens.read_address[0].next = self.control.read_row.val();
        self.masks.read_address[0].next = self.control.read_row.val();
        self.targets.read_address[0].next = self.control.read_row.val();
        self.nexts.read_address[0].next = self.control.read_row.val();
        self.rpcs.read_address[0].next = self.control.read_row.val();
        self.pop_warp.next = self.warps.read_data[0].val();
        match self.kinds.read_data[0].val().index() {
            0 => self.pop_kind.next = ControlKind::Branch,
            1 => self.pop_kind.next = ControlKind::Jump,
            2 => self.pop_kind.next = ControlKind::Exit,
            _ => self.pop_kind.next = ControlKind::Barrier,
        }
        self.pop_taken.next = self.takens.read_data[0].val();
        self.pop_mask.next = self.masks.read_data[0].val();
        self.pop_target.next = self.targets.read_data[0].val();
        self.pop_next.next = self.nexts.read_data[0].val();
        self.pop_rpc.next = self.rpcs.read_data[0].val();
        self.pop_lpc.next = 1.into();
        for i in 0..self.lpcs.len() {
            self.lpcs[i].write_enable[0].next = self.control.write_enable.val();
            self.lpcs[i].write_address[0].next = self.control.write_row.val();
            self.lpcs[i].write_data[0].next = self.push.annotation.lpc.val();
            self.lpcs[i].read_address[0].next = self.control.read_row.val();
            self.pop_lpc.next = self.lpcs[i].read_data[0].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControlKind::*;

    #[test]
    fn returns_every_field_in_order() {
        let mut queue = ResolveQueue::new(8, 4, true);
        queue.connect_all();
        simulate(&mut queue, 1000);
        let kinds = [Branch, Jump, Exit, Barrier];
        for (i, kind) in kinds.into_iter().enumerate() {
            queue.push.valid.next = true;
            queue.push.warp.next = (3 - i).into();
            queue.push.kind.next = kind;
            queue.push.taken.next = (i + 0x10).into();
            queue.push.mask.next = (i + 0x30).into();
            queue.push.target.next = (0x100 * i).into();
            queue.push.next_pc.next = (0x100 * i + 4).into();
            queue.push.annotation.rpc.next = (0x100 * i + 8).into();
            queue.push.annotation.rpc_valid.next = i != 2;
            queue.push.annotation.lpc.next = (0x100 * i + 12).into();
            tick(&mut queue);
        }
        queue.push.valid.next = false;
        // Full, and what stands at the port is no event.
        queue.push.annotation.lpc.next = 0xbad.into();
        tick(&mut queue);
        queue.pop_ready.next = true;
        for (i, kind) in kinds.into_iter().enumerate() {
            assert!(queue.pop_valid.val());
            assert_eq!((queue.pop_warp.val().index(), queue.pop_kind.val()), (3 - i, kind));
            assert_eq!((queue.pop_taken.val().index(), queue.pop_mask.val().index()), (i + 0x10, i + 0x30));
            assert_eq!((queue.pop_target.val().index(), queue.pop_next.val().index()), (0x100 * i, 0x100 * i + 4));
            assert_eq!(queue.pop_rpc.val().index(), if i == 2 { 1 } else { 0x100 * i + 8 });
            assert_eq!(queue.pop_lpc.val().index(), 0x100 * i + 12);
            tick(&mut queue);
        }
        assert!(!queue.pop_valid.val());
    }

    fn tick(queue: &mut ResolveQueue) {
        simulate(queue, 1000);
        for _ in 0..2 {
            queue.clock.next = !queue.clock.val();
            simulate(queue, 1000);
        }
    }
}
