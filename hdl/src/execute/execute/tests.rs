//! Instructions from OPERAND to write-back, cycle by cycle.
use super::*;
use crate::config::Mechanism;
use crate::frontend::Predecode;
use crate::interface::{ControlKind, MemoryOp};

/// `rd`, `rs1`, `rs2` of the instructions below: x3, x1, x2.
fn r_type(opcode: u32, funct3: u32, funct7: u32) -> u32 {
    (funct7 << 25) | (2 << 20) | (1 << 15) | (funct3 << 12) | (3 << 7) | opcode
}

fn op(funct3: u32, funct7: u32) -> u32 {
    r_type(0x33, funct3, funct7)
}

const ADDI_X1_5: u32 = 0x0050_0093;
const ADD: u32 = 0x0020_81b3;
const MUL: u32 = 0x0220_81b3;
const DIVU: u32 = 0x0220_d1b3;
const JALR: u32 = 0x0000_81e7;
const ALL: usize = 0b1111;

/// Four warps of four lanes; the unit that the frontend would predecode.
struct Bench {
    execute: Execute,
    predecode: Predecode,
    /// Cycles from EXECUTE to WRITEBACK: ALU, multiplier, divider.
    latencies: [usize; 3],
}

impl Bench {
    fn new() -> Self {
        Self::with(&CoreConfig::tiny())
    }

    fn with(config: &CoreConfig) -> Self {
        let mut bench = Self {
            execute: Execute::new(config),
            predecode: Predecode::new(config),
            latencies: [config.alu_latency, config.multiply_latency, 32 / config.divide_bits + 2],
        };
        bench.execute.connect_all();
        bench.predecode.connect_all();
        bench.settle();
        bench
    }

    fn settle(&mut self) {
        simulate(&mut self.execute, 1000);
        let stage = &self.execute.writeback_stage;
        assert!(!(stage.result.valid.val() & stage.multiply.valid.val()), "a fixed result is lost");
    }

    /// Puts an instruction into OPERAND.
    fn operand(&mut self, word: u32, warp: usize, mask: usize) {
        self.execute.issue.home_warps[0].next = warp.into();
        self.operand_here(word, warp, mask);
    }

    /// The same, of the threads that `issue_home_warps` says.
    fn operand_here(&mut self, word: u32, warp: usize, mask: usize) {
        self.predecode.word.next = (word as usize).into();
        simulate(&mut self.predecode, 100);
        self.execute.issue.unit.next = if self.predecode.multiply.val() {
            Unit::Multiply
        } else if self.predecode.divide.val() {
            Unit::Divide
        } else if self.predecode.memory.val() {
            Unit::Memory
        } else if self.predecode.control.val() {
            Unit::Control
        } else {
            Unit::Alu
        };
        self.execute.issue.valid.next = true;
        self.execute.issue.instruction.word.next = (word as usize).into();
        self.execute.issue.warp.next = warp.into();
        self.execute.issue.instruction.mask.next = mask.into();
        self.execute.issue.instruction.pc.next = 0x100.into();
        self.execute.issue.instruction.annotation.rpc.next = 0x140.into();
        self.execute.issue.instruction.annotation.rpc_valid.next = true;
        self.settle();
    }

    /// To the next cycle, with nothing in OPERAND.
    fn step(&mut self) {
        tick!(self.execute);
        self.execute.issue.valid.next = false;
        self.execute.load.valid.next = false;
        self.settle();
    }

    /// Runs an instruction up to EXECUTE.
    fn execute(&mut self, word: u32, warp: usize, mask: usize) {
        self.operand(word, warp, mask);
        self.step();
    }

    /// Offers a load's lanes in this cycle.
    fn load(&mut self, warp: usize, rd: usize, values: [u32; 4]) {
        self.execute.load.destination.warp.next = warp.into();
        self.execute.load.destination.home_warps[0].next = warp.into();
        self.load_here(rd, values);
    }

