//! Points as crosses of dimensions.

/// All combinations of one value of each dimension: each is a point, unless it is impossible.
pub struct Group {
    /// What is crossed.
    pub name: String,
    /// The first is what the others are crossed with.
    pub dimensions: Vec<Dimension>,
    /// By point, the last dimension fastest: why it cannot be hit.
    pub impossible: Vec<Option<&'static str>>,
}

/// One of the things that are crossed.
pub struct Dimension {
    /// What.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<&'static str>,
}

impl Dimension {
    /// A dimension with these values.
    pub fn new(name: &'static str, values: impl IntoIterator<Item = &'static str>) -> Self {
        Self { name, values: values.into_iter().collect() }
    }
}

impl Group {
    /// The cross of these dimensions. `impossible` is asked about every point, by its place in each dimension.
    pub fn new(
        name: String,
        dimensions: Vec<Dimension>,
        impossible: impl Fn(&[usize]) -> Option<&'static str>,
    ) -> Self {
        let mut group = Self { name, dimensions, impossible: vec![] };
        let points = group.dimensions.iter().map(|dimension| dimension.values.len()).product();
        group.impossible = (0..points).map(|point| impossible(&group.place(point))).collect();
        group
    }

    /// Points that can be hit.
    pub fn possible(&self) -> u64 {
        self.impossible.iter().filter(|why| why.is_none()).count() as u64
    }

    /// Which point is in this place of each dimension.
    pub fn point(&self, place: &[usize]) -> usize {
        self.dimensions.iter().zip(place).fold(0, |point, (dimension, at)| point * dimension.values.len() + at)
    }

    /// Where a point is in each dimension.
    pub fn place(&self, mut point: usize) -> Vec<usize> {
        let mut place: Vec<usize> = self
            .dimensions
            .iter()
            .rev()
            .map(|dimension| {
                let at = point % dimension.values.len();
                point /= dimension.values.len();
                at
            })
            .collect();
        place.reverse();
        place
    }

    /// The values that meet in a point.
    pub fn describe(&self, point: usize) -> String {
        let values = self.dimensions.iter().zip(self.place(point)).map(|(dimension, at)| dimension.values[at]);
        values.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_places_are_the_same() {
        let dimensions = vec![Dimension::new("a", ["x", "y"]), Dimension::new("b", ["p", "q", "r"])];
        let group = Group::new("some".into(), dimensions, |place| (place == [1, 2]).then_some("never"));
        assert!((0..6).all(|point| group.point(&group.place(point)) == point));
        assert_eq!(group.describe(3), "y, p");
        assert_eq!(group.impossible, [None, None, None, None, None, Some("never")]);
    }
}
