//! A tool at work in a directory of its own.
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use warploom_sim::cache::{Cache, Work};
use warploom_sim::tool::{self, ToolError};

use super::FlowError;

/// A directory with files, by name and text: in the cache, where the next start finds what a killed one has left.
pub(crate) fn directory(files: &[(&str, &str)]) -> Result<Work, FlowError> {
    let cache = Cache::open(None)?;
    let directory = cache.work().map_err(|error| FlowError::io(cache.path(), &error))?;
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::write(&path, text).map_err(|error| FlowError::io(&path, &error))?;
    }
    Ok(directory)
}

/// Runs a tool there, with its own temporary files, and returns what it printed. If it fails, the directory stays for the user to look at.
pub(crate) fn run(tool: &'static str, arguments: &[&str], directory: Work) -> Result<(Work, String), FlowError> {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(directory.path()).env("TMPDIR", directory.path());
    let output = tool::output(&mut command).map_err(|error| match error {
        ToolError::Interrupted(interrupted) => interrupted.into(),
        ToolError::Io(error) => FlowError::NoTool { tool, reason: error.to_string() },
    })?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_string();
        return Err(FlowError::Failed { tool, directory: directory.keep(tool), messages });
    }
    Ok((directory, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// What a tool printed there that may take long; `None` if it had not ended in time, and was stopped.
pub(crate) fn run_within(
    limit: Duration,
    tool: &'static str,
    arguments: &[&str],
    directory: &Work,
) -> Result<Option<String>, FlowError> {
    const SAID: &str = "said.txt";
    let path = directory.path().join(SAID);
    let said = fs::File::create(&path).map_err(|error| FlowError::io(&path, &error))?;
    let mut command = Command::new(tool);
    command
        .args(arguments)
        .current_dir(directory.path())
        .env("TMPDIR", directory.path())
        .stdout(said)
        .stderr(Stdio::null());
    let missing = |error: std::io::Error| FlowError::NoTool { tool, reason: error.to_string() };
    let mut child = tool::spawn(&mut command).map_err(missing)?;
    let start = Instant::now();
    while child.try_wait().map_err(missing)?.is_none() {
        let wanted = tool::go_on();
        if wanted.is_err() || start.elapsed() > limit {
            tool::end(child.id());
            child.wait().map_err(missing)?;
            return Ok(wanted.map(|()| None)?);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    written(directory, SAID).map(Some)
}

/// A file that a tool has written there.
pub(crate) fn written(directory: &Work, name: &str) -> Result<String, FlowError> {
    let path = directory.path().join(name);
    fs::read_to_string(&path).map_err(|error| FlowError::io(&path, &error))
}
