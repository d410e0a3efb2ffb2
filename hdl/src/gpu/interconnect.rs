//! What lies between the cores of a GPU and its memory partitions: two networks; and who distributes the CTAs.
//!
//! ```text
//!              +------------------------------------------------------------------+
//!  link[N+1] ->|--> LinkReceiver ---> Crossbar of requests ---> LinkSender -------|---> slice_link[C]
//!  credit <----|<--                                                               |<--- slice_credit
//!  reply_link <|<-- LinkSender <----- Crossbar of replies <---- LinkReceiver <----|<--- slice_reply_link[C]
//!  reply_credit|-->                                                               |---> slice_reply_credit
//!  cta_request |--> CtaDistributor --> cta_grant                        Tick x 2  |---> core_tick, network_tick
//!              +------------------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `core_tick`, `network_tick` | 1 | a clock of the cores passes, and of their links; one of the networks, and of the links to the slices |
//! | `link[N + 1]`, `credit` | , N + 1 | from the cores and, the last, from the host: requests; and that a flit has left the link for good |
//! | `reply_link[N + 1]`, `reply_credit` | , N + 1 | to them, likewise |
//! | `slice_link[C]`, `slice_credit` | , C | requests to the slices of L2, see [`MemoryPartition`](super::MemoryPartition) |
//! | `slice_reply_link[C]`, `slice_reply_credit` | , C | from them, likewise |
//! | `launch_start`, `grid_x`, `grid_y`, `grid_z` | 1, 32 | a launch, see [`CtaDistributor`] |
//! | `cta_request`, `cta_grant[N]` | N, | |
//!
//! The host writes between launches, as the copy engine of a GPU does, so that what it writes is where the cores look for it. The clock is that of the fastest part of the GPU. Latency and state: those of the blocks.
use super::CtaDistributor;
use crate::interface::CtaGrant;
use crate::memory_system::network::{ArrivedFlit, Crossbar, Flit, LinkReceiver, LinkSender, NetworkConfig};
use crate::memory_system::{SystemConfig, Tick};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Interconnect: clock, reset {
        pub core_tick: Signal<Out, Bit>,
        pub network_tick: Signal<Out, Bit>,
        pub link: Vec<Flit<In>> = (0..ports).map(|_| Flit::new(&requests)).collect(),
        pub credit: Net<Out> = ports,
        pub reply_link: Vec<Flit<Out>> = (0..ports).map(|_| Flit::new(&arrived)).collect(),
        pub reply_credit: Net<In> = ports,
        pub slice_link: Vec<Flit<Out>> = (0..channels).map(|_| Flit::new(&arrived)).collect(),
        pub slice_credit: Net<In> = channels,
        pub slice_reply_link: Vec<Flit<In>> = (0..channels).map(|_| Flit::new(&replies)).collect(),
        pub slice_reply_credit: Net<Out> = channels,
        pub launch_start: Signal<In, Bit>,
        pub grid_x: Net<In> = 32,
        pub grid_y: Net<In> = 32,
        pub grid_z: Net<In> = 32,
        pub cta_request: Net<In> = cores,
        pub cta_grant: Vec<CtaGrant<Out>> = (0..cores).map(|_| CtaGrant::new()).collect(),

        core_clock: Tick = Tick::new(config.clocks.core, config.clocks.fastest()) => { tick: core_tick },
        network_clock: Tick = Tick::new(config.clocks.network, config.clocks.fastest()) => { tick: network_tick },

        distributor: CtaDistributor = CtaDistributor::new(cores) => {
            tick: core_tick, launch_start, grid_x, grid_y, grid_z, request: cta_request, grant: cta_grant,
        },
        from_links: Vec<LinkReceiver> = (0..ports).map(|_| LinkReceiver::new(&requests, config.link_room)).collect() => |i| {
            link_tick: core_tick, link: link[i], tick: network_tick, flit: entering[i],
        },
        requests: Crossbar = Crossbar::new(&requests) => { tick: network_tick, inputs: entering, outputs: asking },
        to_slices: Vec<LinkSender> = (0..channels).map(|_| LinkSender::new(&arrived, config.slice_link_room())).collect() => |c| {
            tick: network_tick, link_tick: network_tick, link: slice_link[c],
        },
        from_slices: Vec<LinkReceiver> = (0..channels).map(|_| LinkReceiver::new(&replies, config.slice_link_room())).collect() => |c| {
            link_tick: network_tick, link: slice_reply_link[c], tick: network_tick, flit: answering[c],
        },
        replies: Crossbar = Crossbar::new(&replies) => { tick: network_tick, inputs: answering, outputs: leaving },
        to_links: Vec<LinkSender> = (0..ports).map(|_| LinkSender::new(&arrived, config.link_room)).collect() => |i| {
            tick: network_tick, link_tick: core_tick, link: reply_link[i],
        },
        /// What leaves the networks can be taken.
        requests_taken: Net<Local> = channels,
        replies_taken: Net<Local> = ports,
        entering: Vec<Flit<Local>> = (0..ports).map(|_| Flit::new(&requests)).collect(),
        asking: Vec<ArrivedFlit<Local>> = (0..channels).map(|_| ArrivedFlit::new(&requests)).collect(),
        answering: Vec<Flit<Local>> = (0..channels).map(|_| Flit::new(&replies)).collect(),
        leaving: Vec<ArrivedFlit<Local>> = (0..ports).map(|_| ArrivedFlit::new(&replies)).collect(),
    }
    sizes { _flit_words = requests.flit_words() }
    /// Of this memory system.
    pub fn new(config: &SystemConfig) {
        let (cores, ports, channels) = (config.cores, config.ports(), config.channels);
        let (requests, replies, arrived) = (config.request_network(), config.reply_network(), NetworkConfig::new(1, 1));
    }
}

