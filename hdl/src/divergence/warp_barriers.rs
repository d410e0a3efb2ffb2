//! Warp barriers: the threads of a warp that has diverged wait for one another where they reconverge.
//!
//! ```text
//!                          +------------------------------------+
//!  valid, pc, mask, rows ->| {diverged, RPC} by row --> = pc    |---> dynamic, arrives
//!  diverges, rpc --------->|        |  begins                   |---> begins
//!                          |        v                           |---> diverged
//!  live[L] --------------->| arrived, by lane and row --> all?  |---> completes, returns[L]
//!                          +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `valid`, `pc`, `mask`, `rows[L]` | 1, 32, L, w | the threads that are updated: where they go, in which lanes, the home warp of each |
//! | `diverges`, `rpc` | 1, 32 | they are a side of a branch that has just diverged; where it reconverges, 1: nowhere |
//! | `begins` | 1 | the branch is a *top-level* divergence: the warp has no barrier yet, and gets this one |
//! | `dynamic` | 1 | the threads are of warps that have diverged |
//! | `arrives` | L | those of them that have come to the barrier of their warp, and wait |
//! | `live[L]` | W | by lane: rows whose thread has not ended |
//! | `diverged` | W | rows with a barrier |
//! | `completes` | 1 | all threads of a row wait |
//! | `returns[L]` | W | by lane: rows whose thread has waited, and goes on with its whole warp |
//!
//! Latency: `dynamic`, `arrives` and `begins` 0; whoever is the last returns in the cycle after it has arrived. State: by row a bit and a PC, a bit by thread.
//!
//! There is one barrier for a warp, at the reconvergence point of its top-level divergence. Those of branches behind that have none: until it has come back
//! to its barrier a warp is what [`DynamicWarpFormation`](super::DynamicWarpFormation) makes of its threads. A branch that reconverges
//! nowhere has an odd address, to which nobody comes: its threads stay as they are until they end.
//!
//! Participants are not stored. All threads of a warp that has not diverged are in one place, so all that live take part; whoever ends takes part no more.
//!
//! Source: Fung & Aamodt 2011, 2.4.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpBarriers: clock, reset {
        pub valid: Signal<In, Bit>,
        pub pc: Net<In> = 32,
        pub mask: Net<In> = lanes,
        pub rows: Vec<Net<In>> = Net::vec(lanes, w),
        pub diverges: Signal<In, Bit>,
        pub rpc: Net<In> = 32,
        pub begins: Signal<Out, Bit>,
        pub dynamic: Signal<Out, Bit>,
        pub arrives: Net<Out> = lanes,
        pub live: Vec<Net<In>> = Net::vec(lanes, warps),
        pub diverged: Net<Out> = warps,
        pub completes: Signal<Out, Bit>,
        pub returns: Vec<Net<Out>> = Net::vec(lanes, warps),

        has_barrier: Register = Register::new(warps) => { q: diverged },
        rpcs: Vec<EnabledRegister> = EnabledRegister::vec(warps, 32) => |i| { d: rpc },
        /// By lane, a bit per row.
        arrived: Vec<Register> = Register::vec(lanes, warps),
        one: Constant = Constant::new(1, warps),
        /// Rows whose barrier is at `pc`.
        hits: Net<Local> = warps,
        was_dynamic: Signal<Local, Bit>,
        row: Net<Local> = w,
        begun: Net<Local> = warps,
        /// The barrier that begins is where this side starts.
        starts_there: Signal<Local, Bit>,
        added: Vec<Net<Local>> = Net::vec(lanes, warps),
        missing: Net<Local> = warps,
        complete: Net<Local> = warps,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let w = index_width(warps);
    }
}

impl Logic for WarpBarriers {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpBarriers");
        dff_setup!(self, clock, has_barrier);

        // A warp that has not diverged has all of its threads in one place: any of them tells the row.
        self.was_dynamic.next = false;
        self.row.next = 0.into();
        for lane in 0..self.rows.len() {
            if self.mask.val().get_bit(lane) {
                self.was_dynamic.next =
                    self.was_dynamic.val() | self.has_barrier.q.val().get_bit(self.rows[lane].val().index());
                self.row.next = self.rows[lane].val();
            }
        }
        self.begins.next = self.valid.val() & self.diverges.val() & !self.was_dynamic.val();
        self.dynamic.next = self.was_dynamic.val() | self.begins.val();
        self.begun.next = 0.into();
        if self.begins.val() {
            self.begun.next = self.one.val() << self.row.val();
        }

