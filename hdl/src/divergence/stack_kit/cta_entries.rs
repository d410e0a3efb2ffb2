//! The entries of all CTA-wide stacks, by {CTA, index}, without their threads.
//!
//! ```text
//!                                   +--------------------------+
//!  cta, index --------------------->| EntryOrigins             |---> rpc, ancestors
//!                                   | EntryStates              |---> state
//!  write_index, write_origin, new_* | entries with a point     |---> linked, is_linked
//!  write_state, new_state --------->|                          |---> lpc, lpos, lpos_slot
//!  new_linked --------------------->|                          |
//!                                   +--------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `cta`, `index` | c, d | the stack that the engine works on, and the entry it looks at |
//! | `rpc`, `ancestors` | 32, D | where its threads reconverge (1: nowhere); entries that they were split from |
//! | `state` | | its PC, and how its warps came there, see [`EntryState`] |
//! | `linked` | D | entries of the stack with a likely-convergence point |
//! | `is_linked`, `lpc`, `lpos`, `lpos_slot` | 1, 32, d, D | the entry is one; where its threads are likely to converge (1: nowhere), and into which entry they merge; one-hot, or 0 |
//! | `new_linked` | D | entries that are linked from now on |
//! | `write_index` | d | entry to write |
//! | `write_origin`, `new_rpc`, `new_ancestors`, `new_lpc`, `new_lpos` | 1, | with what stays with it |
//! | `write_state`, `new_state` | 1, | with what changes when it moves on |
//!
//! Latency: read 0, write 1. State: the entries, a bit each for linked.
use super::{EntryOrigins, EntryState, EntryStates};
use crate::prelude::*;

bundle! {
    /// An entry of a CTA-wide stack becomes active; its warps run there.
    pub struct Activation(config: &CoreConfig) {
        valid: Bit,
        cta: [config.slot_width()],
        index: [index_width(config.stack_depth)],
        pc: [32],
    }
}

