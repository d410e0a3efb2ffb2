//! [`DynamicWarpFormation`] under random programs in which every thread goes its own way.
//!
//! The module is driven as the core would. *In lockstep* a warp issues only when the one before it has been served, nobody without a slot could
//! get one, and all others wait in the buffer: then slot, PC and threads must be those that the executable specification chooses, whatever has been joined, parked and relieved before.
//! *Freely*, warps overlap, wait in the buffer and for their registers; the bench follows threads: whoever issues must be at the PC that was
//! fetched, on its own way through the program, and nowhere else in the pipeline. Barriers open when the module has counted every
//! thread. At the end all threads have gone their whole ways. Where warps are formed from threads of several CTAs, the threads of a program are shared out
//! among CTAs of any size, each with barriers of its own.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test dynamic_warp_formation -- --include-ignored` runs more.
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::config::{
    CoreConfig, FormationHazards, FormationScope, IssuePolicy, Mechanism, Permutation, WarpFormation,
};
use warploom_hdl::divergence::DynamicWarpFormation;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::locks;
use warploom_verification::divergence_model::{
    Case, DynamicWarps, Formation, Lanes, Mask, Terminator, generator, golden, threads_of,
};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
/// Cycles in which nothing is formed: nobody without a slot can get one.
const QUIET: u32 = 12;

/// A unit and how it is built.
struct Unit {
    module: ModuleSimulator,
    /// Left behind by the last CTA in lockstep.
    pressure: usize,
    warps: usize,
    how: WarpFormation,
    warp_barriers: bool,
    mixes_ctas: bool,
}

impl Unit {
    fn new(warps: usize, mechanism: Mechanism) -> Self {
        let config = CoreConfig { warps, mechanism, ..CoreConfig::tiny() };
        let (Mechanism::WarpFormation(how) | Mechanism::WarpBarriers(how)) = mechanism else {
            panic!("{mechanism} does not regroup threads")
        };
        let mut module = ModuleSimulator::new(DynamicWarpFormation::new(&config, how), &[]);
        for input in
            ["launch_valid", "decoded_valid", "decoded_join", "resolve_valid", "barrier_release", "issue_valid"]
        {
            module.set(input, 0u64);
        }
        (0..warps).for_each(|warp| module.set(&format!("warp_slot[{warp}]"), 0u64));
        module.reset();
        let (warp_barriers, mixes_ctas) = (config.has_warp_barriers(), config.mixes_ctas());
        (0..config.where_mixed(warps)).for_each(|warp| module.set(&format!("home_slots[{warp}]"), 0u64));
        Self { module, pressure: 0, warps, how, warp_barriers, mixes_ctas }
    }

    /// The threads of CTAs that fill it: one, or several of any size if their threads may be in a warp together.
    fn ctas(&self, random: &mut Random) -> Vec<usize> {
        let (mut rows, mut ctas) = (self.warps, vec![]);
        while rows > 0 {
            let of_cta = if self.mixes_ctas { 1 + random.below(rows as u32) as usize } else { rows };
            ctas.push(of_cta * LANES - random.below(LANES as u32) as usize);
            rows -= of_cta;
        }
        ctas
    }

    /// What the model is to do.
    fn formation(&self) -> Formation {
        let WarpFormation { policy, sides, lut_entries, age_limit, relief, .. } = self.how;
        Formation {
            policy,
            slots: sides * self.warps,
            entries: lut_entries,
            age_limit,
            relief,
            taken_first: true,
            warp_barriers: self.warp_barriers,
        }
    }
}

/// An instruction on its way.
#[derive(Clone, Copy)]
struct Instruction {
    slot: usize,
    block: usize,
    /// Instructions of the block before it.
    place: usize,
    is_last: bool,
    /// Its threads, when it has issued.
    mask: Mask,
    /// Cycles until it resolves, and until its register is there.
    resolves: u32,
    pends: u32,
    /// Its threads have left the slot with the register pending, as the scoreboard has been told.
    is_orphaned: bool,
}

