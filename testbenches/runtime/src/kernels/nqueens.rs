//! Queens on a chessboard after Chen's kernel, which comes with GPGPU-Sim (Bakhoda et al. 2009): the host places queens in the first
//! five rows of a board of ten, the threads count the solutions from there.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Squares to a side.
const BOARD: usize = 10;
/// Rows of the host.
const PLACED: usize = 5;
/// Halfwords of a thread's stack: four for every row that is left.
const STACK: usize = 4 * (BOARD - PLACED);
/// Threads whose stacks leave room for other CTAs.
const THREADS: usize = 128;

pub(super) const ABOUT: About = About {
    summary: "queens on a chessboard: backtracking with a stack in shared memory, a path of its own for every thread",
    papers: "none of those here; GPGPU-Sim (NQU)",
    arithmetic: Arithmetic::Integer,
    unit: "placements of the first rows",
    sizes: Sizes { smoke: 12, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let threads = problem.block.unwrap_or(problem.threads(config).min(THREADS));
    let mut all = Vec::new();
    Placement::default().extend(PLACED, &mut all);
    let mut random = Random::new(problem.seed);
    let placements: Vec<_> = (0..n).map(|_| all[random.below(all.len() as u32) as usize]).collect();
    let mut field = |of: fn(&Placement) -> u32| session.buffer(&placements.iter().map(of).collect::<Vec<_>>());
    let (columns, left, right) = (field(|p| p.columns)?, field(|p| p.left)?, field(|p| p.right)?);
    let solutions = session.zeros(n)?;
    let buffers = [columns, left, right, solutions].map(|buffer| buffer.address);
    let numbers = [n as u32, (1 << BOARD) - 1, (BOARD - PLACED) as u32];
    let arguments = [&buffers[..], &numbers].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], threads * STACK / 2, &arguments)?;
    let expected = placements.iter().map(|placement| {
        let mut solutions = Vec::new();
        placement.extend(BOARD - PLACED, &mut solutions);
        solutions.len() as u32
    });
    Ok(vec![Output::exact("solutions", session.read(solutions), expected.collect())])
}

/// Squares of the next row that the queens above it attack, a bit each: by column and by either diagonal.
#[derive(Clone, Copy, Debug, Default)]
struct Placement {
    columns: u32,
    left: u32,
    right: u32,
}

impl Placement {
    /// Every way to place queens in so many more rows.
    fn extend(self, rows: usize, found: &mut Vec<Self>) {
        if rows == 0 {
            return found.push(self);
        }
        for queen in (0..BOARD).map(|column| 1 << column) {
            if (self.columns | self.left | self.right) & queen == 0 {
                let left = ((self.left | queen) << 1) & ((1 << BOARD) - 1);
                Self { columns: self.columns | queen, left, right: (self.right | queen) >> 1 }.extend(rows - 1, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_ten_has_724_solutions() {
        let mut found = Vec::new();
        Placement::default().extend(BOARD, &mut found);
        assert_eq!(found.len(), 724);
    }
}
