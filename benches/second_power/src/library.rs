//! What a library says of a cell.
use anyhow::{Context, Result, bail, ensure};

use crate::function::Function;
use crate::liberty::Group;
use crate::table::{Table, Templates};

pub struct Pin {
    pub name: String,
    pub is_input: bool,
    /// Falling and rising.
    pub capacitance: [f64; 2],
    pub function: Option<Function>,
    /// Of an input: whether it clocks a flip-flop.
    pub is_clock: bool,
}

/// A group of internal power.
pub struct Power {
    pub pin: usize,
    pub related: Option<usize>,
    pub supply: String,
    pub has_condition: bool,
    /// By the values of all variables: whether its condition holds.
    pub holds: Vec<bool>,
    /// Falling and rising.
    pub tables: [Option<Table>; 2],
}

/// A way from an input to an output.
pub struct Arc {
    pub from: usize,
    pub to: usize,
    /// Edges of the input by edge of the output: whether it may come from it.
    pub causes: [[bool; 2]; 2],
    pub delay: [Option<Table>; 2],
    pub transition: [Option<Table>; 2],
}

/// How it stores a bit.
pub enum Storage {
    FlipFlop { clock: Function, next: Function, clear: Option<Function>, preset: Option<Function> },
    Latch { open: Function, data: Function },
}

pub struct Kind {
    pub name: String,
    pub pins: Vec<Pin>,
    /// Names of the pins, then of the stored bit and its opposite.
    pub variables: Vec<String>,
    pub storage: Option<Storage>,
    /// By the values of all variables.
    pub leakage: Vec<f64>,
    pub powers: Vec<Power>,
    pub arcs: Vec<Arc>,
}

/// Units, as factors to pF, pJ, uW, V.
pub struct Units {
    pub capacitance_pf: f64,
    pub energy_pj: f64,
    pub leakage_uw: f64,
    pub volts: f64,
}

impl Units {
    pub fn of(library: &Group) -> Result<Self> {
        let unit = |name: &str| library.text(name).and_then(scaled).with_context(|| format!("no {name}"));
        // Slews and arrivals are compared with periods.
        let time = unit("time_unit")?;
        ensure!((time - 1e-9).abs() < 1e-15, "its unit of time is not 1 ns");
        let load = library.values("capacitive_load_unit").unwrap_or_default();
        let capacitance_pf = match load {
            [number, unit] if unit.eq_ignore_ascii_case("ff") => number.parse().ok().map(|number: f64| number * 1e-3),
            [number, unit] if unit.eq_ignore_ascii_case("pf") => number.parse().ok(),
            _ => None,
        };
        let capacitance_pf = capacitance_pf.context("no capacitive_load_unit in fF or pF")?;
        let (volt, leakage) = (unit("voltage_unit")?, unit("leakage_power_unit")?);
        let volts = library.number("nom_voltage").context("no nom_voltage")? * volt;
        Ok(Self { capacitance_pf, energy_pj: capacitance_pf * volt * volt, leakage_uw: leakage * 1e6, volts })
    }
}

/// `10nW` and the like.
fn scaled(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let prefix = text[digits.len()..].chars().next().filter(|_| text.len() - digits.len() > 1);
    let scale = match prefix {
        Some('m') => 1e-3,
        Some('u') => 1e-6,
        Some('n') => 1e-9,
        Some('p') => 1e-12,
        Some('f') => 1e-15,
        _ => 1.0,
    };
    Some(digits.parse::<f64>().ok()? * scale)
}

/// Its states are in tables.
const MOST_VARIABLES: usize = 16;

