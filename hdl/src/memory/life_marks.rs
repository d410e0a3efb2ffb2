//! Where the lives of threads begin and end in the order of memory instructions.
//!
//! ```text
//!  cta_start_* ---->+-----------+---> first_of_cta
//!  thread_ended --->| LifeMarks |---> after_end
//!  enters, slot --->+-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `cta_start_valid`, `cta_start_slot`, `cta_start_threads` | 1, c, 16 | a CTA starts in this slot |
//! | `thread_ended` | 1 | threads end |
//! | `enters`, `slot` | 1, c | a memory instruction of the CTA in this slot enters the queue |
//! | `slots[L]`, `mask` | c, L | where its threads are of several CTAs, instead (`mask` is a Vec of one): by lane, whose they are |
//! | `first_of_cta` | 1 | it is the first of its CTA |
//! | `first_of_ctas` | C | there, instead (Vec of one): the CTA slots of which that is true |
//! | `after_end` | 1 | threads have ended since the one before it |
//!
//! Latency 1. State: a bit per CTA slot, and one. An instruction of a thread may wait in the queue when the thread has ended, even when the next CTA has begun in
//! its place. What ends with a thread in the order of memory must therefore pass the queue, and these two bits of an instruction do.
use crate::interface::CtaStart;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LifeMarks: clock, reset {
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub thread_ended: Signal<In, Bit>,
        pub enters: Signal<In, Bit>,
        pub slot: Net<In> = config.slot_width(),
        pub slots: Vec<Net<In>> = Net::vec(config.where_mixed(config.lanes), config.slot_width()),
        pub mask: Vec<Net<In>> = Net::vec(config.where_mixed(1), config.lanes),
        pub first_of_ctas: Vec<Net<Out>> = Net::vec(config.where_mixed(1), config.cta_slots),
        pub first_of_cta: Signal<Out, Bit>,
        pub after_end: Signal<Out, Bit>,

        /// CTA slots without a memory instruction so far.
        fresh: Register = Register::new(config.cta_slots),
        ended: StateRegister<Bit> => { q: after_end },
        one: Net<Local> = config.cta_slots,
        /// CTA slots of the threads of the instruction.
        present: Vec<Net<Local>> = Net::vec(config.where_mixed(1), config.cta_slots),
        still_fresh: Net<Local> = config.cta_slots,
    }
    /// The marks of the core `config`.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for LifeMarks {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LifeMarks");
        dff_setup!(self, clock, fresh, ended);
        self.one.next = 1.into();
        self.first_of_cta.next = self.fresh.q.val().get_bit(self.slot.val().index());
        self.still_fresh.next = self.fresh.q.val();
        if self.enters.val() {
            self.still_fresh.next = self.fresh.q.val() & !(self.one.val() << self.slot.val());
            self.ended.d.next = false;
        }
        for i in 0..self.present.len() {
            self.present[i].next = 0.into();
            for lane in 0..self.slots.len() {
                if self.mask[i].val().get_bit(lane) {
                    self.present[i].next = self.present[i].val() | (self.one.val() << self.slots[lane].val());
                }
            }
            self.first_of_ctas[i].next = self.fresh.q.val() & self.present[i].val();
            self.still_fresh.next = self.fresh.q.val();
            if self.enters.val() {
                self.still_fresh.next = self.fresh.q.val() & !self.present[i].val();
            }
        }
        self.fresh.d.next = self.still_fresh.val();
        if self.cta_start.valid.val() {
            self.fresh.d.next = self.still_fresh.val() | (self.one.val() << self.cta_start.slot.val());
        }
        if self.thread_ended.val() {
            self.ended.d.next = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `start end enters | first_of_cta after_end`: slots, or `-`.
    const LIVES: &str = "
        0 - - | - -
        1 - - | - -
        - - 1 | 1 0   the first of CTA 1
        - - 1 | 0 0
        - x - | - -
        1 - 0 | 1 1   the first of CTA 0, after an end, while the next CTA starts in slot 1
        - - 0 | 0 0
        - x - | - -
        - - 1 | 1 1
        - - 1 | 0 0
        0 - 0 | 0 0   the last of one CTA, while the next starts in its slot
        - - 0 | 1 0
        0 - - | - -
        1 x 0 | 1 0   an end in the cycle of an instruction is after it
        0 - 1 | 1 1
        - - 0 | 1 0
        - - 1 | 0 0";

    #[test]
    fn marks_the_first_of_a_cta_and_the_first_after_an_end() {
        let mut marks = LifeMarks::new(&CoreConfig::tiny());
        marks.connect_all();
        simulate(&mut marks, 1000);
        for line in LIVES.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let slot = |field: &str| field.parse::<usize>().ok();
            marks.cta_start.valid.next = slot(fields[0]).is_some();
            marks.cta_start.slot.next = slot(fields[0]).unwrap_or(0).into();
            marks.thread_ended.next = fields[1] == "x";
            marks.enters.next = slot(fields[2]).is_some();
            marks.slot.next = slot(fields[2]).unwrap_or(0).into();
            simulate(&mut marks, 1000);
            if marks.enters.val() {
                let found = [marks.first_of_cta.val(), marks.after_end.val()];
                assert_eq!(found, [fields[4] == "1", fields[5] == "1"], "{line}");
            }
            tick!(marks);
        }
    }

    /// `start enters | first_of_ctas`: CTA slots, those that enter by lane, `x` in a lane that has none.
    const OF_SEVERAL: &str = "
        0 -    | -
        3 -    | -
        - 0x00 | 0
        - 0331 | 3
        - 0033 | -
        1 0011 | -    while the next CTA starts in slot 1
        - xx12 | 1
        3 3333 | -
        - 0123 | 3";

    #[test]
    fn marks_of_which_ctas_it_is_the_first() {
        let mut marks = LifeMarks::new(&CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() });
        marks.connect_all();
        simulate(&mut marks, 1000);
        for line in OF_SEVERAL.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let start = fields[0].parse::<usize>().ok();
            marks.cta_start.valid.next = start.is_some();
            marks.cta_start.slot.next = start.unwrap_or(0).into();
            marks.enters.next = fields[1] != "-";
            let mut mask = 0usize;
            for (lane, slot) in
                fields[1].chars().enumerate().filter_map(|(lane, slot)| Some((lane, slot.to_digit(10)?)))
            {
                mask |= 1 << lane;
                marks.slots[lane].next = (slot as usize).into();
            }
            marks.mask[0].next = mask.into();
            simulate(&mut marks, 1000);
            if marks.enters.val() {
                let expected = fields[3].parse::<usize>().map_or(0, |slot| 1 << slot);
                assert_eq!(marks.first_of_ctas[0].val(), Word::from(expected as usize), "{line}");
            }
            tick!(marks);
        }
    }
}
