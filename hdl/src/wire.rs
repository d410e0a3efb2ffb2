//! Joining what two blocks exchange, one line a connection.
//!
//! ```text
//! wire::join(&mut self.execute.resolve, &mut self.divergence.resolve);   a child's output to its sibling's input
//! wire::join(&mut self.resolve, &mut self.stack.resolve);                an input handed on to a child
//! wire::join(&mut self.finished, &mut self.stack.finished);              an output that a child drives
//! wire::join(&mut self.result, &mut self.winner);                        an input to a local, or to an output
//! ```
//!
//! Either side may be a [`Net`], a `Signal`, a [bundle](crate::bundle!) or a `Vec` of them. The source comes first,
//! except where a block passes on what its child drives: then the block's own port does. `#[hdl_gen]` writes down the
//! two names, and the elaborator joins every signal of one with its namesake in the other.
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};

use crate::net::{Constant, Net};
use crate::prelude::{In, Local, Out, Signal, Synth};

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
    ($($to:ty),*) => {$(
        impl Connect<Net<Out>> for Net<$to> {
            fn connect_to(&mut self, other: &mut Net<Out>) {
                self.next = other.val();
            }
        }
        impl<T: Synth> Connect<Signal<Out, T>> for Signal<$to, T> {
            fn connect_to(&mut self, other: &mut Signal<Out, T>) {
                self.next = other.val();
            }
        }
    )*};
}

forward!(In => In, Out => In, Local => In, In => Local, In => Out);
backward!(Out, Local);
