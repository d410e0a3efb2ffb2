//! What is counted as coverage, of programs so short that it is known.
use warploom_runtime::host::MemoryTiming;
use warploom_runtime::loader::Program;
use warploom_sim::BuildOptions;
use warploom_verification::coverage::instructions::{Active, PLACES, Wait};
use warploom_verification::coverage::{self, groups};
use warploom_verification::fuzz::Case;
use warploom_verification::random_program::Shape;
use warploom_verification::words::{EXIT, add, add_immediate, csr, load, multiply};
use warploom_verification::{core_simulator, cores};

/// Each instruction behind a late one waits for it; as `instruction lanes: what it has waited for`.
#[test]
fn instructions_wait_for_what_is_before_them() {
    let config = cores::plain();
    let options = BuildOptions { observe: coverage::nets(&config), ..BuildOptions::default() };
    let (mut bench, watch) = coverage::watched(core_simulator(&config, &options), &config);
    let words = vec![
        csr(6, 0xccf),
        load(2, 7, 6, 0),
        add_immediate(8, 7, 1),
        multiply(0, 9, 7, 7),
        add(10, 9, 9),
        multiply(5, 11, 9, 9),
        add(11, 6, 6),
        EXIT,
    ];
    let program = Program::from_words("waits", words).unwrap();
    for (threads, active) in [(1, Active::One), (3, Active::Several), (4, Active::All)] {
        let shape = Shape { block: [threads, 1, 1], ..Shape::default() };
        let case = Case { program: program.clone(), shape, timing: MemoryTiming::default(), data: 0 };
        bench.check(&case).unwrap_or_else(|failure| panic!("{failure}"));
        let seen = watch.borrow_mut().take().instructions;
        let points = groups().last().expect("that of instructions");
        let hits = |mnemonic: &str, wait: Wait| seen[points.point(&[PLACES[mnemonic], active as usize, wait as usize])];
        assert_eq!(hits("addi", Wait::Load), 1, "{threads} threads");
        assert_eq!((hits("add", Wait::Product), hits("add", Wait::Quotient)), (1, 1), "{threads} threads");
        assert_eq!(hits("csrr", Wait::Nothing), 1, "{threads} threads");
        // A warp alone waits for nobody's register but its own.
        assert_eq!((hits("add", Wait::Load), hits("add", Wait::OthersRegister)), (0, 0), "{threads} threads");
        let others = seen.iter().enumerate().filter(|(point, _)| points.place(*point)[1] != active as usize);
        assert_eq!(others.map(|(_, hits)| hits).sum::<u64>(), 0, "{threads} threads");
        assert!(seen.iter().zip(&points.impossible).all(|(hits, why)| *hits == 0 || why.is_none()));
    }
    assert!(watch.borrow_mut().take().instructions.iter().all(|hits| *hits == 0), "nothing twice");
}
