//! Which warps are the rows of which large warp.
//!
//! ```text
//!                        +---------------+
//!  launch_*, head ------>|               |---> rows[W]
//!  finished_* ---------->| LargeWarpRows |
//!                        +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_valid`, `launch_warp`, `head` | 1, w, w | a warp starts as a row of the large warp whose first row is `head` |
//! | `finished_valid`, `finished_warp` | 1, w | it has ended |
//! | `rows[W]` | W | the rows of each large warp, by its number, which is that of its first row; 0: there is none |
//!
//! Latency 1. State: for each warp the number of its large warp, and whether it has one.
use crate::interface::WarpEvent;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LargeWarpRows: clock, reset {
        pub launch_valid: Signal<In, Bit>,
        pub launch_warp: Net<In> = w,
        pub head: Net<In> = w,
        pub finished: WarpEvent<In> = WarpEvent::new(w),
        pub rows: Vec<Net<Out>> = Net::vec(warps, warps),

        owners: Vec<Flop> = Flop::vec(warps, w),
        owned: Register = Register::new(warps),
        one_warp: Constant = Constant::new(1, warps),
        still_owned: Net<Local> = warps,
        /// By large warp: the rows, one bit after the other.
        found: Vec<Net<Local>> = Net::vec(warps, warps),
    }
    /// For `warps` warps.
    pub fn new(warps: usize) {
        let w = index_width(warps);
    }
}

impl Logic for LargeWarpRows {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LargeWarpRows");
        dff_setup!(self, clock, owned);
        for g in 0..self.found.len() {
            self.found[g].next = 0.into();
            for r in 0..self.owners.len() {
                self.found[g].next = self.found[g].val().replace_bit(r, self.owners[r].q.val() == g);
            }
            self.rows[g].next = self.found[g].val() & self.owned.q.val();
        }
        for r in 0..self.owners.len() {
            self.owners[r].d.next = self.owners[r].q.val();
            if self.launch_valid.val() & (self.launch_warp.val() == r) {
                self.owners[r].d.next = self.head.val();
            }
        }
        self.still_owned.next = self.owned.q.val();
        if self.finished.valid.val() {
            self.still_owned.next = self.owned.q.val() & !(self.one_warp.val() << self.finished.warp.val());
        }
        self.owned.d.next = self.still_owned.val();
        if self.launch_valid.val() {
            self.owned.d.next = self.still_owned.val() | (self.one_warp.val() << self.launch_warp.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits};

    #[test]
    fn rows_come_and_go() {
        let mut rows = LargeWarpRows::new(4);
        rows.connect_all();
        simulate(&mut rows, 1000);
        // A line is a cycle: `launch:ROW=HEAD`, `finished:ROW` `|` the rows of 0, 1 and 2.
        let script = "
            launch:0=0              | -  - -
            launch:1=0              | 0  - -
            launch:2=2              | 01 - -
            finished:0              | 01 - 2
            finished:1              | 1  - 2
            launch:0=0              | -  - 2
            launch:1=1              | 0  - 2 | of another size
            -                       | 0  1 2";
        for (input, seen) in cycles(script) {
            let command = |name: &str| input.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix(':'));
            let launched = command("launch").and_then(|text| text.split_once('='));
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            rows.launch_valid.next = launched.is_some();
            rows.launch_warp.next = launched.map_or(0.into(), |(row, _)| number(row));
            rows.head.next = launched.map_or(0.into(), |(_, head)| number(head));
            rows.finished.valid.next = command("finished").is_some();
            rows.finished.warp.next = command("finished").map_or(0.into(), number);
            simulate(&mut rows, 1000);
            let found = [0, 1, 2].map(|head: usize| digits(rows.rows[head].val()));
            assert_eq!(found.each_ref().map(String::as_str), seen[..], "{input:?}");
            tick!(rows);
        }
    }
}
