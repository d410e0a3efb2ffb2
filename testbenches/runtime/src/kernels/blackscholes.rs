//! European options after the CUDA SDK's BlackScholes: a call and a put each by the formula, with a polynomial for the normal
//! distribution; exponentials and logarithms are polynomials, too.
use super::elementary::{exponential, logarithm, polynomial};
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Of a year: the sample's.
const INTEREST: f32 = 0.02;
const VOLATILITY: f32 = 0.30;

pub(super) const ABOUT: About = About {
    summary: "Black-Scholes options: long polynomials and divisions, a short branch on the sign",
    papers: "Narasiman 2014 (blackscholes), Turner 2012 (BLK)",
    arithmetic: Arithmetic::Float,
    unit: "options",
    sizes: Sizes { smoke: 10, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    // The sample's ranges, strike prices nearer to the price.
    let mut between = |low: f32, high: f32| low + (high - low) * random.float();
    let options: Vec<_> = (0..n)
        .map(|_| Terms { price: between(5.0, 30.0), strike: between(1.0, 40.0), years: between(0.25, 10.0) })
        .collect();
    let mut buffer =
        |field: fn(&Terms) -> f32| session.buffer(&float_words(&options.iter().map(field).collect::<Vec<_>>()));
    let inputs = [buffer(|terms| terms.price)?, buffer(|terms| terms.strike)?, buffer(|terms| terms.years)?];
    let (calls, puts) = (session.zeros(n)?, session.zeros(n)?);
    let buffers = [inputs[0], inputs[1], inputs[2], calls, puts].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[n as u32, INTEREST.to_bits(), VOLATILITY.to_bits()]].concat();
    // No more CTAs than can be resident: threads take several options each.
    let ctas = n.div_ceil(threads).min(session.config().cta_slots) as u32;
    session.launch([ctas, 1, 1], [threads as u32, 1, 1], 0, &arguments)?;
    let (expected_calls, expected_puts) = options.iter().map(Terms::worth).unzip();
    Ok(vec![
        Output::floats("calls", session.read(calls), expected_calls),
        Output::floats("puts", session.read(puts), expected_puts),
    ])
}

/// Prices in dollars, time in years.
struct Terms {
    price: f32,
    strike: f32,
    years: f32,
}

impl Terms {
    /// Of a call and a put.
    fn worth(&self) -> (f32, f32) {
        let deviation = VOLATILITY * self.years.sqrt();
        let drift = (0.5 * VOLATILITY).mul_add(VOLATILITY, INTEREST);
        let d1 = drift.mul_add(self.years, logarithm(self.price / self.strike)) / deviation;
        let (above, paid) = (cumulative_normal(d1), cumulative_normal(d1 - deviation));
        let strike = self.strike * exponential(-INTEREST * self.years);
        let call = self.price.mul_add(above, -(strike * paid));
        (call, strike.mul_add(1.0 - paid, -(self.price * (1.0 - above))))
    }
}

/// By Hull's polynomial for one side.
fn cumulative_normal(d: f32) -> f32 {
    const FACTORS: [f32; 5] = [1.3302745, -1.8212559, 1.7814779, -0.35656378, 0.31938154];
    const INVERSE_ROOT_TWO_PI: f32 = 0.3989423;
    let k = 1.0 / 0.2316419f32.mul_add(d.abs(), 1.0);
    let tail = INVERSE_ROOT_TWO_PI * exponential(-0.5 * d * d) * (k * polynomial(&FACTORS, k));
    if d > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In doubles, by Simpson's rule from the mean.
    fn exact_normal(d: f64) -> f64 {
        let (parts, density) = (1000, |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt());
        let step = d / f64::from(parts);
        let weight = |i: i32| if i == 0 || i == parts { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        0.5 + (0..=parts).map(|i| weight(i) * density(f64::from(i) * step)).sum::<f64>() * step / 3.0
    }

    #[test]
    fn the_normal_distribution_is_as_near_as_hull_says() {
        for i in -600..=600 {
            let d = i as f32 / 100.0;
            let error = f64::from(cumulative_normal(d)) - exact_normal(f64::from(d));
            assert!(error.abs() < 3e-7, "{d}: off by {error}");
        }
    }

    #[test]
    fn options_are_worth_what_the_formula_says_in_doubles() {
        for (price, strike, years) in
            [(20.0, 20.0, 1.0), (20.0, 15.0, 5.0), (10.0, 12.0, 4.0), (30.0, 1.0, 0.25), (5.0, 40.0, 0.25)]
        {
            let (call, put) = Terms { price, strike, years }.worth();
            let [s, x, t, r, v] = [price, strike, years, INTEREST, VOLATILITY].map(f64::from);
            let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * t.sqrt());
            let (above, paid) = (exact_normal(d1), exact_normal(d1 - v * t.sqrt()));
            let discounted = x * (-r * t).exp();
            let (exact_call, exact_put) =
                (s * above - discounted * paid, discounted * (1.0 - paid) - s * (1.0 - above));
            let errors = [f64::from(call) - exact_call, f64::from(put) - exact_put];
            assert!(
                errors.iter().all(|error| error.abs() < 2e-6 * (s + x)),
                "{price}, {strike}, {years}: off by {errors:?}"
            );
        }
    }
}
