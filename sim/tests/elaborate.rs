//! Elaborated modules mean what rust-hdl's `update()` means.
use warploom_hdl::parts::RoundRobinArbiter;
use warploom_hdl::prelude::*;
use warploom_sim::{Interpreter, elaborate};

/// A small generator of random numbers, so that a failing run can be repeated.
struct Random(u64);

impl Random {
    fn bits(&mut self, width: usize) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32 | self.0 << 32) & mask(width)
    }
}

#[test]
fn arbiter() {
    let mut arbiter = RoundRobinArbiter::new(6);
    arbiter.connect_all();
    let netlist = elaborate(&arbiter).unwrap();
    let mut interpreter = Interpreter::new(&netlist);
    simulate(&mut arbiter, 1000);
    let mut random = Random(1);
    for cycle in 0..1000 {
        let (request, accept, reset) = (random.bits(6), random.bits(1), (random.bits(5) == 0) as u64);
        arbiter.request.next = (request as usize).into();
        arbiter.accept.next = accept == 1;
        arbiter.reset.next = reset == 1;
        interpreter.set("request", request);
        interpreter.set("accept", accept);
        interpreter.set("reset", reset);
        simulate(&mut arbiter, 1000);
        assert_eq!(interpreter.get("grant"), arbiter.grant.val().value(), "cycle {cycle}");
        assert_eq!(interpreter.get("any"), arbiter.any.val() as u64, "cycle {cycle}");
        for _ in 0..2 {
            arbiter.clock.next = !arbiter.clock.val();
            simulate(&mut arbiter, 1000);
        }
        interpreter.step();
    }
}
