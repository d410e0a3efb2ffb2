//! Which lanes that have their words go to the load table.
//!
//! ```text
//!  bank[0]_* --+
//!  bank[1]_* --+--> mux --> complete_*
//!  shared_* ---+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `bank[B]_*`, `bank_ready` | B | from the banks of the L1; taken, a bit per bank |
//! | `shared_*`, `shared_ready` | | from the shared memory; taken |
//! | `complete_*`, `complete_ready` | | to the load table; taken |
//!
//! Latency 0. State: with two banks, whose turn it is. Banks go before the shared memory. What both banks have for one instruction goes together;
//! of two instructions one waits for the next cycle.
use super::LaneWords;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ResultArbiter: clock, reset {
        pub bank: Vec<LaneWords<In>> = (0..banks).map(|_| LaneWords::new(config, entry)).collect(),
        pub bank_ready: Net<Out> = banks,
        pub shared: LaneWords<In> = LaneWords::new(config, entry),
        pub shared_ready: Signal<Out, Bit>,
        pub complete: LaneWords<Out> = LaneWords::new(config, entry),
        pub complete_ready: Signal<In, Bit>,

        chosen: Net<Local> = banks,
        any: Signal<Local, Bit>,
        /// Both banks have lanes of one instruction.
        together: Signal<Local, Bit>,
        /// Of two banks: the second goes first. One less than banks.
        turns: Vec<StateRegister<Bit>> = (1..banks).map(|_| Default::default()).collect(),
    }
    /// For load-table entries of `entry` bits in the core `config`.
    pub fn new(config: &CoreConfig, entry: usize) {
        let banks = config.l1_ports;
    }
}

impl Logic for ResultArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ResultArbiter");
        self.any.next = self.bank[0].valid.val();
        self.chosen.next = 1.into();
        self.together.next = false;
        wire::join(&mut self.shared, &mut self.complete);
        if self.bank[0].valid.val() {
            wire::join(&mut self.bank[0], &mut self.complete);
        }
        for t in 0..self.turns.len() {
            self.any.next = self.bank[0].valid.val() | self.bank[1].valid.val();
            self.together.next = self.bank[0].valid.val()
                & self.bank[1].valid.val()
                & (self.bank[0].entry.val() == self.bank[1].entry.val());
            if self.together.val() {
                self.chosen.next = 3.into();
                self.complete.lanes.next = self.bank[0].lanes.val() | self.bank[1].lanes.val();
            } else if self.bank[1].valid.val() & (!self.bank[0].valid.val() | self.turns[t].q.val()) {
                self.chosen.next = 2.into();
                self.complete.valid.next = true;
                self.complete.entry.next = self.bank[1].entry.val();
                self.complete.lanes.next = self.bank[1].lanes.val();
            }
            for i in 0..self.complete.word.len() {
                if self.chosen.val().get_bit(1) & (!self.together.val() | self.bank[1].lanes.val().get_bit(i)) {
                    self.complete.word[i].next = self.bank[1].word[i].val();
                    self.complete.offset[i].next = self.bank[1].offset[i].val();
                }
            }
            self.turns[t].d.next = self.turns[t].q.val();
            if self.complete_ready.val() & self.any.val() {
                self.turns[t].d.next = self.chosen.val().get_bit(0);
            }
        }
        self.bank_ready.next = 0.into();
        self.shared_ready.next = false;
        if self.complete_ready.val() {
            self.bank_ready.next = self.chosen.val();
            self.shared_ready.next = !self.any.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two banks, the shared memory, as `entry:lanes`; each lane of source *s* has the word *s*. One line a cycle:
    /// `bank 0, bank 1, shared, ready | entry:words of the lanes, 3 to 0, taken: banks, shared`.
    const CHOOSES: &str = "
        -      -      -      1 | -      00 1
        -      -      2:0001 1 | 2:---2 00 1
        0:0011 -      2:0001 1 | 0:--00 01 0   banks go before
        0:0011 1:1100 -      1 | 1:11-- 10 0   the other's turn
        0:0011 1:0001 -      0 | 0:--00 00 0
        0:0011 1:0001 -      1 | 0:--00 01 0
        1:0101 1:1000 2:1111 1 | 1:10-0 11 0   of one instruction: together
        3:0001 1:1000 -      1 | 1:1--- 10 0
        -      1:1000 2:1111 0 | 1:1--- 00 0
        -      1:1000 2:1111 1 | 1:1--- 10 0";

    #[test]
    fn chooses() {
        let mut arbiter = ResultArbiter::new(&CoreConfig { l1_ports: 2, ..CoreConfig::tiny() }, 2);
        arbiter.connect_all();
        simulate(&mut arbiter, 100);
        for line in CHOOSES.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            let ResultArbiter { bank, shared, .. } = &mut arbiter;
            for (s, (source, field)) in bank.iter_mut().chain([shared]).zip(&fields).enumerate() {
                let (entry, lanes) = field.split_once(':').unwrap_or(("0", "0"));
                source.valid.next = *field != "-";
                source.entry.next = entry.parse::<usize>().unwrap().into();
                source.lanes.next = usize::from_str_radix(lanes, 2).unwrap().into();
                source.word.iter_mut().for_each(|word| word.next = s.into());
            }
            arbiter.complete_ready.next = fields[3] == "1";
            simulate(&mut arbiter, 100);
            let word = |lane: usize| match arbiter.complete.lanes.val().get_bit(lane) {
                true => arbiter.complete.word[lane].val().value().to_string(),
                false => "-".into(),
            };
            let found = match arbiter.complete.valid.val() {
                true => {
                    format!("{}:{}", arbiter.complete.entry.val().value(), (0..4).rev().map(word).collect::<String>())
                }
                false => "-".into(),
            };
            let taken = format!("{:02b} {}", arbiter.bank_ready.val().value(), arbiter.shared_ready.val() as u8);
            // Without a bank's, which one would be taken means nothing.
            let taken = if fields[..2] == ["-", "-"] { format!("00 {}", &taken[3..]) } else { taken };
            assert_eq!(format!("{found} {taken}"), fields[5..8].join(" "), "{line}");
            tick!(arbiter);
        }
    }
}
