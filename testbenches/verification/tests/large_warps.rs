//! [`LargeWarps`] in lockstep with its executable specification.
//!
//! The module is driven as the core would, by several CTAs of random programs in which every thread goes its own way. Every large warp must fetch the
//! model's sequence of blocks; what holds it and each of its sub-warps, row by row, must be the model's, whatever is in flight; so must the threads of
//! every entry that becomes active. Results come back in any order and in parts; nobody issues with a register pending.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=2000 cargo test -p warploom-verification --test large_warps -- --include-ignored` runs more.
use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::config::{CoreConfig, Mechanism, Permutation};
use warploom_hdl::divergence::LargeWarps;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{
    Case, Coverage, Lanes, Mask, Packing, Spe, SubWarps, Terminator, generator, large_warps, threads_of,
};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
const WARPS: usize = 8;
/// No such point.
const NONE: usize = 1;
/// From the issue of a sub-warp until it resolves.
const RESOLVES: u32 = 2;

const NETS: [&str; 2] = ["*.stack.activate_*", "*.stack.members*"];

/// An instruction from its fetch until its last sub-warp has issued.
struct Instruction {
    packing: Packing,
    writes: bool,
    /// In the buffer: what has not issued.
    waiting: Option<SubWarps>,
}

/// A large warp that runs.
struct Running {
    /// Its rows, in the CTA.
    rows: Range<usize>,
    /// The block that it executes, and how many instructions of it have been fetched.
    block: Option<(usize, usize)>,
    threads: Mask,
    /// Those that take its branch.
    taken: Mask,
    slot: Option<Instruction>,
    launched: bool,
    finished: usize,
}

/// A resident CTA: rows from `first` on.
struct Resident<'a> {
    first: usize,
    lanes: Lanes,
    model: Spe<'a>,
    large: Vec<Running>,
    to_launch: VecDeque<usize>,
    live: usize,
    waiting: usize,
    /// Threads that have fetched `bar.sync` and must not go on.
    held: Mask,
    in_flight: Mask,
    opens_in: Option<u32>,
}

/// A sub-warp on its way: of this CTA and large warp.
struct SubWarp {
    cta: usize,
    large: usize,
    pick: Vec<Option<usize>>,
    threads: Mask,
    cycles_left: u32,
}

struct Bench<'a> {
    module: &'a mut ModuleSimulator,
    random: Random,
    most_rows: usize,
    warps_per_cta: usize,
    compact: bool,
    likely_convergence: bool,
    taken_first: bool,
    pending: VecDeque<&'a Case>,
    resident: Vec<Option<Resident<'a>>>,
    in_decode: Option<(usize, usize)>,
    resolving: VecDeque<SubWarp>,
    /// Results that have not come.
    results: Vec<SubWarp>,
    coverage: Coverage,
    depth: [usize; 2],
    issued: Option<SubWarp>,
}

impl<'a> Bench<'a> {
    fn run(&mut self) -> Coverage {
        self.module.set("kernel_warps_per_cta", self.warps_per_cta);
        self.module.set("kernel_compact", self.compact as u64);
        for _ in 0..200_000 {
            self.cycle();
            if self.pending.is_empty() && self.resident.iter().all(Option::is_none) {
                assert_eq!(self.depth[0], self.depth[1], "depth of the deepest stack");
                return std::mem::take(&mut self.coverage);
            }
        }
        panic!("deadlock");
    }

    fn cycle(&mut self) {
        let launched = self.start_and_launch();
        self.drive_decode();
        self.open_barriers();
        self.resolve();
        self.drive_slots();
        self.module.set("issue_valid", 0u64);
        self.module.evaluate();
        self.issue();
        // What arrives in this cycle is in flight in it still.
        self.release();
        let fetched = self.choose_fetch();
        let any = self.random.below(WARPS as u32) as usize;
        self.module.set("fetch_warp", fetched.map_or(any, |(cta, large)| self.head(cta, large)));
        self.module.step();

        assert_eq!(self.module.get("overflow_valid") + self.module.get("mismatch_valid"), 0, "a fault");
        self.depth[0] = self.depth[0].max(self.module.get("depth"));
        if let Some(cta) = launched.filter(|_| self.module.get("launch_ready") == 1) {
            let resident = self.resident[cta].as_mut().unwrap();
            let row = resident.to_launch.pop_front().unwrap();
            let large = resident.large.iter_mut().find(|large| large.rows.contains(&row)).unwrap();
            large.launched = row + 1 == large.rows.end;
        }
        self.check_issue();
        self.take_up_decoded();
        if let Some((cta, large)) = fetched {
            self.fetch(cta, large);
        }
        self.in_decode = fetched;
        self.count_events();
        self.activate();
        self.finish();
        self.resolving.iter_mut().for_each(|sub_warp| sub_warp.cycles_left = sub_warp.cycles_left.saturating_sub(1));
    }

