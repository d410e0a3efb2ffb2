//! Kernels in which the core waits for memory: threads follow chains of addresses whose every link is a miss.
use std::sync::LazyLock;

use warploom_runtime::host::{DeviceError, Session};
use warploom_runtime::kernels::{About, Arithmetic, Kernel, Output, Problem, Run, Sizes, micro};

/// All of them.
pub static WAITING: LazyLock<[Kernel; 3]> = LazyLock::new(|| {
    [
        kernel("chase", "one warp follows one chain", |session, problem| chase(session, problem, 1, false)),
        kernel("chase_warps", "eight warps follow a chain each", |session, problem| chase(session, problem, 8, false)),
        kernel("chase_lanes", "each thread of one warp follows a chain", |session, problem| {
            chase(session, problem, 1, true)
        }),
    ]
});

fn kernel(name: &'static str, summary: &'static str, run: Run) -> Kernel {
    let about = About {
        summary,
        papers: "none",
        arithmetic: Arithmetic::Integer,
        unit: "links",
        sizes: Sizes { smoke: 20, default: 200, large: 1000 },
    };
    Kernel::new(name, about, micro::find("chase").expect("a micro-kernel").binary, run)
}

/// At most `warps` warps follow chains; with `each_thread`, every thread has one of its own, not every warp.
fn chase(
    session: &mut Session,
    problem: &Problem,
    warps: usize,
    each_thread: bool,
) -> Result<Vec<Output>, DeviceError> {
    let (lanes, warps) = (session.config().lanes, warps.min(session.config().warps));
    let (threads, line) = (warps * lanes, session.config().line_bytes / 4);
    let chain = |thread: usize| if each_thread { thread } else { thread / lanes };
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