bundle! {
    /// Warps that run ahead in a staged side now belong to an entry.
    pub struct Retag(entries: usize) {
        valid: Bit,
        /// The side is the top one.
        top: Bit,
        index: [index_width(entries)],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct CtaEntries: clock {
        pub cta: Net<In> = index_width(ctas),
        pub index: Net<In> = index,
        pub rpc: Net<Out> = 32,
        pub ancestors: Net<Out> = entries,
        pub state: EntryState<Out> = EntryState::new(warps),
        pub linked: Net<Out> = entries,
        pub is_linked: Signal<Out, Bit>,
        pub lpc: Net<Out> = 32,
        pub lpos: Net<Out> = index,
        pub lpos_slot: Net<Out> = entries,
        pub new_linked: Net<In> = entries,
        pub write_index: Net<In> = index,
        pub write_origin: Signal<In, Bit>,
        pub new_rpc: Net<In> = 32,
        pub new_ancestors: Net<In> = entries,
        pub new_lpc: Net<In> = 32,
        pub new_lpos: Net<In> = index,
        pub write_state: Signal<In, Bit>,
        pub new_state: EntryState<In> = EntryState::new(warps),

        origins: EntryOrigins = EntryOrigins::new(ctas << index, 1, entries, points) => {
            read[0].rpc: rpc, read[0].ancestors: ancestors, write_enable: write_origin, write.rpc: new_rpc,
            write.ancestors: new_ancestors,
        },
        states: EntryStates = EntryStates::new(ctas << index, 1, warps) => {
            read[0]: state, write_enable: write_state, write: new_state,
        },
        /// By CTA, as `linked`: one, or none.
        links: Vec<Memory> = (0..points).map(|_| Memory::new(entries, ctas, 1, 1, ReadKind::Asynchronous)).collect() => |i| {
            read_address[0]: cta, write_address[0]: cta, write_data[0]: new_linked,
        },
        one_entry: Constant = Constant::new(1, entries),
        index_bits: Constant = Constant::new(index as u64, index_width(index + 1)),
        stack: Net<Local> = row,
    }
    sizes { _row = row }
    /// For stacks of `entries` entries of `ctas` CTAs of up to `warps` warps, with likely-convergence points or without.
    pub fn new(ctas: usize, warps: usize, entries: usize, likely_convergence: bool) {
        let (index, points) = (index_width(entries), likely_convergence as usize);
        let row = index_width(ctas << index);
    }
}

impl Logic for CtaEntries {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaEntries");
        self.stack.next = bit_cast_to(self.cta.val(), self._row) << self.index_bits.val();
        self.origins.read_row[0].next = self.stack.val() | bit_cast_to(self.index.val(), self._row);
        self.states.read_row[0].next = self.stack.val() | bit_cast_to(self.index.val(), self._row);
        self.origins.write_row.next = self.stack.val() | bit_cast_to(self.write_index.val(), self._row);
        self.states.write_row.next = self.stack.val() | bit_cast_to(self.write_index.val(), self._row);
        self.linked.next = 0.into();
        self.is_linked.next = false;
        self.lpc.next = 1.into();
        self.lpos.next = 0.into();
        self.lpos_slot.next = 0.into();
        for i in 0..self.links.len() {
            self.links[i].write_enable[0].next = true;
            self.origins.write.lpc[i].next = self.new_lpc.val();
            self.origins.write.lpos[i].next = self.new_lpos.val();
            self.linked.next = self.links[i].read_data[0].val();
            self.is_linked.next = (self.linked.val() & (self.one_entry.val() << self.index.val())).any();
            self.lpos.next = self.origins.read[0].lpos[i].val();
            if self.is_linked.val() {
                self.lpc.next = self.origins.read[0].lpc[i].val();
                self.lpos_slot.next = self.one_entry.val() << self.lpos.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: CTA, entry looked at, linked entries of the CTA, then `put:ENTRY=RPC,LPC>LPOS` or `move:ENTRY=PC` `|` PC and RPC of the
    /// entry, its point and the entry it merges into.
    #[test]
    fn an_entry_moves_and_is_linked_as_long_as_the_stack_says() {
        let mut entries = CtaEntries::new(2, 4, 4, true);
        entries.connect_all();
        simulate(&mut entries, 1000);
        let script = "
            1 2 -  put:2=80,40>1   | 0 0  1 -
            1 2 2  move:2=24       | 0 80 1 -
            1 2 2                  | 24 80 40 1
            0 2 -                  | 0 0  1 -   | another CTA
            1 2 -  move:2=28       | 24 80 40 1
            1 2 -                  | 28 80 1 -";
        for (input, seen) in cycles(script) {
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
            let command =
                |name: &str| input.get(3).and_then(|word| word.strip_prefix(name)).and_then(|w| w.split_once('='));
            entries.cta.next = number(input[0]);
            entries.index.next = number(input[1]);
            entries.new_linked.next = set(input[2]);
            entries.write_origin.next = command("put:").is_some();
            entries.write_state.next = command("move:").is_some();
            if let Some((entry, origin)) = command("put:") {
                let (rpc, link) = origin.split_once(',').unwrap();
                let (lpc, lpos) = link.split_once('>').unwrap();
                entries.write_index.next = number(entry);
                entries.new_rpc.next = hex(rpc);
                entries.new_lpc.next = hex(lpc);
                entries.new_lpos.next = number(lpos);
            }
            if let Some((entry, pc)) = command("move:") {
                entries.write_index.next = number(entry);
                entries.new_state.pc.next = hex(pc);
            }
            simulate(&mut entries, 1000);
            let words = [&entries.state.pc, &entries.rpc, &entries.lpc].map(|net| format!("{:x}", net.val().value()));
            let found = words.into_iter().chain([digits(entries.lpos_slot.val())]).collect::<Vec<_>>();
            assert_eq!(found, seen, "{input:?}");
            assert_eq!(entries.is_linked.val(), digits(entries.linked.val()).contains(input[1]), "{input:?}");
            tick!(entries);
        }
    }
}
