//! The entries of all CTA-wide stacks that hold two paths, by {CTA, index}, without their threads.
//!
//! ```text
//!                               +------------------+
//!  cta, index ----------------->| PCs by path      |---> pcs[2]
//!  write_pc[2], pc ------------>|                  |
//!  new_index, write_new_pc[2] ->|                  |
//!  write_new, new_* ----------->| PathOrigins      |---> rpc, ancestors[2]
//!  write_side[2], new_sides[2] >| SideRecords x 2  |---> sides[2]
//!                               +------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `cta`, `index` | c, d | the stack that the engine works on, and the entry it looks at |
//! | `pcs[2]` | 32 | where its paths go on |
//! | `rpc`, `ancestors[2]` | 32, D | where they reconverge (1: nowhere); by path, the entries that they were split from |
//! | `sides[2]` | | how they came there, see [`SideRecord`] |
//! | `write_pc[2]`, `pc` | 1, 32 | a path of that entry goes on there |
//! | `new_index` | d | the entry that is pushed, or taken over |
//! | `write_new`, `new_rpc`, `new_ancestors[2]` | 1, | it is pushed |
//! | `write_new_pc[2]`, `new_pcs[2]` | 1, 32 | and has such a path |
//! | `write_side[2]`, `side_index`, `new_sides[2]` | 1, d, | of this entry, a path is a side of a branch, or has begun to run |
//!
//! Latency: read 0, write 1. State: the entries. A push writes the PCs of the new entry's paths, and in the same cycle that at which the path below
//! resumes.
use super::{PathOrigins, SideRecord, SideRecords};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaPathEntries: clock {
        pub cta: Net<In> = index_width(ctas),
        pub index: Net<In> = index,
        pub pcs: Vec<Net<Out>> = Net::vec(2, 32),
        pub rpc: Net<Out> = 32,
        pub ancestors: Vec<Net<Out>> = Net::vec(2, entries),
        pub sides: Vec<SideRecord<Out>> = (0..2).map(|_| SideRecord::new(warps)).collect(),
        pub write_pc: Vec<Signal<In, Bit>> = bit_vec(2),
        pub pc: Net<In> = 32,
        pub new_index: Net<In> = index,
        pub write_new: Signal<In, Bit>,
        pub new_rpc: Net<In> = 32,
        pub new_ancestors: Vec<Net<In>> = Net::vec(2, entries),
        pub write_new_pc: Vec<Signal<In, Bit>> = bit_vec(2),
        pub new_pcs: Vec<Net<In>> = Net::vec(2, 32),
        pub write_side: Vec<Signal<In, Bit>> = bit_vec(2),
        pub side_index: Net<In> = index,
        pub new_sides: Vec<SideRecord<In>> = (0..2).map(|_| SideRecord::new(warps)).collect(),

        path_pcs: Vec<Memory> = (0..2).map(|_| Memory::new(32, ctas << index, 1, 2, ReadKind::Asynchronous)).collect() => |s| {
            read_address[0]: read_row, read_data[0]: pcs[s], write_enable[0]: write_pc[s], write_address[0]: read_row,
            write_data[0]: pc, write_enable[1]: write_new_pc[s], write_address[1]: new_row, write_data[1]: new_pcs[s],
        },
        origins: PathOrigins = PathOrigins::new(ctas << index, 1, entries) => {
            read_row[0]: read_row, read[0].rpc: rpc, read[0].ancestors: ancestors, write_enable: write_new,
            write_row: new_row, write.rpc: new_rpc, write.ancestors: new_ancestors,
        },
        side_records: Vec<SideRecords> = (0..2).map(|_| SideRecords::new(ctas << index, 1, warps)).collect() => |s| {
            read_row[0]: read_row, read[0]: sides[s], write_enable: write_side[s], write_row: side_row,
            write: new_sides[s],
        },
        index_bits: Constant = Constant::new(index as u64, index_width(index + 1)),
        stack: Net<Local> = row,
        read_row: Net<Local> = row,
        new_row: Net<Local> = row,
        side_row: Net<Local> = row,
    }
    sizes { _row = row }
    /// For stacks of `entries` entries of `ctas` CTAs of up to `warps` warps.
    pub fn new(ctas: usize, warps: usize, entries: usize) {
        let index = index_width(entries);
        let row = index_width(ctas << index);
    }
}

impl Logic for CtaPathEntries {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaPathEntries");
        self.stack.next = bit_cast_to(self.cta.val(), self._row) << self.index_bits.val();
        self.read_row.next = self.stack.val() | bit_cast_to(self.index.val(), self._row);
        self.new_row.next = self.stack.val() | bit_cast_to(self.new_index.val(), self._row);
        self.side_row.next = self.stack.val() | bit_cast_to(self.side_index.val(), self._row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: CTA and entry looked at, then `push:ENTRY=LEFT,RIGHT,RPC` with `of:LEFT/RIGHT` ancestors, `left=PC` or `right=PC`, `ran:right` `|` PCs, RPC and
    /// ancestors of the entry, and which of its paths are new.
    #[test]
    fn a_push_writes_two_entries_at_once() {
        let mut entries = CtaPathEntries::new(2, 4, 4);
        entries.connect_all();
        simulate(&mut entries, 1000);
        let script = "
            1 0 push:1=40,50,80 of:0/-             | 0 0 0 - - -
            1 1 push:2=60,70,90 of:0/1 right=90    | 40 50 80 0 - LR
            1 1 left=44                            | 40 90 80 0 - LR
            1 1                                    | 44 90 80 0 - LR
            1 2 ran:right                          | 60 70 90 0 1 LR
            1 2                                    | 60 70 90 0 1 L
            0 2                                    | 0 0 0 - - -     | another CTA";
        for (input, seen) in cycles(script) {
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
            let given = |name: &str| input.iter().find_map(|word| word.strip_prefix(name));
            let push = given("push:").and_then(|push| push.split_once('='));
            entries.cta.next = number(input[0]);
            entries.index.next = number(input[1]);
            entries.write_new.next = push.is_some();
            entries.side_index.next = number(input[1]);
            if let Some((index, rest)) = push {
                let words: Vec<&str> = rest.split(',').collect();
                entries.new_index.next = number(index);
                entries.side_index.next = number(index);
                (0..2).for_each(|s| entries.new_pcs[s].next = hex(words[s]));
                entries.new_rpc.next = hex(words[2]);
            }
            if let Some((left, right)) = given("of:").and_then(|of| of.split_once('/')) {
                entries.new_ancestors[0].next = set(left);
                entries.new_ancestors[1].next = set(right);
            }
            for (s, name) in ["left", "right"].into_iter().enumerate() {
                let pc = given(&format!("{name}="));
                entries.write_pc[s].next = pc.is_some();
                entries.write_new_pc[s].next = push.is_some();
                entries.write_side[s].next = push.is_some() || given("ran:") == Some(name);
                entries.new_sides[s].is_new.next = push.is_some();
                if let Some(pc) = pc {
                    entries.pc.next = hex(pc);
                }
            }
            simulate(&mut entries, 1000);
            let words = [&entries.pcs[0], &entries.pcs[1], &entries.rpc].map(|net| format!("{:x}", net.val().value()));
            let mut found = words.to_vec();
            found.extend(entries.ancestors.iter().map(|net| digits(net.val())));
            let new: String = (0..2).filter(|&s| entries.sides[s].is_new.val()).map(|s| ['L', 'R'][s]).collect();
            found.push(if new.is_empty() { "-".into() } else { new });
            assert_eq!(found, seen, "{input:?}");
            tick!(entries);
        }
    }
}
