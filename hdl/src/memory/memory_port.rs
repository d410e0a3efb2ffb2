//! The memory port, which the banks of the L1 share.
//!
//! ```text
//!  bank[0]_* --+                       +--> bank_response[0]_*
//!              +--> mux --> request_*  |
//!  bank[1]_* --+     response_* -------+--> bank_response[1]_*
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `bank[B]_*`, `bank_ready` | B | the banks' requests, whose `id` counts from 0 in each; taken, a bit per bank |
//! | `request_*`, `request_ready` | | the memory port; below the bank's `id` stands the number of the bank |
//! | `response_*`, `response_ready` | | the memory port |
//! | `bank_response[B]_*`, `bank_response_ready` | B | to the banks; taken, a bit per bank |
//!
//! Latency 0. State: with two banks, whose turn it is. A request that waits is not replaced by the other bank's; if both ask, they alternate.
//! One bank alone has the port as it is.
use crate::interface::{LineRequest, LineResponse};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MemoryPort: clock, reset {
        pub bank: Vec<LineRequest<In>> = (0..banks).map(|_| LineRequest::new(&config.l1_bank())).collect(),
        pub bank_ready: Net<Out> = banks,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub bank_response: Vec<LineResponse<Out>> = (0..banks).map(|_| LineResponse::new(&config.l1_bank())).collect(),
        pub bank_response_ready: Net<In> = banks,

        chosen: Net<Local> = banks,
        id: Net<Local> = index_width(config.l1_bank().waiting_groups()),
        addressed: Net<Local> = banks,
        /// Of two banks: the second goes first. One less than banks.
        turns: Vec<StateRegister<Bit>> = (1..banks).map(|_| Default::default()).collect(),
        bank_bits: Constant = Constant::new(banks.ilog2() as u64, 6),
        bank_mask: Constant = Constant::new(banks as u64 - 1, index_width(config.waiting_groups())),
    }
    sizes { _id_width = index_width(config.waiting_groups()), _bank_id_width = index_width(config.l1_bank().waiting_groups()) }
    /// The port of the core `config`.
    pub fn new(config: &CoreConfig) {
        let banks = config.l1_ports;
    }
}