    /// The same, of the threads that `load_home_warps` says.
    fn load_here(&mut self, rd: usize, values: [u32; 4]) {
        self.execute.load.valid.next = true;
        self.execute.load.destination.rd.next = rd.into();
        self.execute.load.destination.mask.next = ALL.into();
        for (port, value) in self.execute.load.data.iter_mut().zip(values) {
            port.next = (value as usize).into();
        }
        self.settle();
    }

    /// Loads x1 and x2 of warp 0 and waits until they are written.
    fn registers(&mut self, x1: [u32; 4], x2: [u32; 4]) {
        for (rd, values) in [(1, x1), (2, x2)] {
            self.load(0, rd, values);
            self.step();
        }
        self.step();
    }

    fn written(&self) -> Option<(u64, Vec<u32>)> {
        let data = self.execute.writeback.data.iter().map(|port| port.val().value() as u32).collect();
        self.execute.writeback.valid.val().then(|| (self.execute.writeback.destination.rd.val().value(), data))
    }

    /// The next result written, with the cycles until then.
    fn next_written(&mut self) -> (Vec<u32>, usize) {
        for cycles in 1..50 {
            self.step();
            if let Some((rd, data)) = self.written() {
                assert_eq!(rd, 3);
                return (data, cycles);
            }
        }
        panic!("nothing is written");
    }

    fn trap(&self) -> (TrapCause, u64, u64, u64) {
        let execute = &self.execute;
        assert!(execute.execute_trap.valid.val());
        let cause = execute.execute_trap.cause.val();
        let pc = execute.execute_trap.pc.val().value();
        (cause, execute.execute_trap.lane.val().value(), pc, execute.execute_trap.value.val().value())
    }

    fn has_no_effect(&mut self) {
        let execute = &self.execute;
        assert!(!execute.resolve.valid.val() & !execute.memory.valid.val() & !execute.release.valid.val());
        for _ in 0..40 {
            self.step();
            assert!(self.written().is_none() && !self.execute.divide_done.val());
        }
    }
}

#[test]
fn a_dependent_instruction_follows_three_cycles_later() {
    let mut bench = Bench::new();
    bench.execute(ADDI_X1_5, 2, 0b1011);
    assert!(bench.execute.release.valid.val(), "in EXECUTE");
    assert_eq!((bench.execute.release.warp.val(), bench.execute.release.rd.val()), (Word::new(2, 2), Word::new(1, 5)));
    bench.step();
    assert_eq!(bench.written(), Some((1, vec![5; 4])), "in WRITEBACK");
    assert_eq!(bench.execute.writeback.destination.mask.val(), 0b1011);
    bench.step();
    bench.execute(0x0010_81b3, 2, ALL); // add x3, x1, x1
    assert_eq!(bench.next_written().0, [10, 10, 0, 10], "lane 2 was not active");
}

/// Interesting operands of each lane: corners of signs, zero, overflow and shift amounts.
const PAIRS: [([u32; 4], [u32; 4]); 3] = [
    ([7, 0xffff_ff9c, 0x8000_0000, 0x8000_0000], [3, 7, 0xffff_ffff, 0]),
    ([0, 0xffff_ffff, 0x7fff_ffff, 100], [0, 0xffff_ffff, 0x8000_0000, 0xffff_fff9]),
    ([0x1234_5678, 0x8765_4321, 1, 0xffff_ffff], [31, 32, 33, 1]),
];

