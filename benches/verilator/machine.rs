//! What the machine and this process are.
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use warploom_sim::emit::Target;

/// The target of this name, which this machine must have.
pub fn target(name: &str) -> Result<Target> {
    let names = Target::ALL.map(Target::name).join(", ");
    let target = Target::ALL.into_iter().find(|target| target.name() == name);
    let target = target.ok_or_else(|| anyhow!("no such target: {names}"))?;
    ensure!(target.is_here(), "this machine does not have it");
    Ok(target)
}

/// CPU seconds of this process.
pub fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the CPU time is known");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// What the processes that this one has waited for have used, and theirs.
fn children() -> libc::rusage {
    // SAFETY: all zeros is a value of `rusage`, and `usage` is a valid place for the answer.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage), 0, "the usage is known");
        usage
    }
}

/// Their largest resident set.
pub fn compiler_bytes() -> u64 {
    children().ru_maxrss as u64 * 1024
}

/// Their CPU seconds.
pub fn compiler_seconds() -> f64 {
    let usage = children();
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Largest resident set of this process.
pub fn peak_bytes() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}

/// Bytes of machine code mapped from files in `directory`.
pub fn code_bytes(directory: &Path) -> Result<u64> {
    let maps = fs::read_to_string("/proc/self/maps")?;
    let directory = format!("{}/", directory.to_str().context("the path of the cache is no text")?);
    let code = maps.lines().filter(|line| line.contains(" r-xp ") && line.contains(&directory));
    let sizes = code.filter_map(|line| {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        Some(u64::from_str_radix(end, 16).ok()? - u64::from_str_radix(start, 16).ok()?)
    });
    Ok(sizes.sum())
}

/// CPU model and its vector features.
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim())
    };
    let vectors = ["avx2", "avx512f", "avx512dq", "avx512vl", "avx512vpopcntdq", "avx512_vpopcntdq"];
    let features = field("flags").split(' ').filter(|flag| vectors.contains(flag)).collect::<Vec<_>>().join(" ");
    let number = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{} (family {} model {}), {number} CPUs, {features}",
        field("model name"),
        field("cpu family"),
        field("model\t")
    )
}

/// The compilers and Verilator, with their versions; this Verilator, if not the one on the PATH.
pub fn tools(verilator: Option<&Path>) -> String {
    let verilator = verilator.unwrap_or(Path::new("verilator"));
    [verilator, Path::new("g++"), Path::new("rustc")].map(version).join(", ")
}

/// First line of what a tool says about its version.
fn version(tool: &Path) -> String {
    let output = std::process::Command::new(tool).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_string()
}

/// Load average of the last minute: whether the machine was quiet.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_string()
}
