//! Threads without a slot, and how they get one: the next in turn, with all others at its PC that fit.
//!
//! ```text
//!                      +------------------------------------------------+
//!  launch_* ---------->| ParkedLane x L                                 |---> ready, waiting, live (rows)
//!  park_*, end_* ----->|   |  bits by row                               |
//!  freed ----------->|   v                                            |
//!  room, slot -------->| Seek: the next row   ---> reserve              |---> reserve, reserve_row
//!  accept ------------>| Gather: row by row, every lane that is at      |---> form_*
//!                      |   the PC of the first thread                   |
//!                      +------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_*`, `launch_ready` | | a warp starts: its threads have no slot yet |
//! | `park_mask`, `park_waits`, `park_pc` | L, 1, 32 | threads lose their slot; to wait at `bar.sync`; where they go on |
//! | `park_arrives` | L | with warp barriers: of `park_mask`, those that wait at the barrier of their warp |
//! | `end_mask` | L | threads end |
//! | `rows[L]` | w | by lane: the row of a thread that parks or ends |
//! | `freed` | W | rows whose waiting threads may go on |
//! | `returns[L]` | W | by lane: rows whose thread leaves its warp barrier |
//! | `diverged` | W | rows with a warp barrier: their threads may get a slot with those of other such rows, the others only with those of their row |
//! | `warp_slot[W]` | c | CTA slot of each row |
//! | `room` | W | rows of CTAs with a free slot |
//! | `enable` | 1 | Seek may begin, and Gather end |
//! | `reserve`, `reserve_row`, `reserved` | 1, w, p | in the free slot `reserved`, of the CTA of this row, a warp will be formed |
//! | `form_valid`, `form_slot`, `form_pc`, `form_mask`, `form_rows[L]` | 1, p, 32, L, w | it is formed, if `enable` |
//! | `ready`, `waiting`, `live` | W | rows with threads that could go on; that wait at `bar.sync`; that have not ended |
//! | `live_threads[L]` | W | the last by lane, with warp barriers |
//!
//! Latency: a row whose threads are all at one PC has a slot two cycles after it is looked at, and one more is looked at every two cycles. State: that of the lanes; whose turn it is, as a
//! row and the lanes passed in it; what has been gathered.
//!
//! Turns go by thread and not by row: a lane whose thread comes back at once, for its PC is the first of the row again and again, does not keep the others of its row from
//! their turn. Other rows are looked at one a cycle, as far as they are of the CTA, have ready threads, and lanes are left to fill.
use super::ParkedLane;
use crate::interface::Launch;
use crate::parts::{OneHotMux, PrefixOr, RotatingChoice};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ParkedThreads: clock, reset {
        pub launch: Launch<In> = Launch::of(config),
        pub launch_ready: Signal<Out, Bit>,
        pub park_mask: Net<In> = lanes,
        pub park_waits: Signal<In, Bit>,
        pub park_pc: Net<In> = 32,
        /// With warp barriers: one, else none; by lane.
        pub park_arrives: Vec<Net<In>> = Net::vec(barriers, lanes),
        pub diverged: Vec<Net<In>> = Net::vec(barriers, warps),
        pub returns: Vec<Net<In>> = Net::vec(barriers * lanes, warps),
        pub live_threads: Vec<Net<Out>> = Net::vec(barriers * lanes, warps),
        pub end_mask: Net<In> = lanes,
        pub rows: Vec<Net<In>> = Net::vec(lanes, w),
        pub freed: Net<In> = warps,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub room: Net<In> = warps,
        pub enable: Signal<In, Bit>,
        pub reserve: Signal<Out, Bit>,
        pub reserve_row: Net<Out> = w,
        pub reserved: Net<In> = path,
        pub form_valid: Signal<Out, Bit>,
        pub form_slot: Net<Out> = path,
        pub form_pc: Net<Out> = 32,
        pub form_mask: Net<Out> = lanes,
        pub form_rows: Vec<Net<Out>> = Net::vec(lanes, w),
        pub ready: Net<Out> = warps,
        pub waiting: Net<Out> = warps,
        pub live: Net<Out> = warps,

        lanes: Vec<ParkedLane> = (0..lanes).map(|_| ParkedLane::new(warps, config.has_warp_barriers())).collect() => |lane| {
            row: place[lane], new_pc: pc, take_row: row.q, freed, end_row: rows[lane],
        },
        gathering: StateRegister<Bit>,
        /// Its first row is looked at.
        is_first: StateRegister<Bit>,
        slot: Flop = Flop::new(path) => { q: form_slot },
        /// The row that is looked at; the rows that have been, this one included.
        row: Register = Register::new(w),
        seen: Register = Register::new(warps),
        gathered_pc: Register = Register::new(32),
        gathered: Register = Register::new(lanes),
        gathered_rows: Vec<Register> = Register::vec(lanes, w),
        /// Whose turn it was: the row, and in it the lanes passed.
        turn: Register = Register::new(w),
        passed: Register = Register::new(lanes),
        next_row: RotatingChoice = RotatingChoice::new(warps),
        next_index: PriorityEncoder = PriorityEncoder::new(warps) => { request: next_row.grant },
        up_to: PrefixOr = PrefixOr::new(warps) => { value: from_bit },
        leader: PriorityEncoder = PriorityEncoder::new(lanes),
        leader_pc: OneHotMux = OneHotMux::new(32, lanes) => { select: leader.one_hot },
        row_cta: IndexedMux = IndexedMux::new(c, warps) => { inputs: warp_slot, index: row.q },
        one: Constant = Constant::new(1, warps),
        all_lanes: Constant = Constant::new(mask(lanes), lanes),
        one_lane: Constant = Constant::new(1, lanes),

        place: Vec<Net<Local>> = Net::vec(lanes, w),
        pc: Net<Local> = 32,
        parking: Signal<Local, Bit>,
        from: Net<Local> = w,
        from_bit: Net<Local> = warps,
        members: Net<Local> = warps,
        /// Lanes of the row whose turn it was, or that is looked at, that could go on.
        turn_lanes: Net<Local> = lanes,
        row_lanes: Net<Local> = lanes,
        stays: Signal<Local, Bit>,
        others: Net<Local> = warps,
        target: Net<Local> = 32,
        kept: Net<Local> = lanes,
        matching: Net<Local> = lanes,
        full: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        proceeds: Signal<Local, Bit>,
    }
    /// Of a core that forms warps dynamically.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps) = (config.lanes, config.warps);
        let (w, c, path) = (config.warp_width(), config.slot_width(), config.path_width());
        let barriers = config.has_warp_barriers() as usize;
    }
}

