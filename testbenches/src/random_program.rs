//! Random divergent programs, for comparing the core with the reference model.
//!
//! Structured control flow over a few data registers: nested `if`/`else`, loops whose trips differ from thread to thread or do not, with
//! `break` (also out of the loop around) and `continue`, calls, early exits, barriers at top level, on both sides of a divergent branch and on every way out of a loop. Every kind of arithmetic; loads and stores
//! of every size in a region of each thread's own; divergent loads from a shared table; atomics on counters (one operation a
//! counter, result unused, so their order does not matter) and on the thread's own words; exchange through shared memory between barriers.
//! Whatever the schedule, every thread computes the same.
use crate::kernels::Random;
use crate::loader::{LoadError, Program};

/// Bytes of global memory that each thread owns.
pub const REGION: u32 = 128;
/// Words of the read-only table.
pub const TABLE: usize = 64;
/// Shared counters.
pub const COUNTERS: usize = 8;

/// Registers: the return address, data, then what the prologue sets up, then loop counters by depth.
const LINK: u32 = 1;
const DATA: std::ops::RangeInclusive<u32> = 2..=13;
const REGION_BASE: u32 = 16;
const THREAD: u32 = 17;
const LOOP: u32 = 18;
const TEMPORARY: u32 = 24;
const COUNTER_BASE: u32 = 25;
const TABLE_BASE: u32 = 26;
const ARGUMENTS: u32 = 27;
const NEIGHBOUR: u32 = 28;
const OWN_SHARED: u32 = 29;

const DEEPEST: u32 = 4;
/// Where the body of a function begins: whoever calls it is not deeper, so that their loops have counters of their own.
const FUNCTION_DEPTH: u32 = 2;

/// A program for launches of `block` threads per CTA. Its arguments are the addresses of the regions, the counters and the table; each CTA
/// needs `4 x block` bytes of shared memory.
pub fn generate(seed: u64, block: u32) -> Result<Program, LoadError> {
    let mut generator = Generator { random: Random::new(seed), words: vec![], budget: 60, calls: Some(vec![]) };
    generator.prologue(block);
    if seed.is_multiple_of(3) {
        generator.ways_out();
    }
    generator.body(0, None);
    if seed % 3 == 1 {
        generator.last_loop();
    }
    generator.end();
    generator.functions();
    Program::from_words(&format!("random program {seed}"), generator.words)
}

const BARRIER: u32 = 0x0000_000b;
const EXIT: u32 = 0x0000_100b;

/// Where a branch out of a loop's body leads.
#[derive(Clone, Copy)]
enum Escape {
    /// To the next trip.
    Continue,
    /// Behind the loop.
    Break,
    /// Behind the loop around it, if there is one.
    BreakOuter,
}

/// Branches out of the innermost loop, to be aimed once its end is known.
/// Outside loops there are none: a thread that jumps over a barrier would wait at the reconvergence point for those at the barrier.
type Escapes<'a> = Option<&'a mut Vec<(usize, Escape)>>;

struct Generator {
    random: Random,
    words: Vec<u32>,
    /// Statements left to spend, so that programs stay short.
    budget: u32,
    /// Calls whose target is still open; functions call no others.
    calls: Option<Vec<usize>>,
}

impl Generator {
    fn below(&mut self, n: u32) -> u32 {
        self.random.below(n)
    }

    fn register(&mut self) -> u32 {
        DATA.start() + self.below(DATA.end() - DATA.start() + 1)
    }

    fn emit(&mut self, word: u32) {
        self.words.push(word);
    }

    fn r_type(&mut self, opcode: u32, funct3: u32, funct7: u32, rd: u32, rs1: u32, rs2: u32) {
        self.emit(funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode);
    }

