//! Our controller in the generated simulator, before a DRAM that checks every command.
use anyhow::Result;
use warploom_hdl::memory_system::dram::{ChannelConfig, DramTiming};
use warploom_verification::dram_model::{DramBench, LineAccess};

use crate::traces::{Access, BURSTS, COLUMN_WIDTH, IDLE, ROW_WIDTH, Trace, burst_bytes};

const ID_WIDTH: usize = 7;

struct Channel {
    bench: DramBench,
    words: usize,
}

impl Channel {
    fn new(timing: &DramTiming, queue: usize) -> Self {
        let config = ChannelConfig {
            queue,
            column_width: COLUMN_WIDTH,
            row_width: ROW_WIDTH,
            ..ChannelConfig::new(timing, BURSTS * burst_bytes(timing), ID_WIDTH)
        };
        Self { bench: DramBench::new(&config, &config), words: config.line_words() }
    }

    /// A clock; whether the access was taken.
    fn clock(&mut self, access: Option<Access>, bursts: usize) -> Result<bool> {
        let access = access.map(|Access { bank, row, line, write }| LineAccess {
            bank,
            row,
            line,
            bursts: (1 << bursts) - 1,
            written: write.then(|| (vec![line as u32; self.words], vec![15; self.words])),
        });
        Ok(self.bench.cycle(true, access.as_ref(), true)?)
    }
}

/// Clocks from the one in which a read is taken to the one in which its last burst is answered, long after another access.
pub fn latency(
    timing: &DramTiming,
    queue: usize,
    before: Option<Access>,
    access: Access,
    bursts: usize,
) -> Result<usize> {
    let mut channel = Channel::new(timing, queue);
    if before.is_some() {
        while !channel.clock(before, BURSTS)? {}
    }
    for _ in 0..IDLE {
        channel.clock(None, BURSTS)?;
    }
    while !channel.clock(Some(access), bursts)? {}
    let mut clocks = 0;
    while channel.bench.unanswered() > 0 {
        channel.clock(None, BURSTS)?;
        clocks += 1;
    }
    Ok(clocks)
}

/// Share of the data bus in use after `warm_up` clocks.
pub fn share(timing: &DramTiming, queue: usize, trace: Trace, warm_up: usize, clocks: usize) -> Result<f64> {
    let mut channel = Channel::new(timing, queue);
    let mut accesses = trace.accesses(timing).peekable();
    let mut bursts = [0; 2];
    for (bursts, clocks) in bursts.iter_mut().zip([warm_up, clocks]) {
        for _ in 0..clocks {
            if channel.clock(accesses.peek().copied(), BURSTS)? {
                accesses.next();
            }
        }
        *bursts = channel.bench.counter("reads") + channel.bench.counter("writes");
    }
    Ok((bursts[1] - bursts[0]) as f64 * timing.burst as f64 / clocks as f64)
}
