use super::super::cycle_script::{digits, set};
use super::*;

/// Four lanes, eight warps; the large warps are of all of them, or of the rows 0 to 3 and 4 to 7.
struct Bench(SubWarpUnit);

impl Bench {
    fn new(heads: &[usize]) -> Self {
        let mut unit = SubWarpUnit::new(4, 8);
        unit.connect_all();
        let rows = 8 / heads.len();
        for head in heads {
            unit.rows[*head].next = (((1 << rows) - 1usize) << head).into();
        }
        unit.compact.next = true;
        simulate(&mut unit, 1000);
        Self(unit)
    }

    /// These threads have an instruction: a row each, a digit a lane.
    fn decode(&mut self, head: usize, rows: &[&str], kind: SubWarpKind) {
        let unit = &mut self.0;
        unit.activate.next = true;
        unit.activate_rows.next = unit.rows[head].val();
        for lane in 0..4 {
            let bits = rows.iter().enumerate().filter(|(_, row)| row.as_bytes()[lane] == b'1');
            unit.members[lane].next = bits.fold(0usize, |bits, (row, _)| bits | 1 << (head + row)).into();
        }
        simulate(unit, 1000);
        tick!(*unit);
        unit.activate.next = false;
        unit.decoded_valid.next = true;
        unit.decoded_warp.next = head.into();
        unit.decoded_kind.next = kind;
        simulate(unit, 1000);
        tick!(*unit);
        unit.decoded_valid.next = false;
        simulate(unit, 1000);
    }

    /// Issues the next sub-warp of this large warp: the row in each lane, or `wait`, and whether it is the last.
    fn issue(&mut self, head: usize, writes: bool) -> String {
        let unit = &mut self.0;
        unit.issue_warp.next = head.into();
        simulate(unit, 1000);
        if unit.hold.val().get_bit(head) {
            tick!(*unit);
            return "wait".into();
        }
        let lane = |lane: usize| match unit.lanes.val().get_bit(lane) {
            true => unit.home_warps[lane].val().index().to_string(),
            false => "-".into(),
        };
        let picks: Vec<String> = (0..4).map(lane).collect();
        let last = if unit.last.val() { " last" } else { "" };
        unit.issue_valid.next = true;
        unit.issue_writes.next = writes;
        simulate(unit, 1000);
        tick!(*unit);
        unit.issue_valid.next = false;
        simulate(unit, 1000);
        picks.join(",") + last
    }
}

/// Narasiman 2014, Fig 4.5: eight rows of four.
const FIGURE: [&str; 8] = ["1001", "1010", "0111", "0100", "0110", "0011", "1000", "1100"];

#[test]
fn the_papers_example_takes_four_slots_in_place_of_eight() {
    let mut bench = Bench::new(&[0]);
    bench.decode(0, &FIGURE, SubWarpKind::Pack);
    for picks in ["0,2,1,0", "1,3,2,2", "6,4,4,5", "7,7,5,- last"] {
        assert_eq!(bench.issue(0, false), picks);
    }
    assert_eq!(bench.issue(0, false), "wait");
}

/// Who is in flight is not packed, and those who may issue do not wait: as many slots, other rows.
#[test]
fn threads_in_flight_are_passed_over() {
    let mut bench = Bench::new(&[0]);
    let row_2: Vec<&str> = (0..8).map(|row| if row == 2 { FIGURE[2] } else { "0000" }).collect();
    bench.decode(0, &row_2, SubWarpKind::Pack);
    assert_eq!(bench.issue(0, true), "-,2,2,2 last");
    bench.decode(0, &FIGURE, SubWarpKind::Pack);
    assert_eq!(bench.issue(0, false), "0,3,1,0");
    bench.0.release_valid.next = true;
    bench.0.release_mask.next = 0b1110.into();
    (0..4).for_each(|lane| bench.0.release_home_warps[lane].next = 2.into());
    assert_eq!(bench.issue(0, false), "1,4,4,5", "their registers are written in this cycle");
    bench.0.release_valid.next = false;
    assert_eq!(bench.issue(0, false), "6,2,2,2");
    assert_eq!(bench.issue(0, false), "7,7,5,- last");
}

#[test]
fn packing_helps_as_the_columns_are_filled() {
    let mut bench = Bench::new(&[0]);
    let checkerboard: Vec<&str> = (0..8).map(|row| if row % 2 == 0 { "1010" } else { "0101" }).collect();
    bench.decode(0, &checkerboard, SubWarpKind::Pack);
    for picks in ["0,1,0,1", "2,3,2,3", "4,5,4,5", "6,7,6,7 last"] {
        assert_eq!(bench.issue(0, false), picks, "half the slots");
    }
    bench.decode(0, &["0100"; 8], SubWarpKind::Pack);
    for row in 0..8 {
        let last = if row == 7 { " last" } else { "" };
        assert_eq!(bench.issue(0, false), format!("-,{row},-,-{last}"), "as many");
    }
}

#[test]
fn rows_go_whole_and_jumps_once() {
    let mut bench = Bench::new(&[0]);
    bench.decode(0, &FIGURE, SubWarpKind::Row);
    let row = |row: usize| {
        (0..4).map(move |lane| if FIGURE[row].as_bytes()[lane] == b'1' { row.to_string() } else { "-".into() })
    };
    for number in 0..8 {
        let last = if number == 7 { " last" } else { "" };
        assert_eq!(bench.issue(0, true), row(number).collect::<Vec<_>>().join(",") + last);
    }
    // All of them are in flight now.
    bench.decode(0, &FIGURE, SubWarpKind::Once);
    assert_eq!(bench.issue(0, false), "wait");
    for number in 0..8usize {
        bench.0.release_valid.next = true;
        bench.0.release_mask.next = 0b1111.into();
        (0..4).for_each(|lane| bench.0.release_home_warps[lane].next = number.into());
        assert_eq!(bench.issue(0, false), "wait", "row {number}");
    }
    bench.0.release_valid.next = false;
    assert_eq!(bench.issue(0, false), "0,2,1,0 last");
    assert_eq!(bench.issue(0, false), "wait");
}

#[test]
fn large_warps_share_lanes_and_nothing_else() {
    let mut bench = Bench::new(&[0, 4]);
    bench.decode(0, &["1000", "0100"], SubWarpKind::Pack);
    bench.decode(4, &["1111", "1000"], SubWarpKind::Row);
    assert_eq!(digits(!bench.0.hold.val() & set("01234567")), "04");
    assert_eq!(bench.issue(4, false), "4,4,4,4");
    assert_eq!(bench.issue(0, false), "0,1,-,- last");
    assert_eq!(bench.issue(4, false), "5,-,-,- last");
}

/// Without compaction all but jumps goes row by row.
#[test]
fn static_warps_are_rows() {
    let mut bench = Bench::new(&[0]);
    bench.0.compact.next = false;
    bench.decode(0, &["1000", "0100"], SubWarpKind::Pack);
    assert_eq!(bench.issue(0, false), "0,-,-,-");
    assert_eq!(bench.issue(0, false), "-,1,-,- last");
}
