//! Joining what two blocks exchange, one line a connection.
//!
//! ```text
//! wire::join(&mut self.execute.resolve, &mut self.divergence.resolve);   a child's output to its sibling's input
//! wire::join(&mut self.resolve, &mut self.stack.resolve);                an input handed on to a child
//! wire::join(&mut self.finished, &mut self.stack.finished);              an output that a child drives
//! wire::join(&mut self.result, &mut self.winner);                        an input to a local, or to an output
//! wire::join(&mut self.continues, &mut self.first);                      an own output or local to another, whose name comes first
//! ```
//!
//! Either side may be a [`Net`], a `Signal`, a [bundle](crate::bundle!) or a `Vec` of them. The source comes first,
//! except where a block's own output or local takes over what a child or another of them says: then that does. `#[hdl_gen]` writes down the
//! two names, and the elaborator joins every signal of one with its namesake in the other.
use rust_hdl::core::ast::{Verilog, VerilogLink, VerilogLinkDetails};

use crate::net::{Constant, Net};
use crate::prelude::{Block, In, Local, Logic, Out, Probe, Signal, Synth};

/// Two ends of a connection.
pub trait Connect<Other> {
    /// Drives the one from the other for this pass.
    fn connect_to(&mut self, other: &mut Other);
}

/// Connects `port` with `other`, see the [module documentation](self).
pub fn join<A: Connect<B>, B>(port: &mut A, other: &mut B) {
    port.connect_to(other);
}

/// What `#[hdl_gen]` makes of [`join`]: the names alone, for widths and lengths are the elaborator's to see.
#[doc(hidden)]
pub fn join_hdl(_: &str, port: &str, other: &str) -> Vec<VerilogLink> {
    let names =
        VerilogLinkDetails { my_name: String::new(), owner_name: port.to_string(), other_name: other.to_string() };
    vec![VerilogLink::Bidirectional(names)]
}

/// What [`module!`](crate::module!) makes of the ports that stand behind a child: statements as in `update()`, apart from it.
pub trait Connections {
    /// Connects for this pass.
    fn update(&mut self);
    /// Tells the signals that they are driven.
    fn connect(&mut self);
    /// The same for the elaborator.
    fn hdl(&self) -> Verilog;
}

/// The name under which a probe sees the [`Declared`] connections of a module, before its fields. No field is called so.
pub const DECLARED: &str = "=>";

/// The [`Connections`] of a module, for a probe that asks for them.
pub struct Declared<'a, M>(pub &'a M);

impl<M: Connections> Logic for Declared<'_, M> {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        self.0.hdl()
    }
}

impl<M: Connections> Block for Declared<'_, M> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        probe.visit_end_scope(name, self);
    }
}

impl<A: Connect<B>, B> Connect<Vec<B>> for Vec<A> {
    fn connect_to(&mut self, other: &mut Vec<B>) {
        assert_eq!(self.len(), other.len(), "a connection of vectors that differ in length");
        self.iter_mut().zip(other).for_each(|(a, b)| a.connect_to(b));
    }
}

impl Connect<Net<In>> for Constant {
    fn connect_to(&mut self, other: &mut Net<In>) {
        other.next = self.val();
    }
}

macro_rules! forward {
    ($($from:ty => $to:ty),*) => {$(
        impl Connect<Net<$to>> for Net<$from> {
            fn connect_to(&mut self, other: &mut Net<$to>) {
                other.next = self.val();
            }
        }
        impl<T: Synth> Connect<Signal<$to, T>> for Signal<$from, T> {
            fn connect_to(&mut self, other: &mut Signal<$to, T>) {
                other.next = self.val();
            }
        }
    )*};
}

macro_rules! backward {
    ($($to:ident <= $from:ident),*) => {$(
        impl Connect<Net<$from>> for Net<$to> {
            fn connect_to(&mut self, other: &mut Net<$from>) {
                self.next = other.val();
            }
        }
        impl<T: Synth> Connect<Signal<$from, T>> for Signal<$to, T> {
            fn connect_to(&mut self, other: &mut Signal<$from, T>) {
                self.next = other.val();
            }
        }
    )*};
}

forward!(In => In, Out => In, Local => In, In => Local, In => Out);
backward!(Out <= Out, Local <= Out, Out <= Local, Local <= Local);
