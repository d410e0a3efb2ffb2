//! A rust-hdl module's own `update()` against its elaborated netlist, on random inputs.
use warploom_hdl::interface::ControlKind;
use warploom_hdl::prelude::*;
use warploom_sim::Interpreter;

/// A small generator of random numbers, so that a failing run can be repeated.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self, width: usize) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let bits = self.0.rotate_left(32) & mask(width);
        // Now and then all zeros or all ones, which random words hardly ever are.
        match self.0 >> 61 {
            0 => 0,
            1 => mask(width),
            _ => bits,
        }
    }
}

/// An input of a module, or an array of them.
pub trait Stimulus {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter);
}

impl Stimulus for Net<In> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        let value = random.bits(self.width());
        self.next = Word::new(value, self.width());
        interpreter.set(name, value);
    }
}

impl Stimulus for Signal<In, Bit> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        let value = random.bits(1);
        self.next = value == 1;
        interpreter.set(name, value);
    }
}

impl<const N: usize> Stimulus for Signal<In, rust_hdl::prelude::Bits<N>> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        let value = random.bits(N);
        self.next = value.into();
        interpreter.set(name, value);
    }
}

impl Stimulus for Signal<In, ControlKind> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        let value = random.bits(2);
        self.next = [ControlKind::Branch, ControlKind::Jump, ControlKind::Exit, ControlKind::Barrier][value as usize];
        interpreter.set(name, value);
    }
}

impl<T: Stimulus> Stimulus for Vec<T> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        for (i, element) in self.iter_mut().enumerate() {
            element.drive(&format!("{name}[{i}]"), random, interpreter);
        }
    }
}

/// An output of a module, or an array of them.
pub trait Response {
    fn compare(&self, name: &str, interpreter: &mut Interpreter, cycle: usize);
}

impl Response for Net<Out> {
    fn compare(&self, name: &str, interpreter: &mut Interpreter, cycle: usize) {
        assert_eq!(interpreter.get(name), self.val().value(), "`{name}` in cycle {cycle}: netlist, update()");
    }
}

impl<T: Synth> Response for Signal<Out, T> {
    fn compare(&self, name: &str, interpreter: &mut Interpreter, cycle: usize) {
        let digits = format!("{:x}", self.val().verilog());
        let value = u64::from_str_radix(digits.split("'h").last().unwrap(), 16).unwrap();
        assert_eq!(interpreter.get(name), value, "`{name}` in cycle {cycle}: netlist, update()");
    }
}

impl<T: Response> Response for Vec<T> {
    fn compare(&self, name: &str, interpreter: &mut Interpreter, cycle: usize) {
        for (i, element) in self.iter().enumerate() {
            element.compare(&format!("{name}[{i}]"), interpreter, cycle);
        }
    }
}

/// What the elaborator calls a port, or the field of a bundle.
pub fn port(path: &[&str]) -> String {
    match path {
        [port, .., field] => format!("{port}_{field}"),
        path => path.concat(),
    }
}

/// `equivalent!(module, 1000 cycles, [inputs], [outputs])`, or `1000 clocked cycles`; fields of bundles as `resolve.valid`.
#[macro_export]
macro_rules! equivalent {
    ($module:expr, $cycles:literal cycles, [$($($input:ident).+),*], [$($($output:ident).+),*]) => {
        $crate::equivalent!(@ $module, $cycles, [$($($input).+),*], [$($($output).+),*], |_module| {})
    };
    ($module:expr, $cycles:literal clocked cycles, [$($($input:ident).+),*], [$($($output:ident).+),*]) => {
        $crate::equivalent!(@ $module, $cycles, [$($($input).+),*], [$($($output).+),*], |module| {
            module.clock.next = !module.clock.val();
            simulate(module, 1000);
        })
    };
    (@ $module:expr, $cycles:literal, [$($($input:ident).+),*], [$($($output:ident).+),*], |$edge:ident| $body:block) => {{
        use $crate::support::equivalence::{Random, Response, Stimulus, port};
        let mut module = $module;
        module.connect_all();
        simulate(&mut module, 1000);
        let netlist = warploom_sim::elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        let mut interpreter = warploom_sim::Interpreter::new(&netlist);
        let mut random = Random(1);
        for cycle in 0..$cycles {
            $(module.$($input).+.drive(&port(&[$(stringify!($input)),+]), &mut random, &mut interpreter);)*
            simulate(&mut module, 1000);
            $(module.$($output).+.compare(&port(&[$(stringify!($output)),+]), &mut interpreter, cycle);)*
            for _ in 0..2 {
                let $edge = &mut module;
                $body
            }
            interpreter.step();
        }
        netlist
    }};
}
