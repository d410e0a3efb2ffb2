//! Registers between a core and who distributes CTAs, as long as those of its link.
//!
//! ```text
//!                  +-------------+
//!  request ------->| -> -> -> -> |---> late_request
//!  late_grant <----| <- <- <- <- |<--- grant
//!                  +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request`, `late_request` | 1 | a pulse of the core, and the one of so many cycles ago |
//! | `grant`, `late_grant` | | the answers, likewise |
//!
//! Latency: its length. State: as many pulses and answers.
use crate::interface::{CtaGrant, CtaGrantRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaPipeline: clock, reset {
        pub request: Signal<In, Bit>,
        pub late_request: Signal<Out, Bit>,
        pub grant: CtaGrant<In> = CtaGrant::new(),
        pub late_grant: CtaGrant<Out> = CtaGrant::new(),

        requests: Register = Register::new(length),
        /// The last one first.
        registers: Vec<CtaGrantRegister> = (0..length).map(|_| CtaGrantRegister::new()).collect() => |i| { q: grants[i] },
        /// In each of them, and behind these what enters.
        grants: Vec<CtaGrant<Local>> = (0..=length).map(|_| CtaGrant::new()).collect(),
    }
    sizes { _length = length, _last = length - 1, _end = length + 1 }
    /// 1 to 64 registers long.
    pub fn new(length: usize) {
        assert!((1..=64).contains(&length), "1 to 64 registers, not {length}");
    }
}

impl Logic for CtaPipeline {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaPipeline");
        dff_setup!(self, clock, requests);
        for entry in self._length..self._end {
            wire::join(&mut self.grant, &mut self.grants[entry]);
        }
        wire::join(&mut self.late_grant, &mut self.grants[0]);
        for i in 0..self.registers.len() {
            wire::join(&mut self.grants[i + 1], &mut self.registers[i].d);
        }
        for last in self._last..self._length {
            self.late_request.next = self.requests.q.val().get_bit(last);
        }
        self.requests.d.next = self.requests.q.val() << 1;
        if self.request.val() {
            self.requests.d.next = (self.requests.q.val() << 1) | 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_are_as_long() {
        let mut pipeline = CtaPipeline::new(3);
        pipeline.connect_all();
        for cycle in 0..8usize {
            // An answer, and one that there is none.
            let granted = [2, 4].contains(&cycle);
            pipeline.request.next = cycle == 1;
            pipeline.grant.valid.next = granted;
            pipeline.grant.none.next = cycle == 4;
            pipeline.grant.x.next = cycle.into();
            pipeline.grant.y.next = (0x10 + cycle).into();
            pipeline.grant.z.next = (0x20 + cycle).into();
            simulate(&mut pipeline, 100);
            assert_eq!(pipeline.late_request.val(), cycle == 4, "{cycle}");
            let CtaGrant { valid, none, x, y, z } = &pipeline.late_grant;
            assert_eq!((valid.val(), none.val()), ([5, 7].contains(&cycle), cycle == 7), "{cycle}");
            if valid.val() {
                let came = cycle as u64 - 3;
                assert_eq!([x, y, z].map(|place| place.val().value()), [came, 0x10 + came, 0x20 + came]);
            }
            tick!(pipeline);
        }
    }
}
