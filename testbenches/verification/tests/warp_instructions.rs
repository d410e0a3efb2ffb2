//! Warp instructions on the core: every pattern of lanes that store, whose threads take part, and what traps. Narasiman 2014, 7.1.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{Device, DeviceError, MemoryTiming, RtlDevice, Session, Trap};
use warploom_runtime::loader::Program;
use warploom_verification::fuzz::{Bench, Case, core::DEEP};
use warploom_verification::random_program::Choices;
use warploom_verification::reference::ReferenceDevice;
use warploom_verification::words::{self, BARRIER, EXIT, r_type};
use warploom_verification::{core_simulator, cores};

const LANES: usize = 8;
/// What is around the places that are written.
const GUARD: u32 = 0xeeee_eeee;
const ARGUMENTS: u32 = 0xccf;
const LANE: u32 = 0xccc;

/// Warps of eight lanes, as in the paper.
fn config() -> CoreConfig {
    CoreConfig { lanes: LANES, warp_instructions: true, stack_depth: DEEP, ..CoreConfig::tiny() }
}

fn device(config: &CoreConfig) -> RtlDevice<'static> {
    RtlDevice::new(core_simulator(config, &Default::default()), config.clone(), MemoryTiming::default())
}

fn cond_acc(size: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x2b, size, 0, rd, rs1, rs2)
}

fn tree_traverse(rd: u32, rs1: u32, rs2: u32, shift: u32) -> u32 {
    r_type(0x2b, 4, shift, rd, rs1, rs2)
}

fn program(words: Vec<u32>) -> Program {
    Program::from_words("warp instructions", words).unwrap()
}

/// For every pattern of predicates a turn of a loop, which leaves 16 words of memory, 16 of shared memory, and 4 results a lane.
fn all_predicates() -> Program {
    let [memory, shared, results, turn, turns, lane] = [2, 3, 4, 5, 6, 7];
    let [predicate, base, value, place, copy] = [8, 9, 10, 11, 12];
    let mut code = vec![
        words::csr(1, ARGUMENTS),
        words::load(2, memory, 1, 0),
        words::load(2, shared, 1, 4),
        words::load(2, results, 1, 8),
        words::load(2, turns, 1, 12),
        words::load(2, 13, 1, 16),
        words::csr(lane, LANE),
        words::shift_left(place, lane, 2),
        r_type(0x33, 0, 0, shared, shared, place),
        words::shift_left(14, lane, 4),
        r_type(0x33, 0, 0, results, results, 14),
        words::add_immediate(turn, 0, 0),
        // Where the CTA's shared memory begins.
        words::i_type(0x13, 0, 15, 0, 1),
        words::shift_left(15, 15, 29),
        r_type(0x33, 0, 0, place, place, 15),
    ];
    let top = code.len();
    code.extend([
        r_type(0x33, 5, 0, predicate, turn, lane),
        words::and_immediate(predicate, predicate, 1),
        words::shift_left(value, turn, 8),
        r_type(0x33, 0, 0, value, value, lane),
        // Words in memory, behind a guard word.
        words::add_immediate(base, memory, 4),
        r_type(0x33, 6, 0, base, base, predicate),
        cond_acc(2, 16, base, value),
        words::store(2, 16, results, 0),
        // Halfwords behind them; the result overwrites the base.
        words::add_immediate(base, base, 36),
        cond_acc(1, base, base, value),
        words::store(2, base, results, 4),
        tree_traverse(16, value, predicate, 5),
        words::store(2, 16, results, 8),
        words::i_type(0x13, 1, 16, value, 0x602),
        words::store(2, 16, results, 12),
        // The same in shared memory, and no result.
        words::store(2, 13, place, 0),
        words::store(2, 13, place, 32),
        words::add_immediate(base, 15, 4),
        r_type(0x33, 6, 0, base, base, predicate),
        cond_acc(2, 0, base, value),
        words::add_immediate(base, base, 36),
        cond_acc(1, 0, base, value),
        words::load(2, copy, place, 0),
        words::store(2, copy, shared, 0),
        words::load(2, copy, place, 32),
        words::store(2, copy, shared, 32),
        BARRIER,
        words::add_immediate(memory, memory, 64),
        words::add_immediate(shared, shared, 64),
        words::add_immediate(results, results, 16 * LANES as u32),
        words::add_immediate(turn, turn, 1),
    ]);
    let back = (4 * top as u32).wrapping_sub(4 * code.len() as u32);
    code.extend([words::branch(1, turn, turns) | words::branch_offset(back), EXIT]);
    program(code)
}

