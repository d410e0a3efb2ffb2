//! Parts of a comparison on several machines.
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::{Plan, read_json};
use crate::output;
use crate::report::{RunReport, SCHEMA_VERSION};

/// Parts at most.
const MOST: usize = u16::MAX as usize;

/// One of several parts: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// From 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        parse().filter(Self::is_one).ok_or("it is I/N, the I-th of N parts, as in 2/8; N is at most 65535")
    }
}

/// As on the command line.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Part {
    fn is_one(&self) -> bool {
        (1..=self.of).contains(&self.number) && self.of <= MOST
    }

    /// The points of this part: neighbours, so that a machine builds few simulators.
    pub fn share_of(self, plan: &Plan) -> Plan {
        let mut points: Vec<_> = plan.points.iter().collect();
        points.sort_by_key(|point| serde_json::to_string(&point.core).expect("options are text and numbers"));
        let bound = |part: usize| part * points.len() / self.of;
        Plan {
            points: points[bound(self.number - 1)..bound(self.number)].iter().map(|point| (*point).clone()).collect(),
        }
    }

    fn path(self, directory: &Path) -> PathBuf {
        directory.join(format!("shard-{}-of-{}.json", self.number, self.of))
    }
}

/// The results of a part.
#[derive(Serialize, Deserialize)]
struct Shard {
    part: Part,
    /// Which build of warploom has run it.
    program: u64,
    plan: Plan,
    reports: Vec<RunReport>,
}

/// Where a directory of shards has the whole plan.
pub fn plan_path(directory: &Path) -> PathBuf {
    directory.join("plan.json")
}

/// Puts the plan there, or sees that it is the one that is there.
pub fn share_plan(plan: &Plan, directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make the directory {}", directory.display()))?;
    let path = plan_path(directory);
    if path.exists() {
        let theirs = Plan::read(&path)?;
        ensure!(
            theirs.points == plan.points,
            "{} is of another comparison: choose another directory with --into",
            path.display()
        );
        return Ok(());
    }
    plan.write(&path)
}

/// Writes the results of a part beside those of the others.
pub fn write(directory: &Path, part: Part, program: u64, plan: Plan, reports: Vec<RunReport>) -> Result<PathBuf> {
    let path = part.path(directory);
    let shard = Shard { part, program, plan, reports };
    let text = serde_json::to_string(&shard)?;
    output::save(&path, text)?;
    Ok(path)
}

/// The plan, and the reports of all its points in order, from the shards of a directory.
///
/// # Errors
/// If a shard is missing, or is of another plan or another build of warploom than the others.
pub fn merge(directory: &Path) -> Result<(Plan, Vec<RunReport>)> {
    let plan = Plan::read(&plan_path(directory))
        .with_context(|| format!("{} has no shards of a comparison", directory.display()))?;
    let shards = read(directory)?;
    let Some(first) = shards.first() else { bail!("there is no shard in {}", directory.display()) };
    let missing: Vec<String> = (1..=first.part.of)
        .filter(|number| !shards.iter().any(|shard| shard.part.number == *number))
        .map(|number| Part { number, of: first.part.of }.to_string())
        .collect();
    ensure!(
        missing.is_empty(),
        "{} of {} shards are missing in {}: {}\n  run them with: warploom compare --plan {} --shard {} --into {}",
        missing.len(),
        first.part.of,
        directory.display(),
        missing.join(", "),
        plan_path(directory).display(),
        missing[0],
        directory.display()
    );
    for shard in &shards {
        let what = shard.part.path(directory);
        ensure!(
            shard.part.of == first.part.of,
            "{} is one of {}, not of {}",
            what.display(),
            shard.part.of,
            first.part.of
        );
        ensure!(
            shard.program == first.program,
            "{} is from another build of warploom than {}",
            what.display(),
            first.part.path(directory).display()
        );
    }
    check_programs(directory, &shards)?;
    let results: Vec<_> = shards.iter().flat_map(|shard| shard.plan.points.iter().zip(&shard.reports)).collect();
    let report = |point| {
        let found = results.iter().find(|(other, _)| *other == point);
        let Some((_, report)) = found else { bail!("no shard in {} has all of the plan", directory.display()) };
        Ok((*report).clone())
    };
    let reports = plan.points.iter().map(report).collect::<Result<_>>()?;
    Ok((plan, reports))
}

