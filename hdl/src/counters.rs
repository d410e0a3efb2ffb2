//! What is counted: a table for every block that counts, and the ports of such a block in its order.

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// As it is called everywhere.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// What it is over several launches.
    pub total: Total,
}

/// What a counter is over several launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Their sum.
    Sum,
    /// The most that there was in any.
    Max,
}

impl Counter {
    pub(crate) const fn sum(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, total: Total::Sum }
    }

    pub(crate) const fn max(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, total: Total::Max }
    }
}

/// Where the counter of this name is in a table.
///
/// # Panics
/// If there is none.
pub fn place(table: &[Counter], name: &str) -> usize {
    table.iter().position(|counter| counter.name == name).unwrap_or_else(|| panic!("there is no counter {name}"))
}

/// What has been counted after `before` was read; maxima are kept as they are. Empty if the core has no such counters.
pub fn since(table: &[Counter], now: &mut [u64], before: &[u64]) {
    for ((counter, now), before) in table.iter().zip(now).zip(before) {
        if counter.total == Total::Sum {
            *now -= before;
        }
    }
}

/// Adds what another launch has counted.
pub fn add(table: &[Counter], counts: &mut Vec<u64>, other: &[u64]) {
    counts.resize(counts.len().max(other.len()), 0);
    for ((counter, count), other) in table.iter().zip(counts).zip(other) {
        *count = match counter.total {
            Total::Sum => *count + other,
            Total::Max => (*count).max(*other),
        };
    }
}

/// A table of counters, and a struct of what they have counted with a field for each.
macro_rules! counters {
    ($(#[$table_doc:meta])* $table:ident, $(#[$counts_doc:meta])* $counts:ident: $($total:ident $name:ident $meaning:literal;)*) => {
        $(#[$table_doc])*
        pub const $table: &[$crate::counters::Counter] =
            &[$($crate::counters::Counter::$total(stringify!($name), $meaning)),*];

        $(#[$counts_doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $counts {
            $(#[doc = $meaning] pub $name: u64,)*
        }

        impl $counts {
            /// From values in the order of the table.
            pub fn of(values: impl IntoIterator<Item = u64>) -> Self {
                let mut values = values.into_iter();
                Self { $($name: values.next().unwrap_or_default()),* }
            }

            /// In the order of the table.
            pub fn values(&self) -> Vec<u64> {
                vec![$(self.$name),*]
            }
        }
    };
}

pub(crate) use counters;

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Counter] = &[Counter::sum("events", "how often"), Counter::max("depth", "how deep")];

    #[test]
    fn sums_and_maxima_over_launches() {
        let mut counts = vec![7, 5];
        since(TABLE, &mut counts, &[3, 4]);
        assert_eq!(counts, [4, 5], "a maximum has no difference");
        add(TABLE, &mut counts, &[2, 9]);
        assert_eq!(counts, [6, 9]);
        let mut none = vec![];
        add(TABLE, &mut none, &counts);
        assert_eq!((none, place(TABLE, "depth")), (counts, 1));
    }
}
