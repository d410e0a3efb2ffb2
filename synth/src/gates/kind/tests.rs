use super::*;
use crate::cells::liberty::read;

/// A cell, in a library with units that change nothing but that leakage is in nW.
fn kind(cell: &str) -> Result<Kind, String> {
    let library = format!(
        "library (demo) {{
          voltage_unit : \"1V\"; leakage_power_unit : \"1nW\"; nom_voltage : 1; capacitive_load_unit (1, pf);
          default_input_pin_cap : 0.5;
          cell (X) {{ {cell} }} }}"
    );
    let library = read("demo", &library).unwrap_or_else(|error| panic!("{error}")).0.remove(0);
    let units = Units::of(&library)?;
    Kind::read(library.get_cell("X").expect("the cell"), &library, &Templates::of(&library), &units)
}

fn good(cell: &str) -> Kind {
    kind(cell).unwrap_or_else(|error| panic!("{error}"))
}

/// Energy of a transition whose tables are all single values.
fn energy(kind: &Kind, old: u16, new: u16) -> f64 {
    let of =
        |&(charge, share): &(u16, f32)| f64::from(share) * kind.energy.charges[usize::from(charge)].table.at(0.0, 0.0);
    let energy: f64 = kind.energy.transition(old, new).iter().map(of).sum();
    (energy * 1e6).round() / 1e6
}

fn power(attributes: &str, value: f64) -> String {
    format!("internal_power () {{ {attributes} power (scalar) {{ values (\"{value}\"); }} }}")
}

