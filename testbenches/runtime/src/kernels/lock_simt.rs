//! The same as [`lock_spin`] with a lock that ends under every mechanism.
use super::{About, Sizes, lock_spin};

pub(super) use super::lock_spin::run;

pub(super) const ABOUT: About = About {
    summary: "a spin lock with its critical section inside the loop that waits: threads of a warp meet behind it",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
    ..lock_spin::ABOUT
};
