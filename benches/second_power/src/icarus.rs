//! The waveform, by Icarus.
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::design::Design;

/// Writes bench.vcd.
pub fn simulate(design: &Design, directory: &Path) -> Result<()> {
    // Icarus itself goes on without it.
    ensure!(directory.join("inputs.hex").is_file(), "inputs.hex: no such file");
    fs::write(directory.join("cells.v"), design.models()).context("cells.v cannot be written")?;
    run("iverilog", &["-g2012", "-o", "bench", "bench.v", "mapped.v", "cells.v"], directory)?;
    run("vvp", &["-n", "bench"], directory)
}

fn run(command: &str, arguments: &[&str], directory: &Path) -> Result<()> {
    let output = Command::new(command).args(arguments).current_dir(directory).output();
    let output = output.with_context(|| format!("{command} does not run (Debian's package iverilog has it)"))?;
    let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    ensure!(output.status.success(), "{command} failed:\n{said}{errors}");
    Ok(())
}