    fn head(&self, cta: usize, large: usize) -> usize {
        let resident = self.resident[cta].as_ref().unwrap();
        resident.first + resident.large[large].rows.start
    }

    /// CTA and large warp whose number this is.
    fn named(&self, head: usize) -> (usize, usize) {
        let found = (0..self.resident.len()).find_map(|cta| {
            let resident = self.resident[cta].as_ref()?;
            Some((cta, resident.large.iter().position(|large| resident.first + large.rows.start == head)?))
        });
        found.unwrap_or_else(|| panic!("there is no large warp {head}"))
    }

    /// All large warps.
    fn all(&self) -> Vec<(usize, usize)> {
        let of =
            |cta: usize| self.resident[cta].iter().flat_map(|resident| 0..resident.large.len()).collect::<Vec<_>>();
        (0..self.resident.len()).flat_map(|cta| of(cta).into_iter().map(move |large| (cta, large))).collect()
    }

    // -- inputs --------------------------------------------------------------------------------------------------

    fn start_and_launch(&mut self) -> Option<usize> {
        // One CTA after the other, each with all its warps.
        let launches = |resident: &Option<Resident>| resident.as_ref().is_some_and(|it| !it.to_launch.is_empty());
        let launching = self.resident.iter().position(launches);
        let free = self.resident.iter().position(Option::is_none);
        let free = free.filter(|_| launching.is_none() && self.random.below(100) < 30);
        let starts = free.and_then(|cta| Some((cta, self.pending.pop_front()?)));
        self.module.set("cta_start_valid", starts.is_some() as u64);
        self.module.idle("launch");
        if let Some((cta, case)) = starts {
            let lanes = Lanes::new(case.paths.len(), LANES, Permutation::None);
            let rows = large_warps(self.warps_per_cta, self.most_rows);
            let model = Spe::of_large_warps(case, &lanes, &rows, self.likely_convergence, self.taken_first);
            let running =
                |rows| Running { rows, block: None, threads: 0, taken: 0, slot: None, launched: false, finished: 0 };
            self.resident[cta] = Some(Resident {
                first: cta * self.warps_per_cta,
                lanes,
                model,
                large: rows.into_iter().map(running).collect(),
                to_launch: (0..self.warps_per_cta).collect(),
                live: case.paths.len(),
                waiting: 0,
                held: 0,
                in_flight: 0,
                opens_in: None,
            });
            return None;
        }
        let cta = launching.filter(|_| self.random.below(100) < 80)?;
        let resident = self.resident[cta].as_ref().unwrap();
        let row = resident.to_launch[0];
        self.module.set("launch_valid", 1u64);
        self.module.set("launch_warp", resident.first + row);
        self.module.set("launch_pc", 0u64);
        self.module.set("launch_mask", (resident.lanes.row(row) >> (row * LANES)) as u64);
        Some(cta)
    }

    /// Whether the instruction fetched last ends its block.
    fn is_control(&self, cta: usize, large: usize) -> bool {
        let resident = self.resident[cta].as_ref().unwrap();
        let (block, fetched) = resident.large[large].block.expect("it executes a block");
        resident.model.threads.case.program.ends(block, fetched)
    }

