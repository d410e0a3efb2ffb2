//! Whole runs: every kernel to its end, in the exported Verilog in Verilator, on cores that have between them every mechanism, predictor, permutation and
//! number of warp-splits.
//!
//! The generated simulator runs the kernel, whose output is checked; what went into the core is replayed in Verilator, and every output must be the same in every
//! cycle. By hand, for it takes long: docs/developer/tests.md. `WARPLOOM_CORE=fermi` takes the cores with this in their names. With `WARPLOOM_WRITE=1` results
//! are written beside docs/verification/equivalence.md, core by core, and into it.
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, DualPathVariant, FormationHazards, FormationScope, IssuePolicy,
    LargeWarps, Mechanism, Permutation, Subdivision, WarpFormation,
};
use warploom_hdl::core::Core;
use warploom_hdl::mechanism::{Representative, representatives};
use warploom_hdl::prelude::Block;
use warploom_runtime::kernels::KERNELS;
use warploom_sim::elaborate;
use warploom_verification::cores::{each, with_floats};
use warploom_verification::equivalence::LongRun;

use crate::cores::Recorder;

/// What came of a core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    core: String,
    kernels: usize,
    cycles: usize,
}

/// Mechanisms, predictors, numbers of warp-splits and permutations, each on some core with floats; the longest first.
fn cores() -> Vec<(String, CoreConfig)> {
    use AdequacyHistory::{Latest, Sticky, TwoBit};
    use DualPathVariant::{Constrained, Full, Optimistic};
    use Mechanism::{SinglePath, Tbc, TbcDualPath, TbcDualPathConstrained, TbcPlus, TbcPlusDualPath};
    use Permutation::{
        Balanced, FlipOdd, None, OddEven, Random, ReversedWarpNumber, RotateOdd, SwapHalves, WarpNumber,
    };
    let capri = |entries, history| Mechanism::Capri(AdequacyPredictor { entries, history });
    let dpe = Mechanism::DualPath;
    let dws = |threshold, splits| Mechanism::Subdivision(Subdivision { threshold, splits });
    let dwf = |policy, sides| {
        Mechanism::WarpFormation(WarpFormation { policy, sides, lut_entries: 8, ..WarpFormation::DEFAULT })
    };
    let in_core = |policy, sides| {
        let how = WarpFormation { policy, sides, lut_entries: 8, ..WarpFormation::DEFAULT };
        let (scope, hazards) = (FormationScope::Core, FormationHazards::Orphans);
        Mechanism::WarpFormation(WarpFormation { scope, hazards, ..how })
    };
    let wb = |policy, sides| {
        Mechanism::WarpBarriers(WarpFormation { policy, sides, lut_entries: 8, ..WarpFormation::DEFAULT })
    };
    let tiny = || CoreConfig { instruction_words: 1024, ..CoreConfig::tiny() };
    let on_paper = |one: &Representative| Some((format!("capri {}", one.spelling), one.on_paper_core()?));
    let others = [
        ("fermi", CoreConfig::fermi(), dpe(Full), false, None),
        ("small", CoreConfig::small(), SinglePath, true, None),
        ("small", CoreConfig::small(), dpe(Full), false, Balanced),
        ("small", CoreConfig::small(), dws(50, 8), false, None),
        ("small", CoreConfig::small(), Tbc, true, WarpNumber),
        ("small", CoreConfig::small(), capri(32, TwoBit), true, Balanced),
        ("tiny", tiny(), SinglePath, false, OddEven),
        ("tiny", tiny(), dpe(Full), false, None),
        ("tiny", tiny(), dpe(Constrained), false, FlipOdd),
        ("tiny", tiny(), dpe(Optimistic), false, RotateOdd),
        ("tiny", tiny(), dws(50, 2), false, SwapHalves),
        ("tiny", tiny(), dws(50, 4), false, None),
        ("tiny", tiny(), dws(10, 8), false, WarpNumber),
        ("tiny", tiny(), dwf(IssuePolicy::Majority, 1), false, FlipOdd),
        ("tiny", tiny(), dwf(IssuePolicy::Oldest, 2), false, None),
        ("tiny", tiny(), in_core(IssuePolicy::Majority, 2), false, Balanced),
        ("tiny", tiny(), wb(IssuePolicy::Majority, 2), false, OddEven),
        ("tiny", tiny(), Mechanism::LargeWarps(LargeWarps::of(8)), true, Balanced),
        ("tiny", tiny(), Tbc, false, ReversedWarpNumber),
        ("tiny", tiny(), TbcDualPath, false, FlipOdd),
        ("tiny", tiny(), TbcDualPathConstrained, false, None),
        ("tiny", tiny(), TbcPlusDualPath, false, None),
        ("tiny", tiny(), TbcPlus, true, Random),
        ("tiny", tiny(), capri(4, Latest), true, Balanced),
        ("tiny", tiny(), capri(4, TwoBit), false, None),
        ("tiny", tiny(), capri(2, Sticky), true, Random),
        ("tiny", tiny(), capri(0, Latest), false, None),
    ]
    .map(|(sizes, base, mechanism, likely_convergence, permutation)| {
        let lcp = if likely_convergence { " +lcp" } else { "" };
        let slp = permutation.name().map(|name| format!(" +slp={name}")).unwrap_or_default();
        let name = format!("{sizes} {}{lcp}{slp}", mechanism.in_full());
        (name, CoreConfig { mechanism, likely_convergence, permutation, ..base })
    });
    let all = representatives().filter_map(on_paper).chain(others);
    all.map(|(name, config)| (name, with_floats(config))).collect()
}

