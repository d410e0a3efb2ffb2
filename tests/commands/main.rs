//! Commands as their users see them, and the pages that tell of their longest runs.
//!
//! One program, since most of these have one thread: `cargo test --test commands fuzz` takes one of them.
mod app;
mod compare;
mod coverage;
mod fuzz;
mod several_cores;
mod synth;
mod trace;
