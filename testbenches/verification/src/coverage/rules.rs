//! The rules of the divergence mechanisms whose taking effect is counted: what they are, and which mechanisms have them.
use warploom_hdl::config::Mechanism;
use warploom_hdl::mechanism::Entry;
use warploom_hdl::mechanism::options::JumpIssue;

/// Blocks that hold a mechanism's stack, as [`Entry::stack`] names them: a rule is seen in one of them.
mod stack {
    pub const PER_WARP: &str = "spe_stack";
    pub const TURNS: &str = "turn_scheduler";
    pub const DUAL_PATH: &str = "dual_path_stack";
    pub const SUBDIVISION: &str = "warp_subdivision";
    pub const INDEPENDENT: &str = "independent_threads";
    pub const FORMATION: &str = "dynamic_warp_formation";
    pub const BARRIERS: &str = "warp_barriers";
    pub const LARGE_WARPS: &str = "large_warps";
    pub const CTA_DUAL_PATH: &str = "dual_path_compaction";
    pub const CTA_WIDE: &str = "thread_block_compaction";
}

/// A rule, and the condition that is counted.
pub struct Rule {
    /// Number and name.
    pub name: &'static str,
    /// In which unit, and what.
    pub condition: &'static str,
    /// How often at least in a full run of tests/random_programs.
    pub threshold: u64,
    /// Which of the mechanisms' stacks has it.
    stack: &'static str,
    id: Id,
}

const fn rule(id: Id, stack: &'static str, name: &'static str, condition: &'static str, rare: &[u64]) -> Rule {
    let threshold = if let [threshold] = rare { *threshold } else { 1000 };
    Rule { name, condition, threshold, stack, id }
}

macro_rules! rules {
    ($($id:ident of $stack:ident: $name:literal, $condition:literal $(, $rare:literal)?;)*) => {
        /// Place of a rule in [`RULES`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Id { $($id),* }

        /// All that are measured.
        pub const RULES: &[Rule] = &[$(rule(Id::$id, stack::$stack, $name, $condition, &[$($rare)?])),*];
    };
}

