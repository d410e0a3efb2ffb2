//! The SIMT control and status registers, as every thread reads them.
//!
//! ```text
//!   OPERAND                                 EXECUTE
//!   csr_index --------+-> source ----[.]--+
//!   config, context --+-> mux -------[.]--+--> CsrLane x L ---> values[L]
//!   home_warps[R] - context_first_warp ----------+     thread-id table
//!   tid_write_* --------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `csr_index` | 4 | OPERAND: CSR number - 0xCC0 |
//! | `home_warps[R]` | w | OPERAND: the home warp of the thread in each lane (one for all lanes without compaction) |
//! | `context_first_warp`, `context_ctaid_{x,y,z}` | w, 32 | OPERAND: of the warp's CTA |
//! | `homes_{first_warps,ctaids_{x,y,z}}[C]`, `lane_slots[L]` | w, 32, c | where warps are of threads of several CTAs, instead: by CTA slot; the CTA slot of the thread in each lane |
//! | `held_slots[L]` | c | there, EXECUTE: `lane_slots` of the cycle before |
//! | `kernel_grid_{x,y,z}`, `kernel_block_{x,y,z}`, `kernel_arguments` | 32, 16, 32 | of the launch |
//! | `tid_write_enable[G]`, `tid_write_lane[G]`, `tid_write_warp_in_cta`, `tid_write_{x,y,z}[G]` | 1, l, w, 16 | fills the thread-id table, a group of G = min(8, L) threads a cycle |
//! | `tid_write_number[G]` | l | the thread's logical lane, which the table holds too if the core permutes lanes |
//! | `values[L]` | 32 | EXECUTE: the value by lane |
//!
//! Latency 1. State: thread ids (x, y, z for each home warp of a CTA, in each lane), the selected value and the home warps in the CTA.
//! Without permutation thread *t* of a group is that of every eighth lane from *t* on; else a lane takes whichever is its.
//! What is the same for the whole CTA is selected once in OPERAND, for each CTA slot where warps are of threads of several CTAs, and in EXECUTE every lane takes what is its; thread ids come from a
//! table because dividing the thread's number by the block's sides would take a divider.
use super::CsrLane;
use super::operation::{CsrChoiceRegister, CsrSource};
use crate::interface::{CtaContext, HomeCtas, KernelConfiguration, THREADS_FILLED, TidWrite};
use crate::prelude::*;

// In `lane % 8`: an index is arithmetic over numbers and loop variables.
const _: () = assert!(THREADS_FILLED == 8);

module! {
    /// See the [module documentation](self).
    pub struct CsrUnit: clock, reset {
        pub csr_index: Net<In> = 4,
        pub home_warps: Vec<Net<In>> = Net::vec(config.home_warps(), warp),
        pub context: CtaContext<In> = CtaContext::new(config),
        pub homes: HomeCtas<In> = HomeCtas::new(config),
        pub lane_slots: Vec<Net<In>> = Net::vec(config.where_mixed(lanes), config.slot_width()),
        pub held_slots: Vec<Net<In>> = Net::vec(config.where_mixed(lanes), config.slot_width()),
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub tid_write: TidWrite<In> = TidWrite::new(config),
        pub values: Vec<Net<Out>> = Net::vec(lanes, 32),

        choice: CsrChoiceRegister = CsrChoiceRegister::new(),
        warp_in_cta: Vec<Net<Local>> = Net::vec(config.home_warps(), warp),
        warp_in_cta_held: Vec<Flop> = Flop::vec(config.home_warps(), warp) => |i| { d: warp_in_cta[i] },
        lanes: Vec<CsrLane> = (0..lanes).map(|_| CsrLane::new(config)).collect() => |lane| {
            write_warp_in_cta: tid_write.warp_in_cta, choice: choice.q, value: values[lane],
        },
        // Where warps are of threads of several CTAs: the value by CTA slot; by lane.
        of_ctas: Vec<Flop> = Flop::vec(config.where_mixed(config.cta_slots), 32),
        first_warps: Vec<IndexedMux> = of_lanes(warp) => |lane| { inputs: homes.first_warps, index: lane_slots[lane] },
        values_of_ctas: Vec<IndexedMux> = of_lanes(32) => |lane| { inputs: values_by_slot, index: held_slots[lane] },
        values_by_slot: Vec<Net<Local>> = Net::vec(config.where_mixed(config.cta_slots), 32),
        /// Of a group, the threads that may run in any lane: all, or none.
        permuted: Vec<Signal<Local, Bit>> = bit_vec(if config.permutes() { lanes.min(THREADS_FILLED) } else { 0 }),
    }
    /// The CSRs of a core.
    pub fn new(config: &CoreConfig) {
        let (warp, lanes) = (config.warp_width(), config.lanes);
        let of_lanes = |width| -> Vec<IndexedMux> {
            (0..config.where_mixed(lanes)).map(|_| IndexedMux::new(width, config.cta_slots)).collect()
        };
    }
}