impl Logic for ParkedThreads {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ParkedThreads");
        dff_setup!(self, clock, gathering, is_first, row, seen, gathered_pc, gathered, turn, passed);

        // Who comes, and who has ended. One PC is written in a cycle.
        self.parking.next = self.park_mask.val().any();
        self.launch_ready.next = !self.parking.val();
        self.pc.next = self.launch.pc.val();
        if self.parking.val() {
            self.pc.next = self.park_pc.val();
        }
        self.ready.next = 0.into();
        self.waiting.next = 0.into();
        self.live.next = 0.into();
        self.turn_lanes.next = 0.into();
        self.row_lanes.next = 0.into();
        for lane in 0..self.lanes.len() {
            self.place[lane].next = self.launch.warp.val();
            if self.parking.val() {
                self.place[lane].next = self.rows[lane].val();
            }
            self.lanes[lane].launches.next =
                self.launch.valid.val() & !self.parking.val() & self.launch.mask.val().get_bit(lane);
            self.lanes[lane].parks.next = self.park_mask.val().get_bit(lane) & !self.park_waits.val();
            self.lanes[lane].waits.next = self.park_mask.val().get_bit(lane) & self.park_waits.val();
            self.lanes[lane].ends.next = self.end_mask.val().get_bit(lane);
            self.ready.next = self.ready.val() | self.lanes[lane].parked.val();
            self.waiting.next = self.waiting.val() | self.lanes[lane].waiting.val();
            self.live.next = self.live.val() | self.lanes[lane].live.val();
            self.turn_lanes.next = self
                .turn_lanes
                .val()
                .replace_bit(lane, self.lanes[lane].parked.val().get_bit(self.turn.q.val().index()));
            self.row_lanes.next =
                self.row_lanes.val().replace_bit(lane, self.lanes[lane].parked.val().get_bit(self.row.q.val().index()));
        }

