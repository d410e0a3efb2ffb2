//! The names in rust-hdl's syntax tree: `lanes[i*2+1]$x$next`, with arithmetic on loop variables.
use super::LoopVariable;

/// A name taken apart: `lanes[7]$x`, and whether it stood for a driven value.
pub(super) fn resolve(name: &str, loops: &[LoopVariable]) -> Result<String, IndexError> {
    if !name.contains('[') {
        return Ok(name.to_string());
    }
    let mut resolved = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let close = matching_bracket(rest, open).ok_or_else(|| IndexError::Syntax(name.to_string()))?;
        let index = index(&rest[open + 1..close], loops)?;
        resolved.push_str(&rest[..open]);
        resolved.push_str(&format!("[{index}]"));
        rest = &rest[close + 1..];
    }
    resolved.push_str(rest);
    Ok(resolved)
}

fn matching_bracket(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices().skip(open) {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return Some(i),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Why an index has no value.
#[derive(Debug, PartialEq)]
pub(super) enum IndexError {
    /// Not arithmetic over numbers and loop variables.
    Syntax(String),
    /// Neither a number nor a loop variable.
    Unresolved(String),
    /// Below zero, or division by zero.
    Arithmetic(String),
}

/// The value of an index expression, with Rust's precedences on `usize`.
pub(super) fn index(text: &str, loops: &[LoopVariable]) -> Result<u64, IndexError> {
    let mut parser = Parser { text, rest: text, loops };
    let value = parser.binary(0)?;
    if parser.rest.is_empty() { Ok(value) } else { Err(IndexError::Syntax(text.to_string())) }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    loops: &'a [LoopVariable],
}

/// Binary operators by precedence, loosest first.
const OPERATORS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

impl Parser<'_> {
    fn binary(&mut self, level: usize) -> Result<u64, IndexError> {
        let Some(operators) = OPERATORS.get(level) else { return self.operand() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.rest.starts_with(**operator)) {
            self.rest = &self.rest[operator.len()..];
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right).ok_or_else(|| IndexError::Arithmetic(self.text.to_string()))?;
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<u64, IndexError> {
        if let Some(inner) = self.rest.strip_prefix('(') {
            self.rest = inner;
            let value = self.binary(0)?;
            self.rest = self.rest.strip_prefix(')').ok_or_else(|| IndexError::Syntax(self.text.to_string()))?;
            return Ok(value);
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if let Some(value) = parse_number(word) {
            return Ok(value);
        }
        match self.loops.iter().rev().find(|variable| variable.name == word) {
            Some(variable) => Ok(variable.value),
            None if word.is_empty() || rest.starts_with('$') => Err(IndexError::Syntax(self.text.to_string())),
            None => Err(IndexError::Unresolved(word.to_string())),
        }
    }
}

fn apply(operator: &str, a: u64, b: u64) -> Option<u64> {
    match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "<<" => a.checked_shl(b.try_into().ok()?),
        ">>" => a.checked_shr(b.try_into().ok()?),
        "&" => Some(a & b),
        "^" => Some(a ^ b),
        "|" => Some(a | b),
        _ => None,
    }
}

/// A Rust integer literal: `12`, `0x1f`, `0b1010_u32`, `7usize`.
pub(super) fn parse_number(text: &str) -> Option<u64> {
    let digits = text.replace('_', "");
    let suffixes = ["usize", "u64", "u32", "u16", "u8", "i64", "i32", "i16", "i8"];
    let digits = suffixes.iter().find_map(|suffix| digits.strip_suffix(suffix)).unwrap_or(&digits);
    match digits.get(..2) {
        Some("0x") => u64::from_str_radix(&digits[2..], 16).ok(),
        Some("0b") => u64::from_str_radix(&digits[2..], 2).ok(),
        Some("0o") => u64::from_str_radix(&digits[2..], 8).ok(),
        _ => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops() -> Vec<LoopVariable> {
        vec![LoopVariable { name: "i".into(), value: 5 }, LoopVariable { name: "j".into(), value: 2 }]
    }

    #[test]
    fn indices_follow_rust() {
        for (text, value) in
            [("i", 5), ("i*2+j", 12), ("i-(j+1)", 2), ("i%3*4", 8), ("i/j", 2), ("i^1", 4), ("0x10", 16)]
        {
            assert_eq!(index(text, &loops()), Ok(value), "{text}");
        }
        assert_eq!(resolve("lanes[i*2]$x[j]$y", &loops()).unwrap(), "lanes[10]$x[2]$y");
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(index("i-9", &loops()), Err(IndexError::Arithmetic("i-9".into())));
        assert_eq!(index("_n", &loops()), Err(IndexError::Unresolved("_n".into())));
        assert!(index("k$val()$index()", &loops()).is_err());
        assert!(index("i+", &loops()).is_err());
    }
}
