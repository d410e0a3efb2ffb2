//! Gathers, by CTA, how the warps of an active entry end what the entry runs.
//!
//! ```text
//!                    +-------------------------------+
//!  arrive ---------->| GatherRecords: {kind, PCs}    |---> mismatch
//!  is_first -------->| warps counted by what they do |
//!                    |                               |
//!  cta ------------->|                               |---> branch, lpc
//!                    +-------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrive` | | a warp of the active entry reaches the end of what the entry runs, see [`Arrival`] |
//! | `is_first` | 1 | it is the first one of that entry |
//! | `mismatch` | 1 | it came to another end than those before |
//! | `cta` | c | the CTA that the engine works on |
//! | `branch` | | what its warps gather for, with the one that arrives, see [`GatherRecord`] |
//! | `lpc` | 32 | the likely-convergence point of that branch; 1: none |
//!
//! Latency 0. State: a record per CTA. Arrivals are taken in every cycle, beside the engine: they concern
//! the CTA that it works on only if it takes it up in the cycle of its last arrival.
use super::{GatherRecord, GatherRecords};
use crate::prelude::*;

hardware_enum! {
    /// How the warps of a CTA-wide entry end what it runs.
    pub enum GatherKind {
        /// A branch that may split it.
        Branch,
        /// They go on elsewhere: a jump, the reconvergence point or the likely-convergence point.
        Move,
        /// Their threads end.
        Exit,
        /// Their threads wait at `bar.sync`.
        Barrier,
    }
}

