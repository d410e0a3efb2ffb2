//! Single-path execution.
use super::{About, Entry, Mechanism, Representative};

pub static ENTRY: Entry = Entry {
    about: About {
        name: "spe",
        summary: "single-path execution: one reconvergence stack per warp, immediate post-dominators",
        source: "Fung & Aamodt 2011, 2.2.2; Rhu 2014, 3.1.1",
        blocks: &["spe_stack", "scoreboard"],
    },
    alias: None,
    stack: "spe_stack",
    default: Mechanism::SinglePath,
    choices: &[],
    spelled: 0,
    representatives: &[Representative::of("spe").covering().on_paper()],
};
