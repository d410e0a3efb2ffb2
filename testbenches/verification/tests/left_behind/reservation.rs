//! The reservation of LR/SC: it ends with its thread, and not before.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, DeviceError, Jitter, Limits, MemoryTiming, RtlDevice, Session};
use warploom_runtime::loader::Program;
use warploom_verification::reference::ReferenceDevice;
use warploom_verification::words::{
    EXIT, add, add_immediate, and_immediate, branch_not_zero, csr, load, load_reserved, shift_left, store,
    store_conditional,
};
use warploom_verification::{core_simulator, cores};

/// Address of the word.
const WORD: u32 = 6;
/// Where the results are.
const RESULTS: u32 = 7;
/// The thread's own.
const RESULT: u32 = 8;
const SCRATCH: u32 = 9;
/// What SC has returned.
const FAILED: u32 = 10;
/// What LR has returned.
const LOADED: u32 = 11;

/// RESULT = the address of the result of this thread of the grid, in CTAs of four threads.
fn prologue() -> Vec<u32> {
    vec![
        csr(SCRATCH, 0xccf),
        load(2, WORD, SCRATCH, 0),
        load(2, RESULTS, SCRATCH, 4),
        csr(RESULT, 0xcc3),
        shift_left(RESULT, RESULT, 2),
        csr(SCRATCH, 0xcc0),
        add(RESULT, RESULT, SCRATCH),
        shift_left(RESULT, RESULT, 2),
        add(RESULT, RESULT, RESULTS),
    ]
}

fn program(body: &[u32]) -> Program {
    Program::from_words("reservation", [&prologue(), body].concat()).expect("a program")
}

/// The word, and a result for each of the threads, launch by launch; the word is 5 at first.
fn run(
    device: &mut dyn Device,
    program: &Program,
    ctas: u32,
    launches: usize,
) -> Result<(u32, Vec<Vec<u32>>), DeviceError> {
    let mut session = Session::new(device, program)?;
    let (word, results) = (session.buffer(&[5])?, session.zeros(4 * ctas as usize)?);
    let mut all = Vec::new();
    for _ in 0..launches {
        session.launch([ctas, 1, 1], [4, 1, 1], 0, &[word.address, results.address])?;
        all.push(session.read(results));
    }
    Ok((session.read(word)[0], all))
}

fn timings() -> [MemoryTiming; 3] {
    let slow = MemoryTiming { l2_bytes: 0, dram_latency: 400, queue: 1, ..MemoryTiming::default() };
    let unruly = MemoryTiming {
        l2_latency: 5,
        dram_latency: 20,
        jitter: Some(Jitter { seed: 3, delay: 60, refuse: 64 }),
        ..MemoryTiming::default()
    };
    [MemoryTiming::default(), slow, unruly]
}

fn on(config: &CoreConfig) -> RtlDevice<'static> {
    let mut device =
        RtlDevice::new(core_simulator(config, &Default::default()), config.clone(), MemoryTiming::default());
    device.set_limits(Limits { cycles: 200_000, ..Limits::default() });
    device
}

/// Every thread stores under a reservation that it has not, then asks for one, and ends before it has it.
fn nobody_has_it_before(config: &CoreConfig) {
    let body = [store_conditional(FAILED, WORD, WORD), store(2, FAILED, RESULT, 0), load_reserved(LOADED, WORD), EXIT];
    let program = program(&body);
    let expected = run(&mut ReferenceDevice::with_memory(config.clone(), 1 << 20), &program, 8, 2).unwrap();
    assert_eq!(expected, (5, vec![vec![1; 32]; 2]));
    let mut device = on(config);
    for timing in timings() {
        device.renew_memory(timing.clone());
        assert_eq!(run(&mut device, &program, 8, 2), Ok(expected.clone()), "{:?} {timing:?}", config.mechanism);
    }
}

/// A store that succeeds is performed though its thread has ended: one CTA after the other, one thread in each.
fn ends_not_before(config: &CoreConfig) {
    let config = CoreConfig { cta_slots: 1, ..config.clone() };
    let body = [
        csr(SCRATCH, 0xcc0),
        branch_not_zero(SCRATCH, 4),
        load_reserved(LOADED, WORD),
        add_immediate(LOADED, LOADED, 1),
        store_conditional(0, WORD, LOADED),
        EXIT,
    ];
    let program = program(&body);
    let mut device = on(&config);
    for timing in timings() {
        device.renew_memory(timing.clone());
        let (word, _) = run(&mut device, &program, 9, 1).unwrap();
        assert_eq!(word, 5 + 9, "{:?} {timing:?}", config.mechanism);
    }
}

/// Half of the threads ask for a reservation and end; the others get theirs without waiting for 4095 refusals each.
fn the_dead_do_not_keep_it(config: &CoreConfig) {
    let body = [
        csr(SCRATCH, 0xcc0),
        and_immediate(SCRATCH, SCRATCH, 1),
        branch_not_zero(SCRATCH, 3),
        load_reserved(LOADED, WORD),
        EXIT,
        load_reserved(LOADED, WORD),
        add_immediate(LOADED, LOADED, 1),
        store_conditional(FAILED, WORD, LOADED),
        branch_not_zero(FAILED, -3),
        EXIT,
    ];
    let program = program(&body);
    let mut device = on(config);
    let before = device.cycle();
    let (word, _) = run(&mut device, &program, 8, 1).unwrap();
    assert_eq!(word, 5 + 16);
    let cycles = device.cycle() - before;
    assert!(cycles < 10_000, "{:?}: {cycles} cycles", config.mechanism);
}

fn all(config: &CoreConfig) {
    nobody_has_it_before(config);
    the_dead_do_not_keep_it(config);
}

#[test]
fn a_reservation_ends_with_its_thread() {
    all(&cores::plain());
}

#[test]
#[ignore = "long: compiles the cores with every kind of stack; runs in .ci/run"]
fn a_reservation_ends_with_its_thread_under_every_mechanism() {
    cores::each(&cores::tiny(), all);
}

#[test]
fn a_store_conditional_is_performed_though_its_thread_has_ended() {
    ends_not_before(&cores::plain());
}