    fn drive_decode(&mut self) {
        self.module.idle("decoded");
        let Some((cta, large)) = self.in_decode else { return };
        let instruction = self.resident[cta].as_ref().unwrap().large[large].slot.as_ref().unwrap();
        let kind = match instruction.packing {
            Packing::Pack => 0u64,
            Packing::Row => 1,
            Packing::Once => 2,
        };
        let control = self.is_control(cta, large);
        self.module.set("decoded_valid", 1u64);
        self.module.set("decoded_warp", self.head(cta, large));
        self.module.set("decoded_control", control as u64);
        self.module.set("decoded_kind", kind);
    }

    fn open_barriers(&mut self) {
        let mut opens = 0;
        for resident in self.resident.iter_mut().flatten() {
            if resident.waiting > 0 && resident.waiting == resident.live && resident.opens_in.is_none() {
                resident.opens_in = Some(self.random.below(4));
            }
            match resident.opens_in {
                Some(0) => {
                    opens |= ((1u64 << self.warps_per_cta) - 1) << resident.first;
                    (resident.opens_in, resident.waiting, resident.held) = (None, 0, 0);
                }
                Some(cycles) => resident.opens_in = Some(cycles - 1),
                None => {}
            }
        }
        self.module.set("barrier_release", opens);
    }

    /// Drives the home warp of each lane.
    fn home_warps(&mut self, port: &str, cta: usize, pick: &[Option<usize>]) -> u64 {
        let first = self.resident[cta].as_ref().map_or(0, |resident| resident.first);
        for (lane, row) in pick.iter().enumerate() {
            let any = self.random.below(WARPS as u32) as usize;
            self.module.set(&format!("{port}[{lane}]"), row.map_or(any, |row| first + row));
        }
        pick.iter().enumerate().filter(|(_, row)| row.is_some()).map(|(lane, _)| 1 << lane).sum()
    }

    /// The oldest control instruction leaves the pipeline.
    fn resolve(&mut self) {
        self.module.idle("resolve");
        if self.resolving.front().is_none_or(|sub_warp| sub_warp.cycles_left > 0) {
            return;
        }
        let SubWarp { cta, large, pick, .. } = self.resolving.pop_front().unwrap();
        let resident = self.resident[cta].as_ref().unwrap();
        let (program, lanes) = (&resident.model.threads.case.program, &resident.lanes);
        let Running { block: Some((block, _)), taken, .. } = resident.large[large] else {
            panic!("it executes no block")
        };
        let lanes_of = |threads: Mask| -> usize {
            let takes = |lane: usize, row: &Option<usize>| {
                row.and_then(|row| lanes.thread(row, lane)).is_some_and(|thread| threads >> thread & 1 == 1)
            };
            pick.iter().enumerate().filter(|(lane, row)| takes(*lane, row)).map(|(lane, _)| 1 << lane).sum()
        };
        let masks = [lanes_of(Mask::MAX), lanes_of(taken)];
        let head = self.head(cta, large);
        self.module.resolve(program, head, block, masks);
        let lpc = program.lpc[block]
            .filter(|_| program.blocks[block].terminator == Terminator::Branch && self.likely_convergence)
            .map_or(NONE, |point| program.addresses()[point]);
        self.module.set("resolve_lpc", lpc);
        self.home_warps("resolve_home_warps", cta, &pick);
    }

    /// Results of some lanes of a sub-warp arrive.
    fn release(&mut self) {
        let comes = !self.results.is_empty() && self.random.below(100) < 70;
        self.module.set("release_valid", comes as u64);
        if !comes {
            return;
        }
        let which = self.random.below(self.results.len() as u32) as usize;
        let some = self.random.below(3) == 0;
        let lanes = if some { 1 + self.random.below((1 << LANES) - 1) as usize } else { (1 << LANES) - 1 };
        let SubWarp { cta, pick, .. } = &self.results[which];
        let (cta, whole) = (*cta, pick.clone());
        let now: Vec<_> = (0..LANES).map(|lane| whole[lane].filter(|_| lanes >> lane & 1 == 1)).collect();
        let later: Vec<_> = (0..LANES).map(|lane| whole[lane].filter(|_| lanes >> lane & 1 == 0)).collect();
        let mask = self.home_warps("release_home_warps", cta, &now);
        self.module.set("release_mask", mask);
        let resident = self.resident[cta].as_mut().expect("nobody ends with a register pending");
        resident.in_flight &= !resident.lanes.threads(&now);
        match later.iter().any(Option::is_some) {
            true => self.results[which].pick = later,
            false => drop(self.results.swap_remove(which)),
        }
    }

