//! Nets inside the core, found once by their names.
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

/// Where in [`Simulator::observed_words`] the nets are.
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

/// Where the net of this name is.
///
/// # Panics
/// If the simulator does not show it.
pub(super) fn bits(simulator: &Simulator, path: &str) -> Bits {
    let net = simulator.observed().iter().position(|net| net.path == path);
    simulator.observed_bits(net.unwrap_or_else(|| panic!("the simulator shows no net {path}")))
}
