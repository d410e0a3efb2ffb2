//! Functions of a cell as tables over its state.
use liberty_parser::liberty::Group;

use super::Names;
use crate::cells::function::Function;

/// Most bits of a state: tables of transitions have the square of its values.
const MOST_BITS: usize = 8;

/// What clocks a flip-flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Which of its inputs.
    pub input: usize,
    /// Whether it acts on the rising edge.
    pub rising: bool,
}

/// How outputs and the stored bit follow from the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Logic {
    /// Of a flip-flop.
    pub clock: Option<Clock>,
    /// Whether it stores a bit.
    pub stores: bool,
    /// By state: a bit for each output.
    pub outputs: Vec<u16>,
    /// By state: what the stored bit becomes at once, by clear and preset or through an open latch; `None`: it stays.
    pub forced: Vec<Option<bool>>,
    /// By state: what the stored bit becomes at a clock edge.
    pub next: Vec<bool>,
    /// Inputs, as bits of the state, that outputs follow without a clock edge.
    pub through: u16,
    /// By input: its bit of the state.
    bits: Vec<Option<usize>>,
}

/// Functions of a cell with its stored bit.
struct Storage {
    clear: Option<Function>,
    preset: Option<Function>,
    /// What the bit and its opposite are under clear and preset.
    both: [Option<bool>; 2],
    /// Of a latch, when it is open and what it takes then.
    open: Option<(Function, Function)>,
    /// Of a flip-flop.
    next: Option<Function>,
}

impl Logic {
    pub(super) fn read(cell: &Group, names: &Names) -> Result<Self, String> {
        let mut clock = None;
        let group = cell.iter_subgroups().find(|group| matches!(group.type_.as_str(), "ff" | "latch"));
        if let Some(other) = cell
            .iter_subgroups()
            .find(|group| matches!(group.type_.as_str(), "ff_bank" | "latch_bank" | "statetable" | "bus" | "bundle"))
        {
            return Err(format!("a {} is not supported", other.type_));
        }
        if let Some(group) = group.filter(|group| group.type_ == "ff") {
            let function = names.function(group, "clocked_on")?;
            let [rising, falling] = [true, false].map(|rising| {
                let is = |input: &usize| function.as_ref().is_some_and(|on| is_edge(on, *input, rising));
                (0..names.inputs.len()).find(is).map(|input| Clock { input, rising })
            });
            clock = Some(rising.or(falling).ok_or("clocked_on is neither one pin nor its opposite")?);
        }
        let mut next_bit = 0;
        let bits = (0..names.inputs.len()).map(|input| {
            let bit = clock.is_none_or(|clock| clock.input != input).then_some(next_bit);
            next_bit += usize::from(bit.is_some());
            bit
        });
        let bits = bits.collect();
        let count = next_bit + usize::from(group.is_some());
        if count > MOST_BITS {
            return Err(format!("more than {MOST_BITS} inputs are not supported"));
        }
        let outputs = outputs(cell, names)?;
        let storage = group.map(|group| Storage::read(group, names)).transpose()?;
        let mut logic =
            Self { clock, stores: group.is_some(), outputs: vec![], forced: vec![], next: vec![], through: 0, bits };
        for state in 0..1 << count {
            let inputs = logic.inputs(state);
            let stored = storage.is_some() && state >> next_bit & 1 == 1;
            let opposite = storage.as_ref().is_some_and(|storage| storage.opposite(inputs).unwrap_or(!stored));
            let values = inputs | (u64::from(stored) | u64::from(opposite) << 1) << names.stored();
            let bit = |(i, output): (usize, &Function)| u16::from(output.value(values)) << i;
            logic.outputs.push(outputs.iter().enumerate().map(bit).sum());
            logic.forced.push(storage.as_ref().and_then(|storage| storage.forced(values)));
            let next = storage.as_ref().and_then(|storage| storage.next.as_ref());
            logic.next.push(next.map_or(stored, |next| next.value(values)));
        }
        logic.through = (0..next_bit).map(|bit| 1 << bit).filter(|mask| logic.follows(*mask)).sum();
        Ok(logic)
    }

