//! One lane of a CTA-wide stack: the threads that live in it, a bit per row.
//!
//! ```text
//!                           +------------------------------+
//!  arrive_row, arrive_* --->|--> staged low, top           |---> staged_low, staged_top
//!  launch_*             --->|--> live, bypassed            |---> any_live
//!                           |                              |
//!  rows, read_entry     --->|--> masks [entry] & live -----|---> current, formable
//!  write_*, activate    --->|--> masks, staged, bypassed   |
//!                           +------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrive_row` | w | row of this lane's thread in the warp that arrives |
//! | `arrive_low`, `arrive_top` | 1 | it gathers in the low or in the top side of the branch |
//! | `arrive_bypasses` | 1 | and goes on in its warp, ahead of the gathering |
//! | `arrive_exit` | 1 | it ends |
//! | `launch_row`, `launch_thread` | W, 1 | this row starts (one-hot, or 0), with a thread in this lane |
//! | `rows` | W | rows of the CTA that the stack engine works on |
//! | `read_entry` | d | an entry of it |
//! | `current`, `formable` | W | its live threads; without those in warps that run ahead |
//! | `write_enable`, `write_entry`, `write_source` | 1, d, `MaskSource` | replaces the CTA's rows of an entry |
//! | `clear_staged` | 1 | forgets the CTA's staged sides |
//! | `activate` | 1 | the threads of the entry read run ahead no more |
//! | `staged_low`, `staged_top`, `any_live` | 1 | the CTA has such threads in this lane |
//!
//! Latency 1. State: entries x W mask bits, and four bits per row. All resident CTAs share the columns: CTA *s* owns the bits of its rows in
//! every entry, so masks are divided among as many CTAs as there are, and a write keeps the other rows. Column order is
//! what the compaction unit's encoders want: no wire is permuted between stack and encoder.
//!
//! One bit per thread says whether it runs ahead: a thread lies in one entry that has not been active yet, if any, so the bit needs
//! no entry of its own. Fung & Aamodt 2011, 3.3; Rhu 2014, 4.2.
use crate::prelude::*;

hardware_enum! {
    /// What is written to a mask of a CTA-wide stack.
    pub enum MaskSource {
        /// The staged low side.
        Low,
        /// The staged top side.
        Top,
        /// No threads yet: a likely-convergence entry.
        Nothing,
        /// The threads of the entry read join those there.
        Merge,
        /// The launched row joins.
        Launch,
    }
}

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct ThreadColumn {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub arrive_row: Net<In>,
    pub arrive_low: Signal<In, Bit>,
    pub arrive_top: Signal<In, Bit>,
    pub arrive_bypasses: Signal<In, Bit>,
    pub arrive_exit: Signal<In, Bit>,
    pub launch_row: Net<In>,
    pub launch_thread: Signal<In, Bit>,
    pub rows: Net<In>,
    pub read_entry: Net<In>,
    pub current: Net<Out>,
    pub formable: Net<Out>,
    pub write_enable: Signal<In, Bit>,
    pub write_entry: Net<In>,
    pub write_source: Signal<In, MaskSource>,
    pub clear_staged: Signal<In, Bit>,
    pub activate: Signal<In, Bit>,
    pub staged_low: Signal<Out, Bit>,
    pub staged_top: Signal<Out, Bit>,
    pub any_live: Signal<Out, Bit>,

    masks: Memory,
    low: Register,
    top: Register,
    live: Register,
    bypassed: Register,
    one_row: Constant,
    thread: Net<Local>,
    kept_low: Net<Local>,
    kept_top: Net<Local>,
    kept_live: Net<Local>,
    kept_bypassed: Net<Local>,
    members: Net<Local>,
    old_mask: Net<Local>,
}

