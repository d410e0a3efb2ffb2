//! Nets inside the core, found once by their names.

/// Where in [`observed_words`](warploom_sim::Simulator::observed_words) the nets are.
macro_rules! nets {
    ($name:ident, $scope:literal: $($field:ident = $net:literal,)*) => {
        struct $name<T> { $($field: T),* }

        impl $name<Bits> {
            const NAMES: &[&str] = &[$(concat!($scope, ".", $net)),*];

            fn find(simulator: &Simulator) -> Self {
                Self { $($field: bits(simulator, concat!($scope, ".", $net))),* }
            }

            fn read(&self, words: &[u64]) -> $name<u64> {
                $name { $($field: self.$field.of(words)),* }
            }
        }
    };
}
pub(super) use nets;
pub(super) use warploom_runtime::host::observed_bits as bits;
