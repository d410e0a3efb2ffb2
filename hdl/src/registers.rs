//! [`registers!`](crate::registers!): pipeline registers for signals that travel together.

/// Declares signals that travel together as a [bundle](crate::bundle!), and the module that holds them for a cycle.
///
/// ```
/// use warploom_hdl::prelude::*;
///
/// registers! {
///     /// [`Visitor`], a cycle later.
///     pub struct VisitorRegister {
///         /// A visitor.
///         Visitor(age: usize, bags: usize) {
///             valid: Bit,
///             age: [age],
///             /// Weight of each.
///             bags: [8; bags],
///         }
///     }
/// }
/// registers! {
///     /// [`Couple`], a cycle later.
///     pub struct CoupleRegister {
///         /// Who comes together.
///         Couple() {
///             her: (Visitor(7, 2) in VisitorRegister(7, 2)),
///             his: (Visitor(7, 1) in VisitorRegister(7, 1)),
///         }
///     }
/// }
/// let held = CoupleRegister::new();
/// assert_eq!((held.d.her.bags.len(), held.q.his.age.width()), (2, 7));
/// ```
///
/// | port | meaning |
/// |---|---|
/// | `d` | taken at every rising edge |
/// | `q` | what was taken |
///
/// A `Bit` or an enumeration, which is mostly control, starts at its default and returns there at `reset`
/// ([`StateRegister`](crate::prim::StateRegister)); `[width]` and `[width; count]` start at 0 and have no reset ([`Flop`](crate::prim::Flop)). A bundle
/// names the register that holds it behind `in`. Where nothing is reset, the register says `: clock`.
/// To hold the value: `wire::join(&mut self.desk.q, &mut self.desk.d);`, then what changes. Latency 1.
#[macro_export]
macro_rules! registers {
    ($(#[$meta:meta])* pub struct $register:ident { $($record:tt)* }) => {
        $crate::registers! { $(#[$meta])* pub struct $register: clock, reset { $($record)* } }
    };
    (
        $(#[$meta:meta])*
        pub struct $register:ident: $($domain:ident),+ {
            $(#[$bundle_meta:meta])*
            $bundle:ident($($argument:ident: $argument_type:ty),* $(,)?) {
                $($(#[$field_meta:meta])* $field:ident: $kind:tt,)*
            }
        }
    ) => {
        $crate::bundle! {
            $(#[$bundle_meta])*
            pub struct $bundle($($argument: $argument_type),*) {
                $($(#[$field_meta])* $field: $kind,)*
            }
        }
        $crate::module! {
            $(#[$meta])*
            pub struct $register: $($domain),+ {
                pub d: $bundle<$crate::prelude::In> = $bundle::new($($argument),*),
                pub q: $bundle<$crate::prelude::Out> = $bundle::new($($argument),*),
                $($field: $crate::registers!(@type $kind) = $crate::registers!(@value $kind),)*
            }
            /// With the widths that the arguments give.
            pub fn new($($argument: $argument_type),*) {}
        }
        $crate::registers!(@update $register {} {} $($field $kind)*);
    };
    (@type [$width:expr]) => { $crate::prelude::Flop };
    (@type [$width:expr; $count:expr]) => { Vec<$crate::prelude::Flop> };
    (@type ($bundle:ident $arguments:tt in $register:ident $register_arguments:tt)) => { $register };
    (@type $type:ident) => { $crate::prelude::StateRegister<$type> };
    (@value [$width:expr]) => { $crate::prelude::Flop::new($width) };
    (@value [$width:expr; $count:expr]) => { $crate::prelude::Flop::vec($count, $width) };
    (@value ($bundle:ident $arguments:tt in $register:ident $register_arguments:tt)) => { $register::new $register_arguments };
    (@value $type:ident) => { Default::default() };
    // The vectors, and all others.
    (@update $register:ident { $($vector:ident)* } $other:tt $field:ident [$width:expr; $count:expr] $($rest:tt)*) => {
        $crate::registers!(@update $register { $($vector)* $field } $other $($rest)*);
    };
    (@update $register:ident $vector:tt { $($other:ident)* } $field:ident $kind:tt $($rest:tt)*) => {
        $crate::registers!(@update $register $vector { $($other)* $field } $($rest)*);
    };
    (@update $register:ident { $($vector:ident)* } { $($other:ident)* }) => {
        impl $crate::prelude::Logic for $register {
            #[hdl_gen]
            fn update(&mut self) {
                comment!(module $register);
                $(
                    wire::join(&mut self.d.$other, &mut self.$other.d);
                    wire::join(&mut self.q.$other, &mut self.$other.q);
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
        /// Without control.
        pub struct PairRegister: clock {
            /// See above.
            Pair(width: usize) {
                left: [width],
                right: [width],
            }
        }
    }
    registers! {
        /// With a field of every kind.
        pub struct SampleRegister {
            /// See above.
            Sample(width: usize, count: usize) {
                valid: Bit,
                kind: ControlKind,
                numbers: [4; count],
                pair: (Pair(width) in PairRegister(width)),
            }
        }
    }

    #[test]
    fn every_field_comes_a_cycle_later_and_reset_clears_control() {
        for count in [0, 3] {
            let mut held = SampleRegister::new(8, count);
            held.connect_all();
            held.d.valid.next = true;
            simulate(&mut held, 100);
            assert!(!held.q.valid.val() && !held.q.pair.left.val().any(), "not before");
            for reset in [false, true] {
                held.reset.next = reset;
                held.d.valid.next = true;
                held.d.kind.next = ControlKind::Exit;
                held.d.pair.left.next = 0x5a.into();
                held.d.pair.right.next = 0xa5.into();
                (0..count).for_each(|i| held.d.numbers[i].next = (i + 7).into());
                tick!(held);
                let expected = if reset { (false, ControlKind::Branch) } else { (true, ControlKind::Exit) };
                assert_eq!((held.q.valid.val(), held.q.kind.val()), expected);
                assert_eq!((held.q.pair.left.val().index(), held.q.pair.right.val().index()), (0x5a, 0xa5));
                assert!((0..count).all(|i| held.q.numbers[i].val().index() == i + 7));
            }
            held.d.pair.left.next = 1.into();
            simulate(&mut held, 100);
            assert_eq!(held.q.pair.left.val().index(), 0x5a, "not before the edge");
        }
    }
}