fn reference(funct3: u32, funct7: u32, a: u32, b: u32) -> u32 {
    let (sa, sb) = (a as i32, b as i32);
    let product = |a: i64, b: i64| ((a * b) >> 32) as u32;
    match (funct7, funct3) {
        (0, 0) => a.wrapping_add(b),
        (0, 1) => a << (b & 31),
        (0, 2) => (sa < sb) as u32,
        (0, 3) => (a < b) as u32,
        (0, 4) => a ^ b,
        (0, 5) => a >> (b & 31),
        (0, 6) => a | b,
        (0, 7) => a & b,
        (0x20, 0) => a.wrapping_sub(b),
        (0x20, 5) => (sa >> (b & 31)) as u32,
        (1, 0) => a.wrapping_mul(b),
        (1, 1) => product(sa as i64, sb as i64),
        (1, 2) => product(sa as i64, b as i64),
        (1, 3) => ((a as u64 * b as u64) >> 32) as u32,
        (1, 4) if b == 0 => u32::MAX,
        (1, 4) => sa.wrapping_div(sb) as u32,
        (1, 5) => a.checked_div(b).unwrap_or(u32::MAX),
        (1, 6) if b == 0 => a,
        (1, 6) => sa.wrapping_rem(sb) as u32,
        (1, 7) => a.checked_rem(b).unwrap_or(a),
        _ => unreachable!("funct7 {funct7:#x}, funct3 {funct3}"),
    }
}

/// As short as the units are, and slower ones.
#[test]
fn arithmetic_and_its_latencies() {
    let tiny = CoreConfig::tiny;
    let slow = CoreConfig { alu_latency: 4, multiply_latency: 24, divide_bits: 1, ..tiny() };
    let equal = CoreConfig { alu_latency: 5, multiply_latency: 5, divide_bits: 8, ..tiny() };
    for config in [tiny(), slow, equal] {
        arithmetic(Bench::with(&config));
    }
}

fn arithmetic(mut bench: Bench) {
    for (x1, x2) in PAIRS {
        bench.registers(x1, x2);
        let plain = (0..8).map(|funct3| (funct3, 0)).chain([(0, 0x20), (5, 0x20)]);
        for (funct3, funct7) in plain.chain((0..8).map(|funct3| (funct3, 1))) {
            let latency = match (funct7, funct3) {
                (1, 4..) => bench.latencies[2],
                (1, _) => bench.latencies[1],
                _ => bench.latencies[0],
            };
            bench.execute(op(funct3, funct7), 0, ALL);
            let expected = (0..4).map(|lane| reference(funct3, funct7, x1[lane], x2[lane])).collect();
            assert_eq!(bench.next_written(), (expected, latency), "funct7 {funct7:#x} funct3 {funct3} {x1:x?} {x2:x?}");
        }
    }
}

#[test]
fn multiplications_stream() {
    let mut bench = Bench::new();
    bench.registers([1, 2, 3, 4], [10; 4]);
    bench.operand(MUL, 0, ALL);
    for cycle in 1..8 {
        bench.step();
        if cycle < 3 {
            bench.operand(MUL, 0, ALL);
        }
        assert_eq!(bench.execute.release.valid.val(), (3..6).contains(&cycle), "cycle {cycle}");
        assert_eq!(bench.written().is_some(), (4..7).contains(&cycle), "cycle {cycle}");
    }
}

/// An ALU takes four cycles, a multiplier six: what leaves EXECUTE is not delayed, what is written back is.
#[test]
fn slow_results_are_written_late_and_branches_resolve_at_once() {
    let mut bench = Bench::with(&CoreConfig { alu_latency: 4, multiply_latency: 6, ..CoreConfig::tiny() });
    bench.registers([1, 2, 3, 4], [10; 4]);
    let script = "
        add | -       | - | 1   in OPERAND; resolved, released, idle
        mul | -       | - | 1   the add in EXECUTE
        jal | -       | - | 0
        -   | resolve | - | 0   the jump in EXECUTE
        -   | -       | 3 | 0   the add
        -   | -       | - | 0
        -   | -       | 3 | 0   the link of the jump
        -   | -       | 3 | 0   the product
        -   | -       | - | 1";
    for line in script.trim().lines().map(str::trim) {
        let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
        match fields[0] {
            "add" => bench.operand(ADD, 0, ALL),
            "mul" => bench.operand(MUL, 1, ALL),
            "jal" => bench.operand(0x0200_01ef, 2, ALL),
            _ => (),
        }
        let execute = &bench.execute;
        let resolved = if execute.resolve.valid.val() { "resolve" } else { "-" };
        let rd = execute.release.rd.val().value().to_string();
        let released = if execute.release.valid.val() { rd.as_str() } else { "-" };
        let idle = if execute.idle.val() { "1" } else { "0" };
        assert_eq!([resolved, released, idle], [fields[1], fields[2], &fields[3][..1]], "{line}");
        bench.step();
    }
}