/// Every kernel on a core. `None` without Verilator.
fn run(core: &str, config: &CoreConfig) -> Result<Option<Record>, String> {
    let mut block = Core::new(config);
    block.connect_all();
    let netlist = elaborate(&block).map_err(|error| error.to_string())?;
    let Some(verilator) = LongRun::new(netlist)? else { return Ok(None) };
    let recorder = Recorder::new(config);
    let mut cycles = 0;
    for kernel in KERNELS {
        let (inputs, outputs) = recorder.whole(kernel, kernel.sizes().smoke, verilator.outputs())?;
        verilator.agrees(&inputs, &outputs).map_err(|problem| format!("{}: {problem}", kernel.name()))?;
        cycles += inputs.rows().len();
    }
    Ok(Some(Record { core: core.to_string(), kernels: KERNELS.len(), cycles }))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verification")
}

fn results() -> PathBuf {
    folder().join("whole-runs.json")
}

fn read() -> Vec<Record> {
    let text = fs::read_to_string(results()).unwrap_or_default();
    let records = text.lines().map(serde_json::from_str);
    let or_panic = |error| panic!("{}: {error}", results().display());
    records.map(|record| record.unwrap_or_else(or_panic)).collect()
}

/// Puts a result where the core stands among all.
fn record(new: Record) {
    let of = |core: &str| match core == new.core {
        true => Some(new.clone()),
        false => read().into_iter().find(|record| record.core == core),
    };
    let records = cores().into_iter().filter_map(|(core, _)| of(&core));
    let lines: String = records.map(|record| serde_json::to_string(&record).expect("strings") + "\n").collect();
    fs::write(results(), lines).expect("a file that can be written");
}

/// Where this section begins in the page.
const TITLE: &str = "\n## To the end of each kernel\n";

/// The last section of docs/verification/equivalence.md.
pub fn section() -> String {
    let records = read();
    let (cycles, cores) = (records.iter().map(|record| record.cycles).sum::<usize>(), cores().len());
    let earlier = records.iter().filter(|record| record.kernels < KERNELS.len()).count();
    let earlier = match earlier {
        0 => String::new(),
        _ => format!(" ({earlier} ran those there were when they were recorded)"),
    };
    let mut section = format!(
        "{TITLE}
{} of {cores} cores, with floats, every kernel at its size `smoke`{earlier}: {cycles} cycles in all, every output in every cycle, from reset to the end of the kernel, in the
generated simulator and in the exported Verilog in Verilator. The output of each kernel is checked, too. By hand, core by core if need be:
`WARPLOOM_WRITE=1 cargo test -p warploom-verification --test equivalence whole_runs_agree -- --ignored --nocapture`; `WARPLOOM_CORE=fermi`
takes the cores with this in their names.

| core | kernels | cycles |
|---|--:|--:|
",
        records.len()
    );
    for Record { core, kernels, cycles } in records {
        writeln!(section, "| {core} | {kernels} | {cycles} |").expect("writing to a string");
    }
    section
}

/// Writes the section anew.
fn write_section() {
    let path = folder().join("equivalence.md");
    let page = fs::read_to_string(&path).expect("the page");
    let before = page.split(TITLE).next().unwrap_or_default();
    fs::write(&path, format!("{before}{}", section())).expect("a writable page");
}

#[test]
#[ignore = "campaign: most of an hour; by hand, docs/developer/tests.md"]
fn whole_runs_agree() {
    let only = std::env::var("WARPLOOM_CORE").unwrap_or_default();
    let writes = std::env::var_os("WARPLOOM_WRITE").is_some();
    let chosen: Vec<_> = cores().into_iter().filter(|(core, _)| core.contains(&only)).collect();
    assert!(!chosen.is_empty(), "no core is called {only}");
    let (problems, writing) = (Mutex::new(vec![]), Mutex::new(()));
    each(&chosen, |(core, config)| {
        let start = Instant::now();
        let result = run(core, config);
        println!("{core:<50} {:6.1} s  {result:?}", start.elapsed().as_secs_f64());
        match result {
            Ok(Some(result)) if writes => {
                let _one_at_a_time = writing.lock().unwrap();
                record(result);
            }
            Ok(_) => {}
            Err(problem) => problems.lock().unwrap().push(format!("{core}: {problem}")),
        }
    });
    if writes {
        write_section();
    }
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn the_section_of_whole_runs_is_up_to_date() {
    let records = read();
    let known = |record: &Record| cores().iter().any(|(core, _)| *core == record.core);
    assert!(records.iter().all(known), "results of cores that are not in the set: {records:#?}");
    assert!(records.iter().all(|record| record.kernels <= KERNELS.len()), "more kernels than there are: {records:#?}");
    let page = fs::read_to_string(folder().join("equivalence.md")).unwrap_or_default();
    let written = page.find(TITLE).map_or("", |at| &page[at..]);
    assert!(written == section(), "docs/verification/equivalence.md is not what whole-runs.json says");
}

#[test]
fn the_cores_cover_what_there_is() {
    let all: Vec<CoreConfig> = cores().into_iter().map(|(_, config)| config).collect();
    for config in &all {
        assert_eq!(config.check(), Ok(()));
    }
    let has = |what: &dyn Fn(&CoreConfig) -> bool| all.iter().any(what);
    for permutation in Permutation::ALL {
        assert!(has(&|core| core.permutation == permutation), "{permutation:?}");
    }
    for history in AdequacyHistory::ALL {
        let predicts = |mechanism| matches!(mechanism, Mechanism::Capri(predictor) if predictor.history == history);
        assert!(has(&|core| predicts(core.mechanism)), "{history:?}");
    }
    for one in warploom_hdl::mechanism::representatives() {
        let kind = one.on_tiny().mechanism;
        assert!(has(&|core| core.mechanism.entry().name() == kind.entry().name()), "{kind:?}");
    }
}
