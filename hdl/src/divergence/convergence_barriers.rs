//! The convergence barriers of every warp: allocated by divergent branches, freed when all threads have arrived.
//!
//! ```text
//!                          +------------------------------------+
//!  fetch_warp, next_pc --->|  ConvergenceBarrier x B            |---> meets
//!                          |   |  ^            ^                |
//!  warp ------------------>|   |  | allocate   | sides          |---> waits
//!  rpc, mask, diverges --->|   v  |            |                |---> full, comes
//!  sides[2], exits, ------>|  covered --> participants          |---> arrives, left[2]
//!  breakers, write, clear  |  free -----> the lowest            |---> released
//!                          +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `next_pc` | w, 32 | the warp fetched, the PC behind its instruction |
//! | `meets` | 1 | that is the RPC of a barrier of the warp |
//! | `warp` | w | the warp that the engine works on |
//! | `waits` | L | its threads that have arrived somewhere |
//! | `diverges`, `rpc`, `mask` | 1, 32, L | these threads diverge, and reconverge there; odd: nowhere |
//! | `full` | 1 | there is no barrier left for them |
//! | `sides[2]` | 32, L | threads that come to a PC |
//! | `comes` | 1 | that is the RPC of a barrier |
//! | `left[2]` | L | of either side, those that do not wait there |
//! | `exits`, `breakers` | L | these end; nobody is to wait for these any more |
//! | `released` | L | threads that wait for them, and leave |
//! | `write`, `clear` | 1 | all that takes effect at the edge; no barrier is used then |
//!
//! Latency: outputs 0, state 1. State: that of its parts, B barriers for each warp. Without any (B = 0) nobody ever waits.
//!
//! Source: US 10,067,768, whose barriers the compiler places and numbers. Here the barrier is the branch's reconvergence point: a thread is in one barrier for
//! a point, so a loop takes one and not one a trip, and calls cannot collide. If there is none left these threads do not reconverge there, and that is all.
use super::{ConvergenceBarrier, Path};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ConvergenceBarriers: clock {
        pub fetch_warp: Net<In> = warp,
        pub next_pc: Net<In> = 32,
        pub meets: Signal<Out, Bit>,
        pub warp: Net<In> = warp,
        pub waits: Net<Out> = lanes,
        pub diverges: Signal<In, Bit>,
        pub rpc: Net<In> = 32,
        pub mask: Net<In> = lanes,
        pub full: Signal<Out, Bit>,
        pub sides: Vec<Path<In>> = (0..2).map(|_| Path::new(lanes)).collect(),
        pub comes: Signal<Out, Bit>,
        pub left: Vec<Net<Out>> = Net::vec(2, lanes),
        pub exits: Net<In> = lanes,
        pub breakers: Net<In> = lanes,
        pub released: Net<Out> = lanes,
        pub write: Signal<In, Bit>,
        pub clear: Signal<In, Bit>,

        barriers: Vec<ConvergenceBarrier> = (0..barriers).map(|_| ConvergenceBarrier::new(lanes, warps)).collect() => |b| {
            fetch_warp, next_pc, warp, rpc, participants, sides, exits, breakers, write, clear,
        },
        free: Net<Local> = barriers.max(1),
        lowest: PriorityEncoder = PriorityEncoder::new(barriers.max(1)) => { request: free },
        covered: Net<Local> = lanes,
        participants: Net<Local> = lanes,
        arrives: Net<Local> = lanes,
        allocates: Signal<Local, Bit>,
    }
    /// `barriers` for each of `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize, barriers: usize) {
        let warp = index_width(warps);
    }
}

impl Logic for ConvergenceBarriers {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ConvergenceBarriers");
        self.meets.next = false;
        self.waits.next = 0.into();
        self.covered.next = 0.into();
        self.free.next = 0.into();
        for b in 0..self.barriers.len() {
            self.meets.next = self.meets.val() | self.barriers[b].meets.val();
            self.waits.next = self.waits.val() | self.barriers[b].waits.val();
            self.covered.next = self.covered.val() | self.barriers[b].covered.val();
            self.free.next = self.free.val().replace_bit(b, self.barriers[b].free.val());
        }

