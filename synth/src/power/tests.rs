use serde_json::{Value, json};

use super::*;
use crate::gates::Gates;
use crate::gates::tests::{module, read};

fn gates(ports: Value, cells: Value) -> Gates {
    read(json!({ "Top": module(ports, cells) })).unwrap_or_else(|error| panic!("{error}"))
}

/// The first output in every cycle, for the values of a single input port in it.
fn outputs(gates: &Gates, inputs: &[u64]) -> Vec<u64> {
    let mut replay = Replay::new(gates);
    let cycle = |input: &u64| {
        replay.cycle(&[*input]);
        replay.output(0)[0]
    };
    inputs.iter().map(cycle).collect()
}

/// The power of a small design by hand. All in pJ, pF and ns; 2 V, 10 ns.
///
/// ```text
///   a --+-----+                    loads:  q  0.01 (NAND2 B) + 0.01 (INV)  = 0.02
///       |NAND2|-- n -- DFF -- q            n  0.02 (DFF D)
///   q --+-----+                            y  0.05 (LOAD)
///   q -- INV -- y                          a  0.03 rising, 0.01 falling
///
///   slews:  a rise 0.1 + 0.2 x 0.03/0.1 = 0.16, fall 0.2 + 0.2 x 0.1 = 0.22 (BUF, slew 0); q rise 0.5, fall 0.6
///
///   cycle   a  q  n  y     leakage of NAND2
///   start   0  0  1  1
///     1     0  0  1  1     4
///     2     1  1  0  0     8
///     3     1  0  1  1     4
///     4     0  1  1  0     4     mean 5 nW, with INV 2 and DFF 10: 17 nW
///
///   NAND2  2: n falls with A and B: (0.1 + 0.3) / 2 = 0.2; B rises where A is 1: nothing
///          3: n rises with B: 0.3
///          4: B rises where A is 0, slew 0.5: 0.001 + 0.5 x 0.002 = 0.002               sum 0.502
///   INV    2: y falls, slew 0.5, load 0.05: (0.02 + 0.03) / 2 + 0.5 x 0.02 = 0.035
///          3: y rises, slew 0.6: (0.01 + 0.02) / 2 + 0.6 x 0.02 = 0.027
///          4: y falls: 0.035                                                            sum 0.097
///   DFF    q three times, load 0.02: 3 x (0.4 + 0.2 x 0.2) = 1.32
///          D twice, half of the time with CK at 1: 2 x 0.2 / 2 = 0.2
///          CK: 0.05 + 0.01 where q is 0, 0.07 + 0.01 where it is 1: 2 x 0.06 + 2 x 0.08 = 0.28    sum 1.8
///   internal   2.399 / (4 x 10 ns) = 59.975 uW, of it NAND2 and INV 14.975
///   switching  n 2 x 0.02 + q 3 x 0.02 + y 3 x 0.05 = 0.25, x 2^2 / 2 = 0.5, / (4 x 10 ns) = 12.5 uW; of it n and y 9.5
/// ```
#[test]
fn a_design_calculated_by_hand() {
    let logic = module(
        json!({ "a": ["input", [2]], "q": ["input", [3]], "n": ["output", [4]], "y": ["output", [5]] }),
        json!({ "nand": ["NAND2", { "A": [2], "B": [3], "Y": [4] }], "inv": ["INV", { "A": [3], "Y": [5] }] }),
    );
    let top = module(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [6]] }),
        json!({
            "logic": ["Logic", { "a": [3], "q": [4], "n": [5], "y": [6] }],
            "flop": ["DFF", { "CK": [2], "D": [5], "Q": [4] }],
        }),
    );
    let gates = read(json!({ "Logic": logic, "Top": top })).unwrap_or_else(|error| panic!("{error}"));
    let mut replay = Replay::new(&gates);
    [0, 1, 1, 0].iter().for_each(|&a| replay.cycle(&[a]));
    let activity = replay.activity();
    let of = |net: u32| activity.toggles[net as usize];
    assert_eq!(of(gates.input_nets[0][0]), 2, "a");
    assert_eq!(of(gates.output_nets[0][0]), 3, "y");
    let power = estimate(&gates, &activity, 10.0);
    let close =
        |value: f64, expected: f64| assert!((value - expected).abs() < 1e-5, "{value}, not {expected}: {power:?}");
    close(power.total.leakage_uw, 0.017);
    close(power.total.internal_uw, 59.975);
    close(power.total.switching_uw, 12.5);
    close(power.cycle_pj, (2.399 + 0.5) / 4.0);
    assert_eq!(power.parts[1].0.as_deref(), Some("Logic"));
    close(power.parts[1].1.leakage_uw, 0.007);
    close(power.parts[1].1.internal_uw, 14.975);
    close(power.parts[1].1.switching_uw, 9.5);
    close(power.parts[0].1.sum_uw() + power.parts[1].1.sum_uw(), power.total.sum_uw());
    // Half of the period: the same energy in half of the time, and as much leakage.
    let faster = estimate(&gates, &activity, 5.0).total;
    close(faster.internal_uw, 2.0 * 59.975);
    close(faster.leakage_uw, 0.017);
}

#[test]
fn without_cycles_there_is_no_power() {
    let gates =
        gates(json!({ "a": ["input", [2]], "y": ["output", [3]] }), json!({ "i": ["INV", { "A": [2], "Y": [3] }] }));
    let power = estimate(&gates, &Replay::new(&gates).activity(), 10.0);
    assert_eq!(power.total, Part::default());
}

