//! Whom the engine of all stacks serves this cycle: a walk, a launch, or a control instruction.
//!
//! ```text
//!                     +-------------+
//!  unsettled -------->|             |---> operation
//!  settled ---------->| StackEngine |---> warp, warp_bit
//!  turn_ended ------->|             |---> ends_turn
//!  launch_* --------->|             |---> launch_ready
//!  event_* ---------->|             |
//!                     +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `unsettled` | W | warps whose stack is to be searched for the entry to run |
//! | `settled` | 1 | the step taken in this cycle ends the search |
//! | `turn_ended`, `ends_turn` | 1 | with turns: that of `warp` is over, so the search is for threads that wait; a step of it, which is no other operation |
//! | `launch_valid`, `launch_warp`, `launch_ready` | 1, w, 1 | a warp starts at the edge when both are set |
//! | `event_valid`, `event_warp` | 1, w | a control instruction is to take effect |
//! | `operation` | `StackOperation` | what the engine does |
//! | `warp`, `warp_bit` | w, W | for whom |
//!
//! Latency 0. State: whether a search is under way, and whose.
//!
//! A search is finished before anything else begins. Every search and every launch stems from something that has been served, so giving
//! them precedence over control instructions starves nobody.
use crate::prelude::*;

hardware_enum! {
    /// What the engine of the stacks does in a cycle.
    pub enum StackOperation {
        /// Nothing to do.
        Idle,
        /// One step down a stack in search of the entry to run.
        Settle,
        /// A warp starts.
        Launch,
        /// A control instruction takes effect.
        Resolve,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct StackEngine: clock, reset {
        pub unsettled: Net<In> = warps,
        pub settled: Signal<In, Bit>,
        pub turn_ended: Vec<Signal<In, Bit>> = bit_vec(takes_turns as usize),
        pub ends_turn: Vec<Signal<Out, Bit>> = bit_vec(takes_turns as usize),
        pub launch_valid: Signal<In, Bit>,
        pub launch_warp: Net<In> = warp,
        pub launch_ready: Signal<Out, Bit>,
        pub event_valid: Signal<In, Bit>,
        pub event_warp: Net<In> = warp,
        pub operation: Signal<Out, StackOperation>,
        pub warp: Net<Out> = warp,
        pub warp_bit: Net<Out> = warps,

        searching: StateRegister<Bit>,
        searched: Flop = Flop::new(warp) => { d: warp },
        request: PriorityEncoder = PriorityEncoder::new(warps) => { request: unsettled },
        one_warp: Constant = Constant::new(1, warps),
    }
    /// For `warps` warps, with turns or without.
    pub fn new(warps: usize, takes_turns: bool) {
        let warp = index_width(warps);
    }
}

impl Logic for StackEngine {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module StackEngine");
        dff_setup!(self, clock, searching);
        self.launch_ready.next = false;
        self.operation.next = StackOperation::Idle;
        self.warp.next = self.event_warp.val();
        if self.searching.q.val() {
            self.operation.next = StackOperation::Settle;
            self.warp.next = self.searched.q.val();
        } else if self.request.any.val() {
            self.operation.next = StackOperation::Settle;
            self.warp.next = self.request.index.val();
        } else {
            self.launch_ready.next = true;
            if self.launch_valid.val() {
                self.operation.next = StackOperation::Launch;
                self.warp.next = self.launch_warp.val();
            } else if self.event_valid.val() {
                self.operation.next = StackOperation::Resolve;
            }
        }
        for i in 0..self.turn_ended.len() {
            self.ends_turn[i].next = false;
            if (self.operation.val() == StackOperation::Settle) & self.turn_ended[i].val() {
                self.ends_turn[i].next = true;
                self.operation.next = StackOperation::Idle;
            }
        }
        self.warp_bit.next = self.one_warp.val() << self.warp.val();
        if self.searching.q.val() | self.request.any.val() {
            self.searching.d.next = !self.settled.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: unsettled warps, warp that starts, warp with a control instruction, whether the search ends and whether it is for the end of a turn
    /// `|` what is done for whom.
    #[test]
    fn searches_launches_then_events() {
        let mut engine = StackEngine::new(4, true);
        engine.connect_all();
        simulate(&mut engine, 1000);
        let script = "
            -  - -        | Idle
            -  - 2        | Resolve 2
            -  1 2        | Launch 1
            3  1 2        | Settle 3
            02 1 2        | Settle 3    | it is not over
            02 1 2 over   | Settle 3
            02 1 2 over   | Settle 0
            2  - 2 over   | Settle 2
            -  - 3        | Resolve 3
            1  2 3   turn | Ends 1
            -  2 3        | Settle 1    | and now for who is to run
            -  2 3   over | Settle 1
            -  2 3   turn | Launch 2    | it matters only in a search
            1  2 3   over turn | Ends 1
            -  - -        | Idle";
        for (input, seen) in cycles(script) {
            engine.unsettled.next = set(input[0]);
            engine.launch_valid.next = input[1] != "-";
            engine.launch_warp.next = input[1].parse().map_or(0, |warp: usize| warp).into();
            engine.event_valid.next = input[2] != "-";
            engine.event_warp.next = input[2].parse().map_or(0, |warp: usize| warp).into();
            engine.settled.next = input.contains(&"over");
            engine.turn_ended[0].next = input.contains(&"turn");
            simulate(&mut engine, 1000);
            let ends = engine.ends_turn[0].val();
            let mut found = vec![if ends { "Ends".to_string() } else { format!("{:?}", engine.operation.val()) }];
            if ends || engine.operation.val() != StackOperation::Idle {
                found.push(engine.warp.val().value().to_string());
                assert_eq!(digits(engine.warp_bit.val()), found[1]);
            }
            assert_eq!(found, seen, "{input:?}");
            assert_eq!(engine.launch_ready.val(), !ends && engine.operation.val() != StackOperation::Settle);
            tick!(engine);
        }
    }
}
