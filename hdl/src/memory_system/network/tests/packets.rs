//! A sender, and a receiver at the other end of the wire.
use super::*;
use crate::interface::MemoryOp;
use crate::memory_system::network::PacketSender;

const LINE_BYTES: usize = 128;

/// A packet to be sent, with data and masks that follow from its number.
struct Sent {
    kind: PacketKind,
    sectors: usize,
}

/// The flits as they pass, `H` head, `T` tail, `X` both, `b` between them, `.` none, and when packets are whole: `|`. `#` in `stalls`: the packet is not taken.
fn send(packets: &[Sent], stalls: &str) -> [String; 2] {
    let config = NetworkConfig::new(1, 4);
    let (mut sender, mut receiver) = (PacketSender::new(&config, LINE_BYTES), PacketReceiver::new(&config, LINE_BYTES));
    sender.connect_all();
    receiver.connect_all();
    (sender.tick.next, receiver.tick.next) = (true, true);
    sender.destination.next = 2.into();
    let (mut at, mut arrived) = (0, 0);
    let (mut flits, mut whole) = (String::new(), String::new());
    for stall in stalls.chars() {
        sender.packet.valid.next = at < packets.len();
        if let Some(packet) = packets.get(at) {
            sender.packet.kind.next = packet.kind;
            sender.packet.sectors.next = packet.sectors.into();
            sender.packet.core.next = (40 + at).into();
            sender.packet.id.next = (100 + at).into();
            sender.packet.line.next = (0x700_0000 + at).into();
            sender.packet.operation.next = MemoryOp::VARIANTS[at];
            sender.packet.word.next = (7 - at).into();
            sender.packet.operand.next = (0xdead_0000 + at).into();
            sender.packet.data.iter_mut().enumerate().for_each(|(w, word)| word.next = (0x1000 * at + w).into());
            sender.packet.mask.iter_mut().enumerate().for_each(|(s, mask)| mask.next = (0x8000_0000 + at + s).into());
        }
        receiver.packet_ready.next = stall != '#';
        simulate(&mut receiver, 1000);
        sender.flit_ready.next = receiver.flit_ready.val();
        simulate(&mut sender, 1000);
        receiver.flit.valid.next = sender.flit.valid.val();
        receiver.flit.head.next = sender.flit.head.val();
        receiver.flit.tail.next = sender.flit.tail.val();
        for (to, from) in receiver.flit.payload.iter_mut().zip(&sender.flit.payload) {
            to.next = from.val();
        }
        simulate(&mut receiver, 1000);

        assert!(!sender.flit.valid.val() || sender.flit.destination.val() == 2);
        flits.push(match (sender.flit.valid.val(), sender.flit.head.val(), sender.flit.tail.val()) {
            (false, ..) => '.',
            (_, true, true) => 'X',
            (_, true, false) => 'H',
            (_, false, true) => 'T',
            (_, false, false) => 'b',
        });
        whole.push(if receiver.packet.valid.val() { '|' } else { '.' });
        if receiver.packet.valid.val() && stall != '#' {
            check(&receiver.packet, &packets[arrived], arrived);
            arrived += 1;
        }
        at += usize::from(sender.packet.valid.val() & sender.packet_ready.val());
        tick!(sender);
        tick!(receiver);
    }
    assert_eq!(arrived, packets.len());
    [flits, whole]
}

/// Everything has arrived, and of the data the sectors that travel.
fn check(packet: &Packet<Out>, sent: &Sent, number: usize) {
    assert_eq!((packet.kind.val(), packet.operation.val()), (sent.kind, MemoryOp::VARIANTS[number]));
    let fields = [&packet.sectors, &packet.core, &packet.id, &packet.line, &packet.word, &packet.operand];
    let expected = [sent.sectors, 40 + number, 100 + number, 0x700_0000 + number, 7 - number, 0xdead_0000 + number];
    assert_eq!(fields.map(|field| field.val().index()), expected);
    for (s, mask) in packet.mask.iter().enumerate() {
        assert_eq!(mask.val(), 0x8000_0000 + number + s);
    }
    for (w, word) in packet.data.iter().enumerate() {
        let travels = [PacketKind::Write, PacketKind::Data].contains(&sent.kind) && sent.sectors >> (w / 8) & 1 == 1;
        assert!(!travels || word.val() == 0x1000 * number + w, "word {w} of packet {number}");
    }
}

#[test]
fn sectors_follow_the_head_one_a_tick() {
    let sent = |kind, sectors| Sent { kind, sectors };
    let packets = [
        sent(PacketKind::Read, 0b1111),
        sent(PacketKind::Write, 0b1010),
        sent(PacketKind::Data, 0b1111),
        sent(PacketKind::Atomic, 0b0100),
        sent(PacketKind::Data, 0b0001),
    ];
    assert_eq!(send(&packets, "             "), ["XHbTHbbbTXHT.", ".|..|....||.|"]);
}

#[test]
fn a_packet_that_is_not_taken_holds_the_next() {
    let sent = |kind, sectors| Sent { kind, sectors };
    let packets = [
        sent(PacketKind::Write, 0b0001),
        sent(PacketKind::Ack, 0),
        sent(PacketKind::Success, 0),
        sent(PacketKind::LoadReserved, 1),
        sent(PacketKind::StoreConditional, 1),
        sent(PacketKind::Old, 1),
    ];
    assert_eq!(send(&packets, "  ###  #    "), ["HTXXXXXXXXX.", "..||||||||||"]);
}
