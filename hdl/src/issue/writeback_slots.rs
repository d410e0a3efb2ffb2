//! Keeps write-back slots apart: who may not issue in this cycle, because its result would find the slot taken.
//!
//! ```text
//!                       now - 1 ...   now - (m - a)
//!  take_multiply ---> [.] ---> [.] ---> [.] ---> product_due --+--> refuse_result
//!                                                              |
//!  elastic_blocked ---+--- and not freed lately ---------------+--> refuse_product
//!                     |            ^
//!                     +---> [.] ---+---> [.]     a - 1 cycles
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `take_multiply` | 1 | a multiplication issues |
//! | `elastic_blocked` | 1 | a finished division or load found no slot |
//! | `refuse_result` | 1 | no instruction with an ALU's latency may issue that writes a register |
//! | `refuse_product` | 1 | no multiplication may issue |
//!
//! Latency 0. State: *m - a* bits for multiplications, *a - 1* for slots left free; *a* and *m* are the latencies of ALU and multiplier.
//!
//! One instruction issues in a cycle, and has the write-back slot *a* + 1 or *m* + 1 cycles later. The only clash of the two is an ALU
//! instruction *m - a* cycles behind a multiplication. Divisions and loads take what is free. So that they cannot starve, a refusal of theirs
//! leaves a slot free: nobody who writes issues in that cycle. They get that slot *a* + 1 cycles later, and no second one is left free for them until
//! then, but if a product takes it, it is none; then the next cycle's is tried. With an ALU latency of 1 every refusal counts.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WritebackSlots: clock, reset {
        pub take_multiply: Signal<In, Bit>,
        pub elastic_blocked: Signal<In, Bit>,
        pub refuse_result: Signal<Out, Bit>,
        pub refuse_product: Signal<Out, Bit>,

        /// A multiplication issued so many cycles and one ago.
        multiply_ago: Vec<StateRegister<Bit>> = StateRegister::vec(multiply_latency - alu_latency),
        /// A slot was left free so many cycles and one ago.
        freed_ago: Vec<StateRegister<Bit>> = StateRegister::vec(alu_latency - 1),
        product_due: Signal<Local, Bit>,
        freed_lately: Signal<Local, Bit>,
        freed: Signal<Local, Bit>,
        older: Signal<Local, Bit>,
    }
    /// For units of these latencies, 1 meaning that the result is written back in the cycle after EXECUTE.
    pub fn new(alu_latency: usize, multiply_latency: usize) {}
}

impl Logic for WritebackSlots {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WritebackSlots");
        self.product_due.next = false;
        for i in 0..self.multiply_ago.len() {
            self.product_due.next = self.multiply_ago[i].q.val();
        }
        self.freed_lately.next = false;
        for i in 0..self.freed_ago.len() {
            self.freed_lately.next = self.freed_lately.val() | self.freed_ago[i].q.val();
        }
        self.refuse_product.next = self.elastic_blocked.val() & !self.freed_lately.val();
        self.refuse_result.next = self.refuse_product.val() | self.product_due.val();
        self.freed.next = self.refuse_product.val() & !self.product_due.val();

        // What was so many cycles ago is one cycle older in the next.
        self.older.next = self.take_multiply.val();
        for i in 0..self.multiply_ago.len() {
            self.multiply_ago[i].d.next = self.older.val();
            self.older.next = self.multiply_ago[i].q.val();
        }
        self.older.next = self.freed.val();
        for i in 0..self.freed_ago.len() {
            self.freed_ago[i].d.next = self.older.val();
            self.older.next = self.freed_ago[i].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `take_multiply elastic_blocked | refuse_result refuse_product`.
    fn run(alu_latency: usize, multiply_latency: usize, script: &str) {
        let mut slots = WritebackSlots::new(alu_latency, multiply_latency);
        slots.connect_all();
        simulate(&mut slots, 1000);
        for (cycle, line) in script.trim().lines().map(str::trim).enumerate() {
            let bit = |i: usize| line.split_whitespace().nth(i).unwrap() == "1";
            slots.take_multiply.next = bit(0);
            slots.elastic_blocked.next = bit(1);
            simulate(&mut slots, 1000);
            let found = (slots.refuse_result.val(), slots.refuse_product.val());
            assert_eq!(found, (bit(3), bit(4)), "latencies {alu_latency}, {multiply_latency}, cycle {cycle}: {line}");
            tick!(slots);
        }
    }

    #[test]
    fn as_short_as_the_units_are() {
        let script = "
            1 0 | 0 0
            1 0 | 0 0
            0 0 | 1 0   the slot of the first product
            0 1 | 1 1   that of the second; and a load waits
            0 1 | 1 1   every refusal counts
            0 0 | 0 0";
        run(1, 3, script);
    }

    #[test]
    fn longer() {
        let script = "
            1 0 | 0 0
            0 1 | 1 1   a slot is left free, to be used in cycle 5
            1 1 | 0 0   and no other for as long as it takes,
            0 1 | 0 0   three cycles for a result
            0 1 | 1 1   the slot of the product of cycle 0: none is free
            0 1 | 1 1   so the next is
            0 1 | 1 0   the slot of the product of cycle 2
            0 0 | 0 0
            0 0 | 0 0";
        run(3, 7, script);
    }

    #[test]
    fn alike() {
        let script = "
            1 0 | 0 0
            1 1 | 1 1
            0 1 | 0 0
            0 1 | 1 1";
        run(2, 2, script);
    }

    /// Whatever issues, a load that waits gets a slot, and no two results meet in one.
    #[test]
    fn no_slot_is_given_twice_and_none_waits_for_ever() {
        for (alu_latency, multiply_latency) in [(1, 3), (2, 3), (3, 3), (3, 7), (4, 5), (5, 9), (8, 24), (7, 32)] {
            let mut slots = WritebackSlots::new(alu_latency, multiply_latency);
            slots.connect_all();
            let (mut taken, mut waiting, mut random) = (std::collections::HashSet::new(), None, 1u64);
            for cycle in 0..4000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (wants_product, load_comes) = ((random >> 60) & 3 != 0, (random >> 56) & 7 == 0);
                slots.take_multiply.next = false;
                if waiting.is_none() && load_comes {
                    waiting = Some(cycle);
                }
                slots.elastic_blocked.next = waiting.is_some() && taken.contains(&cycle);
                simulate(&mut slots, 1000);
                if waiting.is_some() && !taken.contains(&cycle) {
                    waiting = None;
                }
                let since = waiting.map_or(0, |since| cycle - since);
                assert!(since <= multiply_latency + 1, "latencies {alu_latency}, {multiply_latency}: it starves");
                // Somebody always wants to issue, by preference the other kind.
                let order = if wants_product { [true, false] } else { [false, true] };
                let free =
                    |product: bool| !(if product { slots.refuse_product.val() } else { slots.refuse_result.val() });
                if let Some(product) = order.into_iter().find(|product| free(*product)) {
                    slots.take_multiply.next = product;
                    let latency = if product { multiply_latency } else { alu_latency };
                    assert!(taken.insert(cycle + 1 + latency), "latencies {alu_latency}, {multiply_latency}");
                }
                tick!(slots);
            }
        }
    }
}
