//! The reservation of LR/SC: one per core.
//!
//! ```text
//!  group, leader_* ------>+-------------+
//!  head_* --------------->| Reservation |---> succeeds
//!  accept --------------->|             |
//!  launch_start --------->+-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_start` | 1 | nobody has a reservation |
//! | `accept` | 1 | the group takes its place in the order of memory operations |
//! | `head_op` | `MemoryOp` | what it does |
//! | `head_slot` | c | CTA slot of its threads |
//! | `head_slots[L]`, `head_first_of_ctas` | c, C | where threads are of several CTAs, instead of `head_slot` and `head_first_of_cta` (the last a Vec of one): by lane; by CTA slot |
//! | `head_first_of_cta`, `head_after_end` | 1 | no instruction of its CTA came before it; threads have ended before it |
//! | `leader`, `leader_address` | l, 32 | lane and physical address of an LR or SC |
//! | `group` | L | lanes of the group |
//! | `head_home_warps[R]` | w | the home warp of the thread in each lane (one for all lanes without compaction) |
//! | `head_address[L]` | 32 | physical addresses |
//! | `succeeds` | 1 | a store-conditional of this thread to this address would succeed; in a GPU, of a load-reserved: it gets the reservation |
//!
//! Latency 0; state: the reserved word, its thread with its CTA slot, how often another thread has asked for a reservation meanwhile, whether the
//! next one gets it, and the thread that comes first then.
//! Set by LR, cleared by an SC of its thread and by a store or atomic of another thread to the word. Physical addresses of
//! shared memory and of the L1 never coincide, so one register serves both.
//!
//! The first thread keeps the reservation: if the last took it over, two warps in step would take it from each other for
//! ever, and if any SC cleared it, so would two lanes of one. A thread that never comes to its SC loses it to the LR
//! after 4095 refused ones, more than a round of all threads of the core.
//!
//! A thread that waits for a word to change, as for a lock, asks again and again and stores nothing. If another has been refused since, it *offers* what it has with
//! its second LR: the next LR of another thread takes it. That could again be one that only waits, and two of these could pass the reservation to each other for
//! ever; so a thread whose SC fails because another has the reservation *claims* the next one that is offered. A claim ends when a thread ends, since it may be this one's.
//!
//! A reservation ends with its thread. What a thread has in the queue when it ends is still performed, so its end has a place in the order of memory instructions
//! ([`LifeMarks`](super::LifeMarks)). From there on the reservation is offered: the thread that has ended has lost it to all that
//! others can see, a live one only if another asks. And the first instruction of a CTA drops the reservation of the CTA before it in its slot.
//! Both are cheaper than to look for the threads that end, whose reservation may not even be there yet.
//!
//! In a GPU this decides among the threads of a core, and L2 among cores: only the thread that has this one asks there.
use super::Head;
use crate::interface::MemoryOp;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Reservation: clock, reset {
        pub launch_start: Signal<In, Bit>,
        pub accept: Signal<In, Bit>,
        pub head: Head<In> = Head::new(config),
        pub leader: Net<In> = config.lane_width(),
        pub leader_address: Net<In> = 32,
        pub group: Net<In> = config.lanes,
        pub succeeds: Signal<Out, Bit>,

        valid: StateRegister<Bit>,
        refused: Register = Register::new(12),
        offered: StateRegister<Bit>,
        claimed: StateRegister<Bit>,
        claimant_home_warp: Flop = Flop::new(config.warp_width()),
        claimant_lane: Flop = Flop::new(config.lane_width()),
        word: Flop = Flop::new(30),
        held_slot: Flop = Flop::new(config.slot_width()),
        held_home_warp: Flop = Flop::new(config.warp_width()),
        lane_held: Flop = Flop::new(config.lane_width()),
        /// Where threads are of several CTAs: that of the leader; one, else none.
        leader_slot: Vec<IndexedMux> = (0..config.where_mixed(1)).map(|_| IndexedMux::new(config.slot_width(), config.lanes)).collect() => |i| {
            inputs: head.slots, index: leader,
        },
        /// There is a reservation, and its thread may be alive.
        held: Signal<Local, Bit>,
        /// An LR of another thread takes it.
        yields: Signal<Local, Bit>,
        writes: Signal<Local, Bit>,
        held_word: Net<Local> = 32,
        own: Signal<Local, Bit>,
        /// A thread claims what is offered, and none has ended since.
        claim: Signal<Local, Bit>,
        /// The claim is of this thread.
        claimant: Signal<Local, Bit>,
        same_word: Net<Local> = config.lanes,
        /// Lanes whose thread is of the home warp that holds the reservation.
        same_home_warp: Net<Local> = config.lanes,
        /// The lane that holds the reservation, if its thread is here.
        owner: Net<Local> = config.lanes,
        leader_home_warp: Net<Local> = config.warp_width(),
        /// In a GPU, one, else none: a load-reserved would get the reservation.
        takes: Vec<Signal<Local, Bit>> = bit_vec(config.of_gpu()),
        /// Other threads of the group in the reserved word.
        touched: Net<Local> = config.lanes,
    }
    sizes { _lanes = config.lanes }
    /// The reservation of the core `config`.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for Reservation {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Reservation");
        dff_setup!(
            self,
            clock,
            valid,
            refused,
            offered,
            claimed,
            claimant_home_warp,
            claimant_lane,
            word,
            held_slot,
            held_home_warp,
            lane_held
        );
        self.held.next =
            self.valid.q.val() & !(self.head.first_of_cta.val() & (self.head.slot.val() == self.held_slot.q.val()));
        for i in 0..self.leader_slot.len() {
            self.held.next =
                self.valid.q.val() & !self.head.first_of_ctas[i].val().get_bit(self.held_slot.q.val().index());
        }
        self.same_home_warp.next = 0.into();
        for i in 0..self.head.address.len() {
            self.same_home_warp.next =
                self.same_home_warp.val().replace_bit(i, self.head.home_warps[0].val() == self.held_home_warp.q.val());
        }
        self.leader_home_warp.next = self.head.home_warps[0].val();
        for i in 0..self.head.home_warps.len() {
            self.same_home_warp.next =
                self.same_home_warp.val().replace_bit(i, self.head.home_warps[i].val() == self.held_home_warp.q.val());
            if self.leader.val() == i {
                self.leader_home_warp.next = self.head.home_warps[i].val();
            }
        }
        self.owner.next = self.same_home_warp.val() & (bit_cast_to(1, self._lanes) << self.lane_held.q.val());
        self.own.next = self.owner.val().any() & (self.lane_held.q.val() == self.leader.val());
        self.succeeds.next =
            self.held.val() & (self.word.q.val() == bit_cast_to(self.leader_address.val() >> 2, 30)) & self.own.val();

        self.writes.next = true;
        match self.head.op.val() {
            MemoryOp::Load => self.writes.next = false,
            MemoryOp::LoadReserved => self.writes.next = false,
            MemoryOp::StoreConditional => self.writes.next = false,
            MemoryOp::Fence => self.writes.next = false,
            _ => self.writes.next = true,
        }
        self.same_word.next = 0.into();
        self.held_word.next = bit_cast_to(self.word.q.val(), 32);
        for i in 0..self.head.address.len() {
            self.same_word.next =
                self.same_word.val().replace_bit(i, (self.head.address[i].val() >> 2) == self.held_word.val());
        }
        self.touched.next = self.group.val() & self.same_word.val() & !self.owner.val();
        self.claim.next = self.claimed.q.val() & !self.head.after_end.val();
        self.claimant.next = self.claim.val()
            & (self.claimant_home_warp.q.val() == self.leader_home_warp.val())
            & (self.claimant_lane.q.val() == self.leader.val());
        self.yields.next = self.refused.q.val().all()
            | self.head.after_end.val()
            | (self.offered.q.val() & (!self.claim.val() | self.claimant.val()));
        for g in 0..self.takes.len() {
            self.takes[g].next = !self.held.val() | self.own.val() | self.yields.val();
            if self.head.op.val() == MemoryOp::LoadReserved {
                self.succeeds.next = self.takes[g].val();
            }
        }
        self.valid.d.next = self.held.val() & !self.launch_start.val();
        self.claimed.d.next = self.claim.val() & !self.launch_start.val();
        if self.head.after_end.val() {
            self.offered.d.next = true;
        }
        if self.accept.val() {
            if self.head.op.val() == MemoryOp::LoadReserved {
                self.refused.d.next = self.refused.q.val() + 1;
                if !self.held.val() | self.own.val() | self.yields.val() {
                    self.valid.d.next = true;
                    self.word.d.next = bit_cast_to(self.leader_address.val() >> 2, 30);
                    self.held_slot.d.next = self.head.slot.val();
                    for i in 0..self.leader_slot.len() {
                        self.held_slot.d.next = self.leader_slot[i].selected.val();
                    }
                    self.held_home_warp.d.next = self.leader_home_warp.val();
                    self.lane_held.d.next = self.leader.val();
                    self.refused.d.next = 0.into();
                    self.offered.d.next = false;
                    if self.held.val() & self.own.val() & self.refused.q.val().any() {
                        self.refused.d.next = self.refused.q.val();
                        self.offered.d.next = true;
                    } else if (self.held.val() & !self.own.val()) | self.claimant.val() {
                        self.claimed.d.next = false;
                    }
                }
            } else if ((self.head.op.val() == MemoryOp::StoreConditional) & self.own.val())
                | (self.writes.val() & self.touched.val().any())
            {
                self.valid.d.next = false;
            } else if (self.head.op.val() == MemoryOp::StoreConditional) & self.held.val() & !self.claim.val() {
                self.claimed.d.next = true;
                self.claimant_home_warp.d.next = self.leader_home_warp.val();
                self.claimant_lane.d.next = self.leader.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    /// One line a cycle: `op home_warp lane address | succeeds`. `+first`: the first instruction of a CTA; `+end`: after an end. Home warps 0 and 1 are
    /// in CTA slot 0, 2 and 3 in 1.
    const RESERVES: &str = "
        lr   1 2 100 | 0
        sc   1 2 100 | 1
        sc   1 2 100 | 0   used up
        lr   1 2 100 | 0
        sw   1 2 100 | 1   its own store
        sw   1 3 104 | 0   another word
        sc   1 2 104 | 0   another word: fails, and uses it up
        sc   1 2 100 | 0
        lr   1 2 100 | 0
        sw   0 2 100 | 0   lane 2 of another home_warp
        sc   1 2 100 | 0
        lr   1 2 100 | 0
        amo  1 3 100 | 0   another lane
        sc   1 2 100 | 0
        lr   1 2 100 | 0
        lr   1 3 100 | 0   refused
        sc   1 3 100 | 0
        sc   1 2 100 | 1   still there";

    #[test]
    fn reserves() {
        run(&mut start(CoreConfig::tiny()), RESERVES);
        run(&mut start(CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() }), RESERVES);
        run(&mut start(CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() }), RESERVES);
    }

    /// Whichever lane it is whose store takes it away, and whichever has it.
    #[test]
    fn a_store_of_any_lane_takes_it_away() {
        for mechanism in [Mechanism::SinglePath, Mechanism::Tbc] {
            for lane in 0..4 {
                let holder = (lane + 1) % 4;
                let script = format!(
                    "lr 1 {holder} 100 | 0
                     sw 1 {lane} 104 | 0   the next word
                     sw 1 {lane} 0fc | 0   the one before
                     sc 1 {holder} 100 | 1
                     lr 1 {holder} 100 | 0
                     sw 1 {lane} 100 | 0
                     sc 1 {holder} 100 | 0"
                );
                run(&mut start(CoreConfig { mechanism, ..CoreConfig::tiny() }), &script);
            }
        }
    }

    const ENDS: &str = "
        lr       1 2 100 | 0
        sw+first 2 0 200 | 0   the first of a CTA in another slot
        sc       1 2 100 | 1
        lr       1 2 100 | 0
        sc+first 1 2 100 | 0   of another thread in its place
        sc       1 2 100 | 0
        lr+first 1 2 100 | 0   the first asks for one itself
        sc       1 2 100 | 1
        lr       1 2 100 | 0
        sw+end   2 0 200 | 0   whose end it was is not known: the reservation stays,
        sc       1 2 100 | 1
        lr       1 2 100 | 0
        sw+end   2 0 200 | 0
        lr       2 3 100 | 0   but goes to whoever asks first
        sc       1 2 100 | 0
        lr       1 2 100 | 0   refused again
        sc       1 2 100 | 0
        sc       2 3 100 | 1
        lr       1 2 100 | 0
        lr+end   2 3 100 | 0
        sc       2 3 100 | 1";

    #[test]
    fn ends_with_its_thread() {
        run(&mut start(CoreConfig::tiny()), ENDS);
        run(&mut start(CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() }), ENDS);
        run(&mut start(CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() }), ENDS);
    }

    /// 0 0 waits for a word to change; 2 1, too; 1 1 stores.
    const WAITS: &str = "
        lr     0 0 100 | 0
        lr     0 0 100 | 1   nobody has asked: it has it
        lr     1 1 200 | 0   refused
        sc     0 0 100 | 1
        lr     0 0 100 | 0
        lr     1 1 200 | 0   refused
        sc     1 1 200 | 0   claims the next
        lr     0 0 100 | 1   has been refused to another: offered,
        lr     2 1 100 | 0   not to this one
        lr     0 0 100 | 1   still
        lr     1 1 200 | 0   to this
        lr     0 0 100 | 0   refused
        sc     1 1 200 | 1
        lr     0 0 100 | 0
        lr     1 1 200 | 0   refused
        lr     0 0 100 | 1   offered, and nobody claims it
        sc     0 0 100 | 1
        lr     0 0 100 | 0
        lr     1 1 200 | 0
        lr     0 0 100 | 1
        lr     2 1 100 | 0   first come
        sc     0 0 100 | 0   claims
        lr     1 1 200 | 0
        lr     2 1 100 | 1   offered
        lr+end 1 1 200 | 0   whoever claims it may have ended
        sc     1 1 200 | 1";

    #[test]
    fn who_only_waits_gives_it_to_who_stores() {
        run(&mut start(CoreConfig::tiny()), WAITS);
        run(&mut start(CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() }), WAITS);
        run(&mut start(CoreConfig { mechanism: "dwf:core".parse().unwrap(), ..CoreConfig::tiny() }), WAITS);
    }

    #[test]
    fn a_launch_begins_without() {
        let mut reservation = start(CoreConfig::tiny());
        run(&mut reservation, "lr 1 1 100 | 0");
        reservation.accept.next = false;
        reservation.launch_start.next = true;
        simulate(&mut reservation, 1000);
        tick!(reservation);
        reservation.accept.next = true;
        reservation.launch_start.next = false;
        run(&mut reservation, "sc 1 1 100 | 0");
    }

    #[test]
    fn a_thread_that_never_stores_loses_its_reservation() {
        let mut reservation = start(CoreConfig::tiny());
        run(&mut reservation, "lr 0 0 100 | 0");
        for _ in 0..4095 {
            run(&mut reservation, "lr 1 1 100 | 0");
        }
        run(&mut reservation, "sc 1 1 100 | 0\nlr 1 1 100 | 0\nsc 0 0 100 | 0\nsc 1 1 100 | 1");
    }

    fn start(config: CoreConfig) -> Reservation {
        let mut reservation = Reservation::new(&config);
        reservation.connect_all();
        simulate(&mut reservation, 1000);
        reservation.accept.next = true;
        reservation
    }

    fn run(reservation: &mut Reservation, script: &str) {
        for line in script.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            let lane: usize = fields[2].parse().unwrap();
            // In global memory: with the highest bit.
            let address: Word = (0x8000_0000 | usize::from_str_radix(fields[3], 16).unwrap()).into();
            let (op, mark) = fields[0].split_once('+').unwrap_or((fields[0], ""));
            reservation.head.first_of_cta.next = mark == "first";
            reservation.head.after_end.next = mark == "end";
            reservation.head.op.next = match op {
                "lr" => MemoryOp::LoadReserved,
                "sc" => MemoryOp::StoreConditional,
                "sw" => MemoryOp::Store,
                _ => MemoryOp::AtomicAdd,
            };
            // Without compaction for all lanes; else the other lanes are of home warp 3.
            let home_warp = fields[1].parse::<usize>().unwrap();
            reservation.head.slot.next = (home_warp / 2).into();
            reservation.head.slots.iter_mut().for_each(|port| port.next = 1.into());
            for port in &mut reservation.head.first_of_ctas {
                port.next = (usize::from(mark == "first") << (home_warp / 2)).into();
                reservation.head.slots[lane].next = (home_warp / 2).into();
            }
            reservation.head.home_warps.iter_mut().for_each(|port| port.next = 3.into());
            let port = lane.min(reservation.head.home_warps.len() - 1);
            reservation.head.home_warps[port].next = home_warp.into();
            reservation.leader.next = lane.into();
            reservation.leader_address.next = address;
            reservation.group.next = (1usize << lane).into();
            reservation.head.address[lane].next = address;
            simulate(reservation, 1000);
            assert_eq!(reservation.succeeds.val(), fields[5] == "1", "{line}");
            tick!(*reservation);
        }
    }
}
