//! FETCH and DECODE entry: picks a warp whose buffer has room and reads its next instruction.
//!
//! ```text
//!                  +-------+
//!    fetchable --->|       |---> fetch_warp, fetch_valid          cycle f
//!   slot_valid --->|       |
//!     fetch_pc --->| Fetch |---> decoded_* : word, pc, mask,     cycle f+1
//!   fetch_mask --->|       |                 annotation
//!       load_* --->|       |---> trap_valid, trap_warp, trap_pc
//!         halt --->|       |
//!                  +-------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetchable[P]` | W | from the reconvergence unit: the path is active and has no unresolved control instruction |
//! | `has_room[P]` | W | from the warp buffer: another instruction can enter |
//! | `unissued` | W | where several of a warp can (Vec of one): some have not issued |
//! | `fetch_warp`, `fetch_valid` | p, 1 | the path fetched this cycle |
//! | `fetch_pc`, `fetch_mask` | 32, L | from the reconvergence unit: active entry of `fetch_warp` |
//! | `load_enable`, `load_address`, `load_word` | | host: writes an instruction |
//! | `load_rpc`, `load_rpc_valid`, `load_lpc`, `load_uniform`, `load_subdividable`, `load_spin`, `load_join`, `load_data_dependent` | 32, 1, 32, 1, 1, 1, 1, 1 | and its branch annotation |
//! | `decoded_valid`, `decoded_warp`, `decoded_word`, `decoded_pc`, `decoded_mask` | | one cycle after fetch |
//! | `decoded_rpc`, `decoded_rpc_valid`, `decoded_lpc`, `decoded_uniform`, `decoded_subdividable`, `decoded_spin`, `decoded_join`, `decoded_data_dependent` | | its annotation |
//! | `trap_valid`, `trap_warp`, `trap_pc` | 1, w, 32 | the PC is outside the instruction memory or not a multiple of four |
//! | `halt` | 1 | fetch nothing more |
//!
//! Latency 1 (the instruction memory reads synchronously). State: the instruction memory and, beside it, an [`AnnotationMemory`]. Round robin among the
//! warps with room, Fung & Aamodt 2011, Fig 4, and among the paths of a warp; the one in DECODE is passed over, for its PC is about to change.
use crate::interface::{Fetched, InstructionLoad, WarpFault};
use crate::issue::PathSelection;
use crate::parts::{AnnotationMemory, RoundRobinArbiter};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Fetch: clock, reset {
        pub halt: Signal<In, Bit>,
        pub fetchable: Vec<Net<In>> = Net::vec(config.sides(), warps),
        pub has_room: Vec<Net<In>> = Net::vec(config.sides(), warps),
        pub unissued: Vec<Net<In>> = Net::vec(config.of_ahead(), warps),
        pub fetch_warp: Net<Out> = path,
        pub fetch_valid: Signal<Out, Bit>,
        pub fetch_pc: Net<In> = 32,
        pub fetch_mask: Net<In> = lanes,
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        pub decoded: Fetched<Out> = Fetched::new(config, config.path_width()),
        pub trap: WarpFault<Out> = WarpFault::of(config),

        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(warps) => { request: selection.warps, accept: chosen },
        selection: PathSelection = PathSelection::new(warps, config.sides(), false) => {
            present: fetchable, grant: arbiter.grant, warp: warp.index, accept: chosen, path: fetch_warp,
        },
        warp: PriorityEncoder = PriorityEncoder::new(warps) => { request: arbiter.grant, index: trap.warp },
        instructions: Memory = Memory::new(32, config.instruction_words, 1, 1, ReadKind::Synchronous) => {
            read_address[0]: address, read_data[0]: decoded.instruction.word, write_enable[0]: load.enable,
            write_address[0]: load.address, write_data[0]: load.word,
        },
        annotations: AnnotationMemory = AnnotationMemory::new(config.instruction_words, 1, config, ReadKind::Synchronous) => {
            read_row[0]: address, read[0]: decoded.instruction.annotation, write_enable: load.enable,
            write_row: load.address, write: load.annotation,
        },
        /// By side, one-hot: the warp in DECODE, or 0.
        in_decode: Vec<Register> = Register::vec(config.sides(), warps),
        decode_warp: Flop = Flop::new(path) => { d: selection.path, q: decoded.warp },
        decode_pc: Flop = Flop::new(32) => { d: fetch_pc, q: decoded.instruction.pc },
        decode_mask: Flop = Flop::new(lanes) => { d: fetch_mask, q: decoded.instruction.mask },
        address: Net<Local> = address,
        outside: Signal<Local, Bit>,
        chosen: Signal<Local, Bit>,
    }
    sizes { _address_width = address }
    /// The fetch stage of a core.
    pub fn new(config: &CoreConfig) {
        let (path, warps, lanes) = (config.path_width(), config.warps, config.lanes);
        let address = config.instruction_width();
    }
}