impl Logic for MemoryPort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryPort");
        self.chosen.next = 1.into();
        self.request.valid.next = self.bank[0].valid.val();
        self.request.kind.next = self.bank[0].kind.val();
        self.request.line.next = self.bank[0].line.val();
        self.request.atomic.next = self.bank[0].atomic.val();
        self.id.next = self.bank[0].id.val();
        self.request.id.next = bit_cast_to(self.id.val(), self._id_width) << self.bank_bits.val();
        wire::join(&mut self.bank[0].data, &mut self.request.data);
        wire::join(&mut self.bank[0].mask, &mut self.request.mask);
        wire::join(&mut self.bank[0].reserves, &mut self.request.reserves);
        for t in 0..self.turns.len() {
            if self.bank[1].valid.val() & (!self.bank[0].valid.val() | self.turns[t].q.val()) {
                self.chosen.next = 2.into();
                self.request.valid.next = true;
                self.request.kind.next = self.bank[1].kind.val();
                self.request.line.next = self.bank[1].line.val();
                self.request.atomic.next = self.bank[1].atomic.val();
                self.id.next = self.bank[1].id.val();
                self.request.id.next = (bit_cast_to(self.id.val(), self._id_width) << 1) | 1;
                wire::join(&mut self.bank[1].data, &mut self.request.data);
                wire::join(&mut self.bank[1].mask, &mut self.request.mask);
                wire::join(&mut self.bank[1].reserves, &mut self.request.reserves);
            }
            self.turns[t].d.next = self.turns[t].q.val();
            if self.request.valid.val() {
                self.turns[t].d.next = self.chosen.val().get_bit(1) ^ self.request_ready.val();
            }
        }
        self.bank_ready.next = 0.into();
        if self.request_ready.val() {
            self.bank_ready.next = self.chosen.val();
        }

        self.addressed.next = 0.into();
        for b in 0..self.bank.len() {
            self.addressed.next =
                self.addressed.val().replace_bit(b, (self.response.id.val() & self.bank_mask.val()) == b);
            self.bank_response[b].valid.next = self.response.valid.val() & self.addressed.val().get_bit(b);
            self.bank_response[b].id.next =
                bit_cast_to(self.response.id.val() >> self.bank_bits.val(), self._bank_id_width);
            wire::join(&mut self.response.data, &mut self.bank_response[b].data);
        }
        self.response_ready.next = (self.bank_response_ready.val() & self.addressed.val()).any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::{MemoryOp, RequestKind};

    /// Two banks. One line a cycle: `ids of the banks' requests, ready | id at the port, banks taken`.
    const ALTERNATES: &str = "
        0 - 1 | 0 01
        0 1 1 | 3 10   the other's turn
        0 1 1 | 0 01
        1 1 0 | 3 00   one that waits ...
        - 1 0 | 3 00
        1 1 1 | 3 10   ... is not replaced
        1 0 0 | 2 00
        1 0 1 | 2 01
        - - 1 | - 01";

    /// What the banks ask for.
    const REQUESTS: [(RequestKind, MemoryOp); 2] =
        [(RequestKind::Write, MemoryOp::Store), (RequestKind::Atomic, MemoryOp::AtomicXor)];

    #[test]
    fn two_banks_alternate() {
        let mut port = MemoryPort::new(&CoreConfig { l1_ports: 2, ..CoreConfig::tiny() });
        port.connect_all();
        simulate(&mut port, 100);
        for line in ALTERNATES.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            for (bank, id) in port.bank.iter_mut().zip(&fields) {
                bank.valid.next = *id != "-";
                bank.id.next = id.parse::<usize>().unwrap_or(0).into();
            }
            for (b, bank) in port.bank.iter_mut().enumerate() {
                (bank.kind.next, bank.atomic.next) = REQUESTS[b];
                bank.line.next = (0x100 * (b + 1)).into();
                for (j, (data, mask)) in bank.data.iter_mut().zip(&mut bank.mask).enumerate() {
                    data.next = (16 * b + j).into();
                    mask.next = ((b + j) % 4).into();
                }
            }
            port.request_ready.next = fields[2] == "1";
            simulate(&mut port, 100);
            let id = if port.request.valid.val() { port.request.id.val().value().to_string() } else { "-".into() };
            assert_eq!(format!("{id} {:02b}", port.bank_ready.val().value()), fields[4..6].join(" "), "{line}");
            let b = port.request.id.val().index() % 2;
            assert_eq!((port.request.kind.val(), port.request.atomic.val()), REQUESTS[b], "{line}");
            assert_eq!(port.request.line.val(), 0x100 * (b + 1));
            for (j, (data, mask)) in port.request.data.iter().zip(&port.request.mask).enumerate() {
                assert_eq!((data.val().index(), mask.val().index()), (16 * b + j, (b + j) % 4), "{line}");
            }
            tick!(port);
        }
    }

    #[test]
    fn answers_go_to_their_bank() {
        for (l1_ports, id, expected) in
            [(1, 3, vec![Some(3)]), (2, 3, vec![None, Some(1)]), (2, 2, vec![Some(1), None])]
        {
            let mut port = MemoryPort::new(&CoreConfig { l1_ports, ..CoreConfig::tiny() });
            port.connect_all();
            port.response.valid.next = true;
            port.response.id.next = Word::from(id);
            for (j, data) in port.response.data.iter_mut().enumerate() {
                data.next = (0x55 + j).into();
            }
            simulate(&mut port, 100);
            let answered = port.bank_response.iter().map(|bank| bank.valid.val().then(|| bank.id.val().index()));
            assert_eq!(answered.collect::<Vec<_>>(), expected);
            for bank in &port.bank_response {
                assert!(bank.data.iter().enumerate().all(|(j, data)| data.val() == 0x55 + j));
            }
            for ready in 0..1 << l1_ports {
                port.bank_response_ready.next = Word::from(ready);
                simulate(&mut port, 100);
                assert_eq!(port.response_ready.val(), ready >> (id % l1_ports) & 1 == 1);
            }
        }
    }
}
