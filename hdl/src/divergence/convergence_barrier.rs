//! A convergence barrier of every warp: threads that wait for one another at a reconvergence point.
//!
//! ```text
//!                                  +-------------------------------+
//!  fetch_warp, next_pc ----------->| RPC ---------------------- = -|---> meets
//!                                  |                               |
//!  warp -------------------------->| {RPC, participants, arrived}  |---> free, waits
//!  rpc --------------------------->| by warp                       |---> covered
//!  allocate, participants -------->|   |                           |---> comes, arrives
//!  sides[2], exits, breakers ----->|   v                           |---> released
//!  write, clear ------------------>| all there? released: break?   |
//!                                  +-------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `next_pc` | w, 32 | the warp fetched, the PC behind its instruction |
//! | `meets` | 1 | that is its RPC |
//! | `warp` | w | the warp that the engine works on |
//! | `free` | 1 | that warp does not use it |
//! | `waits` | L | threads of the warp that wait here |
//! | `rpc`, `covered` | 32, L | threads that take part in it, if its RPC is this |
//! | `allocate`, `participants` | 1, L | it is for `rpc` from now on, and for these threads |
//! | `sides[2]` | 32, L | threads that come to a PC |
//! | `comes` | 1 | that is its RPC |
//! | `arrives` | L | those of them that take part: they wait |
//! | `exits` | L | these end: nobody waits for them |
//! | `breakers` | L | nobody is to wait for these any more |
//! | `released` | L | so these, which wait for them, leave it |
//! | `write`, `clear` | 1 | all that takes effect at the edge; it is free then |
//!
//! Latency: outputs 0, state 1. State: by warp a PC and two masks. A barrier that is free has an odd RPC, which no PC equals, and empty masks.
//!
//! When all participants have arrived it is free again, and with that they are ready. A break takes those who have arrived out of it: the others go on
//! to wait for one another.
use super::Path;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ConvergenceBarrier: clock {
        pub fetch_warp: Net<In> = warp,
        pub next_pc: Net<In> = 32,
        pub meets: Signal<Out, Bit>,
        pub warp: Net<In> = warp,
        pub free: Signal<Out, Bit>,
        pub waits: Net<Out> = lanes,
        pub rpc: Net<In> = 32,
        pub covered: Net<Out> = lanes,
        pub allocate: Signal<In, Bit>,
        pub participants: Net<In> = lanes,
        pub sides: Vec<Path<In>> = (0..2).map(|_| Path::new(lanes)).collect(),
        pub comes: Signal<Out, Bit>,
        pub arrives: Net<Out> = lanes,
        pub exits: Net<In> = lanes,
        pub breakers: Net<In> = lanes,
        pub released: Net<Out> = lanes,
        pub write: Signal<In, Bit>,
        pub clear: Signal<In, Bit>,

        /// 1: free.
        rpcs: Memory = by_warp(32, 2) => {
            read_address[0]: fetch_warp, read_address[1]: warp, write_address[0]: warp, write_enable[0]: writes,
        },
        expected: Memory = by_warp(lanes, 1) => {
            read_address[0]: warp, write_address[0]: warp, write_enable[0]: writes,
        },
        arrived: Memory = by_warp(lanes, 1) => {
            read_address[0]: warp, read_data[0]: waits, write_address[0]: warp, write_enable[0]: writes,
        },
        writes: Signal<Local, Bit>,
        /// It, with what is allocated, and without those that end.
        point: Net<Local> = 32,
        takes_part: Net<Local> = lanes,
        here: Net<Local> = lanes,
        /// Threads that it waits for.
        missing: Net<Local> = lanes,
        complete: Signal<Local, Bit>,
        breaks: Signal<Local, Bit>,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let warp = index_width(warps);
        let by_warp = |width, reads| Memory::new(width, warps, reads, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ConvergenceBarrier {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ConvergenceBarrier");
        self.meets.next = self.rpcs.read_data[0].val() == self.next_pc.val();
        self.free.next = self.rpcs.read_data[1].val().get_bit(0);
        self.covered.next = 0.into();
        if self.rpcs.read_data[1].val() == self.rpc.val() {
            self.covered.next = self.expected.read_data[0].val();
        }

        // A branch takes it, threads end.
        self.point.next = self.rpcs.read_data[1].val();
        self.takes_part.next = self.expected.read_data[0].val() & !self.exits.val();
        if self.allocate.val() {
            self.point.next = self.rpc.val();
            self.takes_part.next = self.participants.val();
        }

        // Threads arrive.
        self.comes.next = false;
        self.arrives.next = 0.into();
        for s in 0..self.sides.len() {
            if (self.sides[s].pc.val() == self.point.val()) & self.sides[s].mask.val().any() {
                self.comes.next = true;
                self.arrives.next = self.arrives.val() | (self.sides[s].mask.val() & self.takes_part.val());
            }
        }
        self.here.next = self.waits.val() | self.arrives.val();
        self.missing.next = self.takes_part.val() & !self.here.val();
        self.complete.next = !self.missing.val().any();
        self.breaks.next = (self.missing.val() & self.breakers.val()).any() & self.here.val().any();

        // All of them, or not; some leave.
        self.rpcs.write_data[0].next = self.point.val();
        self.expected.write_data[0].next = self.takes_part.val();
        self.arrived.write_data[0].next = self.here.val();
        self.released.next = 0.into();
        if self.complete.val() | self.clear.val() {
            self.rpcs.write_data[0].next = 1.into();
            self.expected.write_data[0].next = 0.into();
            self.arrived.write_data[0].next = 0.into();
        } else if self.breaks.val() {
            self.released.next = self.here.val();
            self.expected.write_data[0].next = self.missing.val();
            self.arrived.write_data[0].next = 0.into();
        }
        self.writes.next = self.write.val() | self.clear.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// What happens to the barrier of warp 1: `clear`, `allocate rpc lanes`, `come pc lanes` (twice at most), `exit lanes`, `break lanes`; or `covered
    /// rpc` `|` its waiting threads before, those that arrive, those released by a break, `free` if it was; or the threads covered.
    const CYCLES: &str = "
        clear             | - - - free
        covered 40        | -
        covered 1         | -            | a free one has no threads
        allocate 40 0123  | - - - free
        covered 40        | 0123
        covered 44        | -
        come 44 0         | - - -        | not there
        come 40 0         | - 0 -
        come 40 4         | 0 - -        | takes no part
        come 44 1 40 2    | 0 2 -
        break 0           | 02 - -       | nobody waits for one who has arrived
        break 13          | 02 - 02
        covered 40        | 13           | who still wait for each other
        come 40 0         | - - -
        break 1           | - - -        | nobody waits
        exit 3            | - - -
        covered 40        | 1
        come 40 1         | - 1 -        | all
        covered 40        | -
        allocate 50 01    | - - - free
        come 50 01        | - 01 -
        allocate 60 0     | - - - free
        exit 0            | - - -
        come 60 0         | - - - free";

    #[test]
    fn threads_arrive_leave_and_end() {
        let mut barrier = ConvergenceBarrier::new(5, 2);
        barrier.connect_all();
        let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
        barrier.clear.next = true;
        for warp in 0..2 {
            barrier.warp.next = warp.into();
            tick!(barrier);
        }
        for (input, seen) in cycles(CYCLES) {
            barrier.clear.next = input[0] == "clear";
            barrier.write.next = input[0] != "covered";
            barrier.allocate.next = input[0] == "allocate";
            barrier.exits.next = if input[0] == "exit" { set(input[1]) } else { 0.into() };
            barrier.breakers.next = if input[0] == "break" { set(input[1]) } else { 0.into() };
            barrier.rpc.next = 1.into();
            if ["allocate", "covered"].contains(&input[0]) {
                barrier.rpc.next = hex(input[1]);
                barrier.participants.next = set(input.get(2).unwrap_or(&"-"));
            }
            for side in 0..2 {
                let come = input[0] == "come" && input.len() > 2 * side + 2;
                barrier.sides[side].pc.next = if come { hex(input[2 * side + 1]) } else { 0x40.into() };
                barrier.sides[side].mask.next = if come { set(input[2 * side + 2]) } else { 0.into() };
            }
            simulate(&mut barrier, 100);
            let found = match input[0] {
                "covered" => vec![digits(barrier.covered.val())],
                _ => {
                    let masks = [&barrier.waits, &barrier.arrives, &barrier.released];
                    let mut found: Vec<String> = masks.into_iter().map(|mask| digits(mask.val())).collect();
                    found.extend(barrier.free.val().then(|| "free".to_string()));
                    found
                }
            };
            assert_eq!(found, seen, "{input:?}");
            tick!(barrier);
        }
    }

    #[test]
    fn fetch_sees_the_barrier_of_another_warp() {
        let mut barrier = ConvergenceBarrier::new(4, 2);
        barrier.connect_all();
        for (warp, rpc) in [(0, 0x40), (1, 0x80)] {
            barrier.warp.next = warp.into();
            barrier.allocate.next = true;
            barrier.write.next = true;
            barrier.rpc.next = rpc.into();
            barrier.participants.next = 3.into();
            tick!(barrier);
        }
        for (warp, pc, meets) in [(0, 0x40, true), (0, 0x80, false), (1, 0x80, true), (1, 0x40, false)] {
            barrier.fetch_warp.next = warp.into();
            barrier.next_pc.next = pc.into();
            simulate(&mut barrier, 100);
            assert_eq!(barrier.meets.val(), meets, "{warp} {pc:x}");
        }
    }
}
