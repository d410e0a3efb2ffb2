//! Greatest common divisor by subtraction: the number of steps, and the side of each, differ from thread to thread.
use super::{Binary, Kernel, Output, Problem, Random, Sizes, binary, grid};
use crate::host::{DeviceError, Session};

/// See the [module documentation](self).
pub struct Gcd;

impl Kernel for Gcd {
    fn name(&self) -> &'static str {
        "gcd"
    }

    fn summary(&self) -> &'static str {
        "greatest common divisor per thread: every thread takes its own way through a loop"
    }

    fn papers(&self) -> &'static str {
        "none"
    }

    fn unit(&self) -> &'static str {
        "elements"
    }

    fn sizes(&self) -> Sizes {
        Sizes { smoke: 100, default: 1024, large: 16384 }
    }

    fn binary(&self) -> Binary {
        binary!("gcd.c", "gcd.elf")
    }

    fn run(&self, session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
        let n = problem.size;
        let threads = problem.threads(session.config());
        let mut random = Random::new(problem.seed);
        let mut numbers = || -> Vec<u32> { (0..n).map(|_| 1 + random.below(255)).collect() };
        let (a, b) = (numbers(), numbers());
        let expected = a.iter().zip(&b).map(|(&a, &b)| gcd(a, b)).collect();
        let (a, b, divisor) = (session.buffer(&a)?, session.buffer(&b)?, session.zeros(n)?);
        let arguments = [a.address, b.address, divisor.address, n as u32];
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        Ok(vec![Output::exact("divisor", session.read(divisor), expected)])
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
