//! The threads at home in one lane, as far as they have no slot: where they go on, and whether they may.
//!
//! ```text
//!                          +------------+
//!  park_*, launch_* ------>|            |---> parked, waiting, live
//!  take, take_row -------->| ParkedLane |
//!  freed ----------->|            |---> pc
//!  ends, end_row --------->|            |
//!                          +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launches`, `parks`, `waits` | 1 | the thread of `row` starts; has no slot; waits at `bar.sync`: it goes on at `new_pc` |
//! | `arrives` | 1 | with warp barriers: it waits at that of its warp, and will go on at `new_pc` |
//! | `row`, `new_pc` | w, 32 | |
//! | `take`, `take_row` | 1, w | the thread of this row gets a slot |
//! | `freed` | W | rows whose waiting threads may go on |
//! | `returns` | W | rows whose thread has waited at its warp barrier: it may go on |
//! | `ends`, `end_row` | 1, w | the thread of this row has ended |
//! | `pc` | 32 | where the thread of `take_row` goes on |
//! | `parked`, `waiting`, `live` | W | by row: may go on, without a slot; waits; has not ended |
//!
//! Latency 1; `pc` 0. State per row: a PC in memory, three bits. The bits are registers, since a barrier that opens changes those of all rows, and whoever is next is
//! looked for among all of them.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ParkedLane: clock, reset {
        pub launches: Signal<In, Bit>,
        pub parks: Signal<In, Bit>,
        pub waits: Signal<In, Bit>,
        /// With warp barriers: one, else none.
        pub arrives: Vec<Signal<In, Bit>> = bit_vec(warp_barriers as usize),
        pub row: Net<In> = row,
        pub new_pc: Net<In> = 32,
        pub take: Signal<In, Bit>,
        pub take_row: Net<In> = row,
        pub freed: Net<In> = rows,
        /// With warp barriers: one, else none.
        pub returns: Vec<Net<In>> = Net::vec(warp_barriers as usize, rows),
        pub ends: Signal<In, Bit>,
        pub end_row: Net<In> = row,
        pub pc: Net<Out> = 32,
        pub parked: Net<Out> = rows,
        pub waiting: Net<Out> = rows,
        pub live: Net<Out> = rows,

        pcs: Memory = Memory::new(32, rows, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: take_row, read_data[0]: pc, write_address[0]: row, write_data[0]: new_pc,
        },
        is_parked: Register = Register::new(rows) => { q: parked },
        is_waiting: Register = Register::new(rows) => { q: waiting },
        is_live: Register = Register::new(rows) => { q: live },
        one: Constant = Constant::new(1, rows),
        row_bit: Net<Local> = rows,
        added: Net<Local> = rows,
        taken: Net<Local> = rows,
        began: Net<Local> = rows,
        started: Net<Local> = rows,
        ended: Net<Local> = rows,
    }
    /// For `rows` threads, which may wait at warp barriers, too.
    pub fn new(rows: usize, warp_barriers: bool) {
        let row = index_width(rows);
    }
}

impl Logic for ParkedLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ParkedLane");
        self.row_bit.next = self.one.val() << self.row.val();
        self.pcs.write_enable[0].next = self.launches.val() | self.parks.val() | self.waits.val();
        self.added.next = 0.into();
        if self.launches.val() | self.parks.val() {
            self.added.next = self.row_bit.val();
        }
        for i in 0..self.arrives.len() {
            if self.arrives[i].val() {
                self.pcs.write_enable[0].next = true;
            }
            self.added.next = self.added.val() | self.returns[i].val();
        }
        self.taken.next = 0.into();
        if self.take.val() {
            self.taken.next = self.one.val() << self.take_row.val();
        }
        self.began.next = 0.into();
        if self.waits.val() {
            self.began.next = self.row_bit.val();
        }
        self.started.next = 0.into();
        if self.launches.val() {
            self.started.next = self.row_bit.val();
        }
        self.ended.next = 0.into();
        if self.ends.val() {
            self.ended.next = self.one.val() << self.end_row.val();
        }
        self.is_parked.d.next = (self.is_parked.q.val() & !self.taken.val())
            | self.added.val()
            | (self.is_waiting.q.val() & self.freed.val());
        self.is_waiting.d.next = (self.is_waiting.q.val() & !self.freed.val()) | self.began.val();
        self.is_live.d.next = (self.is_live.q.val() & !self.ended.val()) | self.started.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// What happens to threads of rows, `launch`, `park`, `wait` and `arrive` with a PC `|` rows parked, that wait, that live, and the PC of the one that is taken.
    const SCRIPT: &str = "
        launch 0 100      | -  - -
        launch 2 200      | 0  - 0
        take 0            | 02 - 02 100
        wait 0 104 take 2 | 2  - 02 200
        park 2 300        | -  0 02
        free 13           | 2  0 02     | other rows
        free 02           | 2  0 02
        take 0            | 02 - 02 104
        end 0 take 2      | 2  - 02 300
        end 2             | -  - 2
        launch 1 500      | -  - -
        take 1 launch 3 0 | 1  - 1  500
        arrive 1 600      | 3  - 13
        return 1 take 3   | 3  - 13 0
        take 1            | 1  - 13 600
        end 1             | -  - 13
        end 3             | -  - 3
        -                 | -  - -";

    #[test]
    fn threads_park_wait_and_are_taken() {
        let mut lane = ParkedLane::new(4, true);
        lane.connect_all();
        simulate(&mut lane, 1000);
        for (input, seen) in cycles(SCRIPT) {
            let place = |name: &str| input.iter().position(|word| *word == name);
            let row = |name: &str| place(name).map(|at| input[at + 1].parse::<usize>().unwrap());
            let written = ["launch", "park", "wait", "arrive"].into_iter().find_map(place);
            lane.launches.next = place("launch").is_some();
            lane.parks.next = place("park").is_some();
            lane.waits.next = place("wait").is_some();
            lane.arrives[0].next = place("arrive").is_some();
            lane.returns[0].next = set(place("return").map_or("", |at| input[at + 1]));
            lane.row.next = written.map_or(0, |at| input[at + 1].parse().unwrap()).into();
            lane.new_pc.next = written.map_or(0, |at| usize::from_str_radix(input[at + 2], 16).unwrap()).into();
            lane.take.next = place("take").is_some();
            lane.take_row.next = row("take").unwrap_or(0).into();
            lane.freed.next = set(place("free").map_or("", |at| input[at + 1]));
            lane.ends.next = place("end").is_some();
            lane.end_row.next = row("end").unwrap_or(0).into();
            simulate(&mut lane, 1000);
            let mut found = [lane.parked.val(), lane.waiting.val(), lane.live.val()].map(digits).to_vec();
            found.extend(row("take").map(|_| format!("{:x}", lane.pc.val().value())));
            assert_eq!(found, seen, "{input:?}");
            tick!(lane);
        }
    }
}
