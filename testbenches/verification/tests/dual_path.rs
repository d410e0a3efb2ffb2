//! Dual-path execution on the core: the paper's example instruction by instruction, and what it promises of every kernel.
//! Rhu 2014, 3.2.2 and 3.3.3.
use std::cell::RefCell;
use std::collections::BTreeMap;

use warploom_hdl::config::{CoreConfig, DualPathVariant, Mechanism};
use warploom_runtime::host::{LaunchStats, MemoryTiming, Ports, RtlDevice, Session};
use warploom_runtime::kernels::{self, KERNELS, Kernel, Problem, micro};
use warploom_verification::core_simulator;

const LEFT: u64 = 0;
const RIGHT: u64 = 1;

/// Registers of the figure, in its assembler.
const R0: u64 = 8;
const R1: u64 = 9;
const R4: u64 = 20;
const R7: u64 = 23;

/// One warp's run through the program of Fig 3.5, in cycles since A. By path:
///
/// ```text
///   cycle        left          right
///       0        A: load r0
///      10        B: load r1
///     109                      C: add r5, r0     r0 is there
///                D: write r4   E: write r4       r1 is needed: at once, or when B's is there in 418
///                              F: load r7
///                G: add r1, r7                   r7 is there
/// ```
struct Diagram {
    /// By the figure's block: when its first instruction entered OPERAND, and on which side.
    blocks: BTreeMap<String, (u64, u64)>,
    /// Cycle, side and register of every write-back.
    written: Vec<(u64, u64, u64)>,
}

impl Diagram {
    fn new(mechanism: Mechanism) -> Self {
        let config = CoreConfig { mechanism, ..CoreConfig::tiny() };
        let program = micro::find("dual_path").expect("a micro-kernel").binary.program();
        let labels = program.symbols.clone();
        let timing =
            MemoryTiming { l2_latency: 100, dram_latency: 400, dram_bandwidth: 64.0, ..MemoryTiming::default() };
        let (issues, writes) = (RefCell::new(vec![]), RefCell::new(vec![]));
        let mut device = RtlDevice::new(core_simulator(&config, &Default::default()), config.clone(), timing);
        let (ports, warp_width) = (Ports::new(device.engine(), &config), config.warp_width());
        let (issuing, writing) = (&issues, &writes);
        device.observe(Box::new(move |engine, cycle| {
            let side = |path| engine.get(path) >> warp_width;
            if engine.get(ports.issue_valid) == 1 {
                issuing.borrow_mut().push((cycle, side(ports.issue_warp), engine.get(ports.issue_pc) as u32));
            }
            if engine.get(ports.writeback_valid) == 1 {
                writing.borrow_mut().push((cycle, side(ports.writeback_warp), engine.get(ports.writeback_rd)));
            }
        }));
        let mut session = Session::new(&mut device, &program).unwrap();
        let (line, lanes) = (config.line_words(), config.lanes);
        let data: Vec<u32> = (0..5 * line as u32).collect();
        let (out, data) = (session.zeros(4 * lanes).unwrap(), session.buffer(&data).unwrap());
        // The first launch leaves its r7, the line of the second one's r0, in L2: r0 takes 100 cycles, r1 and r7 take 400.
        for offset in [0, 2] {
            issues.borrow_mut().clear();
            writes.borrow_mut().clear();
            let arguments = [out.address, data.address + offset * 4 * line as u32];
            session.launch([1, 1, 1], [lanes as u32, 1, 1], 0, &arguments).unwrap();
        }
        drop(session);
        drop(device);
        let begin = |pc| labels.get(&pc).cloned();
        let start = issues.borrow().iter().find(|(_, _, pc)| begin(*pc).as_deref() == Some("A")).expect("A").0;
        let blocks = issues.into_inner().into_iter().filter(|(cycle, ..)| *cycle >= start);
        let blocks = blocks.filter_map(|(cycle, side, pc)| Some((begin(pc)?, (cycle - start, side)))).collect();
        let written = writes.into_inner().into_iter().filter(|(cycle, ..)| *cycle >= start);
        Self { blocks, written: written.map(|(cycle, side, register)| (cycle - start, side, register)).collect() }
    }