impl Logic for Interconnect {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Interconnect");
        self.credit.next = 0.into();
        self.replies_taken.next = 0.into();
        for i in 0..self.from_links.len() {
            self.credit.next = self.credit.val().replace_bit(i, self.from_links[i].credit.val());
            self.from_links[i].flit_ready.next = self.requests.inputs_ready.val().get_bit(i);
            self.to_links[i].credit.next = self.reply_credit.val().get_bit(i);
            self.to_links[i].flit.valid.next = self.leaving[i].valid.val();
            self.to_links[i].flit.head.next = self.leaving[i].head.val();
            self.to_links[i].flit.tail.next = self.leaving[i].tail.val();
            self.to_links[i].flit.destination.next = 0.into();
            for w in 0..self._flit_words {
                self.to_links[i].flit.payload[w].next = self.leaving[i].payload[w].val();
            }
            self.replies_taken.next = self.replies_taken.val().replace_bit(i, self.to_links[i].flit_ready.val());
        }
        self.slice_reply_credit.next = 0.into();
        self.requests_taken.next = 0.into();
        for c in 0..self.from_slices.len() {
            self.slice_reply_credit.next =
                self.slice_reply_credit.val().replace_bit(c, self.from_slices[c].credit.val());
            self.from_slices[c].flit_ready.next = self.replies.inputs_ready.val().get_bit(c);
            self.to_slices[c].credit.next = self.slice_credit.val().get_bit(c);
            self.to_slices[c].flit.valid.next = self.asking[c].valid.val();
            self.to_slices[c].flit.head.next = self.asking[c].head.val();
            self.to_slices[c].flit.tail.next = self.asking[c].tail.val();
            self.to_slices[c].flit.destination.next = 0.into();
            for w in 0..self._flit_words {
                self.to_slices[c].flit.payload[w].next = self.asking[c].payload[w].val();
            }
            self.requests_taken.next = self.requests_taken.val().replace_bit(c, self.to_slices[c].flit_ready.val());
        }
        self.requests.outputs_ready.next = self.requests_taken.val();
        self.replies.outputs_ready.next = self.replies_taken.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::GDDR3;

    /// Two cores, two slices.
    fn interconnect() -> (Interconnect, SystemConfig) {
        let config = SystemConfig::new(2, 2, 64, (2, 2), &GDDR3);
        let mut interconnect = Interconnect::new(&config);
        interconnect.connect_all();
        (interconnect, config)
    }