impl ThreadColumn {
    /// For `warps` rows and stacks of `entries` entries.
    pub fn new(warps: usize, entries: usize) -> Self {
        let (row, entry) = (index_width(warps), index_width(entries));
        Self {
            clock: Default::default(),
            reset: Default::default(),
            arrive_row: Net::new(row),
            arrive_low: Default::default(),
            arrive_top: Default::default(),
            arrive_bypasses: Default::default(),
            arrive_exit: Default::default(),
            launch_row: Net::new(warps),
            launch_thread: Default::default(),
            rows: Net::new(warps),
            read_entry: Net::new(entry),
            current: Net::new(warps),
            formable: Net::new(warps),
            write_enable: Default::default(),
            write_entry: Net::new(entry),
            write_source: Default::default(),
            clear_staged: Default::default(),
            activate: Default::default(),
            staged_low: Default::default(),
            staged_top: Default::default(),
            any_live: Default::default(),
            masks: Memory::new(warps, entries, 2, 1, ReadKind::Asynchronous),
            low: Register::new(warps),
            top: Register::new(warps),
            live: Register::new(warps),
            bypassed: Register::new(warps),
            one_row: Constant::new(1, warps),
            thread: Net::new(warps),
            kept_low: Net::new(warps),
            kept_top: Net::new(warps),
            kept_live: Net::new(warps),
            kept_bypassed: Net::new(warps),
            members: Net::new(warps),
            old_mask: Net::new(warps),
        }
    }
}

impl Logic for ThreadColumn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadColumn");
        dff_setup!(self, clock, low, top, live, bypassed);
        clock!(self, clock, masks);
        self.low.reset.next = self.reset.val();
        self.top.reset.next = self.reset.val();
        self.live.reset.next = self.reset.val();
        self.bypassed.reset.next = self.reset.val();

        // The entry that the engine looks at.
        self.masks.read_address[0].next = self.read_entry.val();
        self.members.next = self.masks.read_data[0].val() & self.live.q.val() & self.rows.val();
        self.current.next = self.members.val();
        self.formable.next = self.members.val() & !self.bypassed.q.val();
        self.staged_low.next = (self.low.q.val() & self.rows.val()).any();
        self.staged_top.next = (self.top.q.val() & self.rows.val()).any();
        self.any_live.next = (self.live.q.val() & self.rows.val()).any();

        // Arriving threads and the engine meet in one cycle only when they belong to different CTAs.
        self.thread.next = self.one_row.val() << self.arrive_row.val();
        self.kept_low.next = self.low.q.val();
        self.kept_top.next = self.top.q.val();
        if self.clear_staged.val() {
            self.kept_low.next = self.low.q.val() & !self.rows.val();
            self.kept_top.next = self.top.q.val() & !self.rows.val();
        }
        self.low.d.next = self.kept_low.val();
        if self.arrive_low.val() {
            self.low.d.next = self.kept_low.val() | self.thread.val();
        }
        self.top.d.next = self.kept_top.val();
        if self.arrive_top.val() {
            self.top.d.next = self.kept_top.val() | self.thread.val();
        }
        self.kept_bypassed.next = self.bypassed.q.val();
        if self.activate.val() {
            self.kept_bypassed.next = self.bypassed.q.val() & !self.members.val();
        }
        self.bypassed.d.next = self.kept_bypassed.val();
        if self.arrive_bypasses.val() {
            self.bypassed.d.next = self.kept_bypassed.val() | self.thread.val();
        }
        self.kept_live.next = self.live.q.val() & !self.launch_row.val();
        if self.launch_thread.val() {
            self.kept_live.next = self.live.q.val() | self.launch_row.val();
        }
        self.live.d.next = self.kept_live.val();
        if self.arrive_exit.val() {
            self.live.d.next = self.kept_live.val() & !self.thread.val();
        }

        self.masks.read_address[1].next = self.write_entry.val();
        self.old_mask.next = self.masks.read_data[1].val();
        self.masks.write_enable[0].next = self.write_enable.val();
        self.masks.write_address[0].next = self.write_entry.val();
        self.masks.write_data[0].next = self.old_mask.val() & !self.rows.val();
        match self.write_source.val() {
            MaskSource::Low => {
                self.masks.write_data[0].next =
                    (self.old_mask.val() & !self.rows.val()) | (self.low.q.val() & self.rows.val());
            }
            MaskSource::Top => {
                self.masks.write_data[0].next =
                    (self.old_mask.val() & !self.rows.val()) | (self.top.q.val() & self.rows.val());
            }
            MaskSource::Merge => self.masks.write_data[0].next = self.old_mask.val() | self.members.val(),
            MaskSource::Launch => self.masks.write_data[0].next = self.old_mask.val() | self.launch_row.val(),
            _ => {}
        }
    }
}