    /// Whether an output or the stored bit may change with an input at once.
    fn follows(&self, mask: u16) -> bool {
        let differs = |state: usize| {
            let other = state ^ usize::from(mask);
            self.outputs[state] != self.outputs[other] || self.forced[state] != self.forced[other]
        };
        (0..self.outputs.len()).any(differs)
    }

    /// Bit of an input in the state; none of the clock of a flip-flop.
    pub fn bit(&self, input: usize) -> Option<usize> {
        self.bits[input]
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.outputs.len()
    }

    /// The stored bit in the state.
    pub fn stored(&self) -> u16 {
        if self.stores { (self.states() / 2) as u16 } else { 0 }
    }

    /// The variables of inputs in a state; the clock is 0.
    fn inputs(&self, state: usize) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(input, bit)| bit.map_or(0, |bit| (state as u64 >> bit & 1) << input)).sum()
    }

    /// What the variables of a condition are in a state, with the clock at a level.
    pub(super) fn condition(&self, state: usize, clock: bool, names: &Names) -> u64 {
        let clock = self.clock.map_or(0, |pin| u64::from(clock) << pin.input);
        let outputs = u64::from(self.outputs[state]) << names.output(0);
        let stored = state as u64 & u64::from(self.stored()) != 0;
        let stored = if self.stores { u64::from(stored) | u64::from(!stored) << 1 } else { 0 };
        self.inputs(state) | clock | outputs | stored << names.stored()
    }
}

impl Storage {
    fn read(group: &Group, names: &Names) -> Result<Self, String> {
        let function = |attribute: &str| names.function(group, attribute);
        let needed =
            |attribute: &str| function(attribute)?.ok_or_else(|| format!("its {} has no {attribute}", group.type_));
        let both = ["clear_preset_var1", "clear_preset_var2"].map(|attribute| {
            // N, T and X stay, toggle and are unknown: nothing that a design may count on.
            match crate::cells::liberty::text(group, attribute) {
                Some("H") => Some(true),
                Some("L") => Some(false),
                _ => None,
            }
        });
        let flip_flop = group.type_ == "ff";
        let open = (!flip_flop).then(|| Ok::<_, String>((needed("enable")?, needed("data_in")?))).transpose()?;
        let next = flip_flop.then(|| needed("next_state")).transpose()?;
        Ok(Self { clear: function("clear")?, preset: function("preset")?, both, open, next })
    }

    fn cleared(&self, values: u64) -> [bool; 2] {
        [&self.clear, &self.preset].map(|function| function.as_ref().is_some_and(|function| function.value(values)))
    }

    fn forced(&self, values: u64) -> Option<bool> {
        match (self.cleared(values), &self.open) {
            ([true, true], _) => Some(self.both[0].unwrap_or(false)),
            ([true, false], _) => Some(false),
            ([false, true], _) => Some(true),
            (_, Some((enable, data))) => enable.value(values).then(|| data.value(values)),
            _ => None,
        }
    }

    /// The variable that is otherwise the opposite of the stored bit, under both clear and preset.
    fn opposite(&self, values: u64) -> Option<bool> {
        (self.cleared(values) == [true, true]).then_some(self.both[1].unwrap_or(false))
    }
}

/// Whether a function is a pin, or its opposite.
fn is_edge(function: &Function, input: usize, rising: bool) -> bool {
    let is = |value: bool| function.value(u64::from(value) << input) == (value == rising);
    function.variables() == 1 << input && is(true) && is(false)
}

fn outputs(cell: &Group, names: &Names) -> Result<Vec<Function>, String> {
    let output = |name: &String| {
        let pin = cell.get_pin(name).expect("a pin of the cell");
        if pin.simple_attribute("three_state").is_some() {
            return Err(format!("its output {name} is three-state, which is not supported"));
        }
        names.function(pin, "function")?.ok_or_else(|| format!("its output {name} has no function"))
    };
    names.outputs.iter().map(output).collect()
}
