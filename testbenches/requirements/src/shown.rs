//! docs/verification/shown.json: of which design a proof or a comparison has been made.
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use twox_hash::XxHash64;

/// `k/n`: what has not changed since it was shown is shown again in the k-th of n runs only; `changed`: not at all. Without it everything is shown.
const SHARE: &str = "WARPLOOM_SHARE";

/// With any value: what is shown is written down.
const WRITE: &str = "WARPLOOM_WRITE";

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verification/shown.json");

static FILE_LOCK: Mutex<()> = Mutex::new(());

/// What a kind of test has shown, by name, with a digest of the design it was shown of.
///
/// Proofs and comparisons of unchanged hardware say again what they have said; they look for a change of the tools and of the tests
/// themselves, for which it is enough to run each in some of the runs of `.ci/run`. What has changed, or is new, is always due.
pub struct Shown {
    kind: &'static str,
    share: Option<(u64, u64)>,
    before: BTreeMap<String, String>,
    now: Mutex<BTreeMap<String, String>>,
}

impl Shown {
    /// By the tests of this kind.
    ///
    /// # Panics
    ///
    /// If the file or `WARPLOOM_SHARE` makes no sense.
    pub fn by(kind: &'static str) -> Self {
        Self {
            kind,
            share: std::env::var(SHARE).ok().map(|text| share(&text)),
            before: read().remove(kind).unwrap_or_default(),
            now: Mutex::default(),
        }
    }

    /// Whether `name`, a design that reads so, has to be shown in this run.
    pub fn is_due(&self, name: &str, design: &str) -> bool {
        let Some((k, n)) = self.share else { return true };
        self.before.get(name) != Some(&digest(design)) || XxHash64::oneshot(0, name.as_bytes()) % n == k
    }

    /// It has been.
    pub fn record(&self, name: &str, design: &str) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), digest(design));
    }
}

/// Writes down what was shown, if `WARPLOOM_WRITE` asks for it; also where something else was not.
impl Drop for Shown {
    fn drop(&mut self) {
        if std::env::var_os(WRITE).is_none() {
            return;
        }
        // Tests of one kind run side by side.
        let _alone = FILE_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = read();
        let kind = all.entry(self.kind.into()).or_default();
        kind.append(self.now.get_mut().unwrap_or_else(PoisonError::into_inner));
        let text = serde_json::to_string_pretty(&all).expect("names and digests") + "\n";
        std::fs::write(FILE, text).unwrap_or_else(|error| panic!("{FILE}: {error}"));
    }
}

/// By kind, by name.
fn read() -> BTreeMap<String, BTreeMap<String, String>> {
    if !Path::new(FILE).exists() {
        return BTreeMap::new();
    }
    let text = std::fs::read_to_string(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{FILE}: {error}"))
}

fn share(text: &str) -> (u64, u64) {
    if text == "changed" {
        return (0, u64::MAX);
    }
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    numbers.filter(|(k, n)| k < n).unwrap_or_else(|| panic!("{SHARE}={text}: neither `changed` nor k/n with k below n"))
}

fn digest(design: &str) -> String {
    format!("{:016x}", XxHash64::oneshot(0, design.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(share: Option<(u64, u64)>) -> Shown {
        let before = [("fifo".into(), digest("module fifo"))].into();
        Shown { kind: "test", share, before, now: Mutex::default() }
    }

    #[test]
    fn what_has_changed_is_always_due() {
        for k in 0..3 {
            assert!(shown(Some((k, 3))).is_due("fifo", "module fifo, changed"));
            assert!(shown(Some((k, 3))).is_due("new", "module new"));
        }
        assert!(shown(None).is_due("fifo", "module fifo"));
    }

    #[test]
    fn what_has_not_is_due_in_one_of_so_many_runs() {
        assert_eq!((0..3).filter(|k| shown(Some((*k, 3))).is_due("fifo", "module fifo")).count(), 1);
    }

    #[test]
    fn only_what_has_changed_is_due_where_that_is_asked_for() {
        let shown = shown(Some(share("changed")));
        assert!(!shown.is_due("fifo", "module fifo"));
        assert!(shown.is_due("fifo", "module fifo, changed"));
    }

    #[test]
    #[should_panic(expected = "WARPLOOM_SHARE=3/3: neither `changed` nor k/n with k below n")]
    fn a_share_that_is_none() {
        share("3/3");
    }
}
