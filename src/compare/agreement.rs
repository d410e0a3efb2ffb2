//! Whether a kernel that has no reference leaves the same in its buffers, whatever it runs on.
use crate::figures::Variant;
use crate::report::{Ending, RunReport};

/// A sentence for every buffer that is not what it is under the first mechanism on a core with as many lanes and warps; on another, the
/// threads of a CTA may be others.
pub fn disagreements(reports: &[RunReport]) -> Vec<String> {
    let ended: Vec<&RunReport> = reports.iter().filter(|report| report.result == Ending::Pass).collect();
    let mut found = Vec::new();
    for (place, report) in ended.iter().enumerate() {
        let same = |other: &&&RunReport| {
            (&other.kernel, other.lanes, other.warps) == (&report.kernel, report.lanes, report.warps)
        };
        let Some(first) = ended[..place].iter().find(same) else { continue };
        let differs = |name: &&String| first.outputs.get(*name) != report.outputs.get(*name);
        found.extend(report.outputs.keys().filter(differs).map(|name| {
            let (one, other) = (Variant::of(first), Variant::of(report));
            format!("{}: what is left in `{name}` under {other} is not what is left under {one}", report.kernel)
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(mechanism: &str, lanes: usize, result: Ending, sums: &str) -> RunReport {
        RunReport {
            kernel: "own.cl".to_string(),
            mechanism: mechanism.to_string(),
            lanes,
            result,
            outputs: [("ids", "1"), ("sums", sums)].map(|(name, value)| (name.into(), value.into())).into(),
            ..RunReport::default()
        }
    }

    #[test]
    fn buffers_are_compared_with_those_of_the_first_run_on_a_core_of_the_size() {
        let right = [report("spe", 4, Ending::Pass, "1"), report("tbc", 4, Ending::Pass, "1")];
        assert!(disagreements(&right).is_empty());
        assert!(disagreements(&[right[0].clone(), report("spe", 8, Ending::Pass, "2")]).is_empty(), "another core");
        assert!(disagreements(&[right[0].clone(), report("tbc", 4, Ending::Error, "2")]).is_empty(), "not ended");
        let wrong = [right, [report("dpe", 4, Ending::Pass, "2"), report("spe", 8, Ending::Pass, "2")]].concat();
        assert_eq!(disagreements(&wrong), ["own.cl: what is left in `sums` under dpe is not what is left under spe"]);
    }
}
