//! Files that are written: none that is read, none twice, and what was there stays until there is something better.
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::{Ran, command, contains, elf, ran, refused, warploom};

/// Names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// A directory with an executable in it, its path, and paths beside it.
fn program() -> (tempfile::TempDir, String, impl Fn(&str) -> String) {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().to_path_buf();
    let path = move |name: &str| folder.join(name).to_str().unwrap().to_string();
    let program = path("v1.elf");
    fs::copy(elf("irreducible"), &program).unwrap();
    (directory, program, path)
}

#[test]
fn a_program_is_not_overwritten() {
    let (directory, program, path) = program();
    let before = fs::read(&program).unwrap();
    symlink(&program, path("link")).unwrap();
    let run = ["run", &program, "--preset", "tiny", "--block", "8", "--arg", "zeros:8"];
    let dump = format!("arg0={program}");
    for output in [["--vcd", &program], ["--fst", &path("link")], ["--perfetto", &program], ["--dump", &dump]] {
        refused(&[&run[..], &output].concat(), &["that is the kernel, which would be lost"]);
    }
    assert_eq!(fs::read(&program).unwrap(), before);
    assert_eq!(names(directory.path()), ["link", "v1.elf"]);
}

#[test]
fn two_outputs_are_not_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let (a, b) = (directory.path().join("a"), directory.path().join("./a"));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    refused(&["compare", "gcd", "--csv", a, "--html", b], &["--csv and --html", "one file"]);
    refused(&["run", "gcd", "--vcd", a, "--perfetto", b], &["--vcd and --perfetto", "one file"]);
    assert_eq!(names(directory.path()), [""; 0]);
}

/// What two write into one stream is mixed, and so is what stands around JSON.
#[test]
fn two_outputs_are_not_one_stream() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let run = |args: &[&str], parts: &[&str]| refused(&[&["run", "gcd", "--preset", "tiny"], args].concat(), parts);
    for (vcd, perfetto) in [("/dev/stdout", "/dev/stdout"), ("/dev/fd/1", "/dev/stdout"), (pipe, pipe)] {
        run(&["--vcd", vcd, "--perfetto", perfetto], &["--vcd and --perfetto", "is one stream, and they need two"]);
    }
    run(&["--json", "--dump", "arg0=/dev/stdout"], &["--dump arg0 /dev/stdout: that is where --json prints"]);
    run(&["--json", "--vcd", "/dev/fd/1"], &["--vcd /dev/fd/1: that is where --json prints"]);
    refused(&["compare", "gcd", "--json", "--csv", "/dev/stdout"], &["--csv /dev/stdout: that is where --json prints"]);
    refused(&["synth", "fifo", "--json", "--svg", "/dev/stdout"], &["--svg /dev/stdout: that is where --json prints"]);
}

#[test]
fn an_error_costs_nothing_and_leaves_nothing() {
    let (directory, _, path) = program();
    let (vcd, new) = (path("old.vcd"), path("new"));
    fs::write(&vcd, "a waveform").unwrap();
    let trigger = "core.divergence.per_warp[0].engine.operation=Resolv";
    refused(&["run", "gcd", "--preset", "tiny", "--vcd", &vcd, "--trigger", trigger], &["no variant `Resolv`"]);
    refused(&["run", "gdc", "--preset", "tiny", "--perfetto", &new], &["no kernel `gdc`"]);
    refused(&["picture", "gdc", "--preset", "tiny", "-o", &new], &["no kernel `gdc`"]);
    refused(&["compare", "gdc", "--csv", &new, "--svg", &path("figures")], &["no kernel `gdc`"]);
    refused(&["synth", "capt", "--liberty", &path("nowhere.lib"), "--svg", &new], &["nowhere.lib"]);
    assert_eq!(fs::read_to_string(&vcd).unwrap(), "a waveform");
    assert_eq!(names(directory.path()), ["old.vcd", "v1.elf"]);
}

#[test]
fn nobody_elses_file_is_touched() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("thesis"), "mine").unwrap();
    symlink(at("thesis"), at("fifo.v.partial")).unwrap();
    symlink("behind.v", at("core.v")).unwrap();
    let here = directory.path().to_str().unwrap();
    for module in ["fifo", "core"] {
        assert_eq!(warploom(&["export", module, "--preset", "tiny", "-o", here]).status, 0);
    }
    assert_eq!(fs::read_to_string(at("thesis")).unwrap(), "mine");
    assert_eq!(names(directory.path()), ["behind.v", "core.v", "fifo.v", "fifo.v.partial", "thesis"]);
    assert!(fs::symlink_metadata(at("core.v")).unwrap().is_symlink(), "what a link leads to is written");
}

#[test]
fn standard_output_by_its_name() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("redirected");
    let args = ["picture", "rhu_4_1", "--preset", "tiny", "--to", "99", "-o", "/dev/stdout"];
    assert!(command(&args).stdout(fs::File::create(&file).unwrap()).status().unwrap().success());
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("<svg") && text.ends_with("drawn in /dev/stdout\n"), "{text}");
}

