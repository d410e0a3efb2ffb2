//! Critical sections stay inside the loop that waits for the lock.
//!
//! ```c
//! for (int done = 0; !done;)
//!     if (atomic_cmpxchg(lock, 0, 1) == 0) { /* critical section */ atomic_xchg(lock, 0); done = 1; }
//! ```
//! Threads of a warp that have the lock give it back before the others try again: they meet behind the `if`. LLVM's jump threading sees that who was inside leaves the
//! loop next, and has them go there straight away, so that the loop's exit becomes the place to meet: in it waits who has the lock, for those that wait for the lock.
//! LLVM does not do so for targets that it knows to be divergent; for others it spares blocks that hold a convergent instruction. So every block that several come to
//! gets one, of no code, in functions that may wait for one another: docs/decisions/0029.
use std::collections::HashSet;

use super::ir::{function_name, uses};

/// What swaps, or sets or clears bits, in the intermediate representation and in assembler: the functions in which it is may take a lock.
const SWAPS: &[&str] = &[
    " cmpxchg ",
    "atomicrmw xchg ",
    "atomicrmw volatile xchg ",
    "atomicrmw or ",
    "atomicrmw volatile or ",
    "atomicrmw and ",
    "atomicrmw volatile and ",
    "amoswap.w",
    "amoor.w",
    "amoand.w",
    "sc.w ",
];
const JOINT: &str = "  call void asm sideeffect \"\", \"\"() convergent inaccessiblememonly nounwind\n";

/// Whether a program may take a lock.
pub(super) fn may_lock(text: &str) -> bool {
    SWAPS.iter().any(|swap| text.contains(swap))
}

/// A module, as the front end leaves it, whose critical sections stay where they are written.
pub(super) fn kept(module: String) -> String {
    if !may_lock(&module) {
        return module;
    }
    let locking = locking(&module);
    let mut kept = String::with_capacity(module.len());
    let (mut is_locking, mut is_joint) = (false, false);
    for line in module.lines() {
        if line.starts_with("define ") {
            is_locking = function_name(line).is_some_and(|name| locking.contains(name));
        }
        // Behind what chooses a value by where a thread comes from, which has to come first.
        if is_joint && !line.contains(" = phi ") {
            kept += JOINT;
            is_joint = false;
        }
        is_joint |= is_locking && is_joint_label(line);
        kept += line;
        kept.push('\n');
    }
    kept
}

/// The functions that swap, or call such a function.
fn locking(module: &str) -> HashSet<&str> {
    let mut locking: HashSet<&str> = HashSet::new();
    loop {
        let (mut function, before) = ("", locking.len());
        for line in module.lines() {
            if line.starts_with("define ") {
                function = function_name(line).unwrap_or_default();
            }
            let calls_one = line.contains("call ") && locking.iter().any(|name| uses(line, name));
            if line.starts_with(' ') && (may_lock(line) || calls_one) {
                locking.insert(function);
            }
        }
        if locking.len() == before {
            return locking;
        }
    }
}

/// `7:      ; preds = %25, %2`
fn is_joint_label(line: &str) -> bool {
    !line.starts_with(' ')
        && line.split_once(": ").is_some_and(|(_, rest)| rest.contains("; preds = ") && rest.contains(','))
}
