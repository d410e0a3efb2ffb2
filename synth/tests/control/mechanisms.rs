//! The mechanisms, the bounds to which they are checked, and their faults.
use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, DualPathVariant, IndependentThreads, IssuePolicy, LargeWarps,
    Mechanism as Kind, Subdivision, Turns, WarpFormation,
};

/// A property that a fault breaks: its number in `control.sv`.
#[derive(Clone, Copy)]
pub enum Property {
    /// A thread is fetched only at its own next PC.
    Turn = 0,
    /// A warp ends only after its threads.
    Loss = 1,
    /// Something happens, or every warp waits or has ended.
    Deadlock = 2,
}

/// A fault in the exported Verilog.
pub struct Fault {
    /// In a few words.
    pub what: &'static str,
    /// The text it replaces.
    pub of: &'static str,
    /// What replaces it; `FAULT` is true while the fault is there.
    pub with: &'static str,
    /// What it breaks.
    pub property: Property,
}

/// A mechanism and how it is checked.
pub struct Mechanism {
    /// Its name in the papers.
    pub name: &'static str,
    /// What the core has.
    pub kind: Kind,
    /// Likely convergence points.
    pub likely: bool,
    /// Cycles from reset, three of them before the launch.
    pub bound: usize,
    /// Modules that the faults are in, and those around them up to the reconvergence unit.
    pub faulty: &'static [&'static str],
    /// At most three.
    pub faults: &'static [Fault],
}

impl Mechanism {
    /// A core of 4 lanes x 4 warps with stacks of 4 entries.
    pub fn config(&self) -> CoreConfig {
        CoreConfig { mechanism: self.kind, likely_convergence: self.likely, stack_depth: 4, ..CoreConfig::tiny() }
    }

    /// Parameters of `miter`, as yosys takes them.
    pub fn parameters(&self) -> String {
        let config = self.config();
        let mut set = format!("-set SIDES {} -set PATH {}", config.sides(), config.path_width());
        if config.compacts() {
            // Threads that are parked begin again sooner than warps that are compacted.
            let quiet = if config.regroups() { 8 } else { 16 };
            set += &format!(" -set ROWS 4 -set CTA 1 -set LAUNCHES 2 -set QUIET {quiet}");
        }
        // A warp that has gone ahead to a point that is no post-dominator may come to another event than the rest of its CTA.
        if matches!(config.mechanism, Kind::Capri(_)) {
            set += " -set TRAPS 1";
        }
        for (number, fault) in (1..).zip(self.faults) {
            set += &format!(" -set CATCH_{number} {}", fault.property as usize);
        }
        set
    }

    /// What is defined besides, as yosys takes it.
    pub fn define(&self) -> &'static str {
        match self.config() {
            config if config.of_cta_paths() > 0 => "-DCTA_PATHS",
            config if config.regroups() => "-DREGROUPS",
            config if config.of_large_warps() == 1 => "-DLARGE",
            _ => "",
        }
    }
}

const WRONG_PC: Fault = Fault {
    what: "of a branch's sides the wrong one's PC",
    of: "(splits & first_runs) ? first_pc :",
    with: "(splits & (FAULT ^ first_runs)) ? first_pc :",
    property: Property::Turn,
};

const WRONG_MASK: Fault = Fault {
    what: "of a branch with one side that goes on, the other side's mask",
    of: "(splits & first_runs) ? first_mask :",
    with: "(splits & (FAULT ^ first_runs)) ? first_mask :",
    property: Property::Turn,
};

pub const SINGLE_PATH: Mechanism = Mechanism {
    name: "SPE",
    kind: Kind::SinglePath,
    likely: false,
    bound: 28,
    faulty: &["BranchSides", "SpeStack"],
    faults: &[
        WRONG_PC,
        Fault {
            what: "a diverged side with the mask of all",
            of: "(splits & first_runs) ? first_mask :",
            with: "(splits & first_runs) ? (FAULT ? event_mask : first_mask) :",
            property: Property::Turn,
        },
    ],
};

pub const LIKELY: Mechanism =
    Mechanism { name: "SPE with likely convergence points", likely: true, bound: 24, ..SINGLE_PATH };

