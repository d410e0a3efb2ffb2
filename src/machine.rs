//! The memory beyond L1, and `--config`: a machine in a TOML file.
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::MemoryTiming;
use warploom_sim::files;

use crate::argument::whole;
use crate::cli::{Command, CoreArgs, MOST_CYCLES, SetupArgs, SystemArgs, bandwidth, cycles};
use crate::presets;
use crate::suggest::nearest;

const HEADING: &str = "Memory beyond L1, where it differs from the preset's";

/// What differs from the memory of the preset.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryArgs {
    /// Bytes of the L2 slice; 0: none
    #[arg(long, value_name = "BYTES", help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2_bytes: Option<usize>,
    /// Ways of the L2 slice
    #[arg(long, value_name = "N", help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2_ways: Option<usize>,
    /// Cycles until a line that hits in the L2 slice arrives
    #[arg(long, value_name = "CYCLES", value_parser = cycles(0), help_heading = HEADING)]
    pub l2_latency: Option<u64>,
    /// Bytes per cycle from L2, and as many to it
    #[arg(long, value_name = "BYTES", value_parser = bandwidth, help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2_bandwidth: Option<f64>,
    /// Cycles until a line from DRAM arrives
    #[arg(long, value_name = "CYCLES", value_parser = cycles(0), help_heading = HEADING)]
    pub dram_latency: Option<u64>,
    /// Bytes per cycle from DRAM
    #[arg(long, value_name = "BYTES", value_parser = bandwidth, help_heading = HEADING)]
    pub dram_bandwidth: Option<f64>,
    /// Requests that may wait for DRAM, and lines for L2
    #[arg(long, value_name = "N", help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dram_queue: Option<usize>,
}

impl MemoryArgs {
    /// Every option by its name, as text.
    fn values(&self) -> [(&'static str, Option<String>); 7] {
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let cycles = |cycles: Option<u64>| cycles.map(|cycles| cycles.to_string());
        let bytes = |bytes: Option<f64>| bytes.map(|bytes| bytes.to_string());
        [
            ("l2-bytes", number(self.l2_bytes)),
            ("l2-ways", number(self.l2_ways)),
            ("l2-latency", cycles(self.l2_latency)),
            ("l2-bandwidth", bytes(self.l2_bandwidth)),
            ("dram-latency", cycles(self.dram_latency)),
            ("dram-bandwidth", bytes(self.dram_bandwidth)),
            ("dram-queue", number(self.dram_queue)),
        ]
    }

    /// The options that [`set`](Self::set) takes.
    pub fn options() -> impl Iterator<Item = &'static str> {
        Self::default().values().into_iter().map(|(name, _)| name)
    }

    /// Sets an option by its name.
    ///
    /// # Errors
    /// If the value is no number, or not one that the option takes, or if there is no such option.
    pub fn set(&mut self, option: &str, value: &str) -> Result<()> {
        let bytes = || bandwidth(value).map_err(anyhow::Error::msg);
        match option {
            "l2-bytes" => self.l2_bytes = Some(whole(value)?),
            "l2-ways" => self.l2_ways = Some(whole(value)?),
            "l2-latency" => self.l2_latency = Some(whole(value)?),
            "l2-bandwidth" => self.l2_bandwidth = Some(bytes()?),
            "dram-latency" => self.dram_latency = Some(whole(value)?),
            "dram-bandwidth" => self.dram_bandwidth = Some(bytes()?),
            "dram-queue" => self.dram_queue = Some(whole(value)?),
            _ => bail!("there is no option --{option} of the memory"),
        }
        Ok(())
    }