impl Kind {
    pub fn read(library: &Group, cell: &Group, templates: &Templates) -> Result<Self> {
        let groups: Vec<&Group> = cell.all("pin").filter(|pin| pin.text("direction") != Some("internal")).collect();
        let mut variables: Vec<String> = groups.iter().map(|pin| pin.name().to_string()).collect();
        let position = |name: &str| groups.iter().position(|pin| pin.name() == name);
        let stored = cell.all("ff").chain(cell.all("latch")).next();
        let marked = |mark: &str| -> Result<String> {
            let pin = groups.iter().find(|pin| pin.text(mark) == Some("true"));
            Ok(pin.with_context(|| format!("no pin is its {mark}"))?.name().to_string())
        };
        let gate = match cell.text("clock_gating_integrated_cell") {
            Some("latch_posedge") => {
                Some([marked("clock_gate_clock_pin")?, marked("clock_gate_enable_pin")?, marked("clock_gate_out_pin")?])
            }
            Some(other) => bail!("gates of clocks of the kind {other} are not known"),
            None => None,
        };
        match (stored, &gate) {
            (Some(group), _) => {
                ensure!(!group.args.is_empty(), "what it stores has no name");
                variables.extend(group.args.iter().cloned());
            }
            (None, Some(_)) => {
                let internal = cell.all("pin").find(|pin| pin.text("direction") == Some("internal"));
                variables.push(internal.map_or("IQ", Group::name).to_string());
            }
            _ => {}
        }
        let function = |text: &str| Function::read(text, &variables);
        ensure!(variables.len() <= MOST_VARIABLES, "more than {MOST_VARIABLES} pins and stored bits");
        let of = |group: &Group, attribute: &str| group.text(attribute).map(function).transpose();
        let needed =
            |group: &Group, attribute: &str| of(group, attribute)?.with_context(|| format!("it has no {attribute}"));
        let storage = match (stored, &gate) {
            (Some(group), _) if group.kind == "ff" => Some(Storage::FlipFlop {
                clock: needed(group, "clocked_on")?,
                next: needed(group, "next_state")?,
                clear: of(group, "clear")?,
                preset: of(group, "preset")?,
            }),
            (Some(group), _) => {
                Some(Storage::Latch { open: needed(group, "enable")?, data: needed(group, "data_in")? })
            }
            (None, Some([clock, enable, _])) => {
                Some(Storage::Latch { open: function(&format!("!{clock}"))?, data: function(enable)? })
            }
            _ => None,
        };
        let default = library.number("default_input_pin_cap").unwrap_or(0.0);
        let pins = groups.iter().enumerate().map(|(i, group)| {
            let is_input = group.text("direction") == Some("input");
            let one = group.number("capacitance").unwrap_or(if is_input { default } else { 0.0 });
            let capacitance = ["fall_capacitance", "rise_capacitance"].map(|name| group.number(name).unwrap_or(one));
            let gated = gate.as_ref().filter(|[.., output]| output == group.name());
            let own = gated.map(|[clock, ..]| function(&format!("{clock} {}", variables[variables.len() - 1])));
            let function = own.or_else(|| group.text("function").map(function)).transpose()?;
            let name = group.name().to_string();
            ensure!(is_input || function.is_some(), "its pin {name} has no function");
            let is_clock = matches!(&storage, Some(Storage::FlipFlop { clock, .. }) if clock.uses(i));
            Ok(Pin { name, is_input, capacitance, function, is_clock })
        });
        let pins = pins.collect::<Result<Vec<Pin>>>()?;
        let states = 0..1u32 << variables.len();
        let table = |group: &Group, name: &str| {
            group
                .all(name)
                .chain(group.all("power").filter(|_| name.ends_with("_power")))
                .next()
                .map(|table| Table::read(table, templates))
                .transpose()
        };
        let tables = |group: &Group, [fall, rise]: [&str; 2]| -> Result<[Option<Table>; 2]> {
            Ok([table(group, fall)?, table(group, rise)?])
        };
        let mut powers = vec![];
        for (pin, group) in groups.iter().enumerate() {
            for power in group.all("internal_power") {
                let when = of(power, "when")?;
                let related = power.text("related_pin").unwrap_or("").split_whitespace().map(position);
                let related: Vec<Option<usize>> = related.filter(|_| !pins[pin].is_input).collect();
                for related in if related.is_empty() { vec![None] } else { related } {
                    powers.push(Power {
                        pin,
                        related,
                        supply: power.text("related_pg_pin").unwrap_or("").to_string(),
                        has_condition: when.is_some(),
                        holds: states.clone().map(|state| when.as_ref().is_none_or(|when| when.value(state))).collect(),
                        tables: tables(power, ["fall_power", "rise_power"])?,
                    });
                }
            }
        }
        let mut arcs = vec![];
        for (to, group) in groups.iter().enumerate().filter(|(to, _)| !pins[*to].is_input) {
            for timing in group.all("timing") {
                let causes = match timing.text("timing_type").unwrap_or("combinational") {
                    "rising_edge" => [[false, true]; 2],
                    "falling_edge" => [[true, false]; 2],
                    "combinational" | "combinational_rise" | "combinational_fall" | "clear" | "preset" => {
                        match timing.text("timing_sense") {
                            Some("positive_unate") => [[true, false], [false, true]],
                            Some("negative_unate") => [[false, true], [true, false]],
                            _ => [[true; 2]; 2],
                        }
                    }
                    _ => continue,
                };
                for from in timing.text("related_pin").unwrap_or("").split_whitespace().filter_map(position) {
                    let delay = tables(timing, ["cell_fall", "cell_rise"])?;
                    let transition = tables(timing, ["fall_transition", "rise_transition"])?;
                    arcs.push(Arc { from, to, causes, delay, transition });
                }
            }
        }
        let leakage = leakage(cell, &function, states)?;
        Ok(Self { name: cell.name().to_string(), pins, variables, storage, leakage, powers, arcs })
    }