rules! {
    Reuse of CTA_WIDE: "2 slot reuse", "Commit of a branch that splits its entry and reconverges where the entry ends";
    Region of CTA_WIDE: "2 region", "Commit of a branch that splits its entry and reconverges elsewhere: the entry goes to that point";
    EmptySide of CTA_WIDE: "3 empty side", "Commit of a branch one side of which nobody takes: nothing is pushed";
    SideAtPoint of CTA_WIDE: "3 side at the point", "Commit of a branch that splits, one side of which starts where the sides meet: not pushed";
    Hole of CTA_WIDE: "4 hole", "an entry is pushed below another one in use";
    EmptyTop of CTA_WIDE: "4 empty top", "Walk drops an entry with no live thread";
    Pop of CTA_WIDE: "5 pop", "Walk drops an entry whose PC is its RPC";
    Uniform of PER_WARP: "6 uniform (SPE)", "Resolve of a branch that all lanes take the same way";
    Exit of CTA_WIDE: "7 exit", "Commit of an exit with other entries in use";
    Link of CTA_WIDE: "8 entry", "PlaceLink finds an entry";
    Inherit of CTA_WIDE: "8 inherit", "Commit of a branch that splits and reuses a linked entry's slot";
    Chain of CTA_WIDE: "8 chain", "PlaceLink of an entry that inherits a link";
    Merge of CTA_WIDE: "9 merge", "Walk merges an entry at its LPC";
    Wait of CTA_WIDE: "10 wait", "Commit of a barrier";
    Yield of CTA_WIDE: "11 yield", "Walk activates an entry below another one in use";
    Fallback of CTA_WIDE: "11 fallback", "Walk activates the entry that others could still merge into, since nothing else may run";
    Unlink of CTA_WIDE: "11 unlinking", "Walk clears the link of an entry that could have merged there";
    InPlace of DUAL_PATH: "12 in place (DPE)", "a branch with the entry's RPC is served, one side of which starts there: the other takes the path's place";
    Overwrite of DUAL_PATH: "12 overwrite (DPE)", "a branch with the entry's RPC is served, whose other path is dead: both sides take over the entry";
    Above of DUAL_PATH: "12 push (DPE)", "a branch with the entry's RPC is served, whose other path lives: the sides get an entry of their own";
    Suspended of DUAL_PATH: "12 suspended (DPE)", "an entry is pushed, and suspends a path beside the one that diverged";
    Dropped of DUAL_PATH: "12 dropped (DPE)", "an instruction of a path about to be suspended is dropped from the warp buffer";
    Beneath of DUAL_PATH: "12 both (DPE)", "both paths of an entry have come to a branch that diverges: the entry of the second is pushed beneath the first's", 100;
    Drained of DUAL_PATH: "12 drained (DPE)", "Settle postpones an activation until the warp's buffers are empty", 300;
    YieldPath of DUAL_PATH: "12 yield (DPE)", "an entry becomes active one path of which runs though the threads of the other wait", 300;
    Both of CTA_WIDE: "13 commit", "Commit of a branch both sides of which become entries";
    Marked of CTA_WIDE: "14 uniform mark", "a warp goes on at a branch marked uniform without gathering";
    Bypass of CTA_WIDE: "16 bypass", "a warp goes ahead into a staged side";
    Held of CTA_WIDE: "16 held", "the event of a warp that is ahead waits for its entry";
    SecondPath of CTA_WIDE: "17 second path", "a warp diverges and bypasses into one side";
    Refused of CTA_WIDE: "18 refused", "a warp that may bypass gathers, since its side starts at a convergence point";
    Excluded of CTA_WIDE: "19 excluded", "an entry is activated some of whose threads are not formable: they are in warps that went ahead";
    Evaluated of CTA_WIDE: "20 evaluated", "the predictor is told how well a side compacts";
    Evicted of CTA_WIDE: "20 evicted", "the same of a side of a divergence, and it has the branch no more";
    Resumed of CTA_WIDE: "20 not evaluated", "an entry is activated that is no side of a branch running for the first time";
    Allocated of CTA_WIDE: "21 allocated", "the predictor allocates a branch";
    TwoBit of CTA_WIDE: "21 two bits", "a counter of two bits counts";
    HeldBarrier of CTA_WIDE: "22 held barrier", "the barrier of a warp that was ahead is served, its entry having become active";
    CtaInPlace of CTA_DUAL_PATH: "12 in place (TBC+DPE)", "Commit of a branch with the entry's RPC, one side of which starts there: the other takes the path's place", 300;
    CtaOverwrite of CTA_DUAL_PATH: "12 overwrite (TBC+DPE)", "Commit of a branch with the entry's RPC, whose other path is dead: both sides take over the entry", 100;
    CtaPush of CTA_DUAL_PATH: "12 push (TBC+DPE)", "Commit pushes an entry";
    CtaSuspended of CTA_DUAL_PATH: "12 suspended (TBC+DPE)", "an entry is pushed, and suspends a path that has moved on beside the one that diverged", 20;
    CtaYield of CTA_DUAL_PATH: "12 yield (TBC+DPE)", "Walk activates an entry one path of which runs though the threads of the other wait", 20;
    Together of CTA_DUAL_PATH: "23 together", "the warps of a path are formed beside those of the other one", 300;
    Beside of CTA_DUAL_PATH: "23 beside", "Commit of a path that goes on or ends while the other one's warps are under way", 300;
    MustWait of CTA_DUAL_PATH: "23 must wait", "a path that must push finds the other one's warps under way, and waits", 100;
    Serial of CTA_DUAL_PATH: "23 serial", "constrained: the warps of a path that has waited for room are formed when the other one has none", 300;
    CtaBeneath of CTA_DUAL_PATH: "23 beneath", "Commit divides a path while the other one waits: its entry is not the one that runs", 20;
    Subdivided of SUBDIVISION: "DWS subdivided", "a warp or a warp-split becomes two warp-splits";
    Parked of SUBDIVISION: "DWS parked", "a warp-split finds no side: its threads are parked", 100;
    Unparked of SUBDIVISION: "DWS unparked", "parked threads get a side", 100;
    SplitWaits of SUBDIVISION: "DWS barrier", "a warp-split comes to a barrier: its threads are parked", 50;
    SplitsMeet of SUBDIVISION: "DWS merged", "warp-splits that have met go on as one", 200;
    Whole of SUBDIVISION: "DWS whole", "all threads of a divided warp are at the end of its entry, or have ended", 200;
    TurnEnds of TURNS: "SCS turn", "a branch or jump ends the turn of its threads";
    Break of TURNS: "SCS break", "threads that wait for the running ones, or for threads at a barrier, get an entry of their own";
    Rotate of TURNS: "SCS rotate", "at the end of a turn, other threads of the warp run";
    LaneRefused of TURNS: "SCS other lane", "Settle passes over an entry that could run, but it is the turn of another lane";
    LaneGivenUp of TURNS: "SCS lane waits", "Settle finds no entry to run with the lane whose turn it is: any may run", 200;
    Allocates of INDEPENDENT: "ITS allocate", "threads that diverge take a convergence barrier";
    Full of INDEPENDENT: "ITS full", "threads that diverge find no convergence barrier";
    Arrives of INDEPENDENT: "ITS arrive", "threads arrive at their convergence barrier";
    Passes of INDEPENDENT: "ITS pass", "threads come to a point where others wait, not for them", 100;
    Joins of INDEPENDENT: "ITS merge", "threads join a group that has run without them";
    GivesUp of INDEPENDENT: "ITS turn", "a turn is over";
    Breaks of INDEPENDENT: "ITS break", "threads that wait for those whose turn is over stop waiting", 200;
    Rotates of INDEPENDENT: "ITS rotate", "another thread gets the turn", 200;
    AllBreak of INDEPENDENT: "ITS stuck", "no other thread can run: all who wait at convergence barriers stop waiting", 20;
    JoinsWarp of FORMATION: "DWF join", "threads join a warp at their PC that has not issued";
    NoSlot of FORMATION: "DWF park", "threads find no slot, or leave theirs to others", 100;
    GetsSlot of FORMATION: "DWF unpark", "a slot is given to threads without one";
    WaitsParked of FORMATION: "DWF barrier", "a warp comes to a barrier: its threads are parked", 50;
    Relieved of FORMATION: "DWF relief", "a warp that others wait for leaves its slot to them", 20;
    EntryLost of FORMATION: "DWF evict", "an entry of the table gives way while threads wait to issue", 20;
    MixesCtas of FORMATION: "DWF mix", "a control instruction of threads of several CTAs is served";
    TopLevel of BARRIERS: "DWF-WB diverge", "a whole warp diverges: it gets a barrier where it reconverges";
    Inner of BARRIERS: "DWF-WB inner", "threads of warps that have diverged do so again: there is no other barrier";
    WaitsForWarp of BARRIERS: "DWF-WB wait", "threads come to the barrier of their warp";
    GoesOn of BARRIERS: "DWF-WB pass", "threads come to the barrier of their warp, and others with them go on", 100;
    MadeWhole of BARRIERS: "DWF-WB whole", "all threads of a warp have come to its barrier, or have ended";
    JoinsDiverged of BARRIERS: "DWF-WB join", "threads of warps that have diverged join a warp of such threads", 200;
    Packed of LARGE_WARPS: "LWM pack", "threads of several warps issue in one sub-warp";
    LeftBehind of LARGE_WARPS: "LWM rest", "a sub-warp issues that is not the last of its instruction";
    PassedOver of LARGE_WARPS: "LWM in flight", "a sub-warp issues, and threads of its large warp that are in flight are passed over";
    AllAtOnce of LARGE_WARPS: "LWM once", "a jump issues in one sub-warp that stands for several";
    RowWaits of LARGE_WARPS: "LWM row", "a memory instruction waits, since no row is without a thread in flight";
    Awaited of LARGE_WARPS: "LWM gather", "a sub-warp of a branch is resolved, and others are not";
    EndsEntry of LARGE_WARPS: "LWM end", "a large warp comes to the end of its entry";
}