    /// Cycles from this instruction's write-back on this side to the block's first instruction in OPERAND: 1 if it has waited for it.
    fn after(&self, block: &str, side: u64, register: u64) -> i64 {
        let (cycle, ..) = self.written.iter().find(|(_, s, r)| (*s, *r) == (side, register)).expect("a write-back");
        self.blocks[block].0 as i64 - *cycle as i64
    }

    /// What holds whatever the scoreboard does.
    fn check(&self) {
        let side = |block: &str| self.blocks[block].1;
        assert_eq!(["A", "B", "D", "G"].map(side), [LEFT; 4]);
        assert_eq!(["C", "E", "F"].map(side), [RIGHT; 3]);

        assert_eq!(self.after("C", LEFT, R0), 1, "C waits for A, from before the branch, on the other side");
        assert!(self.blocks["B"].0 < self.blocks["C"].0, "B does not");

        assert_eq!(self.blocks["E"].0, self.blocks["D"].0 + 1, "back to back");
        assert_eq!(self.after("E", LEFT, R4), -1, "while D's write of the same register is on its way");
        assert_eq!(self.after("D", RIGHT, R4), -3, "and E's");

        assert_eq!(self.after("G", RIGHT, R7), 1, "G waits for F, from before the reconvergence, on the other side");
        assert!(self.after("G", LEFT, R1) >= 1, "and for B");
    }
}

/// D and E read r1 of their threads, which B does not load. But D goes on where B is suspended, and E sees its shadow.
#[test]
fn a_scoreboard_by_path_has_false_dependences() {
    let diagram = Diagram::new(Mechanism::DualPath(DualPathVariant::Full));
    diagram.check();
    assert_eq!(diagram.after("D", LEFT, R1), 1, "D waits for B");
    assert_eq!(diagram.after("E", LEFT, R1), 2, "so does E, and D goes first");
}

#[test]
fn a_scoreboard_by_thread_has_none() {
    let diagram = Diagram::new(Mechanism::DualPath(DualPathVariant::Optimistic));
    diagram.check();
    assert!(diagram.after("D", LEFT, R1) < -200, "B's load is outstanding for long");
    assert_eq!(diagram.blocks["D"].0, diagram.blocks["C"].0 + 9, "the next instruction, a divergent branch, and D");
}

/// Counters of every kernel at its smoke size, and of those of [`ALONE`].
struct Runs {
    smoke: Vec<LaunchStats>,
    one_warp: Vec<LaunchStats>,
}

/// Kernels without interleavable branches, and sizes for which a launch is one warp of eight.
const ALONE: [(&str, usize); 6] =
    [("bfs", 8), ("mandelbrot", 8), ("matmul", 2), ("reduction", 8), ("transpose", 2), ("vecadd", 8)];

fn pass(kernel: &Kernel, device: &mut RtlDevice, problem: Problem) -> LaunchStats {
    let outcome = kernels::run(kernel, device, &problem).unwrap_or_else(|e| panic!("{}: {e}", kernel.name()));
    assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
    outcome.stats
}

impl Runs {
    fn new(mechanism: Mechanism) -> Self {
        let config = CoreConfig { mechanism, floats: true, ..CoreConfig::small() };
        let simulator = core_simulator(&config, &Default::default());
        let mut device = RtlDevice::new(simulator, config.clone(), MemoryTiming::default());
        let smoke =
            KERNELS.iter().map(|kernel| pass(kernel, &mut device, Problem::new(kernel.sizes().smoke))).collect();
        let one_warp = ALONE.map(|(name, size)| {
            let problem = Problem { block: Some(config.lanes), ..Problem::new(size) };
            pass(kernels::find(name).expect("a kernel"), &mut device, problem)
        });
        Self { smoke, one_warp: one_warp.into() }
    }