/// Where a thread is.
#[derive(Clone, Copy, Default)]
struct Position {
    /// Blocks behind it, and instructions issued of the one it is in.
    blocks: usize,
    issued: usize,
    is_busy: bool,
    waits: bool,
    has_ended: bool,
}

/// One launch of one CTA, or of several.
struct Bench<'a> {
    unit: &'a mut Unit,
    case: &'a Case,
    lanes: Lanes,
    /// By thread: row and lane.
    homes: Vec<(usize, usize)>,
    addresses: Vec<usize>,
    /// In lockstep: what is to happen.
    model: Option<DynamicWarps<'a>>,
    random: Random,
    positions: Vec<Position>,
    /// By slot and lane.
    rows: Vec<[usize; LANES]>,
    /// By slot: a warp has been formed and has not issued.
    open: Vec<bool>,
    /// By side: slots whose instruction waits for a result.
    waits: Vec<u64>,
    to_launch: VecDeque<usize>,
    in_decode: Option<Instruction>,
    /// By slot.
    buffers: Vec<Option<Instruction>>,
    issued: Vec<Instruction>,
    /// By CTA.
    arrived: Vec<usize>,
    ended: Vec<usize>,
    opens_in: Option<u32>,
    finished: usize,
    quiet: u32,
    /// Block and threads of every warp that has issued.
    log: Vec<(usize, Mask)>,
    merged: usize,
    relieved: usize,
    evicted: usize,
    diverged: usize,
    /// Warps that have issued with threads of several CTAs.
    mixed: usize,
}

impl<'a> Bench<'a> {
    fn new(unit: &'a mut Unit, case: &'a Case, ctas: &[usize], in_lockstep: bool, random: Random) -> Self {
        let lanes = Lanes::of_ctas(ctas, LANES, Permutation::None);
        let slots = unit.how.sides * unit.warps;
        assert_eq!((lanes.rows, ctas.iter().sum()), (unit.warps, case.paths.len()));
        let places = || (0..lanes.rows).flat_map(|row| (0..LANES).map(move |lane| (row, lane)));
        let home = |thread| places().find(|&(row, lane)| lanes.thread(row, lane) == Some(thread));
        let homes: Vec<(usize, usize)> = (0..case.paths.len()).map(|thread| home(thread).expect("a place")).collect();
        if unit.mixes_ctas {
            for (cta, threads) in lanes.ctas.iter().enumerate() {
                let rows = threads_of(*threads).map(|thread| homes[thread].0);
                rows.for_each(|row| unit.module.set(&format!("home_slots[{row}]"), cta));
            }
        }
        let mut model = in_lockstep.then(|| DynamicWarps::new(case, lanes.clone(), unit.formation()));
        if let Some(model) = &mut model {
            model.pressure = unit.pressure;
        }
        Self {
            model,
            addresses: case.program.addresses(),
            positions: vec![Position::default(); case.paths.len()],
            rows: vec![[0; LANES]; slots],
            open: vec![false; slots],
            waits: vec![0; unit.how.sides],
            to_launch: (0..unit.warps).collect(),
            in_decode: None,
            buffers: vec![None; slots],
            issued: vec![],
            arrived: vec![0; ctas.len()],
            ended: vec![0; ctas.len()],
            opens_in: None,
            finished: 0,
            quiet: 0,
            log: vec![],
            merged: 0,
            relieved: 0,
            evicted: 0,
            diverged: 0,
            mixed: 0,
            lanes,
            homes,
            unit,
            case,
            random,
        }
    }

    fn run(&mut self) {
        // Paths have an end: as long as something issues, this has one.
        let (mut issues, mut silence) = (0, 0);
        while silence < 5_000 {
            self.cycle();
            silence = if self.log.len() > issues { 0 } else { silence + 1 };
            issues = self.log.len();
            if self.finished == self.unit.warps {
                let on_its_way = |thread: usize| self.positions[thread].blocks < self.case.paths[thread].len();
                assert!(!(0..self.positions.len()).any(on_its_way), "a thread has not gone its whole way");
                if let Some(model) = &self.model {
                    model.assert_finished();
                    assert_eq!(self.diverged, model.divergences, "warps diverge while they are whole");
                    self.unit.pressure = model.pressure;
                }
                for side in 0..self.unit.how.sides {
                    assert_eq!(self.unit.module.get(&format!("present[{side}]")), 0, "a slot is used");
                }
                return;
            }
        }
        panic!("deadlock: {:?} have arrived, {:?} ended", self.arrived, self.ended);
    }