/// That all shards have run the same kernels of the user's own, given the same.
fn check_programs(directory: &Path, shards: &[Shard]) -> Result<()> {
    let mut programs = BTreeMap::new();
    for shard in shards {
        for RunReport { kernel, program, .. } in &shard.reports {
            let (first, part) = programs.entry(kernel).or_insert((program, shard.part));
            ensure!(
                *first == program,
                "{} and {} have not run the same: {kernel}, or a file that a buffer is filled with, has changed in between",
                part.path(directory).display(),
                shard.part.path(directory).display()
            );
        }
    }
    Ok(())
}

fn read(directory: &Path) -> Result<Vec<Shard>> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_shard = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("shard-"))
            && path.extension().is_some_and(|extension| extension == "json")
    };
    let shard = |path: &PathBuf| {
        let shard: Shard = read_json(path, "shard, or cut off")?;
        for report in &shard.reports {
            ensure!(
                report.schema_version == SCHEMA_VERSION,
                "{}: its reports have schema version {}, and those of this warploom {SCHEMA_VERSION}: run it again",
                path.display(),
                report.schema_version
            );
        }
        ensure!(shard.part.is_one(), "{} is no shard: there is no part {}", path.display(), shard.part);
        Ok(shard)
    };
    paths.iter().filter(is_shard).map(shard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{CoreArgs, SetupArgs};

    fn plan(points: usize) -> Plan {
        let point = |number: usize| SetupArgs {
            kernel: Some(format!("kernel {number}")),
            core: CoreArgs { lanes: Some(number % 3), ..CoreArgs::default() },
            ..SetupArgs::default()
        };
        Plan { points: (0..points).map(point).collect() }
    }

    fn part(number: usize, of: usize) -> Part {
        Part { number, of }
    }

    #[test]
    fn a_part_is_written_as_a_fraction() {
        assert_eq!("2/8".parse(), Ok(part(2, 8)));
        for wrong in ["0/8", "9/8", "2", "2/", "a/b", "1/0", "1/18446744073709551615"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_parts_are_the_whole() {
        let whole = plan(23);
        for of in [1, 4, 23, 30] {
            let mut all: Vec<_> = (1..=of).flat_map(|number| part(number, of).share_of(&whole).points).collect();
            all.sort_by_key(|point| point.kernel.clone());
            let mut expected = whole.points.clone();
            expected.sort_by_key(|point| point.kernel.clone());
            assert_eq!(all, expected, "{of}");
        }
    }

    #[test]
    fn merging_needs_every_shard_of_one_plan_and_one_build() {
        let directory = tempfile::tempdir().unwrap();
        let whole = plan(5);
        let run_with = |number: usize, program, schema_version| {
            let plan = part(number, 2).share_of(&whole);
            let report = |point: &SetupArgs| RunReport {
                kernel: point.kernel.clone().unwrap(),
                schema_version,
                ..RunReport::default()
            };
            let reports = plan.points.iter().map(report).collect();
            write(directory.path(), part(number, 2), program, plan, reports).unwrap();
        };
        let run = |number: usize, program| run_with(number, program, SCHEMA_VERSION);
        let error = |what: &str| {
            let error = merge(directory.path()).map(|_| ()).unwrap_err();
            assert!(format!("{error:#}").contains(what), "{error:#}");
        };
        let change = |number: usize, change: &dyn Fn(&mut [RunReport])| {
            let path = part(number, 2).path(directory.path());
            let mut shard: Shard = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            change(&mut shard.reports);
            fs::write(&path, serde_json::to_string(&shard).unwrap()).unwrap();
        };
        error("has no shards of a comparison");
        share_plan(&whole, directory.path()).unwrap();
        error("there is no shard");
        run(2, 7);
        error("1 of 2 shards are missing");
        run(1, 8);
        error("another build");
        run_with(1, 7, 0);
        error("its reports have schema version 0, and those of this warploom");
        fs::write(part(1, 2).path(directory.path()), "{\n7").unwrap();
        error("is no shard, or cut off: line 2, column 1");
        let own = |program: &str, reports: &mut [RunReport]| {
            reports.iter_mut().for_each(|report| {
                (report.kernel, report.program) = ("own.cl".to_string(), Some(program.to_string()));
            });
        };
        change(2, &|reports| own("a", reports));
        run(1, 7);
        change(1, &|reports| own("b", reports));
        error("shard-1-of-2.json and");
        error("own.cl, or a file that a buffer is filled with, has changed");
        run(1, 7);
        run(2, 7);
        let (_, reports) = merge(directory.path()).unwrap();
        let kernels: Vec<_> = reports.into_iter().map(|report| report.kernel).collect();
        assert_eq!(kernels, (0..5).map(|number| format!("kernel {number}")).collect::<Vec<_>>());
        assert!(share_plan(&plan(4), directory.path()).is_err(), "another comparison in the same directory");
    }
}
