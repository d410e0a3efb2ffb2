//! [`bundle!`](crate::bundle!): signals that travel together, declared once.

/// Declares signals that travel together.
///
/// ```
/// use warploom_hdl::prelude::*;
///
/// bundle! {
///     /// Threads of a warp that end.
///     pub struct Exit(warps: usize, lanes: usize) {
///         valid: Bit,
///         warp: [index_width(warps)],
///         counts: [index_width(lanes + 1); 2],
///     }
/// }
/// let port: Exit<In> = Exit::new(32, 8);
/// assert_eq!((port.warp.width(), port.counts.len()), (5, 2));
/// ```
///
/// A field is a `Bit` or an enumeration, `[width]`, `[width; count]`, or another bundle as `(Exit(warps, lanes))`. A port of that type is `Exit<In>` or
/// `Exit<Out>`, made by `Exit::new` and connected by one [`wire::join`](crate::wire::join). In waves and in Verilog
/// the field `warp` of the port `exit` is called `exit_warp`, however deep in nested bundles it stands. An input's field that a block does not read gets no port in
/// the hardware, so a block may take a whole bundle for the sake of a part.
#[macro_export]
macro_rules! bundle {
    (
        $(#[$meta:meta])*
        pub struct $name:ident($($argument:ident: $argument_type:ty),* $(,)?) {
            $($(#[$field_meta:meta])* $field:ident: $kind:tt,)*
        }
    ) => {
        $(#[$meta])*
        pub struct $name<D: $crate::prelude::Direction> {
            $($(#[$field_meta])* pub $field: $crate::bundle!(@type D $kind),)*
        }

        impl<D: $crate::prelude::Direction> $name<D> {
            /// With the widths that the arguments give.
            #[allow(unused_variables, clippy::new_without_default, reason = "all bundles are made in the same way")]
            pub fn new($($argument: $argument_type),*) -> Self {
                Self { $($field: $crate::bundle!(@value $kind),)* }
            }
        }

        impl<D: $crate::prelude::Direction> $crate::prelude::Logic for $name<D> {
            fn update(&mut self) {}
        }

        impl<D: $crate::prelude::Direction> $crate::prelude::Block for $name<D> {
            fn connect_all(&mut self) {
                $(self.$field.connect_all();)*
            }
            fn update_all(&mut self) {
                $(self.$field.update_all();)*
            }
            fn has_changed(&self) -> bool {
                false $(|| self.$field.has_changed())*
            }
            fn accept(&self, name: &str, probe: &mut dyn $crate::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                $(self.$field.accept(stringify!($field), probe);)*
                probe.visit_end_namespace(name, self);
            }
        }

        impl<D: $crate::prelude::Direction> $crate::module::Part for $name<D> {}

        $crate::bundle!(@connect $name ($($field)*) In In);
        $crate::bundle!(@connect $name ($($field)*) Out In);
        $crate::bundle!(@connect $name ($($field)*) Local In);
        $crate::bundle!(@connect $name ($($field)*) In Local);
        $crate::bundle!(@connect $name ($($field)*) In Out);
        $crate::bundle!(@connect $name ($($field)*) Out Out);
        $crate::bundle!(@connect $name ($($field)*) Local Out);
        $crate::bundle!(@connect $name ($($field)*) Out Local);
        $crate::bundle!(@connect $name ($($field)*) Local Local);
    };
    (@connect $name:ident ($($field:ident)*) $port:ident $other:ident) => {
        impl $crate::wire::Connect<$name<$crate::prelude::$other>> for $name<$crate::prelude::$port> {
            fn connect_to(&mut self, other: &mut $name<$crate::prelude::$other>) {
                $($crate::wire::join(&mut self.$field, &mut other.$field);)*
            }
        }
    };
    (@type $direction:ident [$width:expr]) => { $crate::prelude::Net<$direction> };
    (@type $direction:ident [$width:expr; $count:expr]) => { Vec<$crate::prelude::Net<$direction>> };
    (@type $direction:ident ($bundle:ident $arguments:tt $($keeper:tt)*)) => { $bundle<$direction> };
    (@type $direction:ident $type:ident) => { $crate::prelude::Signal<$direction, $type> };
    (@value [$width:expr]) => { $crate::prelude::Net::new($width) };
    (@value [$width:expr; $count:expr]) => { $crate::prelude::Net::vec($count, $width) };
    (@value ($bundle:ident $arguments:tt $($keeper:tt)*)) => { $bundle::new $arguments };
    (@value $type:ident) => { Default::default() };
}
