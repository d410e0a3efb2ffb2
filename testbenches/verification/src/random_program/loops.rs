//! Loops with several ways out, and barriers on them.
use super::Generator;

impl Generator<'_> {
    /// A loop that some threads leave early, over a barrier of their own, and the others at its end, over another one. Those who
    /// continue meet at the end of the body without those who wait there: a likely-convergence point that cannot be waited for.
    pub fn barrier_out_of_loop(&mut self) {
        let counter = self.trips(0);
        let top = self.here();
        let early = (self.below(2) == 0).then(|| self.branch());
        let stay = self.branch();
        self.barrier();
        let out = self.jump();
        self.aim_here(stay);
        self.body(1, None);
        if let Some(early) = early {
            self.aim_here(early);
        }
        self.next_trip(counter, top);
        self.barrier();
        self.aim_here(out);
    }

    /// A loop in a loop, with several ways out of both, so that entries with one likely-convergence point come to branches with another.
    /// With or without a barrier on every way.
    pub fn ways_out(&mut self) {
        let barrier = self.below(2) == 0 && self.parted_barriers;
        let mut outs = vec![];
        let outer = self.trips(0);
        let outer_top = self.here();
        self.way_out(outer, barrier, &mut outs);
        let skip_inner = (self.below(2) == 0).then(|| self.coin(outer));
        let inner = self.trips(1);
        let inner_top = self.here();
        self.way_out(inner, barrier, &mut outs);
        let skip = (self.below(2) == 0).then(|| self.coin(inner));
        self.way_out(inner, barrier, &mut outs);
        if let Some(skip) = skip {
            self.aim_here(skip);
        }
        self.next_trip(inner, inner_top);
        self.way_out(outer, barrier, &mut outs);
        if let Some(skip) = skip_inner {
            self.aim_here(skip);
        }
        self.next_trip(outer, outer_top);
        if barrier {
            self.barrier();
        }
        for out in outs {
            self.aim_here(out);
        }
    }

    fn way_out(&mut self, counter: u32, barrier: bool, outs: &mut Vec<usize>) {
        let stay = self.coin(counter);
        self.arithmetic();
        if barrier {
            self.barrier();
        }
        outs.push(self.jump());
        self.aim_here(stay);
    }

    /// A loop with a barrier that some trips jump over. Threads that leave it end, so they wait for nobody; those at the barrier may come to
    /// the likely-convergence point long after others had to go on from there without them.
    pub fn last_loop(&mut self) {
        let counter = self.trips(0);
        let top = self.here();
        let skip = self.coin(counter);
        self.arithmetic();
        self.barrier();
        let later = (self.below(2) == 0).then(|| self.coin(counter));
        self.arithmetic();
        let stay = self.coin(counter);
        self.end();
        self.aim_here(stay);
        self.arithmetic();
        for skip in [Some(skip), later].into_iter().flatten() {
            self.aim_here(skip);
        }
        self.next_trip(counter, top);
    }
}
