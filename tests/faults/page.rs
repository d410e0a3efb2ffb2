//! docs/verification/faults.md and parsers.md.
use std::fs;
use std::path::Path;

/// A fault, what comes of it, and the test that shows it.
type Fault = (&'static str, &'static str, &'static str);

/// Files with tests of these that are none of this folder.
const ELSEWHERE: [&str; 4] = ["sim/tests/cache.rs", "tests/cli/cache.rs", "tests/cli/outputs.rs", "src/paths/tests.rs"];

const FAULTS: &[(&str, &[Fault])] = &[
    (
        "Bad inputs, many at once beside a comparison on all processors",
        &[
            (
                "an unknown kernel, mechanism or variant",
                "status 2, the nearest names",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "an ELF for another machine, cut off, or no ELF",
                "status 2, the file and what it is",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "a program larger than the instruction memory, a buffer larger than memory",
                "status 2, both sizes",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "an illegal instruction",
                "status 3; the word, PC, warp and lane",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "a misaligned or unmapped access",
                "status 3; the address, PC, warp and lane",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "a full reconvergence stack, a full stack of a thread",
                "status 3; PC, warp and lane",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "a barrier that some live thread never reaches, no issue for long",
                "status 3; every warp, where it is and what it waits for",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "an output that cannot be written",
                "status 2 before anything runs",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "a pipe, a device or a directory as program, buffer, machine, checkpoint, plan, cells or waveform; a file of 1 TB",
                "status 2, the file and what it is; nothing is waited for",
                "bad_inputs_while_every_processor_is_busy",
            ),
            (
                "more work-items than there are numbers",
                "status 2 or a stop by the limit, as for fewer",
                "bad_inputs_while_every_processor_is_busy",
            ),
            ("Ctrl-C", "status 130; the counters, and valid waveforms up to there", "ctrl_c_leaves_valid_waveforms"),
        ],
    ),
    (
        "No memory",
        &[
            (
                "an address space of 24 MB and more (`ulimit -v`)",
                "status 2 and `error: out of memory: ...`; no panic, no abort; the file that was there stays",
                "too_little_memory_is_an_error_with_a_sentence",
            ),
            (
                "the same, with threads and a compiler that need some too",
                "status 2, and what failed for want of it",
                "a_comparison_with_too_little_memory_says_what_failed",
            ),
            (
                "a problem beyond all bounds",
                "status 2 before anything is built",
                "a_problem_larger_than_the_memory_of_the_core",
            ),
        ],
    ),
    (
        "No space: a file system of 64 KB; a limit on the size of files where none can be mounted",
        &[
            (
                "under VCD, FST, a trace for Perfetto",
                "the run goes on to its end, the report is printed; then status 2 with the file and the reason",
                "a_disk_that_fills_up_under_a_waveform_or_a_trace",
            ),
            (
                "when a checkpoint is due",
                "a warning; the one before stays",
                "a_disk_that_is_full_when_a_checkpoint_is_due",
            ),
            (
                "under CSV, HTML, SVG, Verilog",
                "status 2; the file that was there stays as it was, and nothing is left beside it",
                "a_full_disk_does_not_cost_the_file_that_was_there",
            ),
            ("under standard output", "status 2, the reason", "standard_output_on_a_full_disk"),
            (
                "in the caches of simulators and of results",
                "status 2, the directory and the reason; nothing is left in it",
                "a_cache_on_a_full_disk",
            ),
        ],
    ),
    (
        "Killed",
        &[
            (
                "a comparison, three times by SIGKILL",
                "the same command goes on; table, CSV, SVG and Markdown are byte for byte those of a run that was not killed",
                "a_killed_comparison_goes_on_and_says_the_same",
            ),
            (
                "a command that compiles a simulator, by SIGKILL",
                "its compiler ends too; what it has left is removed at the next start, what others compile is not",
                "a_killed_build_leaves_no_compiler_and_no_directory_behind",
            ),
            (
                "the same, by Ctrl-C or SIGTERM",
                "status 130 and one sentence; nothing is written, nothing is left",
                "ctrl_c_while_a_simulator_is_compiled",
            ),
        ],
    ),
    (
        "Outputs in each other's way",
        &[
            (
                "an output that is the kernel, another input or another output, by whatever name or link",
                "status 2 before anything is opened",
                "outputs_are_no_inputs",
            ),
            (
                "an error in the command line",
                "files that were there stay as they were, and there are no new ones",
                "an_error_costs_nothing_and_leaves_nothing",
            ),
            (
                "files of others beside an output, a link to nowhere, a name as long as names may be",
                "only what is behind the output's name is written",
                "nobody_elses_file_is_touched",
            ),
        ],
    ),
    (
        "Caches",
        &[
            (
                "no variable that says where it could be; a directory of another user, or that others may write",
                "status 2, and what to do; nothing in it is run",
                "a_cache_that_others_may_write_is_not_used",
            ),
            (
                "three processes with an empty cache",
                "all succeed with the same output; one simulator, every result once, nothing left over",
                "several_processes_share_an_empty_cache",
            ),
            (
                "a simulator cut off, empty, with a bit flipped, another's, writable by others, a directory, a link to nowhere, unreadable",
                "built again, to the same bytes",
                "what_is_damaged_is_built_again",
            ),
            (
                "a result cut off, empty, with a bit flipped, another's, no text, a directory",
                "run again, to the same result",
                "damaged_results_are_run_again",
            ),
        ],
    ),
];

fn page() -> String {
    let faults: usize = FAULTS.iter().map(|(_, faults)| faults.len()).sum();
    let mut page = format!(
        "# Faults

| | |
|---|---|
| What | Whatever goes wrong around a run is said in a sentence with a status of its own, and nothing good is lost or used damaged. |
| How | The real binary, with bad inputs beside a busy machine, too little memory, full disks, SIGKILL, shared caches and damaged ones. |
| How often | In `cargo test`. |
| Figures | {faults} kinds of fault. |
| Command | `cargo test --test faults; cargo test --test cli; cargo test -p warploom-sim --test cache` |

Generated by tests/faults, which checks this page, and writes it anew with `WARPLOOM_WRITE=1 cargo test --test faults page`.
Statuses: 0 done, 1 a wrong result, 2 an error, 3 stopped by the hardware or the watchdog, 130 Ctrl-C.
"
    );
    for (title, faults) in FAULTS {
        page += &format!("\n## {title}\n\n| fault | what comes of it | test |\n|---|---|---|\n");
        for (fault, outcome, test) in *faults {
            page += &format!("| {fault} | {outcome} | `{test}` |\n");
        }
    }
    page
}

/// What reads something, what it is given, what holds, and the property that says so.
const PARSERS: &[[&str; 4]] = &[
    [
        "ELF: loader, lines, listing, signatures",
        "random bytes, also behind a valid identification",
        "a program or an error that names the file",
        "elf_of_random_bytes",
    ],
    [
        "the same",
        "shipped kernels: bytes changed, cut off, pieces copied, words of the headers and tables others, so that segments and sections move",
        "the same; as many annotations as words",
        "elf_of_damaged_kernels",
    ],
    ["decoder, disassembler, annotations", "random instruction words", "the same", "random_instructions"],
    [
        "reconvergence points, blocks, uniform branches",
        "random branches, jumps and calls that stay near",
        "the same",
        "random_control_flow",
    ],
    ["signatures of OpenCL kernels", "random bytes", "the same", "random_signatures"],
    ["the same", "damaged JSON", "the same", "damaged_signatures"],
    [
        "checkpoints",
        "bytes of a real one changed, cut off, copied",
        "nothing but the checkpoint itself is read",
        "damaged_checkpoints",
    ],
    [
        "the same",
        "the same with length and checksum made right",
        "a checkpoint or an error that names the file",
        "checkpoints_of_damaged_contents",
    ],
    [
        "the command line",
        "real commands and options, in any order, with real and other values; and all that is checked before a run",
        "clap or the check says why",
        "command_lines",
    ],
    [
        "`--arg`, `--buffer`",
        "pieces of right values, put together anyhow",
        "what is read is printed as something that is read as the same",
        "arguments_and_buffers",
    ],
    ["`--global`, `--local`, `--shard`", "the same", "the same", "extents_and_parts"],
    ["`--mechanism`, `--scheduler`, `--history` and sizes", "the same, and any numbers", "only legal cores", "cores"],
    [
        "arguments of OpenCL kernels",
        "the same, for kernels compiled from tests/opencl (with clang)",
        "a launch or an error",
        "arguments_of_opencl_kernels",
    ],
    ["`--trigger`, `--signals`", "the same", "a signal and a number that fits, or an error", "triggers_and_signals"],
    ["`compare --merge`", "plans and shards with bytes changed, cut off", "reports or an error", "damaged_shards"],
    ["`synth --activity`", "waveforms with bytes changed, cut off", "a waveform or an error", "damaged_waveforms"],
];

fn parsers() -> String {
    let mut page = format!(
        "# Parsers

| | |
|---|---|
| What | No input makes a parser panic, hang or take memory without bound; an error is a sentence that says which file or argument it is about. |
| How | proptest: random and damaged inputs of everything that reads a file or an argument. |
| How often | In `cargo test`, 256 cases for each property; more with `PROPTEST_CASES`. |
| Figures | {} properties. |
| Command | `PROPTEST_CASES=10000 cargo test malformed; PROPTEST_CASES=10000 cargo test -p warploom-verification --test malformed` |

Generated by tests/faults, which checks this page, and writes it anew with `WARPLOOM_WRITE=1 cargo test --test faults page`.
A case that fails is kept in a file beside the test (`proptest-regressions`), and tried first ever after.

| what reads | what it is given | what holds | property |
|---|---|---|---|
",
        PARSERS.len()
    );
    for [parser, inputs, holds, property] in PARSERS {
        page += &format!("| {parser} | {inputs} | {holds} | `{property}` |\n");
    }
    page
}

#[test]
fn the_pages_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, page) in [("faults", page()), ("parsers", parsers())] {
        let path = root.join("docs/verification").join(name).with_extension("md");
        if std::env::var_os("WARPLOOM_WRITE").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &page).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == page, "docs/verification/{name}.md is out of date: WARPLOOM_WRITE=1 writes it");
    }
    let files =
        |names: &[&str]| -> String { names.iter().map(|name| fs::read_to_string(root.join(name)).unwrap()).collect() };
    let faults = ["inputs", "memory", "disk", "resume", "cache"].map(|name| format!("tests/faults/{name}.rs"));
    let faults = files(&faults.iter().map(String::as_str).chain(ELSEWHERE).collect::<Vec<_>>());
    for (_, _, test) in FAULTS.iter().flat_map(|(_, faults)| *faults) {
        assert!(faults.contains(&format!("#[test]\nfn {test}()")), "there is no test {test}");
    }
    let properties = files(&["src/tests/malformed.rs", "testbenches/verification/tests/malformed.rs"]);
    for [_, _, _, property] in PARSERS {
        assert!(properties.contains(&format!("    fn {property}(")), "there is no property {property}");
    }
}
