use warploom_hdl::prelude::*;
use warploom_sim::{Passes, elaborate, emit, flatten, glob::Globs, passes};
#[test]
fn dump() {
    let mut m = warploom_hdl::issue::Scoreboard::new(32);
    m.connect_all();
    let n = elaborate(&m).unwrap();
    let mut d = flatten::flatten(&n, &Globs::default()).unwrap();
    passes::run(&mut d, &Passes::default());
    std::fs::write("/tmp/pv/s.rs", emit::emit(&d, emit::Target::native())).unwrap();
}
