//! Whether a magnitude is rounded to the next one.
//!
//! ```text
//!                rounding ---->+----------------+
//!    sign, odd, guard, below ->| FloatIncrement |---> up, nearest, away
//!                              +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rounding` | 3 | as `FloatRounding` |
//! | `sign`, `odd` | 1 | of the magnitude: it is negative; its last bit |
//! | `guard`, `below` | 1 | the bit below that; whether there is anything below it |
//! | `up` | 1 | add one |
//! | `nearest` | 1 | to the nearest, whatever ties do |
//! | `away` | 1 | a directed mode that goes away from zero here |
//!
//! Latency 0, no state. RISC-V's modes bit by bit: 0 and 4 are to the nearest, 1 is towards zero, 2 and 3 down and up.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatIncrement {
        pub rounding: Net<In> = 3,
        pub sign: Net<In> = 1,
        pub odd: Net<In> = 1,
        pub guard: Net<In> = 1,
        pub below: Net<In> = 1,
        pub up: Net<Out> = 1,
        pub nearest: Net<Out> = 1,
        pub away: Net<Out> = 1,

        mode: Vec<Net<Local>> = Net::vec(3, 1),
    }
}

impl Logic for FloatIncrement {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatIncrement");
        self.mode[0].next = bit_cast_to(self.rounding.val(), 1);
        self.mode[1].next = bit_cast_to(self.rounding.val() >> 1, 1);
        self.mode[2].next = bit_cast_to(self.rounding.val() >> 2, 1);
        self.nearest.next = !(self.mode[0].val() | self.mode[1].val());
        self.away.next = self.mode[1].val() & (self.mode[0].val() ^ self.sign.val());
        self.up.next = (self.away.val() & (self.guard.val() | self.below.val()))
            | (self.nearest.val() & self.guard.val() & (self.below.val() | self.mode[2].val() | self.odd.val()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::float::operation::FloatRounding;

    #[test]
    fn every_case() {
        let mut unit = FloatIncrement::default();
        unit.connect_all();
        for (mode, case) in FloatRounding::VARIANTS.iter().flat_map(|mode| (0..16).map(move |case| (*mode, case))) {
            let [sign, odd, guard, below] = [3, 2, 1, 0].map(|bit| case >> bit & 1 == 1);
            unit.rounding.next = bit_cast_to(mode, 3);
            unit.sign.next = bit_cast_to(sign, 1);
            unit.odd.next = bit_cast_to(odd, 1);
            unit.guard.next = bit_cast_to(guard, 1);
            unit.below.next = bit_cast_to(below, 1);
            simulate(&mut unit, 10);
            let up = match mode {
                FloatRounding::NearestEven => guard && (below || odd),
                FloatRounding::TowardsZero => false,
                FloatRounding::Down => sign && (guard || below),
                FloatRounding::Up => !sign && (guard || below),
                FloatRounding::NearestAway => guard,
            };
            assert_eq!(unit.up.val().any(), up, "{mode:?}: sign, odd, guard, below = {case:04b}");
        }
    }
}