#[test]
fn divisions_and_loads_wait_for_the_slot() {
    let mut bench = Bench::new();
    bench.registers([100, 200, 300, 400], [7; 4]);
    bench.execute(DIVU, 0, ALL);
    for _ in 2..bench.latencies[2] {
        bench.step();
    }
    bench.operand(ADDI_X1_5, 1, ALL);
    bench.step();
    bench.load(3, 9, [1, 2, 3, 4]);
    assert!(bench.execute.elastic_blocked.val(), "an ALU result takes the slot");
    assert!(!bench.execute.divide_done.val() && !bench.execute.load_ready.val());
    bench.step();
    bench.load(3, 9, [1, 2, 3, 4]);
    assert!(bench.execute.divide_done.val() && !bench.execute.load_ready.val(), "the division is first");
    assert_eq!(bench.execute.release.rd.val(), 3);
    bench.step();
    assert_eq!(bench.written(), Some((3, vec![14, 28, 42, 57])));
    bench.load(3, 9, [1, 2, 3, 4]);
    assert!(bench.execute.load_ready.val());
    assert_eq!((bench.execute.release.warp.val(), bench.execute.release.rd.val()), (Word::new(3, 2), Word::new(9, 5)));
    bench.step();
    assert_eq!(bench.written(), Some((9, vec![1, 2, 3, 4])));
}

#[test]
fn results_for_x0_are_dropped() {
    let mut bench = Bench::new();
    bench.registers([100; 4], [7; 4]);
    for word in [ADD, MUL] {
        bench.execute(word & !(31 << 7), 0, ALL);
        bench.has_no_effect();
    }
    bench.execute(DIVU & !(31 << 7), 0, ALL);
    for _ in 1..bench.latencies[2] {
        bench.step();
    }
    assert!(bench.execute.divide_done.val() && !bench.execute.release.valid.val(), "the divider is free again");
    bench.step();
    assert!(bench.written().is_none());
}

#[test]
fn branches_and_jumps_resolve() {
    let mut bench = Bench::new();
    bench.registers([1, 2, 3, 4], [3; 4]);
    bench.execute(0x0020_c863, 0, 0b1101); // blt x1, x2, 16
    let execute = &bench.execute;
    assert!(execute.resolve.valid.val() && !execute.release.valid.val());
    assert_eq!(execute.resolve.kind.val(), ControlKind::Branch);
    assert_eq!((execute.resolve.mask.val(), execute.resolve.taken.val()), (Word::new(0b1101, 4), Word::new(0b0001, 4)));
    assert_eq!(
        (execute.resolve.target.val(), execute.resolve.next_pc.val()),
        (Word::new(0x110, 32), Word::new(0x104, 32))
    );
    assert_eq!(
        (execute.resolve.annotation.rpc.val(), execute.resolve.annotation.rpc_valid.val()),
        (Word::new(0x140, 32), true)
    );

    bench.execute(0x0200_01ef, 0, ALL); // jal x3, 32
    assert_eq!(bench.execute.resolve.kind.val(), ControlKind::Jump);
    assert_eq!(bench.execute.resolve.taken.val(), ALL);
    assert_eq!(bench.execute.resolve.target.val(), 0x120);
    assert_eq!(bench.next_written(), (vec![0x104; 4], 1));

    bench.registers([0x201, 0x200, 0x300, 0x200], [0; 4]);
    bench.execute(JALR, 0, 0b1011);
    assert!(bench.execute.resolve.valid.val());
    assert_eq!(bench.execute.resolve.target.val(), 0x200);
    assert_eq!(bench.next_written().0, [0x104; 4]);

    for (word, kind) in [(0x0000_000b, ControlKind::Barrier), (0x0000_100b, ControlKind::Exit)] {
        bench.execute(word, 0, ALL);
        assert!(bench.execute.resolve.valid.val());
        assert_eq!(bench.execute.resolve.kind.val(), kind);
    }
    bench.step();
    assert!(!bench.execute.resolve.valid.val());
}

