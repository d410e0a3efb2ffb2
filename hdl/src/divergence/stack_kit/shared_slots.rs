//! Which paths of CTAs find room beside the other one, where both share one set of warp slots.
//!
//! ```text
//!                               +-------------------------------------------+
//!  counts_path, right, cta ---->|--> whose                                  |
//!  members[L] ----------------->|--> Popcount, of static warps --+          |
//!  compacted_warps ------------>|--------------------------------+-> needed |
//!  left[2 C] ------------------>|--> those of the other path         |      |---> fits[2]
//!  warps_per_cta -------------->|--> all slots                       v      |
//!  defer[2], form[2], forget -->|--> owed ----------------------> fit ------|---> can_form[2], owed[2]
//!                               +-------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warps_per_cta`, `compact` | n, 1 | slots of a CTA; whether its warps are compacted, or static |
//! | `cta` | c | the CTA that the stack engine works on |
//! | `counts_path`, `right` | 1, 1 | the threads of a path of it stand at `members`: which path |
//! | `members[L]` | W | those threads |
//! | `compacted_warps` | n | one cycle later: how many warps compaction makes of them |
//! | `left[2 C]` | n | by path x C + CTA: its warps that have not arrived |
//! | `defer[2]` | 1 | this path of that CTA runs, and has no warps yet |
//! | `form[2]`, `forget` | 1, 1 | this one is formed; the entry runs no more |
//! | `fits[2]` | 1 | of that CTA: the warps of this path fit beside those of the other one |
//! | `owed[2]` | 1 | of that CTA: this path runs and has no warps |
//! | `can_form[2]` | C | paths that have none, and fit |
//!
//! Latency: `fits` and `can_form` know of a path's threads two cycles after they were counted; there is no `can_form` in the cycle between. State: by path and CTA how many warps it needs, and whether it has to be formed; of the path counted last
//! which it is, and its static warps.
//!
//! What a path needs stands from one activation to the next: it is counted whenever its threads are read. A path that is alone in its CTA always fits. docs/decisions/0035-dual-path-compaction.md, 2.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SharedSlots: clock, reset {
        pub warps_per_cta: Net<In> = count,
        pub compact: Signal<In, Bit>,
        pub cta: Net<In> = c,
        pub counts_path: Signal<In, Bit>,
        pub right: Signal<In, Bit>,
        pub members: Vec<Net<In>> = Net::vec(lanes, warps),
        pub compacted_warps: Net<In> = count,
        pub left: Vec<Net<In>> = Net::vec(2 * ctas, count),
        pub defer: Vec<Signal<In, Bit>> = bit_vec(2),
        pub form: Vec<Signal<In, Bit>> = bit_vec(2),
        pub forget: Signal<In, Bit>,
        pub fits: Vec<Signal<Out, Bit>> = bit_vec(2),
        pub owed: Vec<Signal<Out, Bit>> = bit_vec(2),
        pub can_form: Vec<Net<Out>> = Net::vec(2, ctas),

        /// By path x C + CTA.
        needed: Vec<Register> = Register::vec(2 * ctas, count),
        /// By path.
        deferred: Vec<Register> = Register::vec(2, ctas),
        // The path counted last.
        counted: StateRegister<Bit> => { d: counts_path },
        counted_cta: Flop = Flop::new(c) => { d: cta },
        counted_right: Flop = Flop::new(1),
        static_warps: Flop = Flop::new(count) => { d: occupied_warps.count },
        occupied: Net<Local> = warps,
        occupied_warps: Popcount = Popcount::new(warps) => { value: occupied },
        needs: Net<Local> = count,
        one_cta: Constant = Constant::new(1, ctas),
        cta_bit: Net<Local> = ctas,
        /// By path x C + CTA: slots that the other one leaves.
        room: Vec<Net<Local>> = Net::vec(2 * ctas, count),
        /// By path: CTAs in which it fits.
        fit: Vec<Net<Local>> = Net::vec(2, ctas),
    }
    sizes { _ctas = ctas }
    /// For `ctas` CTAs of up to `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize, ctas: usize) {
        let (c, count) = (index_width(ctas), index_width(warps + 1));
    }
}

impl Logic for SharedSlots {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SharedSlots");
        // Static warps: one for every home warp that has a thread.
        self.occupied.next = 0.into();
        for lane in 0..self.members.len() {
            self.occupied.next = self.occupied.val() | self.members[lane].val();
        }
        self.counted_right.d.next = bit_cast_to(self.right.val(), 1);
        self.needs.next = self.static_warps.q.val();
        if self.compact.val() {
            self.needs.next = self.compacted_warps.val();
        }

