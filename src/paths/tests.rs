use std::os::unix::fs::symlink;

use clap::Parser;

use super::*;
use crate::cli::Cli;

/// What is said of a command line with these words; the directory has a kernel and two ways to it.
fn said(words: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("v1.s"), "kernel").unwrap();
    fs::write(at("old.vcd"), "waveform").unwrap();
    fs::create_dir(at("deep")).unwrap();
    symlink("../v1.s", at("deep/link")).unwrap();
    symlink("nothing", at("dangling")).unwrap();
    symlink("/dev/null", at("null.vcd")).unwrap();
    fs::hard_link(at("v1.s"), at("second_name")).unwrap();
    let words = words.replace("HERE", &directory.path().display().to_string());
    let cli = Cli::try_parse_from(std::iter::once("warploom").chain(words.split(' '))).expect(&words);
    let before = fs::read_dir(directory.path()).unwrap().count();
    let checked = check(&cli.command);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), before, "{words}: nothing is made");
    assert_eq!(fs::read_to_string(at("v1.s")).unwrap(), "kernel");
    assert_eq!(fs::read_to_string(at("old.vcd")).unwrap(), "waveform");
    checked.map_or_else(|error| format!("{error:#}"), |()| String::new())
}

#[test]
fn outputs_are_no_inputs() {
    for output in [
        "run HERE/v1.s --vcd HERE/v1.s",
        "run HERE/v1.s --vcd HERE/deep/../v1.s",
        "run HERE/v1.s --fst HERE/deep/link",
        "run HERE/deep/link --perfetto HERE/v1.s",
        "run HERE/v1.s --perfetto HERE/second_name",
        "run HERE/v1.s --arg zeros:4 --dump arg0=HERE/v1.s",
        "run HERE/v1.s --checkpoint HERE/v1.s",
        "picture HERE/v1.s -o HERE/v1.s",
        "compare HERE/v1.s --csv HERE/v1.s",
        "compare gcd HERE/v1.s --html HERE/a --svg HERE/b --markdown HERE/deep/link",
    ] {
        assert!(said(output).contains("that is the kernel, which would be lost"), "{output}: {}", said(output));
    }
    for (output, what) in [
        ("build HERE/v1.s -o HERE/v1.s", "the source"),
        ("run bfs --arg file:HERE/v1.s --vcd HERE/v1.s", "what a buffer is filled with"),
        ("run bfs --config HERE/v1.s --perfetto HERE/v1.s", "the machine of --config"),
        ("run --restore HERE/v1.s --vcd HERE/v1.s", "the checkpoint of --restore"),
        ("compare --plan HERE/v1.s --csv HERE/v1.s", "the plan of --plan"),
        ("synth capt --liberty HERE/v1.s --svg HERE/v1.s", "the cells of --liberty"),
    ] {
        assert!(said(output).contains(&format!("that is {what}")), "{output}: {}", said(output));
    }
}

#[test]
fn outputs_are_no_other_outputs() {
    for outputs in [
        "run bfs --vcd HERE/a --fst HERE/a",
        "run bfs --vcd HERE/a --fst HERE/deep/../a",
        "run bfs --vcd HERE/dangling --perfetto HERE/nothing",
        "run bfs --vcd HERE/a.vcd --perfetto HERE/a.gtkw",
        "run bfs --vcd HERE/a.gtkw",
        "run HERE/v1.s --dump a=HERE/a --dump b=HERE/a",
        "run bfs --checkpoint HERE/a --vcd HERE/a",
        "compare bfs --csv HERE/a --html HERE/a",
    ] {
        assert!(said(outputs).ends_with("is one file, and they need two"), "{outputs}: {}", said(outputs));
    }
}

#[test]
fn outputs_are_no_figures() {
    let said = said("compare bfs --csv HERE/deep/ipc.svg --svg HERE/deep/../deep");
    assert!(said.ends_with("deep/ipc.svg: a file of --svg may have this name"), "{said}");
}

#[test]
fn images_spare_what_is_read_and_written() {
    for other in ["--vcd HERE/deep/memory1.hex", "--arg file:HERE/deep/memory1.hex"] {
        let said = said(&format!("run HERE/v1.s --image HERE/deep {other}"));
        assert!(said.ends_with("deep/memory1.hex: a file of --image may have this name"), "{said}");
    }
}

#[test]
fn what_is_right() {
    for right in [
        "run bfs --vcd HERE/a.vcd --fst HERE/a.fst",
        "run bfs --vcd HERE/old.vcd",
        "run bfs --vcd HERE/dangling",
        "run bfs --vcd /dev/null --perfetto /dev/null",
        "run bfs --vcd /dev/full --perfetto /dev/full",
        "run --restore HERE/v1.s --checkpoint HERE/v1.s",
        "compare bfs --csv HERE/a.csv --svg HERE/deep/er/still",
        "run bfs --image HERE/deep/er --vcd HERE/a.vcd",
        "export fifo -o HERE/deep/er",
        "picture bfs -o -",
        // Nothing opens a waveform again that has gone there: it has no save file.
        "run bfs --vcd HERE/null.vcd --perfetto HERE/null.gtkw",
        "build .",
    ] {
        assert_eq!(said(right), "", "{right}");
    }
}

#[test]
fn what_cannot_be_written() {
    for (wrong, what) in [
        ("run bfs --vcd HERE/nowhere/a", "--vcd: cannot write"),
        ("run bfs --perfetto HERE/deep", "is a directory"),
        ("compare bfs --svg HERE/v1.s/figures", "--svg: cannot write into"),
        ("fuzz --corpus HERE/v1.s", "--corpus: cannot write into"),
        ("picture HERE/v1.s -o HERE/v1.s/a.svg", "--output: cannot write"),
        ("run bfs --fst /dev/null", "--fst: /dev/null is no file, and its format needs one"),
        ("run bfs --vcd HERE/old.vcd/", "old.vcd/: is a directory"),
        ("run HERE/v1.s --dump arg0=HERE/a/", "--dump arg0: cannot write"),
        ("run bfs --checkpoint HERE/a/.", "--checkpoint: cannot write"),
        ("run bfs --checkpoint /proc/x", "--checkpoint: cannot write /proc/x"),
        ("run bfs --checkpoint /dev/full", "--checkpoint: /dev/full is no file, and its format needs one"),
        ("compare bfs --csv HERE/a/", "--csv: cannot write"),
        ("build HERE/v1.s -o HERE/a/", "--output: cannot write"),
    ] {
        assert!(said(wrong).contains(what), "{wrong}: {}", said(wrong));
    }
}
