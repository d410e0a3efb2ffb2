//! The whole load/store unit against a sequential byte-array model, under random back-pressure, latency and response order.
use std::collections::{BTreeSet, HashMap};

use super::LoadStoreUnit;
use crate::config::Mechanism;
use crate::interface::MemoryOp::{self, *};
use crate::interface::RequestKind;
use crate::prelude::*;

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Bytes by physical address; what was never written depends on the address (0 in shared memory).
#[derive(Clone, Default)]
struct Bytes(HashMap<u32, u8>);

impl Bytes {
    fn get(&self, address: u32) -> u8 {
        let initial = if address < 0x4000_0000 { 0 } else { (address.wrapping_mul(0x9e37_79b1) >> 24) as u8 };
        self.0.get(&address).copied().unwrap_or(initial)
    }
    fn load(&self, address: u32, bytes: u32) -> u32 {
        (0..bytes).fold(0, |value, b| value | (self.get(address + b) as u32) << (8 * b))
    }
    fn store(&mut self, address: u32, bytes: u32, value: u32) {
        (0..bytes).for_each(|b| {
            self.0.insert(address + b, (value >> (8 * b)) as u8);
        });
    }
}

fn atomic(op: MemoryOp, old: u32, operand: u32) -> u32 {
    match op {
        AtomicSwap => operand,
        AtomicAdd => old.wrapping_add(operand),
        AtomicXor => old ^ operand,
        AtomicAnd => old & operand,
        AtomicOr => old | operand,
        AtomicMin => (old as i32).min(operand as i32) as u32,
        AtomicMax => (old as i32).max(operand as i32) as u32,
        AtomicMinUnsigned => old.min(operand),
        AtomicMaxUnsigned => old.max(operand),
        _ => old,
    }
}

const ATOMICS: [MemoryOp; 9] =
    [AtomicSwap, AtomicAdd, AtomicXor, AtomicAnd, AtomicOr, AtomicMin, AtomicMax, AtomicMinUnsigned, AtomicMaxUnsigned];

#[derive(Clone, Debug)]
struct Instruction {
    op: MemoryOp,
    warp: usize,
    /// Row of the thread in each lane.
    home_warps: Vec<usize>,
    rd: usize,
    size: usize,
    unsigned: bool,
    mask: u64,
    address: Vec<u32>,
    data: Vec<u32>,
}

const SHARED_BYTES: u32 = 512;
const SHARED_BASE: u32 = 1024;
const GLOBAL_LIMIT: u32 = 4096;

/// One instruction after another, one lane after another.
struct Reference {
    config: CoreConfig,
    memory: Bytes,
    /// Physical word and thread.
    reservation: Option<(u32, usize)>,
    successes: usize,
    /// A thread has ended since the last instruction.
    ended: bool,
    /// Another thread has asked for the reservation since its thread got it.
    refused: bool,
    /// An LR takes the reservation, of whom claims it if anybody does.
    offered: bool,
    claimed: Option<usize>,
    /// By CTA slot, which has as many warps as any other.
    fresh: Vec<bool>,
}

impl Reference {
    fn physical(&self, address: u32, thread: usize) -> u32 {
        let threads = (self.config.lanes * self.config.warps) as u32;
        match address >> 28 {
            2 => self.shared_base(thread / self.config.lanes) + (address & 0xfff_ffff),
            3 => {
                let offset = address & 0xfff_ffff;
                0x4000_0000 + (offset / 4) * 4 * threads + 4 * thread as u32 + offset % 4
            }
            _ => address,
        }
    }

    fn slot(&self, warp: usize) -> usize {
        warp * self.config.cta_slots / self.config.warps
    }

    /// Where shared memory begins for the threads of a home warp.
    fn shared_base(&self, home_warp: usize) -> u32 {
        if self.config.mixes_ctas() { SHARED_BYTES * self.slot(home_warp) as u32 } else { SHARED_BASE }
    }

    /// CTA slots of the threads of an instruction.
    fn slots(&self, instruction: &Instruction) -> BTreeSet<usize> {
        let active = (0..self.config.lanes).filter(|lane| instruction.mask >> lane & 1 == 1);
        match self.config.mixes_ctas() {
            true => active.map(|lane| self.slot(instruction.home_warps[lane])).collect(),
            false => BTreeSet::from([self.slot(instruction.warp)]),
        }
    }

