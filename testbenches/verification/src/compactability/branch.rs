//! How many warps threads take, and which warps compaction needs for that.
use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::physical_lane;

/// The warps that threads take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// In their own warps.
    pub apart: usize,
    /// In their own lanes.
    pub compacted: usize,
    /// In any lane.
    pub ideal: usize,
}

impl Shape {
    /// Of threads in rising order.
    pub fn new(threads: &[u32], lanes: usize, permutation: Permutation) -> Self {
        let mut columns = vec![0; lanes];
        for &thread in threads {
            columns[physical_lane(permutation, thread as usize / lanes, thread as usize % lanes, lanes)] += 1;
        }
        Self {
            apart: threads.chunk_by(|&a, &b| a as usize / lanes == b as usize / lanes).count(),
            compacted: columns.into_iter().max().unwrap_or(0),
            ideal: threads.len().div_ceil(lanes),
        }
    }

    /// Whether compaction makes fewer warps.
    pub fn is_compactable(&self) -> bool {
        self.compacted < self.apart
    }
}

/// The warps that come to a branch.
pub struct Branch {
    pub pc: u32,
    /// It is marked as one at which all threads go the same way.
    pub is_uniform: bool,
    /// Of both sides.
    pub sides: [Shape; 2],
    /// By warp: its threads go both ways.
    pub diverging: Vec<bool>,
    /// By warp: compaction has fewer warps in the end if this one waits.
    pub should_stall: Vec<bool>,
}

impl Branch {
    pub fn new(pc: u32, is_uniform: bool, sides: [&[u32]; 2], lanes: usize) -> Self {
        let warp = |thread: &u32| *thread as usize / lanes;
        let mut warps: Vec<usize> = sides.iter().flat_map(|side| side.iter().map(warp)).collect();
        warps.sort_unstable();
        warps.dedup();
        let has = |side: usize, of: usize| sides[side].iter().any(|thread| warp(thread) == of);
        let shapes = sides.map(|threads| Shape::new(threads, lanes, Permutation::None));
        let mut should_stall = vec![false; warps.len()];
        if shapes.iter().any(Shape::is_compactable) {
            should_stall.fill(true);
            // The fewest that have to wait: a warp need not if the others come to as few warps without it.
            let least: usize = shapes.iter().map(|shape| shape.compacted).sum();
            for number in 0..warps.len() {
                should_stall[number] = false;
                let waits = |thread: &u32| should_stall[warps.partition_point(|&other| other < warp(thread))];
                let of_side = |side: &[u32]| {
                    let (waiting, passing): (Vec<u32>, Vec<u32>) = side.iter().partition(|thread| waits(thread));
                    let [waiting, passing] =
                        [waiting, passing].map(|threads| Shape::new(&threads, lanes, Permutation::None));
                    waiting.compacted + passing.apart
                };
                should_stall[number] = sides.iter().map(|side| of_side(side)).sum::<usize>() > least;
            }
        }
        let diverging = warps.iter().map(|&of| has(0, of) && has(1, of)).collect();
        Self { pc, is_uniform, sides: shapes, diverging, should_stall }
    }
}
