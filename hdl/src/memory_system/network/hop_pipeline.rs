//! The way from the switch to an output of the network: registers that a flit passes one per tick.
//!
//! ```text
//!               n - 1          0
//!  push -------> [.] --- ... -> [.] ---> pop
//!  push_ready <------- ... <------------ pop_ready
//!  tick
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | flits move at the next edge |
//! | `push`, `push_ready` | , 1 | a flit enters, with a tick and if there is room |
//! | `pop`, `pop_ready` | , 1 | the output register; with a tick its flit leaves |
//!
//! Latency: as many ticks as there are hops. State: a flit for each.
//!
//! A flit moves on wherever the next register is empty or is left in the same tick, so that gaps close behind a flit that cannot leave. So `push_ready` depends on
//! `pop_ready`: with a single register for each hop there would be a flit every other tick otherwise.
use super::{ArrivedFlit, ArrivedFlitRegister, NetworkConfig};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct HopPipeline: clock, reset {
        pub tick: Signal<In, Bit>,
        pub push: ArrivedFlit<In> = ArrivedFlit::new(config),
        pub push_ready: Signal<Out, Bit>,
        pub pop: ArrivedFlit<Out> = ArrivedFlit::new(config),
        pub pop_ready: Signal<In, Bit>,

        /// The output register first.
        hops: Vec<ArrivedFlitRegister> = (0..config.hop_cycles).map(|_| ArrivedFlitRegister::new(config)).collect() => |i| { q: flits[i] },
        /// In each of them, and behind the last what enters.
        flits: Vec<ArrivedFlit<Local>> = (0..=config.hop_cycles).map(|_| ArrivedFlit::new(config)).collect(),
        /// There is room from here to the output.
        moves: Signal<Local, Bit>,
    }
    sizes { _entry = config.hop_cycles, _end = config.hop_cycles + 1 }
    /// Of an output of this network.
    pub fn new(config: &NetworkConfig) {}
}

impl Logic for HopPipeline {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HopPipeline");
        for entry in self._entry..self._end {
            wire::join(&mut self.push, &mut self.flits[entry]);
        }
        wire::join(&mut self.pop, &mut self.flits[0]);
        self.moves.next = self.pop_ready.val();
        for i in 0..self.hops.len() {
            self.moves.next = self.moves.val() | !self.flits[i].valid.val();
            wire::join(&mut self.flits[i], &mut self.hops[i].d);
            if self.tick.val() & self.moves.val() {
                wire::join(&mut self.flits[i + 1], &mut self.hops[i].d);
            }
        }
        self.push_ready.next = self.moves.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flits that enter, `.`: none, and what is at the output; `#` in `stalls`: it is not taken. Room is kept to.
    fn pass(hop_cycles: usize, entering: &str, stalls: &str) -> String {
        let mut pipeline = HopPipeline::new(&NetworkConfig { hop_cycles, ..NetworkConfig::new(1, 1) });
        pipeline.connect_all();
        let mut entering = entering.bytes().peekable();
        pipeline.tick.next = true;
        let tick = |stall: char| {
            let byte = entering.peek().copied().unwrap_or(b'.');
            pipeline.push.valid.next = byte != b'.';
            pipeline.push.payload[0].next = usize::from(byte).into();
            pipeline.pop_ready.next = stall != '#';
            simulate(&mut pipeline, 100);
            if pipeline.push_ready.val() {
                entering.next();
            }
            let flit = if pipeline.pop.valid.val() { pipeline.pop.payload[0].val().value() as u8 as char } else { '.' };
            tick!(pipeline);
            flit
        };
        stalls.chars().map(tick).collect()
    }

    #[test]
    fn one_flit_a_tick() {
        assert_eq!(pass(1, "abc", "     "), ".abc.");
        assert_eq!(pass(3, "ab.c", "        "), "...ab.c.");
    }

    #[test]
    fn gaps_close_behind_a_flit_that_waits() {
        assert_eq!(pass(3, "a.b.cd", "   ######     "), "...aaaaaaabcd.");
        assert_eq!(pass(2, "a.bc", "  ####   "), "..aaaaabc");
        assert_eq!(pass(1, "abc", "####   "), ".aaaabc");
    }
}
