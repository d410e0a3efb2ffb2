use super::*;
use crate::memory_system::dram::GDDR3;

/// Before a slice with lines of two sectors, of four channels and three cores; all clocks pass in every cycle.
fn port(l2_fixed: usize) -> L2Port {
    let config = SystemConfig { l2_fixed, ..SystemConfig::new(3, 4, 64, (2, 2), &GDDR3) };
    let mut port = L2Port::new(&config);
    port.connect_all();
    port.network_tick.next = true;
    port.l2_tick.next = true;
    port.core_tick.next = true;
    simulate(&mut port, 100);
    port
}

fn send(port: &mut L2Port, head: bool, tail: bool, words: [u64; 8]) {
    port.flit.valid.next = true;
    (port.flit.head.next, port.flit.tail.next) = (head, tail);
    for (payload, word) in port.flit.payload.iter_mut().zip(words) {
        payload.next = (word as usize).into();
    }
    tick!(*port);
    port.flit.valid.next = false;
    simulate(port, 100);
}

/// Cycles until a request is there.
fn cycles(port: &mut L2Port) -> usize {
    (0..50)
        .find(|_| {
            let there = port.request_valid.val();
            if !there {
                tick!(*port);
            }
            there
        })
        .expect("a request")
}

/// Sectors 2 of line 5; core 1 calls it 9.
fn head(kind: PacketKind, operation: MemoryOp, word: u64) -> [u64; 8] {
    let header = kind as u64 | (1 << 4) | (9 << 10) | ((operation as u64) << 17) | (word << 21);
    [10 | (2 << 27), header, 0xabcd, 0, 0xf0, 0, 0, 0]
}

#[test]
fn requests_are_late_and_name_a_word_of_the_line() {
    for (delay, latency) in [(0, 4), (20, 23)] {
        let mut port = port(delay);
        send(&mut port, true, true, head(PacketKind::Atomic, MemoryOp::AtomicXor, 3));
        assert_eq!(cycles(&mut port) + 1, latency, "{delay}");
        let request = &port.request;
        assert_eq!((request.kind.val(), request.atomic.val()), (L2RequestKind::Atomic, MemoryOp::AtomicXor));
        let numbers = [&request.core, &request.id, &request.line, &request.sectors, &request.word];
        assert_eq!(numbers.map(|net| net.val().index()), [1, 9, 5, 2, 11]);
        assert_eq!(request.data[11].val(), 0xabcd);
        assert_eq!(request.mask.iter().map(|mask| mask.val().index()).sum::<usize>(), request.mask[9].val().index());
        assert_eq!(request.mask[9].val(), 15);
    }
}

#[test]
fn a_write_brings_its_sector() {
    let mut port = port(0);
    send(&mut port, true, false, head(PacketKind::Write, MemoryOp::Store, 0));
    send(&mut port, false, true, std::array::from_fn(|w| 100 + w as u64));
    cycles(&mut port);
    assert_eq!(port.request.kind.val(), L2RequestKind::Write);
    assert_eq!((8..16).map(|w| port.request.data[w].val().index()).collect::<Vec<_>>(), (100..108).collect::<Vec<_>>());
    assert!(!port.idle.val());
    port.request_ready.next = true;
    tick!(port);
    assert!(!port.request_valid.val() && port.idle.val());
}

/// One line an answer: `kind, sectors, success | flits, word 2 of the head`.
#[test]
fn answers_are_as_long_as_what_they_say() {
    for (kind, sectors, success, flits, operand) in [
        (L2ReplyKind::Data, 3usize, false, 3, 6),
        (L2ReplyKind::Data, 2, false, 2, 6),
        (L2ReplyKind::Ack, 1, false, 1, 6),
        (L2ReplyKind::Old, 1, false, 1, 6),
        (L2ReplyKind::Success, 1, true, 1, 0),
        (L2ReplyKind::Success, 1, false, 1, 1),
    ] {
        let mut port = port(0);
        port.reply_flit_ready.next = true;
        port.reply_valid.next = true;
        port.reply.kind.next = kind;
        port.reply.core.next = 2.into();
        port.reply.sectors.next = sectors.into();
        port.reply.success.next = success;
        port.reply.word.next = 6.into();
        for (w, word) in port.reply.data.iter_mut().enumerate() {
            word.next = w.into();
        }
        simulate(&mut port, 100);
        assert!(port.reply_flit.head.val());
        assert_eq!(port.reply_flit.destination.val(), 2);
        assert_eq!(port.reply_flit.payload[1].val().index() >> 4 & 63, 2, "{kind:?}");
        assert_eq!(port.reply_flit.payload[2].val(), operand, "{kind:?}");
        let mut sent = 1;
        while !port.reply_ready.val() {
            sent += 1;
            tick!(port);
        }
        assert_eq!(sent, flits, "{kind:?}");
    }
}
