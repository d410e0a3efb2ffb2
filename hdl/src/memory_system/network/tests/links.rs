use super::*;
use crate::memory_system::network::LinkReceiver;

/// Ends of a link with room for two flits. One line a cycle: `link_tick, flit offered, credit | taken, on the link`.
const SENDS: &str = "
    | 5 . | 1 -
    | 6 . | 1 5
    . 7 . | 1 6     no tick of the link: it stays
    . 8 . | 0 6
    | 8 . | 0 6
    | 8 . | 1 -     7 waits: the other end is full
    | - c | 0 -
    | - . | 0 7
    | - c | 1 -
    | - c | 1 8
    | - . | 1 -";

#[test]
fn as_many_flits_enter_as_there_is_room_for() {
    let mut sender = LinkSender::new(&NetworkConfig::new(1, 1), 2);
    sender.connect_all();
    simulate(&mut sender, 100);
    for line in SENDS.trim().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        sender.tick.next = true;
        sender.link_tick.next = fields[0] == "|";
        sender.flit.valid.next = fields[1] != "-";
        let number: usize = fields[1].parse().unwrap_or(0);
        sender.flit.payload.iter_mut().for_each(|word| word.next = number.into());
        sender.credit.next = fields[2] == "c";
        simulate(&mut sender, 100);
        let on_link = match sender.link.valid.val() {
            true => sender.link.payload[7].val().value().to_string(),
            false => "-".into(),
        };
        let seen = [u8::from(sender.flit_ready.val()).to_string(), on_link];
        assert_eq!(seen, fields[4..6], "{line}");
        tick!(sender);
    }
}

#[test]
fn an_end_has_any_room() {
    for room in 1..5 {
        let mut sender = LinkSender::new(&NetworkConfig::new(1, 1), room);
        sender.connect_all();
        (sender.tick.next, sender.link_tick.next, sender.flit.valid.next) = (true, true, true);
        let cycles = (0..10).filter(|_| {
            tick!(sender);
            sender.link.valid.val()
        });
        assert_eq!(cycles.count(), room);
    }
}

/// One line a cycle: `link_tick tick, flit from the link, taken | credit, flit`.
const RECEIVES: &str = "
    || 5 . | . -
    || 6 . | . 5
    .| - t | . 5
    .| - t | c 6    no tick of the link: nobody is told
    || - . | c -
    || - . | c -
    || 7 . | . -
    |. - t | . 7    no tick of the receiver: it stays
    || - t | . 7
    || - . | c -
    || - . | . -";

#[test]
fn a_credit_follows_each_flit_that_leaves() {
    let mut receiver = LinkReceiver::new(&NetworkConfig::new(1, 1), 2);
    receiver.connect_all();
    simulate(&mut receiver, 100);
    for line in RECEIVES.trim().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        receiver.link_tick.next = fields[0].starts_with('|');
        receiver.tick.next = fields[0].ends_with('|');
        receiver.link.valid.next = fields[1] != "-";
        let number: usize = fields[1].parse().unwrap_or(0);
        receiver.link.payload.iter_mut().for_each(|word| word.next = number.into());
        receiver.flit_ready.next = fields[2] == "t";
        simulate(&mut receiver, 100);
        let flit = match receiver.flit.valid.val() {
            true => receiver.flit.payload[0].val().value().to_string(),
            false => "-".into(),
        };
        let credit = if receiver.credit.val() { "c" } else { "." };
        assert_eq!([credit, &flit], fields[4..6], "{line}");
        tick!(receiver);
    }
}