    fn cycle(&mut self) {
        let launches = self.offer_launch();
        self.drive_decode();
        self.open_barrier();
        let resolved = self.resolve();
        let sides = self.unit.how.sides;
        // Who waits is not chosen, whatever the policy says: of this the model knows nothing.
        let waiting = if self.model.is_some() { 0 } else { 20 };
        for side in 0..sides {
            let (mut valid, mut pending) = (0u64, 0u64);
            for warp in 0..self.unit.warps {
                let slot = side * self.unit.warps + warp;
                valid |= u64::from(self.buffers[slot].is_some()) << warp;
                let pends = |i: &Instruction| i.slot == slot && i.pends > 0;
                pending |= u64::from(self.issued.iter().any(pends)) << warp;
            }
            self.unit.module.set(&format!("slot_valid[{side}]"), valid);
            match self.unit.how.hazards {
                FormationHazards::Drain => self.unit.module.set(&format!("slot_pending[{side}]"), pending),
                FormationHazards::Orphans => {
                    self.waits[side] = (0..self.unit.warps)
                        .fold(0, |waits, warp| waits | u64::from(self.random.below(100) < waiting) << warp);
                    self.unit.module.set(&format!("slot_waits[{side}]"), self.waits[side]);
                }
            }
        }
        self.unit.module.set("issue_valid", 0u64);
        self.unit.module.evaluate();
        let fetches = self.fetchable().filter(|_| self.random.below(100) < 90);
        if let Some(slot) = fetches {
            self.unit.module.set("fetch_warp", slot);
        }
        let issues = self.issuable().filter(|_| self.may_issue());
        if let Some(slot) = issues {
            self.unit.module.set("issue_valid", 1u64);
            self.unit.module.set("issue_warp", slot);
        }
        self.unit.module.step();

        if launches && self.unit.module.get("launch_ready") == 1 {
            self.to_launch.pop_front();
        }
        let fetched = fetches.map(|slot| self.fetch(slot));
        let issued = issues.map(|slot| self.issue(slot));
        self.take_form();
        self.count();
        self.advance_pipeline();
        self.issued.extend(issued);
        if let Some(instruction) = self.in_decode.take() {
            self.buffers[instruction.slot] = Some(instruction);
        }
        self.in_decode = fetched;
        if let (Some(slot), Some(model)) = (resolved, &mut self.model) {
            model.resolve(slot);
        }
    }

    // -- inputs --------------------------------------------------------------------------------------------------

    fn offer_launch(&mut self) -> bool {
        // One cycle after the other where threads of one CTA may meet those of the next as they start.
        let several = self.lanes.ctas.len() > 1;
        let warp = self.to_launch.front().copied().filter(|_| several || self.random.below(100) < 80);
        self.unit.module.idle("launch");
        self.unit.module.set("launch_valid", warp.is_some() as u64);
        let Some(warp) = warp else { return false };
        self.quiet = 0;
        let mask = threads_of(self.lanes.row(warp)).fold(0, |mask, thread| mask | 1u64 << self.homes[thread].1);
        self.unit.module.set("launch_warp", warp);
        self.unit.module.set("launch_pc", 0u64);
        self.unit.module.set("launch_mask", mask);
        true
    }

    fn drive_decode(&mut self) {
        self.unit.module.idle("decoded");
        self.unit.module.set("decoded_join", 0u64);
        if let Some(Instruction { slot, block, is_last, .. }) = self.in_decode {
            let falls = self.case.program.blocks[block].terminator == Terminator::Fall;
            self.unit.module.set("decoded_valid", 1u64);
            self.unit.module.set("decoded_warp", slot);
            self.unit.module.set("decoded_control", (is_last && !falls) as u64);
            self.unit.module.set("decoded_join", (is_last && falls) as u64);
        }
    }

