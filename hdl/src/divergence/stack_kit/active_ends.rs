//! Where the active entry of each CTA ends, for the warps that run it.
//!
//! ```text
//!                        +------------+
//!  query_cta ----------->|            |---> query_rpc, query_lpc
//!  decoded_cta --------->| ActiveEnds |---> decoded_rpc, decoded_lpc
//!  activate, cta, new_* >|            |
//!                        +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `query_cta`, `query_rpc`, `query_lpc` | c, 32, 32 | reconvergence PC and likely-convergence PC of the active entry of a CTA; odd: none |
//! | `decoded_cta`, `decoded_rpc`, `decoded_lpc` | c, 32, 32 | the same of another one |
//! | `activate`, `cta`, `new_rpc`, `new_lpc` | 1, c, 32, 32 | an entry becomes active |
//!
//! Latency: read 0, write 1. State: two PCs per CTA, or one without likely-convergence points.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ActiveEnds: clock {
        pub query_cta: Net<In> = index_width(ctas),
        pub query_rpc: Net<Out> = 32,
        pub query_lpc: Net<Out> = 32,
        pub decoded_cta: Net<In> = index_width(ctas),
        pub decoded_rpc: Net<Out> = 32,
        pub decoded_lpc: Net<Out> = 32,
        pub activate: Signal<In, Bit>,
        pub cta: Net<In> = index_width(ctas),
        pub new_rpc: Net<In> = 32,
        pub new_lpc: Net<In> = 32,

        rpcs: Memory = by_cta(),
        lpcs: Vec<Memory> = (0..likely_convergence as usize).map(|_| by_cta()).collect(),
    }
    /// For `ctas` CTAs, with likely-convergence points or without.
    pub fn new(ctas: usize, likely_convergence: bool) {
        let by_cta = || Memory::new(32, ctas, 2, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ActiveEnds {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ActiveEnds");
        self.rpcs.read_address[0].next = self.query_cta.val();
        self.rpcs.read_address[1].next = self.decoded_cta.val();
        self.rpcs.write_enable[0].next = self.activate.val();
        self.rpcs.write_address[0].next = self.cta.val();
        self.rpcs.write_data[0].next = self.new_rpc.val();
        self.query_rpc.next = self.rpcs.read_data[0].val();
        self.decoded_rpc.next = self.rpcs.read_data[1].val();
        self.query_lpc.next = 1.into();
        self.decoded_lpc.next = 1.into();
        for i in 0..self.lpcs.len() {
            self.lpcs[i].read_address[0].next = self.query_cta.val();
            self.lpcs[i].read_address[1].next = self.decoded_cta.val();
            self.lpcs[i].write_enable[0].next = self.activate.val();
            self.lpcs[i].write_address[0].next = self.cta.val();
            self.lpcs[i].write_data[0].next = self.new_lpc.val();
            self.query_lpc.next = self.lpcs[i].read_data[0].val();
            self.decoded_lpc.next = self.lpcs[i].read_data[1].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ctas_are_asked_at_once() {
        for likely_convergence in [true, false] {
            let mut ends = ActiveEnds::new(2, likely_convergence);
            ends.connect_all();
            ends.activate.next = true;
            for cta in 0..2 {
                ends.cta.next = cta.into();
                ends.new_rpc.next = (0x80 + cta).into();
                ends.new_lpc.next = (0x40 + cta).into();
                tick!(ends);
            }
            ends.activate.next = false;
            ends.new_rpc.next = 0.into();
            ends.decoded_cta.next = 1.into();
            tick!(ends);
            assert_eq!((ends.query_rpc.val().index(), ends.decoded_rpc.val().index()), (0x80, 0x81));
            let points = if likely_convergence { (0x40, 0x41) } else { (1, 1) };
            assert_eq!((ends.query_lpc.val().index(), ends.decoded_lpc.val().index()), points);
        }
    }
}
