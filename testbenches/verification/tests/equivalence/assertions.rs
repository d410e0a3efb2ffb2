//! The assertions exported with the Verilog, in Icarus: they hold while kernels run, and each finds a fault.
use std::sync::Mutex;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::limits::parameters;
use warploom_hdl::mechanism::{Composition, covering};
use warploom_hdl::prelude::Block;
use warploom_runtime::kernels;
use warploom_sim::elaborate;
use warploom_sim::netlist::Netlist;
use warploom_synth::verilog::export_with_assertions;
use warploom_verification::cores::each;
use warploom_verification::equivalence::{Trace, failed_assertions};

use crate::cores::Recorder;

/// A core, and a kernel that its mechanism has work with.
struct Run {
    name: &'static str,
    config: CoreConfig,
    kernel: (&'static str, usize),
}

fn runs() -> Vec<Run> {
    let run = |name: &'static str, kernel| {
        let base = CoreConfig { instruction_words: 512, ..CoreConfig::tiny() };
        Run { name, config: base.with(name.parse::<Composition>().expect("a mechanism")), kernel }
    };
    let mut runs = vec![
        run("spe", ("gcd", 24)),
        run("spe+lcp", ("bfs", 24)),
        run("tbc+lcp", ("bfs", 24)),
        run("capri", ("bfs", 24)),
        run("dpe", ("qsort", 24)),
        run("dwf:oldest", ("qsort", 24)),
        run("dwf-wb", ("qsort", 24)),
        run("dwf:core", ("bfs", 24)),
        run("lwm:16", ("qsort", 24)),
    ];
    let table = parameters().find(|parameter| parameter.name == "capt_entries").expect("a parameter");
    runs.iter_mut().for_each(|run| (table.set)(&mut run.config, 2));
    // Of stacks without faults here, a kernel that diverges in every way.
    for one in covering() {
        let stack = |config: &CoreConfig| config.mechanism.entry().stack;
        if runs.iter().all(|run| stack(&run.config) != stack(&one.on_tiny())) {
            runs.push(run(one.spelling, ("qsort", 24)));
        }
    }
    runs
}

impl Run {
    fn recording(&self) -> (Netlist, Trace) {
        let mut core = Core::new(&self.config);
        core.connect_all();
        let netlist = elaborate(&core).unwrap_or_else(|error| panic!("{error}"));
        let (name, size) = self.kernel;
        let trace = Recorder::new(&self.config).run(kernels::find(name).expect("a kernel"), size);
        (netlist, trace.unwrap_or_else(|error| panic!("{error}")))
    }
}

