//! The sum of a multiply-add as a significand, and what is below it.
//!
//! ```text
//!   high, low ---> complement? --+--> LeadingZeros ---> no further than exponent 1?
//!                                |                          |
//!                                +--> shift: coarse, fine <-+--> significand, guard, half, sticky, carry
//!                                                           +--> exponent
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `high`, `low` | f + 3, 2 f + 2 | the sum, or what `complement` and `pending` make of it |
//! | `complement` | 1 | the magnitude is the sum with every bit inverted |
//! | `pending` | 1 | the magnitude is one more than the sum; not both |
//! | `sticky` | 1 | there is something below; never if `pending` |
//! | `exponent` | e + 1 | of the sum's top bit, at least 1 |
//! | `significand` | 1 + f | its top bit is 0 only if its exponent is 1, or the magnitude is 0 |
//! | `guard`, `half`, `sticky_below` | 1 | the two bits below it; whether there is anything below those |
//! | `carry` | 1 | the significand is one more, and nothing is below it |
//! | `significand_exponent` | e + 1 | of the significand's top bit |
//! | `is_zero` | 1 | the magnitude is 0 |
//! | `integer_low`, `integer_guard`, `integer_sticky` | e - 2, 1, 1 | for an exponent of 1, which nothing is shifted for: the bits below `half`, the next, and whether there is anything below it |
//!
//! Latency 0, no state. A pending one would have to go through the whole sum. Instead the shift fills up with ones, so that it still belongs
//! below the lowest bit, and comes up to the last two bits if all below them are ones: what rounding adds to the significand is one either way. The shifter shifts zeros into
//! the inverted sum for that, its result is inverted again, and of what it drops there is only one question, whether any bit is set. Steps go from
//! the longest to the shortest, after each of which less has to be kept.
use super::FloatFormat;
use crate::parts::LeadingZeros;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatNormalize {
        pub high: Net<In> = format.above(),
        pub low: Net<In> = format.product(),
        pub complement: Net<In> = 1,
        pub pending: Net<In> = 1,
        pub sticky: Net<In> = 1,
        pub exponent: Net<In> = format.exponent + 1,
        pub significand: Net<Out> = format.significand(),
        pub guard: Net<Out> = 1,
        pub half: Net<Out> = 1,
        pub sticky_below: Net<Out> = 1,
        pub carry: Net<Out> = 1,
        pub significand_exponent: Net<Out> = format.exponent + 1,
        pub is_zero: Net<Out> = 1,
        pub integer_low: Net<Out> = format.exponent - 2,
        pub integer_guard: Net<Out> = 1,
        pub integer_sticky: Net<Out> = 1,

        upper_zeros: LeadingZeros = LeadingZeros::new(upper),
        lower_zeros: LeadingZeros = LeadingZeros::new((lower + 1).next_power_of_two()),
        high_magnitude: Net<Local> = format.above(),
        low_magnitude: Net<Local> = format.product(),
        /// Inverted where ones have to be shifted in.
        high_shifted: Net<Local> = format.above(),
        low_shifted: Net<Local> = format.product(),
        zeros: Net<Local> = exponent,
        furthest: Net<Local> = exponent,
        distance: Net<Local> = exponent,
        coarse: Net<Local> = 2,
        kept: Net<Local> = kept,
        below_kept: Net<Local> = format.product(),
        lost: Net<Local> = kept,
        dropped: Net<Local> = 1,
        low_dropped: Net<Local> = 1,
        top: Net<Local> = format.above(),
        last: Vec<Net<Local>> = Net::vec(2, 1),
        high_in_upper: Constant = places(upper - format.above()),
        low_in_upper: Constant = places(lower),
        lower_in_padded: Constant = places((lower + 1).next_power_of_two() - lower),
        /// Behind the sum, so that zeros are counted up to its end.
        past_end: Constant = Constant::new(1 << ((lower + 1).next_power_of_two() - lower - 1), (lower + 1).next_power_of_two()),
        upper_width: Constant = Constant::new(upper as u64, exponent),
        fine_bits: Constant = places(format.fine()),
        high_left: Vec<Constant> = format.coarse_steps().map(|step| places(kept - format.above() + step)).collect(),
        low_left: Vec<Constant> = format.coarse_steps().map(|step| places(step.saturating_sub(gap))).collect(),
        low_right: Vec<Constant> = format.coarse_steps().map(|step| places(gap.saturating_sub(step))).collect(),
        low_lost: Vec<Constant> = format.coarse_steps().map(|step| Constant::new(mask(gap.saturating_sub(step)), format.product())).collect(),
        /// Of the fine steps, from the longest.
        step_bit: Vec<Constant> = (0..format.fine()).rev().map(places).collect(),
        steps: Vec<Constant> = (0..format.fine()).rev().map(|bit| places(1 << bit)).collect(),
        step_lost: Vec<Constant> = (0..format.fine()).rev().map(|bit| {
            Constant::new(mask(kept - format.above() - ((1 << bit) - 1)), kept)
        }).collect(),
        top_places: Constant = places(kept - format.above()),
        integer_places: Constant = places(kept - format.above() - (format.exponent - 2)),
        integer_guard_place: Constant = places(kept - format.above() - (format.exponent - 1)),
        integer_lost: Constant = Constant::new(mask(kept - format.above() - (format.exponent - 1)), kept),
    }
    sizes {
        _upper = upper, _lower = lower, _padded = (lower + 1).next_power_of_two(), _exponent = exponent, _kept = kept,
        _significand = format.significand(), _integer_low = format.exponent - 2, _high = format.above(),
    }
    /// For this format.
    pub fn new(format: FloatFormat) {
        let exponent = format.exponent + 1;
        let upper = format.sum().next_power_of_two() / 2;
        let lower = format.sum() - upper;
        let kept = format.above() + (1 << format.fine()) - 1;
        let gap = format.sum() - kept;
        assert!(format.sum() < 1 << exponent, "exponents reach over a sum");
        assert!(kept - format.above() >= format.exponent - 1, "an integer and its guard bit are in what is kept");
    }
}

