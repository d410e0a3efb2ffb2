//! Memory beyond the L1 data cache, as the host models it: an L2 slice in front of DRAM.
//!
//! A request takes effect when it is accepted, so the order of acceptance is the order of memory; the answer comes later. Every
//! request occupies the network to or from L2, one that misses in L2 the DRAM channel too, for as long as its bytes need;
//! the answer follows the transfer by the latency. `docs/reference/memory-model.md` has the defaults and where they come from.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::{MemoryOp, RequestKind};

use super::{GlobalMemory, sparse};
use crate::loader::GLOBAL_BASE;

/// First physical address of the threads' private memory.
pub const PRIVATE_PHYSICAL_BASE: u32 = 0x4000_0000;

/// Latencies and bandwidths; cycles are core cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryTiming {
    /// Size of the L2 slice; 0: every request goes to DRAM.
    pub l2_bytes: usize,
    /// Ways of the L2 slice.
    pub l2_ways: usize,
    /// Cycles until a line that hits in L2 arrives.
    pub l2_latency: u64,
    /// Bytes per cycle from L2, and as many to it.
    pub l2_bandwidth: f64,
    /// Cycles until a line from DRAM arrives.
    pub dram_latency: u64,
    /// Bytes per cycle of DRAM.
    pub dram_bandwidth: f64,
    /// Requests that may wait for DRAM, and lines that may wait for the network to or from L2, before more are refused.
    pub queue: usize,
    /// Stress: delays every answer by a random number of cycles, at random refuses requests, and so answers out of order.
    pub jitter: Option<Jitter>,
}

/// Random disturbance for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jitter {
    /// Seed.
    pub seed: u64,
    /// Longest extra delay of an answer.
    pub delay: u64,
    /// Of 256 cycles, so many refuse a request.
    pub refuse: u8,
}

impl Default for MemoryTiming {
    /// Of the order of the papers' machines, which have their own (see [`machines`](crate::machines)): 1 MB of L2, about 120 cycles and 32 B a
    /// cycle; DRAM about 400 cycles and 2.6 B a cycle.
    fn default() -> Self {
        Self {
            l2_bytes: 1 << 20,
            l2_ways: 64,
            l2_latency: 120,
            l2_bandwidth: 32.0,
            dram_latency: 400,
            dram_bandwidth: 2.6,
            queue: 64,
            jitter: None,
        }
    }
}

impl MemoryTiming {
    /// What it is made of, by the options of `warploom run`, and as these take it.
    pub fn options(&self) -> [(String, String); 7] {
        [
            ("l2-bytes", self.l2_bytes.to_string()),
            ("l2-ways", self.l2_ways.to_string()),
            ("l2-latency", self.l2_latency.to_string()),
            ("l2-bandwidth", self.l2_bandwidth.to_string()),
            ("dram-latency", self.dram_latency.to_string()),
            ("dram-bandwidth", self.dram_bandwidth.to_string()),
            ("dram-queue", self.queue.to_string()),
        ]
        .map(|(option, value)| (option.to_string(), value))
    }
}

/// A request as it stands on the memory port.
#[derive(Clone, Debug)]
pub struct Request {
    /// Read, write, atomic.
    pub kind: RequestKind,
    /// Physical byte address of the line.
    pub line: u32,
    /// Tag of the answer.
    pub id: u64,
    /// Words to write, or the operand of an atomic in its place.
    pub data: Vec<u32>,
    /// Bytes of the line that count.
    pub mask: u128,
    /// Operation of an atomic.
    pub atomic: MemoryOp,
}

/// An answer: tag and line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Answer {
    ready: u64,
    order: u64,
    /// Tag of the request.
    pub id: u64,
    /// The line (before it, for an atomic).
    pub data: Vec<u32>,
}

/// What has come to the memory beyond L1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Requests for lines that L2 did not have.
    pub l2_misses: u64,
    /// Bytes to and from DRAM.
    pub dram_bytes: u64,
}

impl Traffic {
    /// What came after `before` was read.
    pub fn since(self, before: Self) -> Self {
        Self { l2_misses: self.l2_misses - before.l2_misses, dram_bytes: self.dram_bytes - before.dram_bytes }
    }

    /// Adds that of another launch.
    pub fn add(&mut self, other: Self) {
        self.l2_misses += other.l2_misses;
        self.dram_bytes += other.dram_bytes;
    }
}