    fn i_type(&mut self, opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: u32) {
        self.emit((immediate & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode);
    }

    fn add_immediate(&mut self, rd: u32, rs1: u32, immediate: u32) {
        self.i_type(0x13, 0, rd, rs1, immediate);
    }

    fn shift_left(&mut self, rd: u32, rs1: u32, by: u32) {
        self.i_type(0x13, 1, rd, rs1, by);
    }

    fn add(&mut self, rd: u32, rs1: u32, rs2: u32) {
        self.r_type(0x33, 0, 0, rd, rs1, rs2);
    }

    fn csr(&mut self, rd: u32, number: u32) {
        self.i_type(0x73, 2, rd, 0, number);
    }

    fn store(&mut self, size: u32, source: u32, offset: u32) {
        let (high, low) = (offset >> 5, offset & 31);
        self.r_type(0x23, size, high, low, REGION_BASE, source);
    }

    /// A conditional branch whose target is still open; `aim` closes it.
    fn branch(&mut self) -> usize {
        let condition = [0, 1, 4, 5, 6, 7][self.below(6) as usize];
        let rs1 = self.register();
        let rs2 = if self.below(3) == 0 { 0 } else { self.register() };
        self.branch_on(condition, rs1, rs2)
    }

    fn branch_on(&mut self, condition: u32, rs1: u32, rs2: u32) -> usize {
        self.emit(rs2 << 20 | rs1 << 15 | condition << 12 | 0x63);
        self.words.len() - 1
    }

    fn jump(&mut self) -> usize {
        self.emit(0x6f);
        self.words.len() - 1
    }

    /// Points the branch or jump at `position` to word `target`.
    fn aim(&mut self, position: usize, target: usize) {
        let offset = (4 * (target as i32 - position as i32)) as u32;
        let bits = |from: u32, count: u32| offset >> from & ((1 << count) - 1);
        self.words[position] |= if self.words[position] & 0x7f == 0x6f {
            bits(20, 1) << 31 | bits(1, 10) << 21 | bits(11, 1) << 20 | bits(12, 8) << 12
        } else {
            bits(12, 1) << 31 | bits(5, 6) << 25 | bits(1, 4) << 8 | bits(11, 1) << 7
        };
    }

    fn prologue(&mut self, block: u32) {
        self.csr(THREAD, 0xcc0);
        self.csr(TEMPORARY, 0xcc3);
        self.csr(NEIGHBOUR, 0xcc6);
        // Own word of shared memory, and the next thread's.
        self.shift_left(OWN_SHARED, THREAD, 2);
        self.emit(0x2000_0000 | ARGUMENTS << 7 | 0x37);
        self.add(OWN_SHARED, OWN_SHARED, ARGUMENTS);
        self.r_type(0x33, 0, 1, TEMPORARY, TEMPORARY, NEIGHBOUR);
        self.add_immediate(NEIGHBOUR, THREAD, 1);
        self.add_immediate(LOOP, 0, block);
        self.r_type(0x33, 7, 1, NEIGHBOUR, NEIGHBOUR, LOOP);
        self.shift_left(NEIGHBOUR, NEIGHBOUR, 2);
        self.add(NEIGHBOUR, NEIGHBOUR, ARGUMENTS);
        self.add(THREAD, THREAD, TEMPORARY);
        self.csr(ARGUMENTS, 0xccf);
        for (index, register) in [REGION_BASE, COUNTER_BASE, TABLE_BASE].into_iter().enumerate() {
            self.i_type(0x03, 2, register, ARGUMENTS, 4 * index as u32);
        }
        self.shift_left(TEMPORARY, THREAD, REGION.ilog2());
        self.add(REGION_BASE, REGION_BASE, TEMPORARY);
        for register in DATA {
            let upper = self.below(1 << 20);
            self.emit(upper << 12 | register << 7 | 0x37);
            match self.below(3) {
                0 => self.r_type(0x33, 0, 1, register, register, THREAD),
                1 => self.add_immediate(register, THREAD, register),
                _ => self.r_type(0x33, 4, 0, register, register, THREAD),
            }
        }
        self.r_type(0x23, 2, 0, 0, OWN_SHARED, THREAD);
    }

    /// Some statements; `escapes` collects the ways out of the innermost loop.
    fn body(&mut self, depth: u32, mut escapes: Escapes) {
        let statements = 2 + self.below(if depth == 0 { 10 } else { 4 });
        for _ in 0..statements {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth, escapes.as_deref_mut());
        }
    }

