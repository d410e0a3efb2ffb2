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
//! | `push_*` | | that instruction |
//! | `pop_warp` | w | its warp |
//! | `pop_*` | | the instruction, and with turns `pop_spin`, see [`ControlRecords`] |
//!
//! Latency 1. State: one row per warp. A warp has at most one unresolved control instruction, so the queue never overflows and needs no
//! `push_ready`.
use super::{ControlEvent, ControlRecords};
use crate::interface::Resolve;
use crate::parts::FifoControl;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ResolveQueue: clock, reset {
        pub push: Resolve<In> = Resolve::new(lanes, warp, warp, 1),
        pub pop_valid: Signal<Out, Bit>,
        pub pop_ready: Signal<In, Bit>,
        pub pop_warp: Net<Out> = warp,
        pub pop: ControlEvent<Out> = ControlEvent::new(lanes),
        pub pop_spin: Vec<Signal<Out, Bit>> = bit_vec(takes_turns as usize),

        control: FifoControl = FifoControl::new(warps) => { push_valid: push.valid, pop_ready, pop_valid },
        warps: Memory = Memory::new(warp, warps, 1, 1, ReadKind::Asynchronous) => {
            write_enable[0]: control.write_enable, write_address[0]: control.write_row, write_data[0]: push.warp,
            read_address[0]: control.read_row, read_data[0]: pop_warp,
        },
        records: ControlRecords = ControlRecords::new(lanes, warps, 1, likely_convergence, takes_turns) => {
            write_enable: control.write_enable, write_row: control.write_row, read_row: control.read_row, resolve: push,
            event: pop, spin: pop_spin,
        },
    }
    /// For `warps` warps of `lanes` threads, with likely-convergence points or without, with turns or without.
    pub fn new(lanes: usize, warps: usize, likely_convergence: bool, takes_turns: bool) {
        let warp = index_width(warps);
    }
}

impl Logic for ResolveQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ResolveQueue");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::ControlKind::*;

    #[test]
    fn returns_every_field_in_order() {
        let mut queue = ResolveQueue::new(8, 4, true, true);
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
            queue.push.annotation.spin.next = i == 1;
            tick(&mut queue);
        }
        queue.push.valid.next = false;
        // Full, and what stands at the port is no event.
        queue.push.annotation.lpc.next = 0xbad.into();
        tick(&mut queue);
        queue.pop_ready.next = true;
        for (i, kind) in kinds.into_iter().enumerate() {
            assert!(queue.pop_valid.val());
            assert_eq!((queue.pop_warp.val().index(), queue.pop.kind.val()), (3 - i, kind));
            assert_eq!((queue.pop.taken.val().index(), queue.pop.mask.val().index()), (i + 0x10, i + 0x30));
            assert_eq!((queue.pop.target.val().index(), queue.pop.next_pc.val().index()), (0x100 * i, 0x100 * i + 4));
            assert_eq!(queue.pop.rpc.val().index(), if i == 2 { 1 } else { 0x100 * i + 8 });
            assert_eq!((queue.pop.lpc.val().index(), queue.pop_spin[0].val()), (0x100 * i + 12, i == 1));
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
