//! One lane of a CTA-wide stack whose entries hold two paths: the threads that live in it, a bit per home warp.
//!
//! ```text
//!                                 +------------------------------+
//!  arrive_home_warp, arrive_* --->|--> staged low, top, by path  |---> staged_low, staged_top
//!  launch_* --------------------->|--> live                      |---> any_live
//!                                 |                              |
//!  home_warps, read_* ----------->|--> masks [path][entry] ------|---> any_member[2], members
//!  write_*, clear_staged -------->|                              |
//!                                 +------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrive_home_warp` | w | home warp of this lane's thread in the warp that arrives |
//! | `arrive_low[2]`, `arrive_top[2]` | 1 | by its path: it gathers in the low or in the top side of the branch |
//! | `arrive_exit` | 1 | it ends |
//! | `launch_home_warp`, `launch_thread` | W, 1 | this home warp starts (one-hot, or 0), with a thread in this lane |
//! | `home_warps` | W | home warps of the CTA that the stack engine works on |
//! | `read_entry` | d | an entry of it |
//! | `any_member[2]` | 1 | by path: it has live threads there |
//! | `commits_right` | 1 | which path's staged sides are meant |
//! | `staged_low`, `staged_top`, `any_live` | 1 | the CTA has such threads |
//! | `reads_right`, `reads_low`, `reads_top`, `members` | 1, W | the live threads of the left or right path; or those of a staged side |
//! | `write_enable[2]`, `write_entry` | 1, d | by path: writes to an entry, |
//! | `write_keeps` | W | in which these home warps stay as they are; the launched one joins the left path, |
//! | `write_low[2]`, `write_top[2]` | 1 | and by path: so does a staged side |
//! | `clear_staged[2]` | 1 | by path: forgets the CTA's staged sides |
//!
//! The thread that arrives counts at once. Latency 1 else. State: 2 x entries x W mask bits, and five bits per home warp. How CTAs share a column:
//! [`ThreadColumn`](super::ThreadColumn).
//!
//! Two memories instead of one of twice the depth: a push writes both sides of a branch in one cycle, and the path beside the one that is read may have to be known
//! to live.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PathColumn: clock, reset {
        pub arrive_home_warp: Net<In> = home_warp,
        pub arrive_low: Vec<Signal<In, Bit>> = bit_vec(2),
        pub arrive_top: Vec<Signal<In, Bit>> = bit_vec(2),
        pub arrive_exit: Signal<In, Bit>,
        pub launch_home_warp: Net<In> = warps,
        pub launch_thread: Signal<In, Bit>,
        pub home_warps: Net<In> = warps,
        pub read_entry: Net<In> = entry,
        pub any_member: Vec<Signal<Out, Bit>> = bit_vec(2),
        pub commits_right: Signal<In, Bit>,
        pub staged_low: Signal<Out, Bit>,
        pub staged_top: Signal<Out, Bit>,
        pub any_live: Signal<Out, Bit>,
        pub reads_right: Signal<In, Bit>,
        pub reads_low: Signal<In, Bit>,
        pub reads_top: Signal<In, Bit>,
        pub members: Net<Out> = warps,
        pub write_enable: Vec<Signal<In, Bit>> = bit_vec(2),
        pub write_entry: Net<In> = entry,
        pub write_keeps: Net<In> = warps,
        pub write_low: Vec<Signal<In, Bit>> = bit_vec(2),
        pub write_top: Vec<Signal<In, Bit>> = bit_vec(2),
        pub clear_staged: Vec<Signal<In, Bit>> = bit_vec(2),

        // By path.
        masks: Vec<Memory> = (0..2).map(|_| Memory::new(warps, entries, 2, 1, ReadKind::Asynchronous)).collect() => |s| {
            read_address[0]: read_entry, read_address[1]: write_entry, read_data[1]: old_masks[s],
            write_enable[0]: write_enable[s], write_address[0]: write_entry,
        },
        low: Vec<Register> = Register::vec(2, warps),
        top: Vec<Register> = Register::vec(2, warps),
        live: Register = Register::new(warps),
        one_home_warp: Constant = Constant::new(1, warps),
        thread: Net<Local> = warps,
        low_now: Vec<Net<Local>> = Net::vec(2, warps),
        top_now: Vec<Net<Local>> = Net::vec(2, warps),
        live_now: Net<Local> = warps,
        launches: Net<Local> = warps,
        old_masks: Vec<Net<Local>> = Net::vec(2, warps),
        clears: Vec<Net<Local>> = Net::vec(2, warps),
        /// What an entry has after a write, by path.
        low_joins: Vec<Net<Local>> = Net::vec(2, warps),
        top_joins: Vec<Net<Local>> = Net::vec(2, warps),
        written: Vec<Net<Local>> = Net::vec(2, warps),
        path_members: Vec<Net<Local>> = Net::vec(2, warps),
        /// Of the path that is committed.
        low_here: Net<Local> = warps,
        top_here: Net<Local> = warps,
    }
    /// For `warps` home warps and stacks of `entries` entries.
    pub fn new(warps: usize, entries: usize) {
        let (home_warp, entry) = (index_width(warps), index_width(entries));
    }
}

