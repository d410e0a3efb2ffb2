//! What a module file needs: `use crate::prelude::*;`.
pub use crate::config::CoreConfig;
pub use crate::net::{Constant, Net};
pub use crate::prim::*;
pub use crate::word::{BitCast, SignedWord, Word, bit_cast_to, index_width, mask, signed_cast};
pub use crate::{bundle, comment, dff_setup, hardware_enum, module, records, registers, wire};
// The names that rust-hdl's derives and `#[hdl_gen]` expand to.
pub use rust_hdl::core::direction::Direction;
pub use rust_hdl::core::{ast, block, probe, synth, type_descriptor};
pub use rust_hdl::prelude::{
    Atom, AtomKind, Bit, Bits, Block, Clock, In, Local, Logic, LogicBlock, LogicInterface, LogicJoin, LogicLink,
    LogicState, Out, Probe, Signal, Synth, TimingInfo, ToBits, TypeDescriptor, TypeKind, VCDValue, Verilog,
    VerilogLiteral, clog2, hdl_gen, simulate,
};

/// What `#[hdl_gen]` expands to for the traits of rust-hdl's modules.
///
/// rust-hdl notes which signals have a driver; here that is the elaborator's to find, so connections note nothing.
pub mod logic {
    pub use rust_hdl::core::logic::*;

    /// For [`wire::join`](crate::wire::join).
    pub fn logic_connect_join_fn<A, B>(_: &mut A, _: &mut B) {}
}

/// `count` single-bit signals.
pub fn bit_vec<D: rust_hdl::core::direction::Direction>(count: usize) -> Vec<Signal<D, Bit>> {
    (0..count).map(|_| Signal::default()).collect()
}

/// Names the module for the elaborator: the first statement of every `update()` is
/// `comment!("module RoundRobinArbiter")`. It has no effect in simulation.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
    (module $name:ident) => {};
}

/// Clocks registers and lets them hold: `r.clock.next = clock; r.d.next = r.q`.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $clock:ident, $($register:ident),+ $(,)?) => {
        $($self.$register.clock.next = $self.$clock.val();)+
        $($self.$register.d.next = $self.$register.q.val();)+
    };
}

/// Declares a hardware enumeration: states and operations that waveforms show by name.
///
/// The encoding is the position in the list; `bit_cast_to(x.val(), width)` gives it as a word.
#[macro_export]
macro_rules! hardware_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, LogicState)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }
        impl $name {
            /// The variants by their encoding.
            pub const VARIANTS: &'static [Self] = &[$(Self::$variant),+];
        }
        impl $crate::word::BitCast for $name {
            fn cast(self, width: usize) -> $crate::word::Word {
                (self as usize).cast(width)
            }
        }
    };
}