    /// What the warp buffer holds, and whether it may issue: by the model, and by the module.
    fn drive_slots(&mut self) {
        let (mut valid, mut control, mut writes) = (0u64, 0u64, 0u64);
        for (cta, large) in self.all() {
            let bit = 1 << self.head(cta, large);
            let Some(slot) = &self.resident[cta].as_ref().unwrap().large[large].slot else { continue };
            if slot.waiting.is_some() {
                valid |= bit;
                control |= if self.is_control(cta, large) { bit } else { 0 };
                writes |= if slot.writes { bit } else { 0 };
            }
        }
        self.module.set("slot_valid", valid);
        self.module.set("slot_control", control);
        self.module.set("slot_writes_rd", writes);
    }

    /// A large warp that is not held issues a sub-warp.
    fn issue(&mut self) {
        let hold = self.module.get("hold");
        let mut candidates = vec![];
        for (cta, large) in self.all() {
            let resident = self.resident[cta].as_ref().unwrap();
            let Some(waiting) = resident.large[large].slot.as_ref().and_then(|slot| slot.waiting.as_ref()) else {
                continue;
            };
            let pick = waiting.next(&resident.lanes, resident.in_flight);
            let head = self.head(cta, large);
            assert_eq!(pick.is_none(), hold >> head & 1 == 1, "whether large warp {head} is held");
            candidates.extend(pick.map(|pick| (cta, large, pick)));
        }
        let any = self.random.below(WARPS as u32) as usize;
        self.module.set("issue_warp", any);
        self.issued = None;
        if candidates.is_empty() || self.random.below(100) >= 80 {
            return;
        }
        let chosen = self.random.below(candidates.len() as u32) as usize;
        let (cta, large, pick) = candidates.swap_remove(chosen);
        self.module.set("issue_valid", 1u64);
        self.module.set("issue_warp", self.head(cta, large));
        let resident = self.resident[cta].as_mut().unwrap();
        let in_flight = resident.in_flight;
        let slot = resident.large[large].slot.as_mut().unwrap();
        let threads = slot.waiting.as_mut().unwrap().issue(&resident.lanes, &pick, in_flight, &mut self.coverage);
        assert_eq!(threads & in_flight, 0, "a thread issues with a register pending");
        self.issued = Some(SubWarp { cta, large, pick, threads, cycles_left: RESOLVES });
    }

