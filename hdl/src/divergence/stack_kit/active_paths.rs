//! The active paths of every warp: read at FETCH, advanced at DECODE, replaced by the engine of a stack.
//!
//! ```text
//!                         +------------------------------------+
//!  fetch_warp ----------->| {pc, mask} by side and warp        |---> fetch_pc, fetch_mask, fetch_rpc, next_pc
//!                         | rpc by warp                        |---> fetch_pcs[S], fetch_masks[S], is_fetched[S]
//!                         |    |                               |
//!  decoded -------------->|  DECODE: PC + 4, ends at the RPC   |---> in_decode[S], ended[S], blocked[S]
//!                         |                                    |
//!  warp ----------------->|  the engine's warp                 |---> pcs[S], masks[S], rpc
//!  write_pc[S], new_* --->|                                    |
//!                         +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp` | p | the path fetched this cycle, {side, warp} |
//! | `fetch_pc`, `fetch_mask` | 32, L | its PC and lanes |
//! | `fetch_rpc` | 32 | where the paths of its warp end |
//! | `next_pc` | 32 | PC of the instruction behind the one fetched |
//! | `fetch_pcs[S]`, `fetch_masks[S]`, `is_fetched[S]` | 32, L, 1 | the paths of that warp, by side; which of them is fetched |
//! | `decoded` | | the path fetched in the last cycle is in DECODE |
//! | `in_decode[S]` | W | by side: its warp |
//! | `ended[S]` | W | that warp, if the path ends behind the instruction: it is at the RPC |
//! | `blocked[S]` | W | that warp, if the path is not fetched again until the engine has served it: it ends, or its control instruction must be resolved |
//! | `warp` | w | the warp that the engine works on |
//! | `pcs[S]`, `masks[S]`, `rpc` | 32, L, 32 | its paths, and where they end |
//! | `write_pc[S]`, `new_pc[S]`, `write_mask[S]`, `new_mask[S]` | 1, 32, 1, L | it gets another PC, other lanes |
//! | `write_rpc`, `rpc_warp`, `new_rpc` | 1, w, 32 | this warp's paths end there |
//!
//! and with paths that meet on their way:
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `merge`, `merged_mask` | 1, L | the path fetched goes on with these lanes |
//! | `resolve_warp`, `resolve_rpc` | w, 32 | where the paths of another warp end |
//!
//! Latency: reads 0, writes 1. The engine never writes a path in DECODE. State per warp: a PC and a mask by side, an RPC.
//!
//! The next PC and whether it is the RPC are computed in FETCH and kept for a cycle, so DECODE need not read the path again.
use crate::divergence::Path;
use crate::interface::Decoded;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ActivePaths: clock {
        pub fetch_warp: Net<In> = path,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub fetch_rpc: Net<Out> = 32,
        pub next_pc: Net<Out> = 32,
        pub fetch_pcs: Vec<Net<Out>> = Net::vec(sides, 32),
        pub fetch_masks: Vec<Net<Out>> = Net::vec(sides, lanes),
        pub is_fetched: Vec<Signal<Out, Bit>> = bit_vec(sides),
        pub decoded: Decoded<In> = Decoded::new(lanes, path),
        pub in_decode: Vec<Net<Out>> = Net::vec(sides, warps),
        pub ended: Vec<Net<Out>> = Net::vec(sides, warps),
        pub blocked: Vec<Net<Out>> = Net::vec(sides, warps),
        pub warp: Net<In> = warp,
        pub pcs: Vec<Net<Out>> = Net::vec(sides, 32),
        pub masks: Vec<Net<Out>> = Net::vec(sides, lanes),
        pub rpc: Net<Out> = 32,
        pub write_pc: Vec<Signal<In, Bit>> = bit_vec(sides),
        pub new: Vec<Path<In>> = (0..sides).map(|_| Path::new(lanes)).collect(),
        pub write_mask: Vec<Signal<In, Bit>> = bit_vec(sides),
        pub write_rpc: Signal<In, Bit>,
        pub rpc_warp: Net<In> = warp,
        pub new_rpc: Net<In> = 32,
        pub merge: Vec<Signal<In, Bit>> = bit_vec(meeting),
        pub merged_mask: Vec<Net<In>> = Net::vec(meeting, lanes),
        pub resolve_warp: Vec<Net<In>> = Net::vec(meeting, warp),
        pub resolve_rpc: Vec<Net<Out>> = Net::vec(meeting, 32),

        path_pcs: Vec<Memory> = (0..sides).map(|_| by_warp(32, 2, 2)).collect() => |s| {
            read_address[0]: fetched, read_data[0]: fetch_pcs[s], write_address[0]: decode_warp,
            write_data[0]: following_pc.q, read_address[1]: warp, read_data[1]: pcs[s], write_enable[1]: write_pc[s],
            write_address[1]: warp, write_data[1]: new[s].pc,
        },
        path_masks: Vec<Memory> = (0..sides).map(|_| by_warp(lanes, 2, 1 + meeting)).collect() => |s| {
            read_address[0]: fetched, read_data[0]: fetch_masks[s], read_address[1]: warp, read_data[1]: masks[s],
        },
        rpcs: Memory = by_warp(32, 2 + meeting, 1) => {
            read_data[0]: fetch_rpc, read_data[1]: rpc, write_enable[0]: write_rpc, write_address[0]: rpc_warp,
            write_data[0]: new_rpc,
        },
        // Of the path fetched in the last cycle: the PC behind its instruction, and whether that is its RPC.
        following_pc: Flop = Flop::new(32) => { d: next_pc },
        following_is_rpc: Flop = Flop::new(1),

        one_warp: Constant = Constant::new(1, warps),
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << warp) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(warp), path),
        fetched: Net<Local> = warp,
        fetched_side: Net<Local> = path,
        decode_warp: Net<Local> = warp,
        decoded_bit: Net<Local> = warps,
        decoded_side: Net<Local> = path,
    }
    sizes { _warp = warp }
    /// For `warps` warps of `lanes` threads with up to `sides` paths each (a power of two), which may meet on their way or not.
    pub fn new(lanes: usize, warps: usize, sides: usize, paths_meet: bool) {
        let (warp, meeting) = (index_width(warps), paths_meet as usize);
        let path = warp + sides.ilog2() as usize;
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
    }
}

