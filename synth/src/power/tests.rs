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

/// A clock gate as it stands in mapped gates, of these cells between `clock` (2), `enable` (3) and `gated` (4).
fn clock_gate(cells: Value) -> Value {
    module(json!({ "clock": ["input", [2]], "enable": ["input", [3]], "gated": ["output", [4]] }), cells)
}

/// Flip-flops before and behind a gate. Bits of the input: what they take, and the enable.
fn gated(gate: Value) -> Gates {
    let top = module(
        json!({ "clock": ["input", [2]], "a": ["input", [3, 4]], "y": ["output", [6, 7]] }),
        json!({
            "gate": ["ClockGate", { "clock": [2], "enable": [4], "gated": [5] }],
            "behind": ["DFF", { "CK": [5], "D": [3], "Q": [6] }],
            "before": ["DFF", { "CK": [2], "D": [6], "Q": [7] }],
        }),
    );
    read(json!({ "ClockGate": gate, "Top": top })).unwrap_or_else(|error| panic!("{error}"))
}

/// Of an inverter, a latch and an AND, and of the cell that is all of them.
fn gates_of_clocks() -> [Gates; 2] {
    let cells = json!({
        "invert": ["INV", { "A": [2], "Y": [5] }],
        "latch": ["LATCH", { "D": [3], "G": [5], "Q": [6] }],
        "gate": ["AND2", { "A": [2], "B": [6], "Y": [4] }],
    });
    [cells, json!({ "gate": ["ICG", { "CK": [2], "E": [3], "GCK": [4] }] })].map(|cells| gated(clock_gate(cells)))
}

#[test]
fn a_flip_flop_behind_a_gate_changes_while_it_is_open() {
    for gates in gates_of_clocks() {
        assert_eq!(outputs(&gates, &[0b01, 0b11, 0b01, 0b00, 0b10, 0b00]), [0b00, 0b00, 0b01, 0b11, 0b11, 0b10]);
        assert_eq!((gates.inputs().len(), gates.clocks.len()), (1, 1));
    }
}

/// What was counted in cycles with these inputs.
fn activity(gates: &Gates, inputs: &[u64]) -> Activity {
    let mut replay = Replay::new(gates);
    inputs.iter().for_each(|input| replay.cycle(&[*input]));
    replay.activity()
}

#[test]
fn a_clock_pin_takes_what_it_does_in_cycles_whose_edge_it_sees() {
    for gates in gates_of_clocks() {
        let activity = activity(&gates, &[0b00, 0b10, 0b01, 0b00, 0b10]);
        let lasted = |name: &str| {
            let cell = gates.cells.iter().position(|cell| cell.path == name).expect("a cell");
            let counts = activity.of(cell, gates.kind(&gates.cells[cell]));
            (counts.cycles.iter().sum::<f64>(), counts.edges.iter().sum::<f64>())
        };
        assert_eq!((lasted("behind"), lasted("before")), ((5.0, 2.0), (5.0, 5.0)));
    }
}

#[test]
fn what_was_before_does_not_count_behind_a_gate_either() {
    for gates in gates_of_clocks() {
        let mut replay = Replay::new(&gates);
        replay.cycle(&[0b10]);
        replay.forget();
        [0b00, 0b10, 0b00].iter().for_each(|input| replay.cycle(&[*input]));
        let activity = replay.activity();
        let cell = gates.cells.iter().position(|cell| cell.path == "behind").expect("a cell");
        assert_eq!(activity.of(cell, gates.kind(&gates.cells[cell])).edges.iter().sum::<f64>(), 1.0);
    }
}

#[test]
fn what_reads_the_clock_leaks_half_of_the_time_in_each_of_its_states() {
    // The NAND of the clock and of what is 1: 8 nW while both are, else 4.
    let gates = gates(
        json!({ "clock": ["input", [2]], "a": ["input", [3]], "y": ["output", [4, 5]] }),
        json!({ "n": ["NAND2", { "A": [2], "B": [3], "Y": [4] }], "f": ["DFF", { "CK": [2], "D": [3], "Q": [5] }] }),
    );
    let leakage = estimate(&gates, &activity(&gates, &[1; 10]), 10.0).total.leakage_uw;
    assert!((leakage - (10.0 + 6.0) / 1000.0).abs() < 1e-9, "{leakage}");
}

#[test]
fn behind_a_closed_gate_a_flip_flop_leaks_as_with_its_clock_at_0() {
    for gates in gates_of_clocks() {
        // 8 nW at 0 and 12 at 1, so 8 and 10.
        let [closed, open] = [0b00, 0b10].map(|input| {
            let activity = activity(&gates, &[input; 10]);
            let flop = gates.cells.iter().position(|cell| cell.path == "behind").expect("a cell");
            let kind = gates.kind(&gates.cells[flop]);
            let counts = activity.of(flop, kind);
            let [low, high] = kind.energy.rests[0].leakage_uw;
            let edges = counts.edges.iter().sum::<f64>();
            assert!((low - 0.008).abs() < 1e-9 && (high - 0.012).abs() < 1e-9);
            (edges, estimate(&gates, &activity, 10.0).total.leakage_uw)
        });
        assert_eq!((closed.0, open.0), (0.0, 10.0));
        assert!((open.1 - closed.1 - 0.002).abs() < 1e-9, "{closed:?} {open:?}");
    }
}

/// Ten cycles at 10 ns, open or closed; in pJ. What the flip-flops store stays 0.
///
/// ```text
///   clock pin of a flip-flop   0.05 + 0.01 = 0.06 in every cycle that it sees
///   inverter                   clock rises, y falls, slew 0, load 0: 0.02; falls: 0.01      0.03 a cycle
///   AND                        0.1 for each change of its output                            0.2 a cycle that is open
///   net of the gated clock     0.05 (DFF CK) x 2^2 / 2 = 0.1 for each change                0.2 a cycle that is open
/// ```
/// The cell of one piece takes 0.2 for each change of its output, and 0.1 for each of its clock while what it stores is 0.
/// The first cycle begins with a gate that is still closed, so its output changes in nine: 18 times. There the AND's net, the
/// latch's output, rises once: 0.01 x 2^2 / 2 = 0.02; and so the other takes 0.1 for one change of its clock.
#[test]
fn a_gate_takes_its_clock_in_every_cycle_and_its_output_when_it_is_open() {
    let energies = gates_of_clocks().map(|gates| {
        [0b00, 0b10].map(|input| {
            let activity = activity(&gates, &[input; 10]);
            let power = estimate(&gates, &activity, 10.0).total;
            let pj = |uw: f64| (uw * 100.0 / 1000.0 * 1e6).round() / 1e6;
            (activity.toggles[gates.clock_gates[0].gated as usize], pj(power.internal_uw), pj(power.switching_uw))
        })
    });
    // Of toggles of the gated clock, internal and switching energy.
    assert_eq!(energies, [[(0, 0.9, 0.0), (18, 3.3, 1.82)], [(0, 2.6, 0.0), (18, 4.9, 1.8)]]);
}
