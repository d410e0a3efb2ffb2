//! Keeps write-back slots apart: who may not issue in this cycle, because its result would find the slot taken.
//!
//! ```text
//!                       now - 1 ...   now - (m - a)
//!  take_multiply ---> [.] ---> [.] ---> [.] ---> due ----+
//!     take_float ---> [.] ---> [.] ------------> due ----+--> refuse_result
//!                       now - 1 ...   now - (f - a)      |
//!  elastic_blocked ---+--- and not freed lately ---------+--> refuse_product, refuse_float
//!                     |            ^
//!                     +---> [.] ---+---> [.]     a - 1 cycles
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `take_multiply` | 1 | a multiplication issues |
//! | `take_float` with floats | 1 | an instruction of the float pipeline issues |
//! | `elastic_blocked` | 1 | a finished division or load found no slot |
//! | `refuse_result` | 1 | no instruction with an ALU's latency may issue that writes a register |
//! | `refuse_product` | 1 | no multiplication may issue |
//! | `refuse_float` with floats | 1 | no instruction of the float pipeline may issue |
//!
//! Latency 0. State: *m - a* bits for multiplications, *f - a* for floats, *a - 1* for slots left free; *a*, *m* and *f* are the latencies of ALU, multiplier and
//! float pipeline.
//!
//! One instruction issues in a cycle, and has the write-back slot *a* + 1, *m* + 1 or *f* + 1 cycles later. Two clash if the slower one is ahead by as many cycles as
//! it is slower; so the faster waits. Divisions and loads take what is free. So that they cannot starve, a refusal of theirs
//! leaves a slot free: nobody who writes issues in that cycle. They get that slot *a* + 1 cycles later, and no second one is left free for them until
//! then, but if a product or a float takes it, it is none; then the next cycle's is tried. With an ALU latency of 1 every refusal counts.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WritebackSlots: clock, reset {
        pub take_multiply: Signal<In, Bit>,
        pub take_float: Vec<Signal<In, Bit>> = bit_vec(floats),
        pub elastic_blocked: Signal<In, Bit>,
        pub refuse_result: Signal<Out, Bit>,
        pub refuse_product: Signal<Out, Bit>,
        pub refuse_float: Vec<Signal<Out, Bit>> = bit_vec(floats),

        /// A multiplication issued so many cycles and one ago.
        multiply_ago: Vec<StateRegister<Bit>> = StateRegister::vec(multiply_latency - alu_latency),
        /// The same of the float pipeline.
        float_ago: Vec<StateRegister<Bit>> = StateRegister::vec(float_ago),
        /// A slot was left free so many cycles and one ago.
        freed_ago: Vec<StateRegister<Bit>> = StateRegister::vec(alu_latency - 1),
        due: Signal<Local, Bit>,
        float_due: Signal<Local, Bit>,
        freed_lately: Signal<Local, Bit>,
        freed: Signal<Local, Bit>,
        leaves_free: Signal<Local, Bit>,
        older: Signal<Local, Bit>,
    }
    sizes { _products_from = products.0, _products_to = products.1, _floats_from = slower.0, _floats_to = slower.1 }
    /// For units of these latencies, 1 meaning that the result is written back in the cycle after EXECUTE; no float pipeline without a latency.
    pub fn new(alu_latency: usize, multiply_latency: usize, float_latency: Option<usize>) {
        let floats = float_latency.is_some() as usize;
        let float_ago = float_latency.map_or(0, |latency| latency - alu_latency);
        // The place of the product that has the slot of a float issued now, and the other way round; empty for whoever is not slower.
        let apart = float_latency.map_or(0, |latency| multiply_latency.abs_diff(latency));
        let place = |is_slower: bool| if is_slower && apart > 0 { (apart - 1, apart) } else { (0, 0) };
        let products = place(float_latency.is_some_and(|latency| multiply_latency > latency));
        let slower = place(float_latency.is_some_and(|latency| latency > multiply_latency));
    }
}

impl Logic for WritebackSlots {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WritebackSlots");
        self.due.next = false;
        for i in 0..self.multiply_ago.len() {
            self.due.next = self.multiply_ago[i].q.val();
        }
        self.float_due.next = false;
        for i in 0..self.float_ago.len() {
            self.float_due.next = self.float_ago[i].q.val();
        }
        self.freed_lately.next = false;
        for i in 0..self.freed_ago.len() {
            self.freed_lately.next = self.freed_lately.val() | self.freed_ago[i].q.val();
        }
        self.leaves_free.next = self.elastic_blocked.val() & !self.freed_lately.val();
        self.refuse_result.next = self.leaves_free.val() | self.due.val() | self.float_due.val();
        self.freed.next = self.leaves_free.val() & !self.due.val() & !self.float_due.val();
        self.refuse_product.next = self.leaves_free.val();
        for i in self._floats_from..self._floats_to {
            self.refuse_product.next = self.leaves_free.val() | self.float_ago[i].q.val();
        }
        for p in 0..self.take_float.len() {
            self.refuse_float[p].next = self.leaves_free.val();
            for i in self._products_from..self._products_to {
                self.refuse_float[p].next = self.leaves_free.val() | self.multiply_ago[i].q.val();
            }
        }

