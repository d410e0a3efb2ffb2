//! The entries of all stacks of warps: {PC, mask} by side and an RPC, by {warp, index}.
//!
//! ```text
//!                                          +--------------+
//!  warp, index --------------------------->|              |---> pcs[S], masks[S], rpc
//!  write_pc[S], pc_index, new[S].pc ------>| StackEntries |
//!  write_mask[S], mask_index, new[S].mask->|              |
//!  write_rpc, new_rpc -------------------->|              |
//!                                          +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp`, `index` | w, d | the stack that the engine works on, and the entry it looks at |
//! | `pcs[S]`, `masks[S]`, `rpc` | 32, L, 32 | where the threads of each side are, which they are, and where they reconverge |
//! | `write_pc[S]`, `pc_index`, `new_pc[S]` | 1, d, 32 | another PC for a side of this entry |
//! | `write_mask[S]`, `mask_index`, `new_mask[S]` | 1, d, L | other lanes for a side of this one |
//! | `write_rpc`, `new_rpc` | 1, 32 | which ends there |
//!
//! Latency: read 0, write 1. State: the entries, of which each field has a memory of its own, behind one address.
//!
//! A path that is suspended writes its PC back to its entry while another entry gets its lanes: hence two indices.
use crate::divergence::Path;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct StackEntries: clock {
        pub warp: Net<In> = index_width(warps),
        pub index: Net<In> = index,
        pub pcs: Vec<Net<Out>> = Net::vec(sides, 32),
        pub masks: Vec<Net<Out>> = Net::vec(sides, lanes),
        pub rpc: Net<Out> = 32,
        pub write_pc: Vec<Signal<In, Bit>> = bit_vec(sides),
        pub pc_index: Net<In> = index,
        pub new: Vec<Path<In>> = (0..sides).map(|_| Path::new(lanes)).collect(),
        pub write_mask: Vec<Signal<In, Bit>> = bit_vec(sides),
        pub mask_index: Net<In> = index,
        pub write_rpc: Signal<In, Bit>,
        pub new_rpc: Net<In> = 32,

        entry_pcs: Vec<Memory> = (0..sides).map(|_| by_entry(32)).collect() => |s| {
            read_address[0]: read_row, read_data[0]: pcs[s], write_enable[0]: write_pc[s], write_address[0]: pc_row,
            write_data[0]: new[s].pc,
        },
        entry_masks: Vec<Memory> = (0..sides).map(|_| by_entry(lanes)).collect() => |s| {
            read_address[0]: read_row, read_data[0]: masks[s], write_enable[0]: write_mask[s],
            write_address[0]: mask_row, write_data[0]: new[s].mask,
        },
        rpcs: Memory = by_entry(32) => {
            read_address[0]: read_row, read_data[0]: rpc, write_enable[0]: write_rpc, write_address[0]: mask_row,
            write_data[0]: new_rpc,
        },
        index_bits: Constant = Constant::new(index as u64, index_width(index + 1)),
        stack: Net<Local> = row,
        read_row: Net<Local> = row,
        pc_row: Net<Local> = row,
        mask_row: Net<Local> = row,
    }
    sizes { _row = row }
    /// For `warps` stacks of `entries` entries with `sides` paths of `lanes` threads.
    pub fn new(lanes: usize, warps: usize, entries: usize, sides: usize) {
        let index = index_width(entries);
        let row = index_width(warps << index);
        let by_entry = |width| Memory::new(width, warps << index, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for StackEntries {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module StackEntries");
        self.stack.next = bit_cast_to(self.warp.val(), self._row) << self.index_bits.val();
        self.read_row.next = self.stack.val() | bit_cast_to(self.index.val(), self._row);
        self.pc_row.next = self.stack.val() | bit_cast_to(self.pc_index.val(), self._row);
        self.mask_row.next = self.stack.val() | bit_cast_to(self.mask_index.val(), self._row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: warp and entry looked at, then what is written to that warp's stack: `pc:SIDE@ENTRY=PC`, `mask:SIDE@ENTRY=LANES`,
    /// `rpc=PC` (where the mask goes) `|` both sides of the entry, and its RPC.
    #[track_caller]
    fn run(script: &str) {
        let mut entries = StackEntries::new(4, 3, 5, 2);
        entries.connect_all();
        simulate(&mut entries, 1000);
        for (input, seen) in cycles(script) {
            let number = |text: &str| text.parse::<usize>().unwrap();
            entries.warp.next = number(input[0]).into();
            entries.index.next = number(input[1]).into();
            (0..2).for_each(|s| entries.write_pc[s].next = false);
            (0..2).for_each(|s| entries.write_mask[s].next = false);
            entries.write_rpc.next = false;
            for write in &input[2..] {
                let (what, value) = write.split_once('=').unwrap();
                let place = what.split_once(':').and_then(|(_, place)| place.split_once('@'));
                let (side, entry) = place.map_or((0, 0), |(side, entry)| (number(side), number(entry)));
                match &what[..2] {
                    "pc" => {
                        entries.write_pc[side].next = true;
                        entries.pc_index.next = entry.into();
                        entries.new[side].pc.next = number(value).into();
                    }
                    "ma" => {
                        entries.write_mask[side].next = true;
                        entries.mask_index.next = entry.into();
                        entries.new[side].mask.next = set(value);
                    }
                    _ => {
                        entries.write_rpc.next = true;
                        entries.new_rpc.next = number(value).into();
                    }
                }
            }
            simulate(&mut entries, 1000);
            let side = |s: usize| format!("{}:{}", entries.pcs[s].val().value(), digits(entries.masks[s].val()));
            assert_eq!([side(0), side(1), entries.rpc.val().value().to_string()], seen[..], "{input:?}");
            tick!(entries);
        }
    }

    #[test]
    fn two_entries_are_written_at_once() {
        run("2 1                                   | 0:- 0:- 0
             2 1 pc:0@1=40 mask:0@4=013 rpc=80     | 0:- 0:- 0
             2 1 pc:1@4=44 mask:1@4=2              | 40:- 0:- 0
             2 4                                   | 0:013 44:2 80
             1 4 mask:0@4=0                        | 0:- 0:- 0    | another stack
             2 4                                   | 0:013 44:2 80
             1 4                                   | 0:0 0:- 0");
    }
}
