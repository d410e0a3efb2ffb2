//! How often each of the [rules](super::rules) takes effect in the hardware, seen in its nets cycle by cycle.
use warploom_hdl::config::{AdequacyHistory, CoreConfig, Mechanism};
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

use super::nets::{bits, nets};
use super::rules::{Counts, Id, RULES};

nets! { Wide, "core.divergence.cta_wide[0]":
    served = "served",
    is_branch = "is_branch",
    is_uniform = "is_uniform",
    continues = "continues",
    is_reached = "is_reached",
    diverges = "diverges",
    adequate = "adequate",
    bypass_low = "bypass_low",
    bypass_top = "bypass_top",
    ahead = "ahead",
    event_bit = "event_bit",
    pending = "events.pending",
    event_kind = "events.event_kind",
    step = "stack.step",
    kind = "stack.branches.branch_kind",
    splits = "stack.plan.splits",
    reuses = "stack.plan.reuses",
    low_runs = "stack.plan.low_runs",
    top_runs = "stack.plan.top_runs",
    link_read = "stack.entries.is_linked",
    hole_any = "stack.hole.any",
    hole_index = "stack.hole.index",
    in_use = "stack.in_use.read_data[0]",
    index = "stack.index",
    any_member = "stack.any_member",
    drops = "stack.drops",
    merges = "stack.merges",
    activates = "stack.activates",
    is_last = "stack.runs_anyway",
    unlinking = "stack.giving_up",
    linked = "stack.entries.linked",
    next_linked = "stack.next_linked",
    side_linked = "stack.side_linked",
    evaluates = "stack.evaluate_valid",
}

nets! { Table, "core.divergence.cta_wide[0]":
    divergent = "evaluated_divergent",
    update = "capt[0].update_valid",
    lookup = "capt[0].lookup_valid",
    hits = "capt[0].hits",
}

nets! { Single, "core.divergence.per_warp[0]":
    operation = "engine.operation",
    kind = "queue.pop_kind",
    splits = "sides.splits",
}

nets! { Scheduled, "core.divergence.per_warp[0]":
    turn_ends = "turns[0].ends",
    any = "walk.any",
    leaves = "turns[0].leaves",
    rotates = "turns[0].rotates",
    refuses = "turns[0].turn_refuses",
    gives_lane_up = "turns[0].gives_up",
}

nets! { Dual, "core.divergence.dual_path[0]":
    operation = "engine.operation",
    kind = "events.event_kind",
    served = "served",
    narrows = "narrows",
    overwrites = "overwrites",
    pushed = "pushed",
    reuses = "reuses",
    suspended = "suspended",
    beneath = "beneath",
    replaces = "replaces",
    interrupted = "barrier.interrupted",
    drains = "drains",
    left_runs = "found_runs[0]",
    right_runs = "found_runs[1]",
    left_gone = "found_gone[0]",
    right_gone = "found_gone[1]",
    left_dropped = "flush[0]",
    right_dropped = "flush[1]",
}

nets! { WideDual, "core.divergence.cta_dual_path[0].stack":
    step = "step",
    settles = "plan.settles",
    goes_on = "plan.goes_on",
    divides = "plan.divides",
    narrows = "plan.narrows",
    overwrites = "plan.overwrites",
    must_wait = "plan.must_wait",
    other_runs = "other_runs",
    other_held = "other_held",
    pushed = "pushed",
    suspended = "suspended",
    activates = "activates",
    left_runs = "found_runs[0]",
    right_runs = "found_runs[1]",
    left_gone = "found_gone[0]",
    right_gone = "found_gone[1]",
}

nets! { SharedSlots, "core.divergence.cta_dual_path[0].stack":
    takes_up = "takes_up[0]",
    is_right = "activate_right",
    left_present = "runs_here[0]",
    right_present = "runs_here[1]",
}

nets! { Splits, "core.divergence.subdivision[0].splits":
    operation = "operation",
    subdivided = "subdivided",
    parks = "parks",
    waits = "waits",
    merged = "merged",
    finish_ready = "finish_ready",
}

nets! { Groups, "core.divergence.independent[0]":
    write = "barriers.write",
    full = "barriers.full",
    allocates = "barriers.allocates",
    arrives = "barriers.arrives",
    comes = "barriers.comes",
    released = "barriers.released",
    breaks_all = "breaks_all",
    joins = "joins",
    gives_up = "gives_up",
    rotates = "turn_events_rotates",
}

