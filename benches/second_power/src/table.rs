//! Tables over the slew at an input and the load of an output.
use std::collections::HashMap;

use anyhow::{Result, ensure};

use crate::liberty::Group;

/// By name of a template: whether each variable is a slew, and its points.
pub type Templates = HashMap<String, Vec<(bool, Vec<f64>)>>;

pub fn templates(library: &Group) -> Templates {
    let all = library.all("lu_table_template").chain(library.all("power_lut_template"));
    let of = |group: &Group| {
        let axes = (1..=2).filter_map(|i| {
            let variable = group.text(&format!("variable_{i}"))?;
            Some((variable.starts_with("input"), group.numbers(&format!("index_{i}"))))
        });
        (group.name().to_string(), axes.collect())
    };
    all.map(of).collect()
}

pub struct Table {
    axes: Vec<(bool, Vec<f64>)>,
    values: Vec<f64>,
}

impl Table {
    pub fn read(group: &Group, templates: &Templates) -> Result<Self> {
        let mut axes = templates.get(group.name()).cloned().unwrap_or_default();
        for (i, (_, points)) in axes.iter_mut().enumerate() {
            let own = group.numbers(&format!("index_{}", i + 1));
            if !own.is_empty() {
                *points = own;
            }
        }
        let values = group.numbers("values");
        let rises = |points: &[f64]| !points.is_empty() && points.is_sorted_by(|low, high| low < high);
        ensure!(axes.iter().all(|(_, points)| rises(points)), "the points of {} do not rise", group.name());
        let expected = axes.iter().map(|(_, points)| points.len()).product::<usize>();
        ensure!(values.len() == expected, "{} values in place of {expected} in {}", values.len(), group.name());
        Ok(Self { axes, values })
    }

    /// Linear between points, and beyond them.
    pub fn at(&self, slew: f64, load: f64) -> f64 {
        interpolate(&self.axes, &self.values, slew, load)
    }
}

/// The first axis is that of blocks of values.
fn interpolate(axes: &[(bool, Vec<f64>)], values: &[f64], slew: f64, load: f64) -> f64 {
    let Some(((is_slew, points), rest)) = axes.split_first() else { return values[0] };
    let block = values.len() / points.len();
    let of = |i: usize| interpolate(rest, &values[i * block..(i + 1) * block], slew, load);
    if points.len() == 1 {
        return of(0);
    }
    let x = if *is_slew { slew } else { load };
    let mut i = 0;
    while i + 2 < points.len() && x >= points[i + 1] {
        i += 1;
    }
    let (low, high) = (of(i), of(i + 1));
    low + (high - low) * (x - points[i]) / (points[i + 1] - points[i])
}
