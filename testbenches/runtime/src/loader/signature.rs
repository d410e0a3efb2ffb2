//! The kernels of an ELF file that was compiled from OpenCL C: their names and parameters.
//!
//! The compiler leaves them as JSON in a section of its own, [`SECTION`], which is not loaded. Each kernel has its own
//! start code, and a section for its `__local` variables; all of these lie at the start of shared memory, since
//! one kernel runs at a time.
use object::{Object, ObjectSection, ObjectSymbol};
use serde::{Deserialize, Serialize};

/// Name of the section.
pub const SECTION: &str = ".warploom.kernels";

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

impl Parameter {
    /// Of a value: its type, if it is a number.
    pub fn scalar(&self) -> Option<Scalar> {
        Scalar::by_name(&self.type_name)
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
        if self.scalar().is_some_and(|scalar| scalar.bytes == 8) { 2 } else { 1 }
    }
}

/// The kernels of an ELF file; none if it is not from OpenCL C.
pub fn kernels(bytes: &[u8]) -> Vec<KernelSignature> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let section = file.section_by_name(SECTION).and_then(|section| section.data().ok());
    section.and_then(|json| serde_json::from_slice(json).ok()).unwrap_or_default()
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
