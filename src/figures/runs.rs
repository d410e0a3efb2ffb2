//! Reports, by kernel and by what ran it.
use std::collections::BTreeMap;
use std::fmt;

use crate::report::{Ending, RunReport};

/// Below this utilisation a kernel counts as divergent: Rhu 2014, Fig 4.21.
pub const DIVERGENT: f64 = 0.9;

/// The reports of a comparison. Kernels and variants keep the order in which they come.
pub struct Runs<'a> {
    reports: Vec<&'a RunReport>,
    /// Of each report.
    variants: Vec<Variant>,
}

/// What kernels run on: a mechanism, and what else was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Of `warploom mechanisms`.
    pub mechanism: String,
    /// Of the core and the memory.
    pub parameters: BTreeMap<String, String>,
    /// Sizes of the core.
    pub preset: String,
}

/// `capri, capt-entries 4`
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mechanism)?;
        self.parameters.iter().try_for_each(|(name, value)| write!(f, ", {name} {value}"))
    }
}

impl Variant {
    /// Of a report.
    pub fn of(report: &RunReport) -> Self {
        let RunReport { mechanism, parameters, preset, .. } = report;
        Self { mechanism: mechanism.clone(), parameters: parameters.clone(), preset: preset.clone() }
    }

    /// Whether it is a mechanism as such: with no parameters but the CTAs that the scheduler prefers, which TBC has its own.
    pub fn is_plain(&self) -> bool {
        self.parameters.keys().all(|name| name == "cta-priority")
    }

    /// A mechanism on a machine, with these parameters.
    pub fn with(preset: &str, mechanism: &str, parameters: &[(&str, &str)]) -> Self {
        Self { mechanism: mechanism.to_string(), parameters: owned(parameters), preset: preset.to_string() }
    }

    /// Whether it has just these parameters.
    pub fn has_only(&self, parameters: &[(&str, &str)]) -> bool {
        self.parameters == owned(parameters)
    }
}

fn owned(parameters: &[(&str, &str)]) -> BTreeMap<String, String> {
    parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

impl<'a> Runs<'a> {
    /// Of these reports.
    pub fn new(reports: &'a [RunReport]) -> Self {
        Self::of(reports.iter().collect())
    }

    fn of(reports: Vec<&'a RunReport>) -> Self {
        let variants = reports.iter().map(|report| Variant::of(report)).collect();
        Self { reports, variants }
    }

    /// All of them.
    pub fn reports(&self) -> impl Iterator<Item = &'a RunReport> {
        self.reports.iter().copied()
    }

    /// Machines, each once.
    pub fn presets(&self) -> Vec<&'a str> {
        let mut presets: Vec<&str> = Vec::new();
        for report in &self.reports {
            if !presets.contains(&report.preset.as_str()) {
                presets.push(&report.preset);
            }
        }
        presets
    }

    /// Those on one machine.
    pub fn on(&self, preset: &str) -> Self {
        Self::of(self.reports.iter().copied().filter(|report| report.preset == preset).collect())
    }

    /// Kernels, each once.
    pub fn kernels(&self) -> Vec<&'a str> {
        let mut kernels = Vec::new();
        for report in &self.reports {
            if !kernels.contains(&report.kernel.as_str()) {
                kernels.push(report.kernel.as_str());
            }
        }
        kernels
    }

    /// Variants, each once.
    pub fn variants(&self) -> Vec<Variant> {
        let mut variants = Vec::new();
        for variant in &self.variants {
            if !variants.contains(variant) {
                variants.push(variant.clone());
            }
        }
        variants
    }

    /// The variant of this mechanism and just these parameters.
    pub fn variant(&self, mechanism: &str, parameters: &[(&str, &str)]) -> Option<Variant> {
        self.variants().into_iter().find(|variant| variant.mechanism == mechanism && variant.has_only(parameters))
    }

    /// What others are compared with.
    pub fn base(&self) -> Option<Variant> {
        self.reports().next().map(Variant::of)
    }

    /// Of a kernel on a variant, if it came to the right end.
    pub fn get(&self, kernel: &str, variant: &Variant) -> Option<&'a RunReport> {
        self.any(kernel, variant).filter(|report| report.result == Ending::Pass)
    }

    /// The same, however it ended.
    pub fn any(&self, kernel: &str, variant: &Variant) -> Option<&'a RunReport> {
        let mut runs = self.reports().zip(&self.variants);
        runs.find(|(report, own)| report.kernel == kernel && *own == variant).map(|(report, _)| report)
    }

    /// A number of a kernel on a variant, over the same on another.
    pub fn ratio(
        &self,
        kernel: &str,
        variant: &Variant,
        over: &Variant,
        number: impl Fn(&RunReport) -> f64,
    ) -> Option<f64> {
        let (value, base) = (number(self.get(kernel, variant)?), number(self.get(kernel, over)?));
        (base > 0.0).then(|| value / base)
    }

    /// How many times as fast a kernel is on a variant as on another.
    pub fn speedup(&self, kernel: &str, variant: &Variant, over: &Variant) -> Option<f64> {
        self.ratio(kernel, over, variant, |report| report.cycles as f64)
    }

    /// Whether the kernel keeps less than 90 % of the lanes busy on the base.
    pub fn is_divergent(&self, kernel: &str) -> bool {
        self.is_below(kernel, DIVERGENT)
    }

    /// Whether the kernel keeps less than this fraction of the lanes busy on the base.
    pub fn is_below(&self, kernel: &str, utilisation: f64) -> bool {
        let base = self.base().and_then(|base| self.any(kernel, &base));
        base.is_some_and(|report| report.simd_utilization < utilisation)
    }
}

