//! rustc, and the cache of what it has compiled.
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use twox_hash::XxHash64;

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
    if let Some(library) = find(&cache, &key) {
        return Ok(Compiled { library, cached: true });
    }
    fs::create_dir_all(&cache).map_err(|error| io(&cache, error))?;
    // Others may be compiling the same: each into a directory of its own, and the last step is one rename.
    let work = tempfile::Builder::new().prefix(&key).tempdir_in(&cache).map_err(|error| io(&cache, error))?;
    let generated = work.path().join("simulator.rs");
    fs::write(&generated, source).map_err(|error| io(&generated, error))?;
    let built = work.path().join("simulator");
    // The same source gives the same bytes, wherever it lies.
    let elsewhere = format!("--remap-path-prefix={}=", work.path().display());
    let mut command = Command::new(&rustc);
    command.args(FLAGS).args([&cpu, &elsewhere]).arg("-o").arg(&built).arg(&generated);
    let output = run(&rustc, &mut command)?;
    if !output.status.success() {
        let generated = work.keep().join("simulator.rs");
        let messages = format!("{}{}", String::from_utf8_lossy(&output.stderr), output.status);
        return Err(BuildError::Rustc { generated, messages });
    }
    let library = cache.join(name(&key, &fs::read(&built).map_err(|error| io(&built, error))?));
    fs::rename(&built, &library).map_err(|error| io(&library, error))?;
    Ok(Compiled { library, cached: false })
}

/// The name of a compiled library: what it is compiled from, and a checksum, for what is damaged must not be run.
fn name(key: &str, library: &[u8]) -> String {
    format!("{key}-{:016x}{}", XxHash64::oneshot(0, library), std::env::consts::DLL_SUFFIX)
}

/// The library of this key, if there is a sound one. Others by its name are removed.
fn find(cache: &Path, key: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(cache).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let named = |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(key));
    let libraries =
        entries.filter(|path| named(path) && path.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX));
    for library in libraries {
        if fs::read(&library).is_ok_and(|bytes| library.ends_with(name(key, &bytes))) {
            return Some(library);
        }
        // One that stays because it cannot be removed is replaced by the next, or is found again and not used.
        let _ = fs::remove_file(&library).or_else(|_| fs::remove_dir_all(&library));
    }
    None
}

/// What decides the machine code: the source, the compiler with its flags, and the features of the machine they name.
fn key(source: &str, cpu: &str, rustc: &Path) -> Result<String, BuildError> {
    let compiler = compiler(cpu, rustc)?;
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, source, &compiler, cpu, FLAGS).hash(&mut hasher);
        hasher.finish()
    };
    Ok(format!("{:016x}{:016x}", half(1), half(2)))
}

/// Version of the compiler, and the features of the machine, asked for once.
fn compiler(cpu: &str, rustc: &Path) -> Result<Vec<u8>, BuildError> {
    static KNOWN: Mutex<BTreeMap<(PathBuf, String), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let which = (rustc.to_path_buf(), cpu.to_string());
    if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&which) {
        return Ok(known.clone());
    }
    let says = |arguments: &[&str]| {
        let output = run(rustc, Command::new(rustc).args(arguments))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = format!("{} {}", String::from_utf8_lossy(&output.stderr).trim(), output.status);
        Err(BuildError::NoRustc { rustc: rustc.display().to_string(), reason: said.trim().to_string() })
    };
    let said = [says(&["-vV"])?, says(&["--print=cfg", cpu])?].concat();
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(which, said.clone());
    Ok(said)
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