    fn open_barrier(&mut self) {
        let live = |cta: usize| self.lanes.ctas[cta].count_ones() as usize - self.ended[cta];
        let waits = |cta: &usize| self.arrived[*cta] > 0 && self.arrived[*cta] == live(*cta);
        let waiting: Vec<usize> = (0..self.arrived.len()).filter(waits).collect();
        if !waiting.is_empty() && self.opens_in.is_none() {
            // In lockstep, when threads of other CTAs have their slots.
            let pause = if self.model.is_some() && self.lanes.ctas.len() > 1 { QUIET } else { 0 };
            self.opens_in = Some(pause + self.random.below(6));
        }
        let opens = self.opens_in == Some(0);
        self.opens_in = self.opens_in.and_then(|cycles| cycles.checked_sub(1));
        let mut release = 0u64;
        for cta in waiting.into_iter().filter(|_| opens) {
            release |= 1 << cta;
            self.arrived[cta] = 0;
            self.quiet = 0;
            threads_of(self.lanes.ctas[cta]).for_each(|thread| self.positions[thread].waits = false);
        }
        self.unit.module.set("barrier_release", release);
    }

    /// Blocks that fall through end when their last instruction has issued, and a control instruction leaves the pipeline with its outcome. Returns the last
    /// slot.
    fn resolve(&mut self) -> Option<usize> {
        self.unit.module.idle("resolve");
        let falls = |case: &Case, i: &Instruction| case.program.blocks[i.block].terminator == Terminator::Fall;
        let mut last = None;
        while let Some(at) = self.issued.iter().position(|i| i.is_last && falls(self.case, i)) {
            last = Some(self.end_block(at));
        }
        match self.issued.iter().position(|i| i.is_last && i.resolves == 0) {
            Some(at) => Some(self.end_block(at)),
            None => last,
        }
    }

    fn end_block(&mut self, at: usize) -> usize {
        let Instruction { slot, block, mask, .. } = self.issued[at];
        self.issued[at].is_last = false;
        self.quiet = 0;
        let block_end = &self.case.program.blocks[block];
        let (mut lanes, mut taken) = (0, 0);
        for thread in threads_of(mask) {
            let position = &mut self.positions[thread];
            position.blocks += 1;
            position.issued = 0;
            position.is_busy = false;
            position.waits = block_end.terminator == Terminator::Barrier;
            position.has_ended = block_end.terminator == Terminator::Exit;
            let goes = matches!(block_end.terminator, Terminator::Branch | Terminator::Jump);
            let next = self.case.paths[thread].get(position.blocks);
            let lane = self.homes[thread].1;
            lanes |= 1 << lane;
            taken |= usize::from(goes && next == Some(&block_end.successors[0])) << lane;
        }
        if block_end.terminator != Terminator::Fall {
            self.unit.module.resolve(&self.case.program, slot, block, [lanes, taken]);
        }
        slot
    }

    /// Slots of which this is said, by side.
    fn slots_of(&self, name: &str) -> Vec<usize> {
        let sets = (0..self.unit.how.sides).map(|side| self.unit.module.get(&format!("{name}[{side}]")));
        let places = sets.enumerate().flat_map(|(side, set)| {
            let warps = (0..self.unit.warps).filter(move |warp| set >> warp & 1 == 1);
            warps.map(move |warp| (side, warp))
        });
        places.map(|(side, warp)| side * self.unit.warps + warp).collect()
    }

    fn any_of(&mut self, slots: &[usize]) -> Option<usize> {
        (!slots.is_empty()).then(|| slots[self.random.below(slots.len() as u32) as usize])
    }

    /// Somebody who can be fetched, as FETCH sees it.
    fn fetchable(&mut self) -> Option<usize> {
        let mut slots = self.slots_of("fetchable");
        slots.retain(|&slot| self.buffers[slot].is_none() && self.in_decode.is_none_or(|i| i.slot != slot));
        self.any_of(&slots)
    }

