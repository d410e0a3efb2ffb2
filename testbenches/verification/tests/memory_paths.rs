//! Where memory instructions wait, and who waits behind them: the directions that Turner 2012 describes, each on a program of a few warps.
//!
//! Two MSHRs unless a test says otherwise, a memory of 60 cycles without L2, four slots in the collector and eight instructions of a warp in its buffer.
use std::cell::RefCell;
use std::collections::BTreeMap;

use warploom_hdl::config::{CoreConfig, HazardPrediction, MemoryPath, MshrTracker};
use warploom_hdl::counters;
use warploom_hdl::memory::HAZARD_COUNTERS;
use warploom_hdl::replay::REPLAY_COUNTERS;
use warploom_runtime::host::{LaunchStats, MemoryTiming, Ports, RtlDevice, Session};
use warploom_runtime::kernels::micro;
use warploom_verification::core_simulator;

/// How a core deals with loads that miss.
#[derive(Clone, Copy, PartialEq)]
struct Organisation {
    path: MemoryPath,
    prediction: HazardPrediction,
    tracker: MshrTracker,
}

impl Organisation {
    const fn of(path: MemoryPath, prediction: HazardPrediction) -> Self {
        Self { path, prediction, tracker: MshrTracker::Credit }
    }

    const fn naive(self) -> Self {
        Self { tracker: MshrTracker::Naive, ..self }
    }
}

const STALLING: Organisation = Organisation::of(MemoryPath::Stalling, HazardPrediction::Off);
const STALLING_KNOWN: Organisation = Organisation::of(MemoryPath::Stalling, HazardPrediction::Known);
const STALLING_EVERY: Organisation = Organisation::of(MemoryPath::Stalling, HazardPrediction::Every);
const DECOUPLED: Organisation = Organisation::of(MemoryPath::Decoupled, HazardPrediction::Off);
const REPLAY: Organisation = Organisation::of(MemoryPath::Replay, HazardPrediction::Off);
const REPLAY_KNOWN: Organisation = Organisation::of(MemoryPath::Replay, HazardPrediction::Known);
const REPLAY_EVERY: Organisation = Organisation::of(MemoryPath::Replay, HazardPrediction::Every);

/// The warps of the program in kernels/micro/hazards.s.
#[derive(Clone, Copy)]
struct Warps {
    /// That load from four lines a trip that are not there, so many bytes apart.
    missing: u32,
    misses: u32,
    stride: u32,
    /// That load four times a trip from lines that are, by lane so many bytes apart.
    hitting: u32,
    hits: u32,
    lanes_apart: u32,
    /// That add four times a trip, and may load before.
    adding: u32,
    additions: u32,
    load_first: bool,
}

const LINE: u32 = 16;

const NONE: Warps = Warps {
    missing: 0,
    misses: 1,
    stride: LINE,
    hitting: 0,
    hits: 1,
    lanes_apart: 4,
    adding: 0,
    additions: 1,
    load_first: false,
};

/// What does not use memory, behind misses.
const HEAD: Warps = Warps { missing: 4, adding: 2, additions: 10, ..NONE };
/// Hits behind them.
const HIT: Warps = Warps { missing: 4, hitting: 1, hits: 3, ..NONE };
/// Hits behind misses of one of the 16 sets.
const SET: Warps = Warps { stride: LINE * 16, ..HIT };
const STORM: Warps = Warps { missing: 16, adding: 1, additions: 38, ..NONE };
const WINDOW: Warps = Warps { missing: 8, adding: 1, additions: 75, load_first: true, ..NONE };
const LINES: Warps = Warps { hitting: 1, lanes_apart: LINE, ..NONE };
const PROMISES: Warps = Warps { missing: 8, ..NONE };

/// Cycles from the barrier until the last of the warps of a kind is done; what the core counted.
struct Run {
    missing: u64,
    hitting: u64,
    adding: u64,
    stats: LaunchStats,
}

impl Run {
    fn hazards(&self, name: &str) -> u64 {
        self.stats.hazard_counts[counters::place(HAZARD_COUNTERS, name)]
    }

    fn replays(&self, hazard: &str) -> u64 {
        self.stats.replay_counts[counters::place(REPLAY_COUNTERS, hazard)]
    }
}

