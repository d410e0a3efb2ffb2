//! Vector addition: the simplest streaming kernel.
use super::{Binary, Kernel, Output, Problem, Random, Sizes, binary, grid};
use crate::host::{DeviceError, Session};

/// See the [module documentation](self).
pub struct Vecadd;

impl Kernel for Vecadd {
    fn name(&self) -> &'static str {
        "vecadd"
    }

    fn summary(&self) -> &'static str {
        "c[i] = a[i] + b[i]: streaming, no divergence but at the end"
    }

    fn papers(&self) -> &'static str {
        "CUDA SDK"
    }

    fn unit(&self) -> &'static str {
        "elements"
    }

    fn sizes(&self) -> Sizes {
        Sizes { smoke: 100, default: 4096, large: 65536 }
    }

    fn binary(&self) -> Binary {
        binary!("vecadd.c", "vecadd.elf")
    }

    fn run(&self, session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
        let n = problem.size;
        let threads = problem.threads(session.config());
        let mut random = Random::new(problem.seed);
        let (a, b) = (random.words(n), random.words(n));
        let expected = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
        let (a, b, c) = (session.buffer(&a)?, session.buffer(&b)?, session.zeros(n)?);
        let arguments = [a.address, b.address, c.address, n as u32];
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        Ok(vec![Output::exact("c", session.read(c), expected)])
    }
}
