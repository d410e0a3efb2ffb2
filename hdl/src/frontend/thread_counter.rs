//! Coordinates of one thread of a group, from group to group.
//!
//! ```text
//!                       +---------------------------+
//!  load, first_* ------>|--> x, y, z ---------------|---> place_*
//!                       |     ^  |                  |
//!  step, stride_* ----->|     +--+ + stride, carry  |
//!  block_x, block_y --->|          at the sides     |
//!                       +---------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load`, `first_{x,y,z}` | 1, 16 | the thread's place in the first group |
//! | `step`, `stride_{x,y,z}` | 1, 16 | goes on to the next group: where the thread is whose number is the size of a group |
//! | `block_x`, `block_y` | 16 | sides of the block |
//! | `place_{x,y,z}` | 16 | where the thread is |
//!
//! Latency 1. State: the coordinates. They are digits of the thread's number, x the lowest, so the sum carries once from each to the next: an adder and a
//! subtractor for each, no divider, and no chain from thread to thread.
use crate::interface::ThreadPlace;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadCounter: clock {
        pub load: Signal<In, Bit>,
        pub first: ThreadPlace<In> = ThreadPlace::new(),
        pub step: Signal<In, Bit>,
        pub stride: ThreadPlace<In> = ThreadPlace::new(),
        pub block_x: Net<In> = 16,
        pub block_y: Net<In> = 16,
        pub place: ThreadPlace<Out> = ThreadPlace::new(),

        x: Flop = Flop::new(16) => { q: place.x },
        y: Flop = Flop::new(16) => { q: place.y },
        z: Flop = Flop::new(16) => { q: place.z },
        x_sum: Net<Local> = 16,
        y_sum: Net<Local> = 16,
        carries_x: Signal<Local, Bit>,
        carries_y: Signal<Local, Bit>,
    }
}

impl Logic for ThreadCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadCounter");
        dff_setup!(self, clock, x, y, z);
        self.x_sum.next = self.x.q.val() + self.stride.x.val();
        self.carries_x.next = self.x_sum.val() >= self.block_x.val();
        self.y_sum.next = self.y.q.val() + self.stride.y.val() + bit_cast_to(self.carries_x.val(), 16);
        self.carries_y.next = self.y_sum.val() >= self.block_y.val();
        if self.step.val() {
            self.x.d.next = self.x_sum.val();
            if self.carries_x.val() {
                self.x.d.next = self.x_sum.val() - self.block_x.val();
            }
            self.y.d.next = self.y_sum.val();
            if self.carries_y.val() {
                self.y.d.next = self.y_sum.val() - self.block_y.val();
            }
            self.z.d.next = self.z.q.val() + self.stride.z.val() + bit_cast_to(self.carries_y.val(), 16);
        }
        if self.load.val() {
            self.x.d.next = self.first.x.val();
            self.y.d.next = self.first.y.val();
            self.z.d.next = self.first.z.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every eighth thread of blocks of several shapes.
    #[test]
    fn the_digits_of_a_number() {
        for (block_x, block_y) in [(1, 1), (3, 1), (3, 2), (5, 3), (8, 8), (16, 2), (64, 1), (7, 9)] {
            let digits = |thread: usize| [thread % block_x, thread / block_x % block_y, thread / block_x / block_y];
            let mut counter = ThreadCounter::default();
            counter.connect_all();
            counter.block_x.next = block_x.into();
            counter.block_y.next = block_y.into();
            let [x, y, z] = digits(8);
            counter.stride.x.next = x.into();
            counter.stride.y.next = y.into();
            counter.stride.z.next = z.into();
            let [x, y, z] = digits(5);
            counter.first.x.next = x.into();
            counter.first.y.next = y.into();
            counter.first.z.next = z.into();
            counter.load.next = true;
            tick!(counter);
            counter.load.next = false;
            counter.step.next = true;
            for thread in (5..200).step_by(8) {
                let seen = [&counter.place.x, &counter.place.y, &counter.place.z].map(|net| net.val().index());
                assert_eq!(seen, digits(thread), "thread {thread} of {block_x} x {block_y}");
                tick!(counter);
            }
        }
    }
}