fn run(organisation: Organisation, mshrs: usize, warps: Warps) -> Run {
    let config = CoreConfig {
        warps: 20,
        warp_buffer: 8,
        memory_queue: 4,
        mshrs,
        memory_path: organisation.path,
        hazard_prediction: organisation.prediction,
        mshr_tracker: organisation.tracker,
        ..CoreConfig::tiny()
    };
    config.check().expect("a core");
    let timing = MemoryTiming { l2_bytes: 0, dram_latency: 60, dram_bandwidth: 64.0, ..MemoryTiming::default() };
    let program = micro::find("hazards").expect("a micro-kernel").binary.program();
    let places: BTreeMap<String, u32> = program.symbols.iter().map(|(pc, name)| (name.clone(), *pc)).collect();
    let last = RefCell::new(BTreeMap::<u32, u64>::new());
    let mut device = RtlDevice::new(core_simulator(&config, &Default::default()), config.clone(), timing);
    let ports = Ports::new(device.engine(), &config);
    let seen = &last;
    device.observe(Box::new(move |engine, cycle| {
        if engine.get(ports.issue_valid) == 1 {
            seen.borrow_mut().insert(engine.get(ports.issue_pc) as u32, cycle);
        }
    }));
    let mut session = Session::new(&mut device, &program).unwrap();
    let zeros = |bytes: u32| vec![0; bytes as usize / 4];
    let missing = session.buffer(&zeros((warps.missing * warps.misses * 4 + 1) * warps.stride + LINE)).unwrap();
    // In other sets than those where the former are, if these are in one.
    let hits = session.buffer(&zeros(4 * LINE + 4 * warps.lanes_apart)).unwrap();
    let first = session.buffer(&zeros(4 * LINE)).unwrap();
    let (kinds, lanes) = (warps.missing + warps.hitting + warps.adding, config.lanes as u32);
    let words = [
        missing.address.next_multiple_of(warps.stride),
        warps.missing,
        warps.misses,
        warps.stride,
        hits.address + LINE,
        warps.hitting,
        warps.hits,
        warps.lanes_apart,
        warps.additions,
        if warps.load_first { first.address } else { 0 },
    ];
    let arguments = [session.buffer(&words).unwrap().address];
    // Would a promise be lost in the first launch, loads of the second waited for ever.
    session.launch([1, 1, 1], [kinds * lanes, 1, 1], 0, &arguments).unwrap();
    let first = session.totals().0.clone();
    last.borrow_mut().clear();
    session.launch([1, 1, 1], [kinds * lanes, 1, 1], 0, &arguments).unwrap();
    let stats = session.totals().0.clone().since(&first);
    drop(session);
    drop(device);
    let last = last.into_inner();
    let begin = last[&places["begin"]];
    let until = |place: &str| last.get(&places[place]).map_or(0, |cycle| cycle.saturating_sub(begin));
    Run { missing: until("have_missed"), hitting: until("have_hit"), adding: until("added"), stats }
}

/// What does not use memory goes on, unless the slots it goes through are taken.
#[test]
fn head_of_line() {
    let adding = |organisation| run(organisation, 2, HEAD).adding;
    let [stalling, decoupled, replay] = [STALLING, DECOUPLED, REPLAY].map(adding);
    assert!(2 * replay < stalling, "replay {replay}, stalling {stalling}");
    assert!(decoupled <= replay, "a queue of its own is enough: decoupled {decoupled}, replay {replay}");
    assert!(adding(REPLAY_KNOWN) <= replay, "issue slots that are not taken by what is issued in vain");
    assert!(2 * adding(STALLING_EVERY) < stalling, "who would stall does not issue");
    assert_eq!(adding(STALLING_KNOWN), stalling, "what issues once is never known to miss");
}

/// A hit passes what has no MSHR only where that does not wait in the memory stage, or in front of it.
#[test]
fn hit_under_hazard() {
    let hitting = |organisation| run(organisation, 2, HIT).hitting;
    let [stalling, decoupled, replay, known] = [STALLING, DECOUPLED, REPLAY, REPLAY_KNOWN].map(hitting);
    assert!(3 * replay < stalling, "replay {replay}, stalling {stalling}");
    assert!(2 * replay < decoupled, "the queue is in order: decoupled {decoupled}, replay {replay}");
    assert!(known <= replay, "known {known}, replay {replay}");
    assert!(hitting(STALLING_EVERY) > 2 * replay, "hits wait for promises that they do not need");
}

