//! [`module!`](crate::module!): a hardware module's fields, each declared once.
use rust_hdl::core::direction::Direction;

use crate::net::{Constant, Net};
use crate::prelude::{Block, Clock, Signal, Synth};

/// What a field of a module may be: a signal, a primitive, another module, a bundle, or a `Vec` of them.
pub trait Part: Block {
    /// Takes over clock and reset of the module around it, if it has any use for them.
    fn follow(&mut self, _clock: Option<Clock>, _reset: Option<bool>) {}
}

impl<D: Direction> Part for Net<D> {}
impl<D: Direction, T: Synth> Part for Signal<D, T> {}
impl Part for Constant {}

impl<P: Part> Part for Vec<P> {
    fn follow(&mut self, clock: Option<Clock>, reset: Option<bool>) {
        self.iter_mut().for_each(|part| part.follow(clock, reset));
    }
}

/// The value that a field starts with: itself, or for a [`Net`] its width.
pub trait Field<Value> {
    /// Makes the field.
    fn field(value: Value) -> Self;
}

impl<T> Field<T> for T {
    fn field(value: T) -> Self {
        value
    }
}

impl<D: Direction> Field<usize> for Net<D> {
    fn field(width: usize) -> Self {
        Net::new(width)
    }
}

/// Declares a hardware module: every field with its type and its width or value, in one place.
///
/// ```
/// use warploom_hdl::prelude::*;
///
/// module! {
///     /// Counts events, up to `limit`.
///     pub struct EventCounter: clock, reset {
///         pub event: Signal<In, Bit>,
///         pub count: Net<Out> = width,
///
///         value: Register = Register::new(width) => { q: count },
///     }
///     /// Up to `limit` events.
///     pub fn new(limit: usize) {
///         let width = index_width(limit + 1);
///     }
/// }
///
/// impl Logic for EventCounter {
///     #[hdl_gen]
///     fn update(&mut self) {
///         comment!("module EventCounter");
///         self.value.d.next = self.value.q.val();
///         if self.event.val() {
///             self.value.d.next = self.value.q.val() + 1;
///         }
///     }
/// }
/// ```
///
/// - A [`Net`] is given its width, anything else its value; without one it is the type's default.
/// - `=> { request: order.grant, write[0]: decoded, index }` behind a child connects its ports: the input `request` with what `self.order.grant` says, and
///   so on; `index` is short for `index: index`. A child's output drives an own local or output in the same way. So what a child is
///   connected with stands where the child does, as in an instance of Verilog, and `update()` keeps what is decided. What is connected here has no
///   other driver. `=> |i| { request: order.grant[i] }` does so for every child of a `Vec`.
/// - `: clock, reset` declares those two inputs. **They reach every child that has such ports without a word in `update()`**,
///   here and in the hardware; a `reset` that `update()` drives is its own.
/// - `sizes { _name = value, }` behind the fields: numbers, mostly widths, that `update()` needs as plain Rust. They are no hardware.
/// - The function's body prepares what several fields share. Without a function the module has no parameters and is its type's default.
#[macro_export]
macro_rules! module {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(: $($domain:ident),+)? {
            $(
                $(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty $(= $value:expr)?
                $(=> { $($ports:tt)* })? $(=> |$each:ident| { $($ports_of_each:tt)* })?
            ),* $(,)?
        }
        $(sizes { $($size:ident = $size_value:expr),* $(,)? })?
        $(
            $(#[$new_meta:meta])*
            pub fn $new:ident($($arguments:tt)*) { $($shared:tt)* }
        )?
    ) => {
        $(#[$meta])*
        pub struct $name {
            $($(pub $domain: $crate::module!(@domain $domain),)+)?
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($($size: usize,)*)?
        }

        $crate::module!(
            @constructor $name
            { $($(#[$new_meta])* pub fn $new($($arguments)*) { $($shared)* })? }
            {
                $($($domain: Default::default(),)+)?
                $($field: $crate::module!(@value $type $(, $value)?),)*
                $($($size: $size_value,)*)?
            }
        );

        $crate::module!(@connect $name [] [] $($([$field [] { $($ports)* }])? $([$field [$each] { $($ports_of_each)* }])?)*);

        impl $crate::prelude::Block for $name {
            fn connect_all(&mut self) {
                $crate::wire::Connections::connect(self);
                $crate::prelude::Logic::connect(self);
                $(self.$field.connect_all();)*
            }
            fn update_all(&mut self) {
                let clock = $crate::module!(@clock self $($($domain)+)?);
                let reset = $crate::module!(@reset self $($($domain)+)?);
                $($crate::module::Part::follow(&mut self.$field, clock, reset);)*
                $crate::wire::Connections::update(self);
                $crate::prelude::Logic::update(self);
                $($(self.$domain.update_all();)+)?
                $(self.$field.update_all();)*
            }
            fn has_changed(&self) -> bool {
                false $($(|| self.$domain.has_changed())+)? $(|| self.$field.has_changed())*
            }
            fn accept(&self, name: &str, probe: &mut dyn $crate::prelude::Probe) {
                probe.visit_start_scope(name, self);
                $crate::wire::Declared(self).accept($crate::wire::DECLARED, probe);
                $($(self.$domain.accept(stringify!($domain), probe);)+)?
                $(self.$field.accept(stringify!($field), probe);)*
                probe.visit_end_scope(name, self);
            }
        }

        impl $crate::module::Part for $name {
            #[allow(unused_variables)]
            fn follow(&mut self, clock: Option<$crate::prelude::Clock>, reset: Option<bool>) {
                $($($crate::module!(@follow self $domain clock reset);)+)?
            }
        }
    };
    // The ports of children, one by one: what is named only once has its namesake.
    (
        @connect $name:ident $one:tt $each:tt
        [$field:ident $i:tt { $($port:ident $([$($p:tt)+])?).+ $(, $($rest:tt)*)? }] $($more:tt)*
    ) => {
        $crate::module!(
            @connect $name $one $each
            [$field $i { $($port $([$($p)+])?).+: $($port $([$($p)+])?).+ $(, $($rest)*)? }] $($more)*
        );
    };
    (
        @connect $name:ident [$($one:tt)*] $each:tt
        [$field:ident [] { $($port:ident $([$($p:tt)+])?).+: $($source:ident $([$($s:tt)+])?).+ $(, $($rest:tt)*)? }]
        $($more:tt)*
    ) => {
        $crate::module!(
            @connect $name [$($one)* { $field.$($port $([$($p)+])?).+ } { $($source $([$($s)+])?).+ }] $each
            [$field [] { $($($rest)*)? }] $($more)*
        );
    };
    (
        @connect $name:ident $one:tt [$($each:tt)*]
        [$field:ident [$i:ident] { $($port:ident $([$($p:tt)+])?).+: $($source:ident $([$($s:tt)+])?).+ $(, $($rest:tt)*)? }]
        $($more:tt)*
    ) => {
        $crate::module!(
            @connect $name $one [$($each)* $i $field { $field[$i].$($port $([$($p)+])?).+ } { $($source $([$($s)+])?).+ }]
            [$field [$i] { $($($rest)*)? }] $($more)*
        );
    };
    (@connect $name:ident $one:tt $each:tt [$field:ident $i:tt {}] $($more:tt)*) => {
        $crate::module!(@connect $name $one $each $($more)*);
    };
    (
        @connect $name:ident
        [$({ $($port:tt)+ } { $($source:tt)+ })*]
        [$($i:ident $vector:ident { $($port_of_each:tt)+ } { $($source_of_each:tt)+ })*]
    ) => {
        impl $crate::wire::Connections for $name {
            #[$crate::prelude::hdl_gen]
            fn update(&mut self) {
                $(wire::join(&mut self.$($source)+, &mut self.$($port)+);)*
                $(
                    for $i in 0..self.$vector.len() {
                        wire::join(&mut self.$($source_of_each)+, &mut self.$($port_of_each)+);
                    }
                )*
            }
        }
    };
    (@constructor $name:ident {} { $($fields:tt)* }) => {
        impl Default for $name {
            fn default() -> Self {
                Self { $($fields)* }
            }
        }
    };
    (
        @constructor $name:ident
        { $(#[$meta:meta])* pub fn $new:ident($($arguments:tt)*) { $($shared:tt)* } }
        { $($fields:tt)* }
    ) => {
        impl $name {
            #[allow(clippy::new_without_default, reason = "a function is asked for")]
            $(#[$meta])*
            pub fn $new($($arguments)*) -> Self {
                $($shared)*
                Self { $($fields)* }
            }
        }
    };
    (@domain clock) => { $crate::prelude::Signal<$crate::prelude::In, $crate::prelude::Clock> };
    (@domain reset) => { $crate::prelude::Signal<$crate::prelude::In, $crate::prelude::Bit> };
    (@clock $self:ident clock $($reset:ident)?) => { Some($self.clock.val()) };
    (@clock $self:ident) => { None };
    (@reset $self:ident clock reset) => { Some($self.reset.val()) };
    (@reset $self:ident $($clock:ident)?) => { None };
    (@follow $self:ident clock $clock:ident $reset:ident) => {
        if let Some(clock) = $clock {
            $self.clock.next = clock;
        }
    };
    (@follow $self:ident reset $clock:ident $reset:ident) => {
        if let Some(reset) = $reset {
            $self.reset.next = reset;
        }
    };
    (@value $type:ty) => { <$type>::default() };
    (@value $type:ty, $value:expr) => { <$type as $crate::module::Field<_>>::field($value) };
}
