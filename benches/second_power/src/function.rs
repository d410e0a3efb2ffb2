//! Functions and conditions of a Liberty file: as values over numbered pins, and as Verilog.
//!
//! In postfix form, so that neither reading nor evaluating needs a tree.

use anyhow::{Result, bail, ensure};

#[derive(Clone, Debug, PartialEq)]
enum Op {
    Pin(usize),
    Constant(bool),
    Not,
    And,
    Or,
    Xor,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function(Vec<Op>);

/// How tightly an operator binds.
fn strength(op: &str) -> u8 {
    match op {
        "|" => 1,
        "&" => 2,
        "^" => 3,
        "!" => 4,
        _ => 0,
    }
}

impl Function {
    /// Reads it; `pins` are the names that may be in it. By precedence, with two stacks.
    pub fn read(text: &str, pins: &[String]) -> Result<Self> {
        let (mut output, mut stack): (Vec<Op>, Vec<&str>) = (vec![], vec![]);
        fn emit(output: &mut Vec<Op>, op: &str) {
            output.push(match op {
                "|" => Op::Or,
                "&" => Op::And,
                "^" => Op::Xor,
                _ => Op::Not,
            });
        }
        let mut after_operand = false;
        for word in words(text) {
            let starts = !matches!(word.as_str(), ")" | "|" | "&" | "^" | "'");
            let binary: &[&str] = match word.as_str() {
                "|" => &["|"],
                "&" => &["&"],
                "^" => &["^"],
                _ if starts && after_operand => &["&"],
                _ => &[],
            };
            for op in binary {
                while let Some(top) = stack.pop_if(|top| strength(top) >= strength(op)) {
                    emit(&mut output, top);
                }
                stack.push(op);
            }
            match word.as_str() {
                "|" | "&" | "^" => after_operand = false,
                "'" => {
                    // Of the operand just before, not of what `!` has done to it: that is the same.
                    output.push(Op::Not);
                }
                "!" => {
                    stack.push("!");
                    after_operand = false;
                }
                "(" => {
                    stack.push("(");
                    after_operand = false;
                }
                ")" => {
                    while let Some(op) = stack.pop_if(|op| *op != "(") {
                        emit(&mut output, op);
                    }
                    ensure!(stack.pop().is_some(), "a bracket too many in the function `{text}`");
                    after_operand = true;
                }
                name => {
                    output.push(match pins.iter().position(|pin| pin == name) {
                        Some(pin) => Op::Pin(pin),
                        None if name == "0" || name == "1" => Op::Constant(name == "1"),
                        None => bail!("`{name}` in the function `{text}` is no pin"),
                    });
                    after_operand = true;
                }
            }
        }
        ensure!(!stack.contains(&"("), "a bracket does not end in the function `{text}`");
        while let Some(op) = stack.pop() {
            emit(&mut output, op);
        }
        let function = Self(output);
        ensure!(function.is_one_value(), "`{text}` is no function");
        Ok(function)
    }

    /// Whether every operator has its operands, no more than there is room for in [`Self::value`], and one value is left.
    fn is_one_value(&self) -> bool {
        let mut values = 0u32;
        let has_operands = self.0.iter().all(|op| {
            let (taken, room) = match op {
                Op::Pin(_) | Op::Constant(_) => (0, values < 64),
                Op::Not => (1, true),
                Op::And | Op::Or | Op::Xor => (2, true),
            };
            let holds = values >= taken && room;
            values = (values + 1).saturating_sub(taken);
            holds
        });
        has_operands && values == 1
    }

    /// Its value, where bit i is pin i.
    pub fn value(&self, pins: u32) -> bool {
        // A stack of bits, of which the lowest is its top.
        let mut stack = 0u64;
        for op in &self.0 {
            let (a, b) = (stack & 1, stack >> 1 & 1);
            stack = match *op {
                Op::Pin(pin) => stack << 1 | u64::from(pins >> pin & 1),
                Op::Constant(value) => stack << 1 | u64::from(value),
                Op::Not => stack ^ 1,
                Op::And => (stack >> 2) << 1 | (a & b),
                Op::Or => (stack >> 2) << 1 | (a | b),
                Op::Xor => (stack >> 2) << 1 | (a ^ b),
            };
        }
        stack & 1 == 1
    }

    pub fn verilog(&self, pins: &[String]) -> String {
        let mut stack: Vec<String> = vec![];
        for op in &self.0 {
            // There is always one: `read` has counted.
            let mut operand = || stack.pop().unwrap_or_default();
            let mut binary = |sign: &str| {
                let (b, a) = (operand(), operand());
                format!("({a} {sign} {b})")
            };
            let text = match op {
                Op::Pin(pin) => pins[*pin].clone(),
                Op::Constant(value) => format!("1'b{}", u8::from(*value)),
                Op::Not => format!("(~{})", operand()),
                Op::And => binary("&"),
                Op::Or => binary("|"),
                Op::Xor => binary("^"),
            };
            stack.push(text);
        }
        stack.pop().unwrap_or_default()
    }

    pub fn uses(&self, pin: usize) -> bool {
        self.0.contains(&Op::Pin(pin))
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut in_name = false;
    for c in text.chars() {
        let is_name = c.is_alphanumeric() || "_[].".contains(c);
        match c {
            _ if is_name && in_name => words.last_mut().into_iter().for_each(|word| word.push(c)),
            _ if is_name || "()!'^".contains(c) => words.push(c.to_string()),
            '*' | '&' => words.push("&".into()),
            '+' | '|' => words.push("|".into()),
            _ => {}
        }
        in_name = is_name;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_written_in_libraries() {
        let pins = ["A", "B", "C"].map(String::from);
        for (text, expected) in [
            ("(!(A B))", [1, 1, 1, 0, 1, 1, 1, 0]),
            ("!A & B | C", [0, 0, 1, 0, 1, 1, 1, 1]),
            ("(A B)' C", [0, 0, 0, 0, 1, 1, 1, 0]),
            ("A'+B C", [1, 0, 1, 0, 1, 0, 1, 1]),
            ("A B ^ C", [0, 0, 0, 1, 0, 1, 0, 0]),
            ("!(A ^ B) * !!C", [0, 0, 0, 0, 1, 0, 0, 1]),
        ] {
            let function = Function::read(text, &pins).unwrap();
            let values = [0, 1, 2, 3, 4, 5, 6, 7].map(|pins| u8::from(function.value(pins)));
            assert_eq!(values, expected, "{text}");
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        let pins = ["A", "B"].map(String::from);
        for text in ["", "A &", "!", "(A", "A)", "()", "A D", "| B", &"(A ^ ".repeat(65)] {
            assert!(Function::read(text, &pins).is_err(), "{text}");
        }
    }
}
