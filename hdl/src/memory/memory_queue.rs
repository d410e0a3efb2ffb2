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
//! | `memory_*` | | the instruction in EXECUTE, see docs/developer/microarchitecture.md; the sender counts credits |
//! | `head_valid`, `head_*` | | the oldest waiting instruction, the same fields |
//! | `head_single`, `head_returns` | 1 | what its operation implies ([`OperationDecoder`](super::OperationDecoder)) |
//! | `pop` | 1 | it has been taken |
//!
//! Latency 1. State: a memory row per entry, one memory per lane for address and data.
use super::OperationDecoder;
use crate::interface::{MemoryAccess, MemoryOp};
use crate::parts::FifoControl;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MemoryQueue: clock, reset {
        pub memory: MemoryAccess<In> = MemoryAccess::new(config),
        pub head_valid: Signal<Out, Bit>,
        pub head_warp: Net<Out> = config.path_width(),
        pub head_rows: Vec<Net<Out>> = Net::vec(config.row_ports(), config.warp_width()),
        pub head_op: Signal<Out, MemoryOp>,
        pub head_single: Signal<Out, Bit>,
        pub head_returns: Signal<Out, Bit>,
        pub head_size: Net<Out> = 2,
        pub head_unsigned: Signal<Out, Bit>,
        pub head_rd: Net<Out> = 5,
        pub head_mask: Net<Out> = config.lanes,
        pub head_pc: Net<Out> = 32,
        pub head_shared_base: Net<Out> = 32,
        pub head_address: Vec<Net<Out>> = Net::vec(config.lanes, 32),
        pub head_data: Vec<Net<Out>> = Net::vec(config.lanes, 32),
        pub pop: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(config.memory_queue),
        /// From the top: warp, rd, unsigned, size, operation.
        control: Memory = table(control_width),
        mask: Memory = table(config.lanes),
        pc: Memory = table(32),
        shared_base: Memory = table(32),
        /// Empty without compaction: then the row is the warp.
        rows: Vec<Memory> = (0..config.row_memories()).map(|_| table(config.warp_width())).collect(),
        address: Vec<Memory> = (0..config.lanes).map(|_| table(32)).collect(),
        data: Vec<Memory> = (0..config.lanes).map(|_| table(32)).collect(),
        decoder: OperationDecoder,
    }
    sizes { _control_width = control_width, _warp_width = config.warp_width(), _path_width = config.path_width() }
    /// The queue of the core `config`.
    pub fn new(config: &CoreConfig) {
        let table = |width| Memory::new(width, config.memory_queue, 1, 1, ReadKind::Asynchronous);
        let control_width = 12 + config.path_width();
    }
}

