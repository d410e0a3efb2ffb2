//! The reconvergence stack: the same rules for a stack per warp and for a CTA-wide one.
use super::{Coverage, Mask};

/// No block: where an entry goes whose branch never reconverges; its threads all end before it runs.
pub(super) const NOWHERE: usize = usize::MAX;

/// An entry of a stack, or a staged side of a branch.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Unique in its stack, whatever slot the entry is in.
    pub id: usize,
    /// Next block.
    pub pc: usize,
    /// The block at which the entry ends.
    pub rpc: Option<usize>,
    /// Its threads.
    pub mask: Mask,
    /// The block at which it merges into the entry at `lpos`.
    pub lpc: Option<usize>,
    /// Position of its likely-convergence entry.
    pub lpos: Option<usize>,
    /// It waits at `bar.sync`.
    pub waits: bool,
    /// Positions of the entries that hold its threads too, as a bit set.
    pub ancestors: u128,

    /// Its threads are in warp-splits.
    pub divided: bool,

    /// CTA-wide: warps that have not arrived at its end.
    pub warps: usize,
    /// CTA-wide: threads in warps that have run ahead.
    pub ahead: Mask,
    /// CTA-wide: the branch whose compaction is evaluated when the entry is first activated.
    pub branch: Option<usize>,
    /// CTA-wide: warps that brought threads to it.
    pub arrived: usize,
    /// CTA-wide: a warp that has run ahead stops in front of these blocks.
    pub stops: [Option<usize>; 3],
}

impl Entry {
    /// Not in a stack yet.
    pub fn new(pc: usize, rpc: Option<usize>, mask: Mask) -> Self {
        Self {
            id: 0,
            pc,
            rpc,
            mask,
            lpc: None,
            lpos: None,
            waits: false,
            ancestors: 0,
            divided: false,
            warps: 0,
            ahead: 0,
            branch: None,
            arrived: 0,
            stops: [None; 3],
        }
    }
}

/// A stack, bottom first.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The entries; empty ones are holes.
    pub entries: Vec<Entry>,
    /// Its greatest depth.
    pub depth: usize,
    /// Rules that have taken effect.
    pub coverage: Coverage,
    ids: usize,
}

impl Stack {
    /// One entry at the first block.
    pub fn new(mask: Mask) -> Self {
        Self { entries: vec![Entry::new(0, None, mask)], depth: 1, coverage: Coverage::default(), ids: 0 }
    }

    /// A number for a new entry.
    pub fn new_id(&mut self) -> usize {
        self.ids += 1;
        self.ids
    }

    /// The position of an entry.
    pub fn position(&self, id: usize) -> usize {
        self.entries.iter().position(|entry| entry.id == id).expect("the entry is in the stack")
    }

    /// Entry `from` has threads that may yet merge into entry `to`, perhaps through other entries.
    fn feeds(&self, from: usize, to: usize) -> bool {
        let mut at = self.entries[from].lpos;
        while at.is_some_and(|at| at != to) {
            at = self.entries[at.unwrap()].lpos;
        }
        at.is_some() && self.entries[from].mask != 0
    }

    fn fed(&self, to: usize) -> bool {
        (to + 1..self.entries.len()).any(|from| self.feeds(from, to))
    }

    /// What hardware computes in one walk down instead: which entries have threads above them, and which are fed.
    fn assert_walk_agrees(&self) {
        let (mut covered, mut fed) = (0u128, 0u128);
        for (i, entry) in self.entries.iter().enumerate().rev() {
            let above = &self.entries[i + 1..];
            assert_eq!(fed >> i & 1 == 1, self.fed(i));
            if entry.mask != 0 {
                assert_eq!(covered >> i & 1 == 1, above.iter().any(|other| other.mask & entry.mask != 0));
                covered |= entry.ancestors;
            }
            if let Some(lpos) = entry.lpos
                && (entry.mask != 0 || fed >> i & 1 == 1)
            {
                assert!(lpos < i);
                fed |= 1 << lpos;
            }
        }
    }

    /// The entry to run: the highest that does not wait, shares no threads with one above it, and cannot grow by a merge. If it is only for
    /// the latter that none can, the highest of those, and no other merges into it any more.
    fn select(&mut self) -> Option<usize> {
        self.assert_walk_agrees();
        let mut growing = None;
        for (i, entry) in self.entries.iter().enumerate().rev() {
            let covered = self.entries[i + 1..].iter().any(|other| other.mask & entry.mask != 0);
            if entry.mask != 0 && !entry.waits && !covered {
                if !self.fed(i) {
                    return Some(i);
                }
                growing = growing.or(Some(i));
            }
        }
        if growing.is_some() {
            self.coverage.fires("11 fallback");
            for entry in self.entries.iter_mut().filter(|entry| entry.lpos == growing) {
                (entry.lpc, entry.lpos) = (None, None);
            }
        }
        growing
    }