#[test]
#[ignore = "long: whole cores in Icarus; runs in .ci/run"]
fn assertions_hold_while_kernels_run_and_find_faults() {
    let failures = Mutex::new(vec![]);
    each(&runs(), |run| {
        let (netlist, trace) = run.recording();
        let failed = failed_assertions(&export_with_assertions(&netlist), &netlist, &trace);
        let failed = failed.unwrap_or_else(|error| panic!("{}: {error}", run.name)).into_iter().flatten();
        let mut failed: Vec<_> = failed.map(|said| format!("{} does not hold: {said}", run.name)).collect();
        let faults = || FAULTS.iter().filter(|fault| fault.run == run.name);
        let missed = faults().filter(|fault| !fault.is_found(&netlist, &trace));
        failed.extend(missed.map(|fault| format!("{} misses {:?} in {}", run.name, fault.text, fault.module)));
        println!("{}: {} cycles of {}, {} faults", run.name, trace.rows().len(), run.kernel.0, faults().count());
        failures.lock().unwrap().extend(failed);
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A fault in a module of a core, and what the assertion that finds it says.
struct Fault {
    run: &'static str,
    module: &'static str,
    /// Exported text, and what stands there instead.
    text: (&'static str, &'static str),
    finds: &'static str,
}

const fn fault(
    run: &'static str,
    module: &'static str,
    text: (&'static str, &'static str),
    finds: &'static str,
) -> Fault {
    Fault { run, module, text, finds }
}

const FAULTS: &[Fault] = &[
    fault(
        "spe",
        "RoundRobinArbiter",
        ("grant = choice_grant;", "grant = request;"),
        "At most one requester is granted",
    ),
    fault("spe", "RoundRobinArbiter", ("any = |request;", "any = 1'd1;"), "If any asks, one is granted"),
    fault("spe", "WarpScheduler", ("= position_index;", "= ~position_index;"), "The index is that of the warp granted"),
    fault("spe", "FifoControl", ("held + 3'd1", "held"), "The pointers are equal if and only if"),
    fault("spe", "IssueStage", ("credits - 3'd1", "credits"), "It never overflows: the issue stage"),
    fault(
        "spe",
        "IssueStage",
        ("slot_valid_0 & ~hazard_unit_hazard_0 &", "slot_valid_0 &"),
        "A register that is pending",
    ),
    fault("spe", "Fetch", ("has_room_0 & ", ""), "An instruction is written only where there is none"),
    fault("spe", "WritebackSlots", ("leaves_free | multiply_ago_1", "leaves_free"), "One unit writes at a time"),
    fault(
        "spe",
        "CtaDispatcher",
        ("(free_slot_index == 2'd0)", "1'd0"),
        "A warp is launched only where none is resident",
    ),
    fault(
        "spe",
        "SpeStack",
        ("else if (deactivates) unsettled", "else if (1'd1) unsettled"),
        "A warp that ends is resident",
    ),
    fault(
        "spe",
        "SpeStack",
        ("stored_read_data_0 & ~walk_one_hot", "stored_read_data_0"),
        "The active entry is not stored",
    ),
    fault("spe", "SpeStack", ("sides_continues_mask) :", "queue_pop_mask) :"), "Threads of the active entry are all"),
    fault("tbc+lcp", "ThreadColumn", ("low_now & ~clears", "low_now"), "No thread is on both sides of a branch"),
    fault("tbc+lcp", "ThreadColumn", ("live & ~ends", "live"), "No more threads end than live"),
    fault(
        "tbc+lcp",
        "ThreadColumn",
        ("live_now | launches", "live_now | (launches << 1)"),
        "A home warp starts when none of its threads lives",
    ),
    fault("tbc+lcp", "CompactionLane", ("? encoder_index", "? ~encoder_index"), "It selects a thread that is pending"),
    fault("capri", "Capt", ("entries_1_hit,", "entries_1_hit | entries_0_hit,"), "At most one entry is of a branch"),
    fault(
        "tbc+dpe",
        "PathColumn",
        ("low_now_0 & ~clears_0", "low_now_0"),
        "No thread is on both sides of a branch, or at the branches of both paths",
    ),
    fault(
        "tbc+dpe",
        "PathColumn",
        ("live_now | launches", "live_now | (launches << 1)"),
        "A home warp starts when none of its threads lives",
    ),
    fault(
        "tbc+dpe",
        "CtaPathStack",
        ("(plan_must_wait & here_0)", "(here_0)"),
        "A path waits for the other one only when its own warps have arrived",
    ),
    fault(
        "tbc+dpe",
        "DualPathCompaction",
        ("(reached_0 & ~event_bit)", "reached_0"),
        "A warp that can be fetched is there, and not at the end of its entry",
    ),
    fault("dpe", "BarrierSlot", ("waiting <= arrived", "waiting <= waiting"), "No more threads wait than live"),
    fault("dwf:oldest", "DynamicWarpFormation", ("& ~lut_lanes)", ")"), "Threads join only in lanes that are free"),
    fault(
        "dwf:oldest",
        "DynamicWarpFormation",
        ("rest = group_mask & ~entering", "rest = group_mask"),
        "No thread is in two warps",
    ),
    fault("dwf:oldest", "PoolSlot", ("else if (issue) is_open <= 1'd0;", ""), "A warp dissolves when it has issued"),
    fault("dwf:oldest", "ParkedLane", ("(is_parked & ~taken)", "is_parked"), "Only "),
    fault("dwf:oldest", "WarpLutWay", ("(listed & ~issued_bit)", "listed"), "Where a warp can be joined"),
    fault("lwm:16", "SubWarpLane", ("waiting & ~busy", "waiting"), "A thread with a register pending issues nothing"),
    fault("lwm:16", "SubWarpLane", ("(active & take_up)", "take_up"), "Threads wait only while they run"),
    fault("dwf-wb", "WarpBarriers", ("(arrived_0 & ~complete)", "arrived_0"), "Who waits for its warp has not ended"),
    fault("dwf-wb", "WarpBarriers", ("diverges & ~was_dynamic", "diverges"), "A warp has one barrier"),
];

impl Fault {
    /// Puts it into a design.
    fn of(&self, design: &str) -> String {
        let head = format!("\nmodule {} (", self.module);
        let (before, rest) = design.split_once(&head).unwrap_or_else(|| panic!("no module {}", self.module));
        let (module, after) = rest.split_once("\nendmodule").expect("an end");
        assert!(module.contains(self.text.0), "no `{}` in {}", self.text.0, self.module);
        format!("{before}{head}{}\nendmodule{after}", module.replace(self.text.0, self.text.1))
    }

    /// Whether it is found in what is recorded.
    fn is_found(&self, netlist: &Netlist, trace: &Trace) -> bool {
        let design = self.of(&export_with_assertions(netlist));
        let failed = failed_assertions(&design, netlist, trace).unwrap_or_else(|error| panic!("{error}"));
        failed.is_none_or(|failed| failed.iter().any(|said| said.starts_with(self.finds)))
    }
}
