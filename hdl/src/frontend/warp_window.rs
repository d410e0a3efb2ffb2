//! One warp's instructions in a [`WarpBuffer`](super::WarpBuffer) of several: the next in order is what the scheduler watches.
//!
//! ```text
//!                      +------------+
//!  write, written_* -->|            |---> valid, waiting_*, slot
//!              take -->| WarpWindow |---> write_slot, has_room
//!                      +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write`, `write_slot` | 1, s | a decoded instruction enters at the edge, in this slot |
//! | `written_*` | | its predecoded fields |
//! | `has_room` | 1 | one can |
//! | `take` | 1 | the instruction watched issues |
//! | `valid`, `waiting_*`, `slot` | 1, , s | that instruction, and its slot |
//!
//! Latency 1. State: the pointers of a queue, and a row of memory for each slot.
use crate::interface::Predecoded;
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// Predecoded fields by slot.
    pub struct PredecodedTable of Predecoded(config: &CoreConfig) {
        rs1: [config.register_width()],
        rs2: [config.register_width()],
        rd: [config.register_width()],
        rs3: [config.register_width(); config.of_floats()],
        flags: [crate::interface::PREDECODED_FLAGS + 3 * config.of_floats()],
        accumulates: [1; config.of_warp_instructions()],
        ordered: [1; config.of_replay()],
        expected: [1; config.of_prediction()],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct WarpWindow: clock, reset {
        pub write: Signal<In, Bit>,
        pub written: Predecoded<In> = Predecoded::new(config),
        pub write_slot: Net<Out> = slot,
        pub has_room: Signal<Out, Bit>,
        pub take: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub waiting: Predecoded<Out> = Predecoded::new(config),
        pub slot: Net<Out> = slot,

        fifo: FifoControl = FifoControl::new(config.warp_buffer) => {
            push_valid: write, push_ready: has_room, pop_ready: take, pop_valid: valid, write_row: write_slot, read_row: slot,
        },
        held: PredecodedTable = PredecodedTable::new(config.warp_buffer, 1, config) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write: written, read_row[0]: fifo.read_row, read[0]: waiting,
        },
    }
    /// Of a core whose warp buffer has several slots.
    pub fn new(config: &CoreConfig) {
        let slot = index_width(config.warp_buffer);
    }
}

impl Logic for WarpWindow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpWindow");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `write take | waiting, its slot, room`: instructions by their rd.
    const IN_ORDER: &str = "
        5 - | - 0 r
        6 - | 5 0 r
        - - | 5 0 -    two slots
        - t | 5 0 -
        7 t | 6 1 r
        - - | 7 0 r
        8 t | 7 0 r
        - t | 8 1 r
        - - | - 0 r";

    #[test]
    fn instructions_wait_in_order() {
        let mut window = WarpWindow::new(&CoreConfig { warp_buffer: 2, ..CoreConfig::tiny() });
        window.connect_all();
        for line in IN_ORDER.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            window.write.next = fields[0] != "-";
            window.written.rd.next = fields[0].parse::<usize>().unwrap_or(0).into();
            window.take.next = fields[1] == "t";
            simulate(&mut window, 100);
            let waiting = if window.valid.val() { window.waiting.rd.val().index().to_string() } else { "-".into() };
            let room = if window.has_room.val() { "r" } else { "-" };
            let seen = [waiting, window.slot.val().index().to_string(), room.into()];
            assert_eq!(seen, [fields[3], fields[4], fields[5]], "{line}");
            tick!(window);
        }
    }
}
