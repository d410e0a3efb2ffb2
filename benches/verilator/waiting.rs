//! Kernels in which the core waits for memory: threads follow chains of addresses whose every link is a miss.
use warploom_runtime::host::{DeviceError, Session};
use warploom_runtime::kernels::{Binary, Kernel, Output, Problem, Sizes, micro};

/// Some warps that follow chains.
pub struct Chase {
    name: &'static str,
    summary: &'static str,
    /// At most so many warps run.
    warps: usize,
    /// Every thread has a chain of its own, not every warp.
    lanes: bool,
}

/// All of them.
pub const WAITING: &[Chase] = &[
    Chase { name: "chase", summary: "one warp follows one chain", warps: 1, lanes: false },
    Chase { name: "chase_warps", summary: "eight warps follow a chain each", warps: 8, lanes: false },
    Chase { name: "chase_lanes", summary: "each thread of one warp follows a chain", warps: 1, lanes: true },
];

impl Kernel for Chase {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn papers(&self) -> &'static str {
        "none"
    }

    fn unit(&self) -> &'static str {
        "links"
    }

    fn sizes(&self) -> Sizes {
        Sizes { smoke: 20, default: 200, large: 1000 }
    }

    fn binary(&self) -> Binary {
        micro::find("chase").expect("a micro-kernel").binary
    }

    fn run(&self, session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
        let (lanes, warps) = (session.config().lanes, self.warps.min(session.config().warps));
        let (threads, line) = (warps * lanes, session.config().line_bytes / 4);
        let chain = |thread: usize| if self.lanes { thread } else { thread / lanes };
        let chains = chain(threads - 1) + 1;
        let links = problem.size;
        let table = session.zeros((links + 1) * chains * line)?;
        // Link by link, so that no line is used twice; that of a chain after its last is never followed.
        let address = |link: usize, chain: usize| table.address + 4 * ((link * chains + chain) * line) as u32;
        let words: Vec<u32> =
            (0..table.words).map(|word| address(word / line / chains + 1, word / line % chains)).collect();
        session.write(table, &words);
        let ends = |link: usize| (0..threads).map(|thread| address(link, chain(thread))).collect::<Vec<_>>();
        let (out, start) = (session.zeros(threads)?, session.buffer(&ends(0))?);
        session.launch([1, 1, 1], [threads as u32, 1, 1], 0, &[out.address, start.address, links as u32])?;
        Ok(vec![Output::exact("out", session.read(out), ends(links))])
    }
}
