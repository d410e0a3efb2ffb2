//! Runs small programs on the core and tells in which cycle every instruction issued.
use std::cell::RefCell;
use std::rc::Rc;

use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, Launch, MemoryTiming, Ports, RtlDevice};
use warploom_runtime::loader::Program;
use warploom_runtime::machines;
use warploom_verification::core_simulator;

pub mod code;

use code::Code;

/// A warp instruction entering the OPERAND stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    pub cycle: u64,
    pub warp: usize,
    pub pc: u32,
}

/// A finished launch.
pub struct Run {
    /// Cycle of the launch pulse.
    pub start: u64,
    /// First cycle in which the core was idle again.
    pub end: u64,
    pub issues: Vec<Issue>,
}

impl Run {
    /// Cycle in which the first warp issued the instruction at `pc` for the first time.
    pub fn issue(&self, pc: u32) -> u64 {
        let found = self.issues.iter().find(|issue| issue.pc == pc && issue.warp == 0);
        found.unwrap_or_else(|| panic!("the instruction at {pc:#x} never issued")).cycle
    }

    /// Cycles from the first issue of one instruction to the first issue of another.
    pub fn between(&self, from: u32, to: u32) -> u64 {
        self.issue(to) - self.issue(from)
    }
}

/// The core of a configuration, with memory, watched.
pub struct Bench {
    pub device: RtlDevice<'static>,
    issues: Rc<RefCell<Vec<Issue>>>,
}

/// The memory of the default preset.
pub fn memory() -> MemoryTiming {
    (machines::MACHINES[0].memory)()
}

impl Bench {
    pub fn new(config: &CoreConfig, timing: MemoryTiming) -> Self {
        let simulator = core_simulator(config, &Default::default());
        let ports = Ports::new(&simulator, config);
        let mut device = RtlDevice::new(simulator, config.clone(), timing);
        let issues = Rc::new(RefCell::new(vec![]));
        let seen = issues.clone();
        device.observe(Box::new(move |engine, cycle| {
            if engine.get(ports.issue_valid) == 1 {
                let (warp, pc) = (engine.get(ports.issue_warp) as usize, engine.get(ports.issue_pc) as u32);
                seen.borrow_mut().push(Issue { cycle, warp, pc });
            }
        }));
        Self { device, issues }
    }

    /// Loads a program and runs one CTA of `threads`; `arguments` is what CSR 0xCCF holds.
    pub fn run(&mut self, program: &Program, threads: usize, arguments: u32) -> Run {
        self.device.load(program).expect("a program that fits");
        self.relaunch(threads, arguments)
    }

    /// Runs the loaded program once more: the L1 is empty again, the L2 is not.
    pub fn relaunch(&mut self, threads: usize, arguments: u32) -> Run {
        self.launch([1, 1, 1], threads, arguments)
    }

    /// Runs a grid of the loaded program.
    pub fn launch(&mut self, grid: [u32; 3], threads: usize, arguments: u32) -> Run {
        self.issues.borrow_mut().clear();
        let shared_bytes = self.device.config().shared_bytes as u32;
        let start = self.device.cycle();
        let launch = Launch { grid, block: [threads as u32, 1, 1], shared_bytes, arguments };
        self.device.launch(&launch).unwrap_or_else(|e| panic!("{e}"));
        Run { start, end: self.device.cycle(), issues: self.issues.borrow().clone() }
    }
}

/// Cycles per instruction of `body` when all warps run it over and over behind `setup`: the difference of a long and
/// a short program.
pub fn interval(bench: &mut Bench, setup: impl Fn(&mut Code), body: &[u32]) -> f64 {
    let (lanes, warps) = (bench.device.config().lanes, bench.device.config().warps);
    let [short, long] = [1, 2].map(|times| {
        let mut code = Code::default();
        setup(&mut code);
        code.repeat(times * 256 / body.len(), body);
        let program = code.finish();
        let run = bench.run(&program, lanes * warps, 0);
        run.end - run.start
    });
    (long - short) as f64 / (256 / body.len() * body.len() * warps) as f64
}

/// The cells of the table on a page whose header begins like this.
pub fn table(page: &str, header: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(header)).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect())
        .collect()
}
