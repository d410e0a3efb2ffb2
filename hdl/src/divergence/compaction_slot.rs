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

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct CompactionSlot {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub form: Signal<In, Bit>,
    pub leave: Signal<In, Bit>,
    pub bypass: Signal<In, Bit>,
    pub bypass_top: Signal<In, Bit>,
    pub retag: Signal<In, Bit>,
    pub retag_top: Signal<In, Bit>,
    pub retag_index: Net<In>,
    pub activate: Signal<In, Bit>,
    pub activate_index: Net<In>,
    pub occupied: Signal<Out, Bit>,
    pub ahead: Signal<Out, Bit>,

    in_use: StateRegister<Bit>,
    is_ahead: StateRegister<Bit>,
    staged: StateRegister<Bit>,
    staged_top: StateRegister<Bit>,
    index: Flop,
}

impl CompactionSlot {
    /// For stacks of `entries` entries.
    pub fn new(entries: usize) -> Self {
        let index = index_width(entries);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            form: Default::default(),
            leave: Default::default(),
            bypass: Default::default(),
            bypass_top: Default::default(),
            retag: Default::default(),
            retag_top: Default::default(),
            retag_index: Net::new(index),
            activate: Default::default(),
            activate_index: Net::new(index),
            occupied: Default::default(),
            ahead: Default::default(),
            in_use: Default::default(),
            is_ahead: Default::default(),
            staged: Default::default(),
            staged_top: Default::default(),
            index: Flop::new(index),
        }
    }
}

impl Logic for CompactionSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompactionSlot");
        dff_setup!(self, clock, in_use, is_ahead, staged, staged_top, index);
        self.in_use.reset.next = self.reset.val();
        self.is_ahead.reset.next = self.reset.val();
        self.staged.reset.next = self.reset.val();
        self.staged_top.reset.next = self.reset.val();
        self.occupied.next = self.in_use.q.val();
        self.ahead.next = self.is_ahead.q.val();

        if self.activate.val()
            & self.is_ahead.q.val()
            & !self.staged.q.val()
            & (self.index.q.val() == self.activate_index.val())
        {
            self.is_ahead.d.next = false;
        }
        if self.retag.val() & self.staged.q.val() & (self.staged_top.q.val() == self.retag_top.val()) {
            self.staged.d.next = false;
            self.index.d.next = self.retag_index.val();
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
