//! Counts the threads of a warp by CTA.
//!
//! ```text
//!               +------------+
//!  mask ------->|            |
//!  rows[L] ---->| CtaThreads |---> counts[C]
//!  slots[W] --->|            |
//!               +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `mask`, `rows[L]` | L, w | threads, by lane: the home warp of each |
//! | `slots[W]` | c | CTA slot of each home warp |
//! | `counts[C]` | n | how many of them are of each CTA |
//!
//! Latency 0, no state. Where warps are formed from threads of several CTAs, for their barriers.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaThreads {
        pub mask: Net<In> = lanes,
        pub rows: Vec<Net<In>> = Net::vec(lanes, index_width(warps)),
        pub slots: Vec<Net<In>> = Net::vec(warps, c),
        pub counts: Vec<Net<Out>> = Net::vec(ctas, index_width(lanes + 1)),

        lane_slots: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(c, warps)).collect() => |lane| {
            inputs: slots, index: rows[lane],
        },
        members: Vec<Net<Local>> = Net::vec(ctas, lanes),
        counters: Vec<Popcount> = (0..ctas).map(|_| Popcount::new(lanes)).collect() => |s| {
            value: members[s], count: counts[s],
        },
    }
    /// For `warps` warps of `lanes` threads, of `ctas` CTAs.
    pub fn new(lanes: usize, warps: usize, ctas: usize) {
        let c = index_width(ctas);
    }
}

impl Logic for CtaThreads {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaThreads");
        for s in 0..self.members.len() {
            self.members[s].next = 0.into();
            for lane in 0..self.lane_slots.len() {
                self.members[s].next = self.members[s]
                    .val()
                    .replace_bit(lane, self.mask.val().get_bit(lane) & (self.lane_slots[lane].selected.val() == s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by lane, `-` where there is no thread `|` threads by CTA slot; rows 0 and 1 are of slot 0, row 2 of slot 1, row 3 of slot 3.
    const SCRIPT: [(&str, [usize; 4]); 5] = [
        ("0011", [4, 0, 0, 0]),
        ("0-21", [2, 1, 0, 0]),
        ("3333", [0, 0, 0, 4]),
        ("----", [0; 4]),
        ("3203", [1, 1, 0, 2]),
    ];

    #[test]
    fn threads_are_counted_by_cta() {
        let mut unit = CtaThreads::new(4, 4, 4);
        unit.connect_all();
        for (port, slot) in unit.slots.iter_mut().zip([0usize, 0, 1, 3]) {
            port.next = slot.into();
        }
        for (rows, expected) in SCRIPT {
            let mut mask = 0usize;
            for (lane, row) in rows.chars().enumerate() {
                mask |= usize::from(row != '-') << lane;
                unit.rows[lane].next = (row.to_digit(10).unwrap_or(0) as usize).into();
            }
            unit.mask.next = mask.into();
            simulate(&mut unit, 100);
            let counts: Vec<usize> = unit.counts.iter().map(|count| count.val().index()).collect();
            assert_eq!(counts, expected, "{rows}");
        }
    }
}