#[test]
fn the_longest_name_there_can_be() {
    let directory = tempfile::tempdir().unwrap();
    let name = "n".repeat(255);
    let args = ["picture", "rhu_4_1", "--preset", "tiny", "--to", "99", "-o", &name];
    let Ran { status, stderr, .. } = ran(command(&args).current_dir(&directory).output().unwrap());
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(names(directory.path()), [name]);
    let longer = "n".repeat(256);
    let Ran { status, stderr, .. } = warploom(&["picture", "rhu_4_1", "--preset", "tiny", "-o", &longer]);
    assert_eq!(status, 2);
    contains(&stderr, &["--output: cannot write nnn", "File name too long"]);
}

/// What a checkpoint says of a run is read as if it stood on the command line.
#[test]
fn what_a_checkpoint_is_of_is_not_overwritten() {
    let (directory, program, path) = program();
    let (input, checkpoint) = (path("in.bin"), path("checkpoint"));
    fs::write(&input, [0; 32]).unwrap();
    let file = format!("file:{input}");
    let run = ["run", &program, "--preset", "tiny", "--block", "8", "--arg", &file, "--max-cycles", "20"];
    assert_eq!(warploom(&[&run[..], &["--checkpoint", &checkpoint]].concat()).status, 3);
    let (before, restore) = (names(directory.path()), ["run", "--restore", &checkpoint]);
    for output in ["--vcd", "--fst", "--perfetto", "--checkpoint"] {
        refused(&[&restore[..], &[output, &program]].concat(), &["that is the kernel, which would be lost"]);
        refused(&[&restore[..], &[output, &input]].concat(), &["that is what a buffer is filled with"]);
    }
    let dump = format!("arg0={input}");
    refused(&[&restore[..], &["--dump", &dump]].concat(), &["that is what a buffer is filled with"]);
    assert_eq!(fs::read(&program).unwrap(), fs::read(elf("irreducible")).unwrap());
    assert_eq!(names(directory.path()), before);
}

/// Nor what a plan or shards are of.
#[test]
fn what_a_file_says_is_compared_is_not_overwritten() {
    let (_directory, program, path) = program();
    fs::copy(elf("rhu_4_1"), &program).unwrap();
    let (into, plan) = (path("shards"), path("shards/plan.json"));
    let compare = ["compare", &program, "--preset", "tiny", "-m", "spe", "--shard", "1/1", "--into", &into];
    assert_eq!(warploom(&compare).status, 0);
    for from in [["--plan", &plan], ["--merge", &into]] {
        let report = [&["compare"], &from[..], &["--csv", &program]].concat();
        refused(&report, &["--csv ", "that is the kernel, which would be lost"]);
    }
    assert_eq!(fs::read(&program).unwrap(), fs::read(elf("rhu_4_1")).unwrap());
}