        self.cta_bit.next = self.one_cta.val() << self.cta.val();
        // Loops of one trip: an index may hold numbers and loop variables only.
        for ctas in self._ctas..(self._ctas + 1) {
            for s in 0..2 {
                self.fit[s].next = 0.into();
                for c in 0..self._ctas {
                    self.needed[s * ctas + c].d.next = self.needed[s * ctas + c].q.val();
                    if self.counted.q.val() & (self.counted_right.q.val() == s) & (self.counted_cta.q.val() == c) {
                        self.needed[s * ctas + c].d.next = self.needs.val();
                    }
                    self.room[s * ctas + c].next = self.warps_per_cta.val() - self.left[(1 - s) * ctas + c].val();
                    self.fit[s].next = self.fit[s].val().replace_bit(
                        c,
                        !self.left[(1 - s) * ctas + c].val().any()
                            | (self.needed[s * ctas + c].q.val() <= self.room[s * ctas + c].val()),
                    );
                }
                self.fits[s].next = (self.fit[s].val() & self.cta_bit.val()).any();
                self.owed[s].next = (self.deferred[s].q.val() & self.cta_bit.val()).any();
                self.can_form[s].next = self.deferred[s].q.val() & self.fit[s].val();
                if self.counted.q.val() {
                    self.can_form[s].next = 0.into();
                }
                self.deferred[s].d.next = self.deferred[s].q.val();
                if self.defer[s].val() {
                    self.deferred[s].d.next = self.deferred[s].q.val() | self.cta_bit.val();
                } else if self.form[s].val() | self.forget.val() {
                    self.deferred[s].d.next = self.deferred[s].q.val() & !self.cta_bit.val();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// Two CTAs of three warps of two lanes, the first or the last ones of all. A line is a cycle: the CTA that the engine works on, warps left of its left and of its
    /// right path, then `count.R:12/1` threads by lane, `warps:2` compaction makes of those of the last cycle, `defer.L`, `form.R`, `forget`, `static` `|` which of its
    /// paths fit, which are owed, and where the left and the right one can be formed.
    const SCRIPT: &str = "
        0 0 0 count.L:012/01         | LR -  - -
        0 1 0 warps:3                | LR -  - -   | nothing is known of the right path
        0 2 0 count.R:2/2 defer.R    | LR -  - -
        0 3 0 warps:1                | LR R  - -   | counted, and not known yet
        0 3 0                        | L  R  - -   | 1 + 3 > 3
        1 0 0                        | LR -  - 0   | another CTA; where the other path has no warps, it always fits
        0 2 0                        | LR R  - 0
        0 2 0 form.R                 | LR R  - 0
        0 2 1                        | R  -  - -   | 3 + 1 > 3
        0 0 1 defer.L                | R  -  - -   | the left path goes on, and finds no room
        0 0 1                        | R  L  - -
        0 0 0 defer.R                | LR L  0 -
        0 0 0                        | LR LR 0 0
        0 0 0 forget                 | LR LR 0 0
        0 0 0 static count.R:12/1 defer.R | LR - - -
        0 2 0 static warps:1         | LR R  - -
        0 2 0 static                 | L  R  - -   | two static warps beside two
        0 1 0 static                 | LR R  - 0
        0 1 0 form.R                 | LR R  - 0
        1 3 0 count.R:0/- defer.R    | LR -  - -
        1 3 0 warps:1                | LR R  - -
        1 3 0                        | L  R  - -
        1 0 0                        | LR R  - 1";

    #[test]
    fn a_path_waits_until_its_warps_fit() {
        for (ctas, first) in [(2, 0), (4, 2)] {
            check(ctas, first);
        }
    }

    fn check(ctas: usize, first: usize) {
        let mut slots = SharedSlots::new(2, 4, ctas);
        slots.connect_all();
        simulate(&mut slots, 1000);
        slots.warps_per_cta.next = 3.into();
        for (input, seen) in cycles(SCRIPT) {
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            let given = |name: &str| input.iter().find_map(|word| word.strip_prefix(name));
            let cta = first + input[0].parse::<usize>().unwrap();
            slots.cta.next = cta.into();
            for s in 0..2 {
                (0..ctas).for_each(|c| slots.left[ctas * s + c].next = 0.into());
                slots.left[ctas * s + cta].next = number(input[1 + s]);
                let path = ['L', 'R'][s];
                slots.defer[s].next = given(&format!("defer.{path}")).is_some();
                slots.form[s].next = given(&format!("form.{path}")).is_some();
            }
            slots.forget.next = given("forget").is_some();
            slots.compact.next = given("static").is_none();
            let count = given("count.").and_then(|count| count.split_once(':'));
            slots.counts_path.next = count.is_some();
            if let Some((path, threads)) = count {
                slots.right.next = path == "R";
                threads.split('/').enumerate().for_each(|(lane, threads)| slots.members[lane].next = set(threads));
            }
            slots.compacted_warps.next = given("warps:").map_or(0.into(), number);
            simulate(&mut slots, 1000);
            let paths = |flags: &[Signal<Out, Bit>]| {
                let found: String = (0..2).filter(|&s| flags[s].val()).map(|s| ['L', 'R'][s]).collect();
                if found.is_empty() { "-".to_string() } else { found }
            };
            let mut found = vec![paths(&slots.fits), paths(&slots.owed)];
            found.extend(slots.can_form.iter().map(|forms| digits((forms.val().index() >> first).into())));
            assert_eq!(found, seen, "{input:?} of CTAs {first} on");
            tick!(slots);
        }
    }
}