    fn choose_fetch(&mut self) -> Option<(usize, usize)> {
        let fetchable = self.module.get("fetchable");
        let free = |&(cta, large): &(usize, usize)| {
            let running = &self.resident[cta].as_ref().unwrap().large[large];
            fetchable >> self.head(cta, large) & 1 == 1 && running.slot.is_none()
        };
        let candidates: Vec<_> = self.all().into_iter().filter(free).collect();
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len() as u32) as usize])
    }

    // -- outputs -------------------------------------------------------------------------------------------------

    /// The sub-warp is the model's.
    fn check_issue(&mut self) {
        let Some(sub_warp) = self.issued.take() else { return };
        let SubWarp { cta, large, .. } = sub_warp;
        let first = self.resident[cta].as_ref().unwrap().first;
        let lanes = self.module.get("issue_mask");
        let row = |lane: usize| self.module.get(&format!("issue_home_warps[{lane}]")).wrapping_sub(first);
        let pick: Vec<_> = (0..LANES).map(|lane| (lanes >> lane & 1 == 1).then(|| row(lane))).collect();
        assert_eq!(pick, sub_warp.pick, "the sub-warp of large warp {}", self.head(cta, large));
        let resident = self.resident[cta].as_mut().unwrap();
        let slot = resident.large[large].slot.as_ref().unwrap();
        let last = slot.waiting.as_ref().unwrap().pending == 0;
        assert_eq!(self.module.get("issue_last") == 1, last, "whether it is the last");
        let writes = slot.writes;
        if last {
            resident.large[large].slot = None;
        }
        if writes {
            resident.in_flight |= sub_warp.threads;
        }
        if self.is_control(cta, large) {
            self.resolving.push_back(sub_warp);
        } else if writes {
            self.results.push(sub_warp);
        }
    }

    /// What has been decoded waits in the buffer.
    fn take_up_decoded(&mut self) {
        let Some((cta, large)) = self.in_decode else { return };
        let resident = self.resident[cta].as_mut().unwrap();
        let running = &mut resident.large[large];
        let slot = running.slot.as_mut().unwrap();
        // Without compaction all but jumps go row by row.
        let packing = if slot.packing == Packing::Pack && !self.compact { Packing::Row } else { slot.packing };
        slot.waiting = Some(SubWarps::new(running.threads, packing, running.rows.clone()));
    }

    /// A large warp fetches its next instruction.
    fn fetch(&mut self, cta: usize, large: usize) {
        let pc = self.module.get("fetch_pc");
        let resident = self.resident[cta].as_mut().unwrap();
        let running = &mut resident.large[large];
        assert!(running.launched, "it is fetched before it is launched");
        let program = &resident.model.threads.case.program;
        let addresses = program.addresses();
        let goes_on = running.block.filter(|(block, fetched)| *fetched < program.blocks[*block].length);
        let (block, number) = match goes_on {
            Some((block, fetched)) => (block, fetched + 1),
            None => {
                let (block, threads) = resident.model.execute(large);
                assert_eq!(threads & resident.held, 0, "threads go on that wait at a barrier");
                running.threads = threads;
                running.taken = match program.blocks[block].terminator {
                    Terminator::Branch => resident.model.threads.sides(block, threads, true)[1].1,
                    Terminator::Jump => threads,
                    _ => 0,
                };
                (block, 1)
            }
        };
        assert_eq!(pc, addresses[block] + 4 * (number - 1), "what large warp {large} of CTA {cta} fetches");
        running.block = Some((block, number));
        let (packing, writes) = match program.blocks[block].terminator {
            _ if !program.ends(block, number) => {
                let packing = if self.random.below(3) == 0 { Packing::Row } else { Packing::Pack };
                (packing, self.random.below(3) != 0)
            }
            Terminator::Jump => (Packing::Once, false),
            terminator => {
                if terminator == Terminator::Barrier {
                    resident.held |= running.threads;
                }
                (Packing::Pack, false)
            }
        };
        running.slot = Some(Instruction { packing, writes, waiting: None });
    }

    fn count_events(&mut self) {
        if self.module.get("arrive_valid") == 1 {
            let (cta, _) = self.named(self.module.get("arrive_warp"));
            self.resident[cta].as_mut().unwrap().waiting += self.module.get("arrive_count");
        }
        if self.module.get("exit_valid") == 1 {
            let (cta, _) = self.named(self.module.get("exit_warp"));
            self.resident[cta].as_mut().unwrap().live -= self.module.get("exit_count");
        }
    }

    /// An entry becomes active: its PC and its threads.
    fn activate(&mut self) {
        if self.module.net("stack.activate_valid") == 0 {
            return;
        }
        let (cta, large) = self.named(self.module.net("stack.activate_cta"));
        let resident = self.resident[cta].as_ref().unwrap();
        let mut members = 0;
        for lane in 0..LANES {
            let bits = self.module.net(&format!("stack.members[{lane}]")) >> resident.first;
            let rows = (0..self.warps_per_cta).filter(|row| bits >> row & 1 == 1);
            members |= rows.filter_map(|row| resident.lanes.thread(row, lane)).map(|thread| 1 << thread).sum::<Mask>();
        }
        let (block, threads) = resident.model.running(large).expect("an entry runs");
        let address = resident.model.threads.case.program.addresses()[block];
        assert_eq!((self.module.net("stack.activate_pc"), members), (address, threads), "PC and threads of the entry");
        assert!(threads_of(threads).all(|thread| resident.large[large].rows.contains(&(thread / LANES))));
    }

    fn finish(&mut self) {
        if self.module.get("finished_valid") == 0 {
            return;
        }
        let row = self.module.get("finished_warp");
        let cta = self.resident.iter().position(|resident| {
            resident.as_ref().is_some_and(|it| (it.first..it.first + self.warps_per_cta).contains(&row))
        });
        let cta = cta.expect("its CTA is resident");
        let resident = self.resident[cta].as_mut().unwrap();
        let row = row - resident.first;
        let large = resident.large.iter_mut().find(|large| large.rows.contains(&row)).unwrap();
        large.finished += 1;
        assert!(large.finished <= large.rows.len(), "a warp ends twice");
        if resident.large.iter().all(|large| large.finished == large.rows.len())
            && !self.results.iter().any(|result| result.cta == cta)
        {
            resident.model.assert_finished();
            assert_eq!((resident.live, resident.in_flight), (0, 0));
            self.coverage.add(&resident.model.coverage());
            self.depth[1] = self.depth[1].max(resident.model.depth());
            self.resident[cta] = None;
        }
    }
}

