use serde_json::{Value, json};

use super::*;

/// Cells with plain numbers.
pub(crate) const LIBRARY: &str = include_str!("tests.lib");

pub(crate) fn cells() -> Cells {
    Cells::new("demo.lib", LIBRARY, None).unwrap_or_else(|error| panic!("{error}"))
}

/// A module in the form of yosys: ports `name: [direction, bits]`, cells `name: [type, {pin: bits}]`.
pub(crate) fn module(ports: Value, cells: Value) -> Value {
    let each = |value: &Value, fields: [&str; 2]| -> Value {
        let entries = value.as_object().expect("an object").iter();
        entries.map(|(name, pair)| (name.clone(), json!({ fields[0]: pair[0], fields[1]: pair[1] }))).collect()
    };
    json!({ "ports": each(&ports, ["direction", "bits"]), "cells": each(&cells, ["type", "connections"]) })
}

/// The gates of a design whose top is `Top`.
pub(crate) fn read(modules: Value) -> Result<Gates, GatesError> {
    Gates::read(&json!({ "modules": modules }).to_string(), &cells())
}

fn names(ports: &[Port]) -> Vec<(&str, usize)> {
    ports.iter().map(|port| (port.name.as_str(), port.width)).collect()
}

fn error(ports: Value, cells: Value) -> String {
    read(json!({ "Top": module(ports, cells) })).map(|_| ()).expect_err("an error").to_string()
}

#[test]
fn a_hierarchy_is_dissolved() {
    // `through` goes through Row as it is, and its `zero` is a constant; the memory is below Row.
    let mut memory =
        module(json!({ "clock": ["input", [2]], "address": ["input", [3]], "data": ["output", [4, 5]] }), json!({}));
    memory["attributes"] = json!({ "blackbox": "00000001" });
    let row = module(
        json!({ "ck": ["input", [2]], "in": ["input", [3]], "through": ["output", [3]], "zero": ["output", ["0"]], "out": ["output", [7]] }),
        json!({ "m[0]": ["Memory", { "clock": [2], "address": [3], "data": [5, 6] }], "and": ["NAND2", { "A": [5], "B": [6], "Y": [7] }] }),
    );
    let top = module(
        json!({ "clock": ["input", [2]], "a": ["input", [3, 4]], "y": ["output", [8, 9, 10, "1"]] }),
        json!({
            "row": ["Row", { "ck": [2], "in": [3], "through": [8], "zero": [9], "out": [11] }],
            "flop": ["DFF", { "CK": [2], "D": [11], "Q": [10] }],
        }),
    );
    let gates = read(json!({ "Memory": memory, "Row": row, "Top": top })).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(names(gates.inputs()), [("a", 2), ("row.m[0].data", 2)]);
    assert_eq!(names(gates.outputs()), [("y", 4), ("row.m[0].address", 1)]);
    assert_eq!(gates.output_nets[0][0], gates.input_nets[0][0], "through the module");
    assert_eq!((gates.output_nets[0][1], gates.output_nets[0][3]), (0, 1));
    assert_eq!(gates.output_nets[1], [gates.input_nets[0][0]]);
    let placed: Vec<_> = gates.cells.iter().map(|cell| (cell.path.as_str(), cell.child)).collect();
    assert_eq!(placed, [("flop", 0), ("row.and", 1)]);
    assert_eq!(gates.children, [None, Some("Row".to_string())]);
    assert_eq!(gates.cells[0].inputs, [gates.clocks[0], gates.cells[1].outputs[0]]);
}

#[test]
fn cells_come_after_those_that_they_listen_to() {
    // The flip-flop closes a loop that is none; the names are in the wrong order.
    let gates = read(json!({ "Top": module(
        json!({ "clock": ["input", [2]], "y": ["output", [6]] }),
        json!({
            "a": ["INV", { "A": [5], "Y": [6] }],
            "b": ["INV", { "A": [4], "Y": [5] }],
            "c": ["DFF", { "CK": [2], "D": [6], "Q": [4] }],
        }),
    ) }));
    let gates = gates.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(gates.steps, [Step::Follow(1), Step::Follow(0), Step::Watch(2)]);
}

#[test]
fn loops_are_named() {
    let cells = json!({
        "a": ["NAND2", { "A": [2], "B": [4], "Y": [3] }],
        "b": ["INV", { "A": [3], "Y": [4] }],
        "c": ["INV", { "A": [4], "Y": [5] }],
    });
    assert_eq!(error(json!({ "x": ["input", [2]] }), cells), "a combinational loop through b, a");
}

#[test]
fn what_cannot_be_simulated_says_so() {
    let ports = || json!({ "x": ["input", [2]], "clock": ["input", [3]] });
    for (cells, expected) in [
        (json!({ "a": ["INX", { "A": [2] }] }), "a is a INX, which is no cell of the library"),
        (
            json!({ "a": ["INV", { "B": [2] }] }),
            "INV, a cell of the library, cannot be simulated: a connects a pin B, which it does not have",
        ),
        (
            json!({ "a": ["TBUF", { "A": [2] }] }),
            "TBUF, a cell of the library, cannot be simulated: its output Y is three-state, which is not supported",
        ),
        (
            json!({ "a": ["INV", { "A": [3], "Y": [4] }], "b": ["DFF", { "CK": [4], "D": [2] }] }),
            "the clock of b is neither an input of the design nor gated from one: clocks that go through other cells are not simulated",
        ),
        (
            json!({ "a": ["INV", { "A": [2], "Y": [4] }], "b": ["INV", { "A": [2], "Y": [4] }] }),
            "two cells or inputs drive one net, b is the second",
        ),
    ] {
        assert_eq!(error(ports(), cells), expected);
    }
    let error = Gates::read("{}", &cells()).expect_err("no netlist").to_string();
    assert!(error.starts_with("this is no netlist of yosys"), "{error}");
}

#[test]
fn a_library_without_units_is_not_enough() {
    let cells = Cells::new("bare.lib", "library (bare) { cell (NAND2) { area : 4; } }", None);
    let cells = cells.unwrap_or_else(|error| panic!("{error}"));
    let design = json!({ "modules": { "Top": module(json!({}), json!({})) } }).to_string();
    let error = Gates::read(&design, &cells).expect_err("no units").to_string();
    assert_eq!(error, "bare is not enough to calculate power: the library has no capacitive_load_unit");
}
