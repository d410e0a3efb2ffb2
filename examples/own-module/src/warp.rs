//! What the selector selects for: a warp whose threads walk through a small program, each its own way.

/// Address of the last instruction; a thread that has run it has ended.
const END: u64 = 24;

/// Threads, and where they are.
pub struct Warp {
    /// By thread.
    pub pcs: Vec<u64>,
    /// Threads that have not ended, a bit each.
    pub active: u64,
}

impl Warp {
    /// `lanes` threads at address 0.
    pub fn new(lanes: usize) -> Self {
        Self { pcs: vec![0; lanes], active: (1 << lanes) - 1 }
    }

    /// Runs the instruction at `pc` in the threads of `mask`.
    ///
    /// ```text
    ///      0: if (thread is odd) goto 12
    ///  4,  8:     two instructions of the even threads; goto 20 behind them
    /// 12, 16:     two of the odd ones
    ///     20: both meet here
    ///     24: the end
    /// ```
    pub fn run(&mut self, pc: u64, mask: u64) {
        for (thread, at) in self.pcs.iter_mut().enumerate().filter(|(thread, _)| mask >> thread & 1 == 1) {
            assert_eq!(*at, pc, "thread {thread} is elsewhere");
            *at = match pc {
                0 if thread % 2 == 1 => 12,
                8 => 20,
                _ => pc + 4,
            };
            if pc == END {
                self.active &= !(1 << thread);
            }
        }
    }
}
