//! Tables of a Liberty file: values over the slew at an input and the load of an output, and their units.
use std::collections::HashMap;

use liberty_parser::Value;
use liberty_parser::liberty::Group;

use super::liberty::{microwatts, number, text};

/// What a table is looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    /// Transition time at the input.
    Slew,
    /// Capacitance at the output.
    Load,
}

/// Layouts of tables by name, for tables that name them.
#[derive(Clone, Debug, Default)]
pub struct Templates(HashMap<String, Vec<(String, Vec<f64>)>>);

/// Values at points of no, one or two variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    axes: Vec<(Variable, Vec<f64>)>,
    values: Vec<f64>,
}

impl Templates {
    /// The templates of a library.
    pub fn of(library: &Group) -> Self {
        let is_template = |group: &&Group| matches!(group.type_.as_str(), "lu_table_template" | "power_lut_template");
        let templates = library.iter_subgroups().filter(is_template).map(|group| {
            let axes = (1..=3).map_while(|i| Some((text(group, &format!("variable_{i}"))?, i)));
            let axes = axes.map(|(variable, i)| (variable.to_string(), numbers(group, &format!("index_{i}"))));
            (group.name.clone(), axes.collect())
        });
        Self(templates.collect())
    }
}

impl Table {
    /// The table of a group; its own points come before those of its template. An error says what is wrong with it.
    pub fn read(group: &Group, templates: &Templates) -> Result<Self, String> {
        let wrong = |what: String| format!("a table `{} ({})` {what}", group.type_, group.name);
        let axes = match templates.0.get(&group.name) {
            Some(axes) => axes.as_slice(),
            None if group.name == "scalar" || group.name.is_empty() => &[],
            None => return Err(wrong("has no such template".into())),
        };
        let axes = axes.iter().enumerate().map(|(i, (variable, points))| {
            let variable = match variable.as_str() {
                "input_net_transition" | "input_transition_time" => Variable::Slew,
                "total_output_net_capacitance" => Variable::Load,
                other => return Err(wrong(format!("depends on {other}, which is not supported"))),
            };
            let own = numbers(group, &format!("index_{}", i + 1));
            Ok((variable, if own.is_empty() { points.clone() } else { own }))
        });
        let axes: Vec<_> = axes.collect::<Result<_, _>>()?;
        let values = numbers(group, "values");
        let expected: usize = axes.iter().map(|(_, points)| points.len()).product();
        match values.len() == expected && expected > 0 {
            true if axes.len() <= 2 => Ok(Self { axes, values }),
            true => Err(wrong(format!("has {} variables", axes.len()))),
            false => Err(wrong(format!("has {} values for {expected} points", values.len()))),
        }
    }

    /// The value for a slew and a load, in the units of the library: linear between points, and beyond them as between
    /// the last two.
    pub fn at(&self, slew: f64, load: f64) -> f64 {
        let place = |i: usize| {
            let Some((variable, points)) = self.axes.get(i) else { return (0, 0, 0.0) };
            place(points, if *variable == Variable::Slew { slew } else { load })
        };
        let ((row, next_row, down), (column, next_column, right)) = (place(0), place(1));
        let columns = self.axes.get(1).map_or(1, |(_, points)| points.len());
        let value = |row: usize, column: usize| self.values[row * columns + column];
        let along = |row| value(row, column) * (1.0 - right) + value(row, next_column) * right;
        along(row) * (1.0 - down) + along(next_row) * down
    }
}

/// The two points around `x`, and how far it is from the first to the second.
fn place(points: &[f64], x: f64) -> (usize, usize, f64) {
    if points.len() == 1 {
        return (0, 0, 0.0);
    }
    let next = points.partition_point(|point| *point <= x).clamp(1, points.len() - 1);
    (next - 1, next, (x - points[next - 1]) / (points[next] - points[next - 1]))
}

/// All numbers of an attribute, however they are grouped.
fn numbers(group: &Group, attribute: &str) -> Vec<f64> {
    let values = group.complex_attribute(attribute).into_iter().flatten();
    let numbers = values.flat_map(|value| match value {
        Value::Float(value) => vec![*value],
        Value::FloatGroup(values) => values.clone(),
        Value::String(text) | Value::Expression(text) => {
            text.split([',', ' ', '\t', '\n', '\\']).filter_map(|number| number.parse().ok()).collect()
        }
        Value::Bool(_) => vec![],
    });
    numbers.collect()
}

/// What the numbers of a library mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Of a capacitance, in pF.
    pub capacitance_pf: f64,
    /// Of an entry of a table of internal power, in pJ: the unit of capacitance times the square of that of voltage.
    pub energy_pj: f64,
    /// Of leakage, in uW.
    pub leakage_uw: f64,
    /// Supply voltage, in V.
    pub supply_v: f64,
}