    /// Drops what is empty on top, pops what is at its reconvergence point, merges what is at its likely-convergence point; the entry to run.
    pub fn settle(&mut self) -> Option<usize> {
        loop {
            while self.entries.last().is_some_and(|entry| entry.mask == 0) {
                self.coverage.fires("4 empty top");
                self.entries.pop();
            }
            let i = self.select()?;
            let Entry { pc, rpc, lpc, .. } = self.entries[i];
            if Some(pc) == rpc {
                self.coverage.fires("5 pop");
                self.entries[i].mask = 0;
            } else if Some(pc) == lpc {
                self.merge(i);
            } else {
                if i + 1 < self.entries.len() {
                    self.coverage.fires("11 yield");
                }
                return Some(i);
            }
        }
    }

    /// Entry `i` is at its likely-convergence point.
    pub fn merge(&mut self, i: usize) {
        self.coverage.fires("9 merge");
        let into = self.entries[i].lpos.expect("an entry with a likely-convergence point has its position");
        self.entries[into].mask |= std::mem::take(&mut self.entries[i].mask);
    }

    /// Entry `i` splits into `sides`, of which the last one runs first. True if all its threads resume at the reconvergence point together.
    pub fn diverge(&mut self, i: usize, sides: [Entry; 2], rpc: Option<usize>, lpc: Option<usize>) -> bool {
        let parent = self.entries[i].clone();
        let reuses = rpc == parent.rpc;
        let mut link = (None, None);
        let (mut at, mut ancestors) = (i, parent.ancestors);
        if reuses {
            self.coverage.fires("2 slot reuse");
            self.entries[i].mask = 0;
            link = (parent.lpc, parent.lpos);
        } else {
            self.coverage.fires("2 region");
            self.entries[i].pc = rpc.unwrap_or(NOWHERE);
            ancestors |= 1 << i;
            at += 1;
        }
        let sides = sides.map(|side| (side.mask != 0 && Some(side.pc) != rpc).then_some(side));
        let both = sides.iter().all(Option::is_some);
        if !both {
            self.coverage.fires("3 empty side");
        }
        if let Some(point) = lpc
            && both
            && lpc != rpc
            && link.0 != lpc
        {
            self.coverage.fires(if link.1.is_some() { "8 chain" } else { "8 entry" });
            let id = self.new_id();
            let entry = Entry { id, lpc: link.0, lpos: link.1, ancestors, ..Entry::new(point, rpc, 0) };
            link = (lpc, Some(self.place(entry, &mut at)));
        } else if link.1.is_some() {
            self.coverage.fires("8 inherit");
        }
        for side in sides.into_iter().flatten() {
            self.place(Entry { rpc, lpc: link.0, lpos: link.1, ancestors, ..side }, &mut at);
        }
        self.depth = self.depth.max(self.entries.len());
        rpc != parent.rpc && parent.lpc != rpc
    }

    /// Puts an entry into the lowest free slot from `at` on.
    fn place(&mut self, entry: Entry, at: &mut usize) -> usize {
        let free = |i: usize| self.entries[i].mask == 0 && !self.fed(i);
        let slot = (*at..self.entries.len()).find(|&i| free(i)).unwrap_or(self.entries.len());
        if slot < self.entries.len() {
            if slot + 1 < self.entries.len() {
                self.coverage.fires("4 hole");
            }
            self.entries[slot] = entry;
        } else {
            self.entries.push(entry);
        }
        *at = slot + 1;
        slot
    }

    /// Threads end.
    pub fn remove(&mut self, mask: Mask) {
        if self.entries.iter().filter(|entry| entry.mask & mask != 0).count() > 1 {
            self.coverage.fires("7 exit");
        }
        self.entries.iter_mut().for_each(|entry| entry.mask &= !mask);
    }

    /// Entry `i` begins to wait at a barrier, and goes on at `pc`.
    pub fn wait(&mut self, i: usize, pc: usize) {
        self.coverage.fires("10 wait");
        (self.entries[i].pc, self.entries[i].waits) = (pc, true);
    }

    /// The barrier opens.
    pub fn release(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.waits = false);
    }
}
