//! Fetch, predecode and the warp buffer.
//!
//! ```text
//!               +-----------------------------------------+
//!  fetchable -->|  Fetch --> Predecode --> WarpBuffer     |---> slot_*      every warp
//!  fetch_pc  -->|    |                        ^    ^      |---> selected_*  of issue_select
//!  fetch_mask ->|    v                        |    |      |---> decoded_*   to the reconvergence unit
//!     form_* -->|  fetch_warp            decoded  issue   |---> trap_*
//!               +-----------------------------------------+
//! ```
//!
//! Ports: those of [`Fetch`](super::Fetch) and [`WarpBuffer`](super::WarpBuffer) under the same names, and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `decoded_valid`, `decoded_warp` | 1, p | DECODE: this warp's instruction enters the buffer |
//! | `decoded_control` | 1 | it is a branch, jump, exit or bar.sync: its warp stays unfetchable until it is resolved |
//! | `decoded_join` | 1 | where threads are regrouped (Vec of one): it is none of these, but others may come in behind it, as its annotation says, or as they may behind every instruction |
//! | `issue_mask` | L | where threads are regrouped or packed as they issue (Vec of one): the lanes of `issue_select`, which are not those of its fetch |
//! | `issue_home_warps[L]`, `issue_last` | w, 1 | where there are large warps (Vec of one): their home warps; the instruction leaves its slot with them |
//! | `decoded_kind` | | where there are large warps (Vec of one): how its sub-warps are made |
//! | `form_right` | 1 | where warps are formed by side (Vec of one): it is one of the right side |
//! | `selected_slot`, `selected_again` | s, 1 | where loads are issued again (Vec of one): the place of the instruction in its warp's buffer; it has issued before |
//! | `loads` | W | there: warps with loads that are not done |
//! | `check_*` | | where loads are issued again (Vec of one): what the load/store unit has looked at, see [`Look`] |
//! | `misses_*` | | where counters say which loads miss (Vec of one): which do, see [`MissCheck`] |
//!
//! A warp has P sides; each has a warp buffer, whose ports are vectors here. Latency: from fetch to issue 2. No state of its own.
use super::{Fetch, Predecode, SubWarpPredecode, WarpBuffer};
use crate::config::HazardPrediction;
use crate::divergence::SubWarpKind;
use crate::interface::{Decoded, Formed, Instruction, InstructionLoad, Look, MISS_ENTRY, MissCheck, Slots, WarpFault};
use crate::prelude::*;
use crate::replay::MissCounters;

