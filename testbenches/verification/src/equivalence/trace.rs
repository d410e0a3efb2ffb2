//! Values of ports, cycle by cycle.
use std::collections::HashMap;
use std::fmt::Write;

use warploom_hdl::word::mask;

/// A port by its name in the Rust source: `lane_data[3]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Bits.
    pub width: usize,
}

/// What some ports carry in every cycle: a stimulus, a response, or a recording of either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    ports: Vec<Port>,
    columns: HashMap<String, usize>,
    values: Vec<u64>,
}

impl Trace {
    /// No cycle yet.
    pub fn new(ports: Vec<Port>) -> Self {
        let columns = ports.iter().enumerate().map(|(i, port)| (port.name.clone(), i)).collect();
        Self { ports, columns, values: vec![] }
    }

    /// The ports, in the order of the values of a cycle.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Where the values of a port are in a row.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn column(&self, name: &str) -> usize {
        *self.columns.get(name).unwrap_or_else(|| panic!("no port `{name}` in the trace"))
    }

    /// Appends a cycle, in the order of [`ports`](Self::ports).
    ///
    /// # Panics
    /// If there is not one value for each port.
    pub fn push(&mut self, row: impl IntoIterator<Item = u64>) {
        let before = self.values.len();
        self.values.extend(row);
        assert_eq!(self.values.len() - before, self.ports.len(), "one value for each port");
    }

    /// The cycles.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.values.chunks_exact(self.ports.len().max(1))
    }

    /// How often each bit of a port was 0 and 1: whether both were seen, as a mask.
    pub(super) fn toggled(&self, column: usize) -> u64 {
        let (ones, zeros) = self.rows().fold((0, 0), |(ones, zeros), row| (ones | row[column], zeros | !row[column]));
        ones & zeros
    }

    /// Bits of a cycle when they stand side by side, in whole 32-bit words: at least three, so that every tool
    /// treats them alike.
    pub(super) fn packed_words(ports: &[Port]) -> usize {
        ports.iter().map(|port| port.width).sum::<usize>().div_ceil(32).max(3)
    }

    /// The words of each cycle, the first port in the lowest bits.
    fn packed(&self) -> impl Iterator<Item = Vec<u32>> {
        self.rows().map(|row| {
            let mut words = vec![0u32; Self::packed_words(&self.ports)];
            let mut at = 0;
            for (port, &value) in self.ports.iter().zip(row) {
                let (first, shifted) = (at / 32, u128::from(value) << (at % 32));
                for (word, of) in words[first..].iter_mut().zip(0..(at % 32 + port.width).div_ceil(32)) {
                    *word |= (shifted >> (32 * of)) as u32;
                }
                at += port.width;
            }
            words
        })
    }

    /// The cycles as words in little-endian order.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.packed().flatten().flat_map(u32::to_le_bytes).collect()
    }

    /// Reads [`to_bytes`](Self::to_bytes) back.
    pub(super) fn from_bytes(ports: Vec<Port>, bytes: &[u8]) -> Self {
        let mut trace = Self::new(ports);
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        for cycle in bytes.chunks_exact(4 * Self::packed_words(&trace.ports)) {
            let words: Vec<u32> = cycle.chunks_exact(4).map(word).collect();
            let mut at = 0;
            let mut row = vec![];
            for port in &trace.ports {
                let around = words[at / 32..].iter().take(3).enumerate();
                let around = around.fold(0u128, |all, (of, &word)| all | u128::from(word) << (32 * of));
                row.push((around >> (at % 32)) as u64 & mask(port.width));
                at += port.width;
            }
            trace.push(row);
        }
        trace
    }

    /// The cycles as lines of hexadecimal digits, the first port in the lowest bits.
    pub(super) fn to_hex(&self) -> String {
        let mut text = String::new();
        for words in self.packed() {
            words.iter().rev().for_each(|word| write!(text, "{word:08x}").expect("writing to a string"));
            text.push('\n');
        }
        text
    }

    /// Reads [`to_hex`](Self::to_hex) back. A digit that is no number (`x`) gives the name of the port it stands in.
    pub(super) fn from_hex(ports: Vec<Port>, text: &str) -> Result<Self, String> {
        let mut trace = Self::new(ports);
        for (cycle, line) in text.lines().enumerate() {
            let digits: Vec<_> = line.trim().chars().rev().map(|c| c.to_digit(16)).collect();
            let mut at = 0;
            let mut row = vec![];
            for port in &trace.ports {
                let mut value = 0;
                for bit in 0..port.width {
                    match digits.get((at + bit) / 4).copied().flatten() {
                        Some(digit) => value |= ((digit >> ((at + bit) % 4) & 1) as u64) << bit,
                        None => return Err(format!("`{}` is unknown in cycle {cycle}: {line}", port.name)),
                    }
                }
                row.push(value);
                at += port.width;
            }
            trace.push(row);
        }
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let ports = [("a", 3), ("b", 64), ("c", 33)].map(|(name, width)| Port { name: name.into(), width });
        let mut trace = Trace::new(ports.to_vec());
        trace.push([5, u64::MAX, 1 << 32]);
        trace.push([2, 1 << 63, 1]);
        assert_eq!(Trace::from_hex(ports.to_vec(), &trace.to_hex()).as_ref(), Ok(&trace));
        assert_eq!(Trace::from_bytes(ports.to_vec(), &trace.to_bytes()), trace);
    }

    #[test]
    fn unknown_digits_are_named() {
        let ports = vec![Port { name: "a".into(), width: 4 }, Port { name: "b".into(), width: 4 }];
        assert_eq!(Trace::from_hex(ports, "x1").unwrap_err(), "`b` is unknown in cycle 0: x1");
    }
}
