//! What the threads of a launch wrote to their registers, seen at write-back.
use warploom_hdl::config::CoreConfig;
use warploom_sim::Engine;

use super::Ports;
use crate::reference::Signature;

/// Signatures of all threads since it was made. [`push`](Self::push) after every cycle, as an
/// [`Observer`](super::Observer) of the device.
///
/// Which thread of the grid a hardware thread runs is not visible at write-back, so signatures are compared as a set
/// with those of the reference model. A thread begins where the program does: nothing may jump back to the entry.
pub struct Retirement {
    ports: Ports,
    lanes: usize,
    entry: u32,
    /// Of the thread that runs in each place, warp by warp.
    running: Vec<Option<Signature>>,
    ended: Vec<Signature>,
}

impl Retirement {
    /// No threads yet, of a program with this entry.
    pub fn new(engine: &impl Engine, config: &CoreConfig, entry: u32) -> Self {
        let running = vec![None; config.lanes * config.warps];
        Self { ports: Ports::new(engine, config), lanes: config.lanes, entry, running, ended: Vec::new() }
    }

    /// Adds the write-back of the cycle just simulated, and the threads that begin in it.
    pub fn push(&mut self, engine: &impl Engine) {
        let get = |port| engine.get(port);
        let ports = &self.ports;
        if get(ports.writeback_valid) != 0 {
            let (mask, first) = (get(ports.writeback_mask), get(ports.writeback_warp) as usize * self.lanes);
            for (lane, &port) in ports.writeback_data.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
                if let Some(signature) = &mut self.running[first + lane] {
                    signature.write(get(ports.writeback_rd) as u8, get(port) as u32);
                }
            }
        }
        if get(ports.issue_valid) != 0 && get(ports.issue_pc) as u32 == self.entry {
            let (mask, first) = (get(ports.issue_mask), get(ports.issue_warp) as usize * self.lanes);
            for lane in (0..self.lanes).filter(|lane| mask >> lane & 1 != 0) {
                self.ended.extend(self.running[first + lane].replace(Signature::default()));
            }
        }
    }

    /// The signatures of all threads, sorted.
    pub fn signatures(&self) -> Vec<Signature> {
        let mut all: Vec<Signature> = self.ended.iter().chain(self.running.iter().flatten()).cloned().collect();
        all.sort();
        all
    }
}
