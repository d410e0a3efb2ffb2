//! The CSR value of one lane, and its column of the thread-id table.
//!
//! ```text
//!   OPERAND                          EXECUTE
//!   read_warp_in_cta ---> thread ids ------------+
//!   thread_* ----> {z, y, x} of each warp_in_cta -+-> mux ---> value
//!   source, uniform, warp_in_cta (in EXECUTE) ---+
//!   number ------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_warp_in_cta` | w | OPERAND: the thread's warp_in_cta, counted in its CTA |
//! | `write_enable`, `write_warp_in_cta`, `thread_{x,y,z}` | 1, w, 16 | a warp_in_cta is written |
//! | `thread_number` | l | and the thread's logical lane |
//! | `choice_source` | `CsrSource` | EXECUTE: what to read |
//! | `choice_uniform` | 32 | EXECUTE: the value that is the same for the whole warp |
//! | `of_cta` | 32 | where warps are of threads of several CTAs, instead (Vec of one): the value that is the same for the CTA of the thread |
//! | `warp_in_cta` | w | EXECUTE: `read_warp_in_cta` of the cycle before |
//! | `number` | 32 | this lane's number: the logical one too, unless the core permutes lanes |
//! | `value` | 32 | EXECUTE |
//!
//! Latency 1 from `read_warp_in_cta`, 0 from the rest. State: for each warp_in_cta 48 bits, and the logical lane if the core permutes lanes.
use super::operation::{CsrChoice, CsrSource};
use crate::interface::ThreadPlace;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CsrLane: clock {
        pub read_warp_in_cta: Net<In> = warp,
        pub write_enable: Signal<In, Bit>,
        pub write_warp_in_cta: Net<In> = warp,
        pub thread: ThreadPlace<In> = ThreadPlace::new(),
        pub thread_number: Net<In> = config.lane_width(),
        pub choice: CsrChoice<In> = CsrChoice::new(),
        pub of_cta: Vec<Net<In>> = Net::vec(config.where_mixed(1), 32),
        pub warp_in_cta: Net<In> = warp,
        pub number: Net<In> = 32,
        pub value: Net<Out> = 32,

        thread_ids: Memory = Memory::new(48, warps, 1, 1, ReadKind::Synchronous) => {
            read_address[0]: read_warp_in_cta, write_enable[0]: write_enable, write_address[0]: write_warp_in_cta,
        },
        /// Logical lanes, if the core permutes lanes: one, or none.
        numbers: Vec<Memory> = config.permutes().then(numbers).into_iter().collect() => |m| {
            read_address[0]: read_warp_in_cta, write_enable[0]: write_enable, write_address[0]: write_warp_in_cta,
            write_data[0]: thread_number,
        },
        x: Net<Local> = 16,
        y: Net<Local> = 16,
        z: Net<Local> = 16,
        stored: Net<Local> = config.lane_width(),
        logical: Net<Local> = 32,
    }
    /// A lane of a core.
    pub fn new(config: &CoreConfig) {
        let (warps, warp) = (config.warps, config.warp_width());
        let numbers = || Memory::new(config.lane_width(), warps, 1, 1, ReadKind::Synchronous);
    }
}

impl Logic for CsrLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CsrLane");
        self.thread_ids.read_enable[0].next = true;
        self.thread_ids.write_data[0].next = (bit_cast_to(self.thread.z.val(), 48) << 32)
            | (bit_cast_to(self.thread.y.val(), 48) << 16)
            | bit_cast_to(self.thread.x.val(), 48);
        self.x.next = bit_cast_to(self.thread_ids.read_data[0].val(), 16);
        self.y.next = bit_cast_to(self.thread_ids.read_data[0].val() >> 16, 16);
        self.z.next = bit_cast_to(self.thread_ids.read_data[0].val() >> 32, 16);
        self.stored.next = 0.into();
        self.logical.next = self.number.val();
        for m in 0..self.numbers.len() {
            self.numbers[m].read_enable[0].next = true;
            self.stored.next = self.numbers[m].read_data[0].val();
            self.logical.next = bit_cast_to(self.stored.val(), 32);
        }
        match self.choice.source.val() {
            CsrSource::Uniform => self.value.next = self.choice.uniform.val(),
            CsrSource::ThreadX => self.value.next = bit_cast_to(self.x.val(), 32),
            CsrSource::ThreadY => self.value.next = bit_cast_to(self.y.val(), 32),
            CsrSource::ThreadZ => self.value.next = bit_cast_to(self.z.val(), 32),
            CsrSource::Lane => self.value.next = self.logical.val(),
            CsrSource::Warp => self.value.next = bit_cast_to(self.warp_in_cta.val(), 32),
        }
        for i in 0..self.of_cta.len() {
            if self.choice.source.val() == CsrSource::Uniform {
                self.value.next = self.of_cta[i].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Permutation;

    #[test]
    fn selects_the_source() {
        let mut csr = CsrLane::new(&CoreConfig::tiny());
        csr.connect_all();
        simulate(&mut csr, 100);
        csr.write_enable.next = true;
        csr.write_warp_in_cta.next = 2.into();
        csr.thread.x.next = 0xffff.into();
        csr.thread.y.next = 0x8002.into();
        csr.thread.z.next = 0xc003.into();
        tick!(csr);
        csr.write_enable.next = false;
        csr.read_warp_in_cta.next = 2.into();
        csr.choice.uniform.next = 0x1234_5678.into();
        csr.warp_in_cta.next = 2.into();
        csr.number.next = 7.into();
        tick!(csr);
        csr.read_warp_in_cta.next = 0.into();
        for (source, value) in [
            (CsrSource::Uniform, 0x1234_5678),
            (CsrSource::ThreadX, 0xffff),
            (CsrSource::ThreadY, 0x8002),
            (CsrSource::ThreadZ, 0xc003),
            (CsrSource::Lane, 7),
            (CsrSource::Warp, 2),
        ] {
            csr.choice.source.next = source;
            simulate(&mut csr, 100);
            assert_eq!(csr.value.val(), value, "{source:?}");
        }
    }

    #[test]
    fn the_lane_is_the_logical_one() {
        let mut csr = CsrLane::new(&CoreConfig { permutation: Permutation::Balanced, ..CoreConfig::tiny() });
        csr.connect_all();
        csr.number.next = 3.into();
        csr.write_enable.next = true;
        csr.write_warp_in_cta.next = 2.into();
        csr.thread_number.next = 1.into();
        tick!(csr);
        csr.read_warp_in_cta.next = 2.into();
        csr.choice.source.next = CsrSource::Lane;
        tick!(csr);
        assert_eq!(csr.value.val(), 1);
    }
}
