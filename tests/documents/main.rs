//! What docs/ says of the hardware, asked of it: how long everything takes, the papers' machines, a page for each block; and the pages themselves.
//!
//! One program, since most of these have one thread: `cargo test --test documents latency` takes one of them.
mod latency;
mod links;
mod locks;
mod machines;
mod reference;
mod reference_pages;
mod throughput;
mod timing;
mod verification;
