//! Bad inputs and runs that the hardware stops, many at once, while a comparison keeps every processor busy.
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{Ran, elf, files, ran, run, until, warploom};

/// Arguments, the status, and what is said; ELF stands for the folder of the micro-kernels, HERE for a folder with damaged files.
const CASES: &[(&str, i32, &[&str])] = &[
    ("run bitnic", 2, &["bitnic", "did you mean bitonic"]),
    ("run bfs -m capry", 2, &["no mechanism `capry`", "did you mean capri?"]),
    ("run bfs -m dpe:constraint", 2, &["no variant of dpe `constraint`", "constrained"]),
    ("compare bfs gdc --preset tiny", 2, &["gdc", "did you mean gcd"]),
    ("run HERE/other.elf", 2, &["other.elf", "x86-64", "32-bit little-endian RISC-V"]),
    ("run HERE/text.elf", 2, &["text.elf", "not an ELF file"]),
    ("run HERE/short.elf", 2, &["short.elf", "truncated"]),
    ("run HERE/large.elf --preset tiny", 2, &["large.elf", "instructions", "5000 words", "4096"]),
    ("run ELF/unmapped.elf --preset tiny --arg zeros:i64:200000000", 2, &["bytes"]),
    ("run ELF/illegal.elf --preset tiny", 3, &["illegal instruction 0xffffffff", "0xc <_start+0xc>", "warp 0, lane 2"]),
    ("run ELF/unmapped.elf --preset tiny --arg zeros:4", 3, &["access to 0x0", "0x18 <_start+0x18>", "warp 0, lane 3"]),
    (
        "run ELF/misaligned.elf --preset tiny --arg zeros:4",
        3,
        &["misaligned access to 0x80000041", "0x18 <_start+0x18>", "warp 0, lane 3"],
    ),
    ("run ELF/nested.elf --preset tiny --stack-depth 2 --arg zeros:4", 3, &["reconvergence stack is full", "warp 0\n"]),
    ("run ELF/recursion.elf --preset tiny", 3, &["the thread's stack is full", "<deeper+0x4>", "warp 0, lane 0"]),
    (
        "run ELF/barrier_missed.elf --preset tiny --block 16 --max-cycles 5000",
        3,
        &["no end after 5000 cycles", "warp 3", "waits at a barrier"],
    ),
    (
        "run vecadd --preset tiny --size smoke --watchdog 50",
        3,
        &["deadlock: no instruction issued for 50 cycles", "warp 3"],
    ),
    ("run vecadd --preset tiny --vcd /nowhere/a.vcd", 2, &["cannot write /nowhere/a.vcd", "No such file"]),
    ("run vecadd --preset tiny --perfetto /nowhere/a.json", 2, &["--perfetto: cannot write /nowhere/a.json"]),
    ("run vecadd --preset tiny --checkpoint /nowhere/a", 2, &["--checkpoint: cannot write /nowhere/a"]),
    ("picture vecadd --preset tiny -o /nowhere/a.svg", 2, &["--output: cannot write /nowhere/a.svg"]),
    ("compare vecadd --csv /nowhere/a.csv", 2, &["cannot write /nowhere/a.csv"]),
    ("export fifo -o HERE/text.elf", 2, &["cannot write into", "-o DIR"]),
    ("run HERE/pipe", 2, &["cannot read", "it is a pipe"]),
    ("run HERE/pipe.s", 2, &["pipe.s: it is a pipe"]),
    ("run /dev/zero", 2, &["cannot read /dev/zero", "it is a device"]),
    ("disasm HERE", 2, &["cannot read", "it is a directory"]),
    ("build HERE/pipe.s", 2, &["pipe.s: it is a pipe"]),
    ("run ELF/irreducible.elf --preset tiny --arg file:HERE/pipe", 2, &["cannot read", "it is a pipe"]),
    ("run ELF/irreducible.elf --preset tiny --arg file:/dev/zero", 2, &["cannot read /dev/zero", "it is a device"]),
    ("run ELF/irreducible.elf --preset tiny --arg file:HERE", 2, &["cannot read", "it is a directory"]),
    ("run ELF/irreducible.elf --preset tiny --arg file:HERE/sparse", 2, &["cannot read", "more than 67108864 bytes"]),
    ("run bfs --config HERE/pipe", 2, &["--config", "it is a pipe"]),
    ("run bfs --config /dev/zero", 2, &["--config", "it is a device"]),
    ("run --restore /dev/zero", 2, &["/dev/zero: cannot be read", "it is a device"]),
    ("compare --plan HERE/pipe", 2, &["cannot read", "it is a pipe"]),
    ("fuzz --replay /dev/zero", 2, &["cannot read /dev/zero", "it is a device"]),
    ("synth fetch --liberty HERE/pipe", 2, &["it is a pipe"]),
    ("synth fetch --activity HERE/pipe", 2, &["--activity", "it is a pipe"]),
    (
        "run ELF/irreducible.elf --preset tiny --global 8 --local 4294967295,4294967295,4294967295",
        2,
        &["at most 16 work-items"],
    ),
    ("run ELF/irreducible.elf --preset tiny --global 4294967295,4294967295,4294967295", 3, &["STOPPED"]),
    ("run vecadd --preset tiny --size smoke", 0, &["PASS"]),
];