#[test]
fn memory_instructions_leave_in_execute() {
    let mut bench = Bench::new();
    bench.registers([0x100, 0x200, 0x300, 0x400], [1, 2, 3, 4]);
    bench.execute.context.shared_base.next = 0x800.into();
    for (word, memory_op, size, offset) in [
        (0x0080_d183, MemoryOp::Load, 1, 8),             // lhu x3, 8(x1)
        (0xfe20_ae23, MemoryOp::Store, 2, 0xffff_fffc),  // sw x2, -4(x1)
        (0x0020_a1af, MemoryOp::AtomicAdd, 2, 0),        // amoadd.w x3, x2, (x1)
        (0x1000_a1af, MemoryOp::LoadReserved, 2, 0),     // lr.w x3, (x1)
        (0x1820_a1af, MemoryOp::StoreConditional, 2, 0), // sc.w x3, x2, (x1)
    ] {
        bench.execute(word, 0, 0b0110);
        let execute = &bench.execute;
        assert!(execute.memory.valid.val() && !execute.release.valid.val() && !execute.resolve.valid.val());
        assert_eq!((execute.memory.op.val(), execute.memory.size.val().value()), (memory_op, size), "{word:08x}");
        assert_eq!((execute.memory.mask.val(), execute.memory.pc.val()), (Word::new(0b0110, 4), Word::new(0x100, 32)));
        assert_eq!(execute.memory.shared_base.val(), 0x800);
        for lane in 0..4 {
            let address = (0x100 * (lane as u32 + 1)).wrapping_add(offset);
            assert_eq!(execute.memory.address[lane].val(), address as usize, "{word:08x}");
            let names_x2 = (word >> 20) & 31 == 2;
            assert!(!names_x2 || execute.memory.data[lane].val() == lane + 1);
        }
    }
    bench.execute(0x0ff0_000f, 0, ALL); // fence
    assert!(bench.execute.memory.valid.val());
    assert_eq!(bench.execute.memory.op.val(), MemoryOp::Fence);
    bench.step();
    assert!(!bench.execute.memory.valid.val());
}

const COND_ACC_W: u32 = 0x0020_a1ab;
const TREE_TRAVERSE_4: u32 = 0x0820_c1ab;

fn with_warp_instructions() -> Bench {
    Bench::with(&CoreConfig { warp_instructions: true, ..CoreConfig::tiny() })
}

/// To the load/store unit go the lanes that store, and the total takes the ALU's way to all of them.
#[test]
fn conditional_stores_leave_in_execute_and_are_counted() {
    let mut bench = with_warp_instructions();
    bench.registers([0x101, 0x200, 0x301, 0x401], [1, 2, 3, 4]);
    bench.execute(COND_ACC_W, 0, ALL);
    let memory = &bench.execute.memory;
    assert!(memory.valid.val() && !bench.execute.memory_unused[0].val());
    assert_eq!((memory.op.val(), memory.size.val().value()), (MemoryOp::Store, 2));
    assert_eq!(memory.mask.val(), 0b1101);
    assert_eq!(
        memory.address.iter().map(|address| address.val().value()).collect::<Vec<_>>(),
        [0x100, 0x204, 0x304, 0x408]
    );
    assert_eq!(memory.data[3].val(), 4);
    assert!(bench.execute.release.valid.val());
    assert_eq!(bench.next_written(), (vec![3; 4], 1));
    assert_eq!(bench.execute.writeback.destination.mask.val(), 0b1111);
    // Only active lanes count.
    bench.execute(COND_ACC_W, 0, 0b1010);
    assert_eq!(
        (bench.execute.memory.mask.val().value(), bench.execute.memory.address[3].val().value()),
        (0b1000, 0x400)
    );
    assert_eq!(bench.next_written().0[3], 1);
    // Of these nobody stores: its place in the queue is free again.
    bench.execute(COND_ACC_W, 0, 0b0010);
    assert!(!bench.execute.memory.valid.val() && bench.execute.memory_unused[0].val());
    assert_eq!(bench.next_written().0[1], 0);
    assert!(!bench.execute.memory_unused[0].val());
}

