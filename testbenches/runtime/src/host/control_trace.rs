//! What becomes of control instructions, seen in nets inside the core: where branches go, and which warps are compacted there.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::ControlKind;
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

use super::{observed_bits, path_in_core};

/// A conditional branch that a warp executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Hardware warp.
    pub warp: usize,
    /// Which of its paths, where a warp has several.
    pub side: usize,
    /// Address.
    pub pc: u32,
    /// Bit per lane that comes to it.
    pub mask: u64,
    /// Bit per lane that takes it.
    pub taken: u64,
}

impl Branch {
    /// Bit per lane that does not take it.
    pub fn not_taken(&self) -> u64 {
        self.mask & !self.taken
    }

    /// Whether lanes go both ways.
    pub fn diverges(&self) -> bool {
        self.taken != 0 && self.not_taken() != 0
    }
}

/// What a warp does behind a branch, where warps are compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It dissolves, and its threads wait for those of the others.
    Gathers,
    /// It goes ahead by itself; if it diverged, with the threads of one side.
    Bypasses,
    /// The branch is marked uniform: the warp goes on.
    Passes,
}

/// A warp at a branch, where warps are compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Hardware warp.
    pub warp: usize,
    /// Address of the branch.
    pub pc: u32,
    /// What it does.
    pub decision: Decision,
}

/// A side of a divergent branch, CTA-wide, that starts to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactedPath {
    /// Address of the branch.
    pub pc: u32,
    /// Warps that came with threads for it.
    pub arrived: u64,
    /// Warps that compaction fills with them.
    pub compacted: u64,
}

const RESOLVE: [&str; 6] = ["valid", "warp", "kind", "mask", "taken", "next_pc"];
const CTA_WIDE: [&str; 13] = [
    "served",
    "is_branch",
    "continues",
    "bypass_low",
    "bypass_top",
    "events.warp",
    "events.event_next_pc",
    "path_valid",
    "evaluated_pc",
    "path_arrived",
    "path_compacted",
    "form_valid",
    "form_warp",
];

/// Reads the nets in an [`Observer`](super::Observer) of the device, after each cycle.
pub struct ControlTrace {
    resolve: [Bits; RESOLVE.len()],
    /// Where they [are shown](Self::shows_compaction).
    cta_wide: Option<[Bits; CTA_WIDE.len()]>,
    warp_width: usize,
}

impl ControlTrace {
    /// Whether it tells what becomes of warps at each branch: where they gather, unless for two paths at a time, whose stack does not keep the branch they are from.
    pub fn shows_compaction(config: &CoreConfig) -> bool {
        config.gathers() && config.of_cta_paths() == 0
    }

    /// The nets that the simulator of this core must show: [`observe`](warploom_sim::BuildOptions::observe).
    pub fn nets(config: &CoreConfig) -> Vec<String> {
        let cta_wide = CTA_WIDE.iter().filter(|_| Self::shows_compaction(config)).map(|net| wide(config, net));
        RESOLVE.iter().map(|net| resolve(config, net)).chain(cta_wide).collect()
    }

    /// Of a simulator that shows [`nets`](Self::nets).
    ///
    /// # Panics
    /// If it does not.
    pub fn new(simulator: &Simulator, config: &CoreConfig) -> Self {
        let bits = |path: String| observed_bits(simulator, &path);
        Self {
            resolve: RESOLVE.map(|net| bits(resolve(config, net))),
            cta_wide: Self::shows_compaction(config).then(|| CTA_WIDE.map(|net| bits(wide(config, net)))),
            warp_width: config.warp_width(),
        }
    }

    /// The branch that was resolved in the cycle just simulated.
    pub fn branch(&self, simulator: &Simulator) -> Option<Branch> {
        let words = simulator.observed_words();
        let [valid, warp, kind, mask, taken, next] = self.resolve.map(|net| net.of(words));
        (valid == 1 && kind == ControlKind::Branch as u64).then(|| Branch {
            warp: warp as usize % (1 << self.warp_width),
            side: warp as usize >> self.warp_width,
            pc: next as u32 - 4,
            mask,
            taken,
        })
    }

    /// The warp about which was decided in the cycle just simulated. Every branch comes to that once, some cycles after it was resolved.
    pub fn served(&self, simulator: &Simulator) -> Option<Served> {
        let [served, is_branch, continues, low, top, warp, following, ..] = self.wide(simulator)?;
        let decision = match (low | top, continues) {
            (1, _) => Decision::Bypasses,
            (_, 1) => Decision::Passes,
            _ => Decision::Gathers,
        };
        (served & is_branch == 1).then(|| Served { warp: warp as usize, pc: following as u32 - 4, decision })
    }

    /// The side of a branch that was counted in the cycle just simulated.
    pub fn path(&self, simulator: &Simulator) -> Option<CompactedPath> {
        let [.., valid, pc, arrived, compacted, _, _] = self.wide(simulator)?;
        (valid == 1).then_some(CompactedPath { pc: pc as u32, arrived, compacted })
    }

    /// The warp that was formed, from threads that gathered or at launch, in the cycle just simulated.
    pub fn formed(&self, simulator: &Simulator) -> Option<usize> {
        let [.., valid, warp] = self.wide(simulator)?;
        (valid == 1).then_some(warp as usize)
    }

    fn wide(&self, simulator: &Simulator) -> Option<[u64; CTA_WIDE.len()]> {
        let words = simulator.observed_words();
        self.cta_wide.map(|nets| nets.map(|net| net.of(words)))
    }
}

fn resolve(config: &CoreConfig, net: &str) -> String {
    path_in_core(config, &format!("execute.resolve_{net}"))
}

fn wide(config: &CoreConfig, net: &str) -> String {
    path_in_core(config, &format!("divergence.cta_wide[0].{net}"))
}
