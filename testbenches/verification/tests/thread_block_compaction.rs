//! [`ThreadBlockCompaction`] in lockstep with its executable specification.
//!
//! The module is driven as the core would, by several CTAs of random programs in which every thread goes its own way. Whenever it serves a
//! warp, the same warp of the model goes on; then the live, staged and bypassed threads, the count of warps and the predictor's answer must
//! be the model's, and at every activation the entry's position, PC and threads and the warps formed of them.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test thread_block_compaction -- --include-ignored` runs more.
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, CoreConfig, Mechanism, Permutation};
use warploom_hdl::divergence::ThreadBlockCompaction;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{
    Case, Coverage, Cta, Lanes, Lesson, Mask, Options, Predictor, SharedPredictor, Step, Terminator, Threads,
    generator, golden, threads_of,
};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
const WARPS: usize = 8;
const SLOTS: usize = 4;
/// No such point.
const NONE: usize = 1;

/// Nets to look at.
const NETS: [&str; 12] = [
    "*.served",
    "*.arrives",
    "*.event_warp.index",
    "*.evaluated",
    "*.stack.activate_*",
    "*.stack.members*",
    "*.stack.placing",
    "*.warp_count*",
    "*.columns*.low",
    "*.columns*.top",
    "*.columns*.live",
    "*.columns*.bypassed",
];

/// A block on its way through the pipeline, instruction by instruction.
#[derive(Clone, Copy)]
struct Running {
    block: usize,
    /// Lanes that take its branch.
    taken: usize,
    /// Instructions fetched.
    fetched: usize,
}

/// A hardware warp.
#[derive(Clone, Default)]
struct Slot {
    /// By lane.
    rows: Vec<usize>,
    lanes: usize,
    running: Option<Running>,
    /// Cycles until the instruction in the pipeline leaves it.
    cycles_left: Option<u32>,
}

/// A resident CTA.
struct Resident<'a> {
    model: Cta<'a>,
    /// Where its threads are in the pipeline: ahead of the model.
    oracle: Threads<'a>,
    to_launch: VecDeque<usize>,
    /// All warps of the active entry have arrived in the model.
    complete: bool,
    /// Warps of the model that the module has yet to form.
    to_form: VecDeque<Mask>,
    live: usize,
    waiting: usize,
    opens_in: Option<u32>,
    finished: usize,
}

/// A worked example on its way.
struct Script {
    /// Warps in the order in which they arrive; then the lowest.
    order: VecDeque<usize>,
    /// Of the threads.
    names: &'static str,
    trace: Vec<String>,
}

/// One kernel launch.
struct Bench<'a> {
    module: &'a mut ModuleSimulator,
    options: Options,
    random: Random,
    addresses: Vec<usize>,
    warps_per_cta: usize,
    predictor: Option<SharedPredictor>,
    lesson: Option<Lesson>,
    pending: VecDeque<&'a Case>,
    resident: Vec<Option<Resident<'a>>>,
    slots: Vec<Slot>,
    in_decode: Option<usize>,
    depth: [usize; 2],
    coverage: Coverage,
    script: Option<Script>,
}

impl<'a> Bench<'a> {
    fn new(
        module: &'a mut ModuleSimulator,
        options: Options,
        warps_per_cta: usize,
        cases: &'a [Case],
        random: Random,
    ) -> Self {
        let predictor = match options.mechanism {
            Mechanism::Capri(config) => Some(Predictor::shared(config)),
            _ => None,
        };
        Self {
            module,
            options,
            random,
            addresses: cases[0].program.addresses(),
            warps_per_cta,
            predictor,
            lesson: None,
            pending: cases.iter().collect(),
            resident: (0..SLOTS.min(WARPS / warps_per_cta)).map(|_| None).collect(),
            slots: vec![Slot { rows: vec![0; LANES], ..Slot::default() }; WARPS],
            in_decode: None,
            depth: [0; 2],
            coverage: Coverage::default(),
            script: None,
        }
    }

