//! One hardware warp slot of a CTA-wide mechanism: whether a warp is in it, and to which entry that warp belongs.
//!
//! ```text
//!                                       +----------------+
//!   form, leave, bypass, bypass_top --->|                |---> occupied
//!   retag, retag_top, retag_index ----->| CompactionSlot |
//!   activate, activate_index ---------->|                |---> ahead
//!                                       +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `form` | 1 | a warp of the active entry begins in this slot |
//! | `leave` | 1 | it dissolves |
//! | `bypass`, `bypass_top` | 1 | it goes ahead into a staged side: the top or the low one |
//! | `retag`, `retag_top`, `retag_index` | 1, 1, d | a staged side of this CTA becomes this entry of the stack |
//! | `activate`, `activate_index` | 1, d | this entry of this CTA becomes active |
//! | `occupied`, `ahead` | 1 | a warp is here; its entry is not active yet |
//!
//! Latency 1. State: three bits and an entry's index. Rhu 2014, 4.2: a bypassed warp waits for its entry at the end of the block.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CompactionSlot: clock, reset {
        pub form: Signal<In, Bit>,
        pub leave: Signal<In, Bit>,
        pub bypass: Signal<In, Bit>,
        pub bypass_top: Signal<In, Bit>,
        pub retag: Signal<In, Bit>,
        pub retag_top: Signal<In, Bit>,
        pub retag_index: Net<In> = index,
        pub activate: Signal<In, Bit>,
        pub activate_index: Net<In> = index,
        pub occupied: Signal<Out, Bit>,
        pub ahead: Signal<Out, Bit>,

        in_use: StateRegister<Bit> => { q: occupied },
        is_ahead: StateRegister<Bit> => { q: ahead },
        staged: StateRegister<Bit>,
        staged_top: StateRegister<Bit>,
        index: Flop = Flop::new(index),
        belongs: Net<Local> = index,
        still_staged: Signal<Local, Bit>,
    }
    /// For stacks of `entries` entries.
    pub fn new(entries: usize) {
        let index = index_width(entries);
    }
}

impl Logic for CompactionSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompactionSlot");
        dff_setup!(self, clock, in_use, is_ahead, staged, staged_top, index);

        self.belongs.next = self.index.q.val();
        self.still_staged.next = self.staged.q.val();
        if self.retag.val() & self.staged.q.val() & (self.staged_top.q.val() == self.retag_top.val()) {
            self.belongs.next = self.retag_index.val();
            self.still_staged.next = false;
        }
        self.index.d.next = self.belongs.val();
        self.staged.d.next = self.still_staged.val();
        // A side may become an entry and active at once.
        if self.activate.val()
            & self.is_ahead.q.val()
            & !self.still_staged.val()
            & (self.belongs.val() == self.activate_index.val())
        {
            self.is_ahead.d.next = false;
        }
        if self.bypass.val() {
            self.is_ahead.d.next = true;
            self.staged.d.next = true;
            self.staged_top.d.next = self.bypass_top.val();
        }
        if self.leave.val() {
            self.in_use.d.next = false;
        }
        if self.form.val() {
            self.in_use.d.next = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::cycles;
    use super::*;

    /// One line a cycle: commands (or none) `| seen`: no warp, `here` or `ahead`.
    fn run(script: &str) {
        let mut slot = CompactionSlot::new(4);
        slot.connect_all();
        simulate(&mut slot, 1000);
        for (commands, seen) in cycles(script) {
            let given = |name: &str| commands.iter().find_map(|command| command.strip_prefix(name));
            let index = |text: &str| text.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0usize);
            slot.form.next = given("form").is_some();
            slot.leave.next = given("leave").is_some();
            slot.bypass.next = given("bypass").is_some();
            slot.bypass_top.next = given("bypass") == Some(":top");
            slot.retag.next = given("retag").is_some();
            slot.retag_top.next = given("retag").is_some_and(|side| side.starts_with(":top"));
            slot.retag_index.next = given("retag").map_or(0, index).into();
            slot.activate.next = given("activate").is_some();
            slot.activate_index.next = given("activate").map_or(0, index).into();
            simulate(&mut slot, 1000);
            let state = match (slot.occupied.val(), slot.ahead.val()) {
                (false, false) => "-",
                (true, false) => "here",
                (true, true) => "ahead",
                (false, true) => "ahead without a warp",
            };
            assert_eq!(state, seen[0], "{commands:?}");
            tick!(slot);
        }
    }

    #[test]
    fn a_warp_comes_and_goes() {
        run("form        | -
             activate:2  | here  | of others
             leave       | here
             leave form  | -     | one leaves where another begins: the other stays
             leave form  | here
                         | here");
    }

    #[test]
    fn a_warp_runs_ahead_until_its_entry_is_active() {
        run("form                   | -
             bypass:low             | here
             retag:top>3            | ahead | the other side becomes an entry
             retag:low>2            | ahead | its own
             activate:3             | ahead
             activate:2             | ahead
                                    | here
             bypass:top             | here
             activate:2             | ahead | still staged: not that entry any more
             retag:top>1            | ahead
             activate:1             | ahead
             leave form             | here
             bypass:low             | here
             retag:low>3 activate:3 | ahead | becomes an entry and active at once
                                    | here");
    }
}