    /// The instruction enters the queue, and has its place in the order of memory.
    fn enter(&mut self, instruction: &Instruction) {
        for slot in self.slots(instruction) {
            if std::mem::take(&mut self.fresh[slot]) {
                let lanes = self.config.lanes;
                self.reservation = self.reservation.filter(|(_, thread)| self.slot(thread / lanes) != slot);
            }
        }
        if std::mem::take(&mut self.ended) {
            (self.offered, self.claimed) = (true, None);
        }
    }

    fn perform(&mut self, instruction: &Instruction) -> Vec<u32> {
        let bytes = 1 << instruction.size;
        (0..self.config.lanes)
            .map(|lane| {
                if instruction.mask >> lane & 1 == 0 {
                    return 0;
                }
                let thread = instruction.home_warps[lane] * self.config.lanes + lane;
                let address = self.physical(instruction.address[lane], thread);
                let data = instruction.data[lane];
                let old = self.memory.load(address, bytes);
                match instruction.op {
                    Load if instruction.unsigned => return old,
                    Load => {
                        let unused = 32 - 8 * bytes;
                        return ((old << unused) as i32 >> unused) as u32;
                    }
                    LoadReserved => {
                        self.load_reserved(address, thread);
                        return old;
                    }
                    StoreConditional => {
                        let succeeds = self.reservation == Some((address, thread));
                        match self.reservation {
                            Some((_, owner)) if owner == thread => self.reservation = None,
                            Some(_) => self.claimed = self.claimed.or(Some(thread)),
                            None => {}
                        }
                        if succeeds {
                            self.memory.store(address, 4, data);
                            self.successes += 1;
                        }
                        return !succeeds as u32;
                    }
                    Store => self.memory.store(address, bytes, data),
                    op => self.memory.store(address, 4, atomic(op, old, data)),
                }
                if self.reservation.is_some_and(|(word, owner)| word == address & !3 && owner != thread) {
                    self.reservation = None;
                }
                old
            })
            .collect()
    }

    fn load_reserved(&mut self, address: u32, thread: usize) {
        let is_others = self.reservation.is_some_and(|(_, owner)| owner != thread);
        let yields = self.offered && self.claimed.is_none_or(|claimant| claimant == thread);
        if is_others && !yields {
            self.refused = true;
            return;
        }
        let is_own = self.reservation.is_some_and(|(_, owner)| owner == thread);
        self.reservation = Some((address, thread));
        self.offered = is_own && self.refused;
        if !self.offered {
            self.refused = false;
            self.claimed = self.claimed.filter(|&claimant| !is_others && claimant != thread);
        }
    }

    fn generate(&self, random: &mut Random, warp: usize, rd: usize) -> Instruction {
        let lanes = self.config.lanes;
        let op = match random.below(100) {
            0..50 => Load,
            50..80 => Store,
            80..88 => random.pick(&ATOMICS),
            88..92 => LoadReserved,
            92..98 => StoreConditional,
            _ => Fence,
        };
        let size = if matches!(op, Load | Store) { random.below(3) as usize } else { 2 };
        let place = |random: &mut Random| match random.below(8) {
            0..2 => 0x8000_0000,
            2..4 => 0x8000_0000 + random.below(GLOBAL_LIMIT as u64 / 64) as u32 * 64,
            4..6 => 0x2000_0000 + random.below(SHARED_BYTES as u64 / 64) as u32 * 64,
            _ => 0x3000_0000 + random.below(4) as u32 * 64,
        };
        let scattered = random.chance(30);
        let (base, stride) = (place(random), random.pick(&[0, 1, 1, 2, 4]));
        let mut address: Vec<u32> = (0..lanes as u32)
            .map(|lane| {
                let address = if scattered {
                    place(random) + random.below(64) as u32
                } else {
                    base + ((lane * stride) << size) % 64
                };
                address & !((1 << size) - 1)
            })
            .collect();
        let mut mask = random.below(1 << lanes).max(1);
        let mut warp = warp;
        let owned = self.reservation.filter(|_| op == StoreConditional && random.chance(70));
        if let Some((_, thread)) = owned {
            warp = thread / lanes;
        }
        // Under compaction any of the same CTA, unless warps are of several.
        let goes_with = |&other: &usize| self.config.mixes_ctas() || self.slot(other) == self.slot(warp);
        let of_cta: Vec<usize> = (0..self.config.warps).filter(goes_with).collect();
        let mut home_warps: Vec<usize> =
            if self.config.compacts() { (0..lanes).map(|_| random.pick(&of_cta)).collect() } else { Vec::new() };
        if let Some((word, thread)) = owned {
            if let Some(home_warp) = home_warps.get_mut(thread % lanes) {
                *home_warp = thread / lanes;
            }
            mask = if random.chance(50) { mask | 1 << (thread % lanes) } else { 1 << (thread % lanes) };
            address[thread % lanes] = match word {
                0..0x4000_0000 => word - self.shared_base(thread / lanes) + 0x2000_0000,
                0x8000_0000.. => word,
                _ => 0x3000_0000 + (word - 0x4000_0000) / (4 * (lanes * self.config.warps) as u32) * 4,
            };
        }
        home_warps.resize(lanes, warp);
        Instruction {
            op,
            warp,
            home_warps,
            rd,
            size,
            unsigned: random.chance(50),
            mask,
            address,
            data: (0..lanes).map(|_| random.below(1 << 32) as u32).collect(),
        }
    }
}