    /// What differs from the default, by the names of the options.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        self.values().into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
    }

    /// Sees that there is an L2 slice in `memory` where the command line says how it is, which is in `self`, or in `--sweep`. What a
    /// file says may be for other presets.
    fn check_l2(&self, sweeps: &[String], core: &CoreArgs, memory: &MemoryArgs) -> Result<()> {
        // Another error says that there is no such preset.
        let Ok(machine) = presets::machine(core) else { return Ok(()) };
        let given: Vec<String> = self.parameters().into_keys().collect();
        let swept = sweeps.iter().filter_map(|sweep| Some(sweep.split_once('=')?.0.to_string()));
        let mut options = given.into_iter().chain(swept).collect::<Vec<_>>().into_iter();
        let bytes = memory.l2_bytes.unwrap_or((machine.memory)().l2_bytes);
        if bytes > 0 || options.clone().any(|option| option == "l2-bytes" && memory.l2_bytes.is_none()) {
            return Ok(());
        }
        match options.find(|option| ["l2-ways", "l2-latency", "l2-bandwidth"].contains(&option.as_str())) {
            Some(option) => bail!("--{option}: there is no L2 slice; --l2-bytes says how large it is"),
            None => Ok(()),
        }
    }

    /// The memory of a core, whose machine has this one by default.
    ///
    /// # Errors
    /// If there is no such L2 slice, nothing may wait for DRAM, or a latency or a bandwidth is beyond reason.
    pub fn timing(&self, config: &CoreConfig, default: MemoryTiming) -> Result<MemoryTiming> {
        let timing = MemoryTiming {
            l2_bytes: self.l2_bytes.unwrap_or(default.l2_bytes),
            l2_ways: self.l2_ways.unwrap_or(default.l2_ways),
            l2_latency: self.l2_latency.unwrap_or(default.l2_latency),
            l2_bandwidth: self.l2_bandwidth.unwrap_or(default.l2_bandwidth),
            dram_latency: self.dram_latency.unwrap_or(default.dram_latency),
            dram_bandwidth: self.dram_bandwidth.unwrap_or(default.dram_bandwidth),
            queue: self.dram_queue.unwrap_or(default.queue),
            jitter: default.jitter,
        };
        let MemoryTiming { l2_bytes, l2_ways, l2_latency, queue, .. } = timing;
        ensure!((1..=4096).contains(&l2_ways), "--l2-ways {l2_ways}: it is 1 to 4096");
        ensure!((1..=1 << 20).contains(&queue), "--dram-queue {queue}: it is 1 to 1048576");
        let latencies = [("l2-latency", l2_latency), ("dram-latency", timing.dram_latency)];
        for (option, latency) in latencies {
            ensure!(latency <= MOST_CYCLES, "--{option} {latency}: it is 0 to {MOST_CYCLES}");
        }
        if let Some(latency) = self.dram_latency {
            ensure!(
                l2_bytes == 0 || latency >= l2_latency,
                "--dram-latency {latency}: what is not in L2 is answered no earlier than what is, after {l2_latency} cycles; --l2-latency says otherwise"
            );
        }
        for (option, bytes) in [("l2-bandwidth", timing.l2_bandwidth), ("dram-bandwidth", timing.dram_bandwidth)] {
            bandwidth(&bytes.to_string()).map_err(|what| anyhow::anyhow!("--{option} {bytes}: {what}"))?;
        }
        let line = config.line_bytes;
        if let (None, Some(ways)) = (self.l2_bytes, self.l2_ways) {
            let lines = l2_bytes / line;
            ensure!(
                l2_bytes.is_multiple_of(ways * line),
                "--l2-ways {ways}: the L2 slice has {l2_bytes} B, {lines} lines of {line} B, which is no multiple; --l2-bytes says how many it has"
            );
        }
        ensure!(
            l2_bytes <= 1 << 30 && l2_bytes.is_multiple_of(l2_ways * line),
            "--l2-bytes {l2_bytes}: it is 0, or a multiple of {} up to 1 GB ({l2_ways} ways of {line} B lines)",
            l2_ways * line
        );
        Ok(timing)
    }
}

