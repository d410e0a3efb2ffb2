//! What stays with an entry of a CTA-wide stack: where its threads reconverge, and where they came from.
//!
//! Ports: those of [`records!`](crate::records!), for [`EntryOrigin`], by {CTA, index}.
//!
//! Latency: read 0, write 1. State: the records.
use crate::prelude::*;

records! {
    /// See the [module documentation](self).
    pub struct EntryOrigins {
        /// An entry of a CTA-wide stack, from its push on; with likely-convergence points or (`points` of 0) without.
        EntryOrigin(entries: usize, points: usize) {
            /// Reconvergence PC; 1: none.
            rpc: [32],
            /// Bit per entry that its threads were split from.
            ancestors: [entries],
            /// Likely-convergence PC, as far as the entry is linked.
            lpc: [32; points],
            /// The entry that it merges into there.
            lpos: [index_width(entries); points],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_its_links() {
        let mut origins = EntryOrigins::new(8, 1, 4, 1);
        origins.connect_all();
        origins.write_enable.next = true;
        origins.write_row.next = 5.into();
        origins.write.rpc.next = 0x80.into();
        origins.write.ancestors.next = 0b0011.into();
        origins.write.lpc[0].next = 0x40.into();
        origins.write.lpos[0].next = 2.into();
        tick!(origins);
        origins.read_row[0].next = 5.into();
        simulate(&mut origins, 100);
        let EntryOrigin { rpc, ancestors, lpc, lpos } = &origins.read[0];
        assert_eq!([rpc, ancestors, &lpc[0], &lpos[0]].map(|net| net.val().index()), [0x80, 0b0011, 0x40, 2]);
        assert!(EntryOrigins::new(8, 1, 4, 0).read[0].lpc.is_empty());
    }
}
