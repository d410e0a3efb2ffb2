//! Which mutants are tried: spread over blocks, places and operators.
use std::collections::HashMap;

use twox_hash::XxHash64;
use warploom_verification::mutation::mutants;

use crate::blocks::{BLOCKS, Block};

/// Another seed gives another sample.
const SEED: u64 = 1;
/// A block has one more mutant in the sample for every square number of those that it has.
const SCALE: f64 = 0.55;
/// But so many at least, if it has them.
const LEAST: usize = 3;

/// Those that somebody has found unnoticed outside of the sample, and are noticed since: in every sample.
const ONCE_MISSED: &[&str] = &[
    "LifeMarks.still_fresh: (fresh.q & !(1 << slot)) becomes or",
    "LifeMarks.fresh: (still_fresh or (1 << cta_start_slot)) becomes &",
    "LifeMarks.ended: (enters ? 0 : ended.q) becomes swapped",
    "LifeMarks.ended: (enters ? 0 : ended.q) becomes 1 for 0",
    "SharedMemory.idle: (!b.q_valid & !c.q_valid) becomes or",
    "LruTable.forward: (written.q & (written_set.q == set)) becomes or",
    "LoadTable.query_pending: (0 or groups[0].pending) becomes &",
    "TrapUnit.kept.d_home_warp: ((!kept.q_valid & arriving) ? (memory_valid ? memory_home_warp : (execute_valid ? execute_home_warp : ..)) : kept.q_home_warp) becomes swapped",
    "TrapUnit.kept.d_home_warp: (memory_valid ? memory_home_warp : (execute_valid ? execute_home_warp : (.. ? divergence_warp : frontend_warp))) becomes swapped",
    "TrapUnit.kept.d_home_warp: (execute_valid ? execute_home_warp : ((divergence_valid or divergence_mismatch) ? divergence_warp : frontend_warp)) becomes swapped",
    "TrapUnit.kept.d_value: ((!kept.q_valid & arriving) ? (memory_valid ? memory_value : (execute_valid ? execute_value : ..)) : kept.q_value) becomes swapped",
    "TrapUnit.kept.d_value: (memory_valid ? memory_value : (execute_valid ? execute_value : (.. ? 0 : frontend_pc))) becomes swapped",
    "TrapUnit.kept.d_value: (execute_valid ? execute_value : ((divergence_valid or divergence_mismatch) ? 0 : frontend_pc)) becomes swapped",
    "TrapUnit.kept.d_value: ((divergence_valid or divergence_mismatch) ? 0 : frontend_pc) becomes swapped",
];

/// A mutant of a block.
pub struct Sampled {
    /// See [`warploom_verification::mutation::Mutant`].
    pub name: String,
    /// The block.
    pub block: &'static Block,
}

/// What is asked for; by default the whole sample.
#[derive(Default)]
pub struct Wanted {
    /// Only these modules, as in `Module.place`, with commas between them.
    pub modules: Option<String>,
    /// Only this mutant.
    pub name: Option<String>,
    /// So many of every module, instead of the usual number.
    pub per_module: Option<usize>,
    /// So many in all.
    pub total: Option<usize>,
}

impl Wanted {
    /// The mutants.
    ///
    /// # Panics
    /// If there is none.
    pub fn mutants(&self) -> Vec<Sampled> {
        let mut found = vec![];
        for block in BLOCKS {
            let netlist = block.netlist();
            let source = &netlist.top().source;
            let of_name = |name: &str| name.starts_with(&format!("{source}."));
            if self.modules.as_ref().is_some_and(|modules| !modules.split(',').any(|module| module == source))
                || self.name.as_ref().is_some_and(|name| !of_name(name))
            {
                continue;
            }
            let names: Vec<String> = mutants(netlist.top()).into_iter().map(|mutant| mutant.name).collect();
            let all = names.len();
            let usual = ((all as f64).sqrt() * SCALE).round().max(LEAST as f64) as usize;
            let names = match &self.name {
                Some(wanted) => names.into_iter().filter(|name| name == wanted).collect(),
                None => {
                    let known: Vec<_> =
                        names.iter().filter(|name| ONCE_MISSED.contains(&name.as_str())).cloned().collect();
                    let mut taken = spread(names, self.per_module.unwrap_or(usual));
                    taken.extend(known.into_iter().filter(|name| !taken.contains(name)).collect::<Vec<_>>());
                    taken
                }
            };
            found.extend(names.into_iter().map(|name| Sampled { name, block }));
        }
        assert!(!found.is_empty(), "there is no such module or mutant");
        if let Some(total) = self.total {
            found.sort_by_key(|mutant| hash(&mutant.name));
            found.truncate(total);
        }
        found
    }
}

fn hash(name: &str) -> u64 {
    XxHash64::oneshot(SEED, name.as_bytes())
}

/// The place without the numbers in it.
fn place(name: &str) -> String {
    name.split(':').next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Some of them, no place nor change twice before all others have been taken once.
fn spread(mut names: Vec<String>, count: usize) -> Vec<String> {
    names.sort_by_key(|name| hash(name));
    let (mut places, mut changes) = (HashMap::<String, usize>::new(), HashMap::<String, usize>::new());
    let change = |name: &str| name.rsplit(" becomes ").next().unwrap_or_default().to_string();
    let mut taken = vec![];
    while taken.len() < count && !names.is_empty() {
        let times = |name: &String| {
            let [place, change] =
                [places.get(&place(name)), changes.get(&change(name))].map(|n| n.copied().unwrap_or(0));
            (place, change)
        };
        let (at, _) = names.iter().enumerate().min_by_key(|(at, name)| (times(name), *at)).expect("one is left");
        let name = names.remove(at);
        *places.entry(place(&name)).or_default() += 1;
        *changes.entry(change(&name)).or_default() += 1;
        taken.push(name);
    }
    taken
}
