//! Source lines of instructions, from an ELF file's DWARF (`.debug_line`).
use addr2line::Context;
use addr2line::gimli::{self, EndianSlice, LittleEndian};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection};

use super::placement::Placement;

/// Which source line every instruction comes from. Where a function was inlined, the line is the one in that function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLines {
    files: Vec<String>,
    /// By address, without overlaps.
    ranges: Vec<Range>,
}

/// Instructions from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    start: u32,
    end: u32,
    /// Index into the files.
    file: usize,
    line: u32,
}

impl SourceLines {
    /// Reads the line table. A file without one, or with one that cannot be read, has no lines: they only help people
    /// to find their way.
    pub fn from_elf(bytes: &[u8]) -> Self {
        Self::read(bytes).unwrap_or_default()
    }

    /// File and line of the instruction at `pc`. The file is named as the compiler was given it.
    pub fn line(&self, pc: u32) -> Option<(&str, u32)> {
        let next = self.ranges.partition_point(|range| range.start <= pc);
        let range = self.ranges[..next].last().filter(|range| pc < range.end)?;
        Some((&self.files[range.file], range.line))
    }

    /// The files that lines are in, in the order in which code comes from them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let file = object::File::parse(bytes).ok()?;
        let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
            Ok(EndianSlice::new(data.unwrap_or_default(), LittleEndian))
        };
        let context = Context::from_dwarf(gimli::Dwarf::load(section).ok()?).ok()?;
        let placement =
            ElfFile32::<Endianness>::parse(bytes).map(|file| Placement::of(&file, bytes)).unwrap_or_default();
        let mut lines = Self::default();
        for (start, size, location) in context.find_location_range(0, u64::from(u32::MAX)).ok()? {
            if let (Some(name), Some(line)) = (location.file, location.line.filter(|&line| line > 0)) {
                let file = lines.number(name.trim_start_matches("./"));
                let start = placement.of_code(start as u32);
                lines.ranges.push(Range { start, end: start.saturating_add(size as u32), file, line });
            }
        }
        lines.ranges.sort_by_key(|range| range.start);
        Some(lines)
    }

    fn number(&mut self, name: &str) -> usize {
        self.files.iter().position(|file| file == name).unwrap_or_else(|| {
            self.files.push(name.to_string());
            self.files.len() - 1
        })
    }
}
