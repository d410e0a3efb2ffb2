//! What a [`Tally`] says: for people as a table, for programs as JSON.
use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::group::Group;
use super::tally::{Tally, groups};

/// See the [module documentation](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// By group.
    pub groups: Vec<GroupReport>,
    /// Points that were hit although they are declared impossible: the declaration, or the hardware, is wrong.
    pub contradicted: Vec<String>,
}

/// A group of points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupReport {
    /// What is crossed.
    pub name: String,
    /// Points that can be hit.
    pub points: u64,
    /// Of these, how many were.
    pub hit: u64,
    /// Points that cannot be hit.
    pub impossible: u64,
    /// By value of every dimension but the first.
    pub values: Vec<ValueReport>,
    /// By value of the first dimension.
    pub rows: Vec<RowReport>,
    /// Points never hit.
    pub never: Vec<String>,
}

/// The points that one value takes part in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValueReport {
    /// The dimension's name.
    pub dimension: String,
    /// The value.
    pub value: String,
    /// Points that can be hit.
    pub points: u64,
    /// Of these, how many were.
    pub hit: u64,
}

/// The points of a rule or an instruction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowReport {
    /// Which.
    pub name: String,
    /// Points that can be hit.
    pub points: u64,
    /// Of these, how many were.
    pub hit: u64,
    /// Hits of each point, in the order of the other dimensions' values, the last fastest; `-`: impossible.
    pub hits: String,
}

impl Report {
    /// Of these hits.
    pub fn new(tally: &Tally) -> Self {
        let pairs = || groups().iter().zip(&tally.hits);
        let contradicted = pairs().flat_map(|(group, hits)| {
            let wrong = move |(point, &hits): (usize, &u64)| {
                let why = group.impossible[point].filter(|_| hits > 0)?;
                Some(format!("{}: {}: hit {hits} times, but {why}", group.name, group.describe(point)))
            };
            hits.iter().enumerate().filter_map(wrong)
        });
        Self {
            groups: pairs().map(|(group, hits)| of_group(group, hits)).collect(),
            contradicted: contradicted.collect(),
        }
    }

    /// Points that can be hit, and of these those that were.
    pub fn total(&self) -> (u64, u64) {
        self.groups.iter().fold((0, 0), |(points, hit), group| (points + group.points, hit + group.hit))
    }
}

/// (points, hit) among those of a group that are chosen by their places.
fn count(group: &Group, hits: &[u64], chosen: impl Fn(&[usize]) -> bool) -> (u64, u64) {
    let possible = (0..hits.len()).filter(|point| group.impossible[*point].is_none() && chosen(&group.place(*point)));
    possible.fold((0, 0), |(points, hit), point| (points + 1, hit + u64::from(hits[point] > 0)))
}

fn of_group(group: &Group, hits: &[u64]) -> GroupReport {
    let (points, hit) = count(group, hits, |_| true);
    let [first, others @ ..] = group.dimensions.as_slice() else { unreachable!("a cross has dimensions") };
    let value = |dimension: usize, value: usize| {
        let (points, hit) = count(group, hits, |place| place[dimension] == value);
        let of = &group.dimensions[dimension];
        ValueReport { dimension: of.name.into(), value: of.values[value].into(), points, hit }
    };
    let values = others.iter().zip(1..).flat_map(|(of, dimension)| (0..of.values.len()).map(move |at| (dimension, at)));
    let width = hits.len() / first.values.len();
    let row = |(number, name): (usize, &&'static str)| {
        let (points, hit) = count(group, hits, |place| place[0] == number);
        let own = number * width..(number + 1) * width;
        let texts = own.map(|point| match group.impossible[point] {
            Some(_) => "-".to_string(),
            None => hits[point].to_string(),
        });
        RowReport { name: name.to_string(), points, hit, hits: texts.collect::<Vec<_>>().join(" ") }
    };
    let never = (0..hits.len()).filter(|point| group.impossible[*point].is_none() && hits[*point] == 0);
    GroupReport {
        name: group.name.clone(),
        points,
        hit,
        impossible: hits.len() as u64 - points,
        values: values.map(|(dimension, at)| value(dimension, at)).collect(),
        rows: first.values.iter().enumerate().map(row).collect(),
        never: never.map(|point| group.describe(point)).collect(),
    }
}

/// Of a hundred.
pub fn percent(hit: u64, points: u64) -> f64 {
    100.0 * hit as f64 / points.max(1) as f64
}

impl fmt::Display for Report {
    /// A table, and the first of the points that were never hit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// As many of a group.
        const SHOWN: usize = 5;
        let (points, hit) = self.total();
        writeln!(f, "\ncoverage                 points      hit        %  impossible")?;
        for group in &self.groups {
            let GroupReport { name, points, hit, impossible, .. } = group;
            writeln!(f, "  {name:<20} {points:>8} {hit:>8} {:>8.1}  {impossible:>10}", percent(*hit, *points))?;
        }
        write!(f, "  {:<20} {points:>8} {hit:>8} {:>8.1}", "all", percent(hit, points))?;
        let mut never = String::new();
        for group in self.groups.iter().filter(|group| !group.never.is_empty()) {
            for point in group.never.iter().take(SHOWN) {
                write!(never, "\n  {}: {point}", group.name)?;
            }
            if group.never.len() > SHOWN {
                write!(never, "\n  {}: {} more", group.name, group.never.len() - SHOWN)?;
            }
        }
        if !never.is_empty() {
            write!(f, "\n\nnever hit (all of them with --json):{never}")?;
        }
        if !self.contradicted.is_empty() {
            write!(f, "\n\nhit, but declared impossible:\n  {}", self.contradicted.join("\n  "))?;
        }
        Ok(())
    }
}
