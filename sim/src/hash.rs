//! Hashes for tables that hold numbers of things in place of the things.
use std::hash::{DefaultHasher, Hash, Hasher};

/// Of what a thing is.
pub fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