impl Logic for MemoryQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryQueue");
        self.fifo.push_valid.next = self.memory.valid.val();
        self.fifo.pop_ready.next = self.pop.val();
        self.head_valid.next = self.fifo.pop_valid.val();

        self.control.write_enable[0].next = self.fifo.write_enable.val();
        self.control.write_address[0].next = self.fifo.write_row.val();
        self.control.write_data[0].next = bit_cast_to(self.memory.op.val(), self._control_width)
            | (bit_cast_to(self.memory.size.val(), self._control_width) << 4)
            | (bit_cast_to(self.memory.unsigned.val(), self._control_width) << 6)
            | (bit_cast_to(self.memory.rd.val(), self._control_width) << 7)
            | (bit_cast_to(self.memory.warp.val(), self._control_width) << 12);
        self.control.read_address[0].next = self.fifo.read_row.val();
        self.decoder.code.next = bit_cast_to(self.control.read_data[0].val(), 4);
        self.head_op.next = self.decoder.op.val();
        self.head_single.next = self.decoder.single.val();
        self.head_returns.next = self.decoder.returns.val();
        self.head_size.next = bit_cast_to(self.control.read_data[0].val() >> 4, 2);
        self.head_unsigned.next = self.control.read_data[0].val().get_bit(6);
        self.head_rd.next = bit_cast_to(self.control.read_data[0].val() >> 7, 5);
        self.head_warp.next = bit_cast_to(self.control.read_data[0].val() >> 12, self._path_width);

        self.mask.write_enable[0].next = self.fifo.write_enable.val();
        self.mask.write_address[0].next = self.fifo.write_row.val();
        self.mask.write_data[0].next = self.memory.mask.val();
        self.mask.read_address[0].next = self.fifo.read_row.val();
        self.head_mask.next = self.mask.read_data[0].val();

        self.pc.write_enable[0].next = self.fifo.write_enable.val();
        self.pc.write_address[0].next = self.fifo.write_row.val();
        self.pc.write_data[0].next = self.memory.pc.val();
        self.pc.read_address[0].next = self.fifo.read_row.val();
        self.head_pc.next = self.pc.read_data[0].val();

        self.shared_base.write_enable[0].next = self.fifo.write_enable.val();
        self.shared_base.write_address[0].next = self.fifo.write_row.val();
        self.shared_base.write_data[0].next = self.memory.shared_base.val();
        self.shared_base.read_address[0].next = self.fifo.read_row.val();
        self.head_shared_base.next = self.shared_base.read_data[0].val();

        self.head_rows[0].next = bit_cast_to(self.head_warp.val(), self._warp_width);
        for i in 0..self.rows.len() {
            self.rows[i].write_enable[0].next = self.fifo.write_enable.val();
            self.rows[i].write_address[0].next = self.fifo.write_row.val();
            self.rows[i].write_data[0].next = self.memory.rows[i].val();
            self.rows[i].read_address[0].next = self.fifo.read_row.val();
            self.head_rows[i].next = self.rows[i].read_data[0].val();
        }
        for i in 0..self.address.len() {
            self.address[i].write_enable[0].next = self.fifo.write_enable.val();
            self.address[i].write_address[0].next = self.fifo.write_row.val();
            self.address[i].write_data[0].next = self.memory.address[i].val();
            self.address[i].read_address[0].next = self.fifo.read_row.val();
            self.head_address[i].next = self.address[i].read_data[0].val();
            self.data[i].write_enable[0].next = self.fifo.write_enable.val();
            self.data[i].write_address[0].next = self.fifo.write_row.val();
            self.data[i].write_data[0].next = self.memory.data[i].val();
            self.data[i].read_address[0].next = self.fifo.read_row.val();
            self.head_data[i].next = self.data[i].read_data[0].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_every_field() {
        let mut queue = MemoryQueue::new(&CoreConfig::tiny());
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
            for lane in 0..4 {
                queue.memory.address[lane].next = (0x300 + 16 * n + lane).into();
                queue.memory.data[lane].next = (0x400 + 16 * n + lane).into();
            }
            tick!(queue);
        }
        queue.memory.valid.next = false;
        queue.pop.next = true;
        for (n, (op, size, unsigned, rd, warp, lanes)) in instructions.into_iter().enumerate() {
            simulate(&mut queue, 1000);
            assert!(queue.head_valid.val());
            assert_eq!((queue.head_op.val(), queue.head_unsigned.val()), (op, unsigned));
            assert_eq!((queue.head_single.val(), queue.head_returns.val()), (n == 1, n == 1));
            for (net, value) in [
                (&queue.head_size, size),
                (&queue.head_rd, rd),
                (&queue.head_warp, warp),
                (&queue.head_mask, lanes),
                (&queue.head_pc, 0x100 + n),
                (&queue.head_shared_base, 0x200 + n),
                (&queue.head_address[3], 0x303 + 16 * n),
                (&queue.head_data[3], 0x403 + 16 * n),
            ] {
                assert_eq!(net.val(), value);
            }
            tick!(queue);
        }
        assert!(!queue.head_valid.val());
    }
}