/// Adds what the file of `--config` says to the options of a command.
///
/// # Errors
/// If it cannot be read, or says what is no option, or no value of it.
pub fn configure(command: &mut Command) -> Result<()> {
    let (mut unused, mut unused_system) = (MemoryArgs::default(), SystemArgs::default());
    let mut sweeps = Vec::new();
    let is_app = matches!(command, Command::App(_));
    let (core, memory, system) = match command {
        Command::Run(args) => of_setup(&mut args.setup),
        Command::Picture(args) => of_setup(&mut args.setup),
        Command::Compare(args) => {
            args.check_sweeps()?;
            sweeps.clone_from(&args.sweep);
            (&mut args.core, &mut args.memory, &mut args.system)
        }
        Command::App(args) => (&mut args.core, &mut args.memory, &mut unused_system),
        // A machine has a memory, though they build none.
        Command::Export(args) => (&mut args.core, &mut unused, &mut args.system),
        Command::Modules(args) => (&mut args.core, &mut unused, &mut unused_system),
        Command::Synth(args) => {
            args.check_sweep()?;
            (&mut args.core, &mut unused, &mut args.system)
        }
        _ => return Ok(()),
    };
    let given = memory.clone();
    let Some(path) = core.config.take() else { return given.check_l2(&sweeps, core, memory) };
    let what = || format!("--config {}", path.display());
    let text = files::read_text(&path, files::MOST).with_context(what)?;
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| anyhow::anyhow!("{}: {}", what(), shortened(&error.to_string())))?;
    let check = |core: &CoreArgs, system: &SystemArgs| -> Result<()> {
        let mut config = presets::configure(core)?;
        let shared = system.system(core, &mut config)?;
        ensure!(shared.is_none() || !is_app, "`cores`, `memory`: an application runs on a core alone");
        Ok(())
    };
    let before = (core.clone(), system.clone());
    merge(&table, core, memory, system).with_context(what)?;
    // What would be right without the file is wrong in it.
    match check(core, system) {
        Err(error) if check(&before.0, &before.1).is_ok() => Err(error).with_context(what),
        _ => given.check_l2(&sweeps, core, memory),
    }
}

fn of_setup(setup: &mut SetupArgs) -> (&mut CoreArgs, &mut MemoryArgs, &mut SystemArgs) {
    (&mut setup.core, &mut setup.memory, &mut setup.system)
}