impl Logic for PathColumn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathColumn");
        dff_setup!(self, clock, live);

        // The thread that arrives: the engine may take up its path in this very cycle.
        self.thread.next = self.one_home_warp.val() << self.arrive_home_warp.val();
        for s in 0..self.low.len() {
            self.low_now[s].next = self.low[s].q.val();
            if self.arrive_low[s].val() {
                self.low_now[s].next = self.low[s].q.val() | self.thread.val();
            }
            self.top_now[s].next = self.top[s].q.val();
            if self.arrive_top[s].val() {
                self.top_now[s].next = self.top[s].q.val() | self.thread.val();
            }
        }
        self.live_now.next = self.live.q.val();
        if self.arrive_exit.val() {
            self.live_now.next = self.live.q.val() & !self.thread.val();
        }
        self.launches.next = 0.into();
        if self.launch_thread.val() {
            self.launches.next = self.launch_home_warp.val();
        }
        // A home warp starts when no thread of its predecessor lives.
        self.live.d.next = self.live_now.val() | self.launches.val();

        // What the engine looks at.
        self.low_here.next = self.low_now[0].val() & self.home_warps.val();
        self.top_here.next = self.top_now[0].val() & self.home_warps.val();
        if self.commits_right.val() {
            self.low_here.next = self.low_now[1].val() & self.home_warps.val();
            self.top_here.next = self.top_now[1].val() & self.home_warps.val();
        }
        self.staged_low.next = self.low_here.val().any();
        self.staged_top.next = self.top_here.val().any();
        self.any_live.next = (self.live_now.val() & self.home_warps.val()).any();
        for s in 0..self.masks.len() {
            self.path_members[s].next = self.masks[s].read_data[0].val() & self.live_now.val() & self.home_warps.val();
            self.any_member[s].next = self.path_members[s].val().any();
        }
        self.members.next = self.path_members[0].val();
        if self.reads_low.val() {
            self.members.next = self.low_here.val();
        } else if self.reads_top.val() {
            self.members.next = self.top_here.val();
        } else if self.reads_right.val() {
            self.members.next = self.path_members[1].val();
        }

        // What it changes.
        for s in 0..self.masks.len() {
            self.low_joins[s].next = 0.into();
            self.top_joins[s].next = 0.into();
            if self.write_low[s].val() {
                self.low_joins[s].next = self.low_here.val();
            }
            if self.write_top[s].val() {
                self.top_joins[s].next = self.top_here.val();
            }
            self.written[s].next =
                (self.old_masks[s].val() & self.write_keeps.val()) | self.low_joins[s].val() | self.top_joins[s].val();
            self.clears[s].next = 0.into();
            if self.clear_staged[s].val() {
                self.clears[s].next = self.home_warps.val();
            }
            self.low[s].d.next = self.low_now[s].val() & !self.clears[s].val();
            self.top[s].d.next = self.top_now[s].val() & !self.clears[s].val();
        }
        self.masks[0].write_data[0].next = self.written[0].val() | self.launch_home_warp.val();
        self.masks[1].write_data[0].next = self.written[1].val();
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, digits, set};
    use super::*;

    /// One line a cycle: `CTA commands | entry read, threads of its left and of its right path, staged sides and live`. A CTA is its home warps.
    ///
    /// | command | |
    /// |---|---|
    /// | `launch:2`, `nobody:2` | home warp 2 starts and joins the left path of entry 0, with a thread in this lane or without |
    /// | `low.R:2`, `top.L:2`, `exit:2` | the thread of home warp 2 arrives: it gathers in a side of the branch of a path, or ends |
    /// | `right` | the right path is committed |
    /// | `write.L:1=top` | to entry 1 |
    /// | `clear` | |
    fn run(script: &str) {
        let mut column = PathColumn::new(4, 4);
        column.connect_all();
        simulate(&mut column, 1000);
        for (words, seen) in cycles(script) {
            let (cta, commands) = words.split_first().unwrap();
            let given = |name: &str| commands.iter().find_map(|command| command.strip_prefix(name));
            let launched = given("launch:").or(given("nobody:"));
            let arrives = ["low.L:", "top.L:", "low.R:", "top.R:", "exit:"].into_iter().find_map(given);
            column.home_warps.next = set(cta);
            column.read_entry.next = seen[0].parse::<usize>().unwrap().into();
            column.launch_home_warp.next = set(launched.unwrap_or("-"));
            column.launch_thread.next = given("launch:").is_some();
            column.write_keeps.next =
                set(&"0123".replace(|home_warp| launched.is_none() && cta.contains(home_warp), ""));
            column.arrive_home_warp.next = arrives.map_or(0, |home_warp| home_warp.parse::<usize>().unwrap()).into();
            column.arrive_exit.next = given("exit:").is_some();
            column.commits_right.next = given("right").is_some();
            for (s, path) in ["L", "R"].into_iter().enumerate() {
                column.arrive_low[s].next = given(&format!("low.{path}:")).is_some();
                column.arrive_top[s].next = given(&format!("top.{path}:")).is_some();
                let write = given(&format!("write.{path}:")).and_then(|write| write.split_once('='));
                column.write_enable[s].next = write.is_some() || s == 0 && launched.is_some();
                column.write_low[s].next = write.is_some_and(|(_, side)| side == "low");
                column.write_top[s].next = write.is_some_and(|(_, side)| side == "top");
                column.clear_staged[s].next = given("clear").is_some() && given("right").is_some() == (path == "R");
                if let Some(entry) = write.map(|(entry, _)| entry).or(launched.map(|_| "0")) {
                    column.write_entry.next = entry.parse::<usize>().unwrap().into();
                }
            }
            let mut found = vec![seen[0].to_string()];
            for right in [false, true] {
                column.reads_right.next = right;
                simulate(&mut column, 1000);
                found.push(digits(column.members.val()));
                assert_eq!(column.any_member[right as usize].val(), column.members.val().any(), "{words:?}");
            }
            let flags =
                [(column.staged_low.val(), "low"), (column.staged_top.val(), "top"), (column.any_live.val(), "live")];
            found.extend(flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1.to_string()));
            assert_eq!(found, seen, "{words:?}");
            tick!(column);
        }
    }

    #[test]
    fn a_branch_divides_the_threads_between_two_paths() {
        run("012 launch:0               | 0 -   -
             012 launch:1               | 0 0   - live
             012 launch:2               | 0 01  - live
             012 low.L:0                | 0 012 - low live
             012 top.L:1                | 0 012 - low top live
             012 top.L:2 write.L:1=top write.R:1=low clear | 0 012 - low top live | the last one counts at once
             012                        | 1 12  0 live
             012 low.R:0 right          | 1 12  0 low live      | each path has staged sides of its own
             012 top.L:1                | 1 12  0 top live
             012 low.L:2                | 1 12  0 low top live
             012 right write.R:1=low clear | 1 12 0 low live
             012 write.L:2=low write.R:2=top clear | 1 12 0 low top live
             012 exit:2                 | 2 -   1 live          | no mask has a thread that has ended
             012 exit:1                 | 2 -   - live
             012 exit:0                 | 1 -   -");
    }

    #[test]
    fn two_ctas_share_the_column() {
        run("01 launch:0                | 0 -  -
             23 launch:2                | 0 -  -
             23 launch:3                | 0 2  - live
             23 top.L:2                 | 0 23 - top live
             23 write.R:1=top low.L:0   | 0 23 - top live | a thread of the other CTA arrives beside the engine
             23 clear                   | 1 -  2 top live
             01 write.L:1=low clear     | 1 -  - low live
             01                         | 1 0  - live
             23                         | 1 -  2 live
             01 exit:0                  | 1 -  -
             01 nobody:0                | 1 -  -
             01                         | 1 -  -          | without a thread in this lane
             01                         | 0 -  -");
    }
}
