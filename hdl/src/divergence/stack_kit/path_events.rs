//! Resolved control instructions of warps with several paths, by side, and the one that is taken up.
//!
//! ```text
//!                     +----------------+
//!  resolve, accept -->| EventTable x S |---> pending[S], diverges[S]
//!  warp, select ----->|                |---> event
//!  serve ------------>|                |
//!                     +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `resolve` | | outcome of a control instruction; `resolve_warp` is a path, {side, warp} |
//! | `accept` | 1 | it is to be served from here |
//! | `pending[S]` | W | by side: warps that have one |
//! | `warp` | w | the warp to look at |
//! | `diverges[S]` | 1 | its lanes on this side go both ways |
//! | `select` | S | the side whose instruction is taken up: one, or none |
//! | `event` | | that instruction, see [`ControlRecords`](super::ControlRecords); without one everything in it is 0 |
//! | `serve` | 1 | it has taken effect |
//!
//! Latency 1. State: [`EventTable`](super::EventTable), for each side.
use super::super::EventTable;
use super::ControlEvent;
use crate::interface::{ControlKind, Resolve};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PathEvents: clock, reset {
        pub resolve: Resolve<In> = Resolve::new(lanes, path, warp, 1),
        pub accept: Signal<In, Bit>,
        pub pending: Vec<Net<Out>> = Net::vec(sides, warps),
        pub warp: Net<In> = warp,
        pub diverges: Vec<Signal<Out, Bit>> = bit_vec(sides),
        pub select: Net<In> = sides,
        pub event: ControlEvent<Out> = ControlEvent::new(lanes),
        pub serve: Signal<In, Bit>,

        events: Vec<EventTable> = (0..sides).map(|_| EventTable::new(lanes, warps, false, false)).collect() => |s| {
            resolve.kind, resolve.taken, resolve.mask, resolve.target, resolve.next_pc, resolve.annotation,
            pending: pending[s], warp,
        },
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << warp) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(warp), path),
        resolved_side: Net<Local> = path,
    }
    sizes { _warp = warp }
    /// For `warps` warps of `lanes` threads with up to `sides` paths each.
    pub fn new(lanes: usize, warps: usize, sides: usize) {
        let warp = index_width(warps);
        let path = warp + sides.ilog2() as usize;
    }
}

impl Logic for PathEvents {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathEvents");
        self.resolved_side.next = self.resolve.warp.val() & self.side_bits.val();
        self.event.kind.next = ControlKind::Branch;
        self.event.taken.next = 0.into();
        self.event.mask.next = 0.into();
        self.event.target.next = 0.into();
        self.event.next_pc.next = 0.into();
        self.event.rpc.next = 0.into();
        self.event.lpc.next = 0.into();
        for s in 0..self.events.len() {
            self.events[s].resolve.valid.next =
                self.resolve.valid.val() & self.accept.val() & (self.resolved_side.val() == self.sides[s].val());
            self.events[s].resolve.warp.next = bit_cast_to(self.resolve.warp.val(), self._warp);
            self.events[s].serve.next = self.serve.val() & self.select.val().get_bit(s);
            self.diverges[s].next = self.events[s].event.taken.val().any()
                & (self.events[s].event.mask.val() & !self.events[s].event.taken.val()).any();
            if self.select.val().get_bit(s) {
                wire::join(&mut self.event, &mut self.events[s].event);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle of two warps with two sides: `SIDE.WARP:taken/lanes` resolves, or `-`, or `other` for a stack elsewhere; the warp looked at, the
    /// sides taken up, and whether that is served `|` by side pending warps and whether the warp diverges; lanes of the event.
    #[test]
    fn sides_are_served_one_by_one() {
        let mut events = PathEvents::new(4, 2, 2);
        events.connect_all();
        simulate(&mut events, 1000);
        let script = "
            1.0:01/0123 0 -       | -  -  -/-
            0.0:23/23   0 1       | -  0! 01/0123
            1.1:-/1     0 0       | 0  0! 23/23
            other       0 1 serve | 0  01! 01/0123
            -           1 1 serve | 0  1  -/1
            -           0 0 serve | 0  -  23/23
            -           0 -       | -  -  -/-";
        for (input, seen) in cycles(script) {
            let resolved = input[0].split_once(':');
            events.resolve.valid.next = input[0] != "-";
            events.accept.next = input[0] != "other";
            if let Some((path, lanes)) = resolved {
                let (side, warp) = path.split_once('.').unwrap();
                let path = side.parse::<usize>().unwrap() << 1 | warp.parse::<usize>().unwrap();
                let (taken, mask) = lanes.split_once('/').unwrap();
                events.resolve.warp.next = path.into();
                events.resolve.taken.next = set(taken);
                events.resolve.mask.next = set(mask);
            }
            events.warp.next = input[1].parse::<usize>().unwrap().into();
            events.select.next = set(input[2]);
            events.serve.next = input.get(3).is_some();
            simulate(&mut events, 1000);
            let pending = [0, 1].map(|s| {
                let warps = digits(events.pending[s].val());
                let here = events.pending[s].val().get_bit(input[1].parse().unwrap());
                if here && events.diverges[s].val() { warps + "!" } else { warps }
            });
            let event = format!("{}/{}", digits(events.event.taken.val()), digits(events.event.mask.val()));
            assert_eq!([&pending[0], &pending[1], &event], [seen[0], seen[1], seen[2]], "{input:?}");
            tick!(events);
        }
    }
}
