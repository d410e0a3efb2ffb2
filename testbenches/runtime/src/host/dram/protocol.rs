//! What DRAM demands of the commands it is given, from their history alone: nothing is shared with what keeps the times in the controller.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::dram::DramCommand::{self, Activate, Nop, Precharge, Read, Refresh, Write};
use warploom_hdl::memory_system::dram::DramTiming;

/// A command, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Clock of the command bus.
    pub clock: usize,
    /// What.
    #[serde(with = "by_number")]
    pub kind: DramCommand,
    /// To which bank; 0 of a refresh.
    pub bank: usize,
    /// Of an activate: the row.
    pub row: usize,
}

/// A command that DRAM does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("DRAM: {command:?} to bank {bank} in clock {clock} of the command bus breaks the rule {rule}")]
pub struct Violation {
    /// Of the specification of the DRAM.
    pub rule: &'static str,
    /// Clock of the command bus.
    pub clock: usize,
    /// What was commanded.
    pub command: DramCommand,
    /// To which bank.
    pub bank: usize,
}

/// The history of a channel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Protocol {
    timing: DramTiming,
    /// As far back as a rule may reach.
    commands: VecDeque<Command>,
    longest: usize,
    open: Vec<Option<usize>>,
}

impl Protocol {
    /// Before the first command.
    pub fn new(timing: &DramTiming) -> Self {
        let t = timing;
        let of_rows = [t.rcd, t.rcd_write, t.rp, t.rc, t.ras, t.rrd, t.faw, t.rfc];
        let of_bursts =
            [t.ccd, t.ccd_group, t.rtp, t.rtp_group, t.read_to_write(), t.write_to_read(), t.write_to_precharge()];
        let longest = of_rows.into_iter().chain(of_bursts).max().unwrap_or_default();
        Self { timing: t.clone(), commands: VecDeque::new(), longest, open: vec![None; t.banks] }
    }

    /// Whether it is of DRAM of this kind.
    pub(super) fn is_of(&self, timing: &DramTiming) -> bool {
        self.timing == *timing && self.open.len() == timing.banks
    }

    /// The row that is open in a bank.
    pub fn open(&self, bank: usize) -> Option<usize> {
        self.open[bank]
    }

    /// The first clock in which a rule allows what comes `wait` clocks after the latest of these commands; of them, the `nth` latest. A rule of 0 clocks there is not.
    fn after(&self, wait: usize, nth: usize, is_one: impl Fn(&Command) -> bool) -> usize {
        let last = self.commands.iter().rev().filter(|command| is_one(command)).nth(nth);
        last.filter(|_| wait > 0).map_or(0, |command| command.clock + wait)
    }

    /// The first clock in which all rules allow a command, and the rule that does last.
    pub fn earliest(&self, kind: DramCommand, bank: usize) -> (usize, &'static str) {
        let t = &self.timing;
        let own = |kind| move |command: &Command| command.kind == kind && command.bank == bank;
        let any = |kind| move |command: &Command| command.kind == kind;
        let in_group = |kinds: &'static [DramCommand]| {
            move |command: &Command| kinds.contains(&command.kind) && t.group(command.bank) == t.group(bank)
        };
        let columns = |command: &Command| [Read, Write].contains(&command.kind);
        let column =
            [("tCCD", self.after(t.ccd, 0, columns)), ("tCCDL", self.after(t.ccd_group, 0, in_group(&[Read, Write])))];
        let rules = match kind {
            Nop => vec![("none", 0)],
            Activate => vec![
                ("tRP", self.after(t.rp, 0, own(Precharge))),
                ("tRC", self.after(t.rc, 0, own(Activate))),
                ("tRRD", self.after(t.rrd, 0, any(Activate))),
                ("tFAW", self.after(t.faw, 3, any(Activate))),
                ("tRFC", self.after(t.rfc, 0, any(Refresh))),
            ],
            Precharge => vec![
                ("tRAS", self.after(t.ras, 0, own(Activate))),
                ("tRTP", self.after(t.rtp, 0, own(Read))),
                ("tRTPL", self.after(t.rtp_group, 0, in_group(&[Read]))),
                ("tWTP", self.after(t.write_to_precharge(), 0, own(Write))),
            ],
            Refresh => vec![("tRP", self.after(t.rp, 0, any(Precharge))), ("tRFC", self.after(t.rfc, 0, any(Refresh)))],
            Read => vec![
                column[0],
                column[1],
                ("tRCD", self.after(t.rcd, 0, own(Activate))),
                ("tWTR", self.after(t.write_to_read(), 0, any(Write))),
            ],
            Write => vec![
                column[0],
                column[1],
                ("tRCDWR", self.after(t.rcd_write, 0, own(Activate))),
                ("tRTW", self.after(t.read_to_write(), 0, any(Read))),
            ],
        };
        let (rule, clock) = rules.into_iter().max_by_key(|(_, clock)| *clock).expect("each has a rule");
        (clock, rule)
    }

    /// Takes a command.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn take(&mut self, command: Command) -> Result<(), Violation> {
        let Command { clock, kind, bank, row } = command;
        let wrong = |rule| Err(Violation { rule, clock, command: kind, bank });
        let (allowed, rule) = self.earliest(kind, bank);
        if clock < allowed {
            return wrong(rule);
        }
        match (kind, self.open[bank]) {
            (Refresh, _) if self.open.iter().any(Option::is_some) => return wrong("all rows are closed"),
            (Activate, Some(_)) => return wrong("the row is closed"),
            (Read | Write | Precharge, None) => return wrong("a row is open"),
            _ => {}
        }
        match kind {
            Activate => self.open[bank] = Some(row),
            Precharge => self.open[bank] = None,
            _ => {}
        }
        if kind != Nop {
            self.commands.push_back(command);
        }
        while self.commands.front().is_some_and(|oldest| oldest.clock + self.longest < clock) {
            self.commands.pop_front();
        }
        Ok(())
    }
}

/// A kind of command in a checkpoint.
mod by_number {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::DramCommand;

    pub fn serialize<S: Serializer>(kind: &DramCommand, serializer: S) -> Result<S::Ok, S::Error> {
        (*kind as u8).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DramCommand, D::Error> {
        let number = u8::deserialize(deserializer)?;
        DramCommand::VARIANTS.get(usize::from(number)).copied().ok_or_else(|| D::Error::custom("no command of DRAM"))
    }
}
