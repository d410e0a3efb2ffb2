//! Primitives: the leaves of the design, which the elaborator knows by their [`Tag`].
//!
//! A primitive is a hand-written [`Logic`](rust_hdl::prelude::Logic): its `update()` is the native
//! model, its `hdl()` returns the tag. Everything downstream (lint, Verilog, the generated
//! simulator) works from the tag; `tests/` proves that all of them mean the same.
use crate::module;
use crate::module::Part;
use crate::prelude::{Clock, Synth, Verilog};
use serde::{Deserialize, Serialize};

mod barrel_shifter;
mod flop;
mod indexed_mux;
mod memory;
mod multiplier;
mod popcount;
mod priority_encoder;
mod register;
mod signed_compare;
mod state_register;

pub use barrel_shifter::BarrelShifter;
pub use flop::Flop;
pub use indexed_mux::IndexedMux;
pub use memory::{Memory, ReadKind};
pub use multiplier::Multiplier;
pub use popcount::Popcount;
pub use priority_encoder::PriorityEncoder;
pub use register::{EnabledRegister, Register};
pub use signed_compare::SignedCompare;
pub use state_register::StateRegister;

/// Which of the two a primitive takes over from the module around it.
macro_rules! follow {
    ($($name:ident$(<$type:ident>)? $($domain:ident)*;)*) => {$(
        impl$(<$type: Synth>)? Part for $name$(<$type>)? {
            #[allow(unused_variables)]
            fn follow(&mut self, clock: Option<Clock>, reset: Option<bool>) {
                $(module!(@follow self $domain clock reset);)*
            }
        }
    )*};
}

follow! {
    BarrelShifter;
    EnabledRegister clock reset;
    Flop clock;
    IndexedMux;
    Memory clock;
    Multiplier;
    Popcount;
    PriorityEncoder;
    Register clock reset;
    SignedCompare;
    StateRegister<E> clock reset;
}

/// What a primitive is, with its sizes. Port names are those of the struct of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tag {
    /// [`Flop`]: `clock d q`.
    Flop { width: usize, initial: u64 },
    /// [`Register`] and [`StateRegister`]: `clock reset d q`.
    Register { width: usize, initial: u64 },
    /// [`EnabledRegister`]: `clock reset enable d q`.
    EnabledRegister { width: usize, initial: u64 },
    /// [`Memory`].
    Memory { width: usize, depth: usize, reads: usize, writes: usize, synchronous: bool, byte_enables: bool },
    /// [`Multiplier`]: `a b a_signed b_signed low high`; operands of `width` bits, `low` and `high` the halves of the product.
    Multiplier { width: usize },
    /// [`BarrelShifter`]: `value amount left arithmetic result`.
    BarrelShifter { width: usize },
    /// [`SignedCompare`]: `a b less`: two's-complement a < b.
    SignedCompare { width: usize },
    /// [`PriorityEncoder`]: `request index one_hot any`: the lowest set bit; index 0 and one_hot 0 when none is set.
    PriorityEncoder { width: usize },
    /// [`Popcount`]: `value count`.
    Popcount { width: usize },
    /// [`IndexedMux`]: `inputs[i] index selected`: `inputs[index]`, 0 past the end.
    IndexedMux { width: usize, inputs: usize },
}

impl Tag {
    /// The tag as the `hdl()` of a primitive.
    pub fn to_verilog(&self) -> Verilog {
        Verilog::Custom(serde_json::to_string(self).expect("a tag is plain data"))
    }

    /// Reads the tag back from the text of `Verilog::Custom`.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}
