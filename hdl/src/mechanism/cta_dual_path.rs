//! Dual-path execution on the stack of thread block compaction.
use super::{About, Choice, Entry, Mechanism, Representative, TrackedBy, Traits};

/// A set of warp slots for each path.
pub const TRAITS: Traits = Traits { sides: 2, ..CONSTRAINED_TRAITS };

/// One for both.
pub const CONSTRAINED_TRAITS: Traits = Traits {
    compacts: true,
    gathers: true,
    entry_sides: 2,
    scoreboard: TrackedBy::Path,
    likely_convergence: false,
    ..Traits::SINGLE_PATH
};

/// By mechanism: as the names of its variants stand.
const VARIANTS: [[Mechanism; 2]; 2] = [
    [Mechanism::TbcDualPath, Mechanism::TbcDualPathConstrained],
    [Mechanism::TbcPlusDualPath, Mechanism::TbcPlusDualPathConstrained],
];

const CHOICES: &[Choice] = &[Choice::Name {
    name: "variant",
    names: &["full", "constrained"],
    get: |mechanism| variants(mechanism)?.iter().position(|other| *other == mechanism),
    set: |mechanism, value| {
        if let Some(variants) = variants(*mechanism) {
            *mechanism = variants[value];
        }
    },
}];

fn variants(mechanism: Mechanism) -> Option<[Mechanism; 2]> {
    VARIANTS.into_iter().find(|variants| variants.contains(&mechanism))
}

const STACK: &str = "dual_path_compaction";
const BLOCKS: &[&str] = &[
    STACK,
    "cta_path_stack",
    "path_column",
    "shared_slots",
    "warp_compaction_unit",
    "cta_path_scoreboard",
    "shared_path_scoreboard",
];

pub static TBC: Entry = Entry {
    about: About {
        name: "tbc+dpe",
        summary: "tbc whose stack holds both sides of a branch: the warps of both are formed, and run; tbc+dpe:constrained has one set of warp slots for both",
        source: "Rhu 2014, 4.5.4",
        blocks: BLOCKS,
    },
    alias: None,
    stack: STACK,
    default: Mechanism::TbcDualPath,
    choices: CHOICES,
    spelled: 1,
    representatives: &[Representative::of("tbc+dpe").covering(), Representative::of("tbc+dpe:constrained")],
};

pub static TBC_PLUS: Entry = Entry {
    about: About { name: "tbc-plus+dpe", summary: "tbc-plus with the same", source: "Rhu 2014, 4.5.4", blocks: BLOCKS },
    alias: None,
    stack: STACK,
    default: Mechanism::TbcPlusDualPath,
    choices: CHOICES,
    spelled: 1,
    representatives: &[Representative::of("tbc-plus+dpe")],
};