    /// Somebody in the buffer who may issue: any warp that has, and one that has not.
    fn issuable(&mut self) -> Option<usize> {
        let held = self.slots_of("hold");
        let in_buffer = (0..self.buffers.len()).filter(|&slot| self.buffers[slot].is_some());
        let waits = |slot: usize| self.waits[slot / self.unit.warps] >> (slot % self.unit.warps) & 1 == 1;
        let slots: Vec<usize> = in_buffer.filter(|slot| !held.contains(slot) && !waits(*slot)).collect();
        assert!(slots.iter().filter(|&&slot| self.open[slot]).count() < 2, "one warp is chosen");
        assert!(held.iter().all(|&slot| self.open[slot]), "who has issued is not held");
        self.any_of(&slots)
    }

    fn may_issue(&mut self) -> bool {
        if self.model.is_none() {
            return self.random.below(100) < 60;
        }
        self.quiet >= QUIET
            && self.to_launch.is_empty()
            && self.in_decode.is_none()
            && self.issued.is_empty()
            && self.opens_in.is_none()
    }

    // -- outputs -------------------------------------------------------------------------------------------------

    fn fetch(&mut self, slot: usize) -> Instruction {
        self.quiet = 0;
        let pc = self.unit.module.get("fetch_pc");
        let block = self.addresses.iter().rposition(|&address| address <= pc).expect("it is in a block");
        let (place, length) = ((pc - self.addresses[block]) / 4, self.case.program.blocks[block].length);
        assert!(place < length, "{pc:x} is in block {block}");
        Instruction {
            slot,
            block,
            place,
            is_last: place + 1 == length,
            mask: 0,
            resolves: 0,
            pends: 0,
            is_orphaned: false,
        }
    }

    fn issue(&mut self, slot: usize) -> Instruction {
        let instruction = self.buffers[slot].take().expect("it is in the buffer");
        let Instruction { block, place, is_last, .. } = instruction;
        let lanes = self.unit.module.get("issue_mask");
        assert_ne!(lanes, 0, "slot {slot} has threads");
        let in_lanes = (0..LANES).filter(|lane| lanes >> lane & 1 == 1);
        let thread = |lane| self.lanes.thread(self.rows[slot][lane], lane).expect("a thread is at home there");
        let threads: Vec<usize> = in_lanes.map(thread).collect();
        let mask = threads.iter().fold(0, |mask, thread| mask | 1 << thread);
        for &thread in &threads {
            let position = &mut self.positions[thread];
            assert!(!position.is_busy && !position.waits && !position.has_ended, "thread {thread} can go on");
            assert_eq!(self.case.paths[thread].get(position.blocks), Some(&block), "thread {thread} is in the block");
            assert_eq!(position.issued, place, "thread {thread} is with the others");
            position.issued += 1;
            position.is_busy = is_last;
        }
        assert_eq!(self.open[slot], place == 0, "slot {slot} is open until its first instruction");
        self.open[slot] = false;
        if place == 0 {
            self.log.push((block, mask));
            self.mixed += usize::from(self.lanes.ctas.iter().filter(|cta| *cta & mask != 0).count() > 1);
        }
        if let Some(model) = &mut self.model {
            let expected = model.choose(&model.ready());
            let warp = model.issue(expected);
            assert_eq!(
                (slot, block, mask),
                (expected, warp.pc, warp.mask),
                "slot, block and threads after {:?}",
                self.log
            );
        }
        let mut random = |most: u32| self.random.below(most);
        let (resolves, pends) = (1 + random(4), [0, 0, 1 + random(20)][random(3) as usize]);
        Instruction { mask, resolves, pends, ..instruction }
    }

