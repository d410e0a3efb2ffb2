//! Thread block compaction, TBC+ and CAPRI: a stack per CTA, whose warps gather and are formed anew.
use warploom_hdl::config::Mechanism;

use super::{Case, Coverage, Entry, Lanes, Mask, Rule, SharedPredictor, Stack, Terminator, Threads, threads_of};

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("13 commit", "both staged sides of a branch become entries"),
    ("14 uniform mark", "a branch marked uniform passes without gathering"),
    ("15 agreement", "all threads of a CTA-wide entry agree: nothing is pushed"),
    ("16 bypass", "a warp runs ahead into a staged side"),
    ("16 held", "the event of a warp that ran ahead waits for its entry"),
    ("17 second path", "a diverging warp runs ahead on one side, its other threads gather on the other"),
    ("18 refused", "a side that starts at a convergence point takes no warp that runs ahead"),
    ("19 excluded", "an entry is formed without threads that have run ahead"),
    ("20 evaluated", "the predictor learns from a side's first activation"),
    ("20 evicted", "the predictor has lost the branch of a side in the meantime"),
    ("21 allocated", "the predictor allocates an entry"),
    ("22 held barrier", "a warp that ran ahead waits to count at a barrier"),
];

/// The mechanism, without its predictor's state.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Anything but [`Mechanism::SinglePath`].
    pub mechanism: Mechanism,
    /// Likely-convergence points.
    pub likely_convergence: bool,
    /// Which side of a branch runs first.
    pub taken_first: bool,
    /// Warps are formed from threads of several rows; else they are static.
    pub compaction: bool,
}

/// What the first activation of a side tells the predictor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The branch.
    pub branch: usize,
    /// It takes fewer warps than came.
    pub adequate: bool,
}

/// What has become of a warp that was told to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It goes on with its next block.
    Runs,
    /// It has run ahead; what comes next is held until its entry is active.
    Held,
    /// It has arrived at the end of the active entry's region, others have not.
    Arrived,
    /// It is the last one to arrive: [`Cta::advance`] is next.
    Last,
}

/// A compacted warp.
#[derive(Clone, Debug)]
pub struct Warp {
    /// Hardware warp of the CTA.
    pub slot: usize,
    /// Next block.
    pub pc: usize,
    /// Its threads.
    pub mask: Mask,
    /// By lane: the row of its thread.
    pub rows: Vec<Option<usize>>,
    /// The entry it belongs to.
    pub entry: usize,
    /// What is held.
    event: Option<(Event, usize)>,
}

/// What ends a warp's run, with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// At the block's end, all threads to be sorted.
    Branch,
    Barrier,
    Exit,
    /// At the beginning of the block: it is the target of a jump, or a point of the entry.
    Jump,
    Reconverges,
    Merges,
    /// A warp that has run ahead would go on with the block.
    Continues(Terminator),
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct Cta<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// Their homes.
    pub lanes: Lanes,
    /// Its stack.
    pub stack: Stack,
    /// The sides of the branch at which warps gather, the one that runs first last.
    pub staged: Option<[Entry; 2]>,
    /// The warps.
    pub warps: Vec<Warp>,
    /// The entry whose warps run.
    pub active: Option<usize>,
    /// Forming of warps, evaluations and so on.
    pub activations: usize,
    gathering: Option<(Event, usize)>,
    options: Options,
    predictor: Option<SharedPredictor>,
    coverage: Coverage,
}

impl<'a> Cta<'a> {
    /// Static warps at the first block. CAPRI needs a predictor.
    pub fn new(case: &'a Case, lanes: Lanes, options: Options, predictor: Option<SharedPredictor>) -> Self {
        let threads = Threads::new(case);
        let stack = Stack::new(threads.live);
        let mut cta = Self {
            threads,
            lanes,
            stack,
            staged: None,
            warps: vec![],
            active: None,
            activations: 0,
            gathering: None,
            options,
            predictor,
            coverage: Coverage::default(),
        };
        cta.activate();
        cta
    }

    /// Slots of the warps that can go on.
    pub fn ready_warps(&self) -> Vec<usize> {
        let ready = |warp: &&Warp| warp.event.is_none() || Some(warp.entry) == self.active;
        self.warps.iter().filter(ready).map(|warp| warp.slot).collect()
    }

    /// The warp in a slot.
    pub fn warp(&self, slot: usize) -> Option<&Warp> {
        self.warps.iter().find(|warp| warp.slot == slot)
    }