        // Threads that diverge take the lowest, unless they have one there.
        self.participants.next = self.mask.val() & !self.covered.val();
        self.allocates.next = self.diverges.val() & !self.rpc.val().get_bit(0) & self.participants.val().any();
        self.full.next = self.allocates.val() & !self.lowest.any.val();
        for b in 0..self.barriers.len() {
            self.barriers[b].allocate.next = self.allocates.val() & self.lowest.one_hot.val().get_bit(b);
        }

        // What becomes of them.
        self.comes.next = false;
        self.arrives.next = 0.into();
        self.released.next = 0.into();
        for b in 0..self.barriers.len() {
            self.comes.next = self.comes.val() | self.barriers[b].comes.val();
            self.arrives.next = self.arrives.val() | self.barriers[b].arrives.val();
            self.released.next = self.released.val() | self.barriers[b].released.val();
        }
        for s in 0..self.left.len() {
            self.left[s].next = self.sides[s].mask.val() & !self.arrives.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// What happens: `diverge rpc pc lanes pc lanes` (`end`: they do not reconverge), `come pc lanes`, `break lanes`, `exit lanes`; numbers are hexadecimal `|`
    /// threads that wait before it, those left of the two sides, those released by a break, `full`.
    fn play(barriers: usize, script: &str) {
        let mut unit = ConvergenceBarriers::new(4, 2, barriers);
        unit.connect_all();
        let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
        unit.clear.next = true;
        for warp in 0..2 {
            unit.warp.next = warp.into();
            tick!(unit);
        }
        unit.clear.next = false;
        unit.write.next = true;
        for (input, seen) in cycles(script) {
            let (pcs, masks, rpc) = match input[..] {
                ["diverge", rpc, a, first, b, second] => {
                    ([a, b], [set(first), set(second)], if rpc == "end" { 1.into() } else { hex(rpc) })
                }
                ["come", pc, lanes] => ([pc, pc], [set(lanes), 0.into()], 1.into()),
                _ => (["0", "0"], [0.into(), 0.into()], 1.into()),
            };
            unit.diverges.next = input[0] == "diverge";
            unit.rpc.next = rpc;
            unit.mask.next = (masks[0].index() | masks[1].index()).into();
            for side in 0..2 {
                unit.sides[side].pc.next = hex(pcs[side]);
                unit.sides[side].mask.next = masks[side];
            }
            unit.exits.next = if input[0] == "exit" { set(input[1]) } else { 0.into() };
            unit.breakers.next = if input[0] == "break" { set(input[1]) } else { 0.into() };
            simulate(&mut unit, 1000);
            let mut found = vec![digits(unit.waits.val()), digits(unit.left[0].val()), digits(unit.left[1].val())];
            found.push(digits(unit.released.val()));
            found.extend(unit.full.val().then(|| "full".to_string()));
            assert_eq!(found, seen, "{barriers} barriers: {input:?}");
            tick!(unit);
        }
    }

    #[test]
    fn a_barrier_for_a_point() {
        play(
            2,
            "diverge 80 20 01 40 23 | - 01 23 -
             diverge 60 30 0 50 1   | - 0 1 -
             diverge 70 44 2 48 3   | - 2 3 - full | these do not meet at 70
             diverge 80 54 0 58 1   | - 0 1 -      | but are expected at 80 as before
             come 70 2              | - 2 - -
             come 60 0              | - - - -
             come 80 23             | 0 - - -
             break 1                | 023 - - 023  | at 60 and at 80
             come 60 1              | - - - -      | the last one there
             come 80 1              | - - - -      | waits for 0
             come 80 0              | 1 - - -
             diverge end 20 0 30 1  | - 0 1 -      | nowhere
             diverge 80 80 0 30 1   | - - 1 -      | one side is there
             exit 1                 | 0 - - -
             come 80 0              | - 0 - -      | it has been freed",
        );
    }

    #[test]
    fn without_any_nobody_waits() {
        play(
            0,
            "diverge 80 20 01 40 23 | - 01 23 - full
             come 80 01             | - 01 - -
             break 01               | - - - -",
        );
    }
}
