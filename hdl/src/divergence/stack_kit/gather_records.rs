//! What the warps of CTAs gather for, by CTA.
//!
//! Ports: those of [`records!`](crate::records!), for [`GatherRecord`].
//!
//! Latency: read 0, write 1. State: the records.
use crate::prelude::*;

records! {
    /// See the [module documentation](self).
    pub struct GatherRecords {
        /// How the warps of an active entry have ended what the entry runs, so far; with likely-convergence points or (`points` of 0) without.
        GatherRecord(warps: usize, points: usize) {
            /// A `GatherKind`.
            kind: [2],
            /// PC of the branch, barrier or exit; where a move leads.
            pc: [32],
            /// Of a branch: its sides, of which the top one runs first, and where they meet.
            low_pc: [32],
            top_pc: [32],
            rpc: [32],
            lpc: [32; points],
            data_dependent: Bit,
            /// Warps that run ahead in each side, and that arrived with threads in each.
            low_ahead: [index_width(warps + 1)],
            top_ahead: [index_width(warps + 1)],
            low_arrived: [index_width(warps + 1)],
            top_arrived: [index_width(warps + 1)],
            /// Warps that diverged; of these, predicted to bypass.
            consulted: [index_width(warps + 1)],
            bypassed: [index_width(warps + 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ctas_are_read_at_once() {
        let mut records = GatherRecords::new(2, 2, 4, 1);
        records.connect_all();
        records.write_enable.next = true;
        for cta in 0..2 {
            records.write_row.next = cta.into();
            records.write.kind.next = (cta + 1).into();
            records.write.lpc[0].next = (0x40 + cta).into();
            records.write.data_dependent.next = cta == 1;
            tick!(records);
        }
        records.read_row[1].next = 1.into();
        simulate(&mut records, 100);
        for (cta, read) in records.read.iter().enumerate() {
            assert_eq!((read.kind.val().index(), read.lpc[0].val().index()), (cta + 1, 0x40 + cta));
            assert_eq!(read.data_dependent.val(), cta == 1);
        }
    }
}