/// Lines that a person reads: of what is longer, the beginning.
fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    let line = |line: &str| match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What the options do not say already.
fn merge(table: &Table, core: &mut CoreArgs, memory: &mut MemoryArgs, system: &mut SystemArgs) -> Result<()> {
    let (given_core, given_memory, given_system) = (core.clone(), memory.clone(), system.clone());
    let mut named = BTreeMap::new();
    for (key, value) in table {
        let option = key.replace('_', "-");
        if let Some(other) = named.insert(option.clone(), key) {
            bail!("`{other}` and `{key}` are one option: leave one of them out");
        }
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => bail!("`{key}` is a number or a text in quotes, not {}", value.type_str()),
        };
        let set = if MemoryArgs::options().any(|name| name == option) {
            memory.set(&option, &value)
        } else if SystemArgs::OPTIONS.contains(&option.as_str()) {
            system.set(&option, &value)
        } else if CoreArgs::options().contains(&option) {
            core.set(&option, &value)
        } else {
            let names = CoreArgs::options();
            let others = MemoryArgs::options().chain(SystemArgs::OPTIONS).map(|name| -> &str { name });
            let names = names.iter().map(String::as_str).chain(others);
            bail!("there is no option `{}`{}", shortened(key), nearest(&option, names));
        };
        set.with_context(|| format!("`{key}`"))?;
    }
    // The command line goes before the file.
    for (option, value) in given_core.given() {
        core.set(&option, &value)?;
    }
    for (option, value) in given_memory.parameters() {
        memory.set(&option, &value)?;
    }
    for (option, value) in given_system.parameters() {
        system.set(&option, &value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    /// Core and memory of `run bfs` with this file and these options.
    fn machine(file: &str, options: &[&str]) -> Result<(CoreConfig, MemoryTiming)> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("machine.toml");
        std::fs::write(&path, file)?;
        let path = path.to_str().context("a path")?;
        let mut cli = Cli::try_parse_from([&["warploom", "run", "bfs", "--config", path], options].concat())?;
        configure(&mut cli.command)?;
        let Command::Run(args) = cli.command else { unreachable!() };
        let config = presets::configure(&args.setup.core)?;
        let timing = args.setup.timing(&config)?;
        Ok((config, timing))
    }

    #[test]
    fn every_option_can_stand_in_the_file() {
        let (config, timing) = machine(
            "preset = 'fermi'\nmechanism = 'tbc+lcp'\nscheduler = 'lrr'\ncta-priority = 'age'\nlanes = 8\nwarps = 12\ncta_slots = 3\n\
             stack-depth = 9\ninstruction-words = 8192\nshared-bytes = 4096\nprivate-bytes = 512\nline-bytes = 32\nl1-sets = 4\n\
             l1-ways = 2\nmshrs = 6\nl1-ports = 2\nmemory-interval = 3\nissue-interval = 2\nwarp-interval = 3\nmemory-queue = 6\nmultiply-latency = 24\nalu-latency = 8\ndivide-bits = 2\nl2-bytes = 65536\nl2-ways = 8\nl2-latency = 7\nl2-bandwidth = 11.4\n\
             dram-latency = 133\ndram-bandwidth = 10\ndram-queue = 16",
            &[],
        )
        .unwrap();
        let sizes = [config.lanes, config.warps, config.cta_slots, config.stack_depth, config.instruction_words];
        assert_eq!(sizes, [8, 12, 3, 9, 8192]);
        let memories = [config.shared_bytes, config.private_bytes, config.line_bytes, config.l1_sets, config.l1_ways];
        assert_eq!(memories, [4096, 512, 32, 4, 2]);
        assert_eq!([config.mshrs, config.l1_ports, config.memory_interval, config.memory_queue], [6, 2, 3, 6]);
        assert_eq!([config.multiply_latency, config.alu_latency, config.divide_bits], [24, 8, 2]);
        assert_eq!([config.issue_interval, config.warp_interval], [2, 3]);
        assert_eq!(crate::mechanism::name(&config), "tbc+lcp");
        let expected = MemoryTiming {
            l2_bytes: 65536,
            l2_ways: 8,
            l2_latency: 7,
            l2_bandwidth: 11.4,
            dram_latency: 133,
            dram_bandwidth: 10.0,
            queue: 16,
            jitter: None,
        };
        assert_eq!(timing, expected);
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let file = "preset = 'tiny'\nl1-sets = 4\ndram-latency = 133";
        let (config, timing) =
            machine(file, &["--l1-sets", "8", "--dram-latency", "200", "--preset", "small"]).unwrap();
        assert_eq!((config.lanes, config.l1_sets, timing.dram_latency), (8, 8, 200));
        let (config, timing) = machine(file, &["--l1-ways", "4"]).unwrap();
        assert_eq!((config.lanes, config.l1_sets, config.l1_ways, timing.dram_latency), (4, 4, 4, 133));
    }

    #[test]
    fn several_cores_can_stand_in_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("machine.toml");
        let path = path.to_str().unwrap();
        let system = |file: &str, arguments: &[&str]| -> Result<SystemArgs> {
            std::fs::write(path, file)?;
            let mut cli =
                Cli::try_parse_from([&["warploom", arguments[0], "--config", path], &arguments[1..]].concat())?;
            configure(&mut cli.command)?;
            Ok(match cli.command {
                Command::Run(args) => args.setup.system,
                Command::Compare(args) => args.system,
                Command::Export(args) => args.system,
                Command::Synth(args) => args.system,
                _ => SystemArgs::default(),
            })
        };
        let of = |cores, channels| SystemArgs { cores: Some(cores), channels: Some(channels), ..SystemArgs::default() };
        let file = "preset = 'tiny'\ncores = 4\nchannels = 2";
        for command in
            [vec!["run", "bfs"], vec!["compare", "bfs"], vec!["export", "gpu"], vec!["synth", "interconnect"]]
        {
            assert_eq!(system(file, &command).unwrap(), of(4, 2), "{command:?}");
        }
        assert_eq!(system(file, &["run", "bfs", "--channels", "3"]).unwrap(), of(4, 3));
        let mut alone = SystemArgs::default();
        alone.set("memory", "rtl").unwrap();
        assert_eq!(system("memory = 'rtl'", &["run", "bfs"]).unwrap(), alone);
        for (file, command, expected) in [
            ("cores = 17", vec!["run", "bfs"], "machine.toml: --cores 17: it is 1 to 16"),
            ("cores = 2\nchannels = 5", vec!["run", "bfs"], "machine.toml: --channels 5: it is one of 1, 2"),
            ("memory = 'rlt'", vec!["run", "bfs"], "`memory`: --memory rlt: it is model or rtl"),
            ("core = 2", vec!["run", "bfs"], "there is no option `core`\n  did you mean cores"),
            ("cores = 2", vec!["app", "--", "program"], "an application runs on a core alone"),
        ] {
            let error = format!("{:#}", system(file, &command).unwrap_err());
            assert!(error.contains(expected), "{file}: {error}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (file, options, expected) in [
            ("l1-set = 4", vec![], "there is no option `l1-set`\n  did you mean l1-sets"),
            ("l1-sets = 'many'", vec![], "`l1-sets`: `many` is no number"),
            ("l1-sets = [4]", vec![], "`l1-sets` is a number or a text in quotes, not array"),
            ("l1-sets = -4", vec![], "`l1-sets`: -4 is negative; it is 0 or more"),
            ("l1-sets = 5", vec![], "--l1-sets 5: it is"),
            ("dram-bandwidth = 0", vec![], "`dram-bandwidth`: it is a number of bytes per cycle"),
            ("l1-sets", vec![], "TOML parse error"),
            ("l1-sets = 4\nl1_sets = 8", vec![], "`l1-sets` and `l1_sets` are one option"),
            ("", vec!["--l2-bytes", "100"], "--l2-bytes 100: it is 0, or a multiple of 4096"),
            ("", vec!["--l2-ways", "0"], "--l2-ways 0: it is 1 to 4096"),
            ("", vec!["--l2-ways", "9"], "--l2-ways 9: the L2 slice has"),
            ("l2-latency = 9223372036854775807", vec![], "--l2-latency 9223372036854775807: it is 0 to 1000000000000"),
            ("dram-latency = '18446744073709551615'", vec![], "--dram-latency 18446744073709551615: it is 0 to"),
            ("", vec!["--dram-latency", "119"], "--dram-latency 119: what is not in L2 is answered no earlier"),
            ("preset = 3", vec![], "machine.toml: there is no preset `3`"),
            ("isa = 'rv64'", vec!["--lanes", "8"], "machine.toml: there is no instruction set `rv64`"),
            ("l2-bytes = 0", vec!["--l2-ways", "4"], "--l2-ways: there is no L2 slice; --l2-bytes says"),
            ("", vec!["--l2-bytes", "0", "--l2-bandwidth", "4"], "--l2-bandwidth: there is no L2 slice"),
            ("", vec!["--dram-queue", "0"], "--dram-queue 0: it is 1 to"),
        ] {
            let error = format!("{:#}", machine(file, &options).unwrap_err());
            assert!(error.contains(expected) && !error.contains("digit"), "{file} {options:?}: {error}");
        }
    }
}
