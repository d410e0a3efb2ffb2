//! Up to 64 memory instructions that owe results: which entries are taken, and by whom.
//!
//! ```text
//!  allocate, warp ------>+-----------+---> free, free_index
//!  select_index, leave ->|           |---> selected_warp
//!  select_index -------->| LoadGroup |---> pending
//!  query_warp ---------->|           |---> idle
//!                        +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `free`, `free_index` | 1, i | an entry is free, and which |
//! | `allocate`, `warp` | 1, p | an instruction of this path takes it |
//! | `select_index`, `selected_warp` | i, p | the path behind this entry |
//! | `leave` | 1 | its instruction is complete |
//! | `gives_up`, `given_up` | 1, i | where loads are issued again (Vec of one): nothing comes for this entry |
//! | `query_warp`, `pending` | p, 1 | an entry of this warp is taken; with compaction, of any warp |
//! | `idle` | 1 | none is |
//!
//! Latency 0, changes hold from the next cycle on. State: a busy bit and the path of every entry, in registers, for all are compared
//! with `query_warp`.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LoadGroup: clock, reset {
        pub free: Signal<Out, Bit>,
        pub free_index: Net<Out> = index,
        pub allocate: Signal<In, Bit>,
        pub warp: Net<In> = config.path_width(),
        pub select_index: Net<In> = index,
        pub selected_warp: Net<Out> = config.path_width(),
        pub leave: Signal<In, Bit>,
        /// Where loads are issued again (one each, or none): this entry is given up.
        pub gives_up: Vec<Signal<In, Bit>> = bit_vec(config.of_replay()),
        pub given_up: Vec<Net<In>> = Net::vec(config.of_replay(), index),
        pub query_warp: Net<In> = config.path_width(),
        pub pending: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        busy: Register = Register::new(entries) => { d: busy_next },
        busy_next: Net<Local> = entries,
        warps: Vec<Flop> = (0..entries).map(|_| Flop::new(config.path_width())).collect(),
        warp_mux: IndexedMux = IndexedMux::new(config.path_width(), entries) => {
            selected: selected_warp,
        },
        unused: Net<Local> = entries,
        allocator: PriorityEncoder = PriorityEncoder::new(entries) => { request: unused, any: free },
        query_all: Constant = Constant::new(config.compacts() as u64, 1),
        /// The warp's bits of a path number.
        warp_bits: Constant = Constant::new(mask(config.warp_width()), config.path_width()),
    }
    sizes { _index_width = index, _own_width = index_width(entries) }
    /// 1 to 64 `entries` of the core `config`, numbered with `index` bits.
    pub fn new(config: &CoreConfig, entries: usize, index: usize) {}
}

impl Logic for LoadGroup {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadGroup");
        self.unused.next = !self.busy.q.val();
        self.idle.next = self.unused.val().all();
        self.free_index.next = bit_cast_to(self.allocator.index.val(), self._index_width);
        self.warp_mux.index.next = bit_cast_to(self.select_index.val(), self._own_width);
        self.pending.next = false;
        self.busy_next.next = self.busy.q.val();
        for e in 0..self.warps.len() {
            self.warps[e].d.next = self.warps[e].q.val();
            self.warp_mux.inputs[e].next = self.warps[e].q.val();
            if self.busy.q.val().get_bit(e)
                & ((((self.warps[e].q.val() ^ self.query_warp.val()) & self.warp_bits.val()) == 0)
                    | self.query_all.val().any())
            {
                self.pending.next = true;
            }
            for r in 0..self.gives_up.len() {
                if self.gives_up[r].val() & (self.given_up[r].val() == e) {
                    self.busy_next.next = self.busy_next.val().replace_bit(e, false);
                }
            }
            if self.allocate.val() & self.allocator.one_hot.val().get_bit(e) {
                self.warps[e].d.next = self.warp.val();
                self.busy_next.next = self.busy_next.val().replace_bit(e, true);
            } else if self.leave.val() & (self.select_index.val() == e) {
                self.busy_next.next = self.busy_next.val().replace_bit(e, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six entries are taken by different warps, and asked for; then they leave.
    #[test]
    fn every_entry_is_pending_for_its_warp_alone() {
        let mut group = LoadGroup::new(&CoreConfig::tiny(), 6, 3);
        group.connect_all();
        simulate(&mut group, 100);
        for entry in 0..6 {
            assert_eq!((group.free.val(), group.free_index.val().index()), (true, entry));
            assert_eq!(group.idle.val(), entry == 0);
            group.allocate.next = true;
            group.warp.next = (entry % 4).into();
            tick!(group);
        }
        group.allocate.next = false;
        simulate(&mut group, 100);
        assert!(!group.free.val());
        let pending = |group: &mut LoadGroup| {
            let of = |warp: usize| {
                group.query_warp.next = warp.into();
                simulate(group, 100);
                if group.pending.val() { '1' } else { '.' }
            };
            (0..4).map(of).collect::<String>()
        };
        assert_eq!(pending(&mut group), "1111");
        for (entry, left) in [(2, "11.1"), (0, "11.1"), (3, "11.."), (4, ".1.."), (1, ".1.."), (5, "....")] {
            group.select_index.next = entry.into();
            group.leave.next = true;
            simulate(&mut group, 100);
            assert_eq!(group.selected_warp.val().index(), entry % 4);
            tick!(group);
            group.leave.next = false;
            assert_eq!(pending(&mut group), left, "without {entry}");
            assert_eq!(group.idle.val(), entry == 5);
        }
    }
}
