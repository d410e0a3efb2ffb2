//! What belongs together: elements of one array of the hierarchy.
use std::collections::HashMap;

use crate::ir::{MAX_LANES, Path};

/// Arrays of fewer elements stay scalar.
pub const FEWEST_LANES: usize = 4;

/// A path with one index left out, and what else must be equal.
type Family<K> = (Vec<u32>, K);

/// An index in an array, and the position among the items.
type Element = (usize, usize);

/// Positions in `items` of the elements of each array, in array order. An item is in one group at most: the one along
/// its longest array dimension, the outermost of equals. `alike` says what must be equal within a group.
pub fn arrays<K: Clone + Eq + std::hash::Hash>(items: &[(Path, K)]) -> Vec<Vec<usize>> {
    // Every item stands in as many families as its path has indices.
    let mut families: HashMap<Family<K>, Vec<Element>> = HashMap::new();
    let mut names = HashMap::new();
    let keys: Vec<Vec<(Family<K>, usize)>> = items
        .iter()
        .map(|(path, alike)| {
            let keys = families_of(path, &mut names).into_iter();
            keys.map(|(key, index)| ((key, alike.clone()), index)).collect()
        })
        .collect();
    for (i, keys) in keys.iter().enumerate() {
        for (key, index) in keys {
            families.entry(key.clone()).or_default().push((*index, i));
        }
    }
    let mut chosen: HashMap<&Family<K>, Vec<Element>> = HashMap::new();
    let mut order = vec![];
    for (i, keys) in keys.iter().enumerate() {
        let longest = keys.iter().rev().max_by_key(|(key, _)| families[key].len());
        if let Some((key, index)) = longest {
            let group = chosen.entry(key).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push((*index, i));
        }
    }
    let mut groups = vec![];
    for key in order {
        let mut group = chosen.remove(key).unwrap_or_default();
        group.sort_unstable();
        for part in group.chunks(if group.len() > MAX_LANES { MAX_LANES / 2 } else { MAX_LANES }) {
            if part.len() >= FEWEST_LANES {
                groups.push(part.iter().map(|(_, item)| *item).collect());
            }
        }
    }
    groups
}

/// For every index in the path: the path without it, as numbers of its names, and the index.
fn families_of(path: &Path, names: &mut HashMap<String, u32>) -> Vec<(Vec<u32>, usize)> {
    const ANY: u32 = u32::MAX;
    let mut whole = vec![];
    let mut indices = vec![];
    for segment in path.iter() {
        let next = names.len() as u32;
        whole.push(*names.entry(segment.field.clone()).or_insert(next));
        for &index in &segment.index {
            indices.push((whole.len(), index));
            whole.push(index as u32 | 1 << 30);
        }
    }
    let family = |(at, index): (usize, usize)| {
        let mut key = whole.clone();
        key[at] = ANY;
        (key, index)
    };
    indices.into_iter().map(family).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Segment;

    fn path(segments: &[(&str, &[usize])]) -> Path {
        segments.iter().map(|(field, index)| Segment { field: (*field).into(), index: index.to_vec() }).collect()
    }

    #[test]
    fn the_longest_dimension_wins() {
        let items: Vec<(Path, usize)> =
            (0..8).flat_map(|l| (0..4).map(move |r| (path(&[("lanes", &[l]), ("r", &[r])]), 32))).collect();
        let groups = arrays(&items);
        assert_eq!(groups.len(), 4);
        assert_eq!(groups[1], (0..8).map(|l| 4 * l + 1).collect::<Vec<_>>());
    }

    #[test]
    fn unlike_and_few_elements_stay_alone() {
        let items = [(path(&[("a", &[0])]), 1), (path(&[("a", &[1])]), 2), (path(&[("b", &[])]), 1)];
        assert!(arrays(&items).is_empty());
    }
}
