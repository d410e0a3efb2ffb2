//! Which instructions issue, by how many lanes, and what each has waited for, seen in the nets of the issue stage cycle by cycle.
//!
//! That an instruction waits is what the hardware says: its hazard bits, and which units refuse. Whose register it has waited for
//! follows from what issued before and when its results were written: of every thread's register it is known which kind of instruction has written it last, and when.
use warploom_hdl::config::{CoreConfig, HazardRule, MemoryPath};
use warploom_runtime::isa::decode;
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

use super::instructions::{Active, PLACES, Wait};
use super::nets::{bits, nets};

nets! { Stage, "core.issue":
    take = "issue_take",
    path = "issue_select",
    paths = "issue_paths",
    word = "selected_word",
    mask = "selected_mask",
    credits = "credits",
}

nets! { Written, "core.execute":
    valid = "writeback_valid",
    rd = "writeback_rd",
    mask = "writeback_mask",
}

/// Of one side; by warp, a bit each.
/// Integers and floats.
const REGISTERS: usize = 64;

const SIDE: [&str; 8] = [
    "core.issue.slot_valid[]",
    "core.issue.slot_memory[]",
    "core.issue.slot_divide[]",
    "core.issue.hold[]",
    "core.issue.hazard_unit.hazard[]",
    "core.issue.candidates[]",
    "core.issue.refused[]",
    "core.divergence.flush[]",
];
/// Whose threads: one row for all lanes, or one for each.
const ISSUED_ROWS: &str = "core.issue.selected_home_warps[]";
const WRITTEN_ROWS: &str = "core.execute.writeback_home_warps[]";

fn element(array: &str, index: usize) -> String {
    array.replace("[]", &format!("[{index}]"))
}

/// The nets that a simulator of this core must show.
pub fn nets(config: &CoreConfig) -> Vec<String> {
    let single = Stage::NAMES.iter().chain(Written::NAMES).map(|name| name.to_string());
    let sides = (0..config.sides()).flat_map(|side| SIDE.map(|net| element(net, side)));
    let rows = (0..config.home_warps()).flat_map(|row| [ISSUED_ROWS, WRITTEN_ROWS].map(|net| element(net, row)));
    single.chain(sides).chain(rows).collect()
}

/// Who wrote a register of a thread last.
#[derive(Clone, Copy)]
struct Writer {
    kind: Wait,
    /// When the register was pending for the last time.
    until: u64,
}

/// The instructions in the slots of one side. Bits by warp.
#[derive(Clone)]
struct Side {
    nets: [Bits; SIDE.len()],
    occupied: u64,
    /// Has waited for this.
    hazard: u64,
    queue: u64,
    divider: u64,
    writeback: u64,
    turn: u64,
    /// By warp: the first cycle of its instruction.
    since: Vec<u64>,
}

/// Counts in a simulator of one core. [`push`](Self::push) after every cycle.
pub struct IssueWatch {
    stage: Stage<Bits>,
    written: Written<Bits>,
    issued_rows: Vec<Bits>,
    written_rows: Vec<Bits>,
    sides: Vec<Side>,
    lanes: usize,
    floats: bool,
    hazards: HazardRule,
    /// A full collector keeps everybody from issuing.
    stalls: bool,
    warp_width: usize,
    /// By {home warp, lane, register}.
    writers: Vec<Writer>,
    cycle: u64,
    counts: Vec<u64>,
}

impl IssueWatch {
    /// Of a simulator built with [`nets`].
    pub fn new(simulator: &Simulator, config: &CoreConfig) -> Self {
        let array = |of: &str, count| (0..count).map(|i| bits(simulator, &element(of, i))).collect();
        let side = |side| Side {
            nets: SIDE.map(|net| bits(simulator, &element(net, side))),
            occupied: 0,
            hazard: 0,
            queue: 0,
            divider: 0,
            writeback: 0,
            turn: 0,
            since: vec![0; config.warps],
        };
        Self {
            stage: Stage::find(simulator),
            written: Written::find(simulator),
            issued_rows: array(ISSUED_ROWS, config.home_warps()),
            written_rows: array(WRITTEN_ROWS, config.home_warps()),
            sides: (0..config.sides()).map(side).collect(),
            lanes: config.lanes,
            floats: config.floats,
            hazards: config.hazards,
            stalls: config.memory_path == MemoryPath::Stalling,
            warp_width: config.warp_width(),
            writers: vec![Writer { kind: Wait::Result, until: 0 }; config.warps * config.lanes * REGISTERS],
            cycle: 0,
            counts: vec![0; PLACES.len() * Active::ALL.len() * Wait::ALL.len()],
        }
    }

