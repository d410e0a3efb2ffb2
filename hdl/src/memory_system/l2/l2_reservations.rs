//! Which core has a reservation of which sector.
//!
//! ```text
//!                            +----------------+
//!  line, sectors, core ----->|                |
//!  reserve ----------------->| L2Reservations |---> held
//!  written ----------------->|                |
//!                            +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `line`, `sectors`, `core` | l, S, c | where a request goes, and whose it is; of one word: one sector |
//! | `reserve` | 1 | the core reserves the sector |
//! | `written` | 1 | these sectors are written: nobody has a reservation of them any more |
//! | `held` | 1 | the core has a reservation of the sector |
//!
//! Latency 0 for `held`, 1 for the state: of each core a line and a sector, or none. A store-conditional fails only if another store has been done: some core always goes on.
use super::L2Config;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct L2Reservations: clock, reset {
        pub line: Net<In> = config.line_width,
        pub sectors: Net<In> = config.sectors(),
        pub core: Net<In> = config.core_width(),
        pub reserve: Signal<In, Bit>,
        pub written: Signal<In, Bit>,
        pub held: Signal<Out, Bit>,

        lines: Vec<Flop> = Flop::vec(config.cores, config.line_width),
        /// None: no reservation.
        reserved: Vec<Register> = Register::vec(config.cores, config.sectors()),
        is_held: Signal<Local, Bit>,
    }
    /// Of a slice.
    pub fn new(config: &L2Config) {}
}

impl Logic for L2Reservations {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2Reservations");
        self.held.next = false;
        self.is_held.next = false;
        for i in 0..self.lines.len() {
            self.is_held.next =
                (self.lines[i].q.val() == self.line.val()) & (self.reserved[i].q.val() & self.sectors.val()).any();
            self.lines[i].d.next = self.lines[i].q.val();
            self.reserved[i].d.next = self.reserved[i].q.val();
            if self.written.val() & self.is_held.val() {
                self.reserved[i].d.next = 0.into();
            }
            if self.core.val() == i {
                self.held.next = self.is_held.val();
                if self.reserve.val() {
                    self.lines[i].d.next = self.line.val();
                    self.reserved[i].d.next = self.sectors.val();
                }
            }
        }
    }
}
