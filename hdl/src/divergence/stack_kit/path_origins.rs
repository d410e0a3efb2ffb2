//! What stays with an entry of a CTA-wide stack that holds two paths: where its threads reconverge, and where they came from.
//!
//! Ports: those of [`records!`](crate::records!), for [`PathOrigin`], by {CTA, index}.
//!
//! Latency: read 0, write 1. State: the records.
use crate::prelude::*;

records! {
    /// See the [module documentation](self).
    pub struct PathOrigins {
        /// An entry, from its push on.
        PathOrigin(entries: usize) {
            /// Reconvergence PC; 1: none.
            rpc: [32],
            /// By path, a bit per entry: its threads were split from that path of it.
            ancestors: [entries; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_knows_the_paths_that_it_came_from() {
        let mut origins = PathOrigins::new(8, 1, 4);
        origins.connect_all();
        origins.write_enable.next = true;
        origins.write_row.next = 5.into();
        origins.write.rpc.next = 0x80.into();
        origins.write.ancestors[0].next = 0b0011.into();
        origins.write.ancestors[1].next = 0b0100.into();
        tick!(origins);
        origins.read_row[0].next = 5.into();
        simulate(&mut origins, 100);
        let PathOrigin { rpc, ancestors } = &origins.read[0];
        assert_eq!([rpc, &ancestors[0], &ancestors[1]].map(|net| net.val().index()), [0x80, 0b0011, 0b0100]);
    }
}