#[test]
fn a_waveform_and_a_trace_to_standard_output_by_its_name() {
    let directory = tempfile::tempdir().unwrap();
    symlink("/dev/stdout", directory.path().join("wave.vcd")).unwrap();
    let file = directory.path().join("redirected");
    let run = ["run", "bfs", "--preset", "tiny", "--size", "9"];
    for (output, start, end) in [
        (&["--vcd", "wave.vcd", "--signals", "core.divergence.*"][..], "$", "\nPASS  bfs"),
        (&["--perfetto", "/dev/stdout"], "{\"displayTimeUnit\"", "\n]}\nPASS  bfs"),
    ] {
        let mut command = command(&[&run[..], output].concat());
        command.current_dir(&directory).stdout(fs::File::create(&file).unwrap());
        assert!(command.status().unwrap().success(), "{output:?}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(start) && text.contains(end), "{output:?}: {}", &text[..200]);
    }
    // Nothing opens what has gone there: there is no save file.
    assert_eq!(names(directory.path()), ["redirected", "wave.vcd"]);
}

#[test]
fn a_buffer_that_cannot_be_written_does_not_cost_the_report() {
    let run = ["run", &elf("irreducible"), "--preset", "tiny", "--block", "8", "--arg", "zeros:8"];
    let Ran { status, stdout, stderr } = warploom(&[&run[..], &["--dump", "arg0=/dev/full"]].concat());
    assert_eq!(status, 2);
    contains(&stdout, &["DONE", "cycles"]);
    assert!(stderr.starts_with("error: --dump arg0: cannot write /dev/full: No space left"), "{stderr}");
}

#[test]
fn a_directory_is_no_source() {
    refused(&["build", "."], &[".: a kernel is an OpenCL C file"]);
}

/// What these files mean is shown by the testbenches in examples/, which run them.
#[test]
fn an_image_has_the_program_and_every_launch() {
    let directory = tempfile::tempdir().unwrap();
    let image = directory.path().join("new/image");
    let run = ["run", "scan", "--preset", "tiny", "--size", "smoke", "--image", image.to_str().unwrap()];
    contains(&warploom(&run).stdout, &["PASS", "3 launches"]);
    let of_launch = |n| ["expected", "launch", "memory"].map(|what| format!("{what}{n}.hex"));
    let mut expected: Vec<String> = (1..=3).flat_map(of_launch).chain(["program.hex".into()]).collect();
    expected.sort();
    assert_eq!(names(&image), expected);
    let read = |name: &str| fs::read_to_string(image.join(name)).unwrap();
    assert_eq!(read("launch1.hex").lines().count(), 15);
    contains(&read("launch1.hex"), &["00000000 // kernel_entry_pc", "04000000 // kernel_global_limit"]);
    contains(&read("program.hex"), &["// load_word load_rpc", "@0"]);
    assert_ne!(read("memory1.hex"), read("expected1.hex"));
    // Nothing of another run with more launches stays, nor what one that was not stopped has left; other files do.
    fs::write(image.join("launch7.hex"), "of another run").unwrap();
    fs::write(image.join("notes.hex"), "mine").unwrap();
    let stopped = ["run", "gcd", "--preset", "tiny", "--image", image.to_str().unwrap(), "--max-cycles", "50"];
    assert_eq!(warploom(&stopped).status, 3);
    assert_eq!(names(&image), ["launch1.hex", "memory1.hex", "notes.hex", "program.hex"]);
    fs::remove_file(image.join("notes.hex")).unwrap();
    contains(&warploom(&run).stdout, &["PASS"]);
    // What a launch leaves is there before the next, but for its arguments.
    let last = |name: &str| read(name).lines().last().map(String::from);
    assert_eq!(last("expected1.hex"), last("memory2.hex"));
    assert_ne!(last("memory1.hex"), last("memory2.hex"));
    assert_ne!(read("memory1.hex"), read("expected1.hex"));
}

/// What `build` has not made it does not replace: an include file, for one.
#[test]
fn only_an_elf_is_built_over() {
    let (directory, program, path) = program();
    let source = path("k.s");
    fs::write(&source, "    .globl _start\n_start:\n").unwrap();
    fs::write(path("inc.h"), "#define N 4\n").unwrap();
    refused(&["build", &source, "-o", &path("inc.h")], &["that is no ELF file, and would be lost"]);
    assert_eq!(fs::read_to_string(path("inc.h")).unwrap(), "#define N 4\n");
    assert_eq!(names(directory.path()), ["inc.h", "k.s", "v1.elf"]);
    drop(program);
}

#[test]
fn a_file_and_a_directory_do_not_have_one_name() {
    let (_directory, program, path) = program();
    let run = ["run", &program, "--preset", "tiny", "--block", "8", "--arg", "zeros:8"];
    let y = path("y");
    let both = [&run[..], &["--vcd", &y, "--image", &y]].concat();
    refused(&both, &["--vcd and --image: ", "cannot be a file and a directory"]);
    refused(&["compare", "gcd", "--csv", &y, "--svg", &y], &["--csv and --svg: "]);
}

#[test]
fn a_link_in_a_directory_of_outputs() {
    let (_directory, program, path) = program();
    let machine = path("machine.toml");
    fs::write(&machine, "l1-sets = 4\n").unwrap();
    fs::create_dir(path("image")).unwrap();
    symlink(&machine, path("image/program.hex")).unwrap();
    let run = ["run", &program, "--preset", "tiny", "--block", "8", "--arg", "zeros:8", "--config", &machine];
    let directory = path("image");
    refused(&[&run[..], &["--image", &directory]].concat(), &["is the machine of --config, which may be lost"]);
    assert_eq!(fs::read_to_string(&machine).unwrap(), "l1-sets = 4\n");
}

#[test]
fn shards_are_not_overwritten_by_their_report() {
    let directory = tempfile::tempdir().unwrap();
    let into = directory.path().to_str().unwrap();
    let shard =
        ["compare", "gcd", "-m", "spe", "--preset", "tiny", "--size", "smoke", "--shard", "1/1", "--into", into];
    assert_eq!(warploom(&shard).status, 0);
    let before = names(directory.path());
    for name in ["shard-1-of-1.json", "plan.json", "shard-x.json"] {
        let report = directory.path().join(name);
        let merge = ["compare", "--merge", into, "--csv", report.to_str().unwrap()];
        refused(&merge, &["a file of --merge may have this name"]);
    }
    assert_eq!(names(directory.path()), before);
    assert_eq!(warploom(&["compare", "--merge", into]).status, 0);
}

/// A script of the same name that somebody has written.
#[test]
fn scripts_take_the_place_of_scripts_of_theirs_only() {
    let directory = tempfile::tempdir().unwrap();
    let into = directory.path().to_str().unwrap();
    let emit = ["compare", "gcd", "-m", "spe", "--preset", "tiny", "--emit", "slurm", "--into", into];
    for _ in 0..2 {
        assert_eq!(warploom(&emit).status, 0);
    }
    fs::write(directory.path().join("submit.sh"), "mine\n").unwrap();
    refused(&emit, &["submit.sh: it is there, and not of `compare --emit`"]);
    let odd = directory.path().join("a$(touch b)'c");
    let odd = [&emit[..8], &["--into", odd.to_str().unwrap()]].concat();
    refused(&odd, &["sbatch cannot write logs into a directory with such a name"]);
}
