use super::*;

/// Lines of two sectors, each a burst of its own.
const SMALL: L2Config = L2Config {
    line_bytes: 64,
    sets: 2,
    ways: 2,
    mshrs: 2,
    merges: 2,
    evictions: 1,
    replies: 4,
    cores: 2,
    id_width: 3,
    line_width: 4,
    burst_sectors: 1,
};

/// The sets are empty.
fn slice_of(config: &L2Config) -> L2Slice {
    let mut slice = L2Slice::new(config);
    slice.connect_all();
    (slice.tick.next, slice.channel_ready.next, slice.reply_ready.next) = (true, true, true);
    for _ in 0..4 {
        tick!(slice);
    }
    slice
}

fn slice() -> L2Slice {
    slice_of(&SMALL)
}

/// Until it is taken. A write is of the lower half of word 0, and of word 9.
fn ask(slice: &mut L2Slice, kind: L2RequestKind, id: usize, line: usize) {
    slice.request_valid.next = true;
    slice.request.kind.next = kind;
    slice.request.id.next = id.into();
    slice.request.line.next = line.into();
    slice.request.sectors.next = 3.into();
    for (word, mask) in [(0, 3), (9, 15)] {
        slice.request.data[word].next = 0xdddd.into();
        slice.request.mask[word].next = mask.into();
    }
    take(slice);
}

/// The request, when its turn comes.
fn take(slice: &mut L2Slice) {
    simulate(slice, 100);
    while !slice.request_ready.val() {
        tick!(*slice);
    }
    tick!(*slice);
    slice.request_valid.next = false;
}

/// A write of the bytes of each word that `mask` says.
fn write(slice: &mut L2Slice, line: usize, mask: impl Fn(usize) -> usize) {
    slice.request_valid.next = true;
    slice.request.kind.next = L2RequestKind::Write;
    slice.request.line.next = line.into();
    for word in 0..16 {
        slice.request.data[word].next = (0x0101_0101 * word).into();
        slice.request.mask[word].next = mask(word).into();
    }
    take(slice);
}

/// A read of these sectors: the bursts of which DRAM is asked for it; 0: it is answered.
fn fetched(slice: &mut L2Slice, line: usize, sectors: usize) -> usize {
    slice.request_valid.next = true;
    slice.request.kind.next = L2RequestKind::Read;
    slice.request.line.next = line.into();
    slice.request.sectors.next = sectors.into();
    take(slice);
    for _ in 0..8 {
        simulate(slice, 100);
        if slice.channel_valid.val() & !slice.channel_write.val() {
            return slice.channel_bursts.val().index();
        }
        if slice.reply_valid.val() && slice.reply.kind.val() == L2ReplyKind::Data {
            return 0;
        }
        tick!(*slice);
    }
    panic!("neither an answer nor a fetch");
}

/// A read of another line, which nobody has written.
const OTHER: usize = 6;

/// A tick, in which this burst comes for the line with this number: whom the slice answers in it.
fn answers(slice: &mut L2Slice, burst: Option<(usize, usize)>) -> Option<usize> {
    slice.burst_valid.next = burst.is_some();
    if let Some((id, number)) = burst {
        slice.burst_id.next = id.into();
        slice.burst_number.next = number.into();
        for (word, data) in slice.burst_data.iter_mut().enumerate() {
            data.next = (0x5550_0000 + 8 * number + word).into();
        }
    }
    simulate(slice, 100);
    assert!(slice.burst_ready.val(), "a fill never waits");
    let answered = (slice.reply_valid.val() & slice.reply_ready.val()).then(|| slice.reply.id.val().index());
    if answered.is_some() && slice.reply.kind.val() == L2ReplyKind::Data {
        let words: Vec<usize> = slice.reply.data.iter().map(|data| data.val().index()).collect();
        let mut expected: Vec<usize> = (0..16).map(|word| 0x5550_0000 + word).collect();
        if answered != Some(OTHER) {
            (expected[0], expected[9]) = (0x5550_dddd, 0xdddd);
        }
        assert_eq!(words, expected);
    }
    tick!(*slice);
    answered
}

/// Line 5 with some dirty bytes is on its way, and reads 1 and 2 wait for it.
fn waiting() -> L2Slice {
    let mut slice = slice();
    ask(&mut slice, L2RequestKind::Write, 0, 5);
    ask(&mut slice, L2RequestKind::Read, 1, 5);
    ask(&mut slice, L2RequestKind::Read, 2, 5);
    while slice.reply_valid.val() || slice.has_request.q.val() {
        tick!(slice);
    }
    slice
}

#[test]
fn the_last_burst_of_a_line_brings_the_first_answer() {
    let mut slice = waiting();
    let bursts = [Some((0, 1)), Some((0, 0)), None, None, None, None];
    // In the tick of burst 0, D is told to fill and to answer; the answer is there two ticks later.
    assert_eq!(bursts.map(|burst| answers(&mut slice, burst)), [None, None, None, Some(1), Some(2), None]);
    assert!(slice.idle.val());
}

