//! A core with its way to the network, in an engine.
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port};

use super::link::{Down, Lane, Up};
use super::parts::Command;
use super::ports::{FlitPorts, GrantPorts, port};
use crate::host::driven_core::DrivenCore;
use crate::loader::Program;

pub(super) struct Tile<E> {
    pub core: DrivenCore<E>,
    /// What comes out of its link in the cycles of a round, and what goes into the other.
    pub came: Vec<Down>,
    pub goes: Vec<Up>,
    /// Cycles until it was last seen busy, until an instruction issued, and until it trapped.
    pub last_busy: u64,
    pub last_issue: u64,
    pub trapped: Option<u64>,
    link: FlitPorts,
    reply_link: FlitPorts,
    credit: Port,
    reply_credit: Port,
    cta_request: Port,
    grant: GrantPorts,
}

impl<E: Engine> Tile<E> {
    pub fn new(mut engine: E, config: &CoreConfig, number: usize, round: usize) -> Self {
        engine.set(port(&engine, "core_number"), number as u64);
        Self {
            came: vec![Lane::default(); round],
            goes: vec![Lane::default(); round],
            last_busy: 0,
            last_issue: 0,
            trapped: None,
            link: FlitPorts::new(&engine, "link", ""),
            reply_link: FlitPorts::new(&engine, "reply_link", ""),
            credit: port(&engine, "credit"),
            reply_credit: port(&engine, "reply_credit"),
            cta_request: port(&engine, "cta_request[0]"),
            grant: GrantPorts::new(&engine, 0),
            core: DrivenCore::new(engine, config.clone()),
        }
    }

    /// The cycles of a round, `cycle` having passed before them. `observe` sees each of them.
    pub fn round(&mut self, command: Command, program: &Program, cycle: u64, observe: &mut dyn FnMut(&E, u64)) {
        for number in 0..self.came.len() {
            let came = self.came[number];
            self.command(command, number, program);
            let engine = &mut self.core.engine;
            self.reply_link.set(engine, &came.flit);
            engine.set(self.credit, came.credit.into());
            self.grant.set(engine, &came.cta);
            engine.step();
            let cycle = cycle + number as u64 + 1;
            observe(engine, cycle);
            self.goes[number] = Lane {
                flit: self.link.get(engine),
                credit: engine.get(self.reply_credit) == 1,
                cta: engine.get(self.cta_request) == 1,
            };
            if self.core.get(self.core.ports.busy) == 1 {
                self.last_busy = cycle;
            }
            if self.core.trace_issue() {
                self.last_issue = cycle;
            }
            if self.trapped.is_none() && self.core.get(self.core.ports.trap_valid) == 1 {
                self.trapped = Some(cycle);
            }
        }
        if command == Command::Reset {
            self.goes.fill(Lane::default());
        }
        // Of a round of one cycle nothing else would end it.
        if command != Command::Run {
            self.command(command, usize::MAX, program);
        }
    }

    /// What the core is told in a cycle of the round.
    fn command(&mut self, command: Command, number: usize, program: &Program) {
        let core = &mut self.core;
        match command {
            Command::Reset if number == 0 => core.set(core.ports.reset, 1),
            Command::Launch if number == 0 => core.set(core.ports.launch_start, 1),
            Command::Load(first) if number < program.words.len().saturating_sub(first) => {
                core.load(program, first + number)
            }
            Command::Reset => core.set(core.ports.reset, 0),
            Command::Launch => core.set(core.ports.launch_start, 0),
            Command::Load(_) => core.set(core.ports.load_enable, 0),
            Command::Run => (),
        }
    }

    /// Nothing is under way any more.
    pub fn clear(&mut self) {
        self.came.fill(Lane::default());
        self.goes.fill(Lane::default());
    }

    /// A launch begins: what is remembered of the one before is of no use.
    pub fn forget(&mut self, cycle: u64) {
        (self.last_busy, self.last_issue, self.trapped) = (cycle, cycle, None);
    }
}