    /// Threads of a CTA in the lanes of a warp.
    fn threads(&self, slot: usize, lanes: usize) -> Mask {
        let first = slot / self.warps_per_cta * self.warps_per_cta;
        let thread = |lane: usize| (self.slots[slot].rows[lane] - first) * LANES + lane;
        (0..LANES).filter(|lane| lanes >> lane & 1 == 1).map(|lane| 1 << thread(lane)).sum()
    }

    /// Threads of a CTA whose bits are set in a net of every lane.
    fn gathered(&self, cta: usize, name: impl Fn(usize) -> String) -> Mask {
        let mut mask = 0;
        for lane in 0..LANES {
            let bits = self.module.net(&name(lane));
            for row in (0..self.warps_per_cta).filter(|row| bits >> (cta * self.warps_per_cta + row) & 1 == 1) {
                mask |= 1 << (row * LANES + lane);
            }
        }
        mask
    }

    fn run(&mut self) -> Coverage {
        for row in 0..WARPS {
            self.module.set(&format!("warp_slot[{row}]"), (row / self.warps_per_cta).min(SLOTS - 1));
        }
        self.module.set("kernel_warps_per_cta", self.warps_per_cta);
        self.module.set("kernel_compact", self.options.compaction as u64);
        let idle = ["launch_valid", "decoded_valid", "resolve_valid", "cta_start_valid", "barrier_release"];
        idle.iter().for_each(|name| self.module.set(name, 0u64));
        // A predictor that knows nothing.
        self.module.reset();
        for _ in 0..200_000 {
            self.cycle();
            if self.pending.is_empty() && self.resident.iter().all(Option::is_none) {
                assert_eq!(self.module.get("fetchable"), 0);
                assert_eq!(self.depth[0], self.depth[1], "depth of the deepest stack");
                if let Some(predictor) = &self.predictor {
                    self.coverage.add(&predictor.borrow().coverage);
                }
                return std::mem::take(&mut self.coverage);
            }
        }
        panic!("deadlock");
    }

    fn cycle(&mut self) {
        self.start_cta();
        let launched = self.offer_launch();
        self.drive_decode();
        self.open_barriers();
        let freed = self.resolve();
        let in_flight = (0..WARPS).filter(|&slot| self.slots[slot].cycles_left.is_some());
        let in_flight: u64 = in_flight.map(|slot| 1 << slot).sum();
        self.module.set("slot_valid", in_flight);
        self.module.evaluate();
        self.check_state();
        let fetched = self.choose_fetch();
        self.module.set("fetch_warp", fetched.unwrap_or(0));
        self.module.step();

        assert_eq!(self.module.get("overflow_valid") + self.module.get("mismatch_valid"), 0, "a fault");
        self.depth[0] = self.depth[0].max(self.module.get("depth"));
        let launched = launched.filter(|_| self.module.get("launch_ready") == 1);
        if let Some((cta, row)) = launched {
            self.resident[cta].as_mut().unwrap().to_launch.pop_front();
            assert_eq!((self.module.get("form_valid"), self.module.get("form_warp")), (1, row));
        }
        self.serve();
        if self.module.net("evaluated") == 1 {
            let lesson = self.lesson.take().expect("a side has run for the first time");
            if let Some(predictor) = &self.predictor {
                predictor.borrow_mut().learn(lesson.branch, lesson.adequate);
            }
        }
        assert!(self.lesson.is_none(), "the evaluation comes in the cycle behind the activation");
        self.activate();
        self.form(launched.is_some());
        self.finish();
        for cycles_left in self.slots.iter_mut().filter_map(|slot| slot.cycles_left.as_mut()) {
            *cycles_left = cycles_left.saturating_sub(1);
        }
        if let Some(slot) = freed {
            self.slots[slot].cycles_left = None;
        }
        if let Some(slot) = fetched {
            self.fetch(slot);
        }
        self.in_decode = fetched;
    }

    // -- inputs --------------------------------------------------------------------------------------------------

