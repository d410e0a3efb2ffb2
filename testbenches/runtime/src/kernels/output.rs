//! Output buffers and what they should hold.
use std::collections::BTreeMap;
use std::fmt;

/// What an output should be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expected {
    /// Exactly this.
    Words(Vec<u32>),
    /// Any of several results, depending on which thread comes first; a check has found this.
    OneOfMany(Option<Mismatch>),
}

/// An output buffer after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name in the kernel's source.
    pub name: &'static str,
    /// What the device wrote.
    pub words: Vec<u32>,
    are_floats: bool,
    expected: Expected,
}

/// The first wrong word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Buffer.
    pub buffer: &'static str,
    /// Word in the buffer.
    pub index: usize,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub got: u32,
    /// Whether it is a float.
    pub is_float: bool,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { buffer, index, expected, got, is_float } = self;
        let got = if *is_float { float(*got) } else { integer(*got) };
        write!(f, "{buffer}[{index}] is {got}, expected {expected}")
    }
}

fn integer(word: u32) -> String {
    format!("{word} ({word:#x})")
}

fn float(word: u32) -> String {
    format!("{} ({word:#x})", f32::from_bits(word))
}

impl Output {
    /// An output with one right result.
    pub fn exact(name: &'static str, words: Vec<u32>, expected: Vec<u32>) -> Self {
        assert_eq!(words.len(), expected.len(), "the reference of {name} has another size");
        Self { name, words, are_floats: false, expected: Expected::Words(expected) }
    }

    /// An output of floats with one right result, to the last bit.
    pub fn floats(name: &'static str, words: Vec<u32>, expected: Vec<f32>) -> Self {
        let expected = expected.iter().map(|value| value.to_bits()).collect();
        Self { are_floats: true, ..Self::exact(name, words, expected) }
    }

    /// An output whose right results depend on the schedule; `wrong(index, word)` says what a wrong word should be.
    pub fn schedule_dependent(
        name: &'static str,
        words: Vec<u32>,
        wrong: impl Fn(usize, u32) -> Option<String>,
    ) -> Self {
        let found = words.iter().enumerate().find_map(|(index, &got)| {
            wrong(index, got).map(|expected| Mismatch { buffer: name, index, expected, got, is_float: false })
        });
        Self { name, words, are_floats: false, expected: Expected::OneOfMany(found) }
    }

    /// An output that holds every number below its length once, in an order that depends on the schedule.
    pub fn permutation(name: &'static str, words: Vec<u32>) -> Self {
        let first: BTreeMap<u32, usize> = words.iter().enumerate().rev().map(|(index, &word)| (word, index)).collect();
        let n = words.len();
        let wrong = |index: usize, word: u32| match first.get(&word) {
            _ if word as usize >= n => Some(format!("a number below {n}")),
            Some(&before) if before != index => Some(format!("another number than {name}[{before}]")),
            _ => None,
        };
        Self::schedule_dependent(name, words, wrong)
    }

    /// Whether two right runs may differ here.
    pub fn is_schedule_dependent(&self) -> bool {
        matches!(self.expected, Expected::OneOfMany(_))
    }

    /// The first wrong word.
    pub fn mismatch(&self) -> Option<Mismatch> {
        match &self.expected {
            Expected::OneOfMany(found) => found.clone(),
            Expected::Words(expected) => {
                let index = (0..expected.len()).find(|&index| self.words[index] != expected[index])?;
                let (word, got, is_float) = (expected[index], self.words[index], self.are_floats);
                let expected = if is_float { float(word) } else { integer(word) };
                Some(Mismatch { buffer: self.name, index, expected, got, is_float })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Output;

    #[test]
    fn the_first_wrong_word_is_reported() {
        let output = Output::exact("c", vec![1, 2, 9, 9], vec![1, 2, 3, 4]);
        assert_eq!(output.mismatch().unwrap().to_string(), "c[2] is 9 (0x9), expected 3 (0x3)");
        let even = |_: usize, word: u32| (word % 2 == 1).then(|| "an even number".to_string());
        let output = Output::schedule_dependent("d", vec![2, 3], even);
        assert!(output.is_schedule_dependent());
        assert_eq!(output.mismatch().unwrap().to_string(), "d[1] is 3 (0x3), expected an even number");
        let got = |words: &[u32]| Output::permutation("p", words.to_vec()).mismatch().map(|m| m.to_string());
        assert_eq!(got(&[2, 0, 1]), None);
        assert_eq!(got(&[2, 1, 2]).unwrap(), "p[2] is 2 (0x2), expected another number than p[0]");
        assert_eq!(got(&[0, 3, 1]).unwrap(), "p[1] is 3 (0x3), expected a number below 3");
        let output = Output::floats("e", vec![0x3f80_0000, 0x8000_0000], vec![1.0, 0.0]);
        assert_eq!(output.mismatch().unwrap().to_string(), "e[1] is -0 (0x80000000), expected 0 (0x0)");
    }
}
