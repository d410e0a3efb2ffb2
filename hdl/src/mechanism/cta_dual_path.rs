//! Dual-path execution on the stack of thread block compaction.
use super::{About, Entry, Mechanism, Representative, TrackedBy, Traits};

pub const TRAITS: Traits = Traits {
    compacts: true,
    gathers: true,
    sides: 2,
    entry_sides: 2,
    scoreboard: TrackedBy::Path,
    likely_convergence: false,
    ..Traits::SINGLE_PATH
};

const STACK: &str = "dual_path_compaction";
const BLOCKS: &[&str] = &[STACK, "cta_path_stack", "path_column", "warp_compaction_unit", "cta_path_scoreboard"];

pub static TBC: Entry = Entry {
    about: About {
        name: "tbc+dpe",
        summary: "tbc whose stack holds both sides of a branch: the warps of both are formed, and run",
        source: "Rhu 2014, 4.5.4",
        blocks: BLOCKS,
    },
    alias: None,
    stack: STACK,
    default: Mechanism::TbcDualPath,
    choices: &[],
    spelled: 0,
    representatives: &[Representative::of("tbc+dpe").covering()],
};

pub static TBC_PLUS: Entry = Entry {
    about: About { name: "tbc-plus+dpe", summary: "tbc-plus with the same", source: "Rhu 2014, 4.5.4", blocks: BLOCKS },
    alias: None,
    stack: STACK,
    default: Mechanism::TbcPlusDualPath,
    choices: &[],
    spelled: 0,
    representatives: &[Representative::of("tbc-plus+dpe")],
};