    /// The entry whose warps run.
    pub fn active_entry(&self) -> Option<&Entry> {
        self.active.map(|id| &self.stack.entries[self.stack.position(id)])
    }

    /// Threads in warps that run ahead.
    pub fn ahead(&self) -> Mask {
        self.warps.iter().filter(|warp| Some(warp.entry) != self.active).fold(0, |mask, warp| mask | warp.mask)
    }

    /// A ready warp goes on: it executes a block, unless it is held behind one, and arrives, if its entry is active.
    pub fn execute(&mut self, slot: usize) -> Step {
        let at = self.warps.iter().position(|warp| warp.slot == slot).expect("the slot has a warp");
        if self.warps[at].event.is_none() {
            self.run_block(at);
        }
        let Some((mut event, mut block)) = self.warps[at].event else { return Step::Runs };
        if Some(self.warps[at].entry) != self.active {
            self.coverage.fires(if event == Event::Barrier { "22 held barrier" } else { "16 held" });
            return Step::Held;
        }
        self.warps[at].event = None;
        if let Event::Continues(terminator) = event {
            self.land(at, block, terminator);
            match self.warps[at].event.take() {
                Some(next) => (event, block) = next,
                None => return Step::Runs,
            }
        }
        self.arrive(at, event, block)
    }

    /// [`Self::execute`] and, behind the last warp, [`Self::advance`] and [`Self::learn`].
    pub fn execute_and_advance(&mut self, slot: usize) {
        if self.execute(slot) == Step::Last
            && let Some(lesson) = self.advance()
        {
            self.learn(lesson);
        }
    }

    /// The predictor learns; hardware needs a cycle for it.
    pub fn learn(&self, lesson: Lesson) {
        if let Some(predictor) = &self.predictor {
            predictor.borrow_mut().learn(lesson.branch, lesson.adequate);
        }
    }

    fn gathers_everywhere(&self) -> bool {
        self.options.mechanism == Mechanism::Tbc
    }

    // -- one warp ------------------------------------------------------------------------------------------------

    /// The entry of a warp, in the stack or staged.
    fn entry_of(&self, warp: usize) -> &Entry {
        let id = self.warps[warp].entry;
        let staged = self.staged.iter().flatten().find(|side| side.id == id);
        staged.unwrap_or_else(|| &self.stack.entries[self.stack.position(id)])
    }

    fn run_block(&mut self, at: usize) {
        let Warp { slot, pc: block, mask, .. } = self.warps[at];
        let Entry { id, mask: entry_mask, stops, .. } = *self.entry_of(at);
        let early = Some(id) != self.active;
        self.threads.execute(slot, block, mask, entry_mask);
        let case = self.threads.case;
        let terminator = case.program.blocks[block].terminator;
        let marked = case.program.blocks[block].uniform && !self.gathers_everywhere();
        let event = match terminator {
            Terminator::Barrier => Some(Event::Barrier),
            Terminator::Exit => Some(Event::Exit),
            Terminator::Branch if !marked => Some(Event::Branch),
            _ => None,
        };
        if event.is_some() {
            self.warps[at].event = event.map(|event| (event, block));
            return;
        }
        let mut next: Vec<usize> = threads_of(mask).map(|thread| self.threads.next(thread).unwrap()).collect();
        next.dedup();
        assert_eq!(next.len(), 1, "the branch of block {block} is marked uniform and diverges");
        if marked {
            self.coverage.fires("14 uniform mark");
        }
        if early && (terminator != Terminator::Fall || stops.contains(&Some(next[0]))) {
            self.warps[at].event = Some((Event::Continues(terminator), next[0]));
        } else {
            self.land(at, next[0], terminator);
        }
    }

    /// The warp reaches the beginning of block `next`.
    fn land(&mut self, at: usize, next: usize, terminator: Terminator) {
        let entry = self.entry_of(at);
        let event = if Some(next) == entry.rpc {
            Event::Reconverges
        } else if Some(next) == entry.lpc {
            Event::Merges
        } else if terminator != Terminator::Fall && self.gathers_everywhere() {
            Event::Jump
        } else {
            self.warps[at].pc = next;
            return;
        };
        self.warps[at].event = Some((event, next));
    }

    // -- the CTA -------------------------------------------------------------------------------------------------

    fn active_position(&self) -> usize {
        self.stack.position(self.active.expect("an entry is active"))
    }

