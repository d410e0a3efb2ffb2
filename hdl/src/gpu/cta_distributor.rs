//! Distributes the CTAs of a grid: whoever has a free slot asks, and gets the next one.
//!
//! ```text
//!                  +----------------+
//!  launch_start -->|                |---> grant[N]
//!  grid_* -------->| CtaDistributor |
//!  request ------->|                |
//!  tick ---------->+----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the cores passes |
//! | `launch_start` | 1 | with a tick: all CTAs are still to be distributed |
//! | `grid_x`, `grid_y`, `grid_z` | 32 | CTAs of the grid; constant in a launch |
//! | `request` | N | with a tick: this core asks for a CTA, once for each answer |
//! | `grant[N]` | | in one tick: an answer |
//!
//! Latency 1: who asks alone is answered in the next tick. One answer in each; cores that ask at once are answered in turn, so that CTAs go round
//! the cores before one gets its second, as in GPGPU-Sim since 2010-10. State: who has asked, whose turn it is, the next CTA.
use crate::interface::CtaGrant;
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaDistributor: clock, reset {
        pub tick: Signal<In, Bit>,
        pub launch_start: Signal<In, Bit>,
        pub grid_x: Net<In> = 32,
        pub grid_y: Net<In> = 32,
        pub grid_z: Net<In> = 32,
        pub request: Net<In> = cores,
        pub grant: Vec<CtaGrant<Out>> = (0..cores).map(|_| CtaGrant::new()).collect(),

        asking: Register = Register::new(cores),
        turn: RoundRobinArbiter = RoundRobinArbiter::new(cores) => { request: asking.q, accept: tick },
        next_x: Register = Register::new(32),
        next_y: Register = Register::new(32),
        next_z: Register = Register::new(32),
        exhausted: StateRegister<Bit>,
    }
    /// To so many cores, 1 to 64.
    pub fn new(cores: usize) {}
}

impl Logic for CtaDistributor {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaDistributor");
        dff_setup!(self, clock, asking, next_x, next_y, next_z, exhausted);
        for i in 0..self.grant.len() {
            self.grant[i].valid.next = self.turn.grant.val().get_bit(i);
            self.grant[i].none.next = self.exhausted.q.val();
            self.grant[i].x.next = self.next_x.q.val();
            self.grant[i].y.next = self.next_y.q.val();
            self.grant[i].z.next = self.next_z.q.val();
        }
        if self.tick.val() {
            self.asking.d.next = (self.asking.q.val() & !self.turn.grant.val()) | self.request.val();
        }
        if self.tick.val() & self.turn.any.val() {
            self.next_x.d.next = self.next_x.q.val() + 1;
            if (self.next_x.q.val() + 1) == self.grid_x.val() {
                self.next_x.d.next = 0.into();
                self.next_y.d.next = self.next_y.q.val() + 1;
                if (self.next_y.q.val() + 1) == self.grid_y.val() {
                    self.next_y.d.next = 0.into();
                    self.next_z.d.next = self.next_z.q.val() + 1;
                    if (self.next_z.q.val() + 1) == self.grid_z.val() {
                        self.exhausted.d.next = true;
                    }
                }
            }
        }
        if self.tick.val() & self.launch_start.val() {
            self.asking.d.next = 0.into();
            self.next_x.d.next = 0.into();
            self.next_y.d.next = 0.into();
            self.next_z.d.next = 0.into();
            self.exhausted.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two CTAs in x and three in y, for three cores. One line a cycle: `tick, launch, cores that ask (bit 0 on the right) | who gets which`.
    const GOES_ROUND: &str = "
        | L 000 | -
        | . 111 | -
        | . 000 | 0:0,0
        | . 000 | 1:1,0
        . . 000 | 2:0,1     no tick
        | . 010 | 2:0,1
        | . 001 | 1:1,1
        | . 000 | 0:0,2
        | . 110 | -
        | . 000 | 1:1,2
        | . 000 | 2:none
        | . 001 | -
        | . 000 | 0:none
        | L 000 | -
        | . 100 | -
        | . 000 | 2:0,0";

    #[test]
    fn ctas_go_round_the_cores() {
        let mut distributor = CtaDistributor::new(3);
        distributor.connect_all();
        distributor.grid_x.next = 2.into();
        distributor.grid_y.next = 3.into();
        distributor.grid_z.next = 1.into();
        simulate(&mut distributor, 100);
        for line in GOES_ROUND.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            distributor.tick.next = fields[0] == "|";
            distributor.launch_start.next = fields[1] == "L";
            distributor.request.next = usize::from_str_radix(fields[2], 2).unwrap().into();
            simulate(&mut distributor, 100);
            let granted = distributor.grant.iter().enumerate().filter(|(_, grant)| grant.valid.val());
            let granted: Vec<String> = granted
                .map(|(core, grant)| match grant.none.val() {
                    true => format!("{core}:none"),
                    false => format!("{core}:{},{}", grant.x.val().value(), grant.y.val().value()),
                })
                .collect();
            let granted = if granted.is_empty() { "-".into() } else { granted.join(" ") };
            assert_eq!(granted, fields[4], "{line}");
            tick!(distributor);
        }
    }
}