pub const TBC: Mechanism = Mechanism {
    name: "TBC",
    kind: Kind::Tbc,
    bound: 27,
    faulty: &["WarpCounts", "CtaStack", "ThreadBlockCompaction"],
    faults: &[
        Fault {
            what: "only one side of a branch gets an entry",
            of: "wire clears_staged_t3 = ~(|place_rest)",
            with: "wire clears_staged_t3 = FAULT || ~(|place_rest)",
            property: Property::Turn,
        },
        Fault {
            what: "every entry of the stack taken for one without threads",
            of: "wire walk_step_t1 = ~(|any_live)",
            with: "wire walk_step_t1 = FAULT || ~(|any_live)",
            property: Property::Loss,
        },
        Fault {
            what: "no warp is ever formed",
            of: "assign warp_formed = compaction_valid & free_any",
            with: "assign warp_formed = ~FAULT & compaction_valid & free_any",
            property: Property::Deadlock,
        },
    ],
    ..SINGLE_PATH
};

pub const CAPRI: Mechanism = Mechanism {
    name: "CAPRI",
    kind: Kind::Capri(AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest }),
    bound: 24,
    faults: TBC.faults.split_at(2).0,
    ..TBC
};

pub const DUAL_PATH: Mechanism = Mechanism {
    name: "DPE",
    kind: Kind::DualPath(DualPathVariant::Full),
    bound: 22,
    faulty: &["BranchSides", "DualPathStack"],
    faults: &[
        WRONG_MASK,
        Fault {
            what: "both sides with the same mask",
            of: "wire [3:0] side_mask_1 = sides_both_run ? sides_second_mask",
            with: "wire [3:0] side_mask_1 = sides_both_run ? (FAULT ? sides_first_mask : sides_second_mask)",
            property: Property::Turn,
        },
        Fault {
            what: "threads that have ended come back with an entry",
            of: "(entries_masks_0 & threads_live)",
            with: "(entries_masks_0 & (FAULT ? 4'd15 : threads_live))",
            property: Property::Turn,
        },
    ],
    ..SINGLE_PATH
};

pub const CTA_DUAL_PATH: Mechanism = Mechanism {
    name: "TBC+DPE",
    kind: Kind::TbcDualPath,
    bound: 24,
    faulty: &["CtaPathStack", "DualPathCompaction"],
    faults: &[
        Fault {
            what: "both sides with the same threads",
            of: "wire mask_top_1 = mask_top_0 & ~plan_both_run",
            with: "wire mask_top_1 = mask_top_0 & (FAULT | ~plan_both_run)",
            property: Property::Turn,
        },
        Fault {
            what: "every entry of the stack taken for one without threads",
            of: "wire activate_pc_t1 = ~(|any_live)",
            with: "wire activate_pc_t1 = FAULT || ~(|any_live)",
            property: Property::Loss,
        },
    ],
    ..SINGLE_PATH
};

pub const WARP_SPLITS: Mechanism = Mechanism {
    name: "DWS",
    kind: Kind::Subdivision(Subdivision { threshold: 50, splits: 4 }),
    bound: 20,
    faulty: &["BranchSides", "SpeStack", "WarpSplitTable", "WarpSubdivision"],
    faults: &[
        WRONG_MASK,
        Fault {
            what: "both sides with the same mask",
            of: "? sides_second_mask :\n      (operation == 2'd2 /* Unpark */) ? matching :",
            with: "? (FAULT ? sides_first_mask : sides_second_mask) :\n      (operation == 2'd2 /* Unpark */) ? matching :",
            property: Property::Turn,
        },
        Fault {
            what: "both sides with the same PC",
            of: "? sides_second_pc :\n      (operation == 2'd2 /* Unpark */) ? chosen_pc_selected :",
            with: "? (FAULT ? sides_first_pc : sides_second_pc) :\n      (operation == 2'd2 /* Unpark */) ? chosen_pc_selected :",
            property: Property::Turn,
        },
    ],
    ..SINGLE_PATH
};

/// Turns that end within the bound, for either reason.
const TURNS: Turns = Turns { spin: 1, quantum: 4 };

pub const SCHEDULABLE: Mechanism = Mechanism {
    name: "SCS",
    kind: Kind::SchedulableStack(TURNS),
    bound: 22,
    faulty: &["BranchSides", "TurnScheduler", "SpeStack"],
    faults: &[
        WRONG_PC,
        Fault {
            what: "running threads that leave an entry with those that wait there",
            of: "else if (parts) left <= waiting;",
            with: "else if (parts) left <= FAULT ? found : waiting;",
            property: Property::Turn,
        },
        Fault {
            what: "threads that leave an entry go on where the running ones are",
            of: "turns_0_turn_leaves ? entries_pcs_0 :",
            with: "turns_0_turn_leaves ? (FAULT ? paths_pcs_0 : entries_pcs_0) :",
            property: Property::Turn,
        },
    ],
    ..SINGLE_PATH
};