/// Beyond the memory port: requests are performed when accepted, answered in any order.
#[derive(Default)]
struct Beyond {
    memory: Bytes,
    /// Cycle from which on, id, line.
    answers: Vec<(usize, usize, Vec<u32>)>,
    answering: Option<usize>,
}

impl Beyond {
    fn accept(&mut self, unit: &LoadStoreUnit, ready_at: usize) {
        let line = unit.request.line.val().value() as u32;
        assert_eq!(line as usize % (4 * unit.request.data.len()), 0);
        let words: Vec<u32> = (0..unit.request.data.len() as u32).map(|j| self.memory.load(line + 4 * j, 4)).collect();
        let id = unit.request.id.val().index();
        for (j, data) in unit.request.data.iter().enumerate() {
            let (data, mask) = (data.val().value() as u32, unit.request.mask[j].val());
            let address = line + 4 * j as u32;
            match unit.request.kind.val() {
                RequestKind::Read => {}
                RequestKind::Write => (0..4)
                    .filter(|b| mask.get_bit(*b))
                    .for_each(|b| self.memory.store(address + b as u32, 1, data >> (8 * b))),
                RequestKind::Atomic => {
                    if mask.any() {
                        assert!(mask.all(), "one word");
                        self.memory.store(address, 4, atomic(unit.request.atomic.val(), words[j], data));
                    }
                }
            }
        }
        if unit.request.kind.val() != RequestKind::Write {
            assert!(self.answers.iter().all(|answer| answer.1 != id), "id {id} in use");
            self.answers.push((ready_at, id, words));
        }
    }
}

/// The results of an instruction that has not had them yet.
#[derive(Debug)]
struct Owed {
    lanes: usize,
    values: Vec<u32>,
    home_warps: Vec<usize>,
}

/// Percentages and limits of one run.
struct Weather {
    issue: u64,
    request_ready: u64,
    load_ready: u64,
    latency: u64,
    instructions: usize,
}