        // Who has come to the barrier of its warp, which may be one that begins.
        self.hits.next = 0.into();
        for i in 0..self.rpcs.len() {
            self.rpcs[i].enable.next = self.begun.val().get_bit(i);
            self.hits.next = self
                .hits
                .val()
                .replace_bit(i, self.has_barrier.q.val().get_bit(i) & (self.rpcs[i].q.val() == self.pc.val()));
        }
        self.starts_there.next = self.begins.val() & (self.rpc.val() == self.pc.val());
        self.arrives.next = 0.into();
        for lane in 0..self.rows.len() {
            self.arrives.next = self.arrives.val().replace_bit(
                lane,
                self.valid.val()
                    & self.mask.val().get_bit(lane)
                    & (self.starts_there.val() | self.hits.val().get_bit(self.rows[lane].val().index())),
            );
        }

        // Rows whose threads have all arrived.
        self.missing.next = 0.into();
        for lane in 0..self.arrived.len() {
            self.missing.next = self.missing.val() | (self.live[lane].val() & !self.arrived[lane].q.val());
        }
        self.complete.next = self.has_barrier.q.val() & !self.missing.val();
        self.completes.next = self.complete.val().any();
        self.has_barrier.d.next = (self.has_barrier.q.val() & !self.complete.val()) | self.begun.val();
        for lane in 0..self.arrived.len() {
            self.returns[lane].next = self.arrived[lane].q.val() & self.complete.val();
            self.added[lane].next = 0.into();
            if self.arrives.val().get_bit(lane) {
                self.added[lane].next = self.one.val() << self.rows[lane].val();
            }
            self.arrived[lane].d.next = (self.arrived[lane].q.val() & !self.complete.val()) | self.added[lane].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits};

    /// Threads by lane, as their rows: `01-3` come to a PC, as a side of a branch that reconverges at `rpc`, or `end` `|` whether a barrier `begins`, and threads are
    /// `dynamic`; lanes that arrive; rows with a barrier; threads that return, by lane.
    const SCRIPT: &str = "
        000- 40            | - - -
        11-- 40 rpc 80     | begins dynamic - - -
        --11 60            | dynamic - 1 -
        2--- 80 rpc 80     | begins dynamic 0 1 -  | one side has nothing to run
        --2- 60            | dynamic - 12 -
        1-21 80            | dynamic 023 12 -
        -1-- 84            | dynamic - 12 -        | elsewhere
        -1-2 90            | dynamic - 12 -
        -112 80            | dynamic 123 12 -
        0--- 80            | - 12 1111;2-22        | lane 1 of row 2 has ended
        111- 40 rpc end    | begins dynamic - - -
        ---1 0             | dynamic - 1 -
        1111 80            | dynamic - 1 -
        end 1111           | - 1 -
        -                  | - 1 -               | nobody is left to wait
        -                  | - - -";

    #[test]
    fn a_warp_is_whole_again_when_all_have_arrived() {
        let mut unit = WarpBarriers::new(4, 4);
        unit.connect_all();
        simulate(&mut unit, 1000);
        let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
        let mut live = [0b1111usize; 4];
        live[1] = 0b1011;
        for (input, seen) in cycles(SCRIPT) {
            let comes = !["end", "-"].contains(&input[0]);
            let rows = input[0].chars().map(|row| row.to_digit(10).filter(|_| comes)).enumerate();
            let rows: Vec<(usize, u32)> = rows.filter_map(|(lane, row)| Some((lane, row?))).collect();
            for &(lane, row) in &rows {
                unit.rows[lane].next = (row as usize).into();
            }
            unit.valid.next = comes;
            unit.mask.next = rows.iter().fold(0, |mask, (lane, _)| mask | 1 << lane).into();
            unit.pc.next = if comes { hex(input[1]) } else { 0.into() };
            unit.diverges.next = input.contains(&"rpc");
            unit.rpc.next = input.get(3).filter(|rpc| **rpc != "end").map_or(1.into(), |rpc| hex(rpc));
            unit.live.iter_mut().zip(live).for_each(|(port, rows)| port.next = rows.into());
            simulate(&mut unit, 1000);
            let mut found = vec![];
            found.extend(unit.begins.val().then(|| "begins".to_string()));
            found.extend(unit.dynamic.val().then(|| "dynamic".to_string()));
            found.push(digits(unit.arrives.val()));
            found.push(digits(unit.diverged.val()));
            let rows = (0..4).map(|row| {
                let back =
                    |lane: usize| if unit.returns[lane].val().get_bit(row) { row.to_string() } else { "-".into() };
                (0..4).map(back).collect::<String>()
            });
            let rows: Vec<String> = rows.filter(|lanes| lanes != "----").collect();
            found.push(if rows.is_empty() { "-".to_string() } else { rows.join(";") });
            assert_eq!(found, seen, "{input:?}");
            tick!(unit);
            if input[0] == "end" {
                live.iter_mut().for_each(|rows| *rows &= !2);
            }
        }
    }
}