/// The model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryModel {
    timing: MemoryTiming,
    line_bytes: usize,
    #[serde(with = "sparse")]
    private: Vec<u8>,
    l2: Tags,
    /// From when on the network to L2 is free, and the one back.
    requests_free: f64,
    replies_free: f64,
    dram_free: f64,
    /// When the transfers of accepted requests begin at DRAM.
    waiting: BinaryHeap<Reverse<u64>>,
    answers: BinaryHeap<Reverse<Answer>>,
    accepted: u64,
    traffic: Traffic,
    random: u64,
    #[serde(skip)]
    log: Option<Vec<AtomicAccess>>,
}

/// An atomic, as memory has performed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicAccess {
    /// Physical byte address of the word.
    pub address: u32,
    /// What was done.
    pub operation: MemoryOp,
    /// With what.
    pub operand: u32,
    /// The word before it: what it returned.
    pub old: u32,
}

impl MemoryModel {
    /// Memory for a core.
    pub fn new(config: &CoreConfig, timing: MemoryTiming) -> Self {
        let sets = timing.l2_bytes / config.line_bytes / timing.l2_ways.max(1);
        Self {
            l2: Tags::new(sets, timing.l2_ways),
            random: timing.jitter.map_or(1, |jitter| jitter.seed | 1),
            timing,
            line_bytes: config.line_bytes,
            private: vec![0; config.private_bytes * config.lanes * config.warps],
            requests_free: 0.0,
            replies_free: 0.0,
            dram_free: 0.0,
            waiting: BinaryHeap::new(),
            answers: BinaryHeap::new(),
            accepted: 0,
            traffic: Traffic::default(),
            log: None,
        }
    }

    /// Keeps all atomics from now on, in the order in which they are performed.
    pub fn log_atomics(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Those kept so far.
    pub fn atomics(&self) -> &[AtomicAccess] {
        self.log.as_deref().unwrap_or_default()
    }

    /// What has come so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Whether a request would be accepted in this cycle.
    pub fn ready(&mut self, cycle: u64) -> bool {
        while self.waiting.peek().is_some_and(|Reverse(start)| *start <= cycle) {
            self.waiting.pop();
        }
        let refused = self.timing.jitter.is_some_and(|jitter| (self.next_random() & 0xff) < u64::from(jitter.refuse));
        // One on its way and `queue` behind it, before L2 as before DRAM.
        let free = self.requests_free.max(self.replies_free);
        let lines = (free - cycle as f64) * self.timing.l2_bandwidth / self.line_bytes as f64;
        !refused && self.waiting.len() < self.timing.queue && lines <= self.timing.queue as f64
    }

    /// The answer on the port in this cycle, if any; it stays until [`Self::take`].
    pub fn answer(&self, cycle: u64) -> Option<&Answer> {
        self.answers.peek().map(|Reverse(answer)| answer).filter(|answer| answer.ready <= cycle)
    }

    /// The cycle, from `cycle` on, in which something may change on the port unless a request is accepted before: an [`answer`](Self::answer) is there, or what was [`ready`](Self::ready) is not, or the
    /// other way round. In the cycle before, requests were accepted or not.
    pub fn next_change(&self, accepting: bool, cycle: u64) -> u64 {
        // At random, it may refuse in any cycle.
        if self.timing.jitter.is_some() {
            return cycle;
        }
        let answer = self.answers.peek().map_or(u64::MAX, |Reverse(answer)| answer.ready);
        // From cycle to cycle fewer are waiting, and fewer lines under way.
        let ready = match self.waiting.peek() {
            _ if accepting => u64::MAX,
            Some(Reverse(start)) if self.waiting.len() >= self.timing.queue => *start,
            _ => cycle,
        };
        answer.min(ready)
    }

    /// The answer has been taken.
    pub fn take(&mut self) {
        self.answers.pop();
    }

    /// Forgets the answers not given: the core has been reset.
    pub fn forget(&mut self) {
        self.answers.clear();
    }

    /// Accepts a request: applies it, and schedules the answer.
    ///
    /// The core checks addresses before it sends them, so every line is in global or private memory.
    pub fn accept(&mut self, request: &Request, memory: &mut GlobalMemory, cycle: u64) {
        let ready = self.completion(request, cycle);
        let (private, bytes) = (&mut self.private, self.line_bytes);
        let line: &mut [u8] = if request.line >= GLOBAL_BASE {
            memory.slice_mut(request.line, bytes).expect("the core checks global addresses")
        } else {
            let start = (request.line - PRIVATE_PHYSICAL_BASE) as usize;
            &mut private[start..start + bytes]
        };
        let before: Vec<u32> = line.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        match request.kind {
            RequestKind::Read => {}
            RequestKind::Write => {
                for (position, byte) in line.iter_mut().enumerate().filter(|(i, _)| request.mask >> i & 1 == 1) {
                    *byte = request.data[position / 4].to_le_bytes()[position % 4];
                }
                return;
            }
            RequestKind::Atomic => {
                let word = request.mask.trailing_zeros() as usize / 4;
                if let Some(log) = &mut self.log {
                    let (operand, old) = (request.data[word], before[word]);
                    let address = request.line + 4 * word as u32;
                    log.push(AtomicAccess { address, operation: request.atomic, operand, old });
                }
                if let Some(after) = atomic(request.atomic, before[word], request.data[word]) {
                    line[4 * word..4 * word + 4].copy_from_slice(&after.to_le_bytes());
                }
            }
        }
        self.answers.push(Reverse(Answer { ready, order: self.accepted, id: request.id, data: before }));
    }

    /// When the answer is there.
    fn completion(&mut self, request: &Request, cycle: u64) -> u64 {
        self.accepted += 1;
        let touched = request.mask.count_ones() as usize;
        // What is written goes one way, what is read the other.
        let (bytes, network) = match request.kind {
            RequestKind::Read => (self.line_bytes, &mut self.replies_free),
            RequestKind::Write => (touched, &mut self.requests_free),
            RequestKind::Atomic => (touched, &mut self.replies_free),
        };
        let bytes = bytes as f64;
        let hit = self.l2.access(request.line as usize / self.line_bytes);
        *network = network.max(cycle as f64) + bytes / self.timing.l2_bandwidth;
        let mut ready = *network as u64 + self.timing.l2_latency;
        if !hit {
            self.traffic.l2_misses += 1;
            self.traffic.dram_bytes += bytes as u64;
            let start = self.dram_free.max(cycle as f64);
            self.dram_free = start + bytes / self.timing.dram_bandwidth;
            self.waiting.push(Reverse(start as u64));
            ready = ready.max(self.dram_free as u64 + self.timing.dram_latency);
        }
        if let Some(jitter) = self.timing.jitter {
            ready += self.next_random() % (jitter.delay + 1);
        }
        ready
    }

    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 20
    }
}