#[test]
fn a_traversal_and_a_population_are_the_lanes_own() {
    let mut bench = with_warp_instructions();
    bench.registers([0x100, 0xffff_fff0, 0, 7], [0, 0x8000_0000, 1, 0]);
    bench.execute(TREE_TRAVERSE_4, 0, ALL);
    assert!(!bench.execute.memory.valid.val() && !bench.execute.memory_unused[0].val());
    assert_eq!(bench.next_written(), (vec![0x120, 0x10, 0x20, 0x27], 1));
    bench.execute(0x6020_9193, 0, ALL); // cpop x3, x1
    assert_eq!(bench.next_written(), (vec![1, 28, 0, 3], 1));
}

/// Threads of two home warps may do all but act together.
#[test]
fn strangers_trap() {
    let config = CoreConfig { mechanism: Mechanism::Tbc, warp_instructions: true, ..CoreConfig::tiny() };
    let mut bench = Bench::with(&config);
    for (home_warps, mask, lane) in [([0, 0, 1, 1], ALL, Some(2)), ([0, 0, 1, 1], 0b1100, None), ([3; 4], ALL, None)] {
        for (port, warp) in bench.execute.issue.home_warps.iter_mut().zip(home_warps) {
            port.next = warp.into();
        }
        for word in [COND_ACC_W, TREE_TRAVERSE_4] {
            bench.operand_here(word, 0, mask);
            bench.step();
            assert_eq!(bench.execute.execute_trap.valid.val(), lane.is_some(), "{home_warps:?} {mask:b}");
            if let Some(lane) = lane {
                assert_eq!(bench.trap(), (TrapCause::IllegalInstruction, lane, 0x100, u64::from(word)));
                assert!(!bench.execute.memory.valid.val() && !bench.execute.release.valid.val());
            }
        }
        bench.operand_here(0x6020_9193, 0, mask);
        bench.step();
        assert!(!bench.execute.execute_trap.valid.val());
    }
}

#[test]
fn ballot_and_csrs() {
    let mut bench = Bench::new();
    bench.registers([0, 1, 0, 0x8000_0000], [0; 4]);
    bench.execute(0x0000_a18b, 0, 0b1011); // ballot x3, x1
    assert_eq!(bench.next_written(), (vec![0b1010; 4], 1));
    bench.execute.tid_write.warp_in_cta.next = 1.into();
    for lane in 0..4 {
        bench.execute.tid_write.enable[lane].next = 1.into();
        bench.execute.tid_write.lane[lane].next = lane.into();
        bench.execute.tid_write.x[lane].next = (4 + lane).into();
    }
    bench.step();
    bench.execute.tid_write.enable.iter_mut().for_each(|enable| enable.next = 0.into());
    bench.execute.context.first_warp.next = 1.into();
    bench.operand(0xcc00_21f3, 2, ALL); // csrr x3, tid.x
    assert_eq!(bench.execute.context_warp.val(), 2);
    bench.step();
    assert_eq!(bench.next_written(), (vec![4, 5, 6, 7], 1));
    bench.execute.kernel.arguments.next = 0x8000_0040.into();
    bench.execute(0xccf0_21f3, 0, ALL);
    assert_eq!(bench.next_written(), (vec![0x8000_0040; 4], 1));
}