/// So many places.
fn places(count: usize) -> Constant {
    Constant::new(count as u64, 8)
}

impl Logic for FloatNormalize {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatNormalize");
        self.high_magnitude.next = self.high.val();
        self.low_magnitude.next = self.low.val();
        self.high_shifted.next = self.high.val();
        self.low_shifted.next = self.low.val();
        if self.complement.val().any() {
            self.high_magnitude.next = !self.high.val();
            self.low_magnitude.next = !self.low.val();
        }
        if (self.complement.val() | self.pending.val()).any() {
            self.high_shifted.next = !self.high.val();
            self.low_shifted.next = !self.low.val();
        }

        self.upper_zeros.value.next = (bit_cast_to(self.high_magnitude.val(), self._upper) << self.high_in_upper.val())
            | bit_cast_to(self.low_magnitude.val() >> self.low_in_upper.val(), self._upper);
        self.lower_zeros.value.next = (bit_cast_to(bit_cast_to(self.low_magnitude.val(), self._lower), self._padded)
            << self.lower_in_padded.val())
            | self.past_end.val();
        self.zeros.next = bit_cast_to(self.upper_zeros.count.val(), self._exponent);
        if self.upper_zeros.none.val() {
            self.zeros.next = bit_cast_to(self.lower_zeros.count.val(), self._exponent) | self.upper_width.val();
        }
        self.furthest.next = self.exponent.val() - 1;
        self.distance.next = self.zeros.val();
        if self.furthest.val() < self.zeros.val() {
            self.distance.next = self.furthest.val();
        }
        self.significand_exponent.next = self.exponent.val() - self.distance.val();

