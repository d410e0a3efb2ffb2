//! The external tools: which are here, in which version, and what each unlocks.
//!
//! None is needed to run a kernel or to export Verilog.
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use warploom_sim::tool;

/// An external tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The command.
    pub command: &'static str,
    /// How it is asked for its version.
    version_argument: &'static str,
    /// What it is good for here.
    pub unlocks: &'static str,
    /// How to get it on Debian and Ubuntu.
    pub install: &'static str,
}

/// All of them.
pub const TOOLS: &[Tool] = &[
    Tool {
        command: "verilator",
        version_argument: "--version",
        unlocks: "lint of exported Verilog; the fourth execution of the equivalence tests; the speed baseline",
        install: "apt install verilator g++ make",
    },
    Tool {
        command: "iverilog",
        version_argument: "-V",
        unlocks: "the third execution of the equivalence tests",
        install: "apt install iverilog",
    },
    Tool {
        command: "yosys",
        version_argument: "-V",
        unlocks: "structural checks of exported Verilog; proofs about blocks; warploom synth",
        install: "apt install yosys",
    },
    Tool {
        command: "sta",
        version_argument: "-version",
        unlocks: "longest paths in warploom synth",
        install: "apt install opensta",
    },
    Tool {
        command: "clang",
        version_argument: "--version",
        unlocks: "kernels of your own: warploom build",
        install: "apt install clang",
    },
    Tool { command: "ld.lld", version_argument: "--version", unlocks: "linking them", install: "apt install lld" },
    Tool {
        command: "gtkwave",
        version_argument: "--version",
        unlocks: "looking at waveforms of warploom run --vcd",
        install: "apt install gtkwave",
    },
    Tool {
        command: "sbatch",
        version_argument: "--version",
        unlocks: "comparisons on a cluster: warploom compare --emit slurm",
        install: "apt install slurm-client",
    },
    Tool {
        command: "qemu-aarch64",
        version_argument: "--version",
        unlocks: "tests of simulators for aarch64 (and `rustup target add aarch64-unknown-linux-gnu`)",
        install: "apt install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    },
];

/// The tool behind a command of [`TOOLS`].
pub fn tool(command: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.command == command)
}

impl Tool {
    /// The version it reports, without its name; `None` when it cannot be run, or a signal ends it: that is no answer.
    pub fn version(&self) -> Option<String> {
        let asked = tool::output(Command::new(self.command).arg(self.version_argument)).ok()?;
        if asked.status.signal().is_some() {
            return None;
        }
        let said = String::from_utf8_lossy(if asked.stdout.is_empty() { &asked.stderr } else { &asked.stdout });
        Some(version_in(&said).unwrap_or("of unknown version").to_string())
    }

    /// Whether it can be run.
    pub fn is_here(&self) -> bool {
        self.version().is_some()
    }
}

/// The first word of a tool's answer that looks like a version.
fn version_in(answer: &str) -> Option<&str> {
    let versions = answer.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()));
    let mut versions = versions.map(|word| word.strip_prefix('v').unwrap_or(word));
    versions.find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_versions() {
        for (answer, version) in [
            ("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", "5.006"),
            ("Icarus Verilog version 11.0 (stable) ()\n\nCopyright 1998-2020 Stephen Williams", "11.0"),
            ("Yosys 0.23 (git sha1 7ce5011c24b)", "0.23"),
            ("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu", "14.0.6"),
            ("Debian LLD 14.0.6 (compatible with GNU linkers)", "14.0.6"),
            ("GTKWave Analyzer v3.3.104 (w)1999-2020 BSI", "3.3.104"),
        ] {
            assert_eq!(version_in(answer), Some(version), "{answer}");
        }
    }

    #[test]
    fn what_is_missing_has_no_version() {
        let tool = Tool { command: "warploom-no-such-tool", version_argument: "-V", unlocks: "", install: "" };
        assert_eq!(tool.version(), None);
    }
}
