//! Mutants that change nothing where their block stands, though they do for some inputs or in some state of the block alone.
use crate::campaign::{Record, Verdict};

/// A mutant, and why it makes no difference.
pub struct Explanation {
    /// Its name.
    pub mutant: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const EXPLAINED: &[Explanation] = &[
    Explanation {
        mutant: "CtaStack.released_first.one_hot: lowest_one_hot(released.q) becomes all bits",
        reason: "nothing reads it: of this encoder the stack uses `any` and `index`",
    },
    Explanation {
        mutant: "DualPathStack.turn.one_hot: lowest_one_hot(turns.grant) becomes all bits",
        reason: "nothing reads it: of this encoder the stack uses `index`",
    },
    Explanation {
        mutant: "WarpSplitTable.unparking.one_hot: lowest_one_hot(((is_divided.q & ..) & any_open)) becomes all bits",
        reason: "nothing reads it: of this encoder the table uses `any` and `index`",
    },
    Explanation {
        mutant: "CtaStack.passes: ((step == 3) ? 0 : ((step == 4) ? 0 : (.. ? 0 : ..))) becomes 1 for 0",
        reason: "it is read in the step Walk alone, and this is the step PlaceLink",
    },
    Explanation {
        mutant: "CtaStack.flags: ((step == 7) ? 0 : 0) becomes 1 for 0 #2",
        reason: "they are written with `writes_moving` alone, and this is the step Idle, which writes no entry",
    },
    Explanation {
        mutant: "DualPathStack.diverts[1]: ((operation == 2) ? 0 : ((operation == 3) ? (.. ? 0 : ..) : 0)) becomes 1 for 0",
        reason: "at launch there is no right path. Its PC is written whenever one starts; what `diverted` makes the first branch write \
                 belongs to the right path of the first entry, which is not stored there",
    },
    Explanation {
        mutant: "SpeStack.passes: (!walk.any ? 0 : ((.. & ..) ? 0 : (.. ? 1 : 0))) becomes 1 for 0",
        reason: "the walk has come to its end: it begins anew or is over, and forgets what it has passed",
    },
    Explanation {
        mutant: "SpeStack.replaces: ((!.. & !links[0].link_awaits_merge) ? 0 : (!found_runs ? 0 : (.. ? 1 : ..))) becomes 1 for 0",
        reason: "the active entry has ended, and an empty one takes its place: the walk goes on, and replaces it again before anything runs",
    },
    Explanation {
        mutant: "Execute.trap_lane.any: any(((branch.trap != 0) ? branch.trap_lanes : stage.issued_mask)) becomes all",
        reason: "nothing reads it: of this encoder EXECUTE uses `index`",
    },
    Explanation {
        mutant: "Frontend.selected_lpc: ((issue_side == 0) ? buffers[0].selected_lpc : 1) becomes swapped",
        reason: "a core with two paths a warp has no likely-convergence points: both are 1",
    },
    Explanation {
        mutant: "Frontend.selected_rpc_valid: ((issue_side == 0) ? buffers[0].selected_rpc_valid : 0) becomes 1 for 0",
        reason: "of two sides, what is not of the left one is of the right one, and replaced by what that has",
    },
    Explanation {
        mutant: "SharedMemory.arbiters[0].lane_bank[3]: lane_bank[3] becomes 0",
        reason: "the last lane is served if no lane before it wants this bank: if it does not want it either, nobody reads the row that it gets there",
    },
    Explanation {
        mutant: "MshrTable.allocate_id: ((!0 & groups[0].free) ? (groups[0].free_index or (0 << 6)) : 0) becomes 1 for 0",
        reason: "no entry is free, and without one the cache allocates none",
    },
    Explanation {
        mutant: "L1DataCache.requests.push_kind: (store ? 1 : 2) becomes 3 for 2",
        reason: "the queue takes whatever is no read and no write for an atomic",
    },
    Explanation {
        mutant: "L2Port.base: (receiver.packet_sectors[0] ? 0 : 0) becomes 1 for 0 #2",
        reason: "a packet of a word has one sector: if that is not the first, a later one says which; of any other packet nobody reads it",
    },
    Explanation {
        mutant: "CommandChoice.activates: (refresh_due ? 0 : (oldest_column.any ? 0 : (oldest_row.any ? .. : 0))) becomes 1 for 0",
        reason: "a refresh is due until all rows have been closed and it is done: the oldest request has a row opened for it after that in any case",
    },
    Explanation {
        mutant: "CommandChoice.first[3].one_hot: lowest_one_hot({(.. & ..), (.. & ..), (.. & ..), ..}) becomes all bits",
        reason: "the oldest of all that need a row is taken, which is the oldest of its bank: those behind it make no difference (yosys needs longer for it than it has)",
    },
    Explanation {
        mutant: "DramController.scheduler.push_id: request_id becomes a sign extension",
        reason: "the bits above a read's name are looked at for writes alone, whose names are places of their data: of a read's, answers have the name itself",
    },
    Explanation {
        mutant: "Interconnect.slice_link_destination[1]: to_slices[1].link_destination becomes 0",
        reason: "behind the network a flit has nowhere else to go: the destination that enters the link is 0",
    },
];

/// Why a mutant makes no difference, if it is known.
pub fn reason(mutant: &str) -> Option<&'static str> {
    EXPLAINED.iter().find(|known| known.mutant == mutant).map(|known| known.reason)
}

/// Those that a test has noticed.
pub fn stale(records: &[Record]) -> Vec<&str> {
    let caught = records.iter().filter(|record| matches!(record.verdict, Verdict::Caught { .. }));
    caught.map(|record| record.name.as_str()).filter(|name| reason(name).is_some()).collect()
}
