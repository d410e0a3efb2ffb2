//! The threads of every warp that have not ended, and what is reported of them.
//!
//! ```text
//!                          +-----------------+
//!  warp ------------------>| lanes by warp   |---> live
//!  launches, launch_mask ->|                 |
//!  exits, arrives, mask -->| [ThreadReport]  |---> exit, arrive
//!                          +-----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp` | w | the warp that the engine works on |
//! | `live` | L | its lanes that have not ended |
//! | `launches`, `launch_mask` | 1, L | it starts with these |
//! | `exits`, `arrives`, `mask` | 1, 1, L | these end, or begin to wait at `bar.sync` |
//! | `exit`, `arrive` | | so many do |
//!
//! Latency: read 0, write 1. State: a mask per warp.
use super::ThreadReport;
use crate::interface::ThreadEvent;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LiveThreads: clock {
        pub warp: Net<In> = index_width(warps),
        pub live: Net<Out> = lanes,
        pub launches: Signal<In, Bit>,
        pub launch_mask: Net<In> = lanes,
        pub exits: Signal<In, Bit>,
        pub arrives: Signal<In, Bit>,
        pub mask: Net<In> = lanes,
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, index_width(warps)),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, index_width(warps)),

        masks: Memory = Memory::new(lanes, warps, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: warp, read_data[0]: live, write_address[0]: warp,
        },
        report: ThreadReport = ThreadReport::new(lanes, warps) => { warp, mask, exits, arrives, exit, arrive },
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {}
}

impl Logic for LiveThreads {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LiveThreads");
        self.masks.write_enable[0].next = self.launches.val() | self.exits.val();
        self.masks.write_data[0].next = self.masks.read_data[0].val() & !self.mask.val();
        if self.launches.val() {
            self.masks.write_data[0].next = self.launch_mask.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: the warp, then `launch:LANES`, `exit:LANES`, `wait:LANES` or nothing `|` its live lanes, threads that end, threads that wait.
    #[test]
    fn threads_live_until_they_exit() {
        let mut threads = LiveThreads::new(4, 3);
        threads.connect_all();
        simulate(&mut threads, 1000);
        let script = "
            2 launch:0123 | - - -
            1 launch:02   | - - -
            2 exit:13     | 0123 2 -
            1 wait:02     | 02 - 2
            1             | 02 - -
            2 exit:0      | 02 1 -
            2             | 2 - -
            2 launch:01   | 2 - -
            2             | 01 - -";
        for (input, seen) in cycles(script) {
            let command = |name: &str| input.iter().find_map(|word| word.strip_prefix(name)).map(set);
            let (launch, exit, wait) = (command("launch:"), command("exit:"), command("wait:"));
            threads.warp.next = input[0].parse::<usize>().unwrap().into();
            threads.launches.next = launch.is_some();
            threads.launch_mask.next = launch.unwrap_or(0.into());
            threads.exits.next = exit.is_some();
            threads.arrives.next = wait.is_some();
            threads.mask.next = exit.or(wait).unwrap_or(0.into());
            simulate(&mut threads, 1000);
            let count = |event: &ThreadEvent<Out>| {
                if event.valid.val() { event.count.val().value().to_string() } else { "-".into() }
            };
            let found = [digits(threads.live.val()), count(&threads.exit), count(&threads.arrive)];
            assert_eq!(found, seen[..], "{input:?}");
            tick!(threads);
        }
    }
}
