//! The threads of every warp that run together: read at FETCH, advanced at DECODE, replaced by the engine.
//!
//! ```text
//!                         +-----------------------+
//!  fetch_warp ----------->| {pc, mask} by warp    |---> fetch_pc, fetch_mask, next_pc
//!  meets ---------------->|    |                  |
//!  decoded -------------->|  DECODE: PC + 4       |---> ended, blocked
//!                         |                       |
//!  warp ----------------->|  the engine's warp    |---> pc, mask
//!  write_*, new_* ------->|                       |
//!                         +-----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp` | w | the warp fetched this cycle |
//! | `fetch_pc`, `fetch_mask`, `next_pc` | 32, L, 32 | where its group is, who that is, the PC of the instruction behind |
//! | `meets` | 1 | threads of the warp wait for one another there |
//! | `decoded` | | the warp fetched in the last cycle is in DECODE |
//! | `ended` | W | that warp, if its group stops behind the instruction, since threads wait there |
//! | `blocked` | W | that warp, if it is not fetched again until the engine has served it: its group stops, or its control instruction must be resolved |
//! | `warp`, `pc`, `mask` | w, 32, L | the group of the warp that the engine works on |
//! | `write_pc`, `new_pc`, `write_mask`, `new_mask` | 1, 32, 1, L | it goes on elsewhere, with other threads |
//!
//! Latency: reads 0, writes 1. The engine never writes a group in DECODE. State: a PC and a mask by warp. Not [`ActivePaths`](super::ActivePaths), whose
//! paths end at one RPC, which it keeps: these may end at several, known to [`ConvergenceBarriers`](super::ConvergenceBarriers).
use crate::interface::Decoded;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct RunningGroups: clock {
        pub fetch_warp: Net<In> = warp,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub next_pc: Net<Out> = 32,
        pub meets: Signal<In, Bit>,
        pub decoded: Decoded<In> = Decoded::new(lanes, warp),
        pub ended: Net<Out> = warps,
        pub blocked: Net<Out> = warps,
        pub warp: Net<In> = warp,
        pub pc: Net<Out> = 32,
        pub mask: Net<Out> = lanes,
        pub write_pc: Signal<In, Bit>,
        pub new_pc: Net<In> = 32,
        pub write_mask: Signal<In, Bit>,
        pub new_mask: Net<In> = lanes,

        pcs: Memory = Memory::new(32, warps, 2, 2, ReadKind::Asynchronous) => {
            read_address[0]: fetch_warp, read_data[0]: fetch_pc, write_address[0]: decoded.warp,
            write_data[0]: following_pc.q, read_address[1]: warp, read_data[1]: pc, write_enable[1]: write_pc,
            write_address[1]: warp, write_data[1]: new_pc,
        },
        masks: Memory = Memory::new(lanes, warps, 2, 1, ReadKind::Asynchronous) => {
            read_address[0]: fetch_warp, read_data[0]: fetch_mask, read_address[1]: warp, read_data[1]: mask,
            write_enable[0]: write_mask, write_address[0]: warp, write_data[0]: new_mask,
        },
        // Of the warp fetched in the last cycle: the PC behind its instruction, and whether threads wait there.
        following_pc: Flop = Flop::new(32) => { d: next_pc },
        following_meets: Flop = Flop::new(1),
        one_warp: Constant = Constant::new(1, warps),
        in_decode: Net<Local> = warps,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let warp = index_width(warps);
    }
}

impl Logic for RunningGroups {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RunningGroups");

        // FETCH reads the group, DECODE advances it.
        self.next_pc.next = self.fetch_pc.val() + 4;
        self.following_meets.d.next = bit_cast_to(self.meets.val(), 1);
        self.in_decode.next = 0.into();
        if self.decoded.valid.val() {
            self.in_decode.next = self.one_warp.val() << self.decoded.warp.val();
        }
        self.pcs.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();
        self.ended.next = 0.into();
        self.blocked.next = 0.into();
        if self.decoded.control.val() {
            self.blocked.next = self.in_decode.val();
        } else if self.following_meets.q.val().any() {
            self.blocked.next = self.in_decode.val();
            self.ended.next = self.in_decode.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits};

    /// The warp fetched, `meets` if threads wait behind it; `d` and the warp in DECODE, `c` with a control instruction `|` PC of the group fetched, warps
    /// whose group has ended, and that are blocked.
    #[test]
    fn groups_step_end_and_are_replaced() {
        let mut groups = RunningGroups::new(4, 3);
        groups.connect_all();
        for warp in 0..3 {
            groups.warp.next = warp.into();
            (groups.write_pc.next, groups.write_mask.next) = (true, true);
            groups.new_pc.next = (0x100 * warp).into();
            groups.new_mask.next = (warp + 1).into();
            tick!(groups);
        }
        (groups.write_pc.next, groups.write_mask.next) = (false, false);
        let script = "
            1           | 100 - -
            2 meets d 1 | 200 - -
            1 d 2       | 104 2 2 | 2 has stepped and stops
            2 c 1       | 204 - 1 | 1 has not stepped
            1           | 104 - -
            0 meets     | 0 - -
            0 c 0       | 0 - 0   | a control instruction comes first";
        for (input, seen) in cycles(script) {
            groups.fetch_warp.next = input[0].parse::<usize>().unwrap().into();
            groups.meets.next = input.contains(&"meets");
            let decoded = input.iter().position(|word| ["d", "c"].contains(word));
            groups.decoded.valid.next = decoded.is_some();
            if let Some(at) = decoded {
                groups.decoded.control.next = input[at] == "c";
                groups.decoded.warp.next = input[at + 1].parse::<usize>().unwrap().into();
            }
            simulate(&mut groups, 100);
            let found = [
                format!("{:x}", groups.fetch_pc.val().value()),
                digits(groups.ended.val()),
                digits(groups.blocked.val()),
            ];
            assert_eq!(found[..], seen[..], "{input:?}");
            assert_eq!(groups.fetch_mask.val().value(), groups.fetch_warp.val().value() + 1);
            tick!(groups);
        }
        groups.warp.next = 2.into();
        simulate(&mut groups, 100);
        assert_eq!((groups.pc.val().value(), groups.mask.val().value()), (0x204, 3));
    }
}
