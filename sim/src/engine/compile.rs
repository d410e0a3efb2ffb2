//! rustc, and the cache of what it has compiled.
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{BuildError, BuildOptions};
use crate::emit::Target;

/// A library on disk.
pub struct Compiled {
    /// Where.
    pub library: PathBuf,
    /// Whether it was there already.
    pub cached: bool,
}

const FLAGS: [&str; 11] = [
    "--crate-name=warploom_generated",
    "--crate-type=cdylib",
    "--edition=2021",
    "-Copt-level=3",
    "-Ccodegen-units=16",
    "-Cpanic=abort",
    "-Cdebuginfo=0",
    "-Cstrip=symbols",
    "-Cembed-bitcode=no",
    "-Coverflow-checks=off",
    "--cap-lints=allow",
];

/// Compiles `source`, which was generated for `target`, unless the cache has it compiled by this rustc for this machine.
pub fn compile(source: &str, target: Target, options: &BuildOptions) -> Result<Compiled, BuildError> {
    let rustc = options.rustc.clone().or_else(|| variable("RUSTC")).unwrap_or_else(|| "rustc".into());
    let cache = options.cache.clone().unwrap_or_else(default_cache);
    let cpu = format!("-Ctarget-cpu={}", target.cpu());
    let key = key(source, &cpu, &rustc)?;
    let library = cache.join(format!("{key}{}", std::env::consts::DLL_SUFFIX));
    if library.exists() {
        return Ok(Compiled { library, cached: true });
    }
    fs::create_dir_all(&cache).map_err(|error| io(&cache, error))?;
    // Others may be compiling the same: each into a directory of its own, and the last step is one rename.
    let work = tempfile::Builder::new().prefix(&key).tempdir_in(&cache).map_err(|error| io(&cache, error))?;
    let generated = work.path().join("simulator.rs");
    fs::write(&generated, source).map_err(|error| io(&generated, error))?;
    let built = work.path().join("simulator");
    let output = run(&rustc, Command::new(&rustc).args(FLAGS).arg(&cpu).arg("-o").arg(&built).arg(&generated))?;
    if !output.status.success() {
        let generated = work.keep().join("simulator.rs");
        return Err(BuildError::Rustc { generated, messages: String::from_utf8_lossy(&output.stderr).into_owned() });
    }
    fs::rename(&built, &library).map_err(|error| io(&library, error))?;
    Ok(Compiled { library, cached: false })
}

/// What decides the machine code: the source, the compiler with its flags, and the features of the machine they name.
fn key(source: &str, cpu: &str, rustc: &Path) -> Result<String, BuildError> {
    let version = run(rustc, Command::new(rustc).arg("-vV"))?.stdout;
    let features = run(rustc, Command::new(rustc).args(["--print=cfg", cpu]))?.stdout;
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, source, &version, &features, cpu, FLAGS).hash(&mut hasher);
        hasher.finish()
    };
    Ok(format!("{:016x}{:016x}", half(1), half(2)))
}

fn run(rustc: &Path, command: &mut Command) -> Result<std::process::Output, BuildError> {
    command
        .output()
        .map_err(|error| BuildError::NoRustc { rustc: rustc.display().to_string(), reason: error.to_string() })
}

fn io(path: &Path, error: std::io::Error) -> BuildError {
    BuildError::Io { path: path.to_path_buf(), reason: error.to_string() }
}

/// A path in the environment.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// `$WARPLOOM_CACHE`, else `warploom` in the user's cache directory, else in the temporary directory.
pub fn default_cache() -> PathBuf {
    variable("WARPLOOM_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|cache| cache.join("warploom")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache").join("warploom")))
        .unwrap_or_else(|| std::env::temp_dir().join("warploom-cache"))
}