    fn of(&self, name: &str) -> &LaunchStats {
        let index = KERNELS.iter().position(|kernel| kernel.name() == name).expect("a kernel");
        &self.smoke[index]
    }
}

fn idle(stats: &LaunchStats) -> u64 {
    stats.cycles - stats.warp_instructions
}

/// Which instructions these run depends on the order in which threads come to their atomics.
const SCHEDULED: [&str; 3] = ["bfs", "bucketsort", "qsort"];

#[test]
fn kernels_keep_their_utilisation_and_fill_idle_slots() {
    let (spe, dpe) = std::thread::scope(|scope| {
        let spe = scope.spawn(|| Runs::new(Mechanism::SinglePath));
        let dpe = Runs::new(Mechanism::DualPath(DualPathVariant::Full));
        (spe.join().expect("kernels that pass"), dpe)
    });
    for ((kernel, spe), dpe) in KERNELS.iter().zip(&spe.smoke).zip(&dpe.smoke) {
        let name = kernel.name();
        let issued = |stats: &LaunchStats| (stats.warp_instructions, stats.thread_instructions);
        if SCHEDULED.contains(&name) {
            let utilisation = |stats: &LaunchStats| stats.thread_instructions as f64 / stats.warp_instructions as f64;
            assert!(utilisation(dpe) > 0.999 * utilisation(spe), "{name}: {:?} {:?}", issued(spe), issued(dpe));
        } else {
            assert_eq!(issued(spe), issued(dpe), "{name}: other instructions, or other lanes");
        }
        // Avg_path is the sum of paths over the instructions.
        let (paths, instructions) = (dpe.path_counts[0], dpe.warp_instructions);
        assert_eq!(
            paths > instructions,
            dpe.interleavable_branches > 0,
            "{name}: {paths} paths, {instructions} instructions"
        );
        assert!(paths >= instructions, "{name}");
    }
    for name in ["lud", "qsort", "stencil"] {
        let (spe, dpe) = (idle(spe.of(name)), idle(dpe.of(name)));
        assert!(dpe < spe, "{name}: {dpe} idle slots, {spe} with a single path");
    }
    // A warp that never has two paths takes every step in the cycle in which it would take it on a single path.
    for ((name, _), (spe, dpe)) in ALONE.iter().zip(spe.one_warp.iter().zip(&dpe.one_warp)) {
        assert_eq!(dpe.interleavable_branches, 0, "{name}");
        assert_eq!(&LaunchStats { path_counts: vec![], ..dpe.clone() }, spe, "{name}");
    }
}

/// Loads on both sides of a branch overlap on the CTA-wide stack, too: kernels with such branches take fewer cycles, and run the same instructions.
#[test]
#[ignore = "long: compiles two more cores; runs in .ci/run"]
fn paths_of_a_cta_overlap() {
    let run = |mechanism| {
        let config = CoreConfig { mechanism, floats: true, ..CoreConfig::small() };
        let simulator = core_simulator(&config, &Default::default());
        let mut device = RtlDevice::new(simulator, config, MemoryTiming::default());
        ["cfd", "lud", "stencil", "vecadd"].map(|name| {
            let kernel = kernels::find(name).expect("a kernel");
            pass(kernel, &mut device, Problem::new(kernel.sizes().smoke))
        })
    };
    let (one, two) = (run(Mechanism::Tbc), run(Mechanism::TbcDualPath));
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one.thread_instructions, two.thread_instructions);
    }
    for (one, two) in one.iter().zip(&two).take(3) {
        assert!(two.cycles < one.cycles - one.cycles / 20, "{} cycles, {} with a single path", two.cycles, one.cycles);
    }
    let (one, two) = (&one[3], &two[3]);
    assert_eq!(two.interleavable_branches, 0);
    assert!(two.cycles < one.cycles + one.cycles / 50, "{} cycles, {} with a single path", two.cycles, one.cycles);
}