/// The same where it is no MSHR but a way of its set that is missing: lines of one set, and lines of others.
#[test]
fn reserved_set() {
    let hitting = |organisation| run(organisation, 64, SET).hitting;
    let [stalling, decoupled, replay] = [STALLING, DECOUPLED, REPLAY].map(hitting);
    assert!(2 * replay < stalling && 2 * replay < decoupled, "{replay}; {stalling}, {decoupled}");
    let hazards = run(REPLAY, 64, SET);
    assert!(hazards.replays("left_for_line") > 0 && hazards.replays("left_for_mshr") == 0);
}

/// Loads that find no MSHR are issued in vain, again and again, unless it is known that they need one.
#[test]
fn replay_storm() {
    let again = |organisation| run(organisation, 2, STORM).replays("issued_again");
    let [replay, known, naive] = [REPLAY, REPLAY_KNOWN, REPLAY_KNOWN.naive()].map(again);
    let first = 16 * 4;
    assert!(replay > 4 * first, "{replay} issues again of {first} loads");
    assert!(3 * known < replay, "known {known}, replay {replay}");
    assert!(known <= naive && naive < replay, "known {known}, naive {naive}, replay {replay}");
    assert_eq!(run(STALLING, 2, STORM).stats.warp_instructions, run(REPLAY, 2, STORM).stats.warp_instructions);
}

/// A load that is to be issued again keeps its slot, and with it all behind it: the window of its warp is what the buffer has behind that slot.
#[test]
fn retention_shrinks_the_window() {
    let adding = |organisation| run(organisation, 2, WINDOW).adding;
    let [decoupled, replay] = [DECOUPLED, REPLAY].map(adding);
    assert!(replay > decoupled + 100, "replay {replay}, decoupled {decoupled}");
}

/// Each line of a load that hits in several costs replay a way through the pipeline, and the memory stage a cycle.
#[test]
fn another_line_costs_a_loop() {
    let [stalling, decoupled, replay] = [STALLING, DECOUPLED, REPLAY].map(|organisation| run(organisation, 8, LINES));
    assert_eq!(stalling.hitting, decoupled.hitting, "nobody is kept");
    assert!(replay.hitting > stalling.hitting, "{}, {}", replay.hitting, stalling.hitting);
    assert_eq!(replay.replays("left_for_divergence"), (4 + 1) * 3);
}

/// MSHRs that are free are promised to all that see them free, by credits to as many as there are.
#[test]
fn promises() {
    let in_vain = |organisation| run(organisation, 2, PROMISES).replays("left_for_mshr");
    let (naive, credit) = (in_vain(REPLAY_EVERY.naive()), in_vain(REPLAY_EVERY));
    assert!(naive > 8, "{naive} found what they were promised gone");
    assert_eq!(credit, 0);
    let run = run(REPLAY_EVERY, 2, PROMISES);
    assert!(run.missing > 0 && run.replays("issued_again") == 0);
}

/// Who waits is counted where it waits: at the L1, in front of it, or before it issues.
#[test]
fn hazards_are_counted() {
    let [stalling, every, decoupled, replay] =
        [STALLING, STALLING_EVERY, DECOUPLED, REPLAY].map(|organisation| run(organisation, 2, HEAD));
    for run in [&stalling, &decoupled] {
        assert!(run.hazards("waited_for_mshr") > 10 * run.hazards("waited_for_stage"));
        assert!(run.hazards("waited_for_mshr") > run.stats.cycles / 2 && run.hazards("blocked") > 0);
    }
    assert!(
        stalling.hazards("blocked") > 100 + decoupled.hazards("blocked"),
        "what does not use memory is blocked, too"
    );
    assert_eq!([every.hazards("waited_for_mshr"), every.hazards("blocked")], [0, 0]);
    assert!(every.hazards("restricted") > every.hazards("restricted_in_vain"));
    assert_eq!([replay.hazards("waited_for_mshr"), replay.hazards("restricted")], [0, 0]);
    let issues = [&stalling, &decoupled, &every].map(|run| run.hazards("memory_issues"));
    assert_eq!(issues, [issues[0]; 3]);
    assert_eq!(replay.hazards("memory_issues"), issues[0] + replay.replays("issued_again"));
}

