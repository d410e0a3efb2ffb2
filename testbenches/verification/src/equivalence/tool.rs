//! External tools.
use std::path::Path;
use std::process::Command;

/// Runs a tool in a directory: what it says, be it an error.
pub(super) fn run(command: &mut Command, directory: &Path) -> Result<String, String> {
    let output = command.current_dir(directory).output().map_err(|error| format!("{command:?}: {error}"))?;
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    if output.status.success() { Ok(said) } else { Err(format!("{command:?} failed:\n{said}")) }
}

/// What a tool prints.
pub(super) fn said(tool: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(tool).args(arguments).output().map_err(|error| format!("{tool}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
