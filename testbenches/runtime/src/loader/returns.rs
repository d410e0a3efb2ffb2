//! Functions with several returns.
//!
//! The sides of a branch that return by themselves meet nowhere in their function, and behind a call the hardware cannot be told of a point: it is
//! another one for every caller. So all returns but the last become jumps to it when the program is loaded, and it is where the
//! sides meet. A tail call is followed: the return is that of the function it leads to. What comes before stays as it was,
//! and programs without such a branch are left alone.
use std::collections::{BTreeMap, BTreeSet};

use super::control_flow::Function;
use super::exits::jump;
use super::{Program, control_flow};

/// How far a jump leads, in bytes, and two instructions less.
const REACH: u32 = (1 << 20) - 8;

/// A return that becomes a jump to another, in a function.
#[derive(Debug)]
pub(super) struct Joined {
    function: u32,
    from: u32,
    to: u32,
}

/// The returns that have to change so that the branches of the functions reconverge.
pub(super) fn to_join(program: &Program, functions: &[Function]) -> Vec<Joined> {
    let mut changed = BTreeSet::new();
    let mut joined = Vec::new();
    for function in functions.iter().filter(|function| function.has_branch_to_exit()) {
        // Only those that read the same register lead to the same place.
        let mut alike: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
        for &pc in &function.returns {
            alike.entry(program.word(pc)).or_default().push(pc);
        }
        for places in alike.values() {
            let Some((&to, others)) = places.split_last() else { continue };
            let near = others.iter().copied().filter(|from| to - from <= REACH);
            // Functions may share a return. The jumps all lead forward, so that there is no circle of them.
            joined.extend(near.filter(|from| changed.insert(*from)).map(|from| Joined {
                function: function.start,
                from,
                to,
            }));
        }
    }
    joined
}

impl Program {
    /// Makes jumps of them, and says so.
    pub(super) fn join_returns(&mut self, joined: &[Joined]) {
        let mut notes: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
        for &Joined { function, from, to } in joined {
            self.words[from as usize / 4] = jump(to - from);
            notes.entry((function, to)).or_default().push(self.place(from).to_string());
        }
        for ((function, to), places) in notes {
            let (name, to) = (control_flow::function_name(self, function), self.place(to));
            let (returns, jump) = if places.len() == 1 { ("return", "jumps") } else { ("returns", "jump") };
            let note = format!(
                "in {name}: the {returns} at {} {jump} to the one at {to}, where threads reconverge",
                places.join(", ")
            );
            self.notes.push(note);
        }
    }
}
