//! What is said of a launch that does not end: where every warp is, who waits for whom, and what would help.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use warploom_hdl::mechanism::MECHANISMS;
use warploom_sim::{Engine, Port};

use super::DrivenCore;
use crate::host::run_state::WarpTrace;
use crate::isa::{Instruction, decode};
use crate::loader::Program;

impl<E: Engine> DrivenCore<E> {
    /// Remembers where each warp is; whether an instruction issued.
    pub fn trace_issue(&mut self) -> bool {
        if self.get(self.ports.issue_valid) == 0 {
            return false;
        }
        let (pc, mask) = (self.get(self.ports.issue_pc) as u32, self.get(self.ports.issue_mask));
        let path = self.get(self.ports.issue_warp) as usize;
        let keeps_threads = !self.config.compacts();
        let warp = &mut self.warps[path % (1 << self.config.warp_width())];
        if mask != warp.mask {
            warp.stop(warp.mask & !mask);
        }
        (warp.pc, warp.mask) = (pc, mask);
        // Who waits for a warp that is formed anew at branches, its number does not tell.
        let before = if keeps_threads { warp.most_active } else { 0 };
        warp.most_active = before.max(mask.count_ones());
        true
    }

    /// One line per warp that still runs: where it is and what it waits for. `silent`: nothing has issued for long.
    pub fn waiting(&self, program: &Program, silent: bool) -> String {
        let bit = |port: Port, warp: usize| self.get(port) >> warp & 1 == 1;
        let (mut text, mut in_loops) = (String::new(), BTreeMap::new());
        for (number, warp) in self.warps.iter().enumerate().filter(|(w, _)| bit(self.ports.debug_resident, *w)) {
            let memory_busy = self.get(self.ports.debug_memory_idle) == 0;
            let running = self.threads(program, number, warp);
            let reason = if bit(self.ports.debug_waiting, number) {
                // Of its threads, or its CTA's, some may have come elsewhere.
                let who = match &self.config {
                    config if config.gathers() => {
                        "is of a CTA that waits at a barrier, for threads of it that do not come"
                    }
                    config if config.regroups() => "has threads that wait at a barrier for the others of its CTA",
                    _ => "waits at a barrier for the other threads of its CTA",
                };
                who.to_string()
            } else if bit(self.ports.debug_hazards, number) && memory_busy {
                format!("{running}; waits for a register that memory has not delivered")
            } else if bit(self.ports.debug_hazards, number) {
                format!("{running}; waits for a register that is still being computed")
            } else if bit(self.ports.debug_gathering, number) && !bit(self.ports.debug_slot_valid, number) {
                "waits for the other warps of its CTA, to be compacted".to_string()
            } else if silent && bit(self.ports.debug_slot_valid, number) {
                format!("{running}; waits for a unit that does not take its next instruction")
            } else {
                running
            };
            let _ = writeln!(text, "  warp {number}, last at {}: {reason}", program.source_place(warp.pc));
            if let Some((head, _)) = program.waiting_loop(warp.pc) {
                in_loops.entry(head).or_insert_with(Vec::new).push(number);
            }
        }
        for (head, warps) in in_loops {
            let _ = writeln!(text, "  {}", self.in_loop(program, head, &warps));
        }
        if text.is_empty() {
            return "  no warp is in the core: its threads have not begun, or have ended".to_string();
        }
        text.trim_end().to_string()
    }

    /// Who of a warp runs, and where its other threads wait for these.
    fn threads(&self, program: &Program, number: usize, warp: &WarpTrace) -> String {
        // Only where threads that have left the others wait for them.
        let config = &self.config;
        let is_known = !config.compacts() && config.sides() == 1 && !config.subdivides() && !config.takes_turns();
        let mut text = warp.describe();
        if !is_known {
            return text;
        }
        let mut places: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (lane, &pc) in warp.stopped.iter().enumerate().filter(|(lane, _)| warp.mask >> lane & 1 == 0) {
            if let Some(place) = pc.and_then(|pc| self.meeting(program, pc)) {
                places.entry(place).or_default().insert(self.logical_lane(number, lane));
            }
        }
        for (place, lanes) in places {
            let _ = write!(text, "; {} for these at {place}", named("lane", &lanes, ["waits", "wait"]));
        }
        text
    }

    /// Where a thread waits for others of its warp if it has executed the instruction at `pc` last; nowhere if it has ended with it.
    fn meeting(&self, program: &Program, pc: u32) -> Option<String> {
        let last = || format!("{}, or behind it", program.source_place(pc));
        let annotation = program.annotation(pc as usize / 4);
        Some(match decode(program.word(pc)?) {
            Instruction::Exit => return None,
            Instruction::Branch { .. } => annotation.rpc.map_or_else(last, |rpc| program.source_place(rpc)),
            Instruction::JumpAndLink { .. } => {
                program.target(pc).map_or_else(last, |target| program.source_place(target))
            }
            Instruction::JumpAndLinkRegister { .. } => last(),
            Instruction::Barrier => format!("the barrier {}", program.source_place(pc)),
            _ => program.source_place(pc + 4),
        })
    }

    /// That these warps are in a loop that may wait for other threads.
    fn in_loop(&self, program: &Program, head: u32, warps: &[usize]) -> String {
        let warps = warps.iter().copied().collect();
        let mut text = format!(
            "{} in a loop that may wait for other threads, from {}",
            named("warp", &warps, ["is", "are"]),
            program.source_place(head)
        );
        if !self.config.progresses() {
            let mechanism = self.config.mechanism;
            let _ = write!(text, ": if for one of the same warp that waits outside, it has no end under {mechanism}");
            let others = MECHANISMS.iter().filter(|entry| entry.default.traits().progresses);
            let names: Vec<&str> = others.map(|entry| entry.name()).collect();
            if !names.is_empty() {
                let _ = write!(text, "; {} would let that one go on", names.join(" or "));
            }
        }
        text + " (see \"Locks\" in docs/user/mechanisms.md)"
    }
}

/// `lane 3 waits`, or `lanes 0 to 2, 5 wait`.
fn named(what: &str, numbers: &BTreeSet<usize>, verbs: [&str; 2]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let range = |(first, last): (usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    let (plural, verb) = if numbers.len() == 1 { ("", verbs[0]) } else { ("s", verbs[1]) };
    format!("{what}{plural} {} {verb}", ranges.into_iter().map(range).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn numbers_are_put_together() {
        let text = |numbers: &[usize]| named("lane", &numbers.iter().copied().collect(), ["waits", "wait"]);
        assert_eq!(text(&[3]), "lane 3 waits");
        assert_eq!(text(&[0, 1]), "lanes 0, 1 wait");
        assert_eq!(text(&[5, 0, 1, 2]), "lanes 0 to 2, 5 wait");
    }
}
