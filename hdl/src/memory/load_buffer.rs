//! Collects the values of loads, so that an instruction's result is written back once.
//!
//! ```text
//!                            first and last of its instruction (held is empty)
//!  arrival_*, lanes --+---------------------------------------------------------> mux --> load_*
//!                     +-- last ------> held ------------------------> merge -------^
//!                     +-- not last --> rows (write)   rows (read) ------^
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrival_valid`, `ready` | 1 | lanes of an instruction have their values; taken |
//! | `arrival_{warp,rd,mask}`, `arrival_home_warps[R]` | | where the whole result goes: to all lanes of the instruction |
//! | `arrival_data[L]`, `lanes` | 32, L | the values; of which lanes |
//! | `entry` | e | row of the instruction |
//! | `first`, `last` | 1 | no lanes of it have come before; none are missing any more |
//! | `load_*`, `load_ready` | | a whole result; taken |
//! | `idle` | 1 | none waits here |
//!
//! Latency: 0 for a result that comes all at once while none waits here, else 1 from the last of its lanes. State: a row of values for
//! each instruction, in a memory per lane, and the lanes that came last, beside which the row is read.
//!
//! Lanes that do not complete their instruction never wait for the write-back port; those that do wait here, once, so that
//! the cache behind them goes on.
use crate::interface::{LaneResult, LaneResultRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LoadBuffer: clock, reset {
        pub arrival: LaneResult<In> = LaneResult::new(config),
        pub ready: Signal<Out, Bit>,
        pub lanes: Net<In> = config.lanes,
        pub entry: Net<In> = index_width(entries),
        pub first: Signal<In, Bit>,
        pub last: Signal<In, Bit>,
        pub load: LaneResult<Out> = LaneResult::new(config),
        pub load_ready: Signal<In, Bit>,
        pub idle: Signal<Out, Bit>,

        /// One per lane.
        rows: Vec<Memory> = (0..config.lanes).map(|_| Memory::new(32, entries, 1, 1, ReadKind::Synchronous)).collect() => |i| {
            read_address[0]: entry, read_enable[0]: open, write_address[0]: entry, write_data[0]: arrival.data[i],
        },
        /// The lanes that came last.
        held: LaneResultRegister = LaneResultRegister::new(config),
        held_lanes: Flop = Flop::new(config.lanes),
        /// The last lanes of an instruction may enter.
        open: Signal<Local, Bit>,
        /// They go past this register.
        passing: Signal<Local, Bit>,
    }
    /// A buffer for `entries` instructions of the core `config`.
    pub fn new(config: &CoreConfig, entries: usize) {}
}

impl Logic for LoadBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadBuffer");
        dff_setup!(self, clock, held_lanes);
        self.idle.next = !self.held.q.valid.val();
        self.open.next = !self.held.q.valid.val() | self.load_ready.val();
        self.passing.next = !self.held.q.valid.val() & self.first.val();
        self.ready.next = self.open.val() | !self.last.val();

        wire::join(&mut self.arrival, &mut self.load);
        self.load.valid.next = self.arrival.valid.val() & self.last.val() & self.first.val();
        if self.held.q.valid.val() {
            wire::join(&mut self.load, &mut self.held.q);
        }
        for i in 0..self.rows.len() {
            self.rows[i].write_enable[0].next =
                self.arrival.valid.val() & !self.last.val() & self.lanes.val().get_bit(i);
            if self.held.q.valid.val() & !self.held_lanes.q.val().get_bit(i) {
                self.load.data[i].next = self.rows[i].read_data[0].val();
            }
        }

        wire::join(&mut self.held.q, &mut self.held.d);
        if self.load_ready.val() {
            self.held.d.valid.next = false;
        }
        if self.open.val() & self.arrival.valid.val() & self.last.val() & !(self.passing.val() & self.load_ready.val())
        {
            wire::join(&mut self.arrival, &mut self.held.d);
            self.held_lanes.d.next = self.lanes.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `entry lanes value, f first l last, load_ready | ready, loaded: rd and the lanes' values`. Lane *i* of a value
    /// 10 has 10 + i (hexadecimal); rd is the entry.
    const COLLECTS: &str = "
        0 1111 10 fl 1 | 1 0 10 11 12 13   at once
        1 0011 20 f- 1 | 1 -
        2 0001 30 f- 0 | 1 -
        1 1000 40 -- 0 | 1 -               what is not whole waits for nobody
        2 1110 50 -l 0 | 1 -
        1 0100 60 -l 0 | 0 2 30 51 52 53   the next must wait ...
        3 0001 70 f- 0 | 1 2 30 51 52 53
        1 0100 60 -l 1 | 1 2 30 51 52 53
        3 1110 80 -l 1 | 1 1 20 21 62 43
        0 1111 90 fl 1 | 1 3 70 81 82 83   ... behind the one that waits
        - ---- -- -- 0 | 1 0 90 91 92 93
        - ---- -- -- 1 | 1 0 90 91 92 93
        0 1111 a0 fl 0 | 1 0 a0 a1 a2 a3   refused at once: it waits here
        - ---- -- -- 1 | 1 0 a0 a1 a2 a3
        - ---- -- -- 1 | 1 -";

    #[test]
    fn collects() {
        let mut buffer = LoadBuffer::new(&CoreConfig::tiny(), 4);
        buffer.connect_all();
        simulate(&mut buffer, 1000);
        for line in COLLECTS.trim().lines().map(str::trim) {
            let (inputs, outputs) = line.split_once(" | ").unwrap();
            let fields: Vec<_> = inputs.split_whitespace().collect();
            let number = |text: &str, radix| Word::from(usize::from_str_radix(text, radix).unwrap_or(0));
            buffer.arrival.valid.next = fields[0] != "-";
            buffer.entry.next = number(fields[0], 10);
            buffer.arrival.destination.rd.next = number(fields[0], 10);
            buffer.lanes.next = number(fields[1], 2);
            for lane in 0..4 {
                buffer.arrival.data[lane].next = (number(fields[2], 16).index() + lane).into();
            }
            buffer.first.next = fields[3].starts_with('f');
            buffer.last.next = fields[3].ends_with('l');
            buffer.load_ready.next = fields[4] == "1";
            simulate(&mut buffer, 1000);
            let mut found = vec![(buffer.ready.val() as u8).to_string()];
            if buffer.load.valid.val() {
                found.push(buffer.load.destination.rd.val().value().to_string());
                found.extend(buffer.load.data.iter().map(|value| format!("{:x}", value.val().value())));
            } else {
                found.push("-".into());
            }
            assert!(outputs.starts_with(&found.join(" ")), "{line}: {found:?}");
            tick!(buffer);
        }
        assert!(buffer.idle.val());
    }
}
