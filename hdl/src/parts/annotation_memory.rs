//! Rows of branch annotations: what this core reads of them.
//!
//! ```text
//!                      +------------------+
//!   write_enable, row  |                  |
//!   and annotation --->| AnnotationMemory |---> read[n]
//!        read_row[n] ->|                  |
//!                      +------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write_enable`, `write_row` | 1, r | at the edge, this row is written |
//! | `write_rpc`, `write_rpc_valid`, `write_lpc`, `write_uniform`, `write_subdividable`, `write_spin`, `write_join`, `write_data_dependent` | 32, 1, 32, 1, 1, 1, 1, 1 | with this annotation |
//! | `read_row[n]` | r | rows to read |
//! | `read_rpc[n]` ... `read_data_dependent[n]` | as above | their annotations |
//!
//! Latency: write 1; read 0, or 1 if it reads synchronously, in every cycle. State: memories side by side, {valid, reconvergence PC}, Fung & Aamodt's
//! "explicitly communicated from software"; the likely-convergence PC of a core that has such points (else 1: none); {data-dependent, uniform} of
//! one that compacts; subdividable of one that divides warps; spin of one whose threads take turns, join of one that regroups threads (else 0).
use crate::interface::Annotation;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AnnotationMemory: clock {
        pub write_enable: Signal<In, Bit>,
        pub write_row: Net<In> = index_width(rows),
        pub write: Annotation<In> = Annotation::new(),
        pub read_row: Vec<Net<In>> = Net::vec(reads, index_width(rows)),
        pub read: Vec<Annotation<Out>> = (0..reads).map(|_| Annotation::new()).collect(),

        /// Those that are built, in the order of the sizes below.
        columns: Vec<Memory> = widths.map(|width| Memory::new(width, rows, reads, 1, kind)).collect() => |m| {
            write_enable[0]: write_enable, write_address[0]: write_row, read_address: read_row,
        },
        /// {valid, reconvergence PC}
        point: Net<Local> = 33,
    }
    sizes {
        _enables = if kind == ReadKind::Synchronous { reads } else { 0 },
        _lpc = lpc,
        _kind = branch_kind,
        _subdividable = subdividable,
        _spin = spin,
        _join = join,
        _end = end,
    }
    /// `rows` annotations of what a core reads, `reads` of which can be read at once.
    pub fn new(rows: usize, reads: usize, config: &CoreConfig, kind: ReadKind) {
        let lpc = 1;
        let branch_kind = lpc + config.likely_convergence as usize;
        let subdividable = branch_kind + config.compacts() as usize;
        let spin = subdividable + config.subdivides() as usize;
        let join = spin + config.takes_turns() as usize;
        let end = join + config.regroups() as usize;
        let width = move |column| if column < lpc { 33 } else if column < branch_kind { 32 } else if column < subdividable { 2 } else { 1 };
        let widths = (0..end).map(width);
    }
}

impl Logic for AnnotationMemory {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AnnotationMemory");
        for m in 0..self.columns.len() {
            for port in 0..self._enables {
                self.columns[m].read_enable[port].next = true;
            }
        }

        self.columns[0].write_data[0].next =
            bit_cast_to(self.write.rpc.val(), 33) | (bit_cast_to(self.write.rpc_valid.val(), 33) << 32);
        for port in 0..self.read.len() {
            self.point.next = self.columns[0].read_data[port].val();
            self.read[port].rpc.next = bit_cast_to(self.point.val(), 32);
            self.read[port].rpc_valid.next = self.point.val().get_bit(32);
            self.read[port].lpc.next = 1.into();
            self.read[port].uniform.next = false;
            self.read[port].data_dependent.next = false;
            self.read[port].subdividable.next = false;
            self.read[port].spin.next = false;
            self.read[port].join.next = false;
        }
        for m in self._lpc..self._kind {
            self.columns[m].write_data[0].next = self.write.lpc.val();
            for port in 0..self.read.len() {
                self.read[port].lpc.next = self.columns[m].read_data[port].val();
            }
        }
        for m in self._kind..self._subdividable {
            self.columns[m].write_data[0].next =
                bit_cast_to(self.write.uniform.val(), 2) | (bit_cast_to(self.write.data_dependent.val(), 2) << 1);
            for port in 0..self.read.len() {
                self.read[port].uniform.next = self.columns[m].read_data[port].val().get_bit(0);
                self.read[port].data_dependent.next = self.columns[m].read_data[port].val().get_bit(1);
            }
        }
        for m in self._subdividable..self._spin {
            self.columns[m].write_data[0].next = bit_cast_to(self.write.subdividable.val(), 1);
            for port in 0..self.read.len() {
                self.read[port].subdividable.next = self.columns[m].read_data[port].val().any();
            }
        }
        for m in self._spin..self._join {
            self.columns[m].write_data[0].next = bit_cast_to(self.write.spin.val(), 1);
            for port in 0..self.read.len() {
                self.read[port].spin.next = self.columns[m].read_data[port].val().any();
            }
        }
        for m in self._join..self._end {
            self.columns[m].write_data[0].next = bit_cast_to(self.write.join.val(), 1);
            for port in 0..self.read.len() {
                self.read[port].join.next = self.columns[m].read_data[port].val().any();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mechanism, Subdivision, WarpFormation};

    #[test]
    fn keeps_what_the_core_reads() {
        let likely = CoreConfig { likely_convergence: true, ..CoreConfig::tiny() };
        let compacting = CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..CoreConfig::tiny() };
        let subdivision = Mechanism::Subdivision(Subdivision { threshold: 50, splits: 4 });
        let subdividing = CoreConfig { mechanism: subdivision, ..CoreConfig::tiny() };
        let regrouping =
            CoreConfig { mechanism: Mechanism::WarpFormation(WarpFormation::DEFAULT), ..CoreConfig::tiny() };
        for config in [CoreConfig::tiny(), likely, compacting, subdividing, regrouping] {
            for kind in [ReadKind::Asynchronous, ReadKind::Synchronous] {
                let mut memory = AnnotationMemory::new(4, 2, &config, kind);
                memory.connect_all();
                memory.write_enable.next = true;
                for row in 0..4 {
                    memory.write_row.next = row.into();
                    memory.write.rpc.next = (0x40 + row).into();
                    memory.write.rpc_valid.next = row != 2;
                    memory.write.lpc.next = (0x20 + row).into();
                    memory.write.uniform.next = row == 1;
                    memory.write.data_dependent.next = row == 2;
                    memory.write.subdividable.next = row == 3;
                    memory.write.join.next = row == 0;
                    tick!(memory);
                }
                memory.write_enable.next = false;
                for row in 0..4 {
                    memory.read_row[0].next = row.into();
                    memory.read_row[1].next = (3 - row).into();
                    tick!(memory);
                    for (read, row) in memory.read.iter().zip([row, 3 - row]) {
                        assert_eq!((read.rpc.val().index(), read.rpc_valid.val()), (0x40 + row, row != 2));
                        assert_eq!(read.lpc.val(), if config.likely_convergence { 0x20 + row } else { 1 });
                        assert_eq!(read.uniform.val(), config.compacts() && row == 1);
                        assert_eq!(read.data_dependent.val(), config.compacts() && row == 2);
                        assert_eq!(read.subdividable.val(), config.subdivides() && row == 3);
                        assert_eq!(read.join.val(), config.regroups() && row == 0);
                    }
                }
            }
        }
    }
}
