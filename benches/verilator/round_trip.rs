//! How far apart two processors are: what a word takes that two threads hand back and forth.
//!
//! Where a host of virtual machines puts their processors changes from minute to minute, and decides what a second thread is worth.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Instant;

/// In a cache line of its own, and in none that a prefetcher takes along.
#[repr(align(128))]
struct Word(AtomicU32);

impl Word {
    fn await_value(&self, value: u32) {
        while self.0.load(Ordering::Acquire) != value {
            std::hint::spin_loop();
        }
    }
}

/// Nanoseconds of a round trip, the mean of many.
pub fn nanoseconds() -> f64 {
    const TRIPS: u32 = 100_000;
    let (there, back) = (Word(AtomicU32::new(0)), Word(AtomicU32::new(0)));
    thread::scope(|scope| {
        scope.spawn(|| {
            for trip in 1..=TRIPS {
                there.await_value(trip);
                back.0.store(trip, Ordering::Release);
            }
        });
        // The first has the other thread's start in it.
        there.0.store(1, Ordering::Release);
        back.await_value(1);
        let start = Instant::now();
        for trip in 2..=TRIPS {
            there.0.store(trip, Ordering::Release);
            back.await_value(trip);
        }
        start.elapsed().as_nanos() as f64 / f64::from(TRIPS - 1)
    })
}
