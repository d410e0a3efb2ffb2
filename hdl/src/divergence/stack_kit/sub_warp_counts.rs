//! Sub-warps of each large warp that are on their way with its branch, jump, exit or `bar.sync`: what [`WarpCounts`](super::WarpCounts) is to CTAs.
//!
//! ```text
//!                               +---------------+
//!  issue_valid, issue_warp ---->|               |---> complete
//!  arrive_valid, arrive_warp -->| SubWarpCounts |---> completes
//!  unissued, gathered --------->|               |
//!                               +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issue_valid`, `issue_warp` | 1, w | a sub-warp of this large warp issues, with a control instruction |
//! | `unissued` | W | large warps of which others have not |
//! | `arrive_valid`, `arrive_warp` | 1, w | something arrives at the end of what the entry runs: |
//! | `arrive_resolved` | 1 | such a sub-warp; else the entry as a whole |
//! | `gathered` | W | large warps of which something has arrived |
//! | `complete` | W | of which all have |
//! | `completes` | 1 | what arrives is the last of its large warp |
//!
//! Latency 1, `completes` 0. State: a count per large warp.
use crate::prelude::*;

/// Bits of their number: one issues a cycle, and it arrives three cycles later.
const UNDER_WAY: usize = 3;

module! {
    /// See the [module documentation](self).
    pub struct SubWarpCounts: clock, reset {
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = w,
        pub unissued: Net<In> = warps,
        pub arrive_valid: Signal<In, Bit>,
        pub arrive_warp: Net<In> = w,
        pub arrive_resolved: Signal<In, Bit>,
        pub gathered: Net<In> = warps,
        pub complete: Net<Out> = warps,
        pub completes: Signal<Out, Bit>,

        counts: Vec<Register> = Register::vec(warps, UNDER_WAY),
        issues: Signal<Local, Bit>,
        arrives: Signal<Local, Bit>,
    }
    /// For `warps` warps.
    pub fn new(warps: usize) {
        let w = index_width(warps);
    }
}

impl Logic for SubWarpCounts {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpCounts");
        self.complete.next = 0.into();
        self.completes.next = false;
        for g in 0..self.counts.len() {
            self.complete.next = self.complete.val().replace_bit(
                g,
                self.gathered.val().get_bit(g) & !self.unissued.val().get_bit(g) & !self.counts[g].q.val().any(),
            );
            self.issues.next = self.issue_valid.val() & (self.issue_warp.val() == g);
            self.arrives.next = self.arrive_valid.val() & self.arrive_resolved.val() & (self.arrive_warp.val() == g);
            if (self.arrive_warp.val() == g) & !self.unissued.val().get_bit(g) {
                self.completes.next =
                    self.arrive_valid.val() & (!self.arrive_resolved.val() | (self.counts[g].q.val() == 1));
            }
            self.counts[g].d.next = self.counts[g].q.val();
            if self.issues.val() & !self.arrives.val() {
                self.counts[g].d.next = self.counts[g].q.val() + 1;
            }
            if self.arrives.val() & !self.issues.val() {
                self.counts[g].d.next = self.counts[g].q.val() - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: large warps that have threads to issue, of which something has arrived, `issue:G`, `arrive:G`, `end:G` `|` complete ones, `last` if what arrives is.
    #[test]
    fn a_large_warp_is_complete_when_its_last_sub_warp_has_arrived() {
        let script = "
            1  - issue:1         | -
            1  - issue:1         | -
            -  - arrive:1        | -
            -  1 arrive:1        | - last
            -  1                 | 1
            0  - issue:0         | -
            01 - issue:1 arrive:0| - | the first of two
            01 0 issue:0         | -
            1  0 arrive:0        | - last
            1  0 arrive:1        | 0 | others of it have not issued
            -  - end:2           | - last | no sub-warp: the end of an entry
            -  2                 | 2";
        let mut counts = SubWarpCounts::new(4);
        counts.connect_all();
        simulate(&mut counts, 1000);
        for (input, seen) in cycles(script) {
            let command = |name: &str| input.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix(':'));
            let number = |text: Option<&str>| Word::from(text.map_or(0usize, |text| text.parse().unwrap()));
            let arrival = command("arrive").or(command("end"));
            counts.unissued.next = set(input[0]);
            counts.gathered.next = set(input[1]);
            counts.issue_valid.next = command("issue").is_some();
            counts.issue_warp.next = number(command("issue"));
            counts.arrive_valid.next = arrival.is_some();
            counts.arrive_resolved.next = command("arrive").is_some();
            counts.arrive_warp.next = number(arrival);
            simulate(&mut counts, 1000);
            let mut found = vec![digits(counts.complete.val())];
            found.extend(counts.completes.val().then(|| "last".to_string()));
            assert_eq!(found, seen, "{input:?}");
            tick!(counts);
        }
    }
}