fn run(config: CoreConfig, seed: u64, weather: Weather) {
    let mut random = Random(seed);
    let mut reference = Reference {
        config: config.clone(),
        memory: Bytes::default(),
        reservation: None,
        successes: 0,
        ended: false,
        refused: false,
        offered: false,
        claimed: None,
        fresh: vec![false; config.cta_slots],
    };
    let mut beyond = Beyond::default();
    let mut unit = LoadStoreUnit::new(&config);
    unit.connect_all();
    simulate(&mut unit, 1000);
    unit.kernel.shared_bytes.next = (SHARED_BYTES as usize).into();
    unit.kernel.global_limit.next = (GLOBAL_LIMIT as usize).into();
    for (slot, port) in unit.shared_bases.iter_mut().enumerate() {
        port.next = (SHARED_BYTES as usize * slot).into();
    }

    let (mut credits, mut issued, mut cycle, mut quiet) = (config.memory_queue, 0, 0, 0);
    let (mut accesses, mut misses, mut conflicts) = (0, 0, 0);
    // By warp and rd.
    let mut expected: HashMap<(usize, usize), Owed> = HashMap::new();
    while issued < weather.instructions || quiet < 20 {
        cycle += 1;
        assert!(cycle < 200 * weather.instructions, "no progress: {expected:?}");

        unit.memory.valid.next = false;
        let mut enters = BTreeSet::new();
        if issued < weather.instructions && credits > 0 && random.chance(weather.issue) {
            let (warp, rd) = (random.below(config.warps as u64) as usize, random.below(8) as usize);
            let instruction = reference.generate(&mut random, warp, rd);
            let key = (instruction.warp, instruction.rd);
            let owed = expected.contains_key(&key);
            if !owed {
                reference.enter(&instruction);
                if instruction.op != Fence {
                    let results = reference.perform(&instruction);
                    if instruction.op != Store {
                        let Instruction { mask: lanes, home_warps, .. } = instruction.clone();
                        expected.insert(key, Owed { lanes: lanes as usize, values: results, home_warps });
                    }
                }
                issued += 1;
                credits -= 1;
                unit.memory.valid.next = true;
                unit.memory.warp.next = instruction.warp.into();
                for (port, home_warp) in unit.memory.home_warps.iter_mut().zip(&instruction.home_warps) {
                    port.next = (*home_warp).into();
                }
                unit.memory.op.next = instruction.op;
                unit.memory.size.next = instruction.size.into();
                unit.memory.unsigned.next = instruction.unsigned;
                unit.memory.rd.next = instruction.rd.into();
                enters = reference.slots(&instruction);
                unit.memory.slot.next = reference.slot(instruction.warp).into();
                for (port, home_warp) in unit.memory.slots.iter_mut().zip(&instruction.home_warps) {
                    port.next = reference.slot(*home_warp).into();
                }
                unit.memory.mask.next = (instruction.mask as usize).into();
                unit.memory.shared_base.next = (SHARED_BASE as usize).into();
                for lane in 0..config.lanes {
                    unit.memory.address[lane].next = (instruction.address[lane] as usize).into();
                    unit.memory.data[lane].next = (instruction.data[lane] as usize).into();
                }
            }
        }
        // Exits are instructions, too; a CTA starts when nothing of the one before it comes any more.
        reference.ended |= enters.is_empty() && random.chance(3);
        unit.thread_ended.next = reference.ended;
        let slot = random.below(config.cta_slots as u64) as usize;
        unit.cta_start.valid.next = !enters.contains(&slot) && random.chance(1);
        unit.cta_start.slot.next = slot.into();
        reference.fresh[slot] |= unit.cta_start.valid.next;

        unit.request_ready.next = random.chance(weather.request_ready);
        unit.load_ready.next = random.chance(weather.load_ready);
        if beyond.answering.is_none() {
            let due: Vec<usize> = (0..beyond.answers.len()).filter(|&a| beyond.answers[a].0 <= cycle).collect();
            beyond.answering = (!due.is_empty()).then(|| random.pick(&due));
        }
        unit.response.valid.next = beyond.answering.is_some();
        if let Some((_, id, words)) = beyond.answering.map(|a| &beyond.answers[a]) {
            unit.response.id.next = (*id).into();
            for (net, word) in unit.response.data.iter_mut().zip(words) {
                net.next = (*word as usize).into();
            }
        }
        simulate(&mut unit, 1000);

        assert!(!unit.memory_trap.valid.val());
        if unit.load.valid.val() && unit.load_ready.val() {
            let key = (unit.load.destination.warp.val().index(), unit.load.destination.rd.val().index());
            let Owed { lanes, values, home_warps } =
                expected.remove(&key).unwrap_or_else(|| panic!("{key:?} owes nothing"));
            assert_eq!(unit.load.destination.mask.val(), lanes, "cycle {cycle} {key:?}");
            assert!(
                unit.load
                    .destination
                    .home_warps
                    .iter()
                    .zip(home_warps)
                    .all(|(port, home_warp)| port.val() == home_warp),
                "cycle {cycle} {key:?}"
            );
            for lane in (0..config.lanes).filter(|lane| lanes >> lane & 1 == 1) {
                assert_eq!(
                    unit.load.data[lane].val().value(),
                    values[lane] as u64,
                    "cycle {cycle} {key:?} lane {lane}"
                );
            }
        }
        credits += unit.memory_credit_return.val() as usize;
        accesses += unit.l1_access.val().index();
        misses += unit.l1_miss.val().index();
        conflicts += unit.shared_conflict.val() as usize;
        quiet = if unit.idle.val() { quiet + 1 } else { 0 };
        if unit.response.valid.val() && unit.response_ready.val() {
            beyond.answers.swap_remove(beyond.answering.take().unwrap());
        }
        if unit.request.valid.val() && unit.request_ready.val() {
            beyond.accept(&unit, cycle + 1 + random.below(weather.latency) as usize);
        }
        tick!(unit);
    }
    assert!(expected.is_empty(), "{expected:?}");
    assert!(beyond.answers.is_empty());
    assert_eq!(credits, config.memory_queue);
    for (&address, &byte) in reference.memory.0.iter().filter(|(address, _)| **address >= 0x4000_0000) {
        assert_eq!(beyond.memory.get(address), byte, "{address:#x}");
    }
    assert!(misses > 0 && accesses > misses && conflicts > 0 && reference.successes > 0);
}