impl Units {
    /// The units of a library. An error says which is missing or unknown.
    pub fn of(library: &Group) -> Result<Self, String> {
        let attribute = |name: &str| text(library, name).ok_or_else(|| format!("the library has no {name}"));
        let capacitance_pf = match library.complex_attribute("capacitive_load_unit").map(Vec::as_slice) {
            Some([Value::Float(number), Value::Expression(unit) | Value::String(unit)]) => {
                let scale = match unit.to_ascii_lowercase().as_str() {
                    "pf" => 1.0,
                    "ff" => 1e-3,
                    _ => return Err(format!("capacitive_load_unit is `{unit}`, not pf or ff")),
                };
                number * scale
            }
            _ => return Err("the library has no capacitive_load_unit".to_string()),
        };
        let volts = match attribute("voltage_unit")? {
            "1V" => 1.0,
            "100mV" => 0.1,
            "10mV" => 0.01,
            "1mV" => 0.001,
            unit => return Err(format!("voltage_unit is `{unit}`")),
        };
        let supply = number(library, "nom_voltage").ok_or("the library has no nom_voltage")?;
        let leakage = attribute("leakage_power_unit")?;
        let leakage_uw = microwatts(leakage).ok_or_else(|| format!("leakage_power_unit is `{leakage}`"))?;
        Ok(Self { capacitance_pf, energy_pj: capacitance_pf * volts * volts, leakage_uw, supply_v: supply * volts })
    }
}

#[cfg(test)]
mod tests {
    use super::super::liberty::read;
    use super::*;

    const TEMPLATES: &str = "
      capacitive_load_unit (100, ff);
      voltage_unit : \"10mV\"; nom_voltage : 120; leakage_power_unit : \"10nW\";
      lu_table_template (square) {
        variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
        index_1 (\"1, 2\"); index_2 (\"10, 20, 40\");
      }
      power_lut_template (line) { variable_1 : input_transition_time; index_1 (\"0.1, 0.3\"); }
      power_lut_template (point) { variable_1 : input_transition_time; index_1 (\"0.5\"); }
      lu_table_template (odd) { variable_1 : related_out_total_output_net_capacitance; index_1 (\"1\"); }";

    fn library(inside: &str) -> Group {
        let liberty = read("demo", &format!("library (demo) {{ {TEMPLATES} {inside} }}"));
        liberty.unwrap_or_else(|error| panic!("{error}")).0.remove(0)
    }

    fn table(text: &str) -> Result<Table, String> {
        let library = library(text);
        let group = library.iter_subgroups().last().expect("a table");
        Table::read(group, &Templates::of(&library))
    }

    fn check(text: &str, expected: &[((f64, f64), f64)]) {
        let table = table(text).unwrap_or_else(|error| panic!("{error}"));
        for &((slew, load), value) in expected {
            assert!((table.at(slew, load) - value).abs() < 1e-9, "{text} at {slew}, {load}: {}", table.at(slew, load));
        }
    }

    #[test]
    fn two_variables() {
        // Rows are loads 1 and 2, columns slews 10, 20 and 40.
        let values = "values (\"1, 2, 4\", \"3, 5, 9\");";
        let square = format!("cell_rise (square) {{ {values} }}");
        check(
            &square,
            &[
                ((10.0, 1.0), 1.0),
                ((40.0, 2.0), 9.0),
                // Between 1, 2, 3 and 5.
                ((15.0, 1.5), 2.75),
                // Slopes of the last pieces: 0.2 and 0.1 a unit of slew, and at slew 40 5 a unit of load.
                ((50.0, 2.0), 11.0),
                ((0.0, 1.0), 0.0),
                ((40.0, 3.0), 14.0),
                ((40.0, 0.0), -1.0),
            ],
        );
        // Its own points: loads 10 and 20 in place of 1 and 2.
        check(&format!("cell_rise (square) {{ index_1 (\"10, 20\"); {values} }}"), &[((10.0, 15.0), 2.0)]);
    }

    #[test]
    fn one_variable_and_none() {
        check("rise_power (line) { values (\"4, 8\"); }", &[((0.2, 9.0), 6.0), ((0.4, 0.0), 10.0), ((0.0, 0.0), 2.0)]);
        check("rise_power (point) { values (\"7\"); }", &[((0.2, 9.0), 7.0)]);
        check("rise_power (scalar) { values (\"2.5\"); }", &[((0.2, 9.0), 2.5)]);
    }

    #[test]
    fn what_is_no_table() {
        for (text, error) in [
            ("rise_power (nothing) { values (\"1\"); }", "a table `rise_power (nothing)` has no such template"),
            ("rise_power (line) { values (\"1\"); }", "a table `rise_power (line)` has 1 values for 2 points"),
            (
                "rise_power (odd) { values (\"1\"); }",
                "a table `rise_power (odd)` depends on related_out_total_output_net_capacitance, which is not supported",
            ),
        ] {
            assert_eq!(table(text), Err(error.to_string()));
        }
    }

    #[test]
    fn units() {
        let units = Units::of(&library("")).unwrap_or_else(|error| panic!("{error}"));
        assert!((units.capacitance_pf - 0.1).abs() < 1e-12 && (units.supply_v - 1.2).abs() < 1e-12, "{units:?}");
        // 0.1 pF x (10 mV)^2.
        assert!((units.energy_pj - 1e-5).abs() < 1e-15 && (units.leakage_uw - 0.01).abs() < 1e-12, "{units:?}");
        let bare = read("bare", "library (bare) { voltage_unit : \"1V\"; }").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Units::of(&bare.0[0]), Err("the library has no capacitive_load_unit".to_string()));
    }
}
