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
//! | `push_valid`, `space` | 1 | a request enters; there is room |
//! | `push_*` | | the request, with any address in its line |
//! | `request_*` | | the memory port, see [`interface`](crate::interface); `request_line` is the line's byte address |
//! | `any` | 1 | a request waits |
//!
//! Latency 1. State: a memory row per entry.
use super::OperationDecoder;
use crate::interface::{LineRequest, RequestKind};
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The requests.
    pub struct RequestTable {
        /// A request that waits.
        QueuedRequest(config: &CoreConfig) {
            kind: [2],
            /// The line's number.
            line: [32 - index_width(config.line_bytes)],
            id: [index_width(config.waiting_groups())],
            mask: [4; config.line_words()],
            operation: [4],
            reserves: [1; config.of_gpu()],
            data: [32; config.line_words()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct RequestQueue: clock, reset {
        pub push: LineRequest<In> = LineRequest::new(config),
        pub space: Signal<Out, Bit>,
        pub any: Signal<Out, Bit>,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(depth) => {
            push_valid: push.valid, pop_ready: request_ready, push_ready: space, pop_valid: any,
        },
        waiting: RequestTable = RequestTable::new(depth, 1, config) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write.id: push.id, write.mask: push.mask,
            write.data: push.data, write.reserves: push.reserves, read_row[0]: fifo.read_row, read[0].id: request.id, read[0].mask: request.mask,
            read[0].data: request.data, read[0].reserves: request.reserves,
        },
        decoder: OperationDecoder => { code: waiting.read[0].operation, op: request.atomic },
        offset: Constant = Constant::new(offset as u64, 6),
    }
    sizes { _line_width = 32 - offset }
    /// A queue of `depth` requests of the core `config`.
    pub fn new(config: &CoreConfig, depth: usize) {
        let offset = index_width(config.line_bytes);
    }
}

impl Logic for RequestQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RequestQueue");

        self.waiting.write.kind.next = bit_cast_to(self.push.kind.val(), 2);
        self.waiting.write.line.next = bit_cast_to(self.push.line.val() >> self.offset.val(), self._line_width);
        self.waiting.write.operation.next = bit_cast_to(self.push.atomic.val(), 4);

        self.request.valid.next = self.fifo.pop_valid.val();
        match self.waiting.read[0].kind.val().index() {
            0 => self.request.kind.next = RequestKind::Read,
            1 => self.request.kind.next = RequestKind::Write,
            _ => self.request.kind.next = RequestKind::Atomic,
        }
        self.request.line.next = bit_cast_to(self.waiting.read[0].line.val(), 32) << self.offset.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::MemoryOp;

    #[test]
    fn keeps_order_and_stops_when_full() {
        let mut queue = RequestQueue::new(&CoreConfig::tiny(), 3);
        queue.connect_all();
        simulate(&mut queue, 1000);
        let requests = [
            (RequestKind::Write, MemoryOp::Store, 0xa00_0abc, 1),
            (RequestKind::Atomic, MemoryOp::AtomicXor, 0x123, 3),
            (RequestKind::Read, MemoryOp::Load, 0x456, 0),
        ];
        queue.push.valid.next = true;
        for (n, (kind, op, line, word)) in requests.into_iter().enumerate() {
            assert!(queue.space.val());
            queue.push.kind.next = kind;
            queue.push.atomic.next = op;
            queue.push.line.next = (line * 16 + n).into();
            queue.push.id.next = n.into();
            for (j, mask) in queue.push.mask.iter_mut().enumerate() {
                mask.next = if j == word { 15.into() } else { 0.into() };
            }
            for (j, data) in queue.push.data.iter_mut().enumerate() {
                data.next = (0x8000_0000 + 8 * n + j).into();
            }
            tick!(queue);
        }
        assert!(!queue.space.val());
        queue.push.valid.next = false;
        queue.request_ready.next = true;
        for (n, (kind, op, line, word)) in requests.into_iter().enumerate() {
            simulate(&mut queue, 1000);
            assert!(queue.request.valid.val() && queue.any.val());
            assert_eq!((queue.request.kind.val(), queue.request.atomic.val()), (kind, op));
            assert_eq!(queue.request.line.val(), line * 16);
            assert_eq!(queue.request.id.val(), n);
            assert!(queue.request.mask.iter().enumerate().all(|(j, mask)| (mask.val() == 15) == (j == word)));
            assert!(queue.request.data.iter().enumerate().all(|(j, data)| data.val() == 0x8000_0000 + 8 * n + j));
            tick!(queue);
        }
        assert!(!queue.any.val());
    }
}
