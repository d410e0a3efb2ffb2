//! Elaborated modules and primitives mean what rust-hdl's `update()` means.
#![allow(missing_docs)] // the ports of tiny modules
use warploom_hdl::parts::RoundRobinArbiter;
use warploom_hdl::prelude::*;

mod support;

#[test]
fn arbiter() {
    for n in [1, 6, 32] {
        equivalent!(RoundRobinArbiter::new(n), 1000 clocked cycles, [reset, request, accept], [grant, any]);
    }
}

#[test]
fn registers() {
    equivalent!(Flop::with_initial(8, 0x5a), 100 clocked cycles, [d], [q]);
    equivalent!(Register::with_initial(8, 3), 100 clocked cycles, [reset, d], [q]);
    equivalent!(EnabledRegister::with_initial(64, 1 << 63), 100 clocked cycles, [reset, enable, d], [q]);
    equivalent!(StateRegister::<Bit>::default(), 100 clocked cycles, [reset, d], [q]);
}

#[test]
fn memories() {
    for kind in [ReadKind::Asynchronous, ReadKind::Synchronous] {
        equivalent!(
            Memory::new(12, 6, 2, 2, kind),
            2000 clocked cycles,
            [read_address, read_enable, write_enable, write_address, write_data],
            [read_data]
        );
        equivalent!(
            Memory::with_byte_enables(32, 4, 1, 2, kind),
            2000 clocked cycles,
            [read_address, read_enable, write_enable, write_address, write_data, write_mask],
            [read_data]
        );
    }
}

#[test]
fn functions() {
    for width in [1, 5, 8, 32] {
        equivalent!(Multiplier::new(width), 1000 cycles, [a, b, a_signed, b_signed], [low, high]);
        equivalent!(BarrelShifter::new(width), 1000 cycles, [value, amount, left, arithmetic], [result]);
        equivalent!(SignedCompare::new(width), 1000 cycles, [a, b], [less]);
        equivalent!(PriorityEncoder::new(width), 1000 cycles, [request], [index, one_hot, any]);
        equivalent!(Popcount::new(width), 1000 cycles, [value], [count]);
        equivalent!(IndexedMux::new(width, 5), 1000 cycles, [inputs, index], [selected]);
    }
}

hardware_enum! {
    /// What the calculator does.
    pub enum Task {
        /// a + b
        Add,
        /// a - b
        Subtract,
        /// a & b
        Mask,
    }
}

/// Exercises state registers, match, if chains, and reading a primitive's input back.
#[derive(LogicBlock)]
pub struct Calculator {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub a: Net<In>,
    pub b: Net<In>,
    pub advance: Signal<In, Bit>,
    pub result: Net<Out>,
    pub next_is_mask: Signal<Out, Bit>,
    pub task_bits: Net<Out>,
    job: StateRegister<Task>,
}

impl Calculator {
    fn new(width: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            a: Net::new(width),
            b: Net::new(width),
            advance: Default::default(),
            result: Net::new(width),
            next_is_mask: Default::default(),
            task_bits: Net::new(2),
            job: Default::default(),
        }
    }
}

impl Logic for Calculator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Calculator");
        dff_setup!(self, clock, job);
        self.job.reset.next = self.reset.val();
        match self.job.q.val() {
            Task::Add => self.result.next = self.a.val() + self.b.val(),
            Task::Subtract => self.result.next = self.a.val() - self.b.val(),
            Task::Mask => self.result.next = self.a.val() & self.b.val(),
        }
        if self.advance.val() {
            if self.job.q.val() == Task::Add {
                self.job.d.next = Task::Subtract;
            } else if self.job.q.val() == Task::Subtract {
                self.job.d.next = Task::Mask;
            } else {
                self.job.d.next = Task::Add;
            }
        }
        self.next_is_mask.next = self.job.d.val() == Task::Mask;
        self.task_bits.next = bit_cast_to(self.job.q.val(), 2);
    }
}

#[test]
fn state_machine() {
    let netlist = equivalent!(
        Calculator::new(9),
        1000 clocked cycles,
        [reset, a, b, advance],
        [result, next_is_mask, task_bits]
    );
    let state = netlist.top().nets.iter().find(|net| net.name.to_string() == "job.q").unwrap();
    assert_eq!(state.variants.as_ref().unwrap().variants, ["Add", "Subtract", "Mask"]);
}

/// One lane of [`Lanes`]: arrays of ports, bits replaced one by one.
#[derive(LogicBlock)]
pub struct Lane {
    pub clock: Signal<In, Clock>,
    pub taps: Vec<Net<In>>,
    pub scale: Net<In>,
    pub sum: Net<Out>,
    pub reversed: Net<Out>,
    delayed: Vec<Flop>,
}

