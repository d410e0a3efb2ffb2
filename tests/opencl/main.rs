//! Kernels in OpenCL C, from their sources to what they leave in memory, as users of the binary see it.
use std::path::Path;
use std::process::{Command, Stdio};

use warploom_requirements::met;

mod arguments;
mod conversions;
mod float_kernels;
mod floats;
mod locks;
mod printf;
mod programs;

fn can_compile() -> bool {
    met(&[("clang and ld.lld", warploom_runtime::toolchain::available())])
}

/// Status, standard output and standard error of a command line, whose words are separated by spaces; it runs where the
/// sources are.
fn warploom(line: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(line.split_whitespace()).env_remove("COLUMNS").stdin(Stdio::null());
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opencl");
    let output = command.current_dir(&here).output().expect("warploom starts");
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).expect("text").replace(here.to_str().expect("a path in UTF-8"), "[here]")
    };
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("a bug in warploom"), "{stderr}");
    (output.status.code(), stdout, stderr)
}

/// Runs a kernel on the tiny core, and reads one of its buffers.
#[track_caller]
fn dump(line: &str, buffer: &str) -> Vec<u8> {
    let [bytes] = dumps(line, &[], [buffer]);
    bytes
}

/// Runs a kernel on the tiny core with buffers that are given, and reads others.
#[track_caller]
fn dumps<const N: usize>(line: &str, given: &[(&str, Vec<u8>)], read: [&str; N]) -> [Vec<u8>; N] {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, kind: &str| directory.path().join(format!("{name}.{kind}"));
    let mut line = format!("run {line} --preset tiny");
    for (name, bytes) in given {
        std::fs::write(file(name, "in"), bytes).expect("a file");
        line += &format!(" --buffer {name}=file:{}", file(name, "in").display());
    }
    for name in read {
        line += &format!(" --dump {name}={}", file(name, "out").display());
    }
    let (status, stdout, stderr) = warploom(&line);
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.starts_with("DONE"), "{stdout}");
    read.map(|name| std::fs::read(file(name, "out")).expect("a dump"))
}