    /// The pin that clocks a flip-flop.
    pub fn clock(&self) -> Option<usize> {
        self.pins.iter().position(|pin| pin.is_clock)
    }

    /// Its model in Verilog.
    pub fn model(&self) -> String {
        let names: Vec<&str> = self.pins.iter().map(|pin| pin.name.as_str()).collect();
        let mut text = format!("module {} ({});\n", self.name, names.join(", "));
        for pin in &self.pins {
            text += &format!("  {} {};\n", if pin.is_input { "input" } else { "output" }, pin.name);
        }
        let stored = &self.variables[self.pins.len()..];
        let verilog = |function: &Function| function.verilog(&self.variables);
        if let Some(q) = stored.first() {
            text += &format!("  reg {q} = 0;\n");
        }
        if let [q, opposite] = stored {
            text += &format!("  wire {opposite} = ~{q};\n");
        }
        let q = stored.first().map_or("", String::as_str);
        match &self.storage {
            Some(Storage::Latch { open, data }) => {
                text += &format!("  always @* if ({}) {q} = {};\n", verilog(open), verilog(data));
            }
            Some(Storage::FlipFlop { clock, next, clear, preset }) => {
                let forced = [("clears", clear), ("presets", preset)];
                let (mut edges, mut first) = (String::new(), String::new());
                text += &format!("  wire clocks = {};\n", verilog(clock));
                for ((name, function), value) in forced.into_iter().zip([0, 1]) {
                    let Some(function) = function else { continue };
                    text += &format!("  wire {name} = {};\n", verilog(function));
                    edges += &format!(" or posedge {name}");
                    first += &format!("if ({name}) {q} <= {value}; else ");
                }
                text += &format!("  always @(posedge clocks{edges}) {first}{q} <= {};\n", verilog(next));
            }
            None => {}
        }
        for pin in self.pins.iter().filter(|pin| !pin.is_input) {
            let function = pin.function.as_ref().map(verilog);
            text += &format!("  assign {} = {};\n", pin.name, function.unwrap_or_default());
        }
        text + "endmodule\n"
    }
}

/// By state; groups of ground pins are the same current again.
fn leakage(
    cell: &Group,
    function: &dyn Fn(&str) -> Result<Function>,
    states: std::ops::Range<u32>,
) -> Result<Vec<f64>> {
    let of_cell = cell.number("cell_leakage_power").unwrap_or(0.0);
    let is_ground = |supply: &str| {
        let pin = cell.all("pg_pin").find(|pin| pin.name() == supply);
        pin.and_then(|pin| pin.text("pg_type")).is_some_and(|kind| kind.contains("ground"))
    };
    let groups = cell.all("leakage_power").filter(|group| !is_ground(group.text("related_pg_pin").unwrap_or("")));
    let groups = groups.filter_map(|group| Some((group.text("when").map(function), group.number("value")?)));
    let groups = groups.map(|(when, value)| Ok((when.transpose()?, value)));
    let groups = groups.collect::<Result<Vec<(Option<Function>, f64)>>>()?;
    let of = |state: u32| {
        let holding = groups.iter().filter(|(when, _)| when.as_ref().is_some_and(|when| when.value(state)));
        let holding: Vec<f64> = holding.map(|(_, value)| *value).collect();
        let default = groups.iter().find(|(when, _)| when.is_none()).map_or(of_cell, |(_, value)| *value);
        if holding.is_empty() { default } else { holding.iter().sum() }
    };
    Ok(states.map(of).collect())
}