impl Logic for Fetch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Fetch");

        // FETCH
        for p in 0..self.fetchable.len() {
            self.selection.ready[p].next =
                self.fetchable[p].val() & self.has_room[p].val() & !self.in_decode[p].q.val();
        }
        self.selection.long_latency.next = false;
        self.chosen.next = self.arbiter.any.val() & !self.halt.val();

        self.address.next = bit_cast_to(self.fetch_pc.val() >> 2, self._address_width);
        self.outside.next = (bit_cast_to(self.address.val(), 32) << 2) != self.fetch_pc.val();
        self.fetch_valid.next = self.chosen.val() & !self.outside.val();
        self.trap.valid.next = self.arbiter.any.val() & self.outside.val();
        // What is before it may trap, too.
        for a in 0..self.unissued.len() {
            if (self.arbiter.grant.val() & self.unissued[a].val()).any() {
                self.trap.valid.next = false;
            }
        }
        self.trap.pc.next = self.fetch_pc.val();

        self.instructions.read_enable[0].next = true;
        self.decoded.valid.next = false;
        for p in 0..self.in_decode.len() {
            self.in_decode[p].d.next = 0.into();
            if self.fetch_valid.val() {
                self.in_decode[p].d.next = self.selection.granted[p].val();
            }
            self.decoded.valid.next = self.decoded.valid.val() | self.in_decode[p].q.val().any();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    fn edge(fetch: &mut Fetch) {
        for _ in 0..2 {
            fetch.clock.next = !fetch.clock.val();
            simulate(fetch, 1000);
        }
    }

    /// `fetchable full | fetch_warp or - | decoded warp or -`
    const ROTATES: &str = "
        0011 0000 | 0 | -
        0011 0000 | 1 | 0    warp 0 is in DECODE
        0011 0001 | - | 1    0 has a full slot, 1 is in DECODE
        0011 0011 | - | -
        0011 0010 | 0 | -
        1000 0000 | 3 | 0";

    #[test]
    fn rotates_among_warps_with_room() {
        let mut fetch = Fetch::new(&CoreConfig::tiny());
        fetch.connect_all();
        simulate(&mut fetch, 1000);
        for line in ROTATES.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            fetch.fetchable[0].next = usize::from_str_radix(field(0), 2).unwrap().into();
            fetch.has_room[0].next = (0b1111 ^ usize::from_str_radix(field(1), 2).unwrap()).into();
            simulate(&mut fetch, 1000);
            let seen = |valid: bool, warp: Word| if valid { warp.value().to_string() } else { "-".into() };
            assert_eq!(seen(fetch.fetch_valid.val(), fetch.fetch_warp.val()), field(3), "{line}");
            assert_eq!(seen(fetch.decoded.valid.val(), fetch.decoded.warp.val()), field(5), "{line}");
            edge(&mut fetch);
        }
    }

    #[test]
    fn reads_word_and_annotation_and_traps_outside() {
        let mut fetch =
            Fetch::new(&CoreConfig { likely_convergence: true, mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        fetch.connect_all();
        simulate(&mut fetch, 1000);
        fetch.load.enable.next = true;
        fetch.load.address.next = 3.into();
        fetch.load.word.next = 0xdead_beef.into();
        fetch.load.annotation.rpc.next = 0x40.into();
        fetch.load.annotation.rpc_valid.next = true;
        fetch.load.annotation.lpc.next = 0x24.into();
        fetch.load.annotation.data_dependent.next = true;
        simulate(&mut fetch, 1000);
        edge(&mut fetch);
        fetch.load.enable.next = false;
        (fetch.fetchable[0].next, fetch.has_room[0].next) = (1.into(), 0b1111.into());
        fetch.fetch_pc.next = 12.into();
        fetch.fetch_mask.next = 0b0101.into();
        simulate(&mut fetch, 1000);
        edge(&mut fetch);
        assert!(fetch.decoded.valid.val());
        assert_eq!(fetch.decoded.instruction.word.val().value(), 0xdead_beef);
        assert_eq!(fetch.decoded.instruction.annotation.rpc.val().value(), 0x40);
        assert!(fetch.decoded.instruction.annotation.rpc_valid.val());
        assert_eq!(fetch.decoded.instruction.annotation.lpc.val().value(), 0x24);
        assert!(
            !fetch.decoded.instruction.annotation.uniform.val()
                && fetch.decoded.instruction.annotation.data_dependent.val()
        );
        assert_eq!(fetch.decoded.instruction.mask.val().value(), 0b0101);
        fetch.fetchable[0].next = 2.into();
        fetch.fetch_pc.next = 0x8000_0000.into();
        simulate(&mut fetch, 1000);
        assert!(fetch.trap.valid.val() && !fetch.fetch_valid.val());
        assert_eq!(fetch.trap.warp.val().value(), 1);
    }
}
