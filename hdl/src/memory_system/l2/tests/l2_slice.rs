use super::*;

/// Lines of two sectors, each a burst of its own; the sets are empty.
fn slice() -> L2Slice {
    let mut slice = L2Slice::new(&L2Config {
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
    });
    slice.connect_all();
    (slice.tick.next, slice.channel_ready.next, slice.reply_ready.next) = (true, true, true);
    for _ in 0..4 {
        tick!(slice);
    }
    slice
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
    simulate(slice, 100);
    while !slice.request_ready.val() {
        tick!(*slice);
    }
    tick!(*slice);
    slice.request_valid.next = false;
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
