//! A trace in Chrome's JSON format, which ui.perfetto.dev shows. A microsecond there is a cycle here, counted as in waveforms.
//!
//! | process | tracks |
//! |---|---|
//! | warps | one per warp (and path): slices of instructions of one basic block by the same threads; where it diverges, gathers or bypasses |
//! | waiting | one per warp: at a barrier; for the others of its CTA, to be compacted |
//! | core | launches; cycles without an issue, by class; outstanding requests |
//!
//! Events are written as they come: a long trace takes no memory.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::counters::place;
use warploom_hdl::interface::RequestKind;
use warploom_hdl::performance_counters::PERFORMANCE_COUNTERS;
use warploom_sim::{Port, Simulator, files};

use super::BlockNames;
use super::slices::{Slice, Track};
use crate::host::{ControlTrace, Decision, IssueTrace};
use crate::loader::Program;

const WARPS: usize = 1;
const WAITING: usize = 2;
const CORE: usize = 3;
/// Tracks of the core.
const LAUNCHES: usize = 1;
const ISSUE: usize = 2;

/// A file that has been opened.
pub struct PerfettoFile {
    file: BufWriter<File>,
    /// An event comes behind another one.
    follows: bool,
    failed: Option<io::Error>,
}

impl PerfettoFile {
    /// Creates it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(files::create(path)?), follows: false, failed: None })
    }

    /// Writes an event. The first error is kept for the end.
    fn event(&mut self, event: &Value) {
        if self.failed.is_none() {
            let before = if self.follows { ",\n" } else { "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" };
            let written = self.file.write_all(before.as_bytes());
            let written = written.and_then(|()| serde_json::to_writer(&mut self.file, event).map_err(Into::into));
            self.failed = written.err();
            self.follows = true;
        }
    }

    fn finish(mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.write_all(b"\n]}\n").and_then(|()| self.file.flush()),
        }
    }
}

/// What a warp executes in a slice.
#[derive(Clone, Debug, PartialEq)]
struct Execution {
    block: u32,
    mask: u64,
    rows: Vec<usize>,
}

/// Why a warp does not go on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Waiting {
    Barrier,
    Compaction,
}

/// A trace under way.
pub struct Perfetto {
    file: PerfettoFile,
    trace: IssueTrace,
    program: Program,
    blocks: BlockNames,
    warps: usize,
    sides: usize,
    compacts: bool,
    execution: Vec<Track<Execution>>,
    waiting: Vec<Track<Waiting>>,
    launch: Track<u64>,
    launches: u64,
    idle: Track<&'static str>,
    /// The classes of cycles without an issue, their counters, and what these were.
    classes: Vec<(&'static str, Port, u64)>,
    outstanding: u64,
}

impl Perfetto {
    /// Names the tracks. The device runs this program.
    pub fn begin(
        file: PerfettoFile,
        simulator: &Simulator,
        config: &CoreConfig,
        launches: u64,
        program: Program,
    ) -> Self {
        let trace = IssueTrace::new(simulator, config);
        let ports = trace.ports();
        let classes = [
            ("stall", "stall"),
            ("idle, compaction", "compaction"),
            ("idle, memory", "idle_memory"),
            ("idle, barrier", "barrier"),
            ("idle, other", "idle_other"),
        ];
        let classes = classes.map(|(class, counter)| (class, ports.counter[place(PERFORMANCE_COUNTERS, counter)]));
        let (warps, sides) = (config.warps, config.sides());
        let mut perfetto = Self {
            classes: classes.map(|(name, port)| (name, port, simulator.get(port))).to_vec(),
            blocks: BlockNames::of(&program),
            file,
            trace,
            program,
            warps,
            sides,
            compacts: config.compacts(),
            execution: vec![Track::default(); warps * sides],
            waiting: vec![Track::default(); warps],
            launch: Track::default(),
            launches,
            idle: Track::default(),
            outstanding: 0,
        };
        perfetto.name_tracks();
        perfetto
    }