#[test]
fn bursts_go_before_answers_to_lines_that_are_there() {
    let mut slice = waiting();
    ask(&mut slice, L2RequestKind::Read, OTHER, 7);
    let bursts = [None, None, Some((0, 0)), Some((1, 1)), Some((0, 1)), Some((1, 0)), None, None, None];
    let answered = bursts.map(|burst| answers(&mut slice, burst));
    // Lines 5 and 7 are whole in one tick after the other, and the second read of line 5 comes behind both.
    assert_eq!(answered[6..], [Some(1), Some(OTHER), Some(2)]);
    assert_eq!(answered[..6], [None; 6]);
}

#[test]
fn a_fill_does_not_wait_for_room_for_its_answer() {
    let mut slice = waiting();
    slice.reply_ready.next = false;
    for id in 3..6 {
        ask(&mut slice, L2RequestKind::Write, id, 2);
    }
    let bursts = [None, None, None, Some((0, 0)), Some((0, 1)), None, None, None];
    assert_eq!(bursts.map(|burst| answers(&mut slice, burst)), [None; 8]);
    slice.reply_ready.next = true;
    // Acknowledgements leave; only then there is room for those that have waited.
    let answered: Vec<usize> = (0..8).filter_map(|_| answers(&mut slice, None)).collect();
    assert_eq!(answered, [3, 4, 5, 1, 2]);
    assert!(slice.idle.val());
}

#[test]
fn of_a_line_only_bursts_are_fetched_that_are_not_here() {
    // Sectors of a burst, sectors that have been written, the burst of which DRAM is asked for each of the others.
    for (burst_sectors, written, sectors, bursts) in [
        (1, 0b00, 0b01, 0b11),
        (1, 0b01, 0b11, 0b10),
        (1, 0b10, 0b01, 0b01),
        (2, 0b01, 0b10, 0b1),
        (2, 0b10, 0b01, 0b1),
    ] {
        let mut slice = slice_of(&L2Config { burst_sectors, ..SMALL });
        write(&mut slice, 5, |word| if written >> (word / 8) & 1 == 1 { 15 } else { 0 });
        assert_eq!(fetched(&mut slice, 5, sectors), bursts, "{written:02b} of bursts of {burst_sectors}");
    }
}

/// By one write or by several: as long as a byte of it has not been written, it is in DRAM alone.
#[test]
fn a_sector_is_here_once_each_of_its_bytes_has_been_written() {
    for last in 0..16 {
        let sector = 1 << (last / 8);
        let rest = |word| if word / 8 == last / 8 && word != last { 15 } else { 0 };
        for bytes in [0, 7] {
            let mut slice = slice();
            write(&mut slice, 5, rest);
            write(&mut slice, 5, |word| if word == last { bytes } else { 0 });
            assert_eq!(fetched(&mut slice, 5, sector), 3, "but for bytes {:04b} of word {last}", 15 - bytes);
        }
        // Two lines are all of the set.
        let mut slice = slice();
        for line in [5, 7] {
            write(&mut slice, line, rest);
        }
        for line in [5, 7] {
            write(&mut slice, line, |word| if word == last { 15 } else { 0 });
        }
        assert_eq!([5, 7].map(|line| fetched(&mut slice, line, sector)), [0, 0], "word {last}");
    }
}

#[test]
fn a_single_dirty_byte_is_written_to_dram() {
    for word in 0..16 {
        let mut slice = slice();
        let mask = 1 << (word % 4);
        write(&mut slice, 5, |at| if at == word { mask } else { 0 });
        slice.flush.next = true;
        let mut written = vec![];
        for _ in 0..16 {
            simulate(&mut slice, 100);
            if slice.channel_valid.val() {
                let masks = slice.channel.mask.iter().map(|mask| mask.val().index()).enumerate();
                let masks: Vec<_> = masks.filter(|(_, mask)| *mask > 0).collect();
                written.push((slice.channel_write.val(), slice.channel_bursts.val().index(), masks));
            }
            tick!(slice);
        }
        assert_eq!(written, [(true, 1 << (word / 8), vec![(word, mask)])]);
        assert!(slice.flushed.val());
    }
}

/// One in D, when C looks whether there is room, needs the last place.
#[test]
fn no_answer_is_lost_when_nobody_takes_any() {
    let mut slice = slice_of(&L2Config { replies: 8, id_width: 4, ..SMALL });
    slice.reply_ready.next = false;
    slice.request_valid.next = true;
    slice.request.kind.next = L2RequestKind::Write;
    let mut asked = 0;
    for _ in 0..20 {
        slice.request.id.next = asked.into();
        simulate(&mut slice, 100);
        asked += slice.request_ready.val() as usize;
        tick!(slice);
    }
    slice.request_valid.next = false;
    slice.reply_ready.next = true;
    let answered: Vec<usize> = (0..20).filter_map(|_| answers(&mut slice, None)).collect();
    // As many as wait, and one in C.
    assert_eq!(answered, (0..asked).collect::<Vec<_>>());
    assert_eq!(asked, 9);
    assert!(slice.idle.val());
}
