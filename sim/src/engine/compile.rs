//! rustc, and the cache of what it has compiled.
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use twox_hash::XxHash64;

use super::{BuildError, BuildOptions};
use crate::cache::Cache;
use crate::emit::Target;
use crate::tool::{self, ToolError};

const FLAGS: [&str; 10] = [
    "--edition=2021",
    "--crate-type=cdylib",
    "-Copt-level=3",
    "-Cpanic=abort",
    "-Cdebuginfo=0",
    "-Cstrip=symbols",
    "-Cembed-bitcode=no",
    // Several take longer in all, and more memory; without link-time optimisation nothing is inlined across them.
    "-Ccodegen-units=1",
    "-Coverflow-checks=off",
    "--cap-lints=allow",
];

/// rustc's allocator, in most of its builds: one heap for all threads, so that what LLVM's need is what others have given back.
const ONE_HEAP: (&str, &str) = ("MALLOC_CONF", "narenas:1");

/// What comes of it, by its name in the directory that is worked in.
const BUILT: &str = "simulator";

/// A generated crate, as this rustc compiles it for this machine.
pub struct Compilation {
    text: String,
    cpu: String,
    rustc: PathBuf,
    cache: Cache,
    /// What decides the machine code.
    key: String,
}

impl Compilation {
    /// Of `text`, which was generated for `target`.
    pub fn new(text: String, target: Target, options: &BuildOptions) -> Result<Self, BuildError> {
        let rustc = options.rustc.clone().unwrap_or_else(tool::rustc);
        let cache = Cache::open(options.cache.as_deref())?;
        let cpu = format!("-Ctarget-cpu={}", target.cpu());
        let key = key(&text, &cpu, &rustc)?;
        Ok(Self { text, cpu, rustc, cache, key })
    }

    /// The library that the cache has of it.
    pub fn find(&self) -> Option<PathBuf> {
        find(&self.cache, &self.key)
    }

    /// Compiles it; the library, which is in the cache.
    pub fn run(&self) -> Result<PathBuf, BuildError> {
        // Others may be compiling the same: each into a directory of its own, and the last step is one rename.
        let work = self.cache.work().map_err(|error| io(self.cache.path(), error))?;
        // By bare names: the same source gives the same bytes, wherever it lies, and rustc takes no paths that are not UTF-8.
        let file = format!("{BUILT}.rs");
        let generated = work.path().join(&file);
        fs::write(&generated, &self.text).map_err(|error| io(&generated, error))?;
        let mut command = Command::new(&self.rustc);
        command.current_dir(work.path()).args(FLAGS).args([&self.cpu, &file, "-o", BUILT]);
        if std::env::var_os(ONE_HEAP.0).is_none() {
            command.env(ONE_HEAP.0, ONE_HEAP.1);
        }
        let output = run(&self.rustc, &mut command)?;
        if !output.status.success() {
            let generated = work.keep(&self.key).join(file);
            let messages = format!("{}{}", String::from_utf8_lossy(&output.stderr), output.status);
            return Err(BuildError::Rustc { generated, messages });
        }
        let built = work.path().join(BUILT);
        let name = name(&self.key, &fs::read(&built).map_err(|error| io(&built, error))?);
        work.publish(&built, &name).map_err(|error| io(&built, error))
    }
}

/// The name of a compiled library: what it is compiled from, and a checksum, for what is damaged must not be run.
fn name(key: &str, library: &[u8]) -> String {
    format!("{key}-{:016x}{}", XxHash64::oneshot(0, library), std::env::consts::DLL_SUFFIX)
}

/// The library of this key, if there is a sound one that nobody else can have put there. Others by its name are removed.
fn find(cache: &Cache, key: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(cache.path()).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let named = |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(key));
    let libraries =
        entries.filter(|path| named(path) && path.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX));
    for library in libraries {
        let is_own = library.file_name().is_some_and(|file| cache.has_own(&file.to_string_lossy()));
        if is_own && fs::read(&library).is_ok_and(|bytes| library.ends_with(name(key, &bytes))) {
            return Some(library);
        }
        // One that stays because it cannot be removed is replaced by the next, or is found again and not used.
        let _ = fs::remove_file(&library).or_else(|_| fs::remove_dir_all(&library));
    }
    None
}

/// What decides the machine code: the source, the compiler with its flags, and the features of the machine they name.
fn key(text: &str, cpu: &str, rustc: &Path) -> Result<String, BuildError> {
    let compiler = compiler(cpu, rustc)?;
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, text, &compiler, cpu, FLAGS).hash(&mut hasher);
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

fn run(rustc: &Path, command: &mut Command) -> Result<Output, BuildError> {
    tool::output(command).map_err(|error| match error {
        ToolError::Interrupted(interrupted) => interrupted.into(),
        ToolError::Io(error) => BuildError::NoRustc { rustc: rustc.display().to_string(), reason: error.to_string() },
    })
}

fn io(path: &Path, error: std::io::Error) -> BuildError {
    BuildError::Io { path: path.to_path_buf(), reason: error.to_string() }
}
