//! Chooses, for every warp, which of its paths competes with the other warps.
//!
//! ```text
//!                   +---------------+
//!      ready[P] --->|               |---> warps
//!    present[P] --->| PathSelection |
//!   grant, warp --->|               |---> granted[P], path
//!        accept --->|               |
//!                   +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `ready[P]` | W | by side: paths that could be served this cycle |
//! | `present[P]` | W | by side: paths that live |
//! | `warps` | W | warps with a chosen path, at most one each |
//! | `grant`, `warp` | W, w | which of these warps has the slot, one-hot and as a number: the answer to `warps`, in the same cycle |
//! | `granted[P]` | W | by side: that warp, if it is the side of its chosen path |
//! | `path` | p | the chosen path of that warp, {side, warp} |
//! | `accept` | 1 | it is served |
//! | `long_latency` | 1 | with an operation of long latency |
//!
//! Latency 0; a [`PathSelector`] per warp. With one side there is nothing to choose: the warps are the paths.
//! "A single additional selection level": Rhu 2014, 3.2.3. Beside the warp scheduler and beside the fetch arbiter.
use super::PathSelector;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PathSelection: clock, reset {
        pub ready: Vec<Net<In>> = Net::vec(sides, warps),
        pub present: Vec<Net<In>> = Net::vec(sides, warps),
        pub grant: Net<In> = warps,
        pub warp: Net<In> = warp,
        pub accept: Signal<In, Bit>,
        pub long_latency: Signal<In, Bit>,
        pub warps: Net<Out> = warps,
        pub granted: Vec<Net<Out>> = Net::vec(sides, warps),
        pub path: Net<Out> = path,

        /// By warp; none with one side.
        selectors: Vec<PathSelector> = (0..selectors).map(|_| PathSelector::new(sides, constrained)).collect() => |i| {
            ready: warp_ready[i], present: warp_present[i], long_latency,
        },
        // The same signals, by warp.
        warp_ready: Vec<Net<Local>> = Net::vec(selectors, sides),
        warp_present: Vec<Net<Local>> = Net::vec(selectors, sides),
        /// By side: warps whose chosen path it is.
        chosen: Vec<Net<Local>> = Net::vec(sides, warps),
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << warp) as u64, path)).collect(),
    }
    sizes { _path = path }
    /// For `warps` of `sides` paths; see [`PathSelector`] for `constrained`.
    pub fn new(warps: usize, sides: usize, constrained: bool) {
        let selectors = if sides == 1 { 0 } else { warps };
        let warp = index_width(warps);
        let path = warp + sides.ilog2() as usize;
    }
}

impl Logic for PathSelection {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathSelection");
        self.warps.next = self.ready[0].val();
        for p in 0..self.chosen.len() {
            self.chosen[p].next = self.ready[p].val();
        }
        for i in 0..self.selectors.len() {
            self.warp_ready[i].next = 0.into();
            self.warp_present[i].next = 0.into();
            for p in 0..self.chosen.len() {
                self.warp_ready[i].next = self.warp_ready[i].val().replace_bit(p, self.ready[p].val().get_bit(i));
                self.warp_present[i].next = self.warp_present[i].val().replace_bit(p, self.present[p].val().get_bit(i));
            }
            for p in 0..self.chosen.len() {
                self.chosen[p].next = self.chosen[p].val().replace_bit(i, self.selectors[i].grant.val().get_bit(p));
            }
            self.selectors[i].accept.next = self.accept.val() & self.grant.val().get_bit(i);
            self.warps.next = self.warps.val().replace_bit(i, self.selectors[i].any.val());
        }
        self.path.next = bit_cast_to(self.warp.val(), self._path);
        for p in 0..self.chosen.len() {
            self.granted[p].next = self.grant.val() & self.chosen[p].val();
            if self.granted[p].val().any() {
                self.path.next = bit_cast_to(self.warp.val(), self._path) | self.sides[p].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four warps; one line a cycle: `left right` paths that are ready, the warp that is granted and served, or `-` | `warps`, the path served.
    const TURNS: &str = "
        0011 0110 1 | 0111 L1
        0011 0110 1 | 0111 R1   its paths take turns,
        0011 0110 0 | 0111 L0
        0011 0110 2 | 0111 R2
        0010 0110 1 | 0110 L1
        0010 0110 - | 0110 -    and keep them until they are served
        0010 0110 1 | 0110 R1
        0000 1000 3 | 1000 R3
        1111 1111 0 | 1111 R0   while one is served,
        1111 1111 2 | 1111 L2   the others keep their turns
        1111 1111 1 | 1111 L1
        1111 1111 3 | 1111 L3";

    #[test]
    fn the_paths_of_a_warp_take_turns() {
        let mut selection = PathSelection::new(4, 2, false);
        selection.connect_all();
        for line in TURNS.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            for (side, digits) in field[..2].iter().enumerate() {
                let ready: Word = usize::from_str_radix(digits, 2).unwrap().into();
                selection.ready[side].next = ready;
                selection.present[side].next = ready;
            }
            let warp = field[2].parse::<usize>().ok();
            selection.grant.next = warp.map_or(0, |warp| 1 << warp).into();
            selection.warp.next = warp.unwrap_or(0).into();
            selection.accept.next = warp.is_some();
            simulate(&mut selection, 1000);
            assert_eq!(format!("{:04b}", selection.warps.val().value()), field[4], "{line}");
            let granted = selection.granted.iter().map(|net| net.val().value()).collect::<Vec<_>>();
            let served = match granted[..] {
                [left, 0] if left > 0 => format!("L{}", left.ilog2()),
                [0, right] if right > 0 => format!("R{}", right.ilog2()),
                _ => "-".into(),
            };
            assert_eq!(served, field[5], "{line}");
            if let Some(warp) = warp {
                assert_eq!(selection.path.val(), (served.starts_with('R') as usize) << 2 | warp, "{line}");
            }
            tick!(selection);
        }
    }

    #[test]
    fn one_side_is_the_warp() {
        let mut selection = PathSelection::new(5, 1, false);
        selection.connect_all();
        selection.ready[0].next = 0b10110.into();
        selection.grant.next = 0b10000.into();
        selection.warp.next = 4.into();
        simulate(&mut selection, 1000);
        let nets = [&selection.warps, &selection.granted[0], &selection.path];
        assert_eq!(nets.map(|net| net.val().value()), [0b10110, 0b10000, 4]);
    }
}