/// What the turn of a pattern leaves: memory, of either kind, and results.
fn expected(pattern: u32) -> [Vec<u32>; 2] {
    let votes = |lane: &u32| pattern >> lane & 1 == 1;
    let values: Vec<u32> = (0..LANES as u32).filter(votes).map(|lane| pattern << 8 | lane).collect();
    let mut bytes = [0xee_u8; 64];
    for (i, value) in values.iter().enumerate() {
        bytes[4 + 4 * i..][..4].copy_from_slice(&value.to_le_bytes());
        bytes[40 + 2 * i..][..2].copy_from_slice(&value.to_le_bytes()[..2]);
    }
    let memory = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let of_lane = |lane| {
        let (total, value): (u32, u32) = (values.len() as u32, pattern << 8 | lane);
        [total, total, value + (total << 5), value.count_ones()]
    };
    [memory, (0..LANES as u32).flat_map(of_lane).collect()]
}

fn run_all_predicates(device: &mut dyn Device) {
    let patterns = 1 << LANES;
    let mut session = Session::new(device, &all_predicates()).unwrap();
    let memory = session.buffer(&vec![GUARD; 16 * patterns]).unwrap();
    let shared = session.zeros(16 * patterns).unwrap();
    let results = session.zeros(4 * LANES * patterns).unwrap();
    let arguments = [memory.address, shared.address, results.address, patterns as u32, GUARD];
    session.launch([1, 1, 1], [LANES as u32, 1, 1], 64, &arguments).unwrap();
    let [memory, shared, results] = [memory, shared, results].map(|buffer| session.read(buffer));
    for pattern in 0..patterns {
        let [stored, returned] = expected(pattern as u32);
        assert_eq!(memory[16 * pattern..][..16], stored, "{pattern:08b}");
        assert_eq!(shared[16 * pattern..][..16], stored, "{pattern:08b}, shared");
        assert_eq!(results[4 * LANES * pattern..][..4 * LANES], returned, "{pattern:08b}");
    }
}

#[test]
fn every_pattern_of_predicates_leaves_its_values_in_order() {
    run_all_predicates(&mut ReferenceDevice::new(config()));
    run_all_predicates(&mut device(&config()));
}

/// Each lane has its own operands, and those that are not `active` take another way.
fn one_instruction(instruction: u32) -> Program {
    program(vec![
        words::csr(1, ARGUMENTS),
        words::load(2, 2, 1, 0),
        words::load(2, 3, 1, 4),
        words::load(2, 5, 1, 8),
        words::csr(4, LANE),
        words::shift_left(6, 4, 2),
        r_type(0x33, 0, 0, 2, 2, 6),
        r_type(0x33, 0, 0, 3, 3, 6),
        r_type(0x33, 5, 0, 7, 5, 4),
        words::and_immediate(7, 7, 1),
        words::load(2, 8, 2, 0),
        words::load(2, 9, 2, 4 * LANES as u32),
        words::branch(0, 7, 0) | words::branch_offset(12),
        instruction,
        words::store(2, 10, 3, 0),
        EXIT,
    ])
}

/// Operands and results of [`one_instruction`]; memory is what it leaves in 16 words, of which the first is a guard.
struct Left {
    ended: Result<(), Box<Trap>>,
    results: Vec<u32>,
    memory: Vec<u32>,
}

/// `rs1` and `rs2` by lane, given where the memory begins.
type Operands<'a> = &'a dyn Fn(usize, u32) -> (u32, u32);

fn run(device: &mut dyn Device, instruction: u32, active: u32, operands: Operands) -> Left {
    let mut session = Session::new(device, &one_instruction(instruction)).unwrap();
    let memory = session.buffer(&[GUARD; 16]).unwrap();
    let results = session.buffer(&[GUARD; LANES]).unwrap();
    let (rs1, rs2): (Vec<u32>, Vec<u32>) = (0..LANES).map(|lane| operands(lane, memory.address + 4)).unzip();
    let inputs = session.buffer(&[rs1, rs2].concat()).unwrap();
    let arguments = [inputs.address, results.address, active];
    let ended = session.launch([1, 1, 1], [LANES as u32, 1, 1], 64, &arguments);
    let ended = match ended {
        Ok(_) => Ok(()),
        Err(DeviceError::Trap(trap)) => Err(trap),
        Err(error) => panic!("{error}"),
    };
    Left { ended, results: session.read(results), memory: session.read(memory) }
}

/// The reference model and the core.
fn both(check: impl Fn(&mut dyn Device)) {
    check(&mut ReferenceDevice::new(config()));
    check(&mut device(&config()));
}

const WORDS: u32 = 2;
/// Of the lanes 0, 1, 3, 5 and 6.
const PREDICATES: u32 = 0b0110_1011;

fn bit(of: u32, lane: usize) -> u32 {
    of >> lane & 1
}