nets! { Formation, "core.divergence.formation[0]":
    joins = "joins",
    parks = "parks",
    waits = "waits",
    reserve = "parked_threads.reserve",
    relieved = "relieved",
    evicted = "lut.evicted",
    serves_event = "serves_event",
}

nets! { Barriers, "core.divergence.formation[0]":
    diverges = "barriers[0].diverges",
    begins = "barriers[0].begins",
    arrives = "barriers[0].arrives",
    mask = "barriers[0].mask",
    completes = "barriers[0].completes",
    joins = "joins",
}

nets! { Large, "core.divergence.large_warps[0]":
    issues = "issue_valid",
    lanes = "issue_mask",
    last = "issue_last",
    at_once = "sub_warps.at_once",
    issue_bit = "sub_warps.issue_bit",
    by_row = "sub_warps.by_row",
    has_free = "sub_warps.has_free",
    has_whole = "sub_warps.has_whole",
    has_blocked = "sub_warps.has_blocked",
    arrives = "arrives",
    resolved = "resolved_valid",
    completes = "stack.completes",
}

/// The home warp of the thread in this lane of the sub-warp that issues.
fn picked(lane: usize) -> String {
    format!("core.divergence.large_warps[0].issue_home_warps[{lane}]")
}

/// Where warps are of threads of several CTAs: how many of a CTA.
fn of_cta(cta: usize) -> String {
    format!("core.divergence.formation[0].of_ctas[0].counts[{cta}]")
}

fn members(lane: usize, of: &str) -> String {
    format!("core.divergence.cta_wide[0].stack.{of}[{lane}]")
}

fn has_table(config: &CoreConfig) -> bool {
    matches!(config.mechanism, Mechanism::Capri(predictor) if predictor.entries > 0)
}

/// The nets that a simulator of this core must show.
pub fn nets(config: &CoreConfig) -> Vec<String> {
    let all = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    match config.mechanism {
        Mechanism::SinglePath => return all(Single::NAMES),
        Mechanism::SchedulableStack(_) => return all(&[Single::NAMES, Scheduled::NAMES].concat()),
        Mechanism::DualPath(_) => return all(Dual::NAMES),
        Mechanism::TbcDualPath | Mechanism::TbcPlusDualPath => return all(WideDual::NAMES),
        Mechanism::TbcDualPathConstrained | Mechanism::TbcPlusDualPathConstrained => {
            return all(&[WideDual::NAMES, SharedSlots::NAMES].concat());
        }
        Mechanism::Subdivision(_) => return all(Splits::NAMES),
        Mechanism::IndependentThreads(_) => return all(Groups::NAMES),
        Mechanism::WarpFormation(_) => {
            let counts = (0..config.where_mixed(config.cta_slots)).map(of_cta);
            return all(Formation::NAMES).into_iter().chain(counts).collect();
        }
        Mechanism::WarpBarriers(_) => return all(Barriers::NAMES),
        Mechanism::LargeWarps(_) => {
            return all(Large::NAMES).into_iter().chain((0..config.lanes).map(picked)).collect();
        }
        _ => {}
    }
    let mut nets: Vec<String> = all(Wide::NAMES);
    nets.extend((0..config.lanes).flat_map(|lane| [members(lane, "members"), members(lane, "formable")]));
    if has_table(config) {
        nets.extend(all(Table::NAMES));
    }
    nets
}

/// Encodings of what the nets hold.
mod code {
    pub const RESOLVE: u64 = 3;
    pub const SETTLE: u64 = 1;
    pub const UNPARK: u64 = 2;
    pub const FINISH: u64 = 3;
    pub const COMMIT: u64 = 2;
    pub const PLACE_LINK: u64 = 3;
    pub const PLACE_TOP: u64 = 5;
    pub const WALK: u64 = 6;
    pub const FORM_RIGHT: u64 = 2;
    pub const WALK_PATHS: u64 = 4;
    pub const BRANCH: u64 = 0;
    pub const JUMP: u64 = 1;
    pub const EXIT: u64 = 2;
    pub const BARRIER: u64 = 3;
}