module! {
    /// See the [module documentation](self).
    pub struct Frontend: clock, reset {
        pub halt: Signal<In, Bit>,
        // Host
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        // Reconvergence unit
        pub fetchable: Vec<Net<In>> = Net::vec(sides, warps),
        pub fetch_warp: Net<Out> = path,
        pub fetch_valid: Signal<Out, Bit>,
        pub fetch_pc: Net<In> = 32,
        pub fetch_mask: Net<In> = lanes,
        pub decoded: Decoded<Out> = Decoded::of(config),
        /// Where threads are regrouped: one, else none.
        pub decoded_join: Vec<Signal<Out, Bit>> = bit_vec(config.regroups() as usize),
        pub form: Formed<In> = Formed::new(config),
        pub form_right: Vec<Signal<In, Bit>> = bit_vec(config.of_own_slots()),
        pub flush: Vec<Net<In>> = Net::vec(sides, warps),
        // Issue
        pub issue_take: Signal<In, Bit>,
        pub issue_select: Net<In> = path,
        /// From the reconvergence unit, where the lanes of an instruction are not those of its fetch: one, else none.
        pub issue_mask: Vec<Net<In>> = Net::vec(config.of_lanes_at_issue(), lanes),
        /// The same where they are sub-warps of a large warp: the home warps of its lanes, and that no thread is left behind it.
        pub issue_home_warps: Vec<Net<In>> = Net::vec(large * lanes, w),
        pub issue_last: Vec<Signal<In, Bit>> = bit_vec(large),
        /// Where there are large warps: one, else none.
        pub decoded_kind: Vec<Signal<Out, SubWarpKind>> = (0..large).map(|_| Signal::default()).collect(),
        pub slot: Vec<Slots<Out>> = (0..sides).map(|_| Slots::new(config)).collect(),
        pub selected: Instruction<Out> = Instruction::new(config),
        pub selected_home_warps: Vec<Net<Out>> = Net::vec(config.home_warps(), w),
        /// Where loads are issued again: its place in the buffer; and from the load/store unit, what it has looked at. One, or none.
        pub selected_slot: Vec<Net<Out>> = Net::vec(config.of_replay(), config.buffer_slot_width()),
        pub selected_again: Vec<Net<Out>> = Net::vec(config.of_replay(), 1),
        pub loads: Vec<Net<Out>> = Net::vec(config.of_replay(), config.warps),
        /// Where loads may wait for an MSHR before they issue (one, else none): by warp, its instruction is taken to need one.
        pub needs: Vec<Net<Out>> = Net::vec(config.of_prediction(), config.warps),
        miss_counters: Vec<MissCounters> = (0..config.of_miss_counters()).map(|_| MissCounters::new(MISS_ENTRY, 2)).collect() => |p| {
            check_valid: misses[p].valid, check_entry: misses[p].entry, check_missed: misses[p].missed,
        },
        predicted: Vec<Net<Local>> = Net::vec(config.of_prediction(), 1),
        /// Where counters say which loads miss (one, else none): from the L1, which do.
        pub misses: Vec<MissCheck<In>> = (0..config.of_miss_counters()).map(|_| MissCheck::new(config)).collect(),
        pub check: Vec<Look<In>> = (0..config.of_replay()).map(|_| Look::new(config)).collect(),
        // Trap unit
        pub trap: WarpFault<Out> = WarpFault::of(config),

        fetch: Fetch = Fetch::new(config) => {
            halt, load, fetchable, fetch_pc, fetch_mask, fetch_warp, fetch_valid, trap, decoded.valid, decoded.warp,
            decoded.instruction.mask: decoded.mask,
        },
        predecode: Predecode = Predecode::new(config) => { word: fetch.decoded.instruction.word, predicted, control: decoded.control },
        /// Where there are large warps: one, else none.
        kinds: Vec<SubWarpPredecode> = (0..large).map(|_| SubWarpPredecode::new(config.jumps_at_once())).collect() => |i| {
            word: fetch.decoded.instruction.word, memory: predecode.memory, control: predecode.control, writes_rd: predecode.writes_rd,
            kind: decoded_kind[i],
        },
        /// By side.
        buffers: Vec<WarpBuffer> = (0..sides).map(|_| WarpBuffer::new(config)).collect() => |p| {
            write.valid: written[p], write.instruction: fetch.decoded.instruction, predecoded: predecode.fields,
            flush: flush[p], form.valid, form.warp, form.home_warps, form.warps, slot: slot[p], check,
        },
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),
        decoded_side: Net<Local> = path,
        issue_side: Net<Local> = path,
        written: Vec<Signal<Local, Bit>> = bit_vec(sides),
    }
    sizes {
        _miss_entry = MISS_ENTRY,
        _predicts_all = (config.hazard_prediction == HazardPrediction::Every) as usize,
        _warp_width = w, _warps = warps, _own_home_warps = if config.regroups() { sides } else { 0 },
        _always = config.regroups_always() as usize, _buffered = 1 - large
    }
    /// The frontend of a core.
    pub fn new(config: &CoreConfig) {
        let (w, path, sides) = (config.warp_width(), config.path_width(), config.sides());
        let (warps, lanes, large) = (config.warps, config.lanes, config.of_large_warps());
    }
}

impl Logic for Frontend {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Frontend");

        for p in 0..self.fetchable.len() {
            self.fetch.has_room[p].next = self.buffers[p].has_room.val();
            for a in 0..self.fetch.unissued.len() {
                self.fetch.unissued[a].next = self.buffers[p].unissued[a].val();
            }
        }

        // A buffer for each side.
        self.decoded_side.next = self.fetch.decoded.warp.val() & self.side_bits.val();
        self.issue_side.next = self.issue_select.val() & self.side_bits.val();
        self.selected.annotation.rpc_valid.next = false;
        self.selected.annotation.uniform.next = false;
        self.selected.annotation.subdividable.next = false;
        self.selected.annotation.spin.next = false;
        self.selected.annotation.join.next = false;
        self.selected.annotation.data_dependent.next = false;
        self.selected.word.next = 0.into();
        self.selected.pc.next = 0.into();
        self.selected.mask.next = 0.into();
        self.selected.annotation.rpc.next = 0.into();
        self.selected.annotation.lpc.next = 1.into();
        for p in 0..self.buffers.len() {
            self.written[p].next = self.fetch.decoded.valid.val() & (self.decoded_side.val() == self.sides[p].val());
            self.buffers[p].write.warp.next = bit_cast_to(self.fetch.decoded.warp.val(), self._warp_width);
            self.buffers[p].issue_take.next = self.issue_take.val() & (self.issue_side.val() == self.sides[p].val());
            for i in 0..self.issue_last.len() {
                self.buffers[p].issue_take.next = self.issue_take.val() & self.issue_last[i].val();
            }
            self.buffers[p].issue_select.next = bit_cast_to(self.issue_select.val(), self._warp_width);

            // Unless they are formed by side, a warp's home warps are the same on all sides.
            for _i in 0..self._buffered {
                wire::join(&mut self.selected_home_warps, &mut self.buffers[p].selected_home_warps);
            }
            if self.issue_side.val() == self.sides[p].val() {
                wire::join(&mut self.selected, &mut self.buffers[p].selected);
            }
        }

