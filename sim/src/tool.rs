//! Programs of others at work: rustc, yosys, clang. Ctrl-C ends them, and so does the end of this process, however it ends.
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::thread::Scope;
use std::time::Duration;
use std::{io, thread};

/// How often it is looked whether the user wants an end.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// Bytes of stack of who looks, and of who reads.
const STACK: usize = 64 << 10;

/// Bytes that a tool prints at most, on each of its two streams: more is of no use to anybody, and has to be kept.
const MOST_PRINTED: u64 = 256 << 20;

static INTERRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The flag for a handler of Ctrl-C to set. There is one, as a process has one set of signals.
pub fn interrupt() -> &'static Arc<AtomicBool> {
    &INTERRUPT
}

/// The user has pressed Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// For what takes long: an error once the user has pressed Ctrl-C.
pub fn go_on() -> Result<(), Interrupted> {
    if INTERRUPT.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}

/// Why a tool has not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted(#[source] Interrupted),
    /// It could not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Interrupted> for ToolError {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

/// The compiler: what `$RUSTC` names, wherever it is then run, or else `rustc`, which is looked for on the PATH.
pub fn rustc() -> PathBuf {
    let named = std::env::var_os("RUSTC").filter(|value| !value.is_empty()).map(PathBuf::from);
    let rustc = named.unwrap_or_else(|| "rustc".into());
    let is_path = rustc.components().count() > 1;
    if is_path { std::path::absolute(&rustc).unwrap_or(rustc) } else { rustc }
}

/// Runs a tool with nothing on its standard input, and returns what it printed. On Ctrl-C, and when this process ends, it ends with all
/// that it has started.
pub fn output(command: &mut Command) -> Result<Output, ToolError> {
    go_on()?;
    let child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let group = child.id();
    let output = thread::scope(|scope| {
        let (ends, ended) = channel::<()>();
        let watch = move || {
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if go_on().is_err() {
                    end(group);
                }
            }
        };
        // Where there is no room for a thread there is none for the tool.
        let watcher = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, watch).inspect_err(|_| end(group));
        let output = collect(scope, child, group);
        drop(ends);
        watcher.and(output)
    })?;
    go_on()?;
    Ok(output)
}

/// What a tool prints until it ends.
fn collect<'scope>(scope: &'scope Scope<'scope, '_>, mut child: Child, group: u32) -> io::Result<Output> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let beside = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || read(stderr, group));
    let beside = beside.inspect_err(|_| end(group));
    let stdout = read(stdout, group);
    let stderr = beside.and_then(|thread| thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())));
    let status = child.wait()?;
    Ok(Output { status, stdout: stdout?, stderr: stderr? })
}

/// All of a pipe. A tool that does not come to an end printing is ended.
fn read(pipe: Option<impl Read>, group: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MOST_PRINTED + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MOST_PRINTED {
        end(group);
        return Err(io::Error::other(format!("it printed more than {} MB", MOST_PRINTED >> 20)));
    }
    Ok(bytes)
}

/// Starts a tool in a process group of its own, which [`end`] ends: Ctrl-C in the terminal does not reach it.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command.stdin(Stdio::null()).process_group(0);
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec only a system call is made, which allocates nothing.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    command.spawn()
}

/// Kills a tool that [`spawn`] has started, and what it has started.
pub fn end(group: u32) {
    // SAFETY: sends a signal to a group that is ours.
    unsafe { libc::kill(-(group as libc::pid_t), libc::SIGKILL) };
}