    /// A packet of one flit, to this destination, if it is `there`.
    fn put(flit: &mut Flit<In>, destination: usize, payload: usize, there: bool) {
        (flit.valid.next, flit.head.next, flit.tail.next) = (there, true, true);
        flit.destination.next = destination.into();
        flit.payload[0].next = payload.into();
    }

    /// Where a packet comes out, `slice c` or `port i`, and after how many cycles.
    fn way_of(enter: impl Fn(&mut Interconnect, bool)) -> (String, usize) {
        let (mut interconnect, _) = interconnect();
        for cycle in 0..40 {
            enter(&mut interconnect, cycle == 3);
            tick!(interconnect);
            let slice = interconnect.slice_link.iter().position(|flit| flit.valid.val());
            let port = interconnect.reply_link.iter().position(|flit| flit.valid.val());
            match (slice, port) {
                (None, None) => {}
                (Some(slice), None) => return (format!("slice {slice}"), cycle - 3),
                (None, Some(port)) => return (format!("port {port}"), cycle - 3),
                both => panic!("{both:?}"),
            }
        }
        panic!("it never comes out");
    }

    #[test]
    fn requests_come_to_the_slice_that_they_are_for() {
        for slice in [0, 1] {
            let way = way_of(|interconnect, there| put(&mut interconnect.link[1], slice, 0, there));
            // Out of a link, through the network, into the next link.
            assert_eq!(way, (format!("slice {slice}"), 6));
        }
    }

    #[test]
    fn answers_come_to_the_core_that_they_are_for_or_to_the_host() {
        for port in [0, 1, 2] {
            let way = way_of(|interconnect, there| put(&mut interconnect.slice_reply_link[1], port, 0, there));
            assert_eq!(way, (format!("port {port}"), 6));
        }
    }

    /// The network is full of them; none is lost, and they stay in order.
    #[test]
    fn answers_wait_until_the_core_takes_them() {
        let (mut interconnect, config) = interconnect();
        let (room, slice_room, answers) = (config.link_room, config.slice_link_room(), 60);
        let (mut put_in, mut owed, mut come, mut taken) = (0, 0, 0, 0);
        for cycle in 0..300 {
            let enters = put_in < answers && owed < slice_room;
            put(&mut interconnect.slice_reply_link[1], 0, put_in, enters);
            let takes = cycle >= 200 && taken < come;
            interconnect.reply_credit.next = usize::from(takes).into();
            simulate(&mut interconnect, 1000);
            put_in += usize::from(enters);
            owed = owed + usize::from(enters) - usize::from(interconnect.slice_reply_credit.val().get_bit(1));
            if interconnect.reply_link[0].valid.val() {
                assert_eq!(interconnect.reply_link[0].payload[0].val().value() as usize, come);
                come += 1;
            }
            taken += usize::from(takes);
            tick!(interconnect);
            assert!(come <= taken + room, "the link has no room");
            assert!(cycle != 199 || put_in < answers, "all of them have room");
        }
        assert_eq!(come, answers);
    }

    /// The same for requests, from both cores to a slice.
    #[test]
    fn requests_wait_until_the_slice_takes_them() {
        let (mut interconnect, config) = interconnect();
        let (room, slice_room, requests) = (config.link_room, config.slice_link_room(), 40);
        let (mut put_in, mut owed, mut come, mut taken) = ([0; 2], [0; 2], 0, 0);
        for cycle in 0..300 {
            let enters = [0, 1].map(|core| put_in[core] < requests && owed[core] < room);
            for core in [0, 1] {
                put(&mut interconnect.link[core], 1, 0, enters[core]);
            }
            let takes = cycle >= 200 && taken < come;
            interconnect.slice_credit.next = (usize::from(takes) << 1).into();
            simulate(&mut interconnect, 1000);
            for core in [0, 1] {
                put_in[core] += usize::from(enters[core]);
                owed[core] =
                    owed[core] + usize::from(enters[core]) - usize::from(interconnect.credit.val().get_bit(core));
            }
            come += usize::from(interconnect.slice_link[1].valid.val());
            taken += usize::from(takes);
            tick!(interconnect);
            assert!(come <= taken + slice_room, "the link has no room");
            assert!(cycle != 199 || put_in.iter().all(|count| *count < requests), "all of them have room");
        }
        assert_eq!(come, 2 * requests);
    }
}
