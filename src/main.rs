//! warploom: an open RTL laboratory for irregular GPU control flow.
fn main() {}