impl Lane {
    fn new(taps: usize) -> Self {
        Self {
            clock: Default::default(),
            taps: Net::vec(taps, 8),
            scale: Net::new(3),
            sum: Net::new(8),
            reversed: Net::new(8),
            delayed: Flop::vec(taps, 8),
        }
    }
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Lane");
        for i in 0..self.taps.len() {
            self.delayed[i].clock.next = self.clock.val();
            self.delayed[i].d.next = self.taps[i].val();
        }
        self.sum.next = 0.into();
        for i in 0..self.taps.len() {
            self.sum.next = self.sum.val() + (self.delayed[i].q.val() << self.scale.val());
        }
        self.reversed.next = 0.into();
        for i in 0..8 {
            self.reversed.next = self.reversed.val().replace_bit(i, self.sum.val().get_bit(7 - i));
        }
    }
}

/// Two kinds of lanes, one optional part, packing with shifts and ors.
#[derive(LogicBlock)]
pub struct Lanes {
    pub clock: Signal<In, Clock>,
    pub x: Vec<Net<In>>,
    pub scale: Net<In>,
    pub select: Net<In>,
    pub word: Net<Out>,
    pub flags: Net<Out>,
    pub chosen: Net<Out>,
    pub extended: Net<Out>,
    lanes: Vec<Lane>,
    tail: Vec<Lane>,
    narrow: Net<Local>,
}

impl Lanes {
    fn new(tail: usize) -> Self {
        Self {
            clock: Default::default(),
            x: Net::vec(8, 8),
            scale: Net::new(3),
            select: Net::new(2),
            word: Net::new(32),
            flags: Net::new(4),
            chosen: Net::new(8),
            extended: Net::new(16),
            lanes: (0..4).map(|_| Lane::new(2)).collect(),
            tail: (0..tail).map(|_| Lane::new(8)).collect(),
            narrow: Net::new(8),
        }
    }
}

impl Logic for Lanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Lanes");
        self.word.next = 0.into();
        self.flags.next = 0.into();
        self.chosen.next = 0.into();
        for i in 0..self.lanes.len() {
            self.lanes[i].clock.next = self.clock.val();
            self.lanes[i].scale.next = self.scale.val();
            for j in 0..2 {
                self.lanes[i].taps[j].next = self.x[i * 2 + (j ^ 1)].val();
            }
            self.narrow.next = self.lanes[i].sum.val();
            self.word.next = self.word.val() | (bit_cast_to(self.narrow.val(), 32) << (i * 8));
            self.flags.next = self.flags.val().replace_bit(i, self.lanes[i].reversed.val().any());
            if self.select.val() == i {
                self.chosen.next = self.lanes[i].reversed.val();
            }
        }
        for t in 0..self.tail.len() {
            self.tail[t].clock.next = self.clock.val();
            self.tail[t].scale.next = 1.into();
            for j in 0..8 {
                self.tail[t].taps[j].next = self.x[j].val();
            }
            self.chosen.next = self.chosen.val() ^ self.tail[t].sum.val();
        }
        self.extended.next = bit_cast_to(signed_cast(self.chosen.val()), 16);
    }
}

#[test]
fn arrays_of_modules() {
    for tail in [0, 1, 2] {
        equivalent!(Lanes::new(tail), 500 clocked cycles, [x, scale, select], [word, flags, chosen, extended]);
    }
}

#[test]
fn equal_modules_are_one() {
    let mut lanes = Lanes::new(2);
    lanes.connect_all();
    let netlist = warploom_sim::elaborate(&lanes).unwrap();
    let names: Vec<&str> = netlist.modules.iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["Lane", "Lane_2", "Lanes"]);
    assert_eq!(netlist.instance_counts()["Lane"], 4);
    assert_eq!(netlist.instance_counts()["Lane_2"], 2);
}

#[test]
fn packing_is_wiring() {
    use warploom_sim::netlist::{Driver, Op};
    let mut lanes = Lanes::new(0);
    lanes.connect_all();
    let netlist = warploom_sim::elaborate(&lanes).unwrap();
    let top = netlist.top();
    for output in ["word", "flags"] {
        let Driver::Expr(driver) = top.net(top.port(output).unwrap()).driver else { panic!("{output} is driven") };
        let Op::Concat(parts) = &top.expr(driver).op else { panic!("{output}: {:?}", top.expr(driver)) };
        assert_eq!(parts.len(), 4, "{output}");
    }
}

#[test]
fn nets_inside_are_visible() {
    let mut lanes = Lanes::new(0);
    lanes.connect_all();
    let netlist = warploom_sim::elaborate(&lanes).unwrap();
    let mut run = warploom_sim::Interpreter::new(&netlist);
    run.set("x[6]", 3);
    run.set("scale", 2);
    run.step();
    assert_eq!(run.peek(&["lanes[3]", "delayed[1].q"]), Some(3));
    assert_eq!(run.peek(&["lanes[3]", "sum"]), Some(12));
    assert_eq!(run.peek(&["lanes[9]", "sum"]), None);
}
