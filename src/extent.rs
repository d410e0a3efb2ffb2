//! Work-items in up to three dimensions, as on the command line: how many, and which is the first.
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Work-items or threads in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Extent {
    /// One in each dimension that is not named.
    pub sizes: [u32; 3],
    /// How many dimensions are named.
    pub dimensions: usize,
}

/// Number of the first work-item in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Offset(pub [u32; 3]);

/// Numbers from `least` up for the dimensions that are named, and how many those are.
fn dimensions(text: &str, least: u32) -> Result<([u32; 3], usize), String> {
    let mut numbers = [least; 3];
    let parts: Vec<&str> = text.split(',').collect();
    let wrong = || format!("it is X, X,Y or X,Y,Z, each from {least} to {}", u32::MAX);
    if parts.len() > numbers.len() {
        return Err(wrong());
    }
    for (number, part) in numbers.iter_mut().zip(&parts) {
        *number = part.trim().parse().ok().filter(|number| *number >= least).ok_or_else(wrong)?;
    }
    Ok((numbers, parts.len()))
}

fn shown(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

impl FromStr for Extent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        dimensions(text, 1).map(|(sizes, dimensions)| Self { sizes, dimensions })
    }
}

impl FromStr for Offset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        dimensions(text, 0).map(|(numbers, _)| Self(numbers))
    }
}

/// In no more dimensions than it takes.
impl From<[u32; 3]> for Extent {
    fn from(sizes: [u32; 3]) -> Self {
        Self { sizes, dimensions: sizes.iter().rposition(|&size| size > 1).map_or(1, |last| last + 1) }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.sizes[..self.dimensions]))
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl From<Extent> for String {
    fn from(extent: Extent) -> Self {
        extent.to_string()
    }
}

impl From<Offset> for String {
    fn from(offset: Offset) -> Self {
        offset.to_string()
    }
}

impl TryFrom<String> for Extent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl TryFrom<String> for Offset {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents() {
        for (text, sizes, dimensions) in
            [("64", [64, 1, 1], 1), ("8,4", [8, 4, 1], 2), ("8,1", [8, 1, 1], 2), ("2,3,4", [2, 3, 4], 3)]
        {
            let extent = Extent { sizes, dimensions };
            assert_eq!((text.parse(), extent.to_string().as_str()), (Ok(extent), text));
        }
        assert_eq!(
            ["1", "8", "8,4", "1,1,2"].map(String::from),
            [[1, 1, 1], [8, 1, 1], [8, 4, 1], [1, 1, 2]].map(|sizes| Extent::from(sizes).to_string())
        );
        assert!(["", "0", "1,2,3,4", "x", "4,"].iter().all(|text| text.parse::<Extent>().is_err()));
    }

    #[test]
    fn offsets() {
        assert_eq!(["0", "7,5"].map(|text| text.parse()), [Ok(Offset([0, 0, 0])), Ok(Offset([7, 5, 0]))]);
        assert!(["", "-1", "1,2,3,4", "4,", "4294967296"].iter().all(|text| text.parse::<Offset>().is_err()));
    }
}