#[test]
fn fair_weather() {
    run(
        CoreConfig::tiny(),
        1,
        Weather { issue: 100, request_ready: 100, load_ready: 100, latency: 10, instructions: 2000 },
    );
}

#[test]
fn storm() {
    run(
        CoreConfig::tiny(),
        2,
        Weather { issue: 80, request_ready: 40, load_ready: 60, latency: 60, instructions: 1000 },
    );
}

#[test]
fn few_resources() {
    let config = CoreConfig { mshrs: 2, memory_queue: 2, l1_sets: 2, ..CoreConfig::tiny() };
    run(config, 3, Weather { issue: 100, request_ready: 70, load_ready: 80, latency: 30, instructions: 1000 });
}

#[test]
fn two_ports() {
    let config = CoreConfig { l1_ports: 2, mshrs: 6, ..CoreConfig::tiny() };
    run(
        config.clone(),
        6,
        Weather { issue: 100, request_ready: 100, load_ready: 100, latency: 10, instructions: 1000 },
    );
    run(config, 7, Weather { issue: 80, request_ready: 40, load_ready: 60, latency: 60, instructions: 500 });
    let few = CoreConfig { l1_ports: 2, mshrs: 4, memory_queue: 1, l1_sets: 4, ..CoreConfig::tiny() };
    run(few, 8, Weather { issue: 100, request_ready: 70, load_ready: 80, latency: 30, instructions: 500 });
    let compacting = CoreConfig { l1_ports: 2, mechanism: Mechanism::Tbc, ..CoreConfig::small() };
    run(compacting, 9, Weather { issue: 90, request_ready: 80, load_ready: 80, latency: 30, instructions: 250 });
}

#[test]
fn slow_memories() {
    for (l1_ports, memory_interval) in [(1, 2), (2, 3)] {
        let config = CoreConfig { l1_ports, memory_interval, ..CoreConfig::tiny() };
        run(config, 10, Weather { issue: 90, request_ready: 80, load_ready: 80, latency: 30, instructions: 1000 });
    }
}

/// Groups share MSHRs, in one bank and in two; and there are more that wait than a mask has bits.
#[test]
fn groups_that_share_mshrs() {
    for (l1_ports, mshrs, mshr_merges) in [(1, 2, 4), (2, 4, 2), (1, 16, 8)] {
        let config = CoreConfig { l1_ports, mshrs, mshr_merges, l1_sets: 4, ..CoreConfig::tiny() };
        run(config, 16, Weather { issue: 100, request_ready: 80, load_ready: 80, latency: 60, instructions: 700 });
    }
}

/// More MSHRs, and more loads under way, than a mask has bits.
#[test]
fn many_mshrs() {
    let config = CoreConfig { mshrs: 67, memory_queue: 2, ..CoreConfig::tiny() };
    run(config, 11, Weather { issue: 100, request_ready: 100, load_ready: 90, latency: 300, instructions: 300 });
}

/// What takes seconds for a hundred instructions.
#[test]
#[ignore = "long: wide lines and two ports of 32 lanes; runs in .ci/run"]
fn wide_lines_and_ports() {
    for l1_ports in [1, 2] {
        let config = CoreConfig { lanes: 32, warps: 8, line_bytes: 128, l1_sets: 4, l1_ports, ..CoreConfig::tiny() };
        run(config, 14, Weather { issue: 100, request_ready: 90, load_ready: 90, latency: 40, instructions: 150 });
    }
    let config = CoreConfig { l1_ports: 2, mshrs: 6, ..CoreConfig::tiny() };
    run(config, 15, Weather { issue: 100, request_ready: 100, load_ready: 100, latency: 10, instructions: 4000 });
}

#[test]
fn lines_of_128_bytes_by_two_ports() {
    let config = CoreConfig { line_bytes: 128, l1_sets: 4, l1_ports: 2, ..CoreConfig::tiny() };
    run(config, 13, Weather { issue: 100, request_ready: 90, load_ready: 90, latency: 40, instructions: 700 });
}

#[test]
fn eight_lanes() {
    run(
        CoreConfig { l1_sets: 4, ..CoreConfig::small() },
        4,
        Weather { issue: 100, request_ready: 90, load_ready: 90, latency: 40, instructions: 500 },
    );
}

#[test]
fn threads_of_several_home_warps() {
    let config = CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
    run(config, 5, Weather { issue: 90, request_ready: 80, load_ready: 80, latency: 30, instructions: 1000 });
}

#[test]
fn threads_of_several_ctas() {
    let config = CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() };
    run(config, 16, Weather { issue: 90, request_ready: 80, load_ready: 80, latency: 30, instructions: 1000 });
}