    /// A warp of the active entry has reached the end of its region.
    fn arrive(&mut self, at: usize, event: Event, block: usize) -> Step {
        let active = self.active_position();
        let other = *self.gathering.get_or_insert((event, block));
        assert_eq!(other, (event, block), "warps of one entry meet different events");
        self.stack.entries[active].warps -= 1;
        let mask = self.warps[at].mask;
        let runs_ahead = event == Event::Branch && self.branch(at, block);
        if !runs_ahead {
            self.warps.remove(at);
        }
        match event {
            Event::Exit => {
                self.stack.remove(mask);
                self.threads.live &= !mask;
            }
            Event::Barrier => self.threads.waiting |= mask,
            _ => {}
        }
        if self.stack.entries[active].warps == 0 { Step::Last } else { Step::Arrived }
    }

    /// A warp sorts its threads into the sides; true if it runs ahead into one of them.
    fn branch(&mut self, at: usize, block: usize) -> bool {
        let active = self.active_position();
        let program = &self.threads.case.program;
        let mask = self.warps[at].mask;
        let parts = self.threads.sides(block, mask, self.options.taken_first);
        if self.staged.is_none() {
            let parent = self.active_entry().unwrap().lpc;
            let lpc = program.lpc[block].filter(|_| self.options.likely_convergence);
            let stops = [program.rpc[block], lpc, parent];
            self.staged = Some(parts.map(|(pc, _)| Entry {
                id: self.stack.new_id(),
                branch: Some(block),
                stops,
                ..Entry::new(pc, program.rpc[block], 0)
            }));
        }
        let staged = self.staged.as_mut().unwrap();
        for (side, (_, part)) in staged.iter_mut().zip(parts) {
            side.mask |= part;
            side.arrived += usize::from(part != 0);
        }
        let diverges = parts.iter().all(|(_, part)| *part != 0);
        let Mechanism::Capri(_) = self.options.mechanism else { return false };
        if diverges && self.predictor.as_ref().expect("CAPRI has a predictor").borrow_mut().gathers(block) {
            return false;
        }
        // The side that runs first: so the slot is free again before the other is formed.
        let chosen = match diverges {
            true => usize::from(Some(staged[1].pc) != staged[1].rpc),
            false => usize::from(parts[1].1 != 0),
        };
        let side = &mut staged[chosen];
        if side.stops.contains(&Some(side.pc)) || self.stack.entries[active].rpc == Some(side.pc) {
            self.coverage.fires("18 refused");
            return false;
        }
        self.coverage.fires("16 bypass");
        if diverges {
            self.coverage.fires("17 second path");
        }
        side.warps += 1;
        side.ahead |= parts[chosen].1;
        let (entry, pc, mask) = (side.id, side.pc, parts[chosen].1);
        let thread = |(lane, row): (usize, Option<usize>)| self.lanes.thread(row?, lane);
        let rows = self.warps[at].rows.iter().copied().enumerate();
        let rows =
            rows.map(|(lane, row)| row.filter(|_| thread((lane, row)).is_some_and(|t| mask >> t & 1 == 1))).collect();
        self.warps[at] = Warp { slot: self.warps[at].slot, pc, mask, rows, entry, event: None };
        true
    }

    /// All warps of the active entry have arrived: it takes the step, and the next entry becomes active.
    pub fn advance(&mut self) -> Option<Lesson> {
        let i = self.active_position();
        assert_eq!(self.stack.entries[i].warps, 0);
        let (event, block) = self.gathering.take().expect("warps have arrived");
        match event {
            Event::Branch => self.commit(i, block),
            Event::Jump => self.stack.entries[i].pc = block,
            Event::Merges => self.stack.merge(i),
            Event::Reconverges => {
                self.coverage.fires("5 pop");
                self.stack.entries[i].mask = 0;
            }
            Event::Barrier => self.stack.wait(i, self.threads.case.program.blocks[block].successors[0]),
            Event::Exit => {}
            Event::Continues(_) => unreachable!("it is resolved before it arrives"),
        }
        if self.threads.barrier_opens() {
            self.stack.release();
        }
        self.activate()
    }

