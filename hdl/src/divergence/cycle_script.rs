//! Sets of home warps, lanes or warps in the cycle scripts of the tests: `02` is {0, 2}, `-` is none.
use crate::prelude::Word;

/// The bits named.
pub fn set(digits: &str) -> Word {
    let bits = digits.chars().filter_map(|digit| digit.to_digit(16)).fold(0, |bits, digit| bits | 1 << digit);
    (bits as usize).into()
}

/// The names of the bits.
pub fn digits(bits: Word) -> String {
    let names: String = (0..16).filter(|i| bits.index() >> i & 1 == 1).map(|i| format!("{i:x}")).collect();
    if names.is_empty() { "-".into() } else { names }
}

/// The cycles of a script: what happens in it, what is seen in it; a third column is a remark.
pub fn cycles(script: &str) -> impl Iterator<Item = (Vec<&str>, Vec<&str>)> {
    script.trim().lines().map(|line| {
        let mut columns = line.split('|').map(|column| column.split_whitespace().collect());
        (columns.next().unwrap_or_default(), columns.next().expect("a cycle has two columns"))
    })
}
