use super::*;
use crate::memory_system::dram::GDDR3;

/// A port of core 2 of three, before four channels; lines of two sectors.
fn port() -> CorePort {
    let system = SystemConfig { write_credits: 2, ..SystemConfig::new(3, 4, 64, (2, 2), &GDDR3) };
    let mut port = CorePort::new(&CoreConfig { line_bytes: 64, in_gpu: true, ..CoreConfig::tiny() }, &system);
    port.connect_all();
    port.core_number.next = 2.into();
    simulate(&mut port, 100);
    port
}

/// Offers a request until it is taken; words of the line are `data + word`, these bytes of it count.
fn ask(port: &mut CorePort, kind: RequestKind, atomic: MemoryOp, line: u64, id: usize, bytes: u128) {
    port.request.valid.next = true;
    port.request.kind.next = kind;
    port.request.atomic.next = atomic;
    port.request.line.next = (line as usize).into();
    port.request.id.next = id.into();
    for (w, (data, mask)) in port.request.data.iter_mut().zip(&mut port.request.mask).enumerate() {
        data.next = (0x100 + w).into();
        mask.next = Word::from(((bytes >> (4 * w)) & 15) as usize);
    }
    simulate(port, 100);
    assert!(port.request_ready.val());
    tick!(*port);
    port.request.valid.next = false;
    simulate(port, 100);
}

/// The flits that come within so many cycles, each as its destination and words.
fn flits(port: &mut CorePort, cycles: usize) -> Vec<(usize, [u64; 8])> {
    let mut seen = vec![];
    for _ in 0..cycles {
        if port.link.valid.val() {
            let words = std::array::from_fn(|w| port.link.payload[w].val().value());
            seen.push((port.link.destination.val().index(), words));
        }
        port.credit.next = port.link.valid.val();
        tick!(*port);
    }
    seen
}

/// The header that packet.rs documents.
fn header(line: u64, sectors: u64, kind: PacketKind, id: u64, operation: MemoryOp, word: u64) -> [u64; 2] {
    [line | (sectors << 27), kind as u64 | (2 << 4) | (id << 10) | ((operation as u64) << 17) | (word << 21)]
}

#[test]
fn a_read_asks_for_the_line_where_it_lies() {
    let mut port = port();
    // Chunk 0x80_0001 of 256 bytes: the second channel, chunk 0x20_0000 there, and 0x40 bytes into it.
    ask(&mut port, RequestKind::Read, MemoryOp::Load, 0x8000_0140, 3, 0);
    let seen = flits(&mut port, 6);
    let expected = header(0x2000_0040 >> 5, 3, PacketKind::Read, 3, MemoryOp::Load, 0);
    assert_eq!(seen.iter().map(|(to, words)| (*to, [words[0], words[1]])).collect::<Vec<_>>(), [(1, expected)]);
}

#[test]
fn a_write_takes_the_sectors_that_it_touches() {
    let mut port = port();
    // Bytes 4 to 6 of the second sector.
    ask(&mut port, RequestKind::Write, MemoryOp::Store, 0x8000_0000, 0, 0x70 << 32);
    assert!(!port.acknowledged.val());
    let seen = flits(&mut port, 6);
    let expected = header(0x2000_0000 >> 5, 2, PacketKind::Write, 0, MemoryOp::Store, 0);
    assert_eq!(seen.len(), 2, "a head and one sector");
    assert_eq!(seen[0].1[..2], expected);
    assert_eq!(seen[0].1[3..5], [0, 0x70], "masks of the sectors");
    assert_eq!(seen[1].1, std::array::from_fn(|w| 0x108 + w as u64));
}

#[test]
fn private_memory_is_the_cores_own() {
    let mut port = port();
    ask(&mut port, RequestKind::Read, MemoryOp::Load, 0x4000_0400, 0, 0);
    // Two parts of 64 MB further on.
    assert_eq!(flits(&mut port, 4)[0].1[0] & 0x7ff_ffff, (0x4800_0400 / 4) >> 5);
}