        self.coarse.next = bit_cast_to(self.distance.val() >> self.fine_bits.val(), 2);
        self.kept.next = 0.into();
        self.below_kept.next = 0.into();
        for step in 0..4 {
            if self.coarse.val() == step {
                self.kept.next = (bit_cast_to(self.high_shifted.val(), self._kept) << self.high_left[step].val())
                    | ((bit_cast_to(self.low_shifted.val(), self._kept) >> self.low_right[step].val())
                        << self.low_left[step].val());
                self.below_kept.next = self.low_shifted.val() & self.low_lost[step].val();
            }
        }
        self.dropped.next = bit_cast_to(self.below_kept.val().any(), 1);
        self.low_dropped.next = self.dropped.val();
        self.integer_low.next = bit_cast_to(self.kept.val() >> self.integer_places.val(), self._integer_low);
        self.integer_guard.next = bit_cast_to(self.kept.val() >> self.integer_guard_place.val(), 1);
        self.integer_sticky.next = self.sticky.val()
            | self.low_dropped.val()
            | bit_cast_to((self.kept.val() & self.integer_lost.val()).any(), 1);
        for step in 0..self.steps.len() {
            if (self.distance.val() >> self.step_bit[step].val()).get_bit(0) {
                self.kept.next = self.kept.val() << self.steps[step].val();
            }
            self.lost.next = self.kept.val() & self.step_lost[step].val();
            self.dropped.next = self.dropped.val() | bit_cast_to(self.lost.val().any(), 1);
            self.kept.next = self.kept.val() & !self.step_lost[step].val();
        }
        self.top.next = bit_cast_to(self.kept.val() >> self.top_places.val(), self._high);
        if self.pending.val().any() {
            self.top.next = !bit_cast_to(self.kept.val() >> self.top_places.val(), self._high);
        }

        self.significand.next = bit_cast_to(self.top.val() >> 2, self._significand);
        self.last[0].next = bit_cast_to(self.top.val(), 1);
        self.last[1].next = bit_cast_to(self.top.val() >> 1, 1);
        self.half.next = self.last[0].val() ^ (self.pending.val() & !self.dropped.val());
        self.guard.next = self.last[1].val() ^ (self.pending.val() & !self.dropped.val() & self.last[0].val());
        self.carry.next = self.pending.val() & !self.dropped.val() & self.last[0].val() & self.last[1].val();
        self.sticky_below.next = self.sticky.val() | self.dropped.val();
        self.is_zero.next = !self.pending.val()
            & !bit_cast_to(self.high_magnitude.val().any(), 1)
            & !bit_cast_to(self.low_magnitude.val().any(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sums of a short format, with every meaning, as what a long shift makes of the magnitude.
    #[test]
    fn as_a_long_shift() {
        let format = FloatFormat { exponent: 3, fraction: 2 };
        let mut unit = FloatNormalize::new(format);
        unit.connect_all();
        let (width, product) = (format.sum(), format.product());
        for (sum, exponent) in (0..1u64 << width).flat_map(|sum| [1, 2, 6, 15].map(|exponent| (sum, exponent))) {
            for (complement, pending) in [(0, 0), (1, 0), (0, 1)] {
                unit.high.next = Word::new(sum >> product, width - product);
                unit.low.next = Word::new(sum & mask(product), product);
                unit.complement.next = Word::new(complement, 1);
                unit.pending.next = Word::new(pending, 1);
                unit.exponent.next = Word::new(exponent, 4);
                simulate(&mut unit, 100);
                let magnitude = if complement == 1 { !sum & mask(width) } else { sum + pending };
                if magnitude >> width != 0 {
                    continue;
                }
                assert_eq!(unit.is_zero.val().value(), (magnitude == 0) as u64);
                let found = unit.significand.val().value() + unit.carry.val().value();
                let distance = exponent - unit.significand_exponent.val().value();
                let below = unit.guard.val().value() << 1 | unit.half.val().value();
                let shifted = u128::from(magnitude) << distance;
                assert_eq!(shifted >> (width - 5), u128::from(found << 2 | below), "{sum:b} {complement} {pending}");
                let rest = shifted & u128::from(mask(width - 5)) != 0;
                assert_eq!(unit.sticky_below.val().value(), rest as u64, "{sum:b} {complement} {pending}");
                assert!(
                    found >= 4 || unit.significand_exponent.val() == 1 || magnitude == 0,
                    "{sum:b} {complement} {pending}"
                );
            }
        }
    }
}