    fn start_cta(&mut self) {
        let free = self.resident.iter().position(Option::is_none).filter(|_| self.random.below(100) < 30);
        let starts = free.and_then(|cta| Some((cta, self.pending.pop_front()?)));
        self.module.set("cta_start_valid", starts.is_some() as u64);
        if let Some((cta, case)) = starts {
            self.module.set("cta_start_slot", cta);
            let lanes = Lanes::new(case.paths.len(), LANES, Permutation::None);
            let model = Cta::new(case, lanes, self.options, self.predictor.clone());
            if let Some(script) = &mut self.script {
                script.note("formed", &model);
            }
            self.resident[cta] = Some(Resident {
                model,
                oracle: Threads::new(case),
                to_launch: (cta * self.warps_per_cta..(cta + 1) * self.warps_per_cta).collect(),
                complete: false,
                to_form: VecDeque::new(),
                live: case.paths.len(),
                waiting: 0,
                opens_in: None,
                finished: 0,
            });
        }
    }

    /// The CTA started last launches its warps; not in the cycle of its start.
    fn offer_launch(&mut self) -> Option<(usize, usize)> {
        let starting = self.module.get("cta_start_valid") == 1;
        let waiting = |resident: &Option<Resident>| resident.as_ref().is_some_and(|r| !r.to_launch.is_empty());
        let cta = self.resident.iter().position(waiting);
        let cta = cta.filter(|_| !starting && self.random.below(100) < 80);
        self.module.set("launch_valid", cta.is_some() as u64);
        let cta = cta?;
        let resident = self.resident[cta].as_ref().unwrap();
        let row = resident.to_launch[0];
        let in_cta = row - cta * self.warps_per_cta;
        let threads = resident.model.lanes.row(in_cta) >> (in_cta * LANES);
        self.module.set("launch_warp", row);
        self.module.set("launch_pc", 0u64);
        self.module.set("launch_mask", threads);
        Some((cta, row))
    }

    fn drive_decode(&mut self) {
        self.module.idle("decoded");
        if let Some(slot) = self.in_decode {
            let control = self.is_control(self.slots[slot].running.unwrap());
            self.module.set("decoded_valid", 1u64);
            self.module.set("decoded_control", control as u64);
            self.module.set("decoded_warp", slot);
        }
    }