    fn take_form(&mut self) {
        self.quiet += 1;
        self.merged += self.unit.module.get("merged");
        self.relieved += self.unit.module.get("pool_events_relieved");
        self.evicted += self.unit.module.get("pool_events_evicted");
        if self.unit.warp_barriers {
            self.diverged += self.unit.module.get("pool_events_diverged[0]");
        }
        if self.unit.how.hazards == FormationHazards::Orphans {
            let left: Vec<u64> =
                (0..self.unit.how.sides).map(|side| self.unit.module.get(&format!("left[{side}]")) as u64).collect();
            let warps = self.unit.warps;
            let leaves = |i: &&mut Instruction| left[i.slot / warps] >> (i.slot % warps) & 1 == 1;
            self.issued.iter_mut().filter(leaves).for_each(|instruction| instruction.is_orphaned = true);
        }
        if self.unit.module.get("form_valid") == 0 {
            return;
        }
        self.quiet = 0;
        let mut formed = vec![];
        for lane in 0..LANES {
            let side = self.unit.module.get(&format!("form_sides[{lane}]"));
            if side != 0 {
                assert!(side.is_power_of_two());
                let warp = self.unit.module.get(&format!("form_warps[{lane}]"));
                let slot = side.ilog2() as usize * self.unit.warps + warp;
                let is_empty = self.buffers[slot].is_none() && self.in_decode.is_none_or(|i| i.slot != slot);
                let pends = self.issued.iter().any(|i| i.slot == slot && i.pends > 0 && !i.is_orphaned);
                assert!(is_empty || self.open[slot], "slot {slot} is formed while its last warp is at work");
                assert!(!pends, "slot {slot} is formed while its last warp has a register pending");
                formed.push(slot);
                self.rows[slot][lane] = self.unit.module.get(&format!("form_home_warps[{lane}]"));
            }
        }
        formed.into_iter().for_each(|slot| self.open[slot] = true);
    }

    fn count(&mut self) {
        for (what, sum) in [("exit", &mut self.ended), ("arrive", &mut self.arrived)] {
            if self.unit.module.get(&format!("{what}_valid")) == 1 {
                let by_cta = |cta| format!("cta_threads[{cta}]");
                for (cta, sum) in sum.iter_mut().enumerate() {
                    let count = if self.unit.mixes_ctas { by_cta(cta) } else { format!("{what}_count") };
                    *sum += self.unit.module.get(&count);
                }
            }
        }
        if self.unit.module.get("finished_valid") == 1 {
            let warp = self.unit.module.get("finished_warp");
            let mut threads = threads_of(self.lanes.row(warp));
            assert!(threads.all(|thread| self.positions[thread].has_ended), "warp {warp} has ended");
            self.finished += 1;
        }
    }

    fn advance_pipeline(&mut self) {
        if !self.issued.is_empty() {
            self.quiet = 0;
        }
        for instruction in &mut self.issued {
            instruction.resolves = instruction.resolves.saturating_sub(1);
            instruction.pends = instruction.pends.saturating_sub(1);
        }
        self.issued.retain(|i| i.is_last || i.pends > 0);
    }
}

/// Blocks of one instruction, the last of a block that falls through included.
fn short_blocks(mut case: Case) -> Case {
    case.program.blocks.iter_mut().for_each(|block| block.length = 1);
    case
}

