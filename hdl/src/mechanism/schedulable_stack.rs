//! A schedulable convergence stack.
use super::options::Turns;
use super::turns::{QUANTUM, SPIN};
use super::{About, Entry, Mechanism, Representative, Traits};

impl Turns {
    /// Those of a stack whose threads take them.
    pub(super) fn stack_traits(self) -> Traits {
        Traits { likely_convergence: false, turns: Some(self), progresses: true, ..Traits::SINGLE_PATH }
    }
}

pub static ENTRY: Entry = Entry {
    about: About {
        name: "scs",
        summary: "schedulable convergence stack: as spe, but threads take turns, so that who waits for another thread's lock or flag does not keep it from running",
        source: "Vortex, docs/proposals/schedulable_convergence_stack.md",
        blocks: &["spe_stack", "turn_scheduler", "turn_counters", "turn_statistics", "scoreboard"],
    },
    alias: None,
    stack: "turn_scheduler",
    default: Mechanism::SchedulableStack(Turns::DEFAULT),
    choices: &[SPIN, QUANTUM],
    spelled: 0,
    // Turns that are short enough to end.
    representatives: &[Representative::of("scs").with(&[("spin", 2), ("quantum", 16)]).covering().on_paper()],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Composition;

    #[test]
    fn turns_are_no_variants() {
        let composition: Composition = "scs".parse().unwrap();
        assert_eq!(composition.mechanism, Mechanism::SchedulableStack(Turns { spin: 8, quantum: 16_384 }));
        assert_eq!(composition.to_string(), "scs");
        assert_eq!(ENTRY.default.in_full(), "scs (spin 8, quantum 16384)");
        assert_eq!("scs:8".parse::<Composition>().unwrap_err().to_string(), "scs has no variants");
    }
}
