//! The papers' worked examples, as traces in the figures' own format.
use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, Mechanism};

use super::{Case, IssuePolicy};

/// Names of threads in Rhu's figures.
pub const HEXADECIMAL: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
/// Names of threads in Fung's figures.
pub const FROM_ONE: &str = "123456789abc";

/// A worked example on a CTA-wide stack of four lanes.
pub struct Example {
    /// Source.
    pub title: &'static str,
    /// The program, see [`super::Program::parse`].
    pub program: &'static str,
    /// The blocks that each thread executes.
    pub paths: Vec<&'static str>,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Which side of a branch runs first.
    pub taken_first: bool,
    /// Names of the threads.
    pub names: &'static str,
    /// Warps that go on, in this order; behind them the lowest that can.
    pub order: &'static [usize],
    /// A line per event: `formed` when an entry has become active, `arrive` when a warp has come to its end, then the stack, see
    /// [`super::Cta::rows`]. The trace may end earlier than the program.
    pub trace: &'static str,
}

impl Example {
    /// The program and the paths.
    pub fn case(&self) -> Case {
        Case::parse(self.program, &self.paths)
    }
}

/// 1-bit history of the latest result, 32 entries.
pub const LATEST: Mechanism = Mechanism::Capri(AdequacyPredictor { entries: 32, history: AdequacyHistory::Latest });

