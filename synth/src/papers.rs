//! What papers say of the cost of their mechanisms, to stand beside ours.

/// Sizes of a module, and what a paper says it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The module here.
    pub module: &'static str,
    /// What is swept.
    pub size: &'static str,
    /// Size, and gate equivalents (NAND gates).
    pub gates: &'static [(usize, f64)],
    /// Where it stands, and what for.
    pub source: &'static str,
}

/// All of them.
pub const PUBLISHED: &[Published] = &[Published {
    module: "capt",
    size: "entries",
    gates: &[(2, 733.56), (4, 1432.63), (8, 2840.43), (16, 6005.44), (32, 12338.07)],
    source: "Rhu 2014, Table 4.3: NAND gates, 45 nm",
}];

/// What is published of a module when this size of it is swept.
pub fn published(module: &str, size: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|published| published.module == module && published.size == size)
}

impl Published {
    /// Gate equivalents at a size.
    pub fn gates_at(&self, size: &str) -> Option<f64> {
        let size: usize = size.parse().ok()?;
        self.gates.iter().find(|(other, _)| *other == size).map(|(_, gates)| *gates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_the_paper_and_none() {
        let capt = published("capt", "entries").expect("it is there");
        assert_eq!((capt.gates_at("8"), capt.gates_at("3"), capt.gates_at("x")), (Some(2840.43), None, None));
        assert_eq!(published("capt", "lanes"), None);
    }
}
