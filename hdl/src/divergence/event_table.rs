//! Resolved control instructions of all warps, until the reconvergence unit serves them.
//!
//! ```text
//!                   +------------+
//!  resolve_* ------>|            |---> pending
//!                   | EventTable |
//!  serve, warp ---->|            |---> event_*, uniform, data_dependent, home_warps[L]
//!                   +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `resolve_*` | | outcome of a control instruction, from EXECUTE |
//! | `pending` | W | warps that have one |
//! | `warp` | w | the warp to look at |
//! | `serve` | 1 | its instruction has been applied |
//! | `event` | | that instruction, see [`ControlRecords`] |
//! | `uniform`, `data_dependent`, `home_warps[L]` | 1, 1, w | more about it, as resolved; without compaction 0, 0 and absent |
//!
//! Latency 1. State: a row per warp. A warp has at most one unresolved control instruction. A table and not a queue, since a warp that runs ahead
//! waits for its entry while others are served: Rhu 2014, 4.2.
use super::{ControlEvent, ControlRecords};
use crate::interface::Resolve;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct EventTable: clock, reset {
        pub resolve: Resolve<In> = Resolve::new(lanes, warp, warp, home_warps),
        pub pending: Net<Out> = warps,
        pub warp: Net<In> = warp,
        pub serve: Signal<In, Bit>,
        pub event: ControlEvent<Out> = ControlEvent::new(lanes),
        pub uniform: Signal<Out, Bit>,
        pub data_dependent: Signal<Out, Bit>,
        pub home_warps: Vec<Net<Out>> = Net::vec(kept, warp),

        valid: Register = Register::new(warps) => { q: pending },
        kept: Net<Local> = warps,
        one_warp: Constant = Constant::new(1, warps),
        records: ControlRecords = ControlRecords::new(lanes, warps, home_warps, likely_convergence, false) => {
            write_enable: resolve.valid, write_row: resolve.warp, resolve, read_row: warp, event,
        },
        /// Where warps are compacted, {data-dependent, uniform}: one, else none.
        classes: Vec<Memory> = (0..compacts as usize).map(|_| column(2)).collect() => |i| {
            write_enable[0]: resolve.valid, write_address[0]: resolve.warp, read_address[0]: warp,
        },
        home_warp_numbers: Vec<Memory> = (0..kept).map(|_| column(warp)).collect() => |lane| {
            write_enable[0]: resolve.valid, write_address[0]: resolve.warp, write_data[0]: resolve.home_warps[lane],
            read_address[0]: warp, read_data[0]: home_warps[lane],
        },
    }
    /// For `warps` warps of `lanes` threads, with what compaction must know or without, with likely-convergence points or without.
    pub fn new(lanes: usize, warps: usize, compacts: bool, likely_convergence: bool) {
        let (kept, home_warps) = if compacts { (lanes, lanes) } else { (0, 1) };
        let warp = index_width(warps);
        let column = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for EventTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module EventTable");
        self.kept.next = self.valid.q.val();
        if self.serve.val() {
            self.kept.next = self.valid.q.val() & !(self.one_warp.val() << self.warp.val());
        }
        self.valid.d.next = self.kept.val();
        if self.resolve.valid.val() {
            self.valid.d.next = self.kept.val() | (self.one_warp.val() << self.resolve.warp.val());
        }

        self.uniform.next = false;
        self.data_dependent.next = false;
        for i in 0..self.classes.len() {
            self.classes[i].write_data[0].next = bit_cast_to(self.resolve.annotation.uniform.val(), 2)
                | (bit_cast_to(self.resolve.annotation.data_dependent.val(), 2) << 1);
            self.uniform.next = self.classes[i].read_data[0].val().get_bit(0);
            self.data_dependent.next = self.classes[i].read_data[0].val().get_bit(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, digits, set};
    use super::*;
    use crate::interface::ControlKind;

    /// One line a cycle: `warp:Kind:taken/lanes` resolves (or `-`), then the warp looked at, and whether it is served `|` pending warps and,
    /// if it has one, the instruction of the warp looked at.
    fn run(script: &str) {
        let mut table = EventTable::new(4, 4, true, true);
        table.connect_all();
        simulate(&mut table, 1000);
        for (inputs, seen) in cycles(script) {
            let [resolved, warp, serve] = inputs[..] else { panic!("{inputs:?}") };
            table.resolve.valid.next = resolved != "-";
            if let [by, kind, lanes] = resolved.split(':').collect::<Vec<_>>()[..] {
                let (taken, mask) = lanes.split_once('/').unwrap();
                table.resolve.warp.next = by.parse::<usize>().unwrap().into();
                table.resolve.kind.next = *ControlKind::VARIANTS.iter().find(|k| format!("{k:?}") == kind).unwrap();
                table.resolve.taken.next = set(taken);
                table.resolve.mask.next = set(mask);
            }
            let warp: usize = warp.parse().unwrap();
            table.warp.next = warp.into();
            table.serve.next = serve == "serve";
            simulate(&mut table, 1000);
            let mut found = vec![digits(table.pending.val())];
            if table.pending.val().get_bit(warp) {
                found.push(format!("{:?}", table.event.kind.val()));
                found.push(format!("{}/{}", digits(table.event.taken.val()), digits(table.event.mask.val())));
            }
            assert_eq!(found, seen, "{inputs:?}");
            tick!(table);
        }
    }

    /// Not in the order of their arrival: the unit chooses, for a warp that runs ahead must wait for its entry.
    #[test]
    fn warps_are_served_in_any_order() {
        run("2:Branch:01/0123 2 -     | -
             1:Exit:-/3       2 -     | 2  Branch 01/0123
             -                1 serve | 12 Exit   -/3
             0:Barrier:-/12   2 -     | 2  Branch 01/0123
             -                0 serve | 02 Barrier -/12
             -                2 serve | 2  Branch 01/0123
             -                2 -     | -");
    }

    #[test]
    fn one_resolves_while_another_is_served() {
        run("3:Jump:0/0       3 -     | -
             0:Jump:12/12     3 serve | 3  Jump 0/0
             3:Branch:-/0     0 serve | 0  Jump 12/12
             -                3 serve | 3  Branch -/0
             -                3 -     | -");
    }

    #[test]
    fn every_field_comes_back() {
        let mut table = EventTable::new(4, 4, true, true);
        table.connect_all();
        simulate(&mut table, 1000);
        for warp in 0..4 {
            table.resolve.valid.next = true;
            table.resolve.warp.next = warp.into();
            table.resolve.target.next = (0x100 * warp).into();
            table.resolve.next_pc.next = (0x100 * warp + 4).into();
            table.resolve.annotation.rpc.next = (0x100 * warp + 8).into();
            table.resolve.annotation.rpc_valid.next = warp != 2;
            table.resolve.annotation.lpc.next = (0x100 * warp + 12).into();
            table.resolve.annotation.uniform.next = warp & 1 == 1;
            table.resolve.annotation.data_dependent.next = warp & 2 == 2;
            (0..4).for_each(|lane| table.resolve.home_warps[lane].next = ((warp + lane) % 4).into());
            tick!(table);
        }
        table.resolve.valid.next = false;
        for warp in 0..4 {
            table.warp.next = warp.into();
            simulate(&mut table, 1000);
            let words = [&table.event.target, &table.event.next_pc, &table.event.rpc, &table.event.lpc]
                .map(|word| word.val().index());
            let rpc = if warp == 2 { 1 } else { 0x100 * warp + 8 };
            assert_eq!(words, [0x100 * warp, 0x100 * warp + 4, rpc, 0x100 * warp + 12]);
            assert_eq!((table.uniform.val(), table.data_dependent.val()), (warp & 1 == 1, warp & 2 == 2));
            assert!((0..4).all(|lane| table.home_warps[lane].val().index() == (warp + lane) % 4));
        }
    }
}
