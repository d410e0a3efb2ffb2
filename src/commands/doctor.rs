//! `warploom doctor`: which external tools are here, in which version, and what each unlocks.
use std::process::Command;

use anyhow::Result;
use warploom_runtime::toolchain::libclc;
use warploom_sim::cache::Cache;
use warploom_sim::emit::Target;
use warploom_sim::tool;
use warploom_synth::tools::TOOLS;

use crate::status::Status;
use crate::{cells, output};

/// Lists the tools, and how to get the missing ones.
pub fn doctor() -> Result<Status> {
    let compiler = asked(rustc)?;
    row("rustc", compiler.as_deref(), "compiles the generated simulator; the one tool that `run` needs")?;
    let target = Target::native();
    row("vectors", Some(target.name()), &vectors(target))?;
    let mut missing = Vec::new();
    for tool in TOOLS {
        let version = asked(|| tool.version())?;
        row(tool.command, version.as_deref(), tool.unlocks)?;
        if version.is_none() {
            missing.extend(tool.install.trim_start_matches("apt install ").split(' '));
        }
    }
    let mathematics = libclc::available();
    row("libclc", mathematics.then_some("here"), "mathematical functions of kernels in OpenCL C")?;
    if !mathematics {
        missing.push(libclc::PACKAGE);
    }
    let loader = asked(opencl_loader)?;
    row("libOpenCL", loader.as_deref(), "OpenCL applications on the core: `warploom app`")?;
    if loader.is_none() {
        missing.push("ocl-icd-libopencl1");
    }
    let cache = Cache::look();
    output::print(match &cache {
        Ok((cache, _)) => format!("\ncompiled simulators are kept in {} ($WARPLOOM_CACHE)", cache.display()),
        Err(error) => format!("\n{error}"),
    })?;
    output::print(libraries())?;
    if !missing.is_empty() {
        output::print(format!("to get what is missing: apt install {}", missing.join(" ")))?;
    }
    if compiler.is_none() {
        output::print("to get rustc: https://rustup.rs, or name one in $RUSTC")?;
        return Ok(Status::Fail);
    }
    Ok(Status::Pass)
}

/// What simulators are compiled for, and why not for more.
fn vectors(target: Target) -> String {
    let better = Target::ALL.into_iter().take_while(|other| *other != target);
    let lacking = better.map(|other| format!("; {} needs {}", other.name(), other.missing().join(", ")));
    format!("the best that this processor has for generated simulators{}", lacking.collect::<String>())
}

/// The cell libraries that `synth --liberty` knows by name.
fn libraries() -> String {
    let Some(directory) = cells::directory() else {
        return format!("more cells for `synth --liberty` may lie in a directory that ${} names", cells::VARIABLE);
    };
    match cells::names(&directory) {
        Ok(names) if names.is_empty() => {
            format!("no Liberty file is in {} (${})", directory.display(), cells::VARIABLE)
        }
        Ok(names) => {
            let (names, directory) = (names.join(", "), directory.display());
            format!("cells for `synth --liberty` in {directory} (${}): {names}", cells::VARIABLE)
        }
        Err(error) => error,
    }
}

/// What a tool says of itself. Once there was a Ctrl-C, a tool that says nothing need not be missing.
fn asked(version: impl FnOnce() -> Option<String>) -> Result<Option<String>> {
    let version = version();
    tool::go_on()?;
    Ok(version)
}

fn row(tool: &str, version: Option<&str>, unlocks: &str) -> Result<()> {
    let version = version.map_or("missing", |version| if version.contains(' ') { "here" } else { version });
    output::print(format!("{tool:<12} {version:<10} {unlocks}"))
}

/// The ICD loader, as the linker of programs knows it.
fn opencl_loader() -> Option<String> {
    let commands = ["ldconfig", "/sbin/ldconfig"];
    let listed = commands.iter().find_map(|command| tool::output(Command::new(command).arg("-p")).ok())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.contains("libOpenCL.so.1").then(|| "is here".to_string())
}

/// The version of the compiler that the simulator is built with.
fn rustc() -> Option<String> {
    let output =
        tool::output(Command::new(tool::rustc()).arg("--version")).ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1).map(str::to_string)
}