    fn case(&self, slot: usize) -> &'a Case {
        let cta = slot / self.warps_per_cta;
        self.resident[cta].as_ref().expect("its CTA is resident").model.threads.case
    }

    /// The instruction fetched last ends its block.
    fn is_control(&self, Running { block, fetched, .. }: Running) -> bool {
        let resident = self.resident.iter().flatten().next().expect("a CTA is resident");
        resident.model.threads.case.program.ends(block, fetched)
    }

    fn open_barriers(&mut self) {
        let mut opens = 0;
        for (cta, resident) in self.resident.iter_mut().enumerate() {
            let Some(resident) = resident else { continue };
            if resident.waiting > 0 && resident.waiting == resident.live && resident.opens_in.is_none() {
                resident.opens_in = Some(self.random.below(4));
            }
            match resident.opens_in {
                Some(0) => {
                    opens |= 1 << cta;
                    (resident.opens_in, resident.waiting, resident.oracle.waiting) = (None, 0, 0);
                }
                Some(cycles) => resident.opens_in = Some(cycles - 1),
                None => {}
            }
        }
        self.module.set("barrier_release", opens as u64);
    }

    /// One instruction leaves the pipeline; a control instruction with its outcome.
    fn resolve(&mut self) -> Option<usize> {
        self.module.idle("resolve");
        let due: Vec<usize> = (0..WARPS).filter(|&slot| self.slots[slot].cycles_left == Some(0)).collect();
        let slot = *due.get(self.random.below(due.len().max(1) as u32) as usize)?;
        let Some(now) = self.slots[slot].running.filter(|&now| self.is_control(now)) else { return Some(slot) };
        let program = &self.case(slot).program;
        let at = &program.blocks[now.block];
        self.module.resolve(program, slot, now.block, [self.slots[slot].lanes, now.taken]);
        let lpc = program.lpc[now.block]
            .filter(|_| at.terminator == Terminator::Branch && self.options.likely_convergence)
            .map_or(NONE, |block| self.addresses[block]);
        self.module.set("resolve_lpc", lpc);
        self.module.set("resolve_uniform", at.uniform as u64);
        let any = self.random.below(2);
        self.module.set("resolve_data_dependent", any);
        for lane in 0..LANES {
            self.module.set(&format!("resolve_home_warps[{lane}]"), self.slots[slot].rows[lane]);
        }
        self.slots[slot].running = None;
        Some(slot)
    }

    fn choose_fetch(&mut self) -> Option<usize> {
        let fetchable = self.module.get("fetchable");
        let free = |&slot: &usize| fetchable >> slot & 1 == 1 && self.slots[slot].cycles_left.is_none();
        let mut candidates: Vec<usize> = (0..WARPS).filter(free).collect();
        if let Some(Script { order, .. }) = &self.script {
            let next = order.front().or(candidates.first()).copied();
            let in_flight = self.slots.iter().any(|slot| slot.cycles_left.is_some());
            candidates.retain(|&slot| Some(slot) == next && !in_flight);
        }
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len() as u32) as usize])
    }

    // -- outputs -------------------------------------------------------------------------------------------------

    /// A warp fetches its next instruction.
    fn fetch(&mut self, slot: usize) {
        let (pc, lanes) = (self.module.get("fetch_pc"), self.module.get("fetch_mask"));
        assert_eq!(lanes, self.slots[slot].lanes, "lanes of warp {slot}");
        let (case, threads) = (self.case(slot), self.threads(slot, lanes));
        let blocks = &case.program.blocks;
        let goes_on = self.slots[slot].running.filter(|now| now.fetched < blocks[now.block].length);
        let now = match goes_on {
            Some(now) => Running { fetched: now.fetched + 1, ..now },
            None => {
                let block = self.addresses.iter().position(|&at| at == pc).expect("a block starts there");
                let oracle = &mut self.resident[slot / self.warps_per_cta].as_mut().unwrap().oracle;
                oracle.execute(slot, block, threads, threads);
                let to: Mask = match blocks[block].terminator {
                    Terminator::Branch => oracle.sides(block, threads, true)[1].1,
                    Terminator::Jump => threads,
                    _ => 0,
                };
                match blocks[block].terminator {
                    Terminator::Exit => oracle.live &= !threads,
                    Terminator::Barrier => oracle.waiting |= threads,
                    _ => {}
                }
                let takes = |&lane: &usize| lanes >> lane & 1 == 1 && to & self.threads(slot, 1 << lane) != 0;
                Running { block, taken: (0..LANES).filter(takes).map(|lane| 1 << lane).sum(), fetched: 1 }
            }
        };
        assert_eq!(pc, self.addresses[now.block] + 4 * (now.fetched - 1), "warp {slot}");
        self.slots[slot].running = Some(now);
        self.slots[slot].cycles_left = Some(1 + self.random.below(5));
    }

    /// The module serves a warp; so does the model.
    fn serve(&mut self) {
        let (served, arrives) = (self.module.net("served") == 1, self.module.net("arrives") == 1);
        let slot = self.module.net("event_warp.index");
        let orphan = (self.module.get("orphan_valid") == 1).then(|| self.module.get("orphan_warp"));
        let [exit, arrive] = ["exit", "arrive"].map(|what| {
            let [valid, warp, count] =
                ["valid", "warp", "count"].map(|port| self.module.get(&format!("{what}_{port}")));
            if valid == 1 { (warp, count) } else { (slot, 0) }
        });
        if !served || !arrives {
            assert_eq!((orphan, exit.1, arrive.1), (None, 0, 0));
            return;
        }
        let threads = self.threads(slot, self.slots[slot].lanes);
        let cta = slot / self.warps_per_cta;
        let resident = self.resident[cta].as_mut().expect("its CTA is resident");
        assert!(!resident.complete, "all warps had arrived");
        let warp = resident.model.warps.iter().find(|warp| warp.mask == threads).expect("the model has that warp");
        let (warp, live, waiting) = (warp.slot, resident.model.threads.live, resident.model.threads.waiting);
        let lookups = self.predictor.as_ref().map_or((0, 0), |predictor| predictor.borrow().lookups);
        let step = std::iter::repeat_with(|| resident.model.execute(warp)).find(|step| *step != Step::Runs).unwrap();
        assert!(matches!(step, Step::Arrived | Step::Last), "{step:?}");
        resident.complete = step == Step::Last;
        let count = |mask: Mask| mask.count_ones() as usize;
        let ended = count(live & !resident.model.threads.live);
        let waits = count(resident.model.threads.waiting & !waiting);
        assert_eq!((exit, arrive), ((slot, ended), (slot, waits)));
        (resident.live, resident.waiting) = (resident.live - ended, resident.waiting + waits);
        if let Some(predictor) = &self.predictor
            && predictor.borrow().config.entries > 0
        {
            let now = predictor.borrow().lookups;
            let expected = ((now.0 != lookups.0) as usize, (now.1 != lookups.1) as usize);
            assert_eq!((self.module.get("consulted"), self.module.get("hit")), expected, "the predictor");
        }
        // What of the warp is left: it goes ahead.
        let rest = resident.model.warp(warp).map_or(0, |warp| warp.mask);
        assert_eq!(orphan, (rest != threads).then_some(slot), "threads leave the warp");
        let stay = (0..LANES).filter(|lane| self.slots[slot].lanes >> lane & 1 == 1);
        let stay = stay.filter(|lane| rest & self.threads(slot, 1 << lane) != 0);
        self.slots[slot].lanes = stay.map(|lane| 1 << lane).sum();
        if let Some(script) = &mut self.script {
            assert!(script.order.pop_front().is_none_or(|next| next == slot));
            script.note("arrive", &self.resident[cta].as_ref().unwrap().model);
        }
    }

    /// An entry becomes active.
    fn activate(&mut self) {
        if self.module.net("stack.activate_valid") == 0 {
            return;
        }
        let cta = self.module.net("stack.activate_cta");
        let members = self.gathered(cta, |lane| format!("stack.members[{lane}]"));
        let (pc, position) = (self.module.net("stack.activate_pc"), self.module.net("stack.activate_index"));
        let resident = self.resident[cta].as_mut().expect("the CTA is resident");
        assert!(resident.complete, "warps are missing");
        resident.complete = false;
        let before: Vec<Mask> = resident.model.warps.iter().map(|warp| warp.mask).collect();
        self.lesson = resident.model.advance();
        let entry = resident.model.active_entry().expect("an entry runs");
        assert_eq!((pc, members), (self.addresses[entry.pc], entry.mask), "PC and threads of the entry");
        assert_eq!(position, resident.model.stack.position(entry.id), "position of the entry");
        let formed = &resident.model.warps[before.len()..];
        assert!(resident.to_form.is_empty());
        resident.to_form = formed.iter().map(|warp| warp.mask).collect();
        // The figures show what the predictor learns from it already.
        if let Some(script) = &mut self.script {
            let before = self.predictor.as_ref().map(|predictor| predictor.borrow().clone());
            self.lesson.into_iter().for_each(|lesson| resident.model.learn(lesson));
            script.note("formed", &resident.model);
            self.predictor.iter().zip(before).for_each(|(predictor, before)| *predictor.borrow_mut() = before);
        }
    }

    /// A warp begins.
    fn form(&mut self, launched: bool) {
        if self.module.get("form_valid") == 0 {
            return;
        }
        let slot = self.module.get("form_warp");
        let rows = (0..LANES).map(|lane| self.module.get(&format!("form_home_warps[{lane}]"))).collect();
        let cta = slot / self.warps_per_cta;
        self.slots[slot].rows = rows;
        if launched {
            let threads = self.resident[cta].as_ref().unwrap().model.lanes.row(slot % self.warps_per_cta);
            self.slots[slot].lanes = (threads >> (slot % self.warps_per_cta * LANES)) as usize;
            return;
        }
        let threads = self.resident[cta].as_mut().unwrap().to_form.pop_front().expect("the model has formed it");
        self.slots[slot].lanes = threads_of(threads).map(|thread| 1 << (thread % LANES)).sum();
        assert_eq!(self.threads(slot, self.slots[slot].lanes), threads, "the rows of a warp");
    }

    fn finish(&mut self) {
        if self.module.get("finished_valid") == 0 {
            return;
        }
        let cta = self.module.get("finished_warp") / self.warps_per_cta;
        let resident = self.resident[cta].as_mut().expect("the CTA is resident");
        if std::mem::take(&mut resident.complete) {
            assert_eq!(resident.model.advance(), None);
        }
        resident.finished += 1;
        if resident.finished == self.warps_per_cta {
            resident.model.assert_finished();
            resident.oracle.assert_finished();
            self.coverage.add(&resident.model.coverage());
            self.depth[1] = self.depth[1].max(resident.model.stack.depth);
            self.resident[cta] = None;
        }
    }

    /// Between events, what the module remembers of each CTA.
    fn check_state(&self) {
        for (cta, resident) in self.resident.iter().enumerate() {
            let Some(Resident { model, to_launch, complete: false, to_form, finished: 0, .. }) = resident else {
                continue;
            };
            if !to_launch.is_empty() {
                continue;
            }
            // The first side runs already, the others are on their way into the stack.
            if self.module.net("stack.placing") >> (cta * self.warps_per_cta) & 1 == 1 {
                continue;
            }
            let entry = model.active_entry().expect("an entry runs");
            let column = |what| self.gathered(cta, |lane| format!("stack.columns[{lane}].{what}"));
            let [low, top] = [0, 1].map(|side| model.staged.as_ref().map_or(0, |sides| sides[side].mask));
            let found = ["live", "low", "top", "bypassed"].map(column);
            assert_eq!(found, [model.threads.live, low, top, model.ahead()], "live, low, top, bypassed threads");
            let count = self.module.net(&format!("stack.counts[0].warp_count[{cta}]"));
            assert_eq!(count + to_form.len(), entry.warps, "warps that have not arrived");
        }
    }
}