        // Unless threads are regrouped.
        for p in 0..self._own_home_warps {
            if self.issue_side.val() == self.sides[p].val() {
                wire::join(&mut self.selected_home_warps, &mut self.buffers[p].selected_home_warps);
            }
            for lane in 0..self.form.sides.len() {
                self.buffers[p].form.sides[lane].next = 0.into();
                if self.form.sides[lane].val().get_bit(p) {
                    self.buffers[p].form.sides[lane].next = 1.into();
                }
            }
        }
        for r in 0..self.selected_slot.len() {
            wire::join(&mut self.selected_slot[r], &mut self.buffers[0].selected_slot[r]);
            wire::join(&mut self.selected_again[r], &mut self.buffers[0].selected_again[r]);
            wire::join(&mut self.loads[r], &mut self.buffers[0].loads[r]);
            self.selected.mask.next = self.buffers[0].private_mask[r].val();
        }
        for p in 0..self.needs.len() {
            wire::join(&mut self.needs[p], &mut self.buffers[0].needs[p]);
            self.predicted[p].next = 0.into();
            for _every in 0..self._predicts_all {
                self.predicted[p].next = 1.into();
            }
        }
        for p in 0..self.miss_counters.len() {
            self.miss_counters[p].load_entry.next =
                bit_cast_to(self.fetch.decoded.instruction.pc.val() >> 2, self._miss_entry);
            if self.miss_counters[p].predicted.val() {
                self.predicted[p].next = 1.into();
            }
        }
        for i in 0..self.issue_mask.len() {
            self.selected.mask.next = self.issue_mask[i].val();
        }
        for lane in 0..self.issue_home_warps.len() {
            self.selected_home_warps[lane].next = self.issue_home_warps[lane].val();
        }
        for i in 0..self.decoded_join.len() {
            self.decoded_join[i].next =
                self.fetch.decoded.instruction.annotation.join.val() & !self.predecode.control.val();
        }
        for i in 0..self._always {
            self.decoded_join[i].next = !self.predecode.control.val();
        }
        for i in 0..self.form_right.len() {
            self.buffers[0].form_here[i].next = !self.form_right[i].val();
            self.buffers[1].form_here[i].next = self.form_right[i].val();
            wire::join(&mut self.selected_home_warps, &mut self.buffers[0].selected_home_warps);
            if self.issue_side.val() == self.sides[1].val() {
                wire::join(&mut self.selected_home_warps, &mut self.buffers[1].selected_home_warps);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{DualPathVariant, Mechanism};

    /// `beq a1,a2`, `mul a0,a1,a2`, `lw a0,0(a1)`, `exit`, at the words 0 to 3; word *i* has the RPC 40 + i unless *i* is odd.
    const PROGRAM: [usize; 4] = [0x00c5_8463, 0x02c5_8533, 0x0005_a503, 0x0000_100b];

    /// What each of them is: reads rs1, reads rs2, writes rd, multiply, divide, memory, control.
    const FLAGS: [[u8; 7]; 4] =
        [[1, 1, 0, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1]];

    /// Two paths a warp. One line a cycle: `fetchable: left right, pc mask, flush: left right, select take | fetched, decoded, slot_valid: left
    /// right, selected: pc mask rpc`. Sets of warps are binary, pc and rpc are words, a path is L or R and its warp; `c` is a control instruction.
    const CYCLES: &str = "
        0010 0010 0 0011 0000 0000 L0 - | L1 -   0000 0000 - - -
        0010 0010 1 1100 0000 0000 L0 - | R1 L1c 0000 0000 - - -
        0010 0010 3 1111 0000 0000 L1 - | -  R1  0010 0000 0 0011 40   both sides of warp 1 are in the buffer, or on the way
        0000 0100 2 1000 0000 0000 R1 - | R2 -   0010 0010 1 1100 -
        1000 0000 3 0001 0000 0000 L1 t | L3 R2  0010 0010 0 0011 40   the left side issues
        0010 0000 3 0110 0000 0000 R2 - | L1 L3c 0000 0110 2 1000 42
        0000 0000 0 0000 0000 0010 L3 - | -  L1c 1000 0110 3 0001 -    the right side of warp 1 is dropped
        0000 0000 0 0000 1000 0000 L1 - | -  -   1010 0100 3 0110 -
        0000 0000 0 0000 0000 0000 R2 t | -  -   0010 0100 2 1000 42
        0000 0000 0 0000 0000 0000 L1 t | -  -   0010 0000 3 0110 -
        0000 0000 0 0000 0000 0000 L0 - | -  -   0000 0000 - - -";

    #[test]
    fn a_buffer_for_each_side() {
        let mechanism = Mechanism::DualPath(DualPathVariant::Full);
        let mut frontend = Frontend::new(&CoreConfig { mechanism, ..CoreConfig::tiny() });
        frontend.connect_all();
        simulate(&mut frontend, 1000);
        for (word, instruction) in PROGRAM.into_iter().enumerate() {
            frontend.load.enable.next = true;
            frontend.load.address.next = word.into();
            frontend.load.word.next = instruction.into();
            frontend.load.annotation.rpc.next = (4 * (0x40 + word)).into();
            frontend.load.annotation.rpc_valid.next = word % 2 == 0;
            tick!(frontend);
        }
        // What stands at the port without being loaded.
        frontend.load.enable.next = false;
        frontend.load.address.next = 3.into();
        frontend.load.word.next = 0x13.into();
        frontend.load.annotation.rpc_valid.next = false;
        let path = |path: Word| format!("{}{}", if path.index() >> 2 == 0 { "L" } else { "R" }, path.index() % 4);
        for line in CYCLES.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let bits = |field: &str| Word::from(usize::from_str_radix(field, 2).unwrap());
            frontend.fetchable[0].next = bits(fields[0]);
            frontend.fetchable[1].next = bits(fields[1]);
            frontend.fetch_pc.next = (4 * fields[2].parse::<usize>().unwrap()).into();
            frontend.fetch_mask.next = bits(fields[3]);
            frontend.flush[0].next = bits(fields[4]);
            frontend.flush[1].next = bits(fields[5]);
            let warp: usize = fields[6][1..].parse().unwrap();
            frontend.issue_select.next = (warp + if fields[6].starts_with('R') { 4 } else { 0 }).into();
            frontend.issue_take.next = fields[7] == "t";
            simulate(&mut frontend, 1000);
            let fetched = if frontend.fetch_valid.val() { path(frontend.fetch_warp.val()) } else { "-".into() };
            let control = if frontend.decoded.control.val() { "c" } else { "" };
            let decoded = match frontend.decoded.valid.val() {
                true => format!("{}{control}", path(frontend.decoded.warp.val())),
                false => "-".into(),
            };
            let [left, right] = [0, 1].map(|side| format!("{:04b}", frontend.slot[side].valid.val().value()));
            assert_eq!([&fetched, &decoded, &left, &right], [fields[9], fields[10], fields[11], fields[12]], "{line}");
            if fields[13] != "-" {
                let Instruction { word, pc, mask, annotation } = &frontend.selected;
                let at = pc.val().index() / 4;
                assert_eq!(word.val().index(), PROGRAM[at], "{line}");
                let rpc = (annotation.rpc_valid.val(), annotation.rpc.val().index() / 4);
                assert_eq!(rpc.0, fields[15] != "-", "{line}");
                let rpc = if rpc.0 { format!("{:x}", rpc.1) } else { "-".into() };
                let found = format!("{at} {:04b} {rpc}", mask.val().value());
                assert_eq!(found, fields[13..16].join(" "), "{line}");
                let slots = &frontend.slot[fields[6].starts_with('R') as usize];
                let bit = |warps: &Net<Out>| warps.val().get_bit(warp) as u8;
                let Slots { reads_rs1, reads_rs2, writes_rd, multiply, divide, memory, control, .. } = slots;
                let flags = [reads_rs1, reads_rs2, writes_rd, multiply, divide, memory, control].map(bit);
                assert_eq!(flags, FLAGS[at], "{line}");
                let fields = [&slots.rs1[warp], &slots.rs2[warp], &slots.rd[warp]].map(|port| port.val().index());
                assert_eq!(fields, [15, 20, 7].map(|low| PROGRAM[at] >> low & 31), "{line}");
                assert_eq!(frontend.selected_home_warps[0].val().index(), warp);
            }
            tick!(frontend);
        }
        // What is fetched in a reset never comes to DECODE.
        frontend.fetch_pc.next = 0.into();
        for side in 0..2 {
            frontend.fetchable[side].next = 0b1000.into();
            frontend.fetchable[1 - side].next = 0.into();
            frontend.reset.next = true;
            simulate(&mut frontend, 1000);
            assert!(frontend.fetch_valid.val());
            tick!(frontend);
            frontend.reset.next = false;
            simulate(&mut frontend, 1000);
            assert!(!frontend.decoded.valid.val(), "side {side}");
        }
    }
}