#[test]
fn what_is_about_a_word_says_which() {
    let reserved = |reserves: bool| {
        let mut port = port();
        port.request.reserves[0].next = Word::from(usize::from(reserves));
        ask(&mut port, RequestKind::Atomic, MemoryOp::LoadReserved, 0x8000_0000, 1, 0xf << 8);
        flits(&mut port, 4)[0].1
    };
    assert_eq!(reserved(true)[..2], header(0x100_0000, 1, PacketKind::LoadReserved, 1, MemoryOp::LoadReserved, 2));
    assert_eq!(reserved(false)[..2], header(0x100_0000, 1, PacketKind::Read, 1, MemoryOp::LoadReserved, 2));
    for (op, kind) in
        [(MemoryOp::AtomicXor, PacketKind::Atomic), (MemoryOp::StoreConditional, PacketKind::StoreConditional)]
    {
        let mut port = port();
        ask(&mut port, RequestKind::Atomic, op, 0x8000_0000, 1, 0xf << 36);
        let seen = flits(&mut port, 4);
        assert_eq!(seen.len(), 1);
        assert_eq!(seen[0].1[..3], [header(0x100_0000, 2, kind, 1, op, 1), [0x109, 0]].concat()[..3]);
    }
}

/// Puts a flit onto the link from the network.
fn reply(port: &mut CorePort, head: bool, tail: bool, words: [u64; 8]) {
    port.reply_link.valid.next = true;
    (port.reply_link.head.next, port.reply_link.tail.next) = (head, tail);
    for (payload, word) in port.reply_link.payload.iter_mut().zip(words) {
        payload.next = (word as usize).into();
    }
    tick!(*port);
    port.reply_link.valid.next = false;
    simulate(port, 100);
}

/// Cycles until there is a response, which is then taken: its id and words.
fn response(port: &mut CorePort) -> (usize, Vec<u64>) {
    port.response_ready.next = true;
    for _ in 0..5 {
        simulate(port, 100);
        if port.response.valid.val() {
            let words = port.response.data.iter().map(|word| word.val().value()).collect();
            let found = (port.response.id.val().index(), words);
            tick!(*port);
            assert!(!port.response.valid.val());
            return found;
        }
        tick!(*port);
    }
    panic!("a response");
}

#[test]
fn lines_and_words_come_back() {
    let mut port = port();
    let [sectors, kind] = header(0, 3, PacketKind::Data, 2, MemoryOp::Load, 0);
    reply(&mut port, true, false, [sectors, kind, 0, 0, 0, 0, 0, 0]);
    reply(&mut port, false, false, std::array::from_fn(|w| w as u64));
    reply(&mut port, false, true, std::array::from_fn(|w| 8 + w as u64));
    assert_eq!(response(&mut port), (2, (0..16).collect()));
    for kind in [PacketKind::Old, PacketKind::Success] {
        let [sectors, kind] = header(0, 1, kind, 1, MemoryOp::Load, 0);
        reply(&mut port, true, true, [sectors, kind, 77, 0, 0, 0, 0, 0]);
        assert_eq!(response(&mut port), (1, vec![77; 16]));
    }
}

#[test]
fn writes_are_counted_until_they_are_acknowledged() {
    let mut port = port();
    for _ in 0..2 {
        ask(&mut port, RequestKind::Write, MemoryOp::Store, 0x8000_0000, 0, 1);
        flits(&mut port, 4);
    }
    assert!(!port.request_ready.val(), "two are all that may be under way");
    let [sectors, kind] = header(0, 0, PacketKind::Ack, 0, MemoryOp::Load, 0);
    for left in [1, 0] {
        assert!(!port.acknowledged.val());
        reply(&mut port, true, true, [sectors, kind, 0, 0, 0, 0, 0, 0]);
        // Whether the core takes responses or not.
        flits(&mut port, 3);
        assert_eq!(port.writes.q.val().index(), left);
    }
    assert!(port.acknowledged.val() && port.request_ready.val());
}