/// Inputs A and B, output Y, with these groups in the pins A and Y.
fn and_gate(in_a: &str, in_y: &str, in_cell: &str) -> Kind {
    good(&format!(
        "{in_cell} pin (A) {{ direction : input; {in_a} }} pin (B) {{ direction : input; }}
         pin (Y) {{ direction : output; function : \"A * B\"; {in_y} }}"
    ))
}

#[test]
fn an_output_takes_what_its_causes_say() {
    let groups = power("related_pin : \"A\";", 1.0) + &power("related_pin : \"B\";", 4.0);
    let gate = and_gate("", &groups, "");
    // States: bit 0 is A, bit 1 is B.
    assert_eq!([energy(&gate, 0b10, 0b11), energy(&gate, 0b01, 0b11), energy(&gate, 0b00, 0b11)], [1.0, 4.0, 2.5]);
    assert_eq!(energy(&gate, 0b00, 0b01), 0.0, "the output stays");
    let both = and_gate("", &power("related_pin : \"A B\";", 3.0), "");
    assert_eq!([energy(&both, 0b10, 0b11), energy(&both, 0b00, 0b11)], [3.0, 3.0]);
    let any = and_gate("", &power("", 2.0), "");
    assert_eq!(energy(&any, 0b11, 0b01), 2.0, "without a related pin all count");
    let one = and_gate("", &power("related_pin : \"A\";", 1.0), "");
    assert_eq!(energy(&one, 0b01, 0b11), 1.0, "B is related to nothing, and the output has changed");
}

#[test]
fn inputs_that_change_at_once_change_one_after_the_other() {
    // As Nangate 45 has it: for a change of one input, the other one is 1.
    let groups = power("related_pin : \"A\"; when : \"B\";", 1.0) + &power("related_pin : \"B\"; when : \"A\";", 4.0);
    let gate = and_gate("", &groups, "");
    assert_eq!([energy(&gate, 0b00, 0b11), energy(&gate, 0b11, 0b00)], [2.5, 2.5]);
    // What falls cannot make it rise: A's rise does, or C's.
    let groups =
        ["A", "B", "C"].map(|pin| power(&format!("related_pin : \"{pin}\";"), if pin == "B" { 5.0 } else { 1.0 }));
    let or = good(&format!(
        "pin (A) {{ direction : input; }} pin (B) {{ direction : input; }} pin (C) {{ direction : input; }}
         pin (Y) {{ direction : output; function : \"(A C) + (B C)\"; {} }}",
        groups.concat()
    ));
    assert_eq!(energy(&or, 0b010, 0b101), 1.0);
}

#[test]
fn conditions_are_of_the_state_after() {
    let groups = power("when : \"B\";", 1.0) + &power("when : \"!B & !Y\";", 2.0);
    let gate = and_gate(&groups, "", "");
    assert_eq!([energy(&gate, 0b10, 0b11), energy(&gate, 0b11, 0b00), energy(&gate, 0b00, 0b01)], [1.0, 2.0, 2.0]);
    let default = and_gate(&(power("when : \"B\";", 1.0) + &power("", 7.0)), "", "");
    assert_eq!([energy(&default, 0b10, 0b11), energy(&default, 0b00, 0b01)], [1.0, 7.0]);
}

#[test]
fn supply_pins_add_up() {
    let groups = power("related_pg_pin : VDD;", 1.0) + &power("related_pg_pin : VSS;", 0.25);
    assert_eq!(energy(&and_gate(&groups, "", ""), 0b00, 0b01), 1.25);
}

#[test]
fn only_what_rises_or_only_what_falls() {
    let gate = and_gate("internal_power () { rise_power (scalar) { values (\"3\"); } }", "", "");
    assert_eq!([energy(&gate, 0b00, 0b01), energy(&gate, 0b01, 0b00)], [3.0, 0.0]);
}

#[test]
fn leakage_by_state() {
    let leakage = |kind: &Kind| -> Vec<f64> {
        let of = |rest: &u8| (kind.energy.rests[usize::from(*rest)].leakage_uw[0] * 1e9).round() / 1e6;
        kind.energy.rest.iter().map(of).collect()
    };
    assert_eq!(leakage(&and_gate("", "", "cell_leakage_power : 3;")), [3.0; 4]);
    let group = |attributes: &str, value: f64| format!("leakage_power () {{ {attributes} value : {value}; }}");
    let by_state = group("when : \"A B\";", 8.0) + &group("when : \"!A\";", 2.0);
    assert_eq!(leakage(&and_gate("", "", &format!("cell_leakage_power : 3; {by_state}"))), [2.0, 3.0, 2.0, 8.0]);
    assert_eq!(leakage(&and_gate("", "", &(by_state.clone() + &group("", 5.0)))), [2.0, 5.0, 2.0, 8.0]);
    let pins = "pg_pin (VDD) { pg_type : primary_power; } pg_pin (VSS) { pg_type : primary_ground; }
                pg_pin (VDX) { pg_type : backup_power; }";
    let supplies = [("VDD", 1.0), ("VSS", 1.5), ("VDX", 0.5)];
    let supplies: String = supplies.map(|(pin, value)| group(&format!("related_pg_pin : {pin};"), value)).concat();
    assert_eq!(leakage(&and_gate("", "", &format!("{pins} {supplies}"))), [1.5; 4], "not through the ground again");
}

#[test]
fn edges_and_clears_of_a_flip_flop() {
    let flop = good(&format!(
        "leakage_power () {{ when : \"CK\"; value : 6; }} leakage_power () {{ when : \"!CK\"; value : 2; }}
         ff (IQ, IQN) {{ next_state : \"D\"; clocked_on : \"CK\"; clear : \"!R\"; }}
         pin (CK) {{ direction : input; {} {} }}
         pin (D) {{ direction : input; {} }} pin (R) {{ direction : input; }}
         pin (Q) {{ direction : output; function : \"IQ\"; {} {} }}",
        power("when : \"D\";", 0.5),
        power("when : \"!D\";", 0.25),
        power("when : \"!CK\";", 8.0),
        power("related_pin : \"CK\";", 1.0),
        power("related_pin : \"R\";", 2.0),
    ));
    // States: bit 0 is D, bit 1 is R, bit 2 the stored bit.
    assert_eq!((flop.mask(0), flop.mask(1), flop.mask(2)), (0, 1, 2), "a clock is no part of the state");
    assert_eq!([energy(&flop, 0b011, 0b111), energy(&flop, 0b110, 0b000)], [1.0, 2.0]);
    assert_eq!(energy(&flop, 0b010, 0b011), 4.0, "the clock is at 0 half of the time");
    let clock = |state: usize| {
        let rest = &flop.energy.rests[usize::from(flop.energy.rest[state])];
        rest.clock.iter().map(|(charge, share)| share * flop.energy.charges[*charge].table.at(0.0, 0.0)).sum::<f64>()
    };
    assert_eq!((clock(0b011), clock(0b010)), (1.0, 0.5), "two edges");
    let leakage = flop.energy.rests[0].leakage_uw.map(|leakage| (leakage * 1e6).round() / 1e3);
    assert_eq!(leakage, [2.0, 6.0], "by the level of the clock");
    assert_eq!((flop.logic.forced[0b001], flop.logic.forced[0b011]), (Some(false), None));
    assert_eq!(flop.logic.through, 0b010, "its output follows only the clear at once");
}

#[test]
fn senses_follow_from_functions() {
    let gate = good(
        "pin (A) { direction : input; capacitance : 0.2; fall_capacitance : 0.1; }
         pin (B) { direction : input; } pin (S) { direction : input; }
         pin (Y) { direction : output; function : \"(S A) + (S' B')\"; }",
    );
    assert_eq!([0, 1, 2].map(|input| gate.sense(input, 0)), [Sense::Positive, Sense::Negative, Sense::Either]);
    assert_eq!((gate.inputs[0].capacitance, gate.inputs[1].capacitance), ([0.1, 0.2], [0.5, 0.5]));
}

#[test]
fn what_is_not_supported_says_so() {
    let pins = "pin (A) { direction : input; } pin (B) { direction : input; }";
    for (cell, error) in [
        (format!("{pins} pin (Y) {{ direction : output; }}"), "its output Y has no function"),
        (format!("{pins} pin (Y) {{ direction : inout; }}"), "pin Y has direction inout"),
        (format!("{pins} ff_bank (IQ, IQN, 4) {{ next_state : \"A\"; }}"), "a ff_bank is not supported"),
        (
            format!("{pins} ff (IQ, IQN) {{ next_state : \"A\"; clocked_on : \"A B\"; }}"),
            "clocked_on is neither one pin nor its opposite",
        ),
        (format!("{pins} ff (IQ, IQN) {{ clocked_on : \"A\"; }}"), "its ff has no next_state"),
        (
            (0..9).map(|i| format!("pin (I{i}) {{ direction : input; }}")).collect(),
            "more than 8 inputs are not supported",
        ),
    ] {
        assert_eq!(kind(&cell).map(|_| ()), Err(error.to_string()));
    }
}