pub const INDEPENDENT: Mechanism = Mechanism {
    name: "ITS",
    kind: Kind::IndependentThreads(IndependentThreads { barriers: 2, turns: TURNS }),
    bound: 22,
    faulty: &["IndependentThreads"],
    faults: &[
        Fault {
            what: "a group with threads that are elsewhere",
            of: "(ready & selector_there)",
            with: "(ready & (FAULT ? 4'd15 : selector_there))",
            property: Property::Turn,
        },
        Fault {
            what: "threads of a group that stops keep the PC from which they came",
            of: ".write(records)",
            with: ".write(~FAULT & records)",
            property: Property::Turn,
        },
        Fault {
            what: "threads that have ended come back with a group",
            of: "wire [3:0] active = threads_live &",
            with: "wire [3:0] active = (FAULT ? 4'd15 : threads_live) &",
            property: Property::Turn,
        },
    ],
    ..SINGLE_PATH
};

/// A pool that is full as soon as a warp has diverged, the smallest table, and rules for progress that are used within the bound.
const POOL: WarpFormation =
    WarpFormation { sides: 1, lut_entries: 8, age_limit: 4, relief: 2, ..WarpFormation::DEFAULT };

const IN_TWO_WARPS: Fault = Fault {
    what: "threads that join a warp are in the new one, too",
    of: "wire [3:0] rest = group_mask & ~entering",
    with: "wire [3:0] rest = group_mask & ~(FAULT ? 4'd0 : entering)",
    property: Property::Turn,
};

const NO_ROOM: Fault = Fault {
    what: "threads without a slot never get one",
    of: "wire [3:0] room =",
    with: "wire [3:0] room = FAULT ? 4'd0 :",
    property: Property::Deadlock,
};

pub const FORMATION: Mechanism = Mechanism {
    name: "DWF",
    kind: Kind::WarpFormation(POOL),
    bound: 21,
    faulty: &["DynamicWarpFormation"],
    faults: &[
        IN_TWO_WARPS,
        Fault {
            what: "threads join a warp that issues",
            of: "~(issue_valid & (issue_warp == lut_slot))",
            with: "(FAULT | ~(issue_valid & (issue_warp == lut_slot)))",
            property: Property::Turn,
        },
        NO_ROOM,
    ],
    ..SINGLE_PATH
};

pub const WARP_BARRIERS: Mechanism = Mechanism {
    name: "DWF-WB",
    kind: Kind::WarpBarriers(WarpFormation { policy: IssuePolicy::Oldest, ..POOL }),
    bound: 22,
    faulty: &["WarpBarriers", "DynamicWarpFormation"],
    faults: &[
        IN_TWO_WARPS,
        Fault {
            what: "threads that come to the barrier of their warp go on, too",
            of: "& ~barriers_0_arrives;\n",
            with: "& ~(FAULT ? 4'd0 : barriers_0_arrives);\n",
            property: Property::Turn,
        },
        NO_ROOM,
    ],
    ..SINGLE_PATH
};

pub const LARGE_WARPS: Mechanism = Mechanism {
    name: "LWM",
    kind: Kind::LargeWarps(LargeWarps::of(8)),
    bound: 26,
    faulty: &["SubWarpLane", "SubWarpUnit", "SubWarpCounts", "CtaStack", "LargeWarps"],
    faults: &[
        Fault {
            what: "threads in flight are packed",
            of: "wire [3:0] encoder_index_t1 = waiting & ~busy;",
            with: "wire [3:0] encoder_index_t1 = waiting & ~(FAULT ? 4'd0 : busy);",
            property: Property::Turn,
        },
        Fault {
            what: "threads that have issued are not taken out",
            of: "(unissued & ~picked);",
            with: "(unissued & ~(FAULT ? 4'd0 : picked));",
            property: Property::Turn,
        },
        Fault {
            what: "a branch served with its first sub-warp",
            of: "(~arrive_resolved | (counts_0 == 3'd1))",
            with: "(~arrive_resolved | FAULT | (counts_0 == 3'd1))",
            property: Property::Turn,
        },
    ],
    ..SINGLE_PATH
};

/// All of them.
pub const ALL: [&Mechanism; 12] = [
    &SINGLE_PATH,
    &LIKELY,
    &TBC,
    &CAPRI,
    &DUAL_PATH,
    &CTA_DUAL_PATH,
    &WARP_SPLITS,
    &SCHEDULABLE,
    &INDEPENDENT,
    &FORMATION,
    &WARP_BARRIERS,
    &LARGE_WARPS,
];