        for i in 0..self.park_arrives.len() {
            for lane in 0..self.lanes.len() {
                if self.park_arrives[i].val().get_bit(lane) {
                    self.lanes[lane].parks.next = false;
                }
                self.lanes[lane].arrives[i].next = self.park_arrives[i].val().get_bit(lane);
                self.lanes[lane].returns[i].next = self.returns[lane].val();
                self.live_threads[lane].next = self.lanes[lane].live.val();
            }
        }

        // The next row: behind the one whose turn it was, or behind the one that is looked at.
        self.members.next = 0.into();
        for i in 0..self.warp_slot.len() {
            self.members.next =
                self.members.val().replace_bit(i, self.warp_slot[i].val() == self.row_cta.selected.val());
        }
        self.from.next = self.turn.q.val();
        self.others.next = self.ready.val() & self.room.val();
        if self.gathering.q.val() {
            self.from.next = self.row.q.val();
            self.others.next = self.ready.val() & self.members.val() & !self.seen.q.val();
        }
        self.from_bit.next = self.one.val() << self.from.val();
        for i in 0..self.diverged.len() {
            if self.gathering.q.val() {
                self.others.next = 0.into();
                if (self.diverged[i].val() & self.from_bit.val()).any() {
                    self.others.next =
                        self.ready.val() & self.members.val() & !self.seen.q.val() & self.diverged[i].val();
                }
            }
        }
        self.next_row.request.next = self.others.val();
        self.next_row.passed.next = !self.up_to.reached.val() | self.from_bit.val();

        // Gather: those of the row that are at the PC, in lanes that are left.
        self.leader.request.next = self.row_lanes.val() & !self.passed.q.val();
        self.target.next = self.gathered_pc.q.val();
        self.kept.next = self.gathered.q.val();
        for lane in 0..self.lanes.len() {
            self.leader_pc.inputs[lane].next = self.lanes[lane].pc.val();
        }
        if self.is_first.q.val() {
            self.target.next = self.leader_pc.selected.val();
            self.kept.next = 0.into();
        }
        self.matching.next = 0.into();
        for lane in 0..self.lanes.len() {
            self.matching.next = self.matching.val().replace_bit(
                lane,
                self.row_lanes.val().get_bit(lane)
                    & !self.kept.val().get_bit(lane)
                    & (self.lanes[lane].pc.val() == self.target.val()),
            );
        }
        self.full.next = (self.kept.val() | self.matching.val()) == self.all_lanes.val();
        self.ends.next = self.gathering.q.val() & (self.full.val() | !self.others.val().any());
        self.proceeds.next = self.gathering.q.val() & (self.enable.val() | !self.ends.val());
        self.form_valid.next = self.ends.val();
        self.form_pc.next = self.target.val();
        self.form_mask.next = self.kept.val() | self.matching.val();
        for lane in 0..self.lanes.len() {
            self.lanes[lane].take.next = self.proceeds.val() & self.matching.val().get_bit(lane);
            self.gathered_rows[lane].d.next = self.gathered_rows[lane].q.val();
            self.form_rows[lane].next = self.gathered_rows[lane].q.val();
            if self.matching.val().get_bit(lane) {
                self.form_rows[lane].next = self.row.q.val();
                self.gathered_rows[lane].d.next = self.row.q.val();
            }
        }