    fn statement(&mut self, depth: u32, escapes: Escapes) {
        match (self.below(26), escapes) {
            (0..=5, _) => self.arithmetic(),
            (6 | 7, _) => self.own_access(),
            (8, _) => self.table_load(),
            (9, _) => self.atomic(),
            (10..=13, escapes) if depth < DEEPEST => self.if_else(depth, escapes),
            (14 | 15, escapes) if depth < DEEPEST => self.repeat(depth, escapes),
            (16 | 20..=23, Some(escapes)) => self.escape(escapes),
            (17, _) if self.below(3) == 0 => self.leave(),
            (18, _) if depth == 0 => self.exchange(),
            (19 | 20, _) if depth == 0 => self.divergent_barrier(),
            (21 | 22, _) if depth == 0 => self.barrier_out_of_loop(),
            (23, _) if depth == 0 => self.ways_out(),
            (24, _) => {
                let levels = 1 + self.below(3);
                self.spread(levels);
            }
            (19, _) if depth <= FUNCTION_DEPTH => self.call(),
            _ => self.arithmetic(),
        }
    }

    fn arithmetic(&mut self) {
        let (rd, rs1, rs2) = (self.register(), self.register(), self.register());
        let funct3 = self.below(8);
        match self.below(5) {
            0 => {
                let immediate = self.below(4096);
                let shift = [0, 0x400][self.below(2) as usize] | (immediate & 31);
                let immediate = match funct3 {
                    1 => immediate & 31,
                    5 => shift,
                    _ => immediate,
                };
                self.i_type(0x13, funct3, rd, rs1, immediate);
            }
            1 => self.r_type(0x33, funct3, 1, rd, rs1, rs2),
            2 if self.below(2) == 0 => self.shared_value(rd),
            2 => {
                let immediate = self.below(1 << 20);
                self.emit(immediate << 12 | rd << 7 | if funct3 < 4 { 0x37 } else { 0x17 });
            }
            _ => {
                let alternative = if matches!(funct3, 0 | 5) { 0x20 * self.below(2) } else { 0 };
                self.r_type(0x33, funct3, alternative, rd, rs1, rs2);
            }
        }
    }

    /// What all threads of a CTA agree on.
    fn shared_value(&mut self, rd: u32) {
        match self.below(5) {
            0 => self.csr(rd, 0xcc3),
            1 => self.csr(rd, 0xcc6),
            2 => self.csr(rd, 0xcc9),
            3 => self.i_type(0x03, 2, rd, ARGUMENTS, 4),
            _ => {
                let value = self.below(4);
                self.add_immediate(rd, 0, value);
            }
        }
    }

    /// A load or store of any size in the thread's own region.
    fn own_access(&mut self) {
        let size = self.below(3);
        let offset = self.below(REGION >> size) << size;
        let register = self.register();
        if self.below(2) == 0 {
            self.store(size, register, offset);
        } else {
            let unsigned = if size < 2 { 4 * self.below(2) } else { 0 };
            self.i_type(0x03, size | unsigned, register, REGION_BASE, offset);
        }
    }

    /// TEMPORARY = base + 4 x (register mod `words`).
    fn address(&mut self, base: u32, words: u32) {
        let register = self.register();
        self.i_type(0x13, 7, TEMPORARY, register, words - 1);
        self.shift_left(TEMPORARY, TEMPORARY, 2);
        self.add(TEMPORARY, TEMPORARY, base);
    }

    fn table_load(&mut self) {
        self.address(TABLE_BASE, TABLE as u32);
        let rd = self.register();
        self.i_type(0x03, 2, rd, TEMPORARY, 0);
    }

    fn atomic(&mut self) {
        let operations = [0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, 0x01];
        let source = self.register();
        if self.below(2) == 0 {
            // On a counter: its own commutative operation.
            let counter = self.below(COUNTERS as u32);
            self.add_immediate(TEMPORARY, COUNTER_BASE, 4 * counter);
            self.r_type(0x2f, 2, operations[counter as usize] << 2, 0, TEMPORARY, source);
        } else {
            self.address(REGION_BASE, REGION / 4);
            let (rd, operation) = (self.register(), operations[self.below(9) as usize]);
            self.r_type(0x2f, 2, operation << 2, rd, TEMPORARY, source);
        }
    }

