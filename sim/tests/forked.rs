//! A process that is forked while straight-line code is compiled does not wait for a compiler that is not its own. By itself: no other thread holds a lock meanwhile.
use std::time::{Duration, Instant};

use warploom_sim::{BuildOptions, Simulator};

mod support;

use support::compiler;
use support::designs::pair;

#[test]
fn a_forked_process_does_not_wait_for_ever() {
    let place = tempfile::tempdir().unwrap();
    let (rustc, cache) = (compiler(place.path(), "sleep 2"), place.path().join("cache"));
    let options = BuildOptions { rustc: Some(rustc), cache: Some(cache), soon: true, ..Default::default() };
    let mut simulator = Simulator::build(pair(), &options).unwrap();
    for side in ["left_start", "right_start"] {
        simulator.set(simulator.port(side).unwrap(), 1);
    }
    (0..300_000).for_each(|_| simulator.step());
    // SAFETY: the child does nothing but what is tested, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        drop(simulator);
        // SAFETY: ends the child, without what the parent has put off to its end.
        unsafe { libc::_exit(0) };
    }
    let start = Instant::now();
    // SAFETY: asks for the state of a child of ours.
    while unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::WNOHANG) } == 0 {
        if start.elapsed() > Duration::from_secs(60) {
            // SAFETY: ends a child of ours.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("it waits");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