#[test]
fn only_active_lanes_count() {
    both(|device| {
        let operands = |lane, base| (base | bit(PREDICATES, lane), lane as u32);
        let left = run(device, cond_acc(WORDS, 10, 8, 9), 0xff, &operands);
        assert!(left.ended.is_ok());
        assert_eq!(left.results, [5; 8]);
        assert_eq!(left.memory[..7], [GUARD, 0, 1, 3, 5, 6, GUARD]);
        let left = run(device, cond_acc(WORDS, 10, 8, 9), 0b1011_1101, &operands);
        assert_eq!(left.results, [3, GUARD, 3, 3, 3, 3, GUARD, 3]);
        assert_eq!(left.memory[..5], [GUARD, 0, 3, 5, GUARD]);
        // Nobody stores; what others' bases are does not matter.
        let left = run(device, cond_acc(WORDS, 10, 8, 9), 0xff, &|lane, _| (2 * lane as u32, 1));
        assert!(left.ended.is_ok());
        assert_eq!((left.results, left.memory), (vec![0; 8], vec![GUARD; 16]));
        // Lanes 0 and 2 vote among the active ones; 3 does, but is not.
        let vote = |lane, _| (100 + lane as u32, u32::from([0, 2, 3].contains(&lane)) << 31);
        let left = run(device, tree_traverse(10, 8, 9, 5), 0b0111, &vote);
        assert_eq!(left.results[..4], [164, 165, 166, GUARD]);
    });
}

/// All or nothing, and only lanes that store.
#[test]
fn a_lane_that_must_not_store_keeps_all_from_it() {
    both(|device| {
        let check = |left: Left, cause, lane, value: u32| {
            let trap = left.ended.unwrap_err();
            assert_eq!((trap.cause, trap.warp, trap.lane, trap.pc, trap.value), (cause, 0, lane, 4 * 13, value));
            assert_eq!((left.results, left.memory), (vec![GUARD; 8], vec![GUARD; 16]));
        };
        let instruction = cond_acc(WORDS, 10, 8, 9);
        // Of one lane, which has the fourth place, and of one that does not store.
        let aside = |lane: usize, base: u32| {
            let own = if lane == 5 || lane == 2 { base + 2 } else { base };
            (own | bit(PREDICATES, lane), 7)
        };
        let left = run(device, instruction, 0xff, &aside);
        let address = left.ended.as_ref().unwrap_err().value;
        assert_eq!(address % 4, 2);
        check(left, TrapCause::MisalignedAccess, 5, address);
        let unmapped = |lane, base| (if lane < 5 { base } else { 0x1000 } | bit(PREDICATES, lane), 7);
        check(run(device, instruction, 0xff, &unmapped), TrapCause::UnmappedAccess, 5, 0x100c);
    });
    // A word is missing for the last of them.
    both(|device| {
        let limit = 0x8000_0000 + device.memory().size() as u32;
        let left = run(device, cond_acc(WORDS, 10, 8, 9), 0xff, &|lane, _| ((limit - 16) | bit(PREDICATES, lane), 7));
        let trap = left.ended.unwrap_err();
        assert_eq!((trap.cause, trap.lane, trap.value), (TrapCause::UnmappedAccess, 6, limit));
        assert_eq!(device.memory().words(limit - 16, 4), [0; 4]);
    });
}

/// Beside others, in loops, branches and functions, and where threads end.
#[test]
fn programs_with_them_run_as_in_the_reference_model() {
    let config = config();
    let mut bench = Bench::new(core_simulator(&config, &Default::default()), &config);
    let mut seen = 0;
    for seed in 0..40 {
        let case = Case::draw(&mut Choices::random(seed), &config).unwrap();
        seen += usize::from(case.program.first_warp_instruction.is_some());
        if let Err(failure) = bench.check(&case) {
            panic!("seed {seed}: {failure}");
        }
    }
    assert!(seen > 20, "{seen} of 40 programs have warp instructions");
}

/// Threads of two warps end up in one.
#[test]
fn threads_of_several_warps_do_not_act_together() {
    let sizes = CoreConfig { warp_instructions: true, ..CoreConfig::tiny() };
    let lanes = sizes.lanes as u32;
    let config = cores::with("tbc", sizes);
    let mut device = device(&config);
    // Lanes 0 and 1 of warp 0 and lanes 2 and 3 of warp 1.
    let program = program(vec![
        words::csr(2, LANE),
        words::csr(3, 0xccd),
        words::shift_left(3, 3, 1),
        r_type(0x33, 4, 0, 4, 2, 3),
        words::and_immediate(4, 4, 2),
        words::branch(1, 4, 0) | words::branch_offset(8),
        tree_traverse(5, 2, 2, 0),
        EXIT,
    ]);
    for compact in [true, false] {
        device.set_compaction(compact);
        let mut session = Session::new(&mut device, &program).unwrap();
        let ended = session.launch([1, 1, 1], [2 * lanes, 1, 1], 0, &[]);
        match ended {
            Err(DeviceError::Trap(trap)) if compact => {
                assert_eq!((trap.cause, trap.pc, trap.lane), (TrapCause::IllegalInstruction, 4 * 6, 2));
            }
            ended => assert!(!compact && ended.is_ok(), "{compact}: {ended:?}"),
        }
    }
}
