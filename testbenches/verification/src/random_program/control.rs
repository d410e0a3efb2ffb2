//! Branches and loops.
use super::Generator;
use super::registers::*;

/// Where a branch out of a loop's body leads.
#[derive(Clone, Copy)]
pub enum Escape {
    /// To the next trip.
    Continue,
    /// Behind the loop.
    Break,
    /// Behind the loop around it, if there is one.
    BreakOuter,
}

/// Branches out of the innermost loop, to be aimed once its end is known.
/// Outside loops there are none: a thread that jumps over a barrier would wait at the reconvergence point for those at the barrier.
pub type Escapes<'a> = Option<&'a mut Vec<(usize, Escape)>>;

impl Generator<'_> {
    pub fn if_else(&mut self, depth: u32, mut escapes: Escapes) {
        let branch = self.branch();
        self.body(depth + 1, escapes.as_deref_mut());
        if self.below(2) == 1 {
            let over = self.jump();
            self.aim_here(branch);
            self.body(depth + 1, escapes);
            self.aim_here(over);
        } else {
            self.aim_here(branch);
        }
    }

    pub fn repeat(&mut self, depth: u32, mut outer: Escapes) {
        let counter = self.trips(depth);
        let top = self.here();
        let mut escapes = vec![];
        self.body(depth + 1, Some(&mut escapes));
        let next = self.here();
        self.next_trip(counter, top);
        let end = self.here();
        for (position, escape) in escapes {
            match (escape, &mut outer) {
                (Escape::Continue, _) => self.aim(position, next),
                (Escape::BreakOuter, Some(outer)) => outer.push((position, Escape::Break)),
                _ => self.aim(position, end),
            }
        }
    }

    /// A loop that some threads enter in its middle: no loop has one entry only.
    pub fn goto_into_loop(&mut self, depth: u32) {
        let counter = self.trips(depth);
        let middle = self.branch();
        let top = self.here();
        self.body(depth + 1, None);
        let skip = (self.below(2) == 1).then(|| self.branch());
        self.arithmetic();
        self.aim_here(middle);
        self.body(depth + 1, None);
        if let Some(skip) = skip {
            self.aim_here(skip);
        }
        self.next_trip(counter, top);
    }

    /// Sets up the counter of a loop at this depth.
    pub fn trips(&mut self, depth: u32) -> u32 {
        let (counter, source, most) = (LOOP + depth, self.register(), self.choices.of(&[1, 3, 7]));
        if self.below(3) == 0 {
            // As many trips for every thread.
            self.csr(counter, 0xcc3);
            self.and_immediate(counter, counter, most);
        } else {
            self.and_immediate(counter, source, most);
        }
        self.add_immediate(counter, counter, 1);
        counter
    }

    /// The end of the body that starts at `top`.
    pub fn next_trip(&mut self, counter: u32, top: usize) {
        self.add_immediate(counter, counter, 0xfff);
        let back = self.branch_on(1, counter, 0);
        self.aim(back, top);
    }

    /// `break` or `continue`, on a condition.
    pub fn escape(&mut self, escapes: &mut Vec<(usize, Escape)>) {
        let position = self.branch();
        let escape = self.choices.of(&[Escape::Continue, Escape::Break, Escape::BreakOuter]);
        escapes.push((position, escape));
    }

    /// A branch on a bit of the thread's number, counted on in every trip: hardly ever uniform.
    pub fn coin(&mut self, counter: u32) -> usize {
        let (bit, condition) = (self.below(4), self.below(2));
        self.add(TEMPORARY, THREAD, counter);
        self.and_immediate(TEMPORARY, TEMPORARY, 1 << bit);
        self.branch_on(condition, TEMPORARY, 0)
    }

    /// Threads part again and again: many branches that diverge, one inside the other.
    pub fn spread(&mut self, levels: u32) {
        if levels == 0 {
            return self.arithmetic();
        }
        let branch = self.coin(0);
        self.spread(levels - 1);
        let over = self.jump();
        self.aim_here(branch);
        self.spread(levels - 1);
        self.aim_here(over);
    }
}