fn module(config: &CoreConfig) -> ModuleSimulator {
    let mut module = ModuleSimulator::new(LargeWarps::new(config), &NETS);
    let idle = ["launch_valid", "decoded_valid", "resolve_valid", "cta_start_valid", "barrier_release", "issue_valid"];
    idle.iter().chain(&["release_valid"]).for_each(|name| module.set(name, 0u64));
    module.reset();
    module
}

/// Random launches of large warps of so many threads.
fn lockstep(threads: usize, likely_convergence: bool, taken_first: bool) -> Coverage {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let mechanism: Mechanism = format!("lwm:{threads}").parse().unwrap();
    let config = CoreConfig {
        lanes: LANES,
        warps: WARPS,
        stack_depth: 40,
        mechanism,
        likely_convergence,
        taken_first,
        ..CoreConfig::tiny()
    };
    let mut module = module(&config);
    let mut coverage = Coverage::default();
    for seed in 0..=programs {
        let mut random = Random::new(seed * 2 + likely_convergence as u64);
        let warps_per_cta = [1, 2, 2, 3, 4, 4, 5, 8][random.below(8) as usize];
        let threads = warps_per_cta * LANES - random.below(LANES as u32) as usize;
        let ctas = 1 + random.below(6.min(127 / threads) as u32) as usize;
        let all = generator::any(random.word().into(), threads * ctas);
        let cases = all.paths.chunks(threads).map(|paths| Case { program: all.program.clone(), paths: paths.to_vec() });
        let cases: Vec<Case> = cases.collect();
        let mut bench = Bench {
            module: &mut module,
            most_rows: config.large_warp_rows(),
            warps_per_cta,
            compact: random.below(8) != 0,
            random,
            likely_convergence,
            taken_first,
            pending: cases.iter().collect(),
            resident: (0..WARPS / warps_per_cta).map(|_| None).collect(),
            in_decode: None,
            resolving: VecDeque::new(),
            results: vec![],
            coverage: Coverage::default(),
            depth: [0; 2],
            issued: None,
        };
        match catch_unwind(AssertUnwindSafe(|| bench.run())) {
            Ok(run) => coverage.add(&run),
            Err(fault) => {
                eprintln!("seed {seed}: {ctas} CTAs of {threads} threads, {mechanism}: {:?}", all.program);
                resume_unwind(fault)
            }
        }
    }
    coverage
}

/// Both orders of the sides; every rule must have taken effect.
fn lockstep_all(threads: usize) {
    let mut coverage = Coverage::default();
    for likely_convergence in [false, true] {
        coverage.add(&lockstep(threads, likely_convergence, likely_convergence));
    }
    let stack = ["2 slot reuse", "4 hole", "7 exit", "8 inherit", "8 chain", "9 merge", "11 yield", "11 fallback"];
    let packing = ["LWM pack", "LWM in flight", "LWM row", "LWM row waits", "LWM once"];
    for rule in stack.iter().chain(&packing) {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect:\n{coverage}");
    }
}

#[test]
fn of_four_rows() {
    lockstep_all(16);
}

#[test]
#[ignore = "long: compiles two more units; runs in .ci/run"]
fn of_two_rows() {
    lockstep_all(8);
}

#[test]
#[ignore = "long: compiles two more units; runs in .ci/run"]
fn of_all_rows() {
    lockstep_all(32);
}
