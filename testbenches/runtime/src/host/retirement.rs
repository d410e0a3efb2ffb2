//! What the threads of a launch wrote to their registers, seen at write-back.
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port};

use super::{Ports, Signature};

/// Signatures of all threads since it was made. [`push`](Self::push) after every cycle, as an
/// [`Observer`](super::Observer) of the device.
///
/// Which thread of the grid a hardware thread runs is not visible at write-back, so signatures are compared as a set
/// with those of the reference model. A thread begins where the program does: nothing may jump back to the entry.
pub struct Retirement {
    ports: Ports,
    lanes: usize,
    entry: u32,
    watched: Vec<u8>,
    ignored: Vec<u8>,
    /// Of the thread that runs in each place, row by row.
    running: Vec<Option<Retired>>,
    ended: Vec<Retired>,
}

/// What a thread has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retired {
    /// To all registers that are not ignored.
    pub signature: Signature,
    /// To each of those that are watched, in order.
    pub watched: Vec<Vec<u32>>,
}

impl Retirement {
    /// No threads yet, of a program with this entry.
    pub fn new(engine: &impl Engine, config: &CoreConfig, entry: u32) -> Self {
        let running = vec![None; config.lanes * config.warps];
        let (watched, ignored) = (Vec::new(), Vec::new());
        Self {
            ports: Ports::new(engine, config),
            lanes: config.lanes,
            entry,
            watched,
            ignored,
            running,
            ended: Vec::new(),
        }
    }

    /// From now on keeps all values written to these registers.
    pub fn watch(&mut self, registers: &[u8]) {
        self.watched = registers.to_vec();
    }

    /// From now on leaves these registers out of signatures.
    pub fn ignore(&mut self, registers: &[u8]) {
        self.ignored = registers.to_vec();
    }

    /// Forgets all threads.
    pub fn clear(&mut self) {
        self.running.fill(None);
        self.ended.clear();
    }

    /// Adds the write-back of the cycle just simulated, and the threads that begin in it.
    pub fn push(&mut self, engine: &impl Engine) {
        let get = |port| engine.get(port);
        let ports = &self.ports;
        let active = |mask| (0..self.lanes).filter(move |lane| get(mask) >> lane & 1 != 0);
        // One row for all lanes, or one for each.
        let place = |rows: &[Port], lane| get(rows[lane % rows.len()]) as usize * self.lanes + lane;
        if get(ports.writeback_valid) != 0 {
            let register = get(ports.writeback_rd) as u8;
            let watched = self.watched.iter().position(|&watched| watched == register);
            for lane in active(ports.writeback_mask).filter(|_| !self.ignored.contains(&register)) {
                if let Some(thread) = &mut self.running[place(&ports.writeback_home_warps, lane)] {
                    let value = get(ports.writeback_data[lane]) as u32;
                    thread.signature.write(register, value);
                    if let Some(watched) = watched {
                        thread.watched[watched].push(value);
                    }
                }
            }
        }
        if get(ports.issue_valid) != 0 && get(ports.issue_pc) as u32 == self.entry {
            for lane in active(ports.issue_mask) {
                let thread = &mut self.running[place(&ports.issue_home_warps, lane)];
                let new = Retired { signature: Signature::default(), watched: vec![Vec::new(); self.watched.len()] };
                self.ended.extend(thread.replace(new));
            }
        }
    }

    /// What all threads have written, in no particular order.
    pub fn threads(&self) -> impl Iterator<Item = &Retired> {
        self.ended.iter().chain(self.running.iter().flatten())
    }

    /// The signatures of all threads, sorted.
    pub fn signatures(&self) -> Vec<Signature> {
        let mut all: Vec<Signature> = self.threads().map(|thread| thread.signature.clone()).collect();
        all.sort();
        all
    }
}