    fn if_else(&mut self, depth: u32, mut escapes: Escapes) {
        let branch = self.branch();
        self.body(depth + 1, escapes.as_deref_mut());
        if self.below(2) == 0 {
            let over = self.jump();
            self.aim(branch, self.words.len());
            self.body(depth + 1, escapes);
            self.aim(over, self.words.len());
        } else {
            self.aim(branch, self.words.len());
        }
    }

    fn repeat(&mut self, depth: u32, mut outer: Escapes) {
        let counter = self.trips(depth);
        let top = self.words.len();
        let mut escapes = vec![];
        self.body(depth + 1, Some(&mut escapes));
        let next = self.words.len();
        self.next_trip(counter, top);
        let end = self.words.len();
        for (position, escape) in escapes {
            match (escape, &mut outer) {
                (Escape::Continue, _) => self.aim(position, next),
                (Escape::BreakOuter, Some(outer)) => outer.push((position, Escape::Break)),
                _ => self.aim(position, end),
            }
        }
    }

    /// Sets up the counter of a loop at this depth.
    fn trips(&mut self, depth: u32) -> u32 {
        let (counter, source, most) = (LOOP + depth, self.register(), [1, 3, 7][self.below(3) as usize]);
        if self.below(3) == 0 {
            // As many trips for every thread.
            self.csr(counter, 0xcc3);
            self.i_type(0x13, 7, counter, counter, most);
        } else {
            self.i_type(0x13, 7, counter, source, most);
        }
        self.add_immediate(counter, counter, 1);
        counter
    }

    /// The end of the body that starts at `top`.
    fn next_trip(&mut self, counter: u32, top: usize) {
        self.add_immediate(counter, counter, 0xfff);
        let back = self.branch_on(1, counter, 0);
        self.aim(back, top);
    }

    /// `break` or `continue`, on a condition.
    fn escape(&mut self, escapes: &mut Vec<(usize, Escape)>) {
        let position = self.branch();
        let escape = [Escape::Continue, Escape::Break, Escape::BreakOuter][self.below(3) as usize];
        escapes.push((position, escape));
    }

    fn call(&mut self) {
        if let Some(calls) = &mut self.calls {
            calls.push(self.words.len());
            self.emit(0x6f | LINK << 7);
        }
    }

    /// Behind the program, what it calls.
    fn functions(&mut self) {
        let calls = self.calls.take().unwrap_or_default();
        let starts = [(); 2].map(|()| {
            let start = self.words.len();
            self.budget = 8;
            self.body(FUNCTION_DEPTH, None);
            self.i_type(0x67, 0, 0, LINK, 0);
            start
        });
        for position in calls {
            let start = starts[self.below(2) as usize];
            self.aim(position, start);
        }
    }

    /// Some threads end, with nothing outstanding: a result that arrives after its thread has ended would count as the next one's.
    fn leave(&mut self) {
        let stay = self.branch();
        for register in DATA {
            self.add(TEMPORARY, 0, register);
        }
        self.emit(EXIT);
        self.aim(stay, self.words.len());
    }

    /// Every thread reads what the next one of its CTA has written.
    fn exchange(&mut self) {
        let (source, rd) = (self.register(), self.register());
        self.r_type(0x23, 2, 0, 0, OWN_SHARED, source);
        self.emit(BARRIER);
        self.i_type(0x03, 2, rd, NEIGHBOUR, 0);
        self.emit(BARRIER);
    }

    /// Both sides of a branch reach a barrier.
    fn divergent_barrier(&mut self) {
        let branch = self.branch();
        self.around_barrier();
        let over = self.jump();
        self.aim(branch, self.words.len());
        self.around_barrier();
        self.aim(over, self.words.len());
    }