    fn commit(&mut self, i: usize, block: usize) {
        let program = &self.threads.case.program;
        let sides = self.staged.take().unwrap();
        let parent = &mut self.stack.entries[i];
        if let Some(side) = sides.iter().find(|side| side.mask == parent.mask) {
            self.coverage.fires("15 agreement");
            (parent.pc, parent.warps, parent.ahead) = (side.pc, side.warps, side.ahead);
            (parent.branch, parent.arrived) = (side.branch, side.arrived);
            let id = parent.id;
            self.warps.iter_mut().filter(|warp| warp.entry == side.id).for_each(|warp| warp.entry = id);
        } else {
            self.coverage.fires("13 commit");
            let (mask, rpc) = (parent.mask, program.rpc[block]);
            let lpc = program.lpc[block].filter(|_| self.options.likely_convergence);
            let exact = self.stack.diverge(i, sides, rpc, lpc);
            self.threads.diverged(mask, rpc, exact);
        }
    }

    /// The next entry runs: warps are formed of its threads that have not run ahead.
    fn activate(&mut self) -> Option<Lesson> {
        self.active = None;
        let i = self.stack.settle()?;
        let ahead = self.ahead();
        let entry = &mut self.stack.entries[i];
        self.active = Some(entry.id);
        self.activations += 1;
        assert_eq!(ahead & entry.mask, entry.ahead, "one bit per thread of the core says the same");
        if entry.ahead != 0 {
            self.coverage.fires("19 excluded");
        }
        let formed = entry.mask & !entry.ahead;
        for rows in if self.options.compaction { self.lanes.pack(formed) } else { self.lanes.split(formed) } {
            let free = |slot: &usize| self.warps.iter().all(|warp| warp.slot != *slot);
            let slot = (0..self.lanes.rows).find(free).expect("there are as many warp slots as static warps");
            let mask = self.lanes.threads(&rows);
            self.warps.push(Warp { slot, pc: entry.pc, mask, rows, entry: entry.id, event: None });
            entry.warps += 1;
        }
        assert!(entry.warps > 0, "an entry with threads has no warps");
        entry.ahead = 0;
        let adequate = self.lanes.compacted(entry.mask) < entry.arrived;
        entry.branch.take().map(|branch| Lesson { branch, adequate })
    }

    /// At the end: every thread has finished, nothing is left.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        assert!(self.stack.entries.is_empty() && self.warps.is_empty() && self.staged.is_none());
    }

    /// Rules that have taken effect, without the predictor's.
    pub fn coverage(&self) -> Coverage {
        let mut all = self.coverage.clone();
        all.add(&self.stack.coverage);
        all
    }

    // -- as the figures show it ----------------------------------------------------------------------------------

    /// RPC | mask | PC | WCnt of every entry, bottom first, then of the staged sides, in which rows that have not arrived are left
    /// out. `names` are those of the threads.
    pub fn rows(&self, names: &str) -> String {
        let sides = self.staged.iter().flatten();
        let seen = sides.clone().fold(0, |mask, side| mask | side.mask);
        let line = |entry: &Entry, all: bool| {
            let rows = (0..self.lanes.rows).filter(|&row| all || seen & self.lanes.row(row) != 0);
            let rows: Vec<String> = rows.map(|row| row_text(&self.lanes, row, entry.mask, names)).collect();
            format!("{} | {} | {} | {}", block_name(entry.rpc), rows.join(" "), block_name(Some(entry.pc)), entry.warps)
        };
        let entries = self.stack.entries.iter().map(|entry| line(entry, true));
        entries.chain(sides.map(|side| line(side, false))).collect::<Vec<_>>().join(" ; ")
    }

    /// The threads staged ahead, a 0 per row, and the predictor, if there is one.
    pub fn predictor_row(&self) -> Option<String> {
        let ahead = self.staged.iter().flatten().fold(0, |mask, side| mask | side.ahead);
        let row = |row| if self.lanes.row(row) & ahead != 0 { '0' } else { '1' };
        let rows: String = (0..self.lanes.rows).map(row).collect();
        self.predictor.as_ref().map(|predictor| format!("UMask {rows} CAPT {}", predictor.borrow()))
    }
}

pub(super) fn block_name(block: Option<usize>) -> char {
    block.filter(|&block| block < 26).map_or('-', |block| (b'A' + block as u8) as char)
}

/// The threads of `row`, a dash where one is not in `mask`.
fn row_text(lanes: &Lanes, row: usize, mask: Mask, names: &str) -> String {
    let threads = threads_of(lanes.row(row));
    threads.map(|thread| if mask >> thread & 1 == 1 { names.as_bytes()[thread] as char } else { '-' }).collect()
}
