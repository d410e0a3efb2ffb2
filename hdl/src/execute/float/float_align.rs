//! Shifts the addend of a multiply-add to its place beside the product.
//!
//! ```text
//!                      high           low
//!                  |----------|------------------|
//!                  addend >> distance ...........lost?
//!                             product
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `addend` | 1 + f | a significand |
//! | `distance` | d | places from the top of `high` downwards |
//! | `high` | f + 3 | the sum above the product |
//! | `low` | 2 f + 2 | the sum where the product is |
//! | `sticky` | 1 | a one was shifted out below |
//!
//! Latency 0, no state. First the fine steps, while the significand is still short; then one of four coarse ones, each of which is wiring.
use super::FloatFormat;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatAlign {
        pub addend: Net<In> = format.significand(),
        pub distance: Net<In> = format.distance(),
        pub high: Net<Out> = format.above(),
        pub low: Net<Out> = format.product(),
        pub sticky: Net<Out> = 1,

        /// By less than a coarse step, from the top.
        fine: Net<Local> = shifted,
        coarse: Net<Local> = 2,
        highest: Net<Local> = shifted,
        wide: Net<Local> = wide,
        below: Net<Local> = shifted,
        top: Constant = Constant::new((shifted - format.significand()) as u64, 7),
        fine_bits: Constant = Constant::new(format.fine() as u64, 3),
        to_high: Vec<Constant> = format.coarse_steps().map(|step| places(step + shifted - format.above())).collect(),
        left: Vec<Constant> = format.coarse_steps().map(|step| places(gap.saturating_sub(step))).collect(),
        right: Vec<Constant> = format.coarse_steps().map(|step| places(step.saturating_sub(gap))).collect(),
        lost: Vec<Constant> = format.coarse_steps().map(|step| {
            Constant::new(mask(step.saturating_sub(gap).min(shifted)), shifted)
        }).collect(),
    }
    sizes { _shifted = shifted, _fine = format.fine(), _high = format.above(), _low = format.product(), _wide = wide }
    /// For this format.
    pub fn new(format: FloatFormat) {
        let shifted = format.significand() + (1 << format.fine()) - 1;
        let gap = format.sum() - shifted;
        let wide = shifted.max(format.product());
    }
}

/// So many places.
fn places(count: usize) -> Constant {
    Constant::new(count as u64, 8)
}

impl Logic for FloatAlign {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatAlign");
        self.fine.next = (bit_cast_to(self.addend.val(), self._shifted) << self.top.val())
            >> bit_cast_to(self.distance.val(), self._fine);
        self.coarse.next = bit_cast_to(self.distance.val() >> self.fine_bits.val(), 2);
        self.highest.next = 0.into();
        self.wide.next = 0.into();
        self.below.next = 0.into();
        for step in 0..4 {
            if self.coarse.val() == step {
                self.highest.next = self.fine.val() >> self.to_high[step].val();
                self.wide.next =
                    (bit_cast_to(self.fine.val(), self._wide) >> self.right[step].val()) << self.left[step].val();
                self.below.next = self.fine.val() & self.lost[step].val();
            }
        }
        self.high.next = bit_cast_to(self.highest.val(), self._high);
        self.low.next = bit_cast_to(self.wide.val(), self._low);
        self.sticky.next = bit_cast_to(self.below.val().any(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_as_a_long_shift() {
        for format in
            [FloatFormat::SINGLE, FloatFormat { exponent: 3, fraction: 2 }, FloatFormat { exponent: 4, fraction: 3 }]
        {
            let mut unit = FloatAlign::new(format);
            unit.connect_all();
            let p = format.significand();
            for (addend, distance) in [1, mask(p), 1 << (p - 1), 0x5a_5a5a & mask(p)]
                .into_iter()
                .flat_map(|addend| (0..1 << format.distance()).map(move |d| (addend, d)))
            {
                unit.addend.next = Word::new(addend, p);
                unit.distance.next = Word::new(distance, format.distance());
                simulate(&mut unit, 10);
                let exact = u128::from(addend) << (128 - p) >> distance.min(127);
                let below = 128 - format.sum();
                let lost = exact << format.sum() != 0 || distance as usize + p > 128;
                let sum = exact >> below;
                let expected = ((sum >> format.product()) as u64, sum as u64 & mask(format.product()), lost as u64);
                assert_eq!(
                    (unit.high.val().value(), unit.low.val().value(), unit.sticky.val().value()),
                    expected,
                    "{addend:x} by {distance}"
                );
            }
        }
    }
}