enum Unit {
    PerWarp(Single<Bits>, Option<Scheduled<Bits>>),
    DualPath(Dual<Bits>),
    CtaDualPath(WideDual<Bits>, Option<SharedSlots<Bits>>),
    Subdivision(Splits<Bits>),
    IndependentThreads(Groups<Bits>),
    WarpFormation(Formation<Bits>, Vec<Bits>),
    WarpBarriers(Barriers<Bits>),
    LargeWarps(Large<Bits>, Vec<Bits>),
    CtaWide {
        wide: Box<Wide<Bits>>,
        members: Vec<[Bits; 2]>,
        table: Option<Table<Bits>>,
        two_bit: bool,
        bypasses: bool,
    },
}

/// Counts the rules in a simulator of one core. [`push`](Self::push) after every cycle.
pub struct RuleWatch {
    unit: Unit,
    /// Bit per warp: its event has waited for its entry.
    held: u64,
    counts: Counts,
}

impl RuleWatch {
    /// Of a simulator built with [`nets`].
    pub fn new(simulator: &Simulator, config: &CoreConfig) -> Self {
        let unit = match config.mechanism {
            Mechanism::SinglePath => Unit::PerWarp(Single::find(simulator), None),
            Mechanism::SchedulableStack(_) => Unit::PerWarp(Single::find(simulator), Some(Scheduled::find(simulator))),
            Mechanism::DualPath(_) => Unit::DualPath(Dual::find(simulator)),
            Mechanism::TbcDualPath | Mechanism::TbcPlusDualPath => Unit::CtaDualPath(WideDual::find(simulator), None),
            Mechanism::TbcDualPathConstrained | Mechanism::TbcPlusDualPathConstrained => {
                Unit::CtaDualPath(WideDual::find(simulator), Some(SharedSlots::find(simulator)))
            }
            Mechanism::Subdivision(_) => Unit::Subdivision(Splits::find(simulator)),
            Mechanism::IndependentThreads(_) => Unit::IndependentThreads(Groups::find(simulator)),
            Mechanism::WarpFormation(_) => {
                let counts = (0..config.where_mixed(config.cta_slots)).map(|cta| bits(simulator, &of_cta(cta)));
                Unit::WarpFormation(Formation::find(simulator), counts.collect())
            }
            Mechanism::WarpBarriers(_) => Unit::WarpBarriers(Barriers::find(simulator)),
            Mechanism::LargeWarps(_) => {
                let picks = (0..config.lanes).map(|lane| bits(simulator, &picked(lane)));
                Unit::LargeWarps(Large::find(simulator), picks.collect())
            }
            Mechanism::Tbc | Mechanism::TbcPlus | Mechanism::Capri(_) => {
                let find = |path: String| bits(simulator, &path);
                Unit::CtaWide {
                    wide: Box::new(Wide::find(simulator)),
                    members: (0..config.lanes)
                        .map(|lane| [members(lane, "members"), members(lane, "formable")].map(find))
                        .collect(),
                    table: has_table(config).then(|| Table::find(simulator)),
                    bypasses: matches!(config.mechanism, Mechanism::Capri(_)),
                    two_bit: matches!(config.mechanism, Mechanism::Capri(p) if p.history == AdequacyHistory::TwoBit),
                }
            }
        };
        Self { unit, held: 0, counts: [0; RULES.len()] }
    }

    /// How often each has taken effect since this was asked last.
    pub fn take(&mut self) -> Counts {
        self.held = 0;
        std::mem::replace(&mut self.counts, [0; RULES.len()])
    }

