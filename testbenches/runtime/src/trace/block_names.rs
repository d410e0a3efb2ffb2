//! Short names of basic blocks.
use crate::loader::Program;

/// Of a program's blocks, in the order of their addresses. Blocks keep their names and colours from picture to picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockNames {
    /// First address, name, place.
    blocks: Vec<(u32, String, String)>,
}

impl BlockNames {
    /// A short label of the program's own, else letters. The places have source lines as far as the program has them.
    pub fn of(program: &Program) -> Self {
        let label = |start: &u32| program.symbols.get(start).filter(|label| label.len() <= 2).cloned();
        let labels: Vec<Option<String>> = program.blocks.iter().map(label).collect();
        let mut unused = (0..).map(letters).filter(|name| !labels.iter().flatten().any(|label| label == name));
        let named = program.blocks.iter().zip(&labels).map(|(&start, label)| {
            let name = label.clone().or_else(|| unused.next()).unwrap_or_default();
            let line = program.lines.line(start).map_or(String::new(), |(file, line)| format!(" {file}:{line}"));
            (start, name, format!("{}{line}", program.place(start)))
        });
        Self { blocks: named.collect() }
    }

    /// Position of the block that starts there; it decides the colour.
    pub fn index(&self, start: u32) -> Option<usize> {
        self.blocks.binary_search_by_key(&start, |block| block.0).ok()
    }

    /// Name of a block.
    pub fn name(&self, start: u32) -> &str {
        self.index(start).map_or("?", |index| &self.blocks[index].1)
    }

    /// Where a block is.
    pub fn place(&self, start: u32) -> &str {
        self.index(start).map_or("?", |index| &self.blocks[index].2)
    }

    /// Name and place, for a legend.
    pub fn describe(&self, start: u32) -> String {
        format!("{}  {}", self.name(start), self.place(start))
    }
}

/// A to Z, AA to AZ, BA...
fn letters(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        rest => format!("{}{letter}", letters(rest - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockNames, letters};
    use crate::kernels::micro;

    #[test]
    fn short_labels_are_kept_and_letters_fill_in() {
        let program = |micro: &str| micro::find(micro).unwrap().binary.program();
        let of = |micro: &str| BlockNames::of(&program(micro));
        let example = of("rhu_4_1");
        let names: Vec<&str> = example.blocks.iter().map(|block| block.1.as_str()).collect();
        assert_eq!(names, ["A", "C", "E", "D", "F", "B", "G"]);
        let other = of("branchy");
        assert_eq!(other.describe(other.blocks[1].0), format!("B  {}", other.blocks[1].2));
        assert!(other.blocks[1].2.ends_with("<loop>"), "{:?}", other.blocks[1]);
        assert_eq!([25, 26, 51, 52, 701, 702].map(letters), ["Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