fn words(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// What command lines answer that cannot be run, one after the other.
fn answers(lines: &[&str]) -> String {
    let answer = |line: &&str| {
        let (status, stdout, stderr) = warploom(line);
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
        format!("$ warploom {line}\n{stderr}")
    };
    lines.iter().map(answer).collect::<Vec<_>>().join("\n")
}

#[test]
fn vectors_are_added() {
    if !can_compile() {
        return;
    }
    let sums = dump(
        "vecadd.cl --global 24 --local 8 --buffer a=iota:i32:20 --buffer b=iota:i32:20 --buffer c=zero:i32:20 --arg n=20",
        "c",
    );
    assert_eq!(words(&sums), (0..20).map(|i| 2 * i).collect::<Vec<_>>());
}

#[test]
fn local_memory_is_that_of_the_work_group() {
    if !can_compile() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let elf = directory.path().join("reduce.elf");
    let (status, stdout, stderr) = warploom(&format!("build reduce.cl -o {}", elf.display()));
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    let run = format!("{} --global 32 --local 8 --buffer a=iota:i32:32", elf.display());
    let sums = dump(&format!("{run} --kernel with_argument --buffer sum=zero:i32:4 --buffer part=local:i32:8"), "sum");
    assert_eq!(words(&sums), [28, 92, 156, 220]);
    let sum = dump(&format!("{run} --kernel with_variable --buffer sum=zero:i32:1"), "sum");
    assert_eq!(words(&sum), [496 - 48]);
}

#[test]
fn atomics_and_arguments_of_other_sizes() {
    if !can_compile() {
        return;
    }
    let run = "histogram.cl --global 64 --buffer values=iota:u8:64 --buffer bins=zero:u32:10";
    let bins = dump(&format!("{run} --arg offset=0x30000002a --arg stride=-2"), "bins");
    assert_eq!(words(&bins), [0, 16, 0, 16, 0, 16, 0, 16, 63, 42]);
}

/// A kernel need not keep registers for the code that starts it, but must for another kernel that calls it.
#[test]
fn registers_over_calls() {
    if !can_compile() {
        return;
    }
    let run = "registers.cl --global 8 --local 8 --buffer a=iota:u32:112";
    let alone = |thread: i32| {
        let mut values: Vec<i32> = (14 * thread..14 * thread + 14).collect();
        (0..14).for_each(|i| values[i] += 4 * values[(i + 1) % 14]);
        values
    };
    let expected: Vec<i32> = (0..8).flat_map(alone).collect();
    assert_eq!(words(&dump(&format!("{run} --kernel alone"), "a")), expected);
    let expected: Vec<i32> = expected.iter().zip(0..).map(|(value, before)| value ^ before).collect();
    assert_eq!(words(&dump(&format!("{run} --kernel caller"), "a")), expected);
}

#[test]
fn what_lanes_do_together() {
    if !can_compile() {
        return;
    }
    let run = "together.cl --global 4 --local 4 --buffer words=zero:u32:4 --buffer halves=zero:u16:4 --buffer results=zero:u32:32";
    let [stored, halves, results] = dumps(run, &[], ["words", "halves", "results"]);
    assert_eq!(words(&stored), [101, 103, 0, 0]);
    assert_eq!(halves, [1, 0, 2, 0, 3, 0, 0, 0]);
    let expected = [[10; 4], [0, 2, 2, 4], [2; 4], [2; 4], [0, 14, 0, 14], [3; 4], [1; 4], [73, 74, 75, 76]].concat();
    assert_eq!(words(&results), expected);
}

#[test]
fn two_dimensions() {
    if !can_compile() {
        return;
    }
    let run = "transpose.cl --global 8,4 --local 4,4 --buffer in=iota:i16:18 --buffer out=zero:u16:18";
    let out = dump(&format!("{run} --arg width=6 --arg height=3"), "out");
    let halves: Vec<i16> = out.chunks_exact(2).map(|half| i16::from_le_bytes([half[0], half[1]])).collect();
    assert_eq!(halves, [0, 6, 12, 1, 7, 13, 2, 8, 14, 3, 9, 15, 4, 10, 16, 5, 11, 17]);
}

#[test]
fn integer_functions() {
    if !can_compile() {
        return;
    }
    let run = "integers.cl --global 1 --buffer in=iota:i32:16 --buffer out=zero:i32:64 --buffer wide=zero:i64:4";
    let expected = [
        -5,
        -2,
        -2,
        5,
        -2147483647,
        2147483647,
        -2147483648,
        -1,
        0,
        127,
        -2,
        -1,
        36,
        3,
        -2,
        -4,
        1,
        2147483647,
        -15,
        5,
        30,
        6,
        32,
        31,
        262139,
        3,
        -5,
        -5,
        1,
        0,
        2,
        0,
        3,
        2,
        3,
        0,
        8,
        2,
        12,
        254,
        1,
        -2,
        61,
        196_609,
        13,
        2147483647,
    ];
    let out = words(&dump(run, "out"));
    let differ: Vec<_> =
        (0..expected.len()).filter(|&i| out[i] != expected[i]).map(|i| (i, out[i], expected[i])).collect();
    assert!(differ.is_empty(), "index, result, expected: {differ:?}");
    let wide = dump(run, "wide");
    let wide: Vec<i64> =
        wide.chunks_exact(8).map(|long| i64::from_le_bytes(long.try_into().expect("eight bytes"))).collect();
    assert_eq!(wide, [-7158278826, -480, 4294967298, 126]);
}

#[test]
fn the_kernel_of_the_documentation() {
    if !can_compile() {
        return;
    }
    let page = include_str!("../../docs/user/own-kernels.md");
    let block = |head: &str| page.split(head).nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    std::fs::write(file("halve.cl"), block("```opencl\n")).expect("a writable directory");
    let line = block("```sh\nwarploom ").lines().next().expect("a command");
    let line =
        ["halve.cl", "b.bin", "odd.bin"].iter().fold(line.to_string(), |line, name| line.replace(name, &file(name)));
    let (status, stdout, stderr) = warploom(&line.replace("--local 64", "--local 16 --preset tiny"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    let read = |name: &str| words(&std::fs::read(file(name)).expect("a dump"));
    assert_eq!(read("odd.bin"), [500]);
    assert_eq!(read("b.bin"), (0..1000).map(|i| i / 2).collect::<Vec<_>>());
}

#[test]
fn a_write_behind_a_buffer_is_noticed() {
    if !can_compile() {
        return;
    }
    let buffers = "--buffer a=iota:i32:16 --buffer b=iota:i32:16 --buffer c=zero:i32:15 --arg n=16";
    let (status, stdout, stderr) = warploom(&format!("run vecadd.cl --preset tiny --global 16 {buffers}"));
    assert_eq!((status, stderr.as_str()), (Some(1), ""), "{stdout}");
    assert!(
        stdout.starts_with("FAIL") && stdout.contains("`c` has 60 bytes, and the kernel wrote to byte 60"),
        "{stdout}"
    );
}

#[test]
fn what_cannot_be_compiled() {
    if can_compile() {
        insta::assert_snapshot!("sources", answers(&["build syntax.cl", "build unsupported.cl"]));
    }
}

#[test]
fn listings_with_source_lines() {
    if !can_compile() {
        return;
    }
    let (status, stdout, stderr) = warploom("disasm vecadd.cl");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("disasm", stdout);
    insta::assert_snapshot!("disasm_kernel", answers(&["disasm reduce.cl --kernel with"]));
}

#[test]
fn what_does_not_fit_the_parameters() {
    if !can_compile() {
        return;
    }
    let vecadd = "run vecadd.cl --global 16 --buffer a=zero:i32:16 --buffer b=zero:i32:16";
    let own = |rest: &str| format!("{vecadd} {rest}");
    let lines = [
        "run reduce.cl --global 16".to_string(),
        "run reduce.cl --kernel with_argumnet --global 16".into(),
        "run reduce.cl --kernel with_variable --global 16 --local 4".into(),
        "run reduce.cl --kernel with_argument --global 16 --buffer a=zero:i32:16 --buffer sum=zero:i32:1 --buffer part=zero:i32:8".into(),
        "run vecadd.cl".into(),
        "run vecadd.cl --grid 2".into(),
        "run vecadd.cl --global 100,2 --local 8".into(),
        "run vecadd.cl --global 4096 --local 4096".into(),
        own("--buffer c=zero:i32:16"),
        own("--buffer c=zero:i32:16 --arg 16"),
        own("--buffer c=zero:i32:16 --arg n=16 --arg n=17"),
        own("--buffer c=zero:i32:16 --arg count=16"),
        own("--buffer c=zero:i32:16 --arg n=-1"),
        own("--buffer c=zero:i32:16 --buffer n=zero:i32:1"),
        own("--arg c=16 --arg n=16"),
        own("--buffer c=zero:i16:16 --arg n=16"),
        own("--buffer c=local:i32:16 --arg n=16"),
        own("--buffer c=file:nowhere.bin --arg n=16"),
        own("--buffer c=file:histogram.cl --arg n=16"),
        own("--buffer c=zero:i32:0 --arg n=16"),
        own("--buffer c=zero:f64:16 --arg n=16"),
        own("--buffer c=zero:i32:16 --arg n=16 --dump d=out.bin"),
        own("--buffer c=zero:i32:16 --arg n=16 --dump c=nowhere/out.bin"),
        own("--buffer c=zero:i32:16 --arg n=16 --dump c"),
        own("--buffer c=zero:i64:4 --arg n=16"),
    ];
    insta::assert_snapshot!("arguments", answers(&lines.iter().map(String::as_str).collect::<Vec<_>>()));
    insta::assert_snapshot!("memory", answers(&[&own("--preset tiny --buffer c=zero:i32:100000000 --arg n=16")]));
}
