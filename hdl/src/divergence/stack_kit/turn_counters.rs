//! How long the running threads of every warp have had their turn, and whether it is over.
//!
//! ```text
//!                        +---------------------------------+
//!  decoded ------------->| instructions by warp            |
//!  warp ---------------->| trips by warp                   |---> over, by_spin
//!  serves, again ------->|                                 |
//!  alone, others ------->|                                 |
//!  restart ------------->|                                 |
//!                        +---------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `decoded` | | an instruction of this warp is in DECODE |
//! | `warp` | w | the warp that the engine works on |
//! | `serves` | 1 | a branch or jump of it takes effect |
//! | `again` | 1 | it takes threads back to the head of a loop that may wait for other threads |
//! | `alone`, `others` | 1 | before it, no other thread of the warp waited for these threads or could run; behind it, some do |
//! | `over`, `by_spin` | 1 | with it, the turn is over; for its trips, not for its instructions |
//! | `restart` | 1 | the next turn begins |
//!
//! Latency: `over` 0, the others act at the edge. The engine never serves a warp in DECODE. State per warp: instructions, as many bits as the
//! quantum has, and trips, four.
//!
//! Source: Vortex, its proposals `schedulable_convergence_stack` and `its_rtl_design_review`, where the compiler says when to yield; this is the watchdog
//! beside it, in hardware. Threads that are alone have no turn: what they did does not count when others come. So neither count needs a
//! value at reset or at launch: all threads of a warp come to its first branch. A turn whose end could not be used, as its path has come to its RPC, is
//! over at the next branch: trips are compared, not their last one.
use crate::interface::Decoded;
use crate::mechanism::options::Turns;
use crate::prelude::*;

/// Bits of the number of trips.
const TRIP_BITS: usize = 4;

module! {
    /// See the [module documentation](self).
    pub struct TurnCounters: clock {
        pub decoded: Decoded<In> = Decoded::new(lanes, warp),
        pub warp: Net<In> = warp,
        pub serves: Signal<In, Bit>,
        pub again: Signal<In, Bit>,
        pub alone: Signal<In, Bit>,
        pub others: Signal<In, Bit>,
        pub restart: Signal<In, Bit>,
        pub over: Signal<Out, Bit>,
        pub by_spin: Signal<Out, Bit>,

        // DECODE counts; the engine begins anew.
        instructions: Memory = Memory::new(width, warps, 2, 2, ReadKind::Asynchronous) => {
            read_address[0]: decoded.warp, write_address[0]: decoded.warp, read_address[1]: warp, write_address[1]: warp,
        },
        trips: Memory = Memory::new(TRIP_BITS, warps, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: warp, write_address[0]: warp,
        },
        /// The last bit of the instructions, which stops them.
        quantum: Constant = Constant::new(turns.quantum as u64, width),
        most_trips: Constant = Constant::new(turns.spin as u64, TRIP_BITS),
        last_trip: Constant = Constant::new(mask(TRIP_BITS), TRIP_BITS),
        instructions_now: Net<Local> = width,
        trips_now: Net<Local> = TRIP_BITS,
        writes: Signal<Local, Bit>,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize, turns: Turns) {
        let (warp, width) = (index_width(warps), turns.quantum.ilog2() as usize + 1);
    }
}

impl Logic for TurnCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TurnCounters");
        // DECODE counts up to the quantum.
        self.instructions.write_enable[0].next = self.decoded.valid.val();
        self.instructions.write_data[0].next = self.instructions.read_data[0].val();
        if !(self.instructions.read_data[0].val() & self.quantum.val()).any() {
            self.instructions.write_data[0].next = self.instructions.read_data[0].val() + 1;
        }

        // A branch or jump of the engine's warp.
        self.instructions_now.next = self.instructions.read_data[1].val();
        self.trips_now.next = self.trips.read_data[0].val();
        if self.alone.val() {
            self.instructions_now.next = 0.into();
            self.trips_now.next = 0.into();
        }
        if self.again.val() & (self.trips_now.val() != self.last_trip.val()) {
            self.trips_now.next = self.trips_now.val() + 1;
        }
        self.by_spin.next = self.trips_now.val() >= self.most_trips.val();
        self.over.next =
            self.others.val() & (self.by_spin.val() | (self.instructions_now.val() & self.quantum.val()).any());

        self.writes.next = self.serves.val() | self.restart.val();
        self.instructions.write_enable[1].next = self.writes.val();
        self.instructions.write_data[1].next = self.instructions_now.val();
        self.trips.write_enable[0].next = self.writes.val();
        self.trips.write_data[0].next = self.trips_now.val();
        if self.restart.val() | !self.others.val() {
            self.instructions.write_data[1].next = 0.into();
            self.trips.write_data[0].next = 0.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::cycles;

    /// A line is a cycle: `N` instructions of a warp are decoded (`decode:WARP`), then the warp served: `serve:WARP`, `look:WARP` or `end:WARP` with `again`, `alone`
    /// (before it), `single` (behind it) `|` `over`, and for what.
    #[track_caller]
    fn run(spin: usize, quantum: usize, script: &str) {
        let mut counters = TurnCounters::new(4, 3, Turns { spin, quantum });
        counters.connect_all();
        simulate(&mut counters, 1000);
        for (input, seen) in cycles(script) {
            let warp = |name: &str| input.iter().find_map(|word| word.strip_prefix(name)?.parse::<usize>().ok());
            let (decoded, served) = (warp("decode:"), warp("serve:").or(warp("look:")).or(warp("end:")));
            counters.decoded.valid.next = decoded.is_some();
            counters.decoded.warp.next = decoded.unwrap_or(0).into();
            counters.warp.next = served.unwrap_or(0).into();
            counters.serves.next = warp("serve:").is_some() || warp("end:").is_some();
            counters.restart.next = warp("end:").is_some();
            counters.again.next = input.contains(&"again");
            counters.alone.next = input.contains(&"alone");
            counters.others.next = served.is_some() && !input.contains(&"single");
            simulate(&mut counters, 1000);
            let found = match (counters.over.val(), counters.by_spin.val()) {
                (false, _) => "-",
                (true, true) => "spin",
                (true, false) => "quantum",
            };
            assert_eq!([found], seen[..], "{input:?}");
            tick!(counters);
        }
    }

    #[test]
    fn instructions_count_while_others_are_there() {
        run(
            15,
            4,
            "decode:1               | -
             decode:1 serve:2 alone | -
             serve:1 alone          | -    | what went before it does not count
             decode:1               | -
             decode:1               | -
             decode:2               | -
             decode:1 serve:2       | -    | each warp for itself
             serve:1                | -
             decode:1               | -
             look:1                 | quantum
             look:1 single          | -
             look:1 alone           | -
             decode:1               | -
             serve:1                | quantum | it stays so
             end:1                  | quantum
             look:1                 | -
             look:2                 | -",
        );
    }

    #[test]
    fn trips_count_while_others_are_there() {
        run(
            2,
            1024,
            "serve:0 again alone single | -    | nobody to wait for
             serve:0 again alone        | -    | others stay behind
             look:0                     | -
             serve:0 again              | spin
             serve:0                    | spin | it could not be used
             end:0                      | spin
             serve:0 again              | -
             serve:0 again single       | -
             serve:0 again              | -
             look:1 again               | -",
        );
    }

    #[test]
    fn the_shortest_turns() {
        run(
            1,
            1,
            "serve:0 again alone single | -
             look:0 again alone         | spin
             end:0 again alone          | spin
             serve:0                    | -
             decode:0                   | -
             look:0 alone               | -
             look:0                     | quantum",
        );
    }
}