fn units() -> impl Iterator<Item = Mechanism> {
    let scoped = |scope, policy, sides, lut_entries, age_limit, relief| WarpFormation {
        policy,
        sides,
        lut_entries,
        age_limit,
        relief,
        scope,
        ..WarpFormation::DEFAULT
    };
    let how = |policy, sides, lut_entries, age_limit, relief| {
        scoped(FormationScope::Cta, policy, sides, lut_entries, age_limit, relief)
    };
    let at_once = |how| WarpFormation { hazards: FormationHazards::Orphans, ..how };
    let in_core = |policy, sides, lut_entries, age_limit, relief| {
        scoped(FormationScope::Core, policy, sides, lut_entries, age_limit, relief)
    };
    [
        Mechanism::WarpFormation(how(IssuePolicy::Majority, 2, 32, 1024, 16)),
        Mechanism::WarpFormation(how(IssuePolicy::Minority, 1, 8, 16, 2)),
        Mechanism::WarpFormation(how(IssuePolicy::Oldest, 2, 8, 0, 4)),
        Mechanism::WarpFormation(at_once(how(IssuePolicy::LowestPc, 1, 8, 4, 1))),
        Mechanism::WarpBarriers(how(IssuePolicy::Majority, 1, 32, 1024, 16)),
        Mechanism::WarpBarriers(how(IssuePolicy::Minority, 2, 8, 16, 1)),
        Mechanism::WarpBarriers(how(IssuePolicy::Oldest, 1, 8, 0, 2)),
        Mechanism::WarpBarriers(how(IssuePolicy::LowestPc, 2, 8, 16, 4)),
        Mechanism::WarpFormation(in_core(IssuePolicy::Majority, 2, 32, 1024, 16)),
        Mechanism::WarpFormation(in_core(IssuePolicy::LowestPc, 1, 8, 16, 2)),
        Mechanism::WarpBarriers(in_core(IssuePolicy::Oldest, 1, 8, 16, 2)),
        Mechanism::WarpBarriers(at_once(in_core(IssuePolicy::Minority, 2, 8, 16, 4))),
    ]
    .into_iter()
}

