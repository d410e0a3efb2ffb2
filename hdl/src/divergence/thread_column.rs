//! One lane of a CTA-wide stack: the threads that live in it, a bit per home warp.
//!
//! ```text
//!                           +------------------------------+
//!  arrive_home_warp, arrive_* --->|--> staged low, top           |---> staged_low, staged_top
//!  launch_*             --->|--> live, bypassed            |---> any_live
//!                           |                              |
//!  home warps, read_entry     --->|--> masks [entry] & live -----|---> current, formable
//!  write_*, activate    --->|--> masks, staged, bypassed   |
//!                           +------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrive_home_warp` | w | home warp of this lane's thread in the warp that arrives |
//! | `arrive_low`, `arrive_top` | 1 | it gathers in the low or in the top side of the branch |
//! | `arrive_bypasses` | 1 | and goes on in its warp, ahead of the gathering |
//! | `arrive_exit` | 1 | it ends |
//! | `launch_home_warp`, `launch_thread` | W, 1 | this home warp starts (one-hot, or 0), with a thread in this lane |
//! | `home_warps` | W | home warps of the CTA that the stack engine works on |
//! | `read_entry`, `read_low`, `read_top` | d, 1, 1 | an entry of it; or a staged side |
//! | `current`, `formable` | W | its live threads; without those in warps that run ahead |
//! | `write_enable`, `write_entry`, `write_source` | 1, d, `MaskSource` | replaces the CTA's home warps of an entry |
//! | `clear_staged` | 1 | forgets the CTA's staged sides |
//! | `activate` | 1 | the threads of the entry read run ahead no more |
//! | `staged_low`, `staged_top`, `any_live` | 1 | the CTA has such threads in this lane |
//!
//! The thread that arrives counts at once, unless it runs ahead. Latency 1 else. State: entries x W mask bits, and four bits per home warp. All resident CTAs share the columns: CTA *s* owns the bits of its home warps in
//! every entry, so masks are divided among as many CTAs as there are, and a write keeps the other home warps. Column order is
//! what the compaction unit's encoders want: no wire is permuted between stack and encoder.
//!
//! One bit per thread says whether it runs ahead: a thread lies in one entry that has not been active yet, if any, so the bit needs
//! no entry of its own. Fung & Aamodt 2011, 3.3; Rhu 2014, 4.2.
use crate::prelude::*;

