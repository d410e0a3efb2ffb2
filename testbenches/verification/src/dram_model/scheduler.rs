//! First ready, first come, first served: which command comes next.
use std::collections::VecDeque;

use warploom_hdl::memory_system::dram::{DramCommand, DramTiming};
use warploom_runtime::host::dram::{Command, Protocol};

/// What is asked of a channel.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first clock in which it may be served.
    pub at: usize,
    /// Where it is.
    pub bank: usize,
    /// The row there.
    pub row: usize,
    /// It writes.
    pub write: bool,
    /// Bursts of its line that are left, a bit each.
    pub bursts: usize,
    /// What names it.
    pub id: usize,
}

struct Queued {
    request: Request,
    since: usize,
}

/// Whose burst is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Of which request.
    pub id: usize,
    /// Which of its line.
    pub number: usize,
    /// Its last.
    pub last: bool,
}

/// The controller.
pub struct Scheduler {
    protocol: Protocol,
    timing: DramTiming,
    entries: usize,
    starve: usize,
    queued: VecDeque<Queued>,
    clock: usize,
    next_refresh: usize,
}

impl Scheduler {
    /// With a queue of so many entries; a request that has waited for `starve` clocks goes first, 0: never.
    pub fn new(timing: &DramTiming, entries: usize, starve: usize) -> Self {
        Self {
            protocol: Protocol::new(timing),
            timing: timing.clone(),
            entries,
            starve,
            queued: VecDeque::new(),
            clock: 0,
            next_refresh: if timing.refi > 0 { timing.refi } else { usize::MAX },
        }
    }

    /// A clock: takes what has come, as far as there is room, and says what is commanded, and whose burst it is.
    pub fn step(&mut self, arriving: &mut VecDeque<Request>) -> Option<(Command, Option<Burst>)> {
        let room = self.entries - self.queued.len();
        let due = arriving.iter().take(room).take_while(|request| request.at <= self.clock).count();
        self.queued.extend(arriving.drain(..due).map(|request| Queued { request, since: self.clock }));
        let next = self.next();
        if let Some((command, _)) = next {
            self.protocol.take(command).expect("what is chosen is allowed");
            if command.kind == DramCommand::Refresh {
                self.next_refresh += self.timing.refi;
            }
        }
        self.clock += 1;
        next
    }

    /// Whether nothing waits.
    pub fn is_idle(&self) -> bool {
        self.queued.is_empty()
    }

    fn next(&mut self) -> Option<(Command, Option<Burst>)> {
        let clock = self.clock;
        let allowed = |kind, bank| clock >= self.protocol.earliest(kind, bank).0;
        let command = |kind, bank, row| Command { clock, kind, bank, row };
        if clock >= self.next_refresh {
            let mut open = (0..self.timing.banks).filter(|bank| self.protocol.open(*bank).is_some()).peekable();
            if open.peek().is_none() {
                return allowed(DramCommand::Refresh, 0).then(|| (command(DramCommand::Refresh, 0, 0), None));
            }
            let closed = open.find(|bank| allowed(DramCommand::Precharge, *bank));
            return closed.map(|bank| (command(DramCommand::Precharge, bank, 0), None));
        }
        let starved = self.queued.front().is_some_and(|first| self.starve > 0 && clock - first.since >= self.starve);
        let considered = if starved { 1 } else { self.queued.len() };
        let requests: Vec<&Request> = self.queued.iter().take(considered).map(|queued| &queued.request).collect();
        let finds_row = |request: &Request| self.protocol.open(request.bank) == Some(request.row);
        let first = |bank: usize, hits: bool| {
            requests.iter().position(|request| request.bank == bank && (!hits || finds_row(request)))
        };
        let kind = |request: &Request| if request.write { DramCommand::Write } else { DramCommand::Read };
        let column = requests.iter().enumerate().position(|(place, request)| {
            first(request.bank, true) == Some(place) && allowed(kind(request), request.bank)
        });
        if let Some(place) = column {
            let Request { bank, row, id, bursts, .. } = *requests[place];
            let command = command(kind(requests[place]), bank, row);
            let left = bursts & (bursts - 1);
            self.queued[place].request.bursts = left;
            if left == 0 {
                self.queued.remove(place);
            }
            return Some((command, Some(Burst { id, number: bursts.trailing_zeros() as usize, last: left == 0 })));
        }
        requests.iter().enumerate().find_map(|(place, request)| {
            let Request { bank, row, .. } = **request;
            if first(bank, false) != Some(place) || first(bank, true).is_some() {
                return None;
            }
            let kind = if self.protocol.open(bank).is_some() { DramCommand::Precharge } else { DramCommand::Activate };
            allowed(kind, bank).then(|| (command(kind, bank, row), None))
        })
    }
}
