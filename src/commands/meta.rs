//! What is there for other programs: completions for shells, man pages, schemas of the JSON.
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use warploom_sim::tool;

use crate::cli::{Cli, Schema};
use crate::output;
use crate::status::Status;

/// Prints the script for a shell.
pub fn completions(shell: Shell) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "warploom", &mut script);
    output::print(String::from_utf8(script)?.trim_end())?;
    Ok(Status::Pass)
}

/// Writes the pages into a directory.
pub fn man(directory: &Path) -> Result<Status> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make the directory {}", directory.display()))?;
    let mut command = Cli::command();
    command.build();
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    let pages: Vec<_> = std::iter::once(&command).chain(subcommands).cloned().collect();
    for page in pages {
        tool::go_on()?;
        let name = page.get_display_name().unwrap_or_else(|| page.get_name()).to_string();
        let mut text = Vec::new();
        Man::new(page).render(&mut text).context("cannot write a page")?;
        output::save(&directory.join(format!("{name}.1")), text)?;
    }
    output::print(format!(
        "{0}/warploom.1 and a page for each command: man -l {0}/warploom-run.1",
        directory.display()
    ))?;
    Ok(Status::Pass)
}

/// Prints the schema, which tests keep as the reports are.
pub fn schema(of: Schema) -> Result<Status> {
    output::print(match of {
        Schema::Run => include_str!("../../docs/reference/schema/run.json").trim_end(),
        Schema::Synth => include_str!("../../docs/reference/schema/synth.json").trim_end(),
    })?;
    Ok(Status::Pass)
}