        self.stays.next =
            (self.turn_lanes.val() & !self.passed.q.val()).any() & self.room.val().get_bit(self.turn.q.val().index());
        self.reserve.next = false;
        self.reserve_row.next = self.next_index.index.val();
        if self.stays.val() {
            self.reserve_row.next = self.turn.q.val();
        }
        self.slot.d.next = self.slot.q.val();
        if self.gathering.q.val() {
            if self.proceeds.val() {
                self.gathering.d.next = !self.ends.val();
                self.is_first.d.next = false;
                self.gathered_pc.d.next = self.target.val();
                self.gathered.d.next = self.kept.val() | self.matching.val();
                self.row.d.next = self.next_index.index.val();
                self.seen.d.next = self.seen.q.val() | self.next_row.grant.val();
                if self.is_first.q.val() {
                    self.passed.d.next = self.leader.one_hot.val() | (self.leader.one_hot.val() - self.one_lane.val());
                }
            }
        } else if self.enable.val() & (self.stays.val() | self.next_index.any.val()) {
            self.reserve.next = true;
            self.gathering.d.next = true;
            self.is_first.d.next = true;
            self.slot.d.next = self.reserved.val();
            self.row.d.next = self.reserve_row.val();
            self.turn.d.next = self.reserve_row.val();
            self.seen.d.next = self.one.val() << self.reserve_row.val();
            if !self.stays.val() {
                self.passed.d.next = 0.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mechanism, WarpFormation};
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// Rows by lane, as `01-3`.
    fn rows_of(digits: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
        digits.chars().enumerate().filter_map(|(lane, row)| Some((lane, row.to_digit(10)? as usize)))
    }

    /// What comes, threads as a row by lane; `full`: no slot is free; `busy`: nothing can begin or end `|` what is reserved or formed, rows that wait.
    #[track_caller]
    fn play(script: &str) {
        let mechanism = Mechanism::WarpFormation(WarpFormation::DEFAULT);
        let mut parked = ParkedThreads::new(&CoreConfig { mechanism, ..CoreConfig::tiny() });
        parked.connect_all();
        simulate(&mut parked, 1000);
        let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
        for (input, seen) in cycles(script) {
            let behind = |name: &str| input.iter().position(|word| *word == name).map(|at| &input[at + 1..]);
            parked.launch.valid.next = behind("launch").is_some();
            if let Some([warp, pc, lanes, ..]) = behind("launch") {
                parked.launch.warp.next = hex(warp);
                parked.launch.pc.next = hex(pc);
                parked.launch.mask.next = set(lanes);
            }
            let mut mask = [0; 2];
            for (kind, name) in ["park", "wait", "end"].into_iter().enumerate() {
                let Some([threads, rest @ ..]) = behind(name) else { continue };
                for (lane, row) in rows_of(threads) {
                    parked.rows[lane].next = row.into();
                    mask[kind / 2] |= 1usize << lane;
                }
                if kind < 2 {
                    parked.park_pc.next = hex(rest[0]);
                }
            }
            parked.park_mask.next = mask[0].into();
            parked.end_mask.next = mask[1].into();
            parked.park_waits.next = behind("wait").is_some();
            parked.freed.next = set(behind("free").map_or("", |rest| rest[0]));
            parked.room.next = if input.contains(&"full") { 0 } else { 0xf }.into();
            parked.enable.next = !input.contains(&"busy");
            simulate(&mut parked, 1000);
            let mut found = vec![];
            if parked.launch.valid.val() && !parked.launch_ready.val() {
                found.push("refused".to_string());
            }
            if parked.reserve.val() {
                found.push(format!("reserve {}", parked.reserve_row.val().value()));
            }
            if parked.form_valid.val() {
                let row = |lane: usize| match parked.form_mask.val().get_bit(lane) {
                    true => parked.form_rows[lane].val().value().to_string(),
                    false => "-".to_string(),
                };
                let rows: String = (0..4).map(row).collect();
                found.push(format!("form {:x} {rows}", parked.form_pc.val().value()));
            }
            if parked.waiting.val().any() {
                found.push(format!("waits {}", digits(parked.waiting.val())));
            }
            let found = if found.is_empty() { "-".to_string() } else { found.join(" ") };
            assert_eq!(found, seen.join(" "), "{input:?}");
            tick!(parked);
        }
    }

    #[test]
    fn threads_at_one_pc_get_a_slot_together() {
        play(
            "launch 0 100 0123       | -
             -                       | reserve 0
             -                       | form 100 0000
             park 01-- 200           | -
             -                       | reserve 1       | behind the row that was last
             -                       | -               | row 1
             -                       | form 200 01--   | and row 0
             park 22-- 300           | -
             park --22 304           | reserve 2
             -                       | form 300 22--
             -                       | reserve 2       | the others of the row
             -                       | form 304 --22
             -                       | -",
        );
    }

    #[test]
    fn threads_wait_for_a_barrier_for_a_slot_and_for_the_other_side() {
        play(
            "launch 3 100 0              | -
             launch 1 104 1 park 2--- 40 | refused reserve 3
             -                           | -               | row 3
             busy                        | form 100 3---   | row 2 is somewhere else
             -                           | form 100 3---
             wait 3--- 400               | reserve 2
             -                           | form 40 2--- waits 3
             free 12                     | waits 3
             free 3                      | waits 3
             full                        | -
             busy                        | -
             -                           | reserve 3
             -                           | form 400 3---
             end 3---                    | -
             -                           | -",
        );
    }
}