fn programs() -> u64 {
    std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// Random programs on one unit; how often threads have joined, warps have given up their slots, entries have given way, whole warps have diverged, and
/// warps had threads of several CTAs.
fn run_all(mechanism: Mechanism, in_lockstep: bool) -> [usize; 5] {
    let mut unit = Unit::new(4, mechanism);
    let mut events = [0; 5];
    for seed in 1..=programs() {
        let mut random = Random::new(seed);
        let ctas = unit.ctas(&mut random);
        let case = generator::any(seed, ctas.iter().sum());
        let case = if in_lockstep { short_blocks(case) } else { case };
        let mut bench = Bench::new(&mut unit, &case, &ctas, in_lockstep, random);
        let run = catch_unwind(AssertUnwindSafe(|| bench.run()));
        run.unwrap_or_else(|fault| {
            eprintln!("seed {seed}, {mechanism:?}, CTAs of {ctas:?}: {case:?}");
            resume_unwind(fault)
        });
        let seen = [bench.merged, bench.relieved, bench.evicted, bench.diverged, bench.mixed];
        events.iter_mut().zip(seen).for_each(|(sum, count)| *sum += count);
        // The age of a warp is counted from the launch before.
        unit.module.reset();
    }
    events
}

#[test]
fn in_lockstep_with_the_specification() {
    let all: Vec<[usize; 5]> = units().map(|mechanism| run_all(mechanism, true)).collect();
    for (event, what) in ["join", "relief", "eviction", "divergence", "warp of several CTAs"].iter().enumerate() {
        assert!(all.iter().any(|events| events[event] > 0), "no {what}");
    }
}

#[test]
fn threads_keep_to_their_ways_when_warps_overlap() {
    for mechanism in units() {
        let events = run_all(mechanism, false);
        assert!(events[0] > 0, "nobody joins under {mechanism:?}");
        assert_eq!(events[4] > 0, mechanism.traits().mixes_ctas, "warps of several CTAs under {mechanism:?}");
    }
}

/// Warps that are served before a program is one without an end.
const MOST_WARPS: usize = 20_000;

/// The paths of a run of the specification, if it ends; and how often rules took effect that keep it from running for ever.
fn locked(program: &locks::Locks, unit: &Unit) -> Option<(Case, [usize; 2])> {
    let lanes = Lanes::new(program.case.paths.len(), LANES, Permutation::None);
    let mut model = DynamicWarps::waiting(program, lanes, unit.formation());
    model.pressure = unit.pressure;
    let mut paths = vec![vec![]; program.case.paths.len()];
    for _ in 0..MOST_WARPS {
        let ready = model.ready();
        if ready.is_empty() {
            break;
        }
        let slot = model.choose(&ready);
        let warp = model.issue(slot);
        threads_of(warp.mask).for_each(|thread| paths[thread].push(warp.pc));
        model.resolve(slot);
    }
    if !model.has_ended() {
        return None;
    }
    model.assert_finished();
    let effects = ["DWF age", "DWF relief"].map(|rule| model.coverage.count(rule) as usize);
    Some((Case { program: program.case.program.clone(), paths }, effects))
}

fn with_an_age_limit(mechanism: Mechanism) -> Mechanism {
    mechanism.entry().choice("age_limit").expect("it is a choice").with(mechanism, 16)
}

/// Programs whose threads wait for one another. The model says how they go, and the hardware goes the same way. They end, but with warp barriers only some of
/// them: whoever has a lock may wait there for those who want it.
#[test]
fn in_lockstep_where_threads_wait_for_one_another() {
    let mut effects = [0; 2];
    for mechanism in units().map(with_an_age_limit) {
        let mut unit = Unit::new(4, mechanism);
        let mut without_end = 0;
        for seed in 0..programs() / 4 {
            let mut program = match seed {
                0 => locks::spin_lock(4 * LANES),
                1 => locks::ticket_lock(4 * LANES),
                2 => locks::chain(4 * LANES),
                seed => locks::any(seed, 4 * LANES),
            };
            program.case = short_blocks(program.case);
            let Some((case, seen)) = locked(&program, &unit) else {
                without_end += 1;
                continue;
            };
            effects.iter_mut().zip(seen).for_each(|(sum, count)| *sum += count);
            let mut bench = Bench::new(&mut unit, &case, &[4 * LANES], true, Random::new(seed));
            let run = catch_unwind(AssertUnwindSafe(|| bench.run()));
            run.unwrap_or_else(|fault| {
                eprintln!("seed {seed}, {mechanism:?}: {case:?}");
                resume_unwind(fault)
            });
            unit.module.reset();
        }
        let some_end =
            if unit.warp_barriers { 0 < without_end && without_end < programs() / 4 } else { without_end == 0 };
        assert!(some_end, "{without_end} programs have no end under {mechanism:?}");
    }
    assert!(effects.iter().all(|count| *count > 0), "{effects:?}");
}

/// A barrier of the CTA right before that of a warp: threads come to the second from where they were parked, and leave the slot that they were to get.
#[test]
fn in_lockstep_where_a_barrier_ends_a_side() {
    let case = Case::parse("A>D,B B!>C C>E D!>E E", &["ABCE", "ADE"].repeat(2 * LANES));
    for mechanism in units() {
        let mut unit = Unit::new(4, mechanism);
        for seed in 0..8 {
            Bench::new(&mut unit, &case, &[4 * LANES], true, Random::new(seed)).run();
            unit.module.reset();
        }
    }
}

/// Fung & Aamodt 2011, Figure 7: the order of the warps under every policy.
#[test]
fn policies_on_the_program_of_fung_figure_7() {
    let case = golden::fung_7().case();
    let goldens = |golden| std::iter::repeat(golden);
    let without = golden::FUNG_7_DWF.iter().zip(goldens(Mechanism::WarpFormation as fn(_) -> _));
    let with = [&golden::FUNG_7_DWF_WB].into_iter().zip(goldens(Mechanism::WarpBarriers));
    for (&(policy, slots, expected, _), mechanism) in without.chain(with) {
        let how = WarpFormation { policy, sides: slots / 2, ..WarpFormation::DEFAULT };
        let mut unit = Unit::new(2, mechanism(how));
        let mut bench = Bench::new(&mut unit, &case, &[2 * LANES], true, Random::new(1));
        bench.run();
        let show = |&(block, mask): &(usize, Mask)| {
            let lane = |lane| threads_of(mask).find(|thread| thread % LANES == lane);
            let name = |lane: Option<usize>| lane.map_or('-', |thread| golden::FROM_ONE.as_bytes()[thread] as char);
            format!("{}:{}", (b'A' + block as u8) as char, (0..LANES).map(|l| name(lane(l))).collect::<String>())
        };
        let got: Vec<String> = bench.log.iter().map(show).collect();
        assert_eq!(got.join(" "), expected, "{policy:?}, {slots} slots");
    }
}
