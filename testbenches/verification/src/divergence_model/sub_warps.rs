//! Large warps: how the threads that share an instruction are packed into sub-warps. Their stacks are those of [`Spe`](super::Spe), with a large warp for a warp.
use std::ops::Range;

use super::{Case, Coverage, Lanes, Mask, Rule, Spe, Stack};

/// Rules of sub-warps: Narasiman 2014, 4.2.
pub(super) const RULES: &[Rule] = &[
    ("LWM pack", "threads of several rows issue in one sub-warp"),
    ("LWM in flight", "threads that are in flight are passed over"),
    ("LWM row", "a row issues as a whole"),
    ("LWM row waits", "a row with a thread in flight is passed over"),
    ("LWM once", "one sub-warp stands for threads of several rows"),
];

/// How the sub-warps of an instruction are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// In each lane the lowest row with a thread that waits and is not in flight.
    Pack,
    /// The lowest row none of whose waiting threads is in flight.
    Row,
    /// All threads at once, when none of them is in flight.
    Once,
}

/// An instruction of a large warp on its way to the pipeline.
#[derive(Clone, Debug)]
pub struct SubWarps {
    /// Threads that have not issued it.
    pub pending: Mask,
    packing: Packing,
    rows: Range<usize>,
}

impl SubWarps {
    /// These threads have an instruction; they are of these rows.
    pub fn new(pending: Mask, packing: Packing, rows: Range<usize>) -> Self {
        Self { pending, packing, rows }
    }

    /// The row in each lane of the sub-warp that could issue now.
    pub fn next(&self, lanes: &Lanes, in_flight: Mask) -> Option<Vec<Option<usize>>> {
        let lowest = |threads: Mask| -> Vec<Option<usize>> {
            let waits = |row: usize, lane| lanes.thread(row, lane).is_some_and(|thread| threads >> thread & 1 == 1);
            (0..lanes.width).map(|lane| self.rows.clone().find(|&row| waits(row, lane))).collect()
        };
        let pick = match self.packing {
            Packing::Pack => lowest(self.pending & !in_flight),
            Packing::Once if self.pending & in_flight == 0 => lowest(self.pending),
            Packing::Once => return None,
            Packing::Row => {
                let whole = |row: &usize| {
                    let waiting = lanes.row(*row) & self.pending;
                    waiting != 0 && waiting & in_flight == 0
                };
                lowest(self.rows.clone().find(whole).map_or(0, |row| lanes.row(row) & self.pending))
            }
        };
        pick.iter().any(Option::is_some).then_some(pick)
    }

    /// The sub-warp issues. Returns its threads.
    pub fn issue(&mut self, lanes: &Lanes, pick: &[Option<usize>], in_flight: Mask, coverage: &mut Coverage) -> Mask {
        let several = pick.iter().flatten().any(|row| Some(row) != pick.iter().flatten().next());
        let threads = match self.packing {
            Packing::Once => self.pending,
            Packing::Pack | Packing::Row => lanes.threads(pick),
        };
        let passed = self.pending & in_flight != 0;
        for (fires, rule) in [
            (self.packing == Packing::Pack && several, "LWM pack"),
            (self.packing == Packing::Pack && passed, "LWM in flight"),
            (self.packing == Packing::Row, "LWM row"),
            (self.packing == Packing::Row && passed, "LWM row waits"),
            (self.packing == Packing::Once && several, "LWM once"),
        ] {
            if fires {
                coverage.fires(rule);
            }
        }
        self.pending &= !threads;
        threads
    }
}

/// The rows of each large warp of a CTA: up to `most`, the last one's are what is left.
pub fn large_warps(rows: usize, most: usize) -> Vec<Range<usize>> {
    (0..rows).step_by(most).map(|first| first..(first + most).min(rows)).collect()
}