    /// Adds the cycle just simulated.
    pub fn push(&mut self, simulator: &Simulator) {
        let words = simulator.observed_words();
        let mut count = |id: Id, fires: bool| self.counts[id as usize] += u64::from(fires);
        let (wide, members, table, two_bit, bypasses) = match &self.unit {
            Unit::PerWarp(nets, turns) => {
                let now = nets.read(words);
                count(Id::Uniform, now.operation == code::RESOLVE && now.kind == code::BRANCH && now.splits == 0);
                if let Some(turns) = turns {
                    let turn = turns.read(words);
                    count(Id::TurnEnds, turn.turn_ends == 1);
                    count(Id::Break, turn.leaves == 1);
                    count(Id::Rotate, turn.rotates == 1);
                    let searches = now.operation == code::SETTLE && turn.any == 1;
                    count(Id::LaneRefused, searches && turn.refuses == 1);
                    count(Id::LaneGivenUp, turn.gives_lane_up == 1);
                }
                return;
            }
            Unit::LargeWarps(nets, picks) => {
                let now = nets.read(words);
                let of_issuer = |large_warps: u64| large_warps & now.issue_bit != 0;
                if now.issues == 1 {
                    let picked = picks.iter().enumerate().filter(|(lane, _)| now.lanes >> lane & 1 == 1);
                    let mut rows = picked.map(|(_, home_warp)| home_warp.of(words));
                    let first = rows.next();
                    let several = rows.any(|row| Some(row) != first);
                    count(Id::Packed, several);
                    count(Id::LeftBehind, now.last == 0);
                    count(Id::PassedOver, now.at_once == 0 && of_issuer(now.has_blocked));
                    count(Id::AllAtOnce, now.at_once == 1 && several);
                }
                count(Id::RowWaits, now.by_row & now.has_free & !now.has_whole != 0);
                count(Id::Awaited, now.arrives == 1 && now.resolved == 1 && now.completes == 0);
                count(Id::EndsEntry, now.arrives == 1 && now.resolved == 0);
                return;
            }
            Unit::DualPath(nets) => {
                let now = nets.read(words);
                let branch = now.served == 1 && matches!(now.kind, code::BRANCH | code::JUMP);
                count(Id::InPlace, branch && now.narrows == 1);
                count(Id::Overwrite, branch && now.overwrites == 1);
                count(Id::Above, now.pushed == 1 && now.reuses == 1);
                count(Id::Suspended, now.suspended == 1);
                count(Id::Dropped, now.left_dropped | now.right_dropped != 0);
                count(Id::Beneath, branch && now.beneath == 1);
                count(Id::Drained, now.operation == code::SETTLE && now.drains == 1 && now.interrupted == 0);
                let rests = [now.left_runs | now.left_gone, now.right_runs | now.right_gone].contains(&0);
                count(Id::YieldPath, now.operation == code::SETTLE && now.replaces == 1 && rests);
                return;
            }
            Unit::CtaDualPath(nets, shared) => {
                let now = nets.read(words);
                let settles = now.settles == 1;
                count(Id::CtaInPlace, now.goes_on == 1 && now.narrows == 1);
                count(Id::CtaOverwrite, now.divides == 1 && now.overwrites == 1);
                count(Id::CtaPush, now.pushed == 1);
                count(Id::CtaSuspended, now.suspended == 1);
                let together = match shared.as_ref().map(|shared| shared.read(words)) {
                    None => now.step == code::FORM_RIGHT,
                    Some(begins) => {
                        let others = if begins.is_right == 1 { begins.left_present } else { begins.right_present };
                        count(Id::Serial, begins.takes_up == 1 && others == 0);
                        begins.takes_up == 1 && others == 1
                    }
                };
                count(Id::Together, together);
                count(Id::Beside, settles && now.divides == 0 && now.other_runs == 1 && now.other_held == 0);
                count(Id::MustWait, now.must_wait == 1);
                count(Id::CtaBeneath, now.divides == 1 && now.other_held == 1);
                let rests = [now.left_runs | now.left_gone, now.right_runs | now.right_gone].contains(&0);
                count(Id::CtaYield, now.step == code::WALK_PATHS && now.activates == 1 && rests);
                return;
            }
            Unit::Subdivision(nets) => {
                let now = nets.read(words);
                count(Id::Subdivided, now.subdivided == 1);
                count(Id::Parked, now.parks == 1 && now.waits == 0);
                count(Id::Unparked, now.operation == code::UNPARK);
                count(Id::SplitWaits, now.waits == 1);
                count(Id::SplitsMeet, now.merged == 1);
                count(Id::Whole, now.operation == code::FINISH && now.finish_ready == 1);
                return;
            }
            Unit::IndependentThreads(nets) => {
                let now = nets.read(words);
                count(Id::Allocates, now.allocates == 1 && now.full == 0);
                count(Id::Full, now.full == 1);
                count(Id::Arrives, now.write == 1 && now.arrives != 0);
                count(Id::Passes, now.write == 1 && now.comes == 1 && now.arrives == 0);
                count(Id::Joins, now.joins != 0);
                count(Id::GivesUp, now.gives_up == 1);
                count(Id::Breaks, now.released != 0 && now.breaks_all == 0);
                count(Id::Rotates, now.rotates == 1);
                count(Id::AllBreak, now.breaks_all == 1);
                return;
            }
            Unit::WarpFormation(nets, threads_of_ctas) => {
                let now = nets.read(words);
                count(Id::JoinsWarp, now.joins == 1);
                count(Id::NoSlot, now.parks != 0);
                count(Id::GetsSlot, now.reserve == 1);
                count(Id::WaitsParked, now.waits == 1);
                count(Id::Relieved, now.relieved == 1);
                count(Id::EntryLost, now.evicted == 1);
                let ctas = threads_of_ctas.iter().filter(|threads| threads.of(words) > 0).count();
                count(Id::MixesCtas, now.serves_event == 1 && ctas > 1);
                return;
            }
            Unit::WarpBarriers(nets) => {
                let now = nets.read(words);
                count(Id::TopLevel, now.begins == 1);
                count(Id::Inner, now.diverges == 1 && now.begins == 0);
                count(Id::WaitsForWarp, now.arrives != 0);
                count(Id::GoesOn, now.arrives != 0 && now.arrives != now.mask);
                count(Id::MadeWhole, now.completes == 1);
                count(Id::JoinsDiverged, now.joins == 1);
                return;
            }
            Unit::CtaWide { wide, members, table, two_bit, bypasses } => (wide, members, table, *two_bit, *bypasses),
        };
        let now = wide.read(words);

        let waiting = now.pending & now.ahead;
        for _ in 0..(waiting & !self.held).count_ones() {
            count(Id::Held, true);
        }
        self.held |= waiting;
        if now.served == 1 {
            let bypass = (now.bypass_low | now.bypass_top) == 1;
            let diverges = now.diverges == 1;
            let branch = now.is_branch == 1 && now.is_uniform == 0;
            let may_bypass = bypasses && branch && !(diverges && now.adequate == 1);
            count(Id::Marked, now.is_uniform == 1 && now.continues == 1);
            count(Id::Bypass, bypass);
            count(Id::SecondPath, bypass && diverges);
            count(Id::Refused, may_bypass && !bypass);
            let barrier = now.is_reached == 0 && now.event_kind == code::BARRIER;
            count(Id::HeldBarrier, barrier && self.held & now.event_bit != 0);
            self.held &= !now.event_bit;
        }

        // By a walk, or at once by the commit.
        let activates = now.activates == 1;
        if activates {
            count(Id::Resumed, now.evaluates == 0);
            count(Id::Excluded, members.iter().any(|[all, formable]| all.of(words) != formable.of(words)));
        }
        let (branch, splits, reuses) = (now.kind == code::BRANCH, now.splits == 1, now.reuses == 1);
        match now.step {
            code::COMMIT => {
                count(Id::Reuse, branch && splits && reuses);
                count(Id::Region, branch && splits && !reuses);
                count(Id::EmptySide, branch && !splits);
                count(Id::SideAtPoint, branch && splits && (now.low_runs & now.top_runs) == 0);
                count(Id::Both, branch && splits && (now.low_runs & now.top_runs) == 1);
                count(Id::Inherit, branch && splits && reuses && now.link_read == 1);
                count(Id::Exit, now.kind == code::EXIT && now.in_use.count_ones() > 1);
                count(Id::Wait, now.kind == code::BARRIER);
            }
            code::PLACE_LINK..=code::PLACE_TOP => {
                count(Id::Link, now.step == code::PLACE_LINK && now.hole_any == 1);
                count(Id::Chain, now.step == code::PLACE_LINK && now.side_linked == 1);
                count(Id::Hole, now.hole_any == 1 && now.in_use >> now.hole_index != 0);
            }
            code::WALK => {
                let (drops, empty) = (now.drops == 1, now.any_member == 0);
                count(Id::EmptyTop, drops && empty);
                count(Id::Pop, drops && !empty && now.merges == 0);
                count(Id::Merge, now.merges == 1);
                count(Id::Yield, activates && now.in_use >> now.index > 1);
                count(Id::Fallback, activates && now.is_last == 1);
                count(Id::Unlink, now.unlinking == 1 && now.drops == 0 && now.linked != now.next_linked);
            }
            _ => {}
        }

        if let Some(nets) = table {
            let now = nets.read(words);
            let known = now.hits != 0;
            count(Id::Evaluated, now.update == 1);
            count(Id::Evicted, now.update == 1 && now.divergent == 1 && !known);
            count(Id::Allocated, now.lookup == 1 && !known);
            count(Id::TwoBit, two_bit && now.update == 1 && known);
        }
    }
}
