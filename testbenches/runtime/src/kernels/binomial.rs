//! European call options on a binomial tree after the CUDA SDK's binomialOptions: a CTA per option, pieces of a step's values go
//! through shared memory and back several steps at a time. Half as many steps again as a CTA has threads (the sample: eight times as
//! many).
use super::elementary::exponential;
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Threads of a CTA, unless asked otherwise.
const THREADS: usize = 64;

pub(super) const ABOUT: About = About {
    summary: "binomial options, one per CTA: two barriers per time step, one thread less at each of them",
    papers: "Rhu 2014 (BINOM)",
    arithmetic: Arithmetic::Float,
    unit: "options",
    sizes: Sizes { smoke: 4, default: 8, large: 64 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = problem.block.unwrap_or_else(|| problem.threads(session.config()).min(THREADS));
    // A piece is a whole number of strides back, and at least two.
    let threads = 1 << threads.max(4).ilog2();
    let (steps, back) = (threads + threads / 2, (threads / 8).max(2));
    let mut random = Random::new(problem.seed);
    let options: Vec<_> = (0..problem.size).map(|_| Terms::random(&mut random).tree(steps)).collect();

    let terms: Vec<f32> = options.iter().flat_map(Tree::fields).collect();
    let (input, calls) = (session.buffer(&float_words(&terms))?, session.zeros(problem.size)?);
    let values = session.zeros(problem.size * (steps + 1))?;
    let arguments = [input.address, values.address, calls.address, steps as u32, back as u32];
    session.launch([problem.size as u32, 1, 1], [threads as u32, 1, 1], 2 * threads, &arguments)?;
    let expected = options.iter().map(|tree| tree.call(steps)).collect();
    Ok(vec![Output::floats("calls", session.read(calls), expected)])
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
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(random.float());
        Self { price: between(5.0, 30.0), strike: between(1.0, 40.0), years: between(0.25, 10.0) }
    }

    fn tree(&self, steps: usize) -> Tree {
        let step = self.years / steps as f64;
        let deviation = VOLATILITY * step.sqrt();
        let (interest, up, down) = ((RISK_FREE * step).exp(), deviation.exp(), (-deviation).exp());
        let probability = (interest - down) / (up - down);
        Tree {
            price: self.price as f32,
            strike: self.strike as f32,
            deviation: deviation as f32,
            up: (probability / interest) as f32,
            down: ((1.0 - probability) / interest) as f32,
        }
    }
}

/// An option as the source has it.
struct Tree {
    price: f32,
    strike: f32,
    deviation: f32,
    up: f32,
    down: f32,
}

impl Tree {
    fn fields(&self) -> [f32; 5] {
        [self.price, self.strike, self.deviation, self.up, self.down]
    }

    fn call(&self, steps: usize) -> f32 {
        let mut values: Vec<f32> = (0..=steps).map(|node| self.at_expiry(node, steps)).collect();
        while values.len() > 1 {
            values = values.windows(2).map(|pair| self.up.mul_add(pair[1], self.down * pair[0])).collect();
        }
        values[0]
    }

    fn at_expiry(&self, node: usize, steps: usize) -> f32 {
        let growth = exponential(self.deviation * (2 * node as i32 - steps as i32) as f32);
        self.price.mul_add(growth, -self.strike).max(0.0)
    }
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
            assert!((f64::from(call) - worth).abs() < 0.01, "{price}, {strike}, {years}: {call}, expected {worth}");
        }
    }
}
