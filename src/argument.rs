//! What the user gives a kernel of their own: numbers and buffers.
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use warploom_runtime::loader::signature::Kind;

/// An argument, by its place or by the name of its parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Argument {
    /// The parameter's name; kernels in C and assembler have none.
    pub name: Option<String>,
    /// What it is given.
    pub value: Value,
}

/// What a parameter is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// This number.
    Number(i128),
    /// The bits of this float.
    Float(u32),
    /// The elements of a vector, each a number.
    Elements(Vec<Value>),
    /// The bytes of a structure or a vector.
    Bytes(Vec<u8>),
    /// The address of a new buffer.
    Buffer {
        /// What is in it.
        contents: Contents,
        /// Of its elements.
        element: Element,
        /// Elements.
        count: usize,
    },
    /// The address of a new buffer with a file's contents; of a structure or a vector, the contents.
    File {
        /// The file.
        path: PathBuf,
        /// Of its elements, if it matters.
        element: Option<Element>,
    },
}

/// What is in a new buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Zeros; in shared memory, nothing in particular.
    Zero,
    /// Random elements.
    Random,
    /// 0, 1, 2, ...
    Iota,
    /// Shared memory of the CTA.
    Local,
}

/// Type of a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Size in bytes.
    pub bytes: usize,
    /// What they mean: no more than a name, but for what fills a buffer.
    pub kind: Kind,
}

/// Names of the contents in a buffer's description, with the plurals that came first.
const CONTENTS: [(&str, Contents); 5] = [
    ("zero", Contents::Zero),
    ("zeros", Contents::Zero),
    ("random", Contents::Random),
    ("iota", Contents::Iota),
    ("local", Contents::Local),
];
const fn element(bytes: usize, kind: Kind) -> Element {
    Element { bytes, kind }
}

/// Names of the types.
const TYPES: [(&str, Element); 9] = [
    ("i8", element(1, Kind::Signed)),
    ("u8", element(1, Kind::Unsigned)),
    ("i16", element(2, Kind::Signed)),
    ("u16", element(2, Kind::Unsigned)),
    ("i32", element(4, Kind::Signed)),
    ("u32", element(4, Kind::Unsigned)),
    ("i64", element(8, Kind::Signed)),
    ("u64", element(8, Kind::Unsigned)),
    ("f32", element(4, Kind::Float)),
];
/// Elements of a buffer at most.
const MOST: usize = 1 << 28;

impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        TYPES
            .iter()
            .find(|(name, _)| *name == text)
            .map(|&(_, element)| element)
            .ok_or_else(|| format!("there is no type `{text}`; there are i8, u8, i16, u16, i32, u32, i64, u64 and f32"))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = TYPES.iter().find(|(_, element)| element == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("file:") {
            // A path may have colons, too: what is behind the last one is a type if it is called like one.
            let typed = path.rsplit_once(':').and_then(|(path, element)| Some((path, element.parse().ok()?)));
            let (path, element) = typed.map_or((path, None), |(path, element)| (path, Some(element)));
            return if path.is_empty() {
                Err("a file is file:PATH or file:PATH:TYPE".into())
            } else {
                Ok(Self::File { path: path.into(), element })
            };
        }
        let mut parts = text.split(':');
        let kind = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        if kind == "hex" {
            let bytes = rest.first().filter(|_| rest.len() == 1).and_then(|digits| bytes(digits));
            return bytes
                .map(Self::Bytes)
                .ok_or_else(|| "bytes are hex:, and two digits for each, as in hex:00ff10".into());
        }
        let Some(&(_, contents)) = CONTENTS.iter().find(|(name, _)| *name == kind) else {
            let scalar = |text| number(text).map(Self::Number).or_else(|| float(text).map(Self::Float));
            let elements = || text.split(',').map(|text| scalar(text.trim())).collect::<Option<Vec<_>>>();
            let vector = || elements().filter(|elements| elements.len() > 1).map(Self::Elements);
            return scalar(text).or_else(vector).ok_or_else(|| {
                "it is a number (decimal, 0x... or with a point), several for a vector, as in 1,2, or a buffer: zero, random or iota \
                 with :TYPE:COUNT, or file:PATH"
                    .into()
            });
        };
        let (element, count) = match rest.as_slice() {
            [count] => (Element { bytes: 4, kind: Kind::Unsigned }, *count),
            [element, count] => (element.parse()?, *count),
            _ => return Err(format!("a buffer is {kind}:TYPE:COUNT, as in {kind}:i32:256")),
        };
        match count.parse() {
            Ok(count) if (1..=MOST).contains(&count) => Ok(Self::Buffer { contents, element, count }),
            _ => Err(format!("`{count}`: a buffer has 1 to {MOST} elements")),
        }
    }
}

