//! What the threads of a launch wrote to their registers, seen at write-back.
use warploom_hdl::config::CoreConfig;
use warploom_sim::{Engine, Port};

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
    /// Of the thread that runs in each place, row by row.
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
        let active = |mask| (0..self.lanes).filter(move |lane| get(mask) >> lane & 1 != 0);
        // One row for all lanes, or one for each.
        let place = |rows: &[Port], lane| get(rows[lane % rows.len()]) as usize * self.lanes + lane;
        if get(ports.writeback_valid) != 0 {
            for lane in active(ports.writeback_mask) {
                if let Some(signature) = &mut self.running[place(&ports.writeback_rows, lane)] {
                    signature.write(get(ports.writeback_rd) as u8, get(ports.writeback_data[lane]) as u32);
                }
            }
        }
        if get(ports.issue_valid) != 0 && get(ports.issue_pc) as u32 == self.entry {
            for lane in active(ports.issue_mask) {
                let thread = &mut self.running[place(&ports.issue_rows, lane)];
                self.ended.extend(thread.replace(Signature::default()));
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