        // What was so many cycles ago is one cycle older in the next.
        self.older.next = self.take_multiply.val();
        for i in 0..self.multiply_ago.len() {
            self.multiply_ago[i].d.next = self.older.val();
            self.older.next = self.multiply_ago[i].q.val();
        }
        for p in 0..self.take_float.len() {
            self.older.next = self.take_float[p].val();
            for i in 0..self.float_ago.len() {
                self.float_ago[i].d.next = self.older.val();
                self.older.next = self.float_ago[i].q.val();
            }
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
        let mut slots = WritebackSlots::new(alu_latency, multiply_latency, None);
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

    /// A float's slot is two cycles before a product's.
    #[test]
    fn floats_between_results_and_products() {
        // `take: m, f or - ; elastic_blocked | refuse_result refuse_product refuse_float`
        let script = "
            m 0 | 0 0 0
            f 0 | 0 0 0
            - 0 | 0 0 1   the slot of the product
            - 0 | 0 0 0
            f 0 | 0 0 0
            - 0 | 1 0 0   the slot of the first float
            - 0 | 1 0 0   the slot of the product
            - 1 | 1 1 1   a load waits
            - 1 | 1 1 1   the slot of the second float
            - 0 | 0 0 0";
        let mut slots = WritebackSlots::new(1, 7, Some(5));
        slots.connect_all();
        simulate(&mut slots, 1000);
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            slots.take_multiply.next = field[0] == "m";
            slots.take_float[0].next = field[0] == "f";
            slots.elastic_blocked.next = field[1] == "1";
            simulate(&mut slots, 1000);
            let found = [slots.refuse_result.val(), slots.refuse_product.val(), slots.refuse_float[0].val()];
            assert_eq!(found.map(|bit| if bit { "1" } else { "0" }), field[3..6], "{line}");
            tick!(slots);
        }
    }

    /// Whatever issues, a load that waits gets a slot, and no two results meet in one.
    #[test]
    fn no_slot_is_given_twice_and_none_waits_for_ever() {
        let integers = [(1, 3), (2, 3), (3, 3), (3, 7), (4, 5), (5, 9), (8, 24), (7, 32)];
        let floats = [(1, 3, 5), (1, 24, 5), (5, 5, 5), (8, 8, 8), (3, 7, 5), (2, 5, 6), (1, 7, 7), (4, 30, 32)];
        let integers = integers.map(|(alu, multiply)| (alu, multiply, None));
        let floats = floats.map(|(alu, multiply, float)| (alu, multiply, Some(float)));
        for (alu, multiply, float) in integers.into_iter().chain(floats) {
            let what = format!("latencies {alu}, {multiply}, {float:?}");
            let slowest = multiply.max(float.unwrap_or_default());
            let mut slots = WritebackSlots::new(alu, multiply, float);
            slots.connect_all();
            let (mut taken, mut waiting, mut random) = (std::collections::HashSet::new(), None, 1u64);
            for cycle in 0..4000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (wanted, load_comes) = ((random >> 60) as usize & 3, (random >> 56) & 7 == 0);
                slots.take_multiply.next = false;
                slots.take_float.iter_mut().for_each(|take| take.next = false);
                if waiting.is_none() && load_comes {
                    waiting = Some(cycle);
                }
                slots.elastic_blocked.next = waiting.is_some() && taken.contains(&cycle);
                simulate(&mut slots, 1000);
                if waiting.is_some() && !taken.contains(&cycle) {
                    waiting = None;
                }
                let since = waiting.map_or(0, |since| cycle - since);
                assert!(since <= slowest + 1, "{what}: it starves");
                // Somebody always wants to issue, by preference one kind.
                let refuses_float = slots.refuse_float.first().is_none_or(|refuse| refuse.val());
                let kinds = [
                    (0, alu, slots.refuse_result.val()),
                    (1, multiply, slots.refuse_product.val()),
                    (2, float.unwrap_or_default(), refuses_float),
                ];
                let free = (0..3).map(|i| kinds[(wanted + i) % 3]).find(|(_, _, refused)| !refused);
                if let Some((kind, latency, _)) = free {
                    slots.take_multiply.next = kind == 1;
                    slots.take_float.iter_mut().for_each(|take| take.next = kind == 2);
                    assert!(taken.insert(cycle + 1 + latency), "{what}");
                }
                tick!(slots);
            }
        }
    }
}