fn number(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    Some(if negative { -i128::from(value) } else { value.into() })
}

/// At least one, of two digits each.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let is_list =
        !digits.is_empty() && digits.len().is_multiple_of(2) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok());
    bytes.collect::<Option<_>>().filter(|_| is_list)
}

/// With a point or an exponent; what is called `inf` or `nan` is no number here.
fn float(text: &str) -> Option<u32> {
    let is_number =
        text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) && text.contains(['.', 'e', 'E']);
    let value = text.parse::<f32>().ok().filter(|value| is_number && value.is_finite())?;
    Some(value.to_bits())
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            // With a point, or an exponent.
            Self::Float(bits) => write!(f, "{:?}", f32::from_bits(*bits)),
            Self::Elements(elements) => {
                f.write_str(&elements.iter().map(Self::to_string).collect::<Vec<_>>().join(","))
            }
            Self::Bytes(bytes) => {
                f.write_str("hex:")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Self::Buffer { contents, element, count } => {
                let name = CONTENTS.iter().find(|(_, other)| other == contents).map_or("", |(name, _)| name);
                write!(f, "{name}:{element}:{count}")
            }
            Self::File { path, element: None } => write!(f, "file:{}", path.display()),
            Self::File { path, element: Some(element) } => write!(f, "file:{}:{element}", path.display()),
        }
    }
}

impl FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = match text.split_once('=') {
            // In a path, it is what it is.
            Some((name, value)) if !name.contains(':') => (Some(name.to_string()), value),
            _ => (None, text),
        };
        Ok(Self { name, value: value.parse()? })
    }
}

/// As on the command line.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

impl From<Argument> for String {
    fn from(argument: Argument) -> Self {
        argument.to_string()
    }
}

impl TryFrom<String> for Argument {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// For `--buffer`: an argument with a name that is a buffer.
pub fn buffer(text: &str) -> Result<Argument, String> {
    let argument: Argument = text.parse()?;
    match argument {
        Argument { name: None, .. } => Err("it is NAME=KIND:TYPE:COUNT, as in a=random:i32:256".into()),
        Argument { value: Value::Number(_) | Value::Float(_) | Value::Elements(_) | Value::Bytes(_), .. } => {
            Err("that is a value: it is NAME=KIND:TYPE:COUNT, as in a=random:i32:256, or --arg".into())
        }
        argument => Ok(argument),
    }
}

/// A whole number: a size, a count, cycles.
///
/// # Errors
/// If it is none, or negative.
pub fn whole<T: FromStr>(text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| match text.parse::<i128>() {
        Ok(..0) => anyhow::anyhow!("{text} is negative; it is 0 or more"),
        Ok(_) => anyhow::anyhow!("{text} is more than a number can be"),
        Err(_) => anyhow::anyhow!("`{text}` is no number"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_back_as_they_were() {
        for text in [
            "7",
            "n=-3",
            "x=1.5",
            "x=-2e-9",
            "v=1,-2,3.5",
            "p=hex:00ff10",
            "a=random:f32:64",
            "a=random:i32:64",
            "zero:u8:5",
            "b=file:in.bin",
            "b=file:in.bin:i16",
            "b=file:c:/in:out/a=b",
            "b=file:c:/in:out:f32",
            "file:i32:a=b:i32",
            "s=local:i32:9",
        ] {
            assert_eq!(text.parse::<Argument>().map(|argument| argument.to_string()), Ok(text.to_string()));
        }
        let of = |text: &str| text.parse::<Argument>().unwrap().to_string();
        assert_eq!(
            (of("0xffffffff"), of("zeros:8"), of("random:8")),
            ("4294967295".into(), "zero:u32:8".into(), "random:u32:8".into())
        );
        let path = |text: &str| match text.parse::<Argument>().map(|argument| argument.value) {
            Ok(Value::File { path, element }) => (path.display().to_string(), element.is_some()),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(path("b=file:c:/in:i33"), ("c:/in:i33".into(), false));
        assert_eq!(path("b=file:c:/in:i32:i32"), ("c:/in:i32".into(), true));
        assert_eq!(path("file:a=b"), ("a=b".into(), false));
        for text in [
            "",
            "n=",
            "x=1.5f",
            "x=inf",
            "x=1e99",
            "v=1,",
            "1 ",
            "v=1,zero:2",
            "p=hex:",
            "p=hex:0",
            "p=hex:0g",
            "p=hex:+1",
            "p=hex:00:i32:1",
            "a=random:i32:0",
            "a=random:i33:4",
            "a=random:f64:4",
            "a=random",
            "file:",
            "0x",
        ] {
            assert!(text.parse::<Argument>().is_err(), "{text}");
        }
    }
}
