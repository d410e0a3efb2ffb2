//! DRAMsim3.
use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use dramsim3::MemorySystem;
use tempfile::TempDir;

use crate::ini::Ini;
use crate::traces::{Access, BURSTS, COLUMN_WIDTH, IDLE, Trace, burst_bytes};

/// Longer than any latency.
const LOST: usize = 10_000;

struct Channel {
    system: MemorySystem,
    ini: Ini,
    /// Where DRAMsim3 reads its file, and may write others.
    _directory: TempDir,
}

impl Channel {
    fn new(ini: &Ini) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("dram.ini");
        fs::write(&path, ini.to_string()).with_context(|| format!("{}", path.display()))?;
        let system = MemorySystem::new(&path, directory.path()).map_err(|error| anyhow!("DRAMsim3: {error:?}"))?;
        Ok(Self { system, ini: ini.clone(), _directory: directory })
    }

    fn address(&self, access: Access, burst: usize) -> u64 {
        let row = access.row * self.ini.timing.banks + access.bank;
        let burst = (row << COLUMN_WIDTH) + access.line * BURSTS + burst;
        (burst * burst_bytes(&self.ini.timing)) as u64
    }

    /// Whether a burst was taken.
    fn add(&mut self, access: Access, burst: usize) -> bool {
        let address = self.address(access, burst);
        self.system.can_add(address, access.write) && self.system.add(address, access.write)
    }

    /// A clock; how many bursts were read.
    fn clock(&mut self) -> usize {
        let mut answered = 0;
        self.system.tick(|_, write| answered += !write as usize);
        answered
    }
}

/// Clocks from the one in which a read is taken to the one in which its last burst is answered, long after another access.
pub fn latency(ini: &Ini, before: Option<Access>, access: Access, bursts: usize) -> Result<usize> {
    let mut channel = Channel::new(ini)?;
    for burst in 0..BURSTS {
        before.map(|before| channel.add(before, burst));
    }
    for _ in 0..IDLE {
        channel.clock();
    }
    for burst in 0..bursts {
        if !channel.add(access, burst) {
            bail!("DRAMsim3 has no room though it is idle");
        }
    }
    let mut left = bursts;
    for clocks in 0..LOST {
        left -= channel.clock();
        if left == 0 {
            return Ok(clocks);
        }
    }
    bail!("DRAMsim3 does not answer")
}

/// Share of the data bus in use after `warm_up` clocks. DRAMsim3 does not say when it writes, so that writes count as they are taken: as many as leave, once the queues are full.
pub fn share(ini: &Ini, trace: Trace, warm_up: usize, clocks: usize) -> Result<f64> {
    let mut channel = Channel::new(ini)?;
    let mut bursts =
        trace.accesses(&ini.timing).flat_map(|access| (0..BURSTS).map(move |burst| (access, burst))).peekable();
    let mut passed = [0; 2];
    for (passed, clocks) in passed.iter_mut().zip([warm_up, clocks]) {
        for _ in 0..clocks {
            // A line in each clock, as there.
            for _ in 0..BURSTS {
                if let Some((access, _)) = bursts.next_if(|(access, burst)| channel.add(*access, *burst)) {
                    *passed += access.write as usize;
                }
            }
            *passed += channel.clock();
        }
    }
    Ok(passed[1] as f64 * ini.timing.burst as f64 / clocks as f64)
}