#[test]
fn what_was_before_does_not_count() {
    let gates = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5]] }),
        json!({ "a": ["DFF", { "CK": [2], "D": [3], "Q": [4] }], "i": ["INV", { "A": [4], "Y": [5] }] }),
    );
    let inputs = [0, 1, 1, 0, 1, 1, 0, 0];
    // Three periods, and the last two of them.
    let after = |forget: bool| {
        let mut replay = Replay::new(&gates);
        for (cycle, input) in inputs.iter().cycle().take(3 * inputs.len()).enumerate() {
            if forget && cycle == inputs.len() {
                replay.forget();
            }
            replay.cycle(&[*input]);
        }
        (replay.output(0), replay.activity())
    };
    let (all, two_periods) = (after(false), after(true));
    assert_eq!(all.0, two_periods.0);
    assert_eq!((all.1.cycles, two_periods.1.cycles), (24, 16));
    // The edge into the first period finds everything at 0, as it is at the end of each.
    assert_eq!(2 * all.1.toggles(), 3 * two_periods.1.toggles());
    let [all, two_periods] = [all, two_periods].map(|(_, activity)| estimate(&gates, &activity, 10.0).total);
    let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{all:?} {two_periods:?}");
    same(all.internal_uw, two_periods.internal_uw);
    same(all.leakage_uw, two_periods.leakage_uw);
}

#[test]
fn flip_flops_take_what_was_there_before_the_edge() {
    // A shift register of two, of which the second bit is seen.
    let gates = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5]] }),
        json!({ "a": ["DFF", { "CK": [2], "D": [3], "Q": [4] }], "b": ["DFF", { "CK": [2], "D": [4], "Q": [5] }] }),
    );
    assert_eq!(outputs(&gates, &[1, 0, 0, 1, 1, 1]), [0b00, 0b01, 0b10, 0b00, 0b01, 0b11]);
}

#[test]
fn registers_start_where_they_are_told_to() {
    // The upper bit of y starts at 1, and so does what shows the opposite of its register.
    let mut top = module(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5, 6, 7]] }),
        json!({
            "a": ["DFF", { "CK": [2], "D": [3], "Q": [4] }],
            "b": ["DFF", { "CK": [2], "D": [4], "Q": [5], "QN": [6] }],
            "c": ["DFF", { "CK": [2], "D": [3], "QN": [7] }],
        }),
    );
    top["netnames"] = json!({ "q": { "bits": [4, 5], "attributes": { "init": "10" } }, "c": { "bits": [7], "attributes": { "init": "1" } } });
    let gates = read(json!({ "Top": top })).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outputs(&gates, &[1, 1]), [0b1010, 0b0101]);
}

#[test]
fn the_falling_edge_is_in_the_middle() {
    // It sees the input in the same cycle, and the flip-flop of the other edge in the next.
    let gates = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5]] }),
        json!({ "a": ["DFFN", { "CK": [2], "D": [3], "Q": [4] }], "b": ["DFF", { "CK": [2], "D": [4], "Q": [5] }] }),
    );
    assert_eq!(outputs(&gates, &[1, 0, 0, 1, 1]), [0b01, 0b10, 0b00, 0b01, 0b11]);
}

#[test]
fn clear_and_preset_act_at_once() {
    // Bits of the input: D, R, S; of the output: Q, QN.
    let gates = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3, 4, 5]], "y": ["output", [6, 7]] }),
        json!({ "a": ["DFFSR", { "CK": [2], "D": [3], "R": [4], "S": [5], "Q": [6], "QN": [7] }] }),
    );
    let (both, preset, clear, one, zero) = (0b001, 0b011, 0b101, 0b111, 0b110);
    let expected = [
        (both, 0b00),
        (one, 0b10),
        (one, 0b01),
        (clear, 0b10),
        // What it would have taken at the edge was not taken.
        (zero, 0b10),
        (preset, 0b01),
        (zero, 0b01),
        (zero, 0b10),
    ];
    let (inputs, expected): (Vec<u64>, Vec<u64>) = expected.into_iter().unzip();
    assert_eq!(outputs(&gates, &inputs), expected);
}

#[test]
fn latches_are_open_or_hold() {
    // Bits of the input: D, G.
    let by_input = gates(
        json!({ "a": ["input", [2, 3]], "y": ["output", [4]] }),
        json!({ "l": ["LATCH", { "D": [2], "G": [3], "Q": [4] }] }),
    );
    assert_eq!(outputs(&by_input, &[0b01, 0b11, 0b00, 0b01, 0b10, 0b01]), [0, 1, 1, 1, 0, 0]);
    // Open in the first half of the cycle; the flip-flop is there so that there is a clock.
    let by_clock = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5]] }),
        json!({
            "l": ["LATCH", { "D": [3], "G": [2], "Q": [4] }],
            "f": ["DFF", { "CK": [2], "D": [4], "Q": [5] }],
        }),
    );
    assert_eq!(outputs(&by_clock, &[1, 0, 1, 1]), [0b01, 0b10, 0b01, 0b11]);
}

#[test]
fn wide_ports_have_several_words() {
    let bits: Vec<u32> = (2..72).collect();
    let gates = gates(json!({ "a": ["input", bits], "y": ["output", bits] }), json!({}));
    let mut replay = Replay::new(&gates);
    replay.cycle(&[5, u64::MAX]);
    assert_eq!(replay.output(0), [5, 0x3f]);
    assert_eq!(replay.activity().toggles(), 2 + 6);
}
