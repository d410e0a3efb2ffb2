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

bundle! {
    /// Where an entry ends.
    pub struct EntryEnd() {
        /// Reconvergence PC; odd: none.
        rpc: [32],
        /// Likely-convergence PC; odd: none.
        lpc: [32],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ActiveEnds: clock {
        pub query_cta: Net<In> = index_width(ctas),
        pub query: EntryEnd<Out> = EntryEnd::new(),
        pub decoded_cta: Net<In> = index_width(ctas),
        pub decoded: EntryEnd<Out> = EntryEnd::new(),
        pub activate: Signal<In, Bit>,
        pub cta: Net<In> = index_width(ctas),
        pub active: EntryEnd<Out> = EntryEnd::new(),
        pub new_rpc: Net<In> = 32,
        pub new_lpc: Net<In> = 32,

        rpcs: Memory = by_cta() => {
            read_address[0]: query_cta, read_address[1]: decoded_cta, write_enable[0]: activate, write_address[0]: cta,
            write_data[0]: new_rpc, read_data[0]: query.rpc, read_data[1]: decoded.rpc, read_address[2]: cta,
            read_data[2]: active.rpc,
        },
        lpcs: Vec<Memory> = (0..likely_convergence as usize).map(|_| by_cta()).collect() => |i| {
            read_address[0]: query_cta, read_address[1]: decoded_cta, write_enable[0]: activate, write_address[0]: cta,
            write_data[0]: new_lpc, read_address[2]: cta,
        },
    }
    /// For `ctas` CTAs, with likely-convergence points or without.
    pub fn new(ctas: usize, likely_convergence: bool) {
        let by_cta = || Memory::new(32, ctas, 3, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ActiveEnds {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ActiveEnds");
        self.query.lpc.next = 1.into();
        self.decoded.lpc.next = 1.into();
        self.active.lpc.next = 1.into();
        for i in 0..self.lpcs.len() {
            self.query.lpc.next = self.lpcs[i].read_data[0].val();
            self.decoded.lpc.next = self.lpcs[i].read_data[1].val();
            self.active.lpc.next = self.lpcs[i].read_data[2].val();
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
            ends.new_lpc.next = 0.into();
            ends.decoded_cta.next = 1.into();
            tick!(ends);
            assert_eq!((ends.query.rpc.val().index(), ends.decoded.rpc.val().index()), (0x80, 0x81));
            let points = if likely_convergence { (0x40, 0x41) } else { (1, 1) };
            assert_eq!((ends.query.lpc.val().index(), ends.decoded.lpc.val().index()), points);
            assert_eq!((ends.active.rpc.val().index(), ends.active.lpc.val().index()), (0x81, points.1));
        }
    }
}