bundle! {
    /// A warp of an active entry reaches the end of what the entry runs.
    pub struct Arrival(config: &CoreConfig) {
        valid: Bit,
        cta: [config.slot_width()],
        kind: GatherKind,
        /// PC of the branch, barrier or exit; where a move leads.
        pc: [32],
        /// Of a branch: its sides, of which the top one runs first, and where they meet; odd: nowhere.
        low_pc: [32],
        top_pc: [32],
        rpc: [32],
        lpc: [32],
        data_dependent: Bit,
        /// The warp's threads.
        home_warps: [config.warp_width(); config.lanes],
        mask: [config.lanes],
        /// Its lanes in each side.
        low: [config.lanes],
        top: [config.lanes],
        /// It goes on in this side, ahead of the others.
        bypass_low: Bit,
        bypass_top: Bit,
        /// It diverged; and was predicted not to profit.
        consults: Bit,
        predicts_bypass: Bit,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct GatheredBranches: clock {
        pub arrive: Arrival<In> = Arrival::new(config),
        pub is_first: Signal<In, Bit>,
        pub mismatch: Signal<Out, Bit>,
        pub cta: Net<In> = config.slot_width(),
        pub branch: GatherRecord<Out> = GatherRecord::new(warps, points),
        pub lpc: Net<Out> = 32,

        records: GatherRecords = GatherRecords::new(config.cta_slots, 2, warps, points) => {
            read_row[0]: cta, read_row[1]: arrive.cta, write_enable: arrive.valid,
            write_row: arrive.cta, write: joined,
        },
        joins: Signal<Local, Bit>,
        joined: GatherRecord<Local> = GatherRecord::new(warps, points),
        low_ahead: Net<Local> = count,
        top_ahead: Net<Local> = count,
        low_arrived: Net<Local> = count,
        top_arrived: Net<Local> = count,
        consulted: Net<Local> = count,
        bypassed: Net<Local> = count,
    }
    sizes { _count = count }
    /// For the CTAs of a core.
    pub fn new(config: &CoreConfig) {
        let (warps, points) = (config.warps, config.likely_convergence as usize);
        let count = index_width(warps + 1);
    }
}

impl Logic for GatheredBranches {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module GatheredBranches");

        // A warp joins those that have arrived before.
        self.low_ahead.next = self.records.read[1].low_ahead.val();
        self.top_ahead.next = self.records.read[1].top_ahead.val();
        self.low_arrived.next = self.records.read[1].low_arrived.val();
        self.top_arrived.next = self.records.read[1].top_arrived.val();
        self.consulted.next = self.records.read[1].consulted.val();
        self.bypassed.next = self.records.read[1].bypassed.val();
        if self.is_first.val() {
            self.low_ahead.next = 0.into();
            self.top_ahead.next = 0.into();
            self.low_arrived.next = 0.into();
            self.top_arrived.next = 0.into();
            self.consulted.next = 0.into();
            self.bypassed.next = 0.into();
        }
        for i in 0..self.joined.lpc.len() {
            self.joined.lpc[i].next = self.arrive.lpc.val();
        }
        self.joined.pc.next = self.arrive.pc.val();
        self.joined.low_pc.next = self.arrive.low_pc.val();
        self.joined.top_pc.next = self.arrive.top_pc.val();
        self.joined.rpc.next = self.arrive.rpc.val();
        self.joined.data_dependent.next = self.arrive.data_dependent.val();
        self.joined.kind.next = bit_cast_to(self.arrive.kind.val(), 2);
        self.joined.low_ahead.next = self.low_ahead.val() + bit_cast_to(self.arrive.bypass_low.val(), self._count);
        self.joined.top_ahead.next = self.top_ahead.val() + bit_cast_to(self.arrive.bypass_top.val(), self._count);
        self.joined.low_arrived.next = self.low_arrived.val() + bit_cast_to(self.arrive.low.val().any(), self._count);
        self.joined.top_arrived.next = self.top_arrived.val() + bit_cast_to(self.arrive.top.val().any(), self._count);
        self.joined.consulted.next = self.consulted.val() + bit_cast_to(self.arrive.consults.val(), self._count);
        self.joined.bypassed.next = self.bypassed.val() + bit_cast_to(self.arrive.predicts_bypass.val(), self._count);
        self.mismatch.next = self.arrive.valid.val()
            & !self.is_first.val()
            & ((self.records.read[1].kind.val() != bit_cast_to(self.arrive.kind.val(), 2))
                | (self.records.read[1].pc.val() != self.arrive.pc.val()));

        // What the engine sees.
        self.joins.next = self.arrive.valid.val() & (self.arrive.cta.val() == self.cta.val());
        wire::join(&mut self.branch, &mut self.records.read[0]);
        if self.joins.val() {
            wire::join(&mut self.branch, &mut self.joined);
        }
        self.lpc.next = 1.into();
        for i in 0..self.branch.lpc.len() {
            self.lpc.next = self.branch.lpc[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;
    use crate::divergence::cycle_script::{cycles, set};

    /// A line is a cycle: the CTA that the engine sees, then the CTA, PC, low and top lanes of a warp that arrives, `first` if it is, `low` or `top` if it runs
    /// ahead there `|` kind and PC, warps with threads in each side, warps ahead in each, and whether the warp that arrives came to another end.
    #[test]
    fn warps_of_two_ctas_arrive() {
        let mut gathered = GatheredBranches::new(&CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        gathered.connect_all();
        simulate(&mut gathered, 1000);
        let script = "
            0 0 40 01 23 first     | 0 40 11 00 | seen as it arrives
            0 1 80 - 0123 first top | 0 40 11 00
            1 0 40 - 0123          | 0 80 01 01
            0 0 44 - 012           | 0 44 13 00 mismatch
            0 1 80 3 - low         | 0 44 13 00
            1                      | 0 80 11 11";
        for (input, seen) in cycles(script) {
            let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            gathered.cta.next = number(input[0]);
            gathered.arrive.valid.next = input.len() > 1;
            if let [_, cta, pc, low, top, ..] = input[..] {
                gathered.arrive.cta.next = number(cta);
                gathered.arrive.pc.next = hex(pc);
                gathered.arrive.low.next = set(low);
                gathered.arrive.top.next = set(top);
                gathered.is_first.next = input.contains(&"first");
                gathered.arrive.bypass_low.next = input.contains(&"low");
                gathered.arrive.bypass_top.next = input.contains(&"top");
            }
            simulate(&mut gathered, 1000);
            let branch = &gathered.branch;
            let pair = |a: &Net<Out>, b: &Net<Out>| format!("{}{}", a.val().value(), b.val().value());
            let mut found = vec![branch.kind.val().value().to_string(), format!("{:x}", branch.pc.val().value())];
            found.push(pair(&branch.low_arrived, &branch.top_arrived));
            found.push(pair(&branch.low_ahead, &branch.top_ahead));
            if gathered.mismatch.val() {
                found.push("mismatch".into());
            }
            assert_eq!(found, seen, "{input:?}");
            tick!(gathered);
        }
    }
}
