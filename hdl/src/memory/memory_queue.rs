//! The memory instructions that wait for the load/store unit.
//!
//! ```text
//!               +-------------+
//!  memory_* --->| MemoryQueue |---> head_valid, head_*
//!               |             |<--- pop
//!               +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `memory_*` | | the instruction in EXECUTE, see [`interface`](crate::interface); the sender counts credits |
//! | `first_of_ctas` | C | where its threads are of several CTAs, instead of `first_of_cta` (Vec of one) |
//! | `first_of_cta`, `after_end` | 1 | its place among the lives of threads, see [`LifeMarks`](super::LifeMarks) |
//! | `head_valid`, `head_*` | | the oldest waiting instruction, the same fields |
//! | `head_single`, `head_returns` | 1 | what its operation implies ([`OperationDecoder`](super::OperationDecoder)) |
//! | `pop` | 1 | it has been taken |
//!
//! Latency 1. State: a memory row per entry, one memory per lane for address and data.
use super::OperationDecoder;
use crate::interface::MemoryAccess;
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The instructions.
    pub struct AccessTable {
        /// A memory instruction that waits.
        QueuedAccess(config: &CoreConfig) {
            /// From the top: rd, warp, unsigned, size, operation.
            control: [7 + config.path_width() + config.register_width()],
            slot: [config.slot_width()],
            /// Where threads are of several CTAs, instead: by lane; and the CTA slots of which it is the first.
            slots: [config.slot_width(); config.where_mixed(config.lanes)],
            first_of_ctas: [config.cta_slots; config.where_mixed(1)],
            /// Bit 0: the first of its CTA; bit 1: after an end.
            lives: [2],
            orders: [2; config.of_gpu()],
            /// Empty without compaction: then the home warp is the warp.
            home_warps: [config.warp_width(); config.kept_home_warps()],
            mask: [config.lanes],
            pc: [32],
            buffer_slot: [config.buffer_slot_width(); config.of_replay()],
            again: [1; config.of_replay()],
            credit: [1; config.of_prediction()],
            shared_base: [32],
            address: [32; config.lanes],
            data: [32; config.lanes],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct MemoryQueue: clock, reset {
        pub memory: MemoryAccess<In> = MemoryAccess::new(config),
        pub first_of_cta: Signal<In, Bit>,
        pub after_end: Signal<In, Bit>,
        pub head: MemoryAccess<Out> = MemoryAccess::new(config),
        pub first_of_ctas: Vec<Net<In>> = Net::vec(config.where_mixed(1), config.cta_slots),
        pub head_first_of_ctas: Vec<Net<Out>> = Net::vec(config.where_mixed(1), config.cta_slots),
        pub head_first_of_cta: Signal<Out, Bit>,
        pub head_after_end: Signal<Out, Bit>,
        pub head_single: Signal<Out, Bit>,
        pub head_returns: Signal<Out, Bit>,
        pub pop: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(config.memory_queue) => {
            push_valid: memory.valid, pop_ready: pop, pop_valid: head.valid,
        },
        waiting: AccessTable = AccessTable::new(config.memory_queue, 1, config) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write.mask: memory.mask, write.pc: memory.pc, write.buffer_slot: memory.buffer_slot, write.again: memory.again, write.credit: memory.credit,
            write.slot: memory.slot, write.slots: memory.slots, write.first_of_ctas: first_of_ctas, write.lives: lives, write.orders: memory.orders, write.shared_base: memory.shared_base, write.address: memory.address, write.data: memory.data,
            read_row[0]: fifo.read_row, read[0].control: control, read[0].slot: head.slot, read[0].slots: head.slots, read[0].first_of_ctas: head_first_of_ctas, read[0].lives: head_lives, read[0].orders: head.orders, read[0].mask: head.mask, read[0].pc: head.pc, read[0].buffer_slot: head.buffer_slot, read[0].again: head.again, read[0].credit: head.credit,
            read[0].shared_base: head.shared_base, read[0].address: head.address, read[0].data: head.data,
        },
        control: Net<Local> = control,
        rd_place: Constant = Constant::new(7 + config.path_width() as u64, index_width(control)),
        lives: Net<Local> = 2,
        head_lives: Net<Local> = 2,
        decoder: OperationDecoder => { single: head_single, returns: head_returns, op: head.op },
    }
    sizes { _control_width = control, _warp_width = config.warp_width(), _path_width = config.path_width(), _register_width = config.register_width() }
    /// The queue of the core `config`.
    pub fn new(config: &CoreConfig) {
        let control = 7 + config.path_width() + config.register_width();
    }
}

