//! European call options on a binomial tree after the CUDA SDK's binomialOptions: a CTA per option, pieces of a step's values go
//! through shared memory and back several steps at a time. Fixed point with 16 fraction bits; powers by repeated squaring instead
//! of `exp`. Half as many steps again as a CTA has threads (the sample: eight times as many).
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Fraction bits.
const FRACTION: u32 = 16;
/// Threads of a CTA, unless asked otherwise, and the most: more steps are too many for the fraction bits.
const THREADS: usize = 64;
const MOST_THREADS: usize = 128;

pub(super) const ABOUT: About = About {
    summary: "binomial options, one per CTA: two barriers per time step, one thread less at each of them",
    papers: "Rhu 2014 (BINOM)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
    unit: "options",
    sizes: Sizes { smoke: 4, default: 8, large: 64 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = problem.block.unwrap_or_else(|| problem.threads(session.config()).min(THREADS));
    // A piece is a whole number of strides back, and at least two.
    let threads = 1 << threads.clamp(4, MOST_THREADS).ilog2();
    let (steps, back) = (threads + threads / 2, (threads / 8).max(2));
    let mut random = Random::new(problem.seed);
    let options: Vec<_> = (0..problem.size).map(|_| Terms::random(&mut random).tree(steps)).collect();

    let words: Vec<u32> = options.iter().flat_map(Tree::words).collect();
    let (input, calls) = (session.buffer(&words)?, session.zeros(problem.size)?);
    let values = session.zeros(problem.size * (steps + 1))?;
    let arguments = [input.address, values.address, calls.address, steps as u32, back as u32];
    session.launch([problem.size as u32, 1, 1], [threads as u32, 1, 1], 2 * threads, &arguments)?;
    let expected = options.iter().map(|tree| tree.call(steps)).collect();
    Ok(vec![Output::exact("calls", session.read(calls), expected)])
}

/// Prices in dollars, time in years.
struct Terms {
    price: f64,
    strike: f64,
    years: f64,
}

/// Of a year: the sample's.
const RISK_FREE: f64 = 0.02;
const VOLATILITY: f64 = 0.10;

impl Terms {
    /// Within the sample's ranges, strike prices nearer to the price.
    fn random(random: &mut Random) -> Self {
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(random.below(1 << 16)) / 65536.0;
        Self { price: between(5.0, 30.0), strike: between(1.0, 40.0), years: between(0.25, 10.0) }
    }

    fn tree(&self, steps: usize) -> Tree {
        let fixed = |x: f64| (x * f64::from(1 << FRACTION)).round() as u32;
        let step = self.years / steps as f64;
        let deviation = VOLATILITY * step.sqrt();
        let (interest, up, down) = ((RISK_FREE * step).exp(), deviation.exp(), (-deviation).exp());
        let probability = (interest - down) / (up - down);
        Tree {
            lowest: fixed(self.price * (-deviation * steps as f64).exp()),
            strike: fixed(self.strike),
            growth: fixed(up / down),
            up: fixed(probability / interest),
            down: fixed((1.0 - probability) / interest),
        }
    }
}

/// An option as the source has it.
struct Tree {
    lowest: u32,
    strike: u32,
    growth: u32,
    up: u32,
    down: u32,
}

impl Tree {
    fn words(&self) -> [u32; 5] {
        [self.lowest, self.strike, self.growth, self.up, self.down]
    }

    fn call(&self, steps: usize) -> u32 {
        let mut values: Vec<u32> = (0..=steps).map(|node| self.price(node).saturating_sub(self.strike)).collect();
        while values.len() > 1 {
            let before = values.windows(2).map(|pair| multiply(self.up, pair[1]) + multiply(self.down, pair[0]));
            values = before.collect();
        }
        values[0]
    }

    /// At expiry.
    fn price(&self, node: usize) -> u32 {
        let (mut price, mut growth) = (self.lowest, self.growth);
        for bit in 0..usize::BITS - node.leading_zeros() {
            if node >> bit & 1 == 1 {
                price = multiply(price, growth);
            }
            growth = multiply(growth, growth);
        }
        price
    }
}

fn multiply(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> FRACTION) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With many steps the tree comes near to what Black and Scholes say.
    #[test]
    fn calls_are_worth_what_black_and_scholes_say() {
        for (price, strike, years, worth) in
            [(20.0, 20.0, 1.0, 1.0034), (20.0, 15.0, 5.0, 6.4892), (10.0, 12.0, 4.0, 0.4078)]
        {
            let call = Terms { price, strike, years }.tree(256).call(256);
            let call = f64::from(call) / f64::from(1 << FRACTION);
            assert!((call - worth).abs() < 0.03, "{price}, {strike}, {years}: {call}, expected {worth}");
        }
    }
}
