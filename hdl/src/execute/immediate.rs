//! Gathers the immediate of an instruction word.
//!
//! ```text
//!            +-----------+
//!   word --->| Immediate |---> value
//! format --->|           |
//!            +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `format` | `ImmediateFormat` | where its immediate lies |
//! | `value` | 32 | the immediate, sign-extended; B and J in bytes, U in its place |
//!
//! Latency 0, no state. RISC-V unprivileged specification, section 2.3.
use super::operation::ImmediateFormat;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Immediate {
        pub word: Net<In> = 32,
        pub format: Signal<In, ImmediateFormat>,
        pub value: Net<Out> = 32,

        upper: Net<Local> = 12,
        store: Net<Local> = 12,
        branch: Net<Local> = 13,
        jump: Net<Local> = 21,
    }
}

impl Logic for Immediate {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Immediate");
        self.upper.next = bit_cast_to(self.word.val() >> 20, 12);
        self.store.next =
            (bit_cast_to(self.word.val() >> 25, 12) << 5) | bit_cast_to(bit_cast_to(self.word.val() >> 7, 5), 12);
        self.branch.next = (bit_cast_to(self.word.val() >> 31, 13) << 12)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 7, 1), 13) << 11)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 25, 6), 13) << 5)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 8, 4), 13) << 1);
        self.jump.next = (bit_cast_to(self.word.val() >> 31, 21) << 20)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 12, 8), 21) << 12)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 20, 1), 21) << 11)
            | (bit_cast_to(bit_cast_to(self.word.val() >> 21, 10), 21) << 1);
        match self.format.val() {
            ImmediateFormat::I => {
                self.value.next = bit_cast_to(signed_cast(self.upper.val()), 32);
            }
            ImmediateFormat::S => {
                self.value.next = bit_cast_to(signed_cast(self.store.val()), 32);
            }
            ImmediateFormat::B => {
                self.value.next = bit_cast_to(signed_cast(self.branch.val()), 32);
            }
            ImmediateFormat::U => {
                self.value.next = (self.word.val() >> 12) << 12;
            }
            ImmediateFormat::J => {
                self.value.next = bit_cast_to(signed_cast(self.jump.val()), 32);
            }
            ImmediateFormat::None => {
                self.value.next = 0.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format() {
        use ImmediateFormat::*;
        let mut immediate = Immediate::default();
        immediate.connect_all();
        for (word, format, value) in [
            (0xfff0_0093, I, -1),         // addi x1, x0, -1
            (0x7ff0_0093, I, 2047),       // addi x1, x0, 2047
            (0x8020_a023, S, -2048),      // sw x2, -2048(x1)
            (0x0020_afa3, S, 31),         // sw x2, 31(x1)
            (0x8000_0063, B, -4096),      // beq x0, x0, -4096
            (0x7e00_0fe3, B, 4094),       // beq x0, x0, 4094
            (0xfe00_0ee3, B, -4),         // beq x0, x0, -4
            (0x8000_0037, U, i32::MIN),   // lui x0, 0x80000
            (0xffff_f0b7, U, -4096),      // lui x1, 0xfffff
            (0x8000_006f, J, -1_048_576), // jal x0, -1048576
            (0x7fff_f06f, J, 1_048_574),  // jal x0, 1048574
            (0x0010_006f, J, 2048),       // jal x0, 2048
            (0xffff_ffff, None, 0),
        ] {
            immediate.word.next = word.into();
            immediate.format.next = format;
            simulate(&mut immediate, 100);
            assert_eq!(immediate.value.val().value() as u32 as i32, value, "{word:08x} as {format:?}");
        }
    }
}