hardware_enum! {
    /// What is written to a mask of a CTA-wide stack.
    pub enum MaskSource {
        /// The staged low side.
        Low,
        /// The staged top side.
        Top,
        /// No threads yet: a likely-convergence entry.
        Nothing,
        /// The threads of the entry read join those there.
        Merge,
        /// The launched home warp joins.
        Launch,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ThreadColumn: clock, reset {
        pub arrive_home_warp: Net<In> = home_warp,
        pub arrive_low: Signal<In, Bit>,
        pub arrive_top: Signal<In, Bit>,
        pub arrive_bypasses: Signal<In, Bit>,
        pub arrive_exit: Signal<In, Bit>,
        pub launch_home_warp: Net<In> = warps,
        pub launch_thread: Signal<In, Bit>,
        pub home_warps: Net<In> = warps,
        pub read_entry: Net<In> = entry,
        pub read_low: Signal<In, Bit>,
        pub read_top: Signal<In, Bit>,
        pub current: Net<Out> = warps,
        pub formable: Net<Out> = warps,
        pub write_enable: Signal<In, Bit>,
        pub write_entry: Net<In> = entry,
        pub write_source: Signal<In, MaskSource>,
        pub clear_staged: Signal<In, Bit>,
        pub activate: Signal<In, Bit>,
        pub staged_low: Signal<Out, Bit>,
        pub staged_top: Signal<Out, Bit>,
        pub any_live: Signal<Out, Bit>,

        masks: Memory = Memory::new(warps, entries, 2, 1, ReadKind::Asynchronous) => {
            read_address[0]: read_entry, read_address[1]: write_entry, read_data[1]: old_mask,
            write_enable[0]: write_enable, write_address[0]: write_entry,
        },
        low: Register = Register::new(warps),
        top: Register = Register::new(warps),
        live: Register = Register::new(warps),
        bypassed: Register = Register::new(warps),
        one_home_warp: Constant = Constant::new(1, warps),
        thread: Net<Local> = warps,
        /// What it changes: one bit, or none.
        joins_low: Net<Local> = warps,
        joins_top: Net<Local> = warps,
        ends: Net<Local> = warps,
        bypasses: Net<Local> = warps,
        low_now: Net<Local> = warps,
        top_now: Net<Local> = warps,
        live_now: Net<Local> = warps,
        /// The same of the CTA.
        low_here: Net<Local> = warps,
        top_here: Net<Local> = warps,
        live_here: Net<Local> = warps,
        members: Net<Local> = warps,
        clears: Net<Local> = warps,
        activates: Net<Local> = warps,
        launches: Net<Local> = warps,
        old_mask: Net<Local> = warps,
        replaced: Net<Local> = warps,
        added: Net<Local> = warps,
    }
    /// For `warps` home warps and stacks of `entries` entries.
    pub fn new(warps: usize, entries: usize) {
        let (home_warp, entry) = (index_width(warps), index_width(entries));
    }
}

impl Logic for ThreadColumn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadColumn");
        dff_setup!(self, clock, low, top, live, bypassed);

        // The thread that arrives: the engine may take up its CTA in this very cycle.
        self.thread.next = self.one_home_warp.val() << self.arrive_home_warp.val();
        self.joins_low.next = 0.into();
        self.joins_top.next = 0.into();
        self.ends.next = 0.into();
        self.bypasses.next = 0.into();
        if self.arrive_low.val() {
            self.joins_low.next = self.thread.val();
        }
        if self.arrive_top.val() {
            self.joins_top.next = self.thread.val();
        }
        if self.arrive_exit.val() {
            self.ends.next = self.thread.val();
        }
        if self.arrive_bypasses.val() {
            self.bypasses.next = self.thread.val();
        }
        self.low_now.next = self.low.q.val() | self.joins_low.val();
        self.top_now.next = self.top.q.val() | self.joins_top.val();
        self.live_now.next = self.live.q.val() & !self.ends.val();
        self.low_here.next = self.low_now.val() & self.home_warps.val();
        self.top_here.next = self.top_now.val() & self.home_warps.val();
        self.live_here.next = self.live_now.val() & self.home_warps.val();

        // What the engine looks at.
        self.members.next = self.masks.read_data[0].val() & self.live_here.val();
        if self.read_low.val() {
            self.members.next = self.low_here.val();
        } else if self.read_top.val() {
            self.members.next = self.top_here.val();
        }
        self.current.next = self.members.val();
        self.formable.next = self.members.val() & !self.bypassed.q.val();
        self.staged_low.next = self.low_here.val().any();
        self.staged_top.next = self.top_here.val().any();
        self.any_live.next = self.live_here.val().any();

        self.clears.next = 0.into();
        if self.clear_staged.val() {
            self.clears.next = self.home_warps.val();
        }
        self.low.d.next = self.low_now.val() & !self.clears.val();
        self.top.d.next = self.top_now.val() & !self.clears.val();
        self.activates.next = 0.into();
        if self.activate.val() {
            self.activates.next = self.members.val();
        }
        self.bypassed.d.next = (self.bypassed.q.val() & !self.activates.val()) | self.bypasses.val();
        self.launches.next = 0.into();
        if self.launch_thread.val() {
            self.launches.next = self.launch_home_warp.val();
        }
        self.live.d.next = (self.live_now.val() & !self.launch_home_warp.val()) | self.launches.val();

        // Merging and launched threads join those of the entry; others take their place.
        self.replaced.next = self.home_warps.val();
        self.added.next = 0.into();
        match self.write_source.val() {
            MaskSource::Low => self.added.next = self.low.q.val() & self.home_warps.val(),
            MaskSource::Top => self.added.next = self.top.q.val() & self.home_warps.val(),
            MaskSource::Merge => {
                self.replaced.next = 0.into();
                self.added.next = self.members.val();
            }
            MaskSource::Launch => {
                self.replaced.next = 0.into();
                self.added.next = self.launch_home_warp.val();
            }
            _ => {}
        }
        self.masks.write_data[0].next = (self.old_mask.val() & !self.replaced.val()) | self.added.val();
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, digits, set};
    use super::*;

    /// One line a cycle: `CTA commands | entry read, its threads, those to form, staged sides and live`. A CTA is its home warps.
    ///
    /// | command | |
    /// |---|---|
    /// | `launch:2`, `nobody:2` | home warp 2 starts, with a thread in this lane or without |
    /// | `low:2`, `top:2`, `ahead:2`, `exit:2` | the thread of home warp 2 arrives: it gathers in a side, also runs ahead, ends |
    /// | `write:1=Low` | to entry 1 |
    /// | `read:low`, `read:top` | the engine looks at a staged side |
    /// | `clear`, `activate` | |
    fn run(script: &str) {
        let mut column = ThreadColumn::new(4, 4);
        column.connect_all();
        simulate(&mut column, 1000);
        for (words, seen) in cycles(script) {
            let (cta, commands) = words.split_first().unwrap();
            let home_warp = |name: &str| commands.iter().find_map(|command| command.strip_prefix(name));
            let launched = home_warp("launch:").or(home_warp("nobody:"));
            let arrives = ["low:", "top:", "exit:", "ahead:"].into_iter().find_map(home_warp);
            let write = home_warp("write:").and_then(|write| write.split_once('='));
            column.home_warps.next = set(cta);
            column.read_entry.next = seen[0].parse::<usize>().unwrap().into();
            column.launch_home_warp.next = set(launched.unwrap_or("-"));
            column.launch_thread.next = home_warp("launch:").is_some();
            column.arrive_home_warp.next = arrives.map_or(0, |home_warp| home_warp.parse::<usize>().unwrap()).into();
            column.arrive_low.next = home_warp("low:").is_some();
            column.arrive_top.next = home_warp("top:").is_some();
            column.arrive_exit.next = home_warp("exit:").is_some();
            column.arrive_bypasses.next = home_warp("ahead:").is_some();
            column.read_low.next = home_warp("read:low").is_some();
            column.read_top.next = home_warp("read:top").is_some();
            column.clear_staged.next = home_warp("clear").is_some();
            column.activate.next = home_warp("activate").is_some();
            column.write_enable.next = write.is_some();
            column.write_entry.next = write.map_or(0, |(entry, _)| entry.parse::<usize>().unwrap()).into();
            let source = write.map_or("Nothing", |(_, source)| source);
            column.write_source.next = *MaskSource::VARIANTS.iter().find(|s| format!("{s:?}") == source).unwrap();
            simulate(&mut column, 1000);
            let flags =
                [(column.staged_low.val(), "low"), (column.staged_top.val(), "top"), (column.any_live.val(), "live")];
            let mut expected = vec![seen[0].to_string(), digits(column.current.val()), digits(column.formable.val())];
            expected.extend(flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1.to_string()));
            assert_eq!(expected, seen, "{words:?}");
            tick!(column);
        }
    }

    #[test]
    fn a_branch_divides_the_threads() {
        run("01 launch:0 write:0=Launch | 0 -  -
             01 launch:1 write:0=Launch | 0 0  0  live
             01 low:0                   | 0 01 01 low live
             01 top:1 read:top activate | 0 1  1  low top live | at once
             01 write:1=Low             | 0 01 01 low top live
             01 read:low                | 0 0  0  low top live
             01 write:2=Top clear       | 1 0  0  low top live
             01                         | 2 1  1  live
             01 exit:1                  | 2 -  -  live        | no mask has a thread that has ended
             01 exit:0                  | 0 -  -
             01                         | 0 -  -");
    }

    #[test]
    fn a_thread_that_runs_ahead_is_not_formed_again() {
        run("01 launch:0 write:0=Launch | 0 -  -
             01 launch:1 write:0=Launch | 0 0  0  live
             01 low:0 ahead:0           | 0 01 01 low live
             01 low:1                   | 0 01 1  low live     | only entries that are to become active are formed
             01 write:1=Low clear       | 1 -  -  low live
             01                         | 1 01 1  live
             01 activate                | 1 01 1  live
             01                         | 1 01 01 live");
    }

    #[test]
    fn threads_merge_at_the_likely_convergence_point() {
        run("01 launch:0 write:0=Launch | 0 -  -
             01 launch:1 write:0=Launch | 0 0  0  live
             01 low:0                   | 0 01 01 low live
             01 top:1                   | 0 01 01 low top live
             01 write:1=Nothing         | 0 01 01 low top live
             01 write:2=Low             | 1 -  -  low top live
             01 write:3=Top clear       | 2 0  0  low top live
             01 write:1=Merge           | 3 1  1  live
             01 write:1=Merge           | 2 0  0  live
             01                         | 1 01 01 live");
    }

    #[test]
    fn two_ctas_share_the_column() {
        run("01 launch:0 write:0=Launch | 0 -  -
             23 launch:2 write:0=Launch | 0 -  -
             23 launch:3 write:0=Launch | 0 2  2  live
             23 low:2                   | 0 23 23 low live
             23 write:1=Low top:0       | 0 23 23 low live     | a thread of the other CTA arrives beside the engine
             23 clear                   | 1 2  2  low live
             23                         | 1 2  2  live
             01 write:1=Top             | 1 -  -  top live
             01                         | 1 0  0  top live
             23                         | 1 2  2  live");
    }

    #[test]
    fn a_home_warp_starts_without_a_thread_in_this_lane() {
        run("01 launch:1                | 0 -  -
             01 nobody:1 write:0=Launch | 0 -  -  live          | the home_warp of a warp that has ended
             01                         | 0 -  -");
    }
}