/// Lane *l* runs the thread of home warp `ROWS[l]`, in warp 0.
#[test]
fn every_lane_may_run_a_thread_of_another_home_warp() {
    const ROWS: [usize; 4] = [2, 0, 3, 0];
    let config = CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..CoreConfig::tiny() };
    let mut bench = Bench::with(&config);
    let set = |home_warps: &mut [Net<In>], values: [usize; 4]| {
        home_warps.iter_mut().zip(values).for_each(|(port, home_warp)| port.next = home_warp.into());
    };
    // x1 of home warps 0 to 3: 0, 10, 20, 30, and the lane.
    for home_warp in 0..4 {
        set(&mut bench.execute.load.destination.home_warps, [home_warp; 4]);
        bench.load_here(1, [0, 1, 2, 3].map(|lane| 10 * home_warp as u32 + lane));
        bench.step();
    }
    bench.step();
    let x1 = [20, 1, 32, 3];
    let units = [(0x0010_81b3, x1.map(|x| 2 * x)), (0x0210_81b3, x1.map(|x| x * x)), (0x0210_d1b3, [1; 4])];
    for ((word, expected), latency) in units.into_iter().zip(bench.latencies) {
        set(&mut bench.execute.issue.home_warps, ROWS);
        bench.operand_here(word, 0, ALL); // add, mul, divu x3, x1, x1
        bench.step();
        set(&mut bench.execute.issue.home_warps, [1; 4]);
        assert_eq!(bench.next_written(), (expected.to_vec(), latency));
        let written_rows: Vec<usize> =
            bench.execute.writeback.destination.home_warps.iter().map(|home_warp| home_warp.val().index()).collect();
        assert_eq!(written_rows, ROWS);
        assert_eq!(bench.execute.writeback.destination.warp.val(), 0);
    }
    set(&mut bench.execute.issue.home_warps, ROWS);
    bench.execute.issue.instruction.annotation.lpc.next = 0x120.into();
    bench.execute.issue.instruction.annotation.uniform.next = true;
    bench.operand_here(0x0020_c863, 0, ALL); // blt x1, x2, 16
    bench.step();
    let execute = &bench.execute;
    assert_eq!(execute.resolve.home_warps.iter().map(|home_warp| home_warp.val().index()).collect::<Vec<_>>(), ROWS);
    assert_eq!(execute.resolve.annotation.lpc.val(), 0x120);
    assert!(execute.resolve.annotation.uniform.val() && !execute.resolve.annotation.data_dependent.val());
    bench.operand_here(0x0000_0073, 0, 0b1100); // ecall
    bench.step();
    assert_eq!((bench.trap().1, bench.execute.execute_trap.home_warp.val().index()), (2, 3));
}

#[test]
fn traps_have_no_other_effect() {
    let mut bench = Bench::new();
    bench.registers([0x200, 0x200, 0x300, 0x202], [0; 4]);
    use TrapCause::*;
    for (word, mask, cause, lane, value) in [
        (0x0000_0000, 0b1100, IllegalInstruction, 2, 0x0000_0000),
        (0x0000_0073, 0b1000, EnvironmentCall, 3, 0x0000_0073),
        (0x0010_0073, 0b0001, Breakpoint, 0, 0x0010_0073),
        (0xcc00_91f3, ALL, IllegalInstruction, 0, 0xcc00_91f3), // csrrw x3, tid.x, x1
        (0x0020_b1af, ALL, IllegalInstruction, 0, 0x0020_b1af), // amoadd.d
        (0x0000_91e7, ALL, IllegalInstruction, 0, 0x0000_91e7), // jalr with funct3 1
        (0x0020_01ef, 0b0110, MisalignedTarget, 1, 0x102),      // jal x3, 2
        (JALR, 0b0110, DivergentIndirectJump, 2, 0x200),
        (JALR, 0b1000, MisalignedTarget, 3, 0x202),
        (0x0020_8163, 0b0010, None, 0, 0), // beq x1, x2, 2: not taken
    ] {
        bench.execute(word, 0, mask);
        if cause == None {
            assert!(!bench.execute.execute_trap.valid.val() && bench.execute.resolve.valid.val());
            continue;
        }
        assert_eq!(bench.trap(), (cause, lane, 0x100, value), "{word:08x}");
        bench.has_no_effect();
        assert!(!bench.execute.execute_trap.valid.val());
    }
}
