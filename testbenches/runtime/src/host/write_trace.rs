//! What the threads write to memory, seen in the load/store unit: which lanes of its instruction go to memory in a cycle.
use std::collections::VecDeque;

use warploom_hdl::config::{CoreConfig, Permutation};
use warploom_hdl::interface::MemoryOp;
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

use super::trace::logical_lane;
use super::{Ports, observed_bits, path_in_core};

/// A thread writes to memory. A `sc.w` that fails writes nothing, and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// What writes.
    pub op: MemoryOp,
    /// Of the instruction.
    pub pc: u32,
    /// As the thread has it: addresses of shared memory are those of its CTA.
    pub address: u32,
    /// 1, 2 or 4.
    pub bytes: u32,
    /// Of a store what is written, of an atomic operation its operand.
    pub value: u32,
    /// Number of the thread's CTA in the grid, x first.
    pub cta: u64,
    /// Number of the thread in its CTA.
    pub thread: usize,
}

const NETS: [&str; 12] = [
    "memory.load_head",
    "memory.group",
    "memory.reservation.succeeds",
    "memory.queue.head_op",
    "memory.queue.head_size",
    "memory.queue.head_mask",
    "memory.queue.head_pc",
    "execute.memory_valid",
    "execute.memory_slot",
    "dispatcher.launch_start",
    "dispatcher.cta_start_valid",
    "dispatcher.cta_start_slot",
];

/// Reads the nets in an [`Observer`](super::Observer) of the device, after each cycle.
pub struct WriteTrace {
    nets: [Bits; NETS.len()],
    addresses: Vec<Bits>,
    data: Vec<Bits>,
    home_warps: Vec<Bits>,
    /// CTA slots by lane, where warps are of threads of several CTAs; else none.
    slots: Vec<Bits>,
    ports: Ports,
    permutation: Permutation,
    /// The CTA in every slot.
    ctas: Vec<u64>,
    started: u64,
    /// Those of the instructions that wait for the load/store unit, one or by lane: when one is served, its slot may be another's.
    queued: VecDeque<Vec<u64>>,
    /// What each lane is about to write.
    head: Vec<Option<Write>>,
}

fn slots(config: &CoreConfig) -> impl Iterator<Item = String> + '_ {
    (0..config.where_mixed(config.lanes)).map(|lane| path_in_core(config, &format!("execute.memory_slots[{lane}]")))
}

fn of_lanes(config: &CoreConfig, net: &str, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |lane| path_in_core(config, &format!("memory.queue.head_{net}[{lane}]")))
}

impl WriteTrace {
    /// The nets that the simulator of this core must show: [`observe`](warploom_sim::BuildOptions::observe).
    pub fn nets(config: &CoreConfig) -> Vec<String> {
        let lanes = ["address", "data"].into_iter().flat_map(|net| of_lanes(config, net, config.lanes));
        NETS.iter()
            .map(|net| path_in_core(config, net))
            .chain(lanes)
            .chain(of_lanes(config, "home_warps", config.home_warps()))
            .chain(slots(config))
            .collect()
    }

    /// Of a simulator that shows [`nets`](Self::nets).
    ///
    /// # Panics
    /// If it does not.
    pub fn new(simulator: &Simulator, config: &CoreConfig) -> Self {
        let bits = |path: String| observed_bits(simulator, &path);
        Self {
            nets: NETS.map(|net| bits(path_in_core(config, net))),
            addresses: of_lanes(config, "address", config.lanes).map(bits).collect(),
            data: of_lanes(config, "data", config.lanes).map(bits).collect(),
            home_warps: of_lanes(config, "home_warps", config.home_warps()).map(bits).collect(),
            slots: slots(config).map(bits).collect(),
            ports: Ports::new(simulator, config),
            permutation: config.permutation,
            ctas: vec![0; config.cta_slots],
            started: 0,
            queued: VecDeque::new(),
            head: vec![None; config.lanes],
        }
    }

    /// What was written in the cycle just simulated, by lane.
    pub fn push(&mut self, simulator: &Simulator) -> Vec<Write> {
        let words = simulator.observed_words();
        let [load_head, group, succeeds, op, size, mask, pc, enters, slot, launch, starts, start] =
            self.nets.map(|net| net.of(words));
        let is_done = |write: &Write| write.op != MemoryOp::StoreConditional || succeeds == 1;
        let lanes = self.head.iter_mut().enumerate().filter(|(lane, _)| group >> lane & 1 == 1);
        let written = lanes.filter_map(|(_, write)| write.take().filter(is_done)).collect();
        if enters == 1 {
            let by_lane = self.slots.iter().map(|slot| self.ctas[slot.of(words) as usize]).collect();
            let of_all = || vec![self.ctas[slot as usize]];
            self.queued.push_back(if self.slots.is_empty() { of_all() } else { by_lane });
        }
        if launch == 1 {
            self.started = 0;
        }
        if starts == 1 {
            self.ctas[start as usize] = self.started;
            self.started += 1;
        }
        if load_head == 1 {
            let op = MemoryOp::VARIANTS[op as usize];
            let writes = !matches!(op, MemoryOp::Load | MemoryOp::LoadReserved | MemoryOp::Fence);
            let lanes = self.head.len();
            let ctas = self.queued.pop_front().expect("it has entered");
            let permutes = simulator.get(self.ports.kernel_permute) == 1;
            let kind = if permutes { self.permutation } else { Permutation::None };
            let warps = (simulator.get(self.ports.kernel_warps_per_cta) as usize).max(1);
            for lane in 0..lanes {
                let row = self.home_warps[lane % self.home_warps.len()].of(words) as usize % warps;
                self.head[lane] = (writes && mask >> lane & 1 == 1).then(|| Write {
                    op,
                    pc: pc as u32,
                    address: self.addresses[lane].of(words) as u32,
                    bytes: 1 << size,
                    value: self.data[lane].of(words) as u32 & (u32::MAX >> (32 - (8 << size))),
                    cta: ctas[lane % ctas.len()],
                    thread: row * lanes + logical_lane(kind, row, lane, lanes),
                });
            }
        }
        written
    }
}