impl Logic for ActivePaths {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ActivePaths");
        dff_setup!(self, clock, following_is_rpc);

        // FETCH reads the path.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetched_side.next = self.fetch_warp.val() & self.side_bits.val();
        self.fetch_pc.next = 0.into();
        self.fetch_mask.next = 0.into();
        for s in 0..self.path_pcs.len() {
            self.is_fetched[s].next = self.fetched_side.val() == self.sides[s].val();
            if self.is_fetched[s].val() {
                self.fetch_pc.next = self.path_pcs[s].read_data[0].val();
                self.fetch_mask.next = self.path_masks[s].read_data[0].val();
            }
        }
        self.rpcs.read_address[0].next = self.fetched.val();
        self.next_pc.next = self.fetch_pc.val() + 4;
        self.following_is_rpc.d.next = bit_cast_to(self.next_pc.val() == self.rpcs.read_data[0].val(), 1);

        // DECODE advances it.
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._warp);
        self.decoded_side.next = self.decoded.warp.val() & self.side_bits.val();
        self.decoded_bit.next = 0.into();
        if self.decoded.valid.val() {
            self.decoded_bit.next = self.one_warp.val() << self.decode_warp.val();
        }
        for s in 0..self.path_pcs.len() {
            self.in_decode[s].next = 0.into();
            if self.decoded_side.val() == self.sides[s].val() {
                self.in_decode[s].next = self.decoded_bit.val();
            }
            self.path_pcs[s].write_enable[0].next = self.in_decode[s].val().any() & !self.decoded.control.val();
            self.ended[s].next = 0.into();
            self.blocked[s].next = 0.into();
            if self.decoded.control.val() {
                self.blocked[s].next = self.in_decode[s].val();
            } else if self.following_is_rpc.q.val().any() {
                self.blocked[s].next = self.in_decode[s].val();
                self.ended[s].next = self.in_decode[s].val();
            }
        }

        // The engine replaces it.
        self.rpcs.read_address[1].next = self.warp.val();
        for s in 0..self.path_pcs.len() {
            self.path_masks[s].write_enable[0].next = self.write_mask[s].val();
            self.path_masks[s].write_address[0].next = self.warp.val();
            self.path_masks[s].write_data[0].next = self.new[s].mask.val();
        }
        for i in 0..self.merge.len() {
            self.rpcs.read_address[i + 2].next = self.resolve_warp[i].val();
            self.resolve_rpc[i].next = self.rpcs.read_data[i + 2].val();
            for s in 0..self.path_masks.len() {
                self.path_masks[s].write_enable[i + 1].next = self.merge[i].val() & self.is_fetched[s].val();
                self.path_masks[s].write_address[i + 1].next = self.fetched.val();
                self.path_masks[s].write_data[i + 1].next = self.merged_mask[i].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits};

    /// A line is a cycle of two warps with two sides: `fetch SIDE WARP`, `step SIDE WARP` or `control SIDE WARP` (DECODE), `put SIDE WARP pc mask rpc`
    /// (the engine's) `|` PC and mask of the path fetched last, then by side the warps that end, and that are blocked.
    #[track_caller]
    fn run(script: &str) {
        let mut paths = ActivePaths::new(4, 2, 2, false);
        paths.connect_all();
        simulate(&mut paths, 1000);
        let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
        for (input, seen) in cycles(script) {
            let place = |i: usize| input.get(i).map_or(0, |text| text.parse::<usize>().unwrap());
            let (side, warp) = (place(1), place(2));
            paths.decoded.valid.next = ["step", "control"].contains(&input[0]);
            paths.decoded.control.next = input[0] == "control";
            paths.decoded.warp.next = (side << 1 | warp).into();
            (0..2).for_each(|s| paths.write_pc[s].next = input[0] == "put" && s == side);
            (0..2).for_each(|s| paths.write_mask[s].next = input[0] == "put" && s == side);
            paths.write_rpc.next = input[0] == "put";
            paths.warp.next = warp.into();
            paths.rpc_warp.next = warp.into();
            match input[..] {
                ["put", _, _, pc, mask, rpc] => {
                    paths.new[side].pc.next = hex(pc);
                    paths.new[side].mask.next = usize::from_str_radix(mask, 2).unwrap().into();
                    paths.new_rpc.next = hex(rpc);
                }
                ["fetch", ..] => paths.fetch_warp.next = (side << 1 | warp).into(),
                _ => {}
            }
            simulate(&mut paths, 1000);
            let mut found = vec![format!("{:x}:{:04b}", paths.fetch_pc.val().value(), paths.fetch_mask.val().value())];
            found.extend((0..2).flat_map(|s| [&paths.ended[s], &paths.blocked[s]].map(|net| digits(net.val()))));
            assert_eq!(found, seen, "{input:?}");
            tick!(paths);
        }
    }

    #[test]
    fn a_path_advances_up_to_its_rpc() {
        run("put 0 0 10 0011 18  | 0:0000  - - - -
             put 1 0 14 1100 18  | 10:0011 - - - -
             put 0 1 40 1111 1   | 10:0011 - - - -
             fetch 0 0           | 10:0011 - - - -
             step 0 0            | 10:0011 - - - -
             fetch 1 0           | 14:1100 - - - -
             step 1 0            | 14:1100 - - 0 0 | behind it is the RPC
             fetch 0 1           | 40:1111 - - - -
             control 0 1         | 40:1111 - 1 - - | it goes nowhere before it is resolved
             fetch 0 0           | 14:0011 - - - -
             fetch 1 0           | 18:1100 - - - -
             fetch 0 1           | 40:1111 - - - -");
    }

    #[test]
    fn a_path_takes_in_the_lanes_of_one_that_it_meets() {
        let mut paths = ActivePaths::new(4, 2, 4, true);
        paths.connect_all();
        for side in 0..4 {
            paths.write_mask[side].next = true;
            paths.new[side].mask.next = (1usize << side).into();
            paths.write_pc[side].next = true;
            paths.new[side].pc.next = (0x40 + 4 * side).into();
        }
        paths.warp.next = 1.into();
        tick!(paths);
        for side in 0..4 {
            paths.write_mask[side].next = false;
            paths.write_pc[side].next = false;
        }
        paths.fetch_warp.next = (2usize << 1 | 1).into();
        paths.merge[0].next = true;
        paths.merged_mask[0].next = 0b1100.into();
        tick!(paths);
        simulate(&mut paths, 1000);
        assert_eq!([0, 1, 2, 3].map(|side| paths.masks[side].val().index()), [1, 2, 0b1100, 8]);
        assert_eq!(paths.fetch_mask.val().index(), 0b1100);
        assert_eq!([0, 1, 2, 3].map(|side| paths.pcs[side].val().index()), [0x40, 0x44, 0x48, 0x4c]);
    }
}