fn by_thread(threads: usize, path: impl Fn(usize) -> &'static str) -> Vec<&'static str> {
    (0..threads).map(path).collect()
}

/// Rhu 2014, Figures 4.1 to 4.3. The figure keeps PC A in the lower entry; the rule is that it becomes the reconvergence point.
pub fn rhu_4_2() -> Example {
    Example {
        title: "Rhu Figure 4.2, TBC",
        program: "A>C,B B>D C>D D",
        paths: by_thread(12, |thread| if thread == 7 || thread == 10 { "ABD" } else { "ACD" }),
        mechanism: Mechanism::Tbc,
        taken_first: false,
        names: HEXADECIMAL,
        order: &[0, 1, 2],
        trace: "
            formed: - | 0123 4567 89AB | A | 3
            arrive: - | 0123 4567 89AB | A | 2 ; D | 0123 | C | 0 ; D | ---- | B | 0
            arrive: - | 0123 4567 89AB | A | 1 ; D | 0123 456- | C | 0 ; D | ---- ---7 | B | 0
            arrive: - | 0123 4567 89AB | A | 0 ; D | 0123 456- 89-B | C | 0 ; D | ---- ---7 --A- | B | 0
            formed: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 0 ; D | ---- ---7 --A- | B | 1
            arrive: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 0 ; D | ---- ---7 --A- | B | 0
            formed: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 3
            arrive: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 2
            arrive: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 1
            arrive: - | 0123 4567 89AB | D | 0 ; D | 0123 456- 89-B | C | 0
            formed: - | 0123 4567 89AB | D | 3
            arrive: - | ---- 4567 89AB | D | 2
            arrive: - | ---- ---- 89AB | D | 1
            arrive: - | ---- ---- ---- | D | 0",
    }
}

/// The same program on a CTA-wide stack with dual paths, which Rhu 2014, 4.5.4 describes without a figure; the side of C on the right. Block, path and
/// lanes of every warp; C issues first where there is a choice: then with the slots of one path for both, where 1 + 3 warps do not fit.
pub const RHU_4_2_DUAL_PATHS: (&str, [&str; 2]) = (
    "A>C,B B>D C>D D",
    [
        "AL:0123 AL:4567 AL:89AB CR:0123 CR:456B CR:89-- BL:--A7 DL:0123 DL:4567 DL:89AB",
        "AL:0123 AL:4567 AL:89AB BL:--A7 CR:0123 CR:456B CR:89-- DL:0123 DL:4567 DL:89AB",
    ],
);

/// Rhu 2014, Figures 4.7 to 4.9: W0 runs ahead, W2 and W1 gather, and the predictor learns that it was of no use.
pub fn rhu_4_8() -> Example {
    let to_b = |thread| thread < 4 || [4, 7, 8, 9].contains(&thread);
    Example {
        title: "Rhu Figure 4.8, CAPRI",
        program: "A>C,B B>D C>D D",
        paths: by_thread(12, |thread| if to_b(thread) { "ABD" } else { "ACD" }),
        mechanism: LATEST,
        taken_first: false,
        names: HEXADECIMAL,
        order: &[0, 2, 1],
        trace: "
            formed: - | 0123 4567 89AB | A | 3 ; UMask 111 CAPT -
            arrive: - | 0123 4567 89AB | A | 2 ; D | ---- | C | 0 ; D | 0123 | B | 1 ; UMask 011 CAPT -
            arrive: - | 0123 4567 89AB | A | 1 ; D | ---- --AB | C | 0 ; D | 0123 89-- | B | 1 ; UMask 011 CAPT {'A': 1}
            arrive: - | 0123 4567 89AB | A | 0 ; D | ---- -56- --AB | C | 0 ; D | 0123 4--7 89-- | B | 1 ; UMask 011 CAPT {'A': 1}
            formed: - | 0123 4567 89AB | D | 0 ; D | ---- -56- --AB | C | 0 ; D | 0123 4--7 89-- | B | 3 ; UMask 111 CAPT {'A': 0}",
    }
}

/// Fung & Aamodt 2011, Figure 7: the activations. The whole takes seven issue slots, and eight without compaction.
pub fn fung_7() -> Example {
    Example {
        title: "Fung Figure 7, TBC",
        program: "A>C,B B>D C>D D",
        paths: by_thread(8, |thread| if [0, 5, 6].contains(&thread) { "ACD" } else { "ABD" }),
        mechanism: Mechanism::Tbc,
        taken_first: true,
        names: FROM_ONE,
        order: &[],
        trace: "
            formed: - | 1234 5678 | A | 2
            arrive: - | 1234 5678 | A | 1 ; D | -234 | B | 0 ; D | 1--- | C | 0
            arrive: - | 1234 5678 | A | 0 ; D | -234 5--8 | B | 0 ; D | 1--- -67- | C | 0
            formed: - | 1234 5678 | D | 0 ; D | -234 5--8 | B | 0 ; D | 1--- -67- | C | 1
            arrive: - | 1234 5678 | D | 0 ; D | -234 5--8 | B | 0 ; D | 1--- -67- | C | 0
            formed: - | 1234 5678 | D | 0 ; D | -234 5--8 | B | 2
            arrive: - | 1234 5678 | D | 0 ; D | -234 5--8 | B | 1
            arrive: - | 1234 5678 | D | 0 ; D | -234 5--8 | B | 0
            formed: - | 1234 5678 | D | 2",
    }
}

/// Fung & Aamodt 2011, Figure 9: warps arrive in the order 2, 3, 1. The text fixes 5 to C and 6 to B; the other outcomes are ours.
pub fn fung_9() -> Example {
    Example {
        title: "Fung Figure 9, TBC",
        program: "A>C,B B>D C>D D",
        paths: by_thread(12, |thread| if [0, 1, 4, 6, 10, 11].contains(&thread) { "ACD" } else { "ABD" }),
        mechanism: Mechanism::Tbc,
        taken_first: true,
        names: FROM_ONE,
        order: &[1, 2, 0],
        trace: "
            formed: - | 1234 5678 9abc | A | 3
            arrive: - | 1234 5678 9abc | A | 2 ; D | -6-8 | B | 0 ; D | 5-7- | C | 0
            arrive: - | 1234 5678 9abc | A | 1 ; D | -6-8 9a-- | B | 0 ; D | 5-7- --bc | C | 0
            arrive: - | 1234 5678 9abc | A | 0 ; D | --34 -6-8 9a-- | B | 0 ; D | 12-- 5-7- --bc | C | 0
            formed: - | 1234 5678 9abc | D | 0 ; D | --34 -6-8 9a-- | B | 0 ; D | 12-- 5-7- --bc | C | 2",
    }
}

/// Rhu 2014, Figure 3.1 (and 2.6): nested branches of one warp, the fall-through side first. (Program, paths, trace: block, its threads, then the stack, bottom
/// first, as PC, mask, RPC.)
pub const RHU_3_1: (&str, &[&str], &str) = (
    "A>C,B B>G C>E,D D>F E>F F>G G",
    &["ABG", "ACDFG", "ACEFG", "ACEFG"],
    "
        A 0123: G 0123 - ; C -123 G ; B 0--- G
        B 0---: G 0123 - ; C -123 G
        C -123: G 0123 - ; F -123 G ; E --23 F ; D -1-- F
        D -1--: G 0123 - ; F -123 G ; E --23 F
        E --23: G 0123 - ; F -123 G
        F -123: G 0123 -
        G 0123:",
);

/// Rhu 2014, Figure 3.3: the program and paths of [`RHU_3_1`] with dual paths; B is suspended while D and E run. (Blocks in the order in
/// which they execute, trace: block, then the stack, bottom first, as both paths' PC and mask, RPC.)
pub const RHU_3_3: (&str, &str) = (
    "ACDEBFG",
    "
        A: G 0123/- - ; B 0---/C -123 G
        C: G 0123/- - ; B 0---/F -123 G ; D -1--/E --23 F
        D: G 0123/- - ; B 0---/F -123 G ; -/E --23 F
        E: G 0123/- - ; B 0---/F -123 G
        B: G 0123/- - ; -/F -123 G
        F: G 0123/- -
        G:",
);

/// Rhu 2014, Figure 3.2: the program and paths of [`RHU_3_1`] with warp-splits. All blocks have three instructions, but F has one, and the
/// threshold is 2: the branch of A does not divide the warp, the branch of C does, and F executes twice. (Trace: block, its threads, then
/// the stack, bottom first, as PC, mask, RPC, then the warp-split table, as PC, mask. A divided entry has no PC.)
pub const RHU_3_2: &str = "
    A 0123: G 0123 - ; C -123 G ; B 0--- G |
    B 0---: G 0123 - ; C -123 G |
    C -123: G 0123 - ; -123 G | D -1-- ; E --23
    D -1--: G 0123 - ; -123 G | F -1-- ; E --23
    E --23: G 0123 - ; -123 G | F -1-- ; F --23
    F -1--: G 0123 - ; -123 G | - ; F --23
    F --23: G 0123 - |
    G 0123: |";

/// Fung & Aamodt 2011, Figure 10: `break` in a loop, likely-convergence point E. (Program, paths, trace: block, then the stack, bottom
/// first, as PC, RPC, LPC, LPos, mask.)
pub const FUNG_10: (&str, &[&str], &str) = (
    "A>C,B B>E C>E,D D>F E>A,F F",
    &["ABEF", "ACEF", "ACDF", "ACDF"],
    "
        A: F - - - 1234 ; E F - - ---- ; B F E 1 1--- ; C F E 1 -234
        C: F - - - 1234 ; E F - - -2-- ; B F E 1 1--- ; D F E 1 --34
        D: F - - - 1234 ; E F - - -2-- ; B F E 1 1---
        B: F - - - 1234 ; E F - - 12--
        E: F - - - 1234",
);

/// Rhu 2014, Figure 4.19: 8 lanes, 4 warps, (permutation, the even threads in place, warps after compaction; the same for the first half
/// of every warp). The figure prints PORQ for the last warp of the fifth line.
pub const RHU_4_19: &str = "
    none 0-2-4-6- 8-A-C-E- G-I-K-M- O-Q-S-U- -> 4 ; 0123---- 89AB---- GHIJ---- OPQR---- -> 4
    odd_even 0-2-4-6- -8-A-C-E G-I-K-M- -O-Q-S-U -> 2 ; 0123---- 98BA---- GHIJ---- PORQ---- -> 4
    rev_wid 0-2-4-6- C-E-8-A- I-G-M-K- U-S-Q-O- -> 4 ; 0123---- ----89AB IJGH---- ----QROP -> 2
    balanced 0-2-4-6- -E-C-A-8 -G-I-K-M U-S-Q-O- -> 2 ; 0123---- ----BA98 HGJI---- ----QROP -> 2";

/// A spin lock and four lanes on a schedulable convergence stack whose turns end after one trip: blocks, and the lanes that run them.
pub const SPIN_LOCK: &str = "
    L:1234 X:1--- C:1--- U:1--- Z:1--- L:-234 X:-2-- C:-2-- U:-2-- Z:-2--
    L:--34 X:--3- C:--3- U:--3- Z:--3- L:---4 X:---4 C:---4 U:---4 Z:---4";
/// Names of the blocks of [`locks::spin_lock`](super::locks::spin_lock): acquire, behind it, critical section, release, end.
pub const SPIN_LOCK_BLOCKS: &str = "LXCUZ";
/// The program of Fung & Aamodt 2011, Figure 7, under dynamic warp formation: every warp is served as soon as it is fetched. (Policy, slots, warps in
/// the order in which they are fetched, threads by lane; threads parked.) Block D runs in three warps where those who fall behind never meet the others.
pub const FUNG_7_DWF: &[(IssuePolicy, usize, &str, usize)] = &[
    (IssuePolicy::Majority, 4, "A:1234 A:5678 B:5234 B:---8 D:5234 D:---8 C:167- D:167-", 0),
    (IssuePolicy::Minority, 4, "A:1234 A:5678 C:167- D:167- B:5234 B:---8 D:5234 D:---8", 0),
    (IssuePolicy::Oldest, 4, "A:1234 A:5678 C:167- B:5234 B:---8 D:1674 D:5238", 0),
    (IssuePolicy::LowestPc, 4, "A:1234 A:5678 B:5234 B:---8 C:167- D:5234 D:1678", 0),
    (IssuePolicy::Majority, 2, "A:1234 A:5678 C:167- D:167- B:5--8 B:-234 D:5238 D:---4", 3),
];
/// The same with warp barriers: D runs in the warps as they were launched.
pub const FUNG_7_DWF_WB: (IssuePolicy, usize, &str, usize) =
    (IssuePolicy::Oldest, 4, "A:1234 A:5678 C:167- B:5234 B:---8 D:1234 D:5678", 0);
