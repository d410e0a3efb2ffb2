//! [`registers!`](crate::registers!): registers of signals that travel together.

/// Declares a [bundle](crate::bundle!), and the module that holds one in registers: a stage of a pipeline, or what a unit keeps.
///
/// ```
/// use warploom_hdl::prelude::*;
///
/// registers! {
///     /// The visitor at the desk.
///     pub struct DeskRegister {
///         /// A visitor.
///         Guest(age: usize, bags: usize) {
///             valid: Bit,
///             age: [age],
///             /// Weight of each.
///             bags: [8; bags],
///         }
///     }
/// }
/// let desk = DeskRegister::new(7, 2);
/// assert_eq!((desk.d.age.width(), desk.q.bags.len()), (7, 2));
/// ```
///
/// | port | meaning |
/// |---|---|
/// | `d` | taken at the edge |
/// | `q` | held |
///
/// A field is a `Bit` or an enumeration, which `reset` clears, or `[width]` or `[width; count]`, which it does not; one at least is of the
/// former. To hold the value: `wire::join(&mut self.desk.q, &mut self.desk.d);`, then what changes. Latency 1.
#[macro_export]
macro_rules! registers {
    (
        $(#[$meta:meta])*
        pub struct $register:ident {
            $(#[$record_meta:meta])*
            $record:ident($($argument:ident: $argument_type:ty),* $(,)?) {
                $($(#[$field_meta:meta])* $field:ident: $kind:tt,)*
            }
        }
    ) => {
        $crate::bundle! {
            $(#[$record_meta])*
            pub struct $record($($argument: $argument_type),*) {
                $($(#[$field_meta])* $field: $kind,)*
            }
        }
        $crate::module! {
            $(#[$meta])*
            pub struct $register: clock, reset {
                pub d: $record<$crate::prelude::In> = $record::new($($argument),*),
                pub q: $record<$crate::prelude::Out> = $record::new($($argument),*),
                $($field: $crate::registers!(@type $kind) = $crate::registers!(@value $kind),)*
            }
            /// With the widths that the arguments give.
            pub fn new($($argument: $argument_type),*) {}
        }
        $crate::registers!(@update $register {} {} $($field $kind)*);
    };
    (@type [$width:expr]) => { $crate::prelude::Flop };
    (@type [$width:expr; $count:expr]) => { Vec<$crate::prelude::Flop> };
    (@type $type:ident) => { $crate::prelude::StateRegister<$type> };
    (@value [$width:expr]) => { $crate::prelude::Flop::new($width) };
    (@value [$width:expr; $count:expr]) => { $crate::prelude::Flop::vec($count, $width) };
    (@value $type:ident) => { Default::default() };
    // The fields by kind: single ones, vectors.
    (@update $register:ident $s:tt { $($v:ident)* } $field:ident [$width:expr; $count:expr] $($rest:tt)*) => {
        $crate::registers!(@update $register $s { $($v)* $field } $($rest)*);
    };
    (@update $register:ident { $($s:ident)* } $v:tt $field:ident $kind:tt $($rest:tt)*) => {
        $crate::registers!(@update $register { $($s)* $field } $v $($rest)*);
    };
    (@update $register:ident { $($single:ident)* } { $($vector:ident)* }) => {
        impl $crate::prelude::Logic for $register {
            #[hdl_gen]
            fn update(&mut self) {
                comment!(module $register);
                $(
                    self.$single.d.next = self.d.$single.val();
                    self.q.$single.next = self.$single.q.val();
                )*
                $(
                    for i in 0..self.$vector.len() {
                        self.$vector[i].d.next = self.d.$vector[i].val();
                        self.q.$vector[i].next = self.$vector[i].q.val();
                    }
                )*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::interface::ControlKind;
    use crate::prelude::*;

    registers! {
        /// With a field of every kind.
        pub struct SampleRegister {
            /// See above.
            HeldSample(width: usize, count: usize) {
                flag: Bit,
                kind: ControlKind,
                value: [width],
                numbers: [4; count],
            }
        }
    }

    #[test]
    fn every_field_takes_its_value_at_the_edge() {
        for count in [0, 3] {
            let mut register = SampleRegister::new(8, count);
            register.connect_all();
            register.d.flag.next = true;
            register.d.kind.next = ControlKind::Exit;
            register.d.value.next = 0x5a.into();
            (0..count).for_each(|i| register.d.numbers[i].next = (i + 7).into());
            simulate(&mut register, 100);
            assert!(!register.q.flag.val() && !register.q.value.val().any(), "not before");
            for reset in [false, true] {
                register.reset.next = reset;
                tick!(register);
                let kind = if reset { ControlKind::Branch } else { ControlKind::Exit };
                assert_eq!((register.q.flag.val(), register.q.kind.val()), (!reset, kind));
                assert_eq!(register.q.value.val().index(), 0x5a);
                assert!((0..count).all(|i| register.q.numbers[i].val().index() == i + 7));
            }
        }
    }
}