    fn name_tracks(&mut self) {
        let mut name = |kind: &str, process: usize, thread: usize, name: String| {
            let args = json!({"name": name});
            self.file.event(&json!({"ph": "M", "name": kind, "pid": process, "tid": thread, "args": args}));
        };
        for (process, text) in [(WARPS, "warps"), (WAITING, "waiting"), (CORE, "core")] {
            name("process_name", process, 0, text.to_string());
        }
        for warp in 0..self.warps {
            for side in 0..self.sides {
                let path = if self.sides > 1 { format!(", path {side}") } else { String::new() };
                name("thread_name", WARPS, warp * self.sides + side + 1, format!("warp {warp}{path}"));
            }
            name("thread_name", WAITING, warp + 1, format!("warp {warp}"));
        }
        name("thread_name", CORE, LAUNCHES, "launches".to_string());
        name("thread_name", CORE, ISSUE, "without an issue".to_string());
    }

    /// From now on the device runs this program.
    pub fn load(&mut self, program: &Program) {
        self.close();
        (self.blocks, self.program) = (BlockNames::of(program), program.clone());
    }

    /// Adds the cycle just simulated.
    pub fn push(&mut self, control: &ControlTrace, simulator: &Simulator, cycle: u64) {
        let now = cycle - 1;
        self.issue(simulator, now);
        self.control(control, simulator, now);
        self.wait(simulator, now);
        self.slots(simulator, now);
        self.requests(simulator, now);
        self.launch(simulator, now);
    }

    fn issue(&mut self, simulator: &Simulator, now: u64) {
        let Some(issue) = self.trace.issue(simulator) else { return };
        let rows = if self.compacts { self.trace.rows(simulator).collect() } else { vec![] };
        let what = Execution { block: self.program.block(issue.pc), mask: issue.mask, rows };
        let track = issue.warp * self.sides + issue.side;
        let ended = self.execution[track].see(what, now);
        self.executed(track, ended);
    }

    fn executed(&mut self, track: usize, slice: Option<Slice<Execution>>) {
        let Some(slice) = slice else { return };
        let Execution { block, mask, ref rows } = slice.what;
        let mut args = json!({
            "pc": block,
            "place": self.blocks.place(block),
            "lanes": mask.count_ones(),
            "mask": format!("{mask:#b}"),
            "instructions": slice.seen,
        });
        if !rows.is_empty() {
            let running = rows.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1);
            args["rows"] = running.map(|(_, row)| row.to_string()).collect::<Vec<_>>().join(" ").into();
        }
        self.file.event(&slice.event(self.blocks.name(block), (WARPS, track + 1), args));
    }

    fn control(&mut self, control: &ControlTrace, simulator: &Simulator, now: u64) {
        let place = |pc| self.program.place(pc).to_string();
        let mut instant = |name: &str, track: usize, args: Value| {
            let (process, thread) = if track == 0 { (CORE, ISSUE) } else { (WARPS, track) };
            self.file.event(&json!({
                "ph": "i", "s": "t", "name": name, "pid": process, "tid": thread, "ts": now, "args": args
            }));
        };
        if let Some(branch) = control.branch(simulator).filter(|branch| branch.diverges()) {
            let lanes = [branch.taken, branch.not_taken()].map(u64::count_ones);
            let args = json!({"pc": branch.pc, "place": place(branch.pc), "taken": lanes[0], "not taken": lanes[1]});
            instant("diverges", branch.warp * self.sides + branch.side + 1, args);
        }
        if let Some(served) = control.served(simulator) {
            let name = match served.decision {
                Decision::Gathers => "gathers",
                Decision::Bypasses => "bypasses",
                Decision::Passes => "passes, uniform",
            };
            instant(name, served.warp * self.sides + 1, json!({"pc": served.pc, "place": place(served.pc)}));
        }
        if let Some(path) = control.path(simulator) {
            let args = json!({
                "pc": path.pc, "place": place(path.pc), "warps before": path.arrived, "warps after": path.compacted
            });
            instant("compacted", 0, args);
        }
        if let Some(warp) = control.formed(simulator) {
            instant("formed", warp * self.sides + 1, json!({}));
        }
    }

