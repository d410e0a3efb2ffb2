//! The lowest PC of those threads that can run.
//!
//! ```text
//!            +-----------------------+
//!  pcs[L] -->| {cannot run, PC} by   |
//!  ready --->| thread, a tournament  |---> lowest
//!            +-----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `pcs[L]`, `ready` | 32, L | where the threads are; those that can run |
//! | `lowest` | 32 | the lowest of their PCs; any if none can run |
//!
//! Latency 0: log2 L comparisons. Instructions are words, so the last two bits of a PC do not take part.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LowestPc {
        pub pcs: Vec<Net<In>> = Net::vec(lanes, 32),
        pub ready: Net<In> = lanes,
        pub lowest: Net<Out> = 32,

        /// {cannot run, number of a word}: of every thread, then the lower one of two, of two such, and so on.
        contenders: Vec<Net<Local>> = Net::vec(lanes, 31),
        cannot_run: Constant = Constant::new(1 << 30, 31),
        word: Net<Local> = 32,
    }
    sizes { _contender = 31, _rounds = lanes.ilog2() as usize, _pairs = lanes / 2 }
    /// Among `lanes` threads, a power of two.
    pub fn new(lanes: usize) {}
}

impl Logic for LowestPc {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LowestPc");
        for lane in 0..self.pcs.len() {
            self.word.next = self.pcs[lane].val() >> 2;
            self.contenders[lane].next = bit_cast_to(self.word.val(), self._contender);
            if !self.ready.val().get_bit(lane) {
                self.contenders[lane].next = bit_cast_to(self.word.val(), self._contender) | self.cannot_run.val();
            }
        }
        // Those behind the winners of a round are of no account.
        for _round in 0..self._rounds {
            for pair in 0..self._pairs {
                if self.contenders[2 * pair + 1].val() < self.contenders[2 * pair].val() {
                    self.contenders[pair].next = self.contenders[2 * pair + 1].val();
                } else {
                    self.contenders[pair].next = self.contenders[2 * pair].val();
                }
            }
        }
        self.lowest.next = bit_cast_to(self.contenders[0].val(), 32) << 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_those_that_can_run() {
        for lanes in [1, 2, 4, 16] {
            let mut tournament = LowestPc::new(lanes);
            tournament.connect_all();
            let mut state = 1u64;
            for _ in 0..200 {
                let mut random = |bound: u64| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) % bound
                };
                let pcs: Vec<u64> = (0..lanes).map(|_| 4 * random([4, 1 << 30][lanes & 1])).collect();
                let ready = 1 + random((1 << lanes) - 1);
                tournament.ready.next = Word::from(ready as usize);
                tournament.pcs.iter_mut().zip(&pcs).for_each(|(port, pc)| port.next = (*pc as usize).into());
                simulate(&mut tournament, 1000);
                let lowest = (0..lanes).filter(|lane| ready >> lane & 1 == 1).map(|lane| pcs[lane]).min();
                assert_eq!(Some(tournament.lowest.val().value()), lowest, "{pcs:x?} {ready:b}");
            }
        }
    }
}
