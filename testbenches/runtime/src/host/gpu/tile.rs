//! A core with its way to the network, in an engine.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port, RestoreError, Simulator, State};

use super::link::{Down, End, Lane, Up};
use super::parts::Command;
use super::ports::{FlitPorts, GrantPorts, port};
use crate::host::driven_core::DrivenCore;
use crate::host::run_state::WarpTrace;
use crate::loader::Program;

/// What was seen of a core in a launch, by cycles.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Until it was last seen busy.
    pub busy: u64,
    /// Until an instruction issued.
    pub issue: u64,
    /// Until it trapped.
    pub trapped: Option<u64>,
}

/// A tile between two rounds. What it has put into its link is with the interconnect.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TileState {
    engine: State,
    warps: Vec<WarpTrace>,
    came: VecDeque<Down>,
    seen: Seen,
}

pub(super) struct Tile<E> {
    pub core: DrivenCore<E>,
    /// That of its link.
    pub end: End<Down, Up>,
    pub seen: Seen,
    link: FlitPorts,
    reply_link: FlitPorts,
    credit: Port,
    reply_credit: Port,
    cta_request: Port,
    grant: GrantPorts,
}

impl<E: Engine> Tile<E> {
    pub fn new(mut engine: E, config: &CoreConfig, number: usize, length: usize) -> Self {
        engine.set(port(&engine, "core_number"), number as u64);
        Self {
            end: End::new(length),
            seen: Seen::default(),
            link: FlitPorts::new(&engine, "link", ""),
            reply_link: FlitPorts::new(&engine, "reply_link", ""),
            credit: port(&engine, "credit"),
            reply_credit: port(&engine, "reply_credit"),
            cta_request: port(&engine, "cta_request[0]"),
            grant: GrantPorts::new(&engine, 0),
            core: DrivenCore::new(engine, config.clone()),
        }
    }

    /// The cycles of a round, `first` having passed before them. `observe` sees each of them.
    pub fn round(
        &mut self,
        command: Command,
        program: &Program,
        first: u64,
        cycles: usize,
        observe: &mut dyn FnMut(&E, u64),
    ) {
        for number in 0..cycles {
            self.command(command, number, program);
            let engine = &mut self.core.engine;
            if let Some(Lane { flit, credit, cta }) = self.end.now() {
                self.reply_link.set(engine, flit);
                engine.set(self.credit, (*credit).into());
                self.grant.set(engine, cta);
            }
            engine.step();
            let cycle = first + number as u64 + 1;
            observe(engine, cycle);
            if command == Command::Reset {
                self.end.tick_in_reset();
            } else {
                let (flit, credit) = (self.link.get(engine), engine.get(self.reply_credit) == 1);
                self.end.tick(Lane { flit, credit, cta: engine.get(self.cta_request) == 1 });
            }
            if self.core.get(self.core.ports.busy) == 1 {
                self.seen.busy = cycle;
            }
            if self.core.trace_issue() {
                self.seen.issue = cycle;
            }
            if self.seen.trapped.is_none() && self.core.get(self.core.ports.trap_valid) == 1 {
                self.seen.trapped = Some(cycle);
            }
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
        self.end.clear();
    }

    /// A launch begins: what is remembered of the one before is of no use.
    pub fn forget(&mut self, cycle: u64) {
        self.seen = Seen { busy: cycle, issue: cycle, trapped: None };
    }
}

impl Tile<Simulator> {
    pub fn save(&self) -> TileState {
        let core = &self.core;
        TileState {
            engine: core.engine.save(),
            warps: core.warps.clone(),
            came: self.end.came.clone(),
            seen: self.seen,
        }
    }

    /// Whether this can be restored, as far as it is not of the engine.
    pub fn fits(&self, state: &TileState) -> bool {
        (state.came.len(), state.warps.len()) == (self.end.came.len(), self.core.warps.len())
    }

    pub fn restore(&mut self, state: TileState) -> Result<(), RestoreError> {
        self.core.engine.restore(&state.engine)?;
        self.core.warps = state.warps;
        self.end.came = state.came;
        self.seen = state.seen;
        Ok(())
    }
}
