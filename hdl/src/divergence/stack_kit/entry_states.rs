//! What changes with an entry of a CTA-wide stack when it moves on: its PC, and how its warps came there.
//!
//! Ports: those of [`records!`](crate::records!), for [`EntryState`], by {CTA, index}.
//!
//! Latency: read 0, write 1. State: the records.
use crate::prelude::*;

records! {
    /// See the [module documentation](self).
    pub struct EntryStates {
        /// An entry of a CTA-wide stack, from the last branch on.
        EntryState(warps: usize) {
            pc: [32],
            /// Warps that run ahead in it.
            ahead: [index_width(warps + 1)],
            /// It has not run since, and is a side of a branch: to be evaluated.
            unevaluated: Bit,
            /// The branch was divergent.
            divergent: Bit,
            /// Its condition came from data.
            data_dependent: Bit,
            /// PC of the branch.
            branch: [32],
            /// Warps with threads in this side; warps that diverged at the branch; of these, predicted to bypass.
            arrived: [index_width(warps + 1)],
            consulted: [index_width(warps + 1)],
            bypassed: [index_width(warps + 1)],
        }
    }
}

bundle! {
    /// A side of a branch runs for the first time: how well do its warps fill?
    pub struct Evaluation(warps: usize) {
        valid: Bit,
        /// PC of the branch.
        pc: [32],
        divergent: Bit,
        data_dependent: Bit,
        arrived: [index_width(warps + 1)],
        consulted: [index_width(warps + 1)],
        bypassed: [index_width(warps + 1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_moves_on() {
        let mut states = EntryStates::new(8, 1, 4);
        states.connect_all();
        states.write_enable.next = true;
        states.read_row[0].next = 3.into();
        states.write_row.next = 3.into();
        for (pc, unevaluated) in [(0x40, true), (0x80, false)] {
            states.write.pc.next = pc.into();
            states.write.unevaluated.next = unevaluated;
            states.write.ahead.next = 4.into();
            tick!(states);
            let state = &states.read[0];
            assert_eq!((state.pc.val().index(), state.unevaluated.val()), (pc, unevaluated));
            assert_eq!((state.ahead.val().index(), state.divergent.val()), (4, false));
        }
    }
}