impl Script {
    fn note(&mut self, what: &str, model: &Cta) {
        let predictor = model.predictor_row().map_or(String::new(), |row| format!(" ; {row}"));
        self.trace.push(format!("{what}: {}{predictor}", model.rows(self.names)));
    }
}

fn config(mechanism: Mechanism, likely_convergence: bool, taken_first: bool) -> CoreConfig {
    CoreConfig {
        lanes: LANES,
        warps: WARPS,
        cta_slots: SLOTS,
        stack_depth: 40,
        mechanism,
        likely_convergence,
        taken_first,
        ..CoreConfig::tiny()
    }
}

fn module(config: &CoreConfig) -> ModuleSimulator {
    let mut module = ModuleSimulator::new(ThreadBlockCompaction::new(config), &NETS);
    module.reset();
    module
}

/// A worked example, event by event.
fn replay(example: &golden::Example) {
    let golden::Example { mechanism, taken_first, .. } = *example;
    let mut module = module(&config(mechanism, false, taken_first));
    let options = Options { mechanism, likely_convergence: false, taken_first, compaction: true };
    let cases = [example.case()];
    let warps = cases[0].paths.len() / LANES;
    let mut bench = Bench::new(&mut module, options, warps, &cases, Random::new(1));
    let order = example.order.iter().copied().collect();
    bench.script = Some(Script { order, names: example.names, trace: vec![] });
    bench.run();
    let expected: Vec<&str> = example.trace.trim().lines().map(str::trim).collect();
    assert_eq!(bench.script.unwrap().trace[..expected.len()], expected, "{}", example.title);
}

