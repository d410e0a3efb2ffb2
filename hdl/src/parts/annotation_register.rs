//! Holds a branch annotation for a cycle: what this core reads of it.
//!
//! ```text
//!         +--------------------+
//!   d --->| AnnotationRegister |---> q
//!         +--------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `d_rpc`, `d_rpc_valid`, `d_lpc`, `d_uniform`, `d_subdividable`, `d_spin`, `d_join`, `d_data_dependent` | 32, 1, 32, 1, 1, 1, 1, 1 | taken at every rising edge |
//! | `q_rpc` ... `q_data_dependent` | as above | what was taken |
//!
//! Latency 1. State: the reconvergence point; the likely-convergence PC of a core that has such points (else `q_lpc` is 1: none), {data-dependent, uniform}
//! of one that compacts, subdividable of one that divides warps, spin of one whose threads take turns (else they are 0). `q_join` is 0: it counts only before. No reset: it goes with an instruction whose valid bit is elsewhere.
use crate::interface::Annotation;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AnnotationRegister: clock {
        pub d: Annotation<In> = Annotation::new(),
        pub q: Annotation<Out> = Annotation::new(),

        rpc: Flop = Flop::new(32) => { d: d.rpc, q: q.rpc },
        rpc_valid: Flop = Flop::new(1),
        lpc: Vec<Flop> = Flop::vec(config.likely_convergence as usize, 32) => |i| { d: d.lpc },
        /// {data-dependent, uniform}
        kind: Vec<Flop> = Flop::vec(config.compacts() as usize, 2),
        subdividable: Vec<Flop> = Flop::vec(config.subdivides() as usize, 1),
        spin: Vec<Flop> = Flop::vec(config.takes_turns() as usize, 1),
    }
    /// For what a core reads.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for AnnotationRegister {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AnnotationRegister");
        self.rpc_valid.d.next = bit_cast_to(self.d.rpc_valid.val(), 1);
        self.q.rpc_valid.next = self.rpc_valid.q.val().any();
        self.q.lpc.next = 1.into();
        for i in 0..self.lpc.len() {
            self.q.lpc.next = self.lpc[i].q.val();
        }
        self.q.uniform.next = false;
        self.q.data_dependent.next = false;
        for i in 0..self.kind.len() {
            self.kind[i].d.next =
                bit_cast_to(self.d.uniform.val(), 2) | (bit_cast_to(self.d.data_dependent.val(), 2) << 1);
            self.q.uniform.next = self.kind[i].q.val().get_bit(0);
            self.q.data_dependent.next = self.kind[i].q.val().get_bit(1);
        }
        self.q.subdividable.next = false;
        for i in 0..self.subdividable.len() {
            self.subdividable[i].d.next = bit_cast_to(self.d.subdividable.val(), 1);
            self.q.subdividable.next = self.subdividable[i].q.val().any();
        }
        self.q.spin.next = false;
        self.q.join.next = false;
        for i in 0..self.spin.len() {
            self.spin[i].d.next = bit_cast_to(self.d.spin.val(), 1);
            self.q.spin.next = self.spin[i].q.val().any();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mechanism, Subdivision};

    #[test]
    fn holds_what_the_core_reads() {
        let likely = CoreConfig { likely_convergence: true, ..CoreConfig::tiny() };
        let compacting = CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let subdivision = Mechanism::Subdivision(Subdivision { threshold: 50, splits: 4 });
        let subdividing = CoreConfig { mechanism: subdivision, ..CoreConfig::tiny() };
        for config in [CoreConfig::tiny(), likely, compacting, subdividing] {
            let mut register = AnnotationRegister::new(&config);
            register.connect_all();
            register.d.rpc.next = 0x40.into();
            register.d.rpc_valid.next = true;
            register.d.lpc.next = 0x24.into();
            register.d.subdividable.next = true;
            for (uniform, data_dependent) in [(false, true), (true, false)] {
                register.d.uniform.next = uniform;
                register.d.data_dependent.next = data_dependent;
                tick!(register);
                let q = &register.q;
                assert_eq!((q.rpc.val().index(), q.rpc_valid.val()), (0x40, true));
                assert_eq!(q.lpc.val(), if config.likely_convergence { 0x24 } else { 1 });
                assert_eq!(q.uniform.val(), config.compacts() && uniform);
                assert_eq!(q.data_dependent.val(), config.compacts() && data_dependent);
                assert_eq!(q.subdividable.val(), config.subdivides());
            }
            register.d.rpc_valid.next = false;
            simulate(&mut register, 100);
            assert!(register.q.rpc_valid.val(), "not before the edge");
        }
    }
}
