//! One lane of a CTA-wide stack: the threads that live in it, a bit per home warp.
//!
//! ```text
//!                                 +------------------------------+
//!  arrive_home_warp, arrive_* --->|--> staged low, top           |---> staged_low, staged_top
//!  launch_* --------------------->|--> live, bypassed            |---> any_live
//!                                 |                              |
//!  home_warps, read_* ----------->|--> masks [entry] & live -----|---> any_member, current, formable
//!  write_*, clear_staged -------->|--> masks, staged             |
//!  activate --------------------->|--> bypassed                  |
//!                                 +------------------------------+
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
//! | `write_enable`, `write_entry` | 1, d | writes to an entry: |
//! | `write_keeps`, `write_members` | W, 1 | these home warps stay as they are there; `current` joins them, and so does the launched home warp |
//! | `clear_staged` | 1 | forgets the CTA's staged sides |
//! | `activate` | 1 | the threads of the entry read run ahead no more |
//! | `any_member`, `staged_low`, `staged_top`, `any_live` | 1 | the CTA has such threads in this lane, the first in the entry read |
//!
//! The thread that arrives counts at once, unless it runs ahead. Latency 1 else. State: entries x W mask bits, and four bits per home warp. All resident CTAs share the columns: CTA *s* owns the bits of its home warps in
//! every entry, so masks are divided among as many CTAs as there are, and a write keeps the other home warps. Column order is
//! what the compaction unit's encoders want: no wire is permuted between stack and encoder.
//!
//! One bit per thread says whether it runs ahead: a thread lies in one entry that has not been active yet, if any, so the bit needs
//! no entry of its own. Fung & Aamodt 2011, 3.3; Rhu 2014, 4.2.
use crate::prelude::*;

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
        pub write_keeps: Net<In> = warps,
        pub write_members: Signal<In, Bit>,
        pub clear_staged: Signal<In, Bit>,
        pub activate: Signal<In, Bit>,
        pub any_member: Signal<Out, Bit>,
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
        of_entry: Net<Local> = warps,
        members: Net<Local> = warps,
        clears: Net<Local> = warps,
        activates: Net<Local> = warps,
        launches: Net<Local> = warps,
        old_mask: Net<Local> = warps,
        joins_entry: Net<Local> = warps,
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
        // Not those of a staged side: which of them is read is known last.
        self.of_entry.next = self.masks.read_data[0].val() & self.live_here.val();
        self.any_member.next = self.of_entry.val().any();
        self.members.next = self.of_entry.val();
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

        // Under a condition of its own, so that the clock of the sides stands still without it.
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
        // A home warp starts when no thread of its predecessor lives.
        self.live.d.next = self.live_now.val() | self.launches.val();

        self.joins_entry.next = 0.into();
        if self.write_members.val() {
            self.joins_entry.next = self.members.val();
        }
        self.masks.write_data[0].next =
            (self.old_mask.val() & self.write_keeps.val()) | self.joins_entry.val() | self.launch_home_warp.val();
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
    /// | `launch:2`, `nobody:2` | home warp 2 starts and joins entry 0, with a thread in this lane or without |
    /// | `low:2`, `top:2`, `ahead:2`, `exit:2` | the thread of home warp 2 arrives: it gathers in a side, also runs ahead, ends |
    /// | `read:low`, `read:top` | the engine looks at a staged side |
    /// | `place:1`, `merge:1` | the threads that it looks at take the place of those of the CTA in entry 1, or join them |
    /// | `link:1` | entry 1 has no thread of the CTA |
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
            let write = ["place:", "merge:", "link:"].into_iter().find_map(home_warp);
            let replaces = home_warp("merge:").or(launched).is_none();
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
            column.write_enable.next = write.or(launched).is_some();
            column.write_entry.next = write.map_or(0, |entry| entry.parse::<usize>().unwrap()).into();
            column.write_keeps.next = set(&"0123".replace(|home_warp| replaces && cta.contains(home_warp), ""));
            column.write_members.next = write.is_some() && home_warp("link:").is_none();
            simulate(&mut column, 1000);
            let flags = [
                (column.any_member.val(), "member"),
                (column.staged_low.val(), "low"),
                (column.staged_top.val(), "top"),
                (column.any_live.val(), "live"),
            ];
            let mut expected = vec![seen[0].to_string(), digits(column.current.val()), digits(column.formable.val())];
            expected.extend(flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1.to_string()));
            assert_eq!(expected, seen, "{words:?}");
            tick!(column);
        }
    }

    #[test]
    fn a_branch_divides_the_threads() {
        run("01 launch:0                | 0 -  -
             01 launch:1                | 0 0  0  member live
             01 low:0                   | 0 01 01 member low live
             01 top:1 read:top activate | 0 1  1  member low top live | at once
             01 read:low place:1        | 1 0  0  low top live        | the entry has no member yet
             01                         | 1 0  0  member low top live
             01 read:top place:2 clear  | 1 1  1  member low top live
             01                         | 2 1  1  member live
             01 exit:1                  | 2 -  -  live                | no mask has a thread that has ended
             01 exit:0                  | 0 -  -
             01                         | 0 -  -");
    }

    #[test]
    fn a_thread_that_runs_ahead_is_not_formed_again() {
        run("01 launch:0               | 0 -  -
             01 launch:1               | 0 0  0  member live
             01 low:0 ahead:0          | 0 01 01 member low live
             01 low:1                  | 0 01 1  member low live | only entries that are to become active are formed
             01 read:low place:1 clear | 0 01 1  member low live
             01                        | 1 01 1  member live
             01 activate               | 1 01 1  member live
             01                        | 1 01 01 member live");
    }

    #[test]
    fn threads_merge_at_the_likely_convergence_point() {
        run("01 launch:0               | 0 -  -
             01 launch:1               | 0 0  0  member live
             01 low:0                  | 0 01 01 member low live
             01 top:1                  | 0 01 01 member low top live
             01 link:1                 | 0 01 01 member low top live
             01 read:low place:2       | 1 0  0  low top live
             01                        | 1 -  -  low top live
             01 read:top place:3 clear | 2 1  1  member low top live
             01 merge:1                | 3 1  1  member live
             01 merge:1                | 2 0  0  member live
             01                        | 1 01 01 member live");
    }

    #[test]
    fn two_ctas_share_the_column() {
        run("01 launch:0               | 0 -  -
             23 launch:2               | 0 -  -
             23 launch:3               | 0 2  2  member live
             23 low:2                  | 0 23 23 member low live
             23 read:low place:1 top:0 | 0 2  2  member low live | a thread of the other CTA arrives beside the engine
             23 clear                  | 1 2  2  member low live
             23                        | 1 2  2  member live
             01 read:top place:1       | 0 0  0  member top live
             01                        | 1 0  0  member top live
             23                        | 1 2  2  member live");
    }

    #[test]
    fn a_home_warp_starts_without_a_thread_in_this_lane() {
        run("01 launch:1 | 0 -  -
             01 exit:1   | 0 -  -
             01 nobody:1 | 0 -  -
             01          | 0 -  -");
    }
}