impl Logic for MemoryQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryQueue");

        self.waiting.write.control.next = bit_cast_to(self.memory.op.val(), self._control_width)
            | (bit_cast_to(self.memory.size.val(), self._control_width) << 4)
            | (bit_cast_to(self.memory.unsigned.val(), self._control_width) << 6)
            | (bit_cast_to(self.memory.warp.val(), self._control_width) << 7)
            | (bit_cast_to(self.memory.rd.val(), self._control_width) << self.rd_place.val());

        self.lives.next = 0.into();
        self.lives.next = self.lives.val().replace_bit(0, self.first_of_cta.val());
        self.lives.next = self.lives.val().replace_bit(1, self.after_end.val());
        self.head_first_of_cta.next = self.head_lives.val().get_bit(0);
        self.head_after_end.next = self.head_lives.val().get_bit(1);

        self.decoder.code.next = bit_cast_to(self.control.val(), 4);
        self.head.size.next = bit_cast_to(self.control.val() >> 4, 2);
        self.head.unsigned.next = self.control.val().get_bit(6);
        self.head.rd.next = bit_cast_to(self.control.val() >> self.rd_place.val(), self._register_width);
        self.head.warp.next = bit_cast_to(self.control.val() >> 7, self._path_width);
        self.head.home_warps[0].next = bit_cast_to(self.head.warp.val(), self._warp_width);
        for i in 0..self.waiting.write.home_warps.len() {
            self.waiting.write.home_warps[i].next = self.memory.home_warps[i].val();
            self.head.home_warps[i].next = self.waiting.read[0].home_warps[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;
    use crate::interface::MemoryOp;

    #[test]
    fn keeps_order_and_every_field() {
        let config = CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let mut queue = MemoryQueue::new(&config);
        queue.connect_all();
        simulate(&mut queue, 1000);
        let instructions =
            [(MemoryOp::Store, 0, false, 31, 3, 0b1111), (MemoryOp::AtomicMaxUnsigned, 2, true, 17, 2, 0b0001)];
        for (n, (op, size, unsigned, rd, warp, lanes)) in instructions.into_iter().enumerate() {
            queue.memory.valid.next = true;
            queue.memory.op.next = op;
            queue.memory.size.next = size.into();
            queue.memory.unsigned.next = unsigned;
            queue.memory.rd.next = rd.into();
            queue.memory.warp.next = warp.into();
            queue.memory.mask.next = lanes.into();
            queue.memory.pc.next = (0x100 + n).into();
            queue.memory.shared_base.next = (0x200 + n).into();
            queue.memory.slot.next = n.into();
            queue.first_of_cta.next = n == 0;
            queue.after_end.next = n == 1;
            for lane in 0..4 {
                queue.memory.address[lane].next = (0x300 + 16 * n + lane).into();
                queue.memory.data[lane].next = (0x400 + 16 * n + lane).into();
                queue.memory.home_warps[lane].next = ((n + lane + 1) % 4).into();
            }
            tick!(queue);
        }
        queue.memory.valid.next = false;
        queue.pop.next = true;
        for (n, (op, size, unsigned, rd, warp, lanes)) in instructions.into_iter().enumerate() {
            simulate(&mut queue, 1000);
            assert!(queue.head.valid.val());
            assert_eq!((queue.head.op.val(), queue.head.unsigned.val()), (op, unsigned));
            assert_eq!((queue.head_single.val(), queue.head_returns.val()), (n == 1, n == 1));
            assert_eq!((queue.head_first_of_cta.val(), queue.head_after_end.val()), (n == 0, n == 1));
            for (net, value) in [
                (&queue.head.size, size),
                (&queue.head.rd, rd),
                (&queue.head.warp, warp),
                (&queue.head.mask, lanes),
                (&queue.head.pc, 0x100 + n),
                (&queue.head.slot, n),
                (&queue.head.shared_base, 0x200 + n),
            ] {
                assert_eq!(net.val(), value);
            }
            for lane in 0..4 {
                assert_eq!(queue.head.address[lane].val(), 0x300 + 16 * n + lane);
                assert_eq!(queue.head.data[lane].val(), 0x400 + 16 * n + lane);
                assert_eq!(queue.head.home_warps[lane].val(), (n + lane + 1) % 4);
            }
            tick!(queue);
        }
        assert!(!queue.head.valid.val());
    }
}