    fn wait(&mut self, simulator: &Simulator, now: u64) {
        let ports = self.trace.ports();
        let [barrier, gathering] = [ports.debug_waiting, ports.debug_gathering].map(|port| simulator.get(port));
        for warp in 0..self.warps {
            let state = match (barrier >> warp & 1, gathering >> warp & 1) {
                (1, _) => Some(Waiting::Barrier),
                (_, 1) => Some(Waiting::Compaction),
                _ => None,
            };
            let ended = match state {
                Some(state) => self.waiting[warp].see(state, now),
                None => self.waiting[warp].close(),
            };
            self.waited(warp, ended);
        }
    }

    fn waited(&mut self, warp: usize, slice: Option<Slice<Waiting>>) {
        let Some(slice) = slice else { return };
        let name = match slice.what {
            Waiting::Barrier => "barrier",
            Waiting::Compaction => "compaction",
        };
        self.file.event(&slice.event(name, (WAITING, warp + 1), json!({})));
    }

    /// The counters show a cycle in the next one.
    fn slots(&mut self, simulator: &Simulator, now: u64) {
        let mut class = None;
        for (name, port, before) in &mut self.classes {
            let count = simulator.get(*port);
            if std::mem::replace(before, count) < count {
                class = Some(*name);
            }
        }
        let ended = match class {
            Some(class) => self.idle.see(class, now.saturating_sub(1)),
            None => self.idle.close(),
        };
        if let Some(slice) = ended {
            self.file.event(&slice.event(slice.what, (CORE, ISSUE), json!({})));
        }
    }

    fn requests(&mut self, simulator: &Simulator, now: u64) {
        let (ports, get) = (self.trace.ports(), |port| simulator.get(port));
        let posted = get(ports.request_kind) == RequestKind::Write as u64;
        let accepted = get(ports.request_valid) & get(ports.request_ready) == 1 && !posted;
        let answered = get(ports.response_valid) & get(ports.response_ready) == 1;
        let after = (self.outstanding + u64::from(accepted)).saturating_sub(u64::from(answered));
        if after != self.outstanding {
            self.outstanding = after;
            let args = json!({"requests": after});
            self.file.event(&json!({
                "ph": "C", "name": "outstanding requests", "pid": CORE, "tid": 0, "ts": now, "args": args
            }));
        }
    }

    fn launch(&mut self, simulator: &Simulator, now: u64) {
        let ports = self.trace.ports();
        self.launches += simulator.get(ports.launch_start);
        if simulator.get(ports.busy) == 1 {
            let ended = self.launch.see(self.launches, now);
            self.launched(ended);
        } else if let Some(ended) = self.launch.close() {
            self.launched(Some(ended));
            self.close();
        }
    }

    fn launched(&mut self, slice: Option<Slice<u64>>) {
        let Some(slice) = slice else { return };
        self.file.event(&slice.event(&format!("launch {}", slice.what), (CORE, LAUNCHES), json!({})));
    }

    /// Ends what warps do.
    fn close(&mut self) {
        for track in 0..self.execution.len() {
            let ended = self.execution[track].close();
            self.executed(track, ended);
        }
        for warp in 0..self.warps {
            let ended = self.waiting[warp].close();
            self.waited(warp, ended);
        }
    }

    /// Ends what has not ended, also of a run that was stopped.
    ///
    /// # Errors
    /// If the file could not be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.close();
        let ended = self.launch.close();
        self.launched(ended);
        if let Some(slice) = self.idle.close() {
            self.file.event(&slice.event(slice.what, (CORE, ISSUE), json!({})));
        }
        self.file.finish()
    }
}