    fn around_barrier(&mut self) {
        match self.below(3) {
            0 => self.body(1, None),
            1 => self.arithmetic(),
            _ => {}
        }
        self.emit(BARRIER);
        if self.below(2) == 0 {
            self.body(1, None);
        }
    }

    /// A loop that some threads leave early, over a barrier of their own, and the others at its end, over another one. Those who
    /// continue meet at the end of the body without those who wait there: a likely-convergence point that cannot be waited for.
    fn barrier_out_of_loop(&mut self) {
        let counter = self.trips(0);
        let top = self.words.len();
        let early = (self.below(2) == 0).then(|| self.branch());
        let stay = self.branch();
        self.emit(BARRIER);
        let out = self.jump();
        self.aim(stay, self.words.len());
        self.body(1, None);
        if let Some(early) = early {
            self.aim(early, self.words.len());
        }
        self.next_trip(counter, top);
        self.emit(BARRIER);
        self.aim(out, self.words.len());
    }

    /// A branch on a bit of the thread's number, counted on in every trip: hardly ever uniform.
    fn coin(&mut self, counter: u32) -> usize {
        let (bit, condition) = (self.below(4), self.below(2));
        self.add(TEMPORARY, THREAD, counter);
        self.i_type(0x13, 7, TEMPORARY, TEMPORARY, 1 << bit);
        self.branch_on(condition, TEMPORARY, 0)
    }

    /// Threads part again and again: many branches that diverge, one inside the other.
    fn spread(&mut self, levels: u32) {
        if levels == 0 {
            return self.arithmetic();
        }
        let branch = self.coin(0);
        self.spread(levels - 1);
        let over = self.jump();
        self.aim(branch, self.words.len());
        self.spread(levels - 1);
        self.aim(over, self.words.len());
    }

    /// A loop in a loop, with several ways out of both, so that entries with one likely-convergence point come to branches with another.
    /// With or without a barrier on every way.
    fn ways_out(&mut self) {
        let barrier = self.below(2) == 0;
        let mut outs = vec![];
        let outer = self.trips(0);
        let outer_top = self.words.len();
        self.way_out(outer, barrier, &mut outs);
        let skip_inner = (self.below(2) == 0).then(|| self.coin(outer));
        let inner = self.trips(1);
        let inner_top = self.words.len();
        self.way_out(inner, barrier, &mut outs);
        let skip = (self.below(2) == 0).then(|| self.coin(inner));
        self.way_out(inner, barrier, &mut outs);
        if let Some(skip) = skip {
            self.aim(skip, self.words.len());
        }
        self.next_trip(inner, inner_top);
        self.way_out(outer, barrier, &mut outs);
        if let Some(skip) = skip_inner {
            self.aim(skip, self.words.len());
        }
        self.next_trip(outer, outer_top);
        if barrier {
            self.emit(BARRIER);
        }
        for out in outs {
            self.aim(out, self.words.len());
        }
    }

    fn way_out(&mut self, counter: u32, barrier: bool, outs: &mut Vec<usize>) {
        let stay = self.coin(counter);
        self.arithmetic();
        if barrier {
            self.emit(BARRIER);
        }
        outs.push(self.jump());
        self.aim(stay, self.words.len());
    }

    /// A loop with a barrier that some trips jump over. Threads that leave it end, so they wait for nobody; those at the barrier may come to
    /// the likely-convergence point long after others had to go on from there without them.
    fn last_loop(&mut self) {
        let counter = self.trips(0);
        let top = self.words.len();
        let skip = self.coin(counter);
        self.arithmetic();
        self.emit(BARRIER);
        let later = (self.below(2) == 0).then(|| self.coin(counter));
        self.arithmetic();
        let stay = self.coin(counter);
        self.end();
        self.aim(stay, self.words.len());
        self.arithmetic();
        for skip in [Some(skip), later].into_iter().flatten() {
            self.aim(skip, self.words.len());
        }
        self.next_trip(counter, top);
    }

    /// Threads show what they have computed, and end.
    fn end(&mut self) {
        for register in DATA {
            self.store(2, register, 4 * register);
        }
        self.emit(EXIT);
    }
}