impl<'a> Spe<'a> {
    /// One CTA of large warps at the start, each with a stack.
    pub fn of_large_warps(
        case: &'a Case,
        lanes: &Lanes,
        rows: &[Range<usize>],
        likely_convergence: bool,
        taken_first: bool,
    ) -> Self {
        let threads = |rows: &Range<usize>| rows.clone().map(|row| lanes.row(row)).sum();
        let stacks = rows.iter().map(|rows| Stack::new(threads(rows))).collect();
        Self::of_stacks(case, stacks, likely_convergence, taken_first)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use warploom_hdl::config::Permutation;
    use warploom_runtime::kernels::Random;

    use super::*;

    /// All large warps of a CTA in any order, each block as one instruction of any kind, with any threads in flight. Returns the depth of the deepest stack.
    pub fn run_packed(case: &Case, lanes: &Lanes, most: usize, random: &mut Random) -> (usize, Coverage) {
        let rows = large_warps(lanes.rows, most);
        let mut spe = Spe::of_large_warps(case, lanes, &rows, random.below(2) == 0, random.below(2) == 0);
        let mut coverage = Coverage::default();
        loop {
            let ready = spe.ready_warps();
            if ready.is_empty() {
                break;
            }
            let large = ready[random.below(ready.len() as u32) as usize];
            let (_, threads) = spe.execute(large);
            let packing = [Packing::Pack, Packing::Row, Packing::Once][random.below(3) as usize];
            let mut instruction = SubWarps::new(threads, packing, rows[large].clone());
            let mut issued = 0;
            while instruction.pending != 0 {
                let in_flight = if random.below(2) == 0 { 0 } else { Mask::from(random.word()) << random.below(96) };
                let Some(pick) = instruction.next(lanes, in_flight) else { continue };
                let now = instruction.issue(lanes, &pick, in_flight, &mut coverage);
                assert!(now & in_flight == 0 && now & issued == 0 && now & !threads == 0, "{packing:?}: {case:?}");
                issued |= now;
            }
            assert_eq!(issued, threads);
        }
        spe.assert_finished();
        coverage.add(&spe.coverage());
        (spe.depth(), coverage)
    }

    /// Narasiman 2014, Fig 4.5: eight rows of four.
    const FIGURE: &str = "1001 1010 0111 0100 0110 0011 1000 1100";

    fn threads(rows: &str) -> Mask {
        let bits = rows.bytes().filter(|byte| *byte != b' ').enumerate();
        bits.filter(|(_, bit)| *bit == b'1').map(|(thread, _)| 1 << thread).sum()
    }

    /// All sub-warps; these threads are in flight when the first so many are chosen.
    fn packed(rows: &str, packing: Packing, in_flight: Mask, cycles: usize) -> Vec<String> {
        let lanes = Lanes::new(32, 4, Permutation::None);
        let mut instruction = SubWarps::new(threads(rows), packing, 0..8);
        let mut coverage = Coverage::default();
        let mut seen = vec![];
        while instruction.pending != 0 {
            let busy = if seen.len() < cycles { in_flight } else { 0 };
            let pick = instruction.next(&lanes, busy).expect("something can issue");
            instruction.issue(&lanes, &pick, busy, &mut coverage);
            let row = |row: &Option<usize>| row.map_or("-".to_string(), |row| row.to_string());
            seen.push(pick.iter().map(row).collect::<Vec<_>>().join(""));
        }
        seen
    }

    #[test]
    fn the_papers_example() {
        assert_eq!(packed(FIGURE, Packing::Pack, 0, 0), ["0210", "1322", "6445", "775-"]);
        let row_2 = 0b1111 << 8;
        assert_eq!(packed(FIGURE, Packing::Pack, row_2, 2), ["0310", "1445", "6222", "775-"]);
        assert_eq!(packed(FIGURE, Packing::Once, 0, 0), ["0210"]);
        let rows = packed(FIGURE, Packing::Row, row_2, 2);
        assert_eq!(rows, ["0--0", "1-1-", "-222", "-3--", "-44-", "--55", "6---", "77--"]);
        assert_eq!(packed(FIGURE, Packing::Row, row_2, 3)[2], "-3--", "past the row with threads in flight");
    }

    #[test]
    fn large_warps_are_of_whole_rows() {
        assert_eq!(large_warps(8, 4), [0..4, 4..8]);
        assert_eq!(large_warps(9, 8), [0..8, 8..9]);
        assert_eq!(large_warps(5, 2), [0..2, 2..4, 4..5]);
    }
}
