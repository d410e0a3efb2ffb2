//! Where the threads of a CTA, or of several, live, and the packing of one thread per lane into warps.
use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::physical_lane;

use super::Mask;

/// Home row and lane of each thread of a CTA.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// Lanes of a warp.
    pub width: usize,
    /// Static warps.
    pub rows: usize,
    /// The threads of each CTA.
    pub ctas: Vec<Mask>,
    /// By lane and row: the thread.
    columns: Vec<Vec<Option<usize>>>,
}

impl Lanes {
    /// For a CTA of `threads` threads.
    pub fn new(threads: usize, width: usize, permutation: Permutation) -> Self {
        Self::of_ctas(&[threads], width, permutation)
    }

    /// For CTAs of so many threads each, one behind the other. Each begins with a row of its own.
    pub fn of_ctas(sizes: &[usize], width: usize, permutation: Permutation) -> Self {
        let rows = sizes.iter().map(|threads| threads.div_ceil(width)).sum();
        let mut all = Self { width, rows, ctas: vec![], columns: vec![vec![None; rows]; width] };
        let (mut first_row, mut first_thread) = (0, 0);
        for &threads in sizes {
            for thread in 0..threads {
                let lane = physical_lane(permutation, thread / width, thread % width, width);
                all.columns[lane][first_row + thread / width] = Some(first_thread + thread);
            }
            all.ctas.push(((1 << threads) - 1) << first_thread);
            first_row += threads.div_ceil(width);
            first_thread += threads;
        }
        all
    }

    /// The thread at home in `row` and `lane`.
    pub fn thread(&self, row: usize, lane: usize) -> Option<usize> {
        self.columns[lane][row]
    }

    /// The threads of a static warp.
    pub fn row(&self, row: usize) -> Mask {
        self.columns.iter().filter_map(|column| column[row]).map(|thread| 1 << thread).sum()
    }

    /// Warps that compaction makes of the threads: the fullest lane counts.
    pub fn compacted(&self, mask: Mask) -> usize {
        let used =
            |column: &Vec<Option<usize>>| column.iter().flatten().filter(|&&thread| mask >> thread & 1 == 1).count();
        self.columns.iter().map(used).max().unwrap_or(0)
    }

    /// The compacted warps, as a row per lane: one priority encoder per lane, the lowest row first.
    pub fn pack(&self, mask: Mask) -> Vec<Vec<Option<usize>>> {
        let rows_of = |column: &Vec<Option<usize>>| -> Vec<usize> {
            (0..self.rows).filter(|&row| column[row].is_some_and(|thread| mask >> thread & 1 == 1)).collect()
        };
        let picks: Vec<Vec<usize>> = self.columns.iter().map(rows_of).collect();
        (0..self.compacted(mask)).map(|warp| picks.iter().map(|rows| rows.get(warp).copied()).collect()).collect()
    }

    /// The same without compaction: static warps.
    pub fn split(&self, mask: Mask) -> Vec<Vec<Option<usize>>> {
        let here = |thread: Option<usize>| thread.is_some_and(|thread| mask >> thread & 1 == 1);
        let warp = |row| self.columns.iter().map(|column| here(column[row]).then_some(row)).collect();
        (0..self.rows).filter(|&row| self.row(row) & mask != 0).map(warp).collect()
    }

    /// The threads of a compacted warp.
    pub fn threads(&self, rows: &[Option<usize>]) -> Mask {
        rows.iter().enumerate().filter_map(|(lane, &row)| self.columns[lane][row?]).map(|thread| 1 << thread).sum()
    }
}
