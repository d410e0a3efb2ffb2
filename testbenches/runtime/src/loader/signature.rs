//! The kernels of an ELF file that was compiled from OpenCL C: their names and parameters.
//!
//! The compiler leaves them as JSON in a section of its own, [`SECTION`], which is not loaded. Each kernel has its own
//! start code, and a section for its `__local` variables; all of these lie at the start of shared memory, since
//! one kernel runs at a time.
use object::{Object, ObjectSection, ObjectSymbol};
use serde::{Deserialize, Serialize};

use super::{MOST_ARGUMENT_WORDS, REGISTER_ARGUMENTS};

/// Name of the section.
pub const SECTION: &str = ".warploom.kernels";

/// Name of the section in which the start code of a kernel in C has a word: how many words of arguments there are, where registers
/// do not hold them.
pub(crate) const ARGUMENTS: &str = ".warploom.arguments";

/// A kernel of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelSignature {
    /// Its name in the source.
    pub name: String,
    /// What it is given, in order.
    pub parameters: Vec<Parameter>,
    /// Size of its work-groups, if the source prescribes it (`reqd_work_group_size`).
    pub work_group: Option<[u32; 3]>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// Its type, without the address space: `int*`, `uint`.
    pub type_name: String,
    /// What it points to, if it is a pointer.
    pub space: Space,
    /// Its size in bytes. Files of before there were others have words, and two of them for those of 64 bits.
    #[serde(default)]
    bytes: Option<u32>,
}

/// OpenCL's address spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// No pointer, but a value.
    Private,
    /// Global memory.
    Global,
    /// Global memory that is only read.
    Constant,
    /// Shared memory of the CTA.
    Local,
}

/// What the bits of a scalar mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer with a sign.
    Signed,
    /// One without.
    Unsigned,
    /// binary32.
    Float,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Size in bytes.
    pub bytes: u32,
    /// What they mean.
    pub kind: Kind,
}

impl Scalar {
    /// OpenCL's name of the type: `uchar`.
    pub fn by_name(name: &str) -> Option<Self> {
        if name == "float" {
            return Some(Self { bytes: 4, kind: Kind::Float });
        }
        let types = [("char", 1), ("short", 2), ("int", 4), ("long", 8)];
        let (kind, name) = name.strip_prefix('u').map_or((Kind::Signed, name), |rest| (Kind::Unsigned, rest));
        types.iter().find(|(other, _)| *other == name).map(|&(_, bytes)| Self { bytes, kind })
    }
}

impl KernelSignature {
    /// Words of all its arguments.
    pub fn words(&self) -> usize {
        self.parameters.iter().map(Parameter::words).sum()
    }

    /// Whether the start code hands over all of them in registers; if not, the kernel reads the argument block.
    pub fn fits_registers(&self) -> bool {
        let is_word = |parameter: &Parameter| parameter.space != Space::Private || parameter.scalar().is_some();
        self.words() <= REGISTER_ARGUMENTS && self.parameters.iter().all(is_word)
    }
}

impl Parameter {
    /// One of this size.
    pub fn new(name: String, type_name: String, space: Space, bytes: u32) -> Self {
        Self { name, type_name, space, bytes: Some(bytes) }
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        let default = || if self.scalar().is_some_and(|scalar| scalar.bytes == 8) { 8 } else { 4 };
        self.bytes.unwrap_or_else(default) as usize
    }

    /// Of a value: its type, if it is a number.
    pub fn scalar(&self) -> Option<Scalar> {
        Scalar::by_name(&self.type_name)
    }

    /// Of a value: the type and the number of its elements, if it is a vector.
    pub fn vector(&self) -> Option<(Scalar, usize)> {
        let name = self.type_name.trim_end_matches(|c: char| c.is_ascii_digit());
        let count = self.type_name[name.len()..].parse().ok()?;
        let count = Some(count).filter(|count| [2, 3, 4, 8, 16].contains(count))?;
        Some((Scalar::by_name(name)?, count))
    }

    /// Of a pointer to numbers or vectors of them: their type; of `half`, which is in memory only, that of its bits.
    pub fn element(&self) -> Option<Scalar> {
        let pointee = self.type_name.strip_suffix('*')?;
        if pointee == "half" {
            return Some(Scalar { bytes: 2, kind: Kind::Unsigned });
        }
        Scalar::by_name(pointee.trim_end_matches(|c: char| c.is_ascii_digit()))
    }

    /// Words of the argument block that it takes.
    pub fn words(&self) -> usize {
        self.bytes().div_ceil(4)
    }
}

/// The kernels of an ELF file; none if it is not from OpenCL C.
pub fn kernels(bytes: &[u8]) -> Vec<KernelSignature> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let section = file.section_by_name(SECTION).and_then(|section| section.data().ok());
    section.and_then(|json| serde_json::from_slice(json).ok()).unwrap_or_default()
}

/// Words of arguments of this kernel of a file, or of one in C, whose start code says so if they are more than fit registers.
pub(super) fn argument_words<'a>(file: &impl Object<'a>, kernels: &[KernelSignature], kernel: Option<&str>) -> usize {
    let of_cl = kernels.iter().find(|other| Some(other.name.as_str()) == kernel).map(KernelSignature::words);
    let of_c = || {
        let section = file.section_by_name(ARGUMENTS)?.data().ok()?;
        Some(u32::from_le_bytes(section.try_into().ok()?) as usize)
    };
    of_cl.or_else(of_c).unwrap_or(REGISTER_ARGUMENTS).clamp(REGISTER_ARGUMENTS, MOST_ARGUMENT_WORDS)
}

/// Name of the start code of a kernel.
pub(crate) fn start_of(kernel: &str) -> String {
    format!("_start.{kernel}")
}

/// Name of the section of its `__local` variables.
pub(crate) fn shared_of(kernel: &str) -> String {
    format!(".shared.{kernel}")
}

/// Where a kernel of a file starts, and how much shared memory it places.
pub(super) fn place<'a>(file: &impl Object<'a>, kernel: &str) -> Option<(u32, u64)> {
    let start = file.symbols().find(|symbol| symbol.name() == Ok(&start_of(kernel)))?;
    let shared = file.section_by_name(&shared_of(kernel)).map_or(0, |section| section.size());
    Some((start.address() as u32, shared))
}