/// The new value of a word after an atomic; `None` leaves it.
fn atomic(operation: MemoryOp, old: u32, operand: u32) -> Option<u32> {
    Some(match operation {
        MemoryOp::AtomicSwap => operand,
        MemoryOp::AtomicAdd => old.wrapping_add(operand),
        MemoryOp::AtomicXor => old ^ operand,
        MemoryOp::AtomicAnd => old & operand,
        MemoryOp::AtomicOr => old | operand,
        MemoryOp::AtomicMin => (old as i32).min(operand as i32) as u32,
        MemoryOp::AtomicMax => (old as i32).max(operand as i32) as u32,
        MemoryOp::AtomicMinUnsigned => old.min(operand),
        MemoryOp::AtomicMaxUnsigned => old.max(operand),
        MemoryOp::Load | MemoryOp::Store | MemoryOp::LoadReserved | MemoryOp::StoreConditional | MemoryOp::Fence => {
            return None;
        }
    })
}

/// Tags of the L2 slice: sets of lines, the one used last at the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tags {
    sets: Vec<Vec<usize>>,
    ways: usize,
}

impl Tags {
    fn new(sets: usize, ways: usize) -> Self {
        Self { sets: vec![vec![]; sets], ways }
    }

    /// Uses a line; whether it was there.
    fn access(&mut self, line: usize) -> bool {
        if self.sets.is_empty() {
            return false;
        }
        let index = line % self.sets.len();
        let set = &mut self.sets[index];
        let found = set.iter().position(|&tag| tag == line);
        match found {
            Some(position) => {
                set.remove(position);
            }
            None if set.len() == self.ways => {
                set.remove(0);
            }
            None => {}
        }
        set.push(line);
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(timing: MemoryTiming) -> (MemoryModel, GlobalMemory) {
        (MemoryModel::new(&CoreConfig::tiny(), timing), GlobalMemory::new(4096))
    }

    fn request(kind: RequestKind, line: u32, id: u64) -> Request {
        Request { kind, line, id, data: vec![0; 4], mask: 0xffff, atomic: MemoryOp::Load }
    }

    /// Cycle at which the only outstanding answer is there.
    fn arrival(model: &MemoryModel) -> u64 {
        (0..10_000).find(|&cycle| model.answer(cycle).is_some()).expect("an answer")
    }

    #[test]
    fn first_from_dram_then_from_l2() {
        let (mut model, mut memory) = model(MemoryTiming::default());
        model.accept(&request(RequestKind::Read, GLOBAL_BASE, 1), &mut memory, 0);
        assert_eq!(arrival(&model), 406, "16 bytes at 2.6 a cycle, then 400 cycles");
        model.take();
        model.accept(&request(RequestKind::Read, GLOBAL_BASE, 2), &mut memory, 1000);
        assert_eq!(arrival(&model), 1120);
    }

    #[test]
    fn bandwidth_spaces_answers_and_the_queue_fills() {
        let (mut model, mut memory) = model(MemoryTiming { queue: 2, ..MemoryTiming::default() });
        for i in 0..3 {
            assert!(model.ready(0), "request {i}");
            model.accept(&request(RequestKind::Read, GLOBAL_BASE + 16 * i, u64::from(i)), &mut memory, 0);
        }
        assert!(!model.ready(0), "one on its way, two waiting");
        assert!(model.ready(7), "the next transfer has begun");
        let times: Vec<u64> = (0..3)
            .map(|_| {
                let time = arrival(&model);
                model.take();
                time
            })
            .collect();
        assert_eq!(times, [406, 412, 418]);
    }

    /// As [`MemoryModel::next_change`] says, beside what changes.
    #[test]
    fn nothing_changes_before_it_is_said_to() {
        let (mut model, mut memory) = model(MemoryTiming { queue: 2, ..MemoryTiming::default() });
        let (mut id, mut skipped) = (0, 0);
        // Now and then a burst, so that the queue fills, and drains.
        for cycle in 0..4000 {
            let ready = model.ready(cycle);
            if ready && cycle % 700 < 20 {
                model.accept(&request(RequestKind::Read, GLOBAL_BASE + 16 * id, id.into()), &mut memory, cycle);
                id += 1;
                continue;
            }
            let answers = model.answer(cycle).is_some();
            let mut later = model.clone();
            let until = later.next_change(ready, cycle + 1);
            for next in cycle + 1..until.min(cycle + 500) {
                assert_eq!((later.ready(next), later.answer(next).is_some()), (ready, answers), "{cycle}: in {next}");
                skipped += 1;
            }
            if answers {
                model.take();
            }
        }
        assert!(id > 20 && skipped > 100_000, "{id} requests, {skipped} cycles");
    }

    #[test]
    fn writes_are_masked_and_atomics_answer_with_the_old_line() {
        let (mut model, mut memory) = model(MemoryTiming::default());
        let write = Request { data: vec![0x11223344; 4], mask: 0x00f5, ..request(RequestKind::Write, GLOBAL_BASE, 0) };
        model.accept(&write, &mut memory, 0);
        assert_eq!(memory.words(GLOBAL_BASE, 3), [0x0022_0044, 0x1122_3344, 0]);
        let add = Request {
            data: vec![0, 5, 0, 0],
            mask: 0x00f0,
            atomic: MemoryOp::AtomicAdd,
            ..request(RequestKind::Atomic, GLOBAL_BASE, 7)
        };
        model.accept(&add, &mut memory, 0);
        assert_eq!(memory.words(GLOBAL_BASE, 2)[1], 0x1122_3349);
        let answer = model.answer(5000).expect("an answer");
        assert_eq!((answer.id, answer.data[1]), (7, 0x1122_3344));
    }

    #[test]
    fn jitter_answers_out_of_order() {
        let jitter = Some(Jitter { seed: 3, delay: 500, refuse: 128 });
        let (mut model, mut memory) = model(MemoryTiming { jitter, ..MemoryTiming::default() });
        for i in 0..8 {
            model.accept(&request(RequestKind::Read, GLOBAL_BASE + 16 * i, u64::from(i)), &mut memory, 0);
        }
        let mut order = vec![];
        while let Some(answer) = model.answer(u64::MAX) {
            order.push(answer.id);
            model.take();
        }
        assert_ne!(order, (0..8).collect::<Vec<_>>());
        assert!((0..100).any(|cycle| !model.ready(cycle)) && (0..100).any(|cycle| model.ready(cycle)));
    }
}