/// Each look at a load's line is in one of the places of Table 7.1 of Turner 2012.
#[test]
fn what_is_foretold_is_counted() {
    let looks = |organisation, warps| {
        let run = run(organisation, 2, warps);
        ["promised_missed", "promised_hit", "unpromised_missed", "unpromised_hit"].map(|name| run.hazards(name))
    };
    let [missed, hit, _, _] = looks(STALLING_EVERY, HIT);
    assert_eq!(looks(STALLING_EVERY, HIT), [missed, hit, 0, 0], "all have a promise");
    assert!(missed >= 16 && hit >= 3);
    assert_eq!(looks(STALLING_KNOWN, HIT), [0, 0, missed, hit], "none has");
    let replay = run(REPLAY_KNOWN, 2, PROMISES);
    let counts = looks(REPLAY_KNOWN, PROMISES);
    assert_eq!(counts.iter().sum::<u64>(), replay.replays("looks"));
    assert!(counts[0] > 0 && counts[2] > 0, "what has failed for want of an MSHR is promised one: {counts:?}");
    assert_eq!(looks(REPLAY, PROMISES), [0; 4], "where nothing is foretold");
}

/// Each load is in one group of numbers of looks; each MSHR is counted in each cycle in which it waits for memory; and whether more are promised than there are.
#[test]
fn looks_and_mshrs_are_counted() {
    let groups = ["done_at_once", "done_after_2", "done_after_4", "done_after_8", "done_later"];
    let looks = |mshrs, warps| {
        let run = run(REPLAY, mshrs, warps);
        let loads = groups.map(|name| run.replays(name));
        assert_eq!(loads.iter().sum::<u64>(), run.replays("looks") - run.replays("issued_again"));
        loads
    };
    // Ten arguments in a line that is not there: two loads wait for one of 8 MSHRs. Then five loads of four lines.
    assert_eq!(looks(8, LINES), [9, 0, 5, 0, 2]);
    assert!(looks(2, STORM)[4] > 16, "most of a storm is looked at in vain, and often");
    for organisation in [STALLING, DECOUPLED, REPLAY, REPLAY_EVERY, REPLAY_KNOWN] {
        let run = run(organisation, 2, PROMISES);
        assert_eq!(run.hazards("most_mshrs"), 2);
        let (busy, least) = (run.hazards("mshr_cycles"), 32 * 60);
        assert!((least..=2 * run.stats.cycles).contains(&busy), "{busy} for 32 misses");
        let overdrawn = [run.hazards("overdrawn"), run.hazards("most_overdrawn")];
        if organisation == REPLAY_KNOWN {
            assert!(
                overdrawn[0] > 0 && (1..=2).contains(&overdrawn[1]),
                "loads of which nothing is known: {overdrawn:?}"
            );
        } else {
            assert_eq!(overdrawn, [0, 0]);
        }
    }
}

/// What decision 57 says was measured.
#[test]
fn the_decision_has_what_is_measured() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/decisions/0057-stalling.md");
    let page = std::fs::read_to_string(page).expect("a decision");
    for (name, organisation) in [
        ("stalling", STALLING),
        ("stalling, every", STALLING_EVERY),
        ("decoupled", DECOUPLED),
        ("replay", REPLAY),
        ("replay, known", REPLAY_KNOWN),
        ("replay, known, naive", REPLAY_KNOWN.naive()),
        ("replay, every", REPLAY_EVERY),
        ("replay, every, naive", REPLAY_EVERY.naive()),
    ] {
        let [storm, promises] = [STORM, PROMISES].map(|warps| run(organisation, 2, warps));
        let replays = matches!(organisation.path, MemoryPath::Replay);
        let again = |run: &Run, hazard| if replays { run.replays(hazard).to_string() } else { String::new() };
        let cells = [
            run(organisation, 2, HEAD).adding.to_string(),
            run(organisation, 2, HIT).hitting.to_string(),
            run(organisation, 64, SET).hitting.to_string(),
            again(&storm, "issued_again"),
            run(organisation, 2, WINDOW).adding.to_string(),
            run(organisation, 8, LINES).hitting.to_string(),
            again(&promises, "issued_again"),
            again(&promises, "left_for_mshr"),
        ];
        let row = format!("| {name} | {} |", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |");
        assert!(page.lines().any(|line| line == row), "{row}");
    }
}
