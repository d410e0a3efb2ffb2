//! What the core issues, cycle by cycle, seen at its ports.
use warploom_hdl::config::{CoreConfig, Permutation};
use warploom_hdl::divergence::physical_lane;
use warploom_sim::{Engine, Port};

use super::Ports;

/// An instruction that a warp issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Hardware warp.
    pub warp: usize,
    /// Which of its paths, where a warp has several.
    pub side: usize,
    /// Address.
    pub pc: u32,
    /// Bit per lane that runs.
    pub mask: u64,
}

/// Reads the core's ports in an [`Observer`](super::Observer) of the device, after each cycle.
pub struct IssueTrace {
    ports: Ports,
    lanes: usize,
    warp_width: usize,
    permutation: Permutation,
}

impl IssueTrace {
    /// Of an engine that runs the core that `config` describes.
    pub fn new(engine: &impl Engine, config: &CoreConfig) -> Self {
        let CoreConfig { lanes, permutation, .. } = *config;
        Self { ports: Ports::new(engine, config), lanes, warp_width: config.warp_width(), permutation }
    }

    /// The core's ports.
    pub fn ports(&self) -> &Ports {
        &self.ports
    }

    /// The instruction that issued in the cycle just simulated.
    pub fn issue(&self, engine: &impl Engine) -> Option<Issue> {
        if engine.get(self.ports.issue_valid) == 0 {
            return None;
        }
        let path = engine.get(self.ports.issue_warp) as usize;
        Some(Issue {
            warp: path % (1 << self.warp_width),
            side: path >> self.warp_width,
            pc: engine.get(self.ports.issue_pc) as u32,
            mask: engine.get(self.ports.issue_mask),
        })
    }

    /// The row of registers behind every lane: the number of the warp in which its thread was launched.
    pub fn rows(&self, engine: &impl Engine) -> impl Iterator<Item = usize> {
        let rows: Vec<usize> = self.ports.issue_home_warps.iter().map(|row| engine.get(*row) as usize).collect();
        (0..self.lanes).map(move |lane| rows[lane % rows.len()])
    }

    /// Number in its CTA of the thread in every lane, if the instruction runs there.
    pub fn threads(&self, engine: &impl Engine, issue: &Issue) -> Vec<Option<usize>> {
        let permutes = engine.get(self.ports.kernel_permute) == 1;
        let kind = if permutes { self.permutation } else { Permutation::None };
        let warps = (engine.get(self.ports.kernel_warps_per_cta) as usize).max(1);
        let thread = |(lane, row): (usize, usize)| {
            let warp = row % warps;
            (issue.mask >> lane & 1 == 1).then(|| warp * self.lanes + logical_lane(kind, warp, lane, self.lanes))
        };
        self.rows(engine).enumerate().map(thread).collect()
    }
}

/// What happens to be running: counters count the cycles after one in which the core is busy.
#[derive(Clone, Copy, Debug, Default)]
pub struct CycleCount {
    busy_before: bool,
    cycles: u64,
}

impl CycleCount {
    /// The number of the cycle just simulated, as the counter `cycles` counts them over all launches from 0 on; none between launches.
    pub fn push(&mut self, engine: &impl Engine, busy: Port) -> Option<u64> {
        let counts = std::mem::replace(&mut self.busy_before, engine.get(busy) == 1);
        self.cycles += u64::from(counts);
        counts.then(|| self.cycles - 1)
    }
}

/// Number in its warp of the thread that runs in a physical lane; `warp` is the warp's number in its CTA.
pub(super) fn logical_lane(kind: Permutation, warp: usize, physical: usize, lanes: usize) -> usize {
    let runs_there = |&lane: &usize| physical_lane(kind, warp, lane, lanes) == physical;
    (0..lanes).find(runs_there).expect("a permutation reaches every lane")
}