/// Harmonic mean; `None` of nothing.
pub fn harmonic_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.into_iter().fold((0, 0.0), |(count, sum), value| (count + 1, sum + 1.0 / value));
    (count > 0).then(|| f64::from(count) / sum)
}

/// Arithmetic mean; `None` of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.into_iter().fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// A named count of a report.
pub fn count(counts: &[(String, u64)], name: &str) -> f64 {
    counts.iter().find(|(other, _)| other == name).map_or(0.0, |(_, count)| *count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(kernel: &str, mechanism: &str, cycles: u64, simd_utilization: f64) -> RunReport {
        let (kernel, mechanism) = (kernel.to_string(), mechanism.to_string());
        RunReport { kernel, mechanism, cycles, simd_utilization, result: Ending::Pass, ..RunReport::default() }
    }

    #[test]
    fn means() {
        assert_eq!(harmonic_mean([1.0, 0.5]), Some(2.0 / 3.0));
        assert_eq!(mean([1.0, 0.5]), Some(0.75));
        assert_eq!((harmonic_mean([]), mean([])), (None, None));
    }

    #[test]
    fn runs_are_found_by_kernel_and_variant() {
        let mut reports = [report("a", "spe", 100, 0.5), report("a", "tbc", 80, 0.8), report("b", "spe", 10, 0.95)];
        reports[1].parameters.insert("mshrs".into(), "8".into());
        let runs = Runs::new(&reports);
        assert_eq!(runs.kernels(), ["a", "b"]);
        let (base, tbc) = (runs.base().unwrap(), runs.variant("tbc", &[("mshrs", "8")]).unwrap());
        assert_eq!(runs.variant("tbc", &[]), None);
        assert_eq!(tbc.to_string(), "tbc, mshrs 8");
        assert_eq!((runs.speedup("a", &tbc, &base), runs.speedup("b", &tbc, &base)), (Some(1.25), None));
        assert_eq!((runs.is_divergent("a"), runs.is_divergent("b")), (true, false));
        reports[1].result = Ending::Fail;
        assert_eq!(Runs::new(&reports).get("a", &tbc).map(|report| report.cycles), None);
    }
}