#[test]
fn worked_examples_of_the_papers() {
    for example in [golden::rhu_4_2(), golden::rhu_4_8(), golden::fung_7(), golden::fung_9()] {
        replay(&example);
    }
}

/// Random launches of one configuration.
fn lockstep(mechanism: Mechanism, likely_convergence: bool, taken_first: bool) -> Coverage {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut module = module(&config(mechanism, likely_convergence, taken_first));
    let mut coverage = Coverage::default();
    let passed_point = [generator::passed_point()];
    let options = Options { mechanism, likely_convergence, taken_first, compaction: true };
    coverage.add(&Bench::new(&mut module, options, 3, &passed_point, Random::new(0)).run());
    for seed in 1..=programs {
        let mut random = Random::new(seed);
        let warps_per_cta = [1, 2, 2, 3, 4, 4, 8][random.below(7) as usize];
        let threads = warps_per_cta * LANES - random.below(LANES as u32) as usize;
        let ctas = 1 + random.below(6.min(127 / threads) as u32) as usize;
        let program = match random.word() {
            word if likely_convergence && random.below(3) != 0 => word / 3 * 3, // with points anywhere
            word => word,
        };
        let all = generator::any(program.into(), threads * ctas);
        let cases = all.paths.chunks(threads).map(|paths| Case { program: all.program.clone(), paths: paths.to_vec() });
        let cases: Vec<Case> = cases.collect();
        let options = Options { mechanism, likely_convergence, taken_first, compaction: random.below(8) != 0 };
        let run = AssertUnwindSafe(|| Bench::new(&mut module, options, warps_per_cta, &cases, random).run());
        match catch_unwind(run) {
            Ok(run) => coverage.add(&run),
            Err(fault) => {
                eprintln!("seed {seed}, {options:?}, {ctas} CTAs of {threads} threads: {:?}", all.program);
                resume_unwind(fault)
            }
        }
    }
    coverage
}