/// Counts by rule, in the order of [`RULES`].
pub type Counts = [u64; RULES.len()];

impl Rule {
    /// Whether it is seen in the stack of this mechanism.
    pub fn is_of(&self, entry: &Entry) -> bool {
        self.stack == entry.stack
    }

    /// Why it cannot take effect in this mechanism, although its stack has it.
    pub fn is_impossible(&self, mechanism: Mechanism) -> Option<&'static str> {
        let adequacy = matches!(mechanism, Mechanism::Capri(_));
        match self.id {
            Id::Marked if mechanism == Mechanism::Tbc => Some("under tbc a warp gathers at every branch"),
            Id::Bypass | Id::Held | Id::SecondPath | Id::Refused | Id::HeldBarrier if !adequacy => {
                Some("only under capri does a warp run ahead")
            }
            Id::Excluded if !adequacy => Some("only under capri are threads of an entry ahead of it"),
            Id::Serial if matches!(mechanism, Mechanism::TbcDualPath | Mechanism::TbcPlusDualPath) => {
                Some("only constrained do both paths share the slots")
            }
            Id::Evaluated | Id::Evicted | Id::Allocated | Id::TwoBit if !adequacy => Some("only capri has a predictor"),
            Id::MixesCtas if !mechanism.traits().mixes_ctas => {
                Some("only with `core` are threads of several CTAs in a warp")
            }
            Id::AllAtOnce if matches!(mechanism, Mechanism::LargeWarps(warps) if warps.jumps == JumpIssue::Packed) => {
                Some("with `packed-jumps` a jump issues like any other instruction")
            }
            _ => None,
        }
    }
}
