//! Requests of the L1 that wait for the memory port, oldest first.
//!
//! ```text
//!             +--------------+
//!  push_* --->|              |---> request_valid, request_*
//!  space <----| RequestQueue |<--- request_ready
//!             +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push`, `space` | 1 | a request enters; there is room |
//! | `push_kind`, `_line`, `_id`, `_data[N]`, `_mask`, `_atomic` | | the request; `_line` is the line's number |
//! | `request_*` | | the memory port, see docs/developer/microarchitecture.md; `request_line` is the line's byte address |
//! | `any` | 1 | a request waits |
//!
//! Latency 1. State: a memory row per entry.
use super::OperationDecoder;
use crate::interface::{LineRequest, MemoryOp, RequestKind};
use crate::parts::FifoControl;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct RequestQueue: clock, reset {
        pub push: Signal<In, Bit>,
        pub push_kind: Signal<In, RequestKind>,
        pub push_line: Net<In> = 32 - offset,
        pub push_id: Net<In> = id,
        pub push_data: Vec<Net<In>> = Net::vec(config.line_words(), 32),
        pub push_mask: Net<In> = config.line_bytes,
        pub push_atomic: Signal<In, MemoryOp>,
        pub space: Signal<Out, Bit>,
        pub any: Signal<Out, Bit>,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(depth),
        kind: Memory = table(2),
        line: Memory = table(32 - offset),
        id: Memory = table(id),
        mask: Memory = table(config.line_bytes),
        operation: Memory = table(4),
        data: Vec<Memory> = (0..config.line_words()).map(|_| table(32)).collect(),
        decoder: OperationDecoder,
        offset: Constant = Constant::new(offset as u64, 6),
    }
    /// A queue of `depth` requests of the core `config`.
    pub fn new(config: &CoreConfig, depth: usize) {
        let table = |width| Memory::new(width, depth, 1, 1, ReadKind::Asynchronous);
        let (offset, id) = (index_width(config.line_bytes), index_width(config.mshrs));
    }
}

impl Logic for RequestQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RequestQueue");
        self.fifo.push_valid.next = self.push.val();
        self.fifo.pop_ready.next = self.request_ready.val();
        self.space.next = self.fifo.push_ready.val();
        self.any.next = self.fifo.pop_valid.val();
        self.request.valid.next = self.fifo.pop_valid.val();

        self.kind.write_enable[0].next = self.fifo.write_enable.val();
        self.kind.write_address[0].next = self.fifo.write_row.val();
        self.kind.write_data[0].next = bit_cast_to(self.push_kind.val(), 2);
        self.kind.read_address[0].next = self.fifo.read_row.val();
        match self.kind.read_data[0].val().index() {
            0 => self.request.kind.next = RequestKind::Read,
            1 => self.request.kind.next = RequestKind::Write,
            _ => self.request.kind.next = RequestKind::Atomic,
        }

        self.line.write_enable[0].next = self.fifo.write_enable.val();
        self.line.write_address[0].next = self.fifo.write_row.val();
        self.line.write_data[0].next = self.push_line.val();
        self.line.read_address[0].next = self.fifo.read_row.val();
        self.request.line.next = bit_cast_to(self.line.read_data[0].val(), 32) << self.offset.val();

        self.id.write_enable[0].next = self.fifo.write_enable.val();
        self.id.write_address[0].next = self.fifo.write_row.val();
        self.id.write_data[0].next = self.push_id.val();
        self.id.read_address[0].next = self.fifo.read_row.val();
        self.request.id.next = self.id.read_data[0].val();

        self.mask.write_enable[0].next = self.fifo.write_enable.val();
        self.mask.write_address[0].next = self.fifo.write_row.val();
        self.mask.write_data[0].next = self.push_mask.val();
        self.mask.read_address[0].next = self.fifo.read_row.val();
        self.request.mask.next = self.mask.read_data[0].val();

        self.operation.write_enable[0].next = self.fifo.write_enable.val();
        self.operation.write_address[0].next = self.fifo.write_row.val();
        self.operation.write_data[0].next = bit_cast_to(self.push_atomic.val(), 4);
        self.operation.read_address[0].next = self.fifo.read_row.val();
        self.decoder.code.next = self.operation.read_data[0].val();
        self.request.atomic.next = self.decoder.op.val();

        for j in 0..self.data.len() {
            self.data[j].write_enable[0].next = self.fifo.write_enable.val();
            self.data[j].write_address[0].next = self.fifo.write_row.val();
            self.data[j].write_data[0].next = self.push_data[j].val();
            self.data[j].read_address[0].next = self.fifo.read_row.val();
            self.request.data[j].next = self.data[j].read_data[0].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_stops_when_full() {
        let mut queue = RequestQueue::new(&CoreConfig::tiny(), 3);
        queue.connect_all();
        simulate(&mut queue, 1000);
        let requests = [
            (RequestKind::Write, MemoryOp::Store, 0xabc, 0x00f0),
            (RequestKind::Atomic, MemoryOp::AtomicXor, 0x123, 0xf000),
            (RequestKind::Read, MemoryOp::Load, 0x456, 0),
        ];
        queue.push.next = true;
        for (n, (kind, op, line, mask)) in requests.into_iter().enumerate() {
            assert!(queue.space.val());
            queue.push_kind.next = kind;
            queue.push_atomic.next = op;
            queue.push_line.next = line.into();
            queue.push_id.next = n.into();
            queue.push_mask.next = mask.into();
            queue.push_data[3].next = (7 * n).into();
            tick!(queue);
        }
        assert!(!queue.space.val());
        queue.push.next = false;
        queue.request_ready.next = true;
        for (n, (kind, op, line, mask)) in requests.into_iter().enumerate() {
            simulate(&mut queue, 1000);
            assert!(queue.request.valid.val());
            assert_eq!((queue.request.kind.val(), queue.request.atomic.val()), (kind, op));
            assert_eq!(queue.request.line.val(), line * 16);
            assert_eq!(queue.request.id.val(), n);
            assert_eq!(queue.request.mask.val(), mask);
            assert_eq!(queue.request.data[3].val(), 7 * n);
            tick!(queue);
        }
        assert!(!queue.any.val());
    }
}