/// Both kinds of stack, and both orders of the sides; the rules that must have taken effect.
fn lockstep_all(mechanism: Mechanism, rules: &[&str]) {
    let mut coverage = Coverage::default();
    for likely_convergence in [false, true] {
        coverage.add(&lockstep(mechanism, likely_convergence, likely_convergence));
    }
    let stack = ["2 slot reuse", "4 hole", "7 exit", "8 inherit", "8 chain", "9 merge", "11 yield", "11 fallback"];
    for rule in stack.iter().chain(rules) {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect:\n{coverage}");
    }
}

#[test]
fn tbc() {
    lockstep_all(Mechanism::Tbc, &[]);
}

#[test]
#[ignore = "long: compiles two more units; runs in .ci/run"]
fn tbc_plus() {
    lockstep_all(Mechanism::TbcPlus, &["14 uniform mark"]);
}

fn capri(history: AdequacyHistory, entries: usize) {
    let evicts = entries == 2;
    let rules: &[&str] = match (history, entries) {
        (_, 0) | (AdequacyHistory::Sticky, _) => &["16 bypass", "18 refused", "19 excluded"],
        _ => &["16 bypass", "17 second path", "18 refused", "19 excluded", "20 evaluated"],
    };
    let evicted: &[&str] = if evicts { &["20 evicted"] } else { &[] };
    lockstep_all(Mechanism::Capri(AdequacyPredictor { entries, history }), &[rules, evicted].concat());
}

#[test]
#[ignore = "long: compiles two more units; runs in .ci/run"]
fn capri_without_a_table() {
    capri(AdequacyHistory::Latest, 0);
}

#[test]
fn capri_latest() {
    capri(AdequacyHistory::Latest, 2);
}

#[test]
#[ignore = "long: compiles four more units; runs in .ci/run"]
fn capri_latest_with_larger_tables() {
    [4, 32].into_iter().for_each(|entries| capri(AdequacyHistory::Latest, entries));
}

#[test]
#[ignore = "long: compiles six more units; runs in .ci/run"]
fn capri_sticky() {
    [2, 4, 32].into_iter().for_each(|entries| capri(AdequacyHistory::Sticky, entries));
}

#[test]
#[ignore = "long: compiles six more units; runs in .ci/run"]
fn capri_two_bit() {
    [2, 4, 32].into_iter().for_each(|entries| capri(AdequacyHistory::TwoBit, entries));
}
