//! Ports connected where a child is declared, and `wire::join`: one meaning in `update()` and in the netlist.
#![allow(missing_docs)] // the ports of tiny modules
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

mod support;

bundle! {
    /// Two numbers.
    pub struct Pair(width: usize) {
        valid: Bit,
        left: [width],
        right: [width; 2],
    }
}

module! {
    /// Passes a pair on, a cycle later.
    pub struct Relay: clock, reset {
        pub enter: Pair<In> = Pair::new(8),
        pub leave: Pair<Out> = Pair::new(8),
        held: Flop = Flop::new(8) => { d: enter.left, q: leave.left },
        both: Vec<Flop> = Flop::vec(2, 8) => |i| { d: enter.right[i], q: leave.right[i] },
        was: StateRegister<Bit> => { d: enter.valid, q: leave.valid },
    }
}

impl Logic for Relay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Relay");
    }
}

module! {
    /// Everything that may stand behind a child, and both kinds of own signals joined with each other.
    pub struct Connected: clock, reset {
        pub enter: Pair<In> = Pair::new(8),
        pub swap: Signal<In, Bit>,
        pub leave: Pair<Out> = Pair::new(8),
        pub other: Pair<Out> = Pair::new(8),
        pub sum: Net<Out> = 8,

        first: Relay => { enter },
        chain: Vec<Relay> = (0..2).map(|_| Relay::default()).collect() => |i| {
            enter.left: first.leave.left, enter.right: first.leave.right, enter.valid: flags[i],
            leave: relayed[i],
        },
        none: Vec<Relay> = vec![] => |i| { enter: relayed[i] },
        /// Decided behind the connection that it feeds.
        flags: Vec<Signal<Local, Bit>> = bit_vec(2),
        relayed: Vec<Pair<Local>> = (0..2).map(|_| Pair::new(8)).collect(),
        count: Flop = Flop::new(8) => { q: sum, d: next_sum },
        next_sum: Net<Local> = 8,
        one: Constant = Constant::new(1, 8),
    }
}

impl Logic for Connected {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Connected");
        self.flags[0].next = self.first.leave.valid.val();
        self.flags[1].next = !self.first.leave.valid.val();
        self.next_sum.next = self.sum.val() + self.one.val();
        if self.swap.val() {
            wire::join(&mut self.leave, &mut self.relayed[1]);
            wire::join(&mut self.other, &mut self.relayed[0]);
            self.next_sum.next = self.sum.val() + self.relayed[0].left.val();
        } else {
            wire::join(&mut self.leave, &mut self.relayed[0]);
            wire::join(&mut self.other, &mut self.leave);
        }
    }
}

#[test]
fn declared_connections_and_joins() {
    equivalent!(
        Connected::default(),
        500 clocked cycles,
        [reset, enter.valid, enter.left, enter.right, swap],
        [leave.valid, leave.left, leave.right, other.valid, other.left, other.right, sum]
    );
}

module! {
    /// `update()` would drive the child's output.
    pub struct JoinsBackwards: clock {
        pub a: Net<In> = 8,
        pub y: Net<Out> = 8,
        held: Flop = Flop::new(8) => { d: a },
    }
}

impl Logic for JoinsBackwards {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module JoinsBackwards");
        wire::join(&mut self.held.q, &mut self.y);
    }
}

#[test]
fn an_own_output_comes_before_the_childs_that_it_takes_over() {
    let found = elaborate(&JoinsBackwards::default()).unwrap_err().to_string();
    assert!(found.contains("y in module JoinsBackwards (joins_backwards.rs): `wire::join` names it behind"), "{found}");
}

module! {
    /// The second register gets what the first has; `update()` would have it the other way round.
    pub struct ConnectsBackwards: clock {
        pub a: Net<In> = 8,
        pub y: Net<Out> = 8,
        first: Flop = Flop::new(8) => { d: a, q: second.d },
        second: Flop = Flop::new(8) => { q: y },
    }
}

impl Logic for ConnectsBackwards {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ConnectsBackwards");
    }
}

#[test]
fn a_childs_input_is_connected_where_that_child_is_declared() {
    let found = elaborate(&ConnectsBackwards::default()).unwrap_err().to_string();
    assert!(found.contains("second.d in module ConnectsBackwards"), "{found}");
    assert!(found.contains("where that one is declared"), "{found}");
}

/// A module with a child that is connected, and one statement besides.
macro_rules! twice {
    ($name:ident, { $($ports:tt)* }, $(assign $($target:ident).+)? $(join $($from:ident).+, $($to:ident).+)?) => {
        module! {
            /// Drives something twice.
            pub struct $name: clock {
                pub a: Net<In> = 8,
                pub y: Net<Out> = 8,
                held: Flop = Flop::new(8) => { $($ports)* },
            }
        }
        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                comment!("module Twice");
                $(self.$($target).+.next = self.a.val();)?
                $(wire::join(&mut self.$($from).+, &mut self.$($to).+);)?
            }
        }
    };
}

twice!(AssignsInput, { d: a, q: y }, assign held.d);
twice!(JoinsInput, { d: a, q: y }, join a, held.d);
twice!(AssignsOutput, { d: a, q: y }, assign y);
twice!(JoinsOutput, { d: a, q: y }, join y, held.q);
twice!(ConnectsTwice, { d: a, d: y, q: y },);

#[test]
fn what_is_connected_has_no_other_driver() {
    let modules: [(&dyn Block, &str); 5] = [
        (&AssignsInput::default(), "held.d"),
        (&JoinsInput::default(), "held.d"),
        (&AssignsOutput::default(), "y"),
        (&JoinsOutput::default(), "y"),
        (&ConnectsTwice::default(), "held.d"),
    ];
    for (module, driven) in modules {
        let found = elaborate(module).unwrap_err().to_string();
        let expected = format!("{driven} in module Twice (twice.rs): driven more than once: a link");
        assert!(found.contains(&expected), "expected `{expected}`, found {found}");
    }
}