/// Files that are no programs for the core.
fn damaged(directory: &Path) {
    let good = fs::read(elf("illegal")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).unwrap();
    let mut other = good.clone();
    other[18] = 62;
    write("other.elf", &other);
    write("text.elf", b"not an ELF file\n");
    write("short.elf", &good[..70]);
    write("large.elf", &large(5000));
    fs::File::create(directory.join("sparse")).unwrap().set_len(1 << 40).unwrap();
    for pipe in ["pipe", "pipe.s"] {
        assert!(Command::new("mkfifo").arg(directory.join(pipe)).status().unwrap().success());
    }
}

/// An executable of `words` instructions that do nothing, and one that ends.
fn large(words: usize) -> Vec<u8> {
    let size = 4 * words as u32;
    let halves = [2u16, 243].map(u16::to_le_bytes).concat();
    let header = [1u32, 0, 52, 0, 0].map(u32::to_le_bytes).concat();
    let counts = [52u16, 32, 1, 40, 0, 0].map(u16::to_le_bytes).concat();
    let segment = [1u32, 84, 0, 0, size, size, 5, 4].map(u32::to_le_bytes).concat();
    let (nop, exit) = (0x13u32.to_le_bytes(), 0x100bu32.to_le_bytes());
    let code = [nop.repeat(words - 1), exit.to_vec()].concat();
    [b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(), halves, header, counts, segment, code].concat()
}

#[test]
fn bad_inputs_while_every_processor_is_busy() {
    let directory = tempfile::tempdir().unwrap();
    damaged(directory.path());
    let here = directory.path().display().to_string();
    let results = directory.path().join("results");
    let busy = format!("compare --preset tiny -m spe --seed 5 --cache {}", results.display());
    let mut busy = warploom(&busy).spawn().unwrap();
    let folder = elf("illegal").replace("/illegal.elf", "");
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some((arguments, status, parts)) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Ran { status: ended, stdout, stderr } =
                run(warploom(&arguments.replace("ELF", &folder).replace("HERE", &here)));
            let said = stdout + &stderr;
            assert_eq!(ended, Some(*status), "{arguments}: {said}");
            parts.iter().for_each(|part| assert!(said.contains(part), "{arguments}: no {part:?} in:\n{said}"));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(worker))));
    busy.kill().unwrap();
    busy.wait().unwrap();
    let partial = files(directory.path()).into_iter().filter(|name| name.ends_with(".partial")).count();
    assert_eq!(partial, 0, "{:?}", files(directory.path()));
}

/// Several at once, each with two waveforms: what has been written so far is valid.
#[test]
fn ctrl_c_leaves_valid_waveforms() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: String| directory.path().join(name);
    let paths: Vec<_> = (0..2).map(|n| (path(format!("{n}.vcd")), path(format!("{n}.fst")))).collect();
    let start = |(vcd, fst): &(std::path::PathBuf, std::path::PathBuf)| {
        let waves = format!("--vcd {} --fst {} --signals core.divergence.*", vcd.display(), fst.display());
        warploom(&format!("run {} --preset tiny {waves}", elf("infinite_loop"))).spawn().unwrap()
    };
    let mut children: Vec<_> = paths.iter().map(start).collect();
    for (child, (vcd, _)) in children.iter_mut().zip(&paths) {
        until(child, || fs::metadata(vcd).is_ok_and(|file| file.len() > 100_000));
    }
    for child in &children {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    }
    for (child, (vcd, fst)) in children.into_iter().zip(&paths) {
        let Ran { status, stdout, .. } = ran(child.wait_with_output().unwrap());
        assert_eq!(status, Some(130));
        assert!(stdout.contains("interrupted after"), "{stdout}");
        for path in [vcd, fst] {
            let waveform = wellen::simple::read(path).expect("a valid waveform");
            assert!(waveform.time_table().len() > 1000);
        }
    }
}