impl Logic for CsrUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CsrUnit");
        self.choice.d.source.next = CsrSource::Uniform;
        self.choice.d.uniform.next = 0.into();
        match self.csr_index.val().index() {
            0x0 => self.choice.d.source.next = CsrSource::ThreadX,
            0x1 => self.choice.d.source.next = CsrSource::ThreadY,
            0x2 => self.choice.d.source.next = CsrSource::ThreadZ,
            0x3 => self.choice.d.uniform.next = self.context.ctaid_x.val(),
            0x4 => self.choice.d.uniform.next = self.context.ctaid_y.val(),
            0x5 => self.choice.d.uniform.next = self.context.ctaid_z.val(),
            0x6 => self.choice.d.uniform.next = bit_cast_to(self.kernel.block_x.val(), 32),
            0x7 => self.choice.d.uniform.next = bit_cast_to(self.kernel.block_y.val(), 32),
            0x8 => self.choice.d.uniform.next = bit_cast_to(self.kernel.block_z.val(), 32),
            0x9 => self.choice.d.uniform.next = self.kernel.grid_x.val(),
            0xA => self.choice.d.uniform.next = self.kernel.grid_y.val(),
            0xB => self.choice.d.uniform.next = self.kernel.grid_z.val(),
            0xC => self.choice.d.source.next = CsrSource::Lane,
            0xD => self.choice.d.source.next = CsrSource::Warp,
            0xF => self.choice.d.uniform.next = self.kernel.arguments.val(),
            _ => {}
        }

        for i in 0..self.home_warps.len() {
            self.warp_in_cta[i].next = self.home_warps[i].val() - self.context.first_warp.val();
        }
        for i in 0..self.first_warps.len() {
            self.warp_in_cta[i].next = self.home_warps[i].val() - self.first_warps[i].selected.val();
        }
        for s in 0..self.of_ctas.len() {
            self.of_ctas[s].d.next = self.choice.d.uniform.val();
            match self.csr_index.val().index() {
                0x3 => self.of_ctas[s].d.next = self.homes.ctaids_x[s].val(),
                0x4 => self.of_ctas[s].d.next = self.homes.ctaids_y[s].val(),
                0x5 => self.of_ctas[s].d.next = self.homes.ctaids_z[s].val(),
                _ => {}
            }
            self.values_by_slot[s].next = self.of_ctas[s].q.val();
        }
        for lane in 0..self.lanes.len() {
            self.lanes[lane].read_warp_in_cta.next = self.warp_in_cta[0].val();
            self.lanes[lane].warp_in_cta.next = self.warp_in_cta_held[0].q.val();
            self.lanes[lane].write_enable.next =
                self.tid_write.enable[lane % 8].val().any() & (self.tid_write.lane[lane % 8].val() == lane);
            self.lanes[lane].thread_number.next = self.tid_write.number[lane % 8].val();
            self.lanes[lane].thread.x.next = self.tid_write.x[lane % 8].val();
            self.lanes[lane].thread.y.next = self.tid_write.y[lane % 8].val();
            self.lanes[lane].thread.z.next = self.tid_write.z[lane % 8].val();
            for t in 0..self.permuted.len() {
                self.permuted[t].next = self.tid_write.enable[t].val().any() & (self.tid_write.lane[t].val() == lane);
                if self.permuted[t].val() {
                    self.lanes[lane].write_enable.next = true;
                    self.lanes[lane].thread_number.next = self.tid_write.number[t].val();
                    self.lanes[lane].thread.x.next = self.tid_write.x[t].val();
                    self.lanes[lane].thread.y.next = self.tid_write.y[t].val();
                    self.lanes[lane].thread.z.next = self.tid_write.z[t].val();
                }
            }
            self.lanes[lane].number.next = lane.into();
        }
        for i in 0..self.values_of_ctas.len() {
            self.lanes[i].of_cta[0].next = self.values_of_ctas[i].selected.val();
        }
        for i in 0..self.home_warps.len() {
            self.lanes[i].read_warp_in_cta.next = self.warp_in_cta[i].val();
            self.lanes[i].warp_in_cta.next = self.warp_in_cta_held[i].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    /// A warp of four threads a cycle; what stands at a port without enable is not written.
    fn fill(unit: &mut CsrUnit, place: impl Fn(usize) -> (usize, usize, usize)) {
        for warp in 0..4 {
            unit.tid_write.warp_in_cta.next = warp.into();
            for port in 0..4 {
                let (x, y, z) = place(4 * warp + port);
                unit.tid_write.enable[port].next = 1.into();
                unit.tid_write.lane[port].next = port.into();
                unit.tid_write.x[port].next = x.into();
                unit.tid_write.y[port].next = y.into();
                unit.tid_write.z[port].next = z.into();
            }
            tick!(*unit);
            for port in 0..4 {
                unit.tid_write.enable[port].next = 0.into();
                unit.tid_write.x[port].next = 0x77.into();
            }
            tick!(*unit);
        }
    }

    #[test]
    fn every_number() {
        let mut unit = CsrUnit::new(&CoreConfig::tiny());
        unit.connect_all();
        simulate(&mut unit, 1000);
        fill(&mut unit, |thread| (thread % 5, thread / 5, 100 + thread));
        unit.home_warps[0].next = 3.into();
        unit.context.first_warp.next = 1.into();
        unit.context.ctaid_x.next = 0x30.into();
        unit.context.ctaid_y.next = 0x31.into();
        unit.context.ctaid_z.next = 0x32.into();
        unit.kernel.block_x.next = 0x60.into();
        unit.kernel.block_y.next = 0x61.into();
        unit.kernel.block_z.next = 0x62.into();
        unit.kernel.grid_x.next = 0x90.into();
        unit.kernel.grid_y.next = 0x91.into();
        unit.kernel.grid_z.next = 0x92.into();
        unit.kernel.arguments.next = 0x8000_0000.into();
        let by_lane = [
            [3, 4, 0, 1], // threads 8 to 11 of a CTA five threads wide
            [1, 1, 2, 2],
            [108, 109, 110, 111],
            [0x30; 4],
            [0x31; 4],
            [0x32; 4],
            [0x60; 4],
            [0x61; 4],
            [0x62; 4],
            [0x90; 4],
            [0x91; 4],
            [0x92; 4],
            [0, 1, 2, 3],
            [2; 4],
            [0; 4],
            [0x8000_0000; 4],
        ];
        for (index, expected) in by_lane.into_iter().enumerate() {
            unit.csr_index.next = index.into();
            tick!(unit);
            for (lane, value) in expected.into_iter().enumerate() {
                assert_eq!(unit.values[lane].val(), value, "CSR {:#x}, lane {lane}", 0xcc0 + index);
            }
        }
    }

    #[test]
    fn threads_of_several_home_warps() {
        let mut unit = CsrUnit::new(&CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        unit.connect_all();
        simulate(&mut unit, 1000);
        fill(&mut unit, |thread| (thread, 0, 0));
        unit.context.first_warp.next = 1.into();
        for (port, home_warp) in unit.home_warps.iter_mut().zip([3, 1, 2, 1]) {
            port.next = Word::from(home_warp);
        }
        for (index, expected) in [(0x0, [8, 1, 6, 3]), (0xC, [0, 1, 2, 3]), (0xD, [2, 0, 1, 0])] {
            unit.csr_index.next = Word::from(index);
            tick!(unit);
            assert_eq!(unit.values.iter().map(|value| value.val().index()).collect::<Vec<_>>(), expected);
        }
    }

    /// Home warps 0 and 1 are of CTA slot 0, 2 and 3 of slot 1.
    #[test]
    fn threads_of_several_ctas() {
        let mut unit = CsrUnit::new(&CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() });
        unit.connect_all();
        simulate(&mut unit, 1000);
        fill(&mut unit, |thread| (thread, 0, 0));
        unit.kernel.grid_y.next = 0x91.into();
        for slot in 0..2 {
            unit.homes.first_warps[slot].next = (2 * slot).into();
            unit.homes.ctaids_x[slot].next = (0x30 + slot).into();
            unit.homes.ctaids_y[slot].next = (0x40 + slot).into();
            unit.homes.ctaids_z[slot].next = (0x50 + slot).into();
        }
        for (index, expected) in [
            (0x0, [4, 1, 2, 3]), // lane 0 is of warp 1 of its CTA, the others of warp 0
            (0x3, [0x31, 0x30, 0x31, 0x30]),
            (0x4, [0x41, 0x40, 0x41, 0x40]),
            (0x5, [0x51, 0x50, 0x51, 0x50]),
            (0xA, [0x91; 4]),
            (0xD, [1, 0, 0, 0]),
        ] {
            unit.csr_index.next = Word::from(index as usize);
            for (lane, home_warp) in [3usize, 0, 2, 0].into_iter().enumerate() {
                unit.home_warps[lane].next = home_warp.into();
                unit.lane_slots[lane].next = (home_warp / 2).into();
            }
            tick!(unit);
            for lane in 0..4 {
                unit.held_slots[lane].next = unit.lane_slots[lane].val();
            }
            simulate(&mut unit, 1000);
            assert_eq!(unit.values.iter().map(|value| value.val().index()).collect::<Vec<_>>(), expected, "{index:#x}");
        }
    }
}