    /// How often each point has been hit since this was asked last.
    pub fn take(&mut self) -> Vec<u64> {
        let none = vec![0; self.counts.len()];
        std::mem::replace(&mut self.counts, none)
    }

    /// Adds the cycle just simulated.
    pub fn push(&mut self, simulator: &Simulator) {
        let words = simulator.observed_words();
        self.cycle += 1;
        let written = self.written.read(words);
        if written.valid == 1 {
            for lane in lanes(written.mask) {
                let writer = &mut self.writers[place(&self.written_rows, words, self.lanes, lane, written.rd)];
                // What is written in this cycle was released in the one before.
                writer.until = self.cycle - 1;
            }
        }
        let now = self.stage.read(words);
        let (warp, side) = (now.path as usize & ((1 << self.warp_width) - 1), now.path as usize >> self.warp_width);
        for (number, state) in self.sides.iter_mut().enumerate() {
            let taken = u64::from(now.take == 1 && number == side) << warp;
            state.push(words, self.cycle, taken, self.stalls && now.credits == 0);
        }
        if now.take == 1 {
            self.issue(words, &now, side, warp);
        }
    }

    fn issue(&mut self, words: &[u64], now: &Stage<u64>, side: usize, warp: usize) {
        let instruction = decode(now.word as u32);
        let Some(row) = PLACES.get(instruction.mnemonic()) else { return };
        let state = &self.sides[side];
        let has = |of: u64| of >> warp & 1 == 1;
        let mut waited = [false; Wait::ALL.len()];
        let mut add = |wait: Wait, is: bool| waited[wait as usize] |= is;
        add(Wait::Turn, has(state.turn));
        add(Wait::MemoryQueue, has(state.queue));
        add(Wait::Divider, has(state.divider));
        add(Wait::WritebackSlot, has(state.writeback));
        // With `any` every instruction waits for every register, and that says nothing of it.
        if has(state.hazard) && self.hazards == HazardRule::Own {
            let mut own = false;
            let named = instruction.sources().into_iter().chain([instruction.destination()]).flatten();
            let every = (0..REGISTERS as u8).filter(|_| self.floats && instruction.waits_for_all());
            for register in named.chain(every) {
                for lane in lanes(now.mask) {
                    let at = place(&self.issued_rows, words, self.lanes, lane, register.into());
                    let Writer { kind, until } = self.writers[at];
                    if until >= state.since[warp] {
                        add(kind, true);
                        own = true;
                    }
                }
            }
            add(Wait::OthersRegister, !own);
        }
        if !waited.contains(&true) {
            waited[Wait::Nothing as usize] = true;
        }
        let active = Active::of(now.mask, self.lanes, now.paths) as usize;
        let first = (row * Active::ALL.len() + active) * Wait::ALL.len();
        for (count, waited) in self.counts[first..].iter_mut().zip(waited) {
            *count += u64::from(waited);
        }
        if let Some(register) = instruction.destination() {
            let kind = Wait::for_register_of(&instruction);
            for lane in lanes(now.mask) {
                let at = place(&self.issued_rows, words, self.lanes, lane, register.into());
                self.writers[at].kind = kind;
            }
        }
    }
}

impl Side {
    fn push(&mut self, words: &[u64], cycle: u64, taken: u64, is_stalled: bool) {
        let [valid, memory, divide, hold, hazard, candidates, refused, flush] = self.nets.map(|net| net.of(words));
        let fresh = valid & !self.occupied;
        for warp in lanes(fresh) {
            self.since[warp] = cycle;
        }
        for waited in [&mut self.hazard, &mut self.queue, &mut self.divider, &mut self.writeback, &mut self.turn] {
            *waited &= !fresh;
        }
        let refused = candidates & refused;
        self.hazard |= valid & hazard;
        self.queue |= refused & memory;
        if is_stalled {
            // There is no issue slot for what needs no memory.
            self.turn |= refused & !memory;
        } else {
            self.divider |= refused & divide;
            self.writeback |= refused & !memory & !divide;
        }
        self.turn |= valid & !hazard & !hold & !refused & !taken;
        self.occupied = valid & !taken & !flush;
    }
}

fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| mask >> lane & 1 == 1)
}

fn place(rows: &[Bits], words: &[u64], lanes: usize, lane: usize, register: u64) -> usize {
    let row = rows[lane % rows.len()].of(words) as usize;
    (row * lanes + lane) * REGISTERS + register as usize
}
