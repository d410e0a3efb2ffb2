//! What becomes of threads that are regrouped without a stack, on the machine of Fung & Aamodt 2011.
use warploom_runtime::machines;

use super::claims::{self, FUNG, SMALL_L2};
use super::{Figure, Runs, Variant, bars, change, harmonic_mean, listed, looks, mean, ratios, totals};
use crate::chart::{Lines, Series};
use crate::eddy::PARTS;
use crate::report::RunReport;

/// Those that are compared, as far as there are runs; the first is what the others are over.
const MECHANISMS: [&str; 6] = ["spe", "tbc-plus+lcp", "dwf", "dwf-wb", "dwf:core", "dwf-wb:core"];

/// Taller bars of ratios are cut off.
const MOST: f64 = 4.0;

/// Of a comparison with dynamic warp formation.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variants: Vec<Variant> = MECHANISMS.iter().filter_map(|mechanism| claims::find(runs, mechanism, &[])).collect();
    let [base, others @ ..] = variants.as_slice() else { return Vec::new() };
    if base.mechanism != MECHANISMS[0] || !others.iter().any(|variant| variant.mechanism.starts_with("dwf")) {
        return Vec::new();
    }
    let study = Study { runs, base, others };
    [Some(study.averages()), Some(study.stalls()), study.eddy()].into_iter().flatten().collect()
}

struct Study<'r, 'a> {
    runs: &'r Runs<'a>,
    base: &'r Variant,
    others: &'r [Variant],
}

/// A class of kernels on a reading of the machine.
struct Group<'a> {
    name: String,
    kernels: Vec<&'a str>,
    parameters: &'static [(&'static str, &'static str)],
}

impl<'a> Study<'_, 'a> {
    /// Kernels below Fung's limit, or the others.
    fn of_class(&self, divergent: bool) -> Vec<&'a str> {
        self.runs.kernels().into_iter().filter(|kernel| self.runs.is_below(kernel, FUNG) == divergent).collect()
    }

    fn groups(&self) -> Vec<Group<'a>> {
        let readings = machines::find(&self.base.preset).map_or(&[][..], |machine| machine.readings);
        let small = readings.iter().find(|reading| reading.name == SMALL_L2);
        let machines = [Some(("", &[][..])), small.map(|reading| (SMALL_L2, reading.options))];
        let on = |(machine, parameters): (&str, _)| {
            let classes =
                [("divergent", self.of_class(true)), ("coherent", self.of_class(false)), ("all", self.runs.kernels())];
            classes.map(|(class, kernels)| {
                let name = if machine.is_empty() { class.to_string() } else { format!("{class}, {machine}") };
                Group { name, kernels, parameters }
            })
        };
        machines.into_iter().flatten().flat_map(on).collect()
    }

    /// The harmonic mean of a mechanism's speed on the group's machine.
    fn speed(&self, group: &Group, mechanism: &str) -> Option<f64> {
        let variant = claims::find(self.runs, mechanism, group.parameters)?;
        let base = claims::find(self.runs, &self.base.mechanism, group.parameters)?;
        harmonic_mean(group.kernels.iter().filter_map(|kernel| self.runs.speedup(kernel, &variant, &base)))
    }

    fn averages(&self) -> Figure {
        let groups = self.groups();
        let names: Vec<&str> = groups.iter().map(|group| &group.name[..]).collect();
        let speed = |name: &str, variant: &Variant| {
            self.speed(groups.iter().find(|group| group.name == name)?, &variant.mechanism)
        };
        let title = format!("speed over {}, harmonic means", self.base);
        let mut chart = bars(&title, "speedup", &names, self.others, speed);
        chart.line = Some(1.0);
        let there = |group: &&Group| self.others.iter().any(|variant| speed(&group.name, variant).is_some());
        let said = groups.iter().filter(there).map(|group| {
            let gains = listed(self.others, |variant| speed(&group.name, variant).map(change));
            format!("{} ({}): {gains}", group.name, claims::count(&group.kernels))
        });
        Figure {
            id: "formation_averages".into(),
            title: "Average speed of dynamic warp formation".into(),
            beside: "Fung & Aamodt 2011, Fig 6, 12 and 17",
            paper: "Divergent: TBC +22 %, DWF +4 %, DWF-WB about +15 % (TBC is 6 % faster). DWF gains on BFS2, FCDT and MUMpp (+28 %), and loses on HOTSP, LPS and NAMD, which warp barriers repair. Coherent: no effect under TBC; DWF loses significantly on HRTWL, LKYT, RAY, STO and WP, with warp barriers still on RAY and WP. All: TBC +10 %, DWF-WB as the base. With the small L2, divergent: TBC +13.5 %, DWF -4 % on MUMpp.",
            here: format!("{}.", said.collect::<Vec<_>>().join("; ")),
            note: "Divergent: below 76 % utilisation on the base. Warps are formed of the threads of one CTA under `dwf` and `dwf-wb`, of those of a core, as in the paper, under `dwf:core` and `dwf-wb:core`. On the small L2 the base has it, too. Threads join a warp until it issues (docs/decisions/0040-open-until-issue.md). `gcd` is in none of the papers; it gains most of all under both, and lifts their means: that TBC is behind DWF here, and before it in the paper, is this kernel's doing (column *without one kernel* above).",
            svg: chart.svg(),
        }
    }

    fn stalls(&self) -> Figure {
        let kernels = self.runs.kernels();
        let stall = |report: &RunReport| report.issue_slots.stall;
        let value = |kernel: &str, variant: &Variant| {
            self.runs.ratio(kernel, variant, self.base, |report| stall(report) as f64)
        };
        let title = format!("slots in which an instruction waits for its unit, over {}", self.base);
        let chart = ratios(bars(&title, "stalls", &kernels, self.others, value), ("mean", mean), Some(MOST));
        let total = |number: fn(&RunReport) -> u64| {
            listed(self.others, |variant| totals(self.runs, &kernels, variant, self.base, number).map(change))
        };
        Figure {
            id: "stalls".into(),
            title: "Stalls".into(),
            beside: "Fung & Aamodt 2011, Fig 2(b), 13(b) and 14(b)",
            paper: "DWF has 2.7 times the stalls of the memory pipeline: threads that were regrouped touch more lines and conflict in more banks. TBC has far fewer of them.",
            here: format!(
                "totals over all kernels: stalls {}; lines accessed {}; cycles lost to conflicts of banks {}.",
                total(stall),
                total(|report| report.l1.accesses),
                total(|report| report.shared_conflicts)
            ),
            note: "Stalls of all units are counted here, those of the memory pipeline in the paper; what causes the latter is counted beside.",
            svg: chart.svg(),
        }
    }

    /// If it was counted.
    fn eddy(&self) -> Option<Figure> {
        let variants = [std::slice::from_ref(self.base), self.others].concat();
        let divergent = self.of_class(true);
        let eddy = |kernel: &str, variant: &Variant| self.runs.get(kernel, variant)?.eddy.as_ref();
        let split =
            |variant: &Variant, part| mean(divergent.iter().filter_map(|kernel| eddy(kernel, variant)?.split(part)));
        let series = variants.iter().zip(looks::of(&variants)).map(|(variant, look)| Series {
            name: variant.to_string(),
            look,
            values: (0..PARTS).map(|part| split(variant, part)).collect(),
        });
        let chart = Lines {
            title: format!(
                "warps at blocks for each that their threads would fill, mean over the {} divergent kernels",
                divergent.len()
            ),
            size: "share of the run that is over, %".into(),
            unit: "warps".into(),
            sizes: (0..PARTS).map(|part| (100 * part / PARTS) as f64).collect(),
            series: series.collect(),
        };
        let growth = |kernel: &str, variant: &Variant| eddy(kernel, variant)?.growth();
        let grown = |variant: &Variant| {
            let kernels = || divergent.iter().filter_map(|kernel| Some((growth(kernel, variant)?, *kernel)));
            let (most, kernel) = kernels().max_by(|a, b| a.0.total_cmp(&b.0))?;
            let all = mean(kernels().map(|(growth, _)| growth))?;
            Some(format!("{}, most {} on `{kernel}`", change(all), change(most)))
        };
        let grown = listed(&variants, grown);
        (!grown.is_empty()).then(|| Figure {
            id: "eddy".into(),
            title: "Starvation eddies".into(),
            beside: "Fung & Aamodt 2011, Fig 1(a) and 2.3",
            paper: "An example: threads that fall behind do not meet the others again, and warps become ever thinner. It is the case on HOTSP, NAMD, HRTWL, MGST, RAY and WP under DWF, with warp barriers on RAY and WP.",
            here: format!("more warps in the second half of the run than in the first, for the same threads, mean over the divergent kernels: {grown}."),
            note: "Each tenth of a run has the warps whose first instruction of a block issued in it, over those that their threads would fill, block by block: 1 is ideal. Where threads leave a loop one by one it grows under any mechanism: what counts is how it grows beside that of `spe`.",
            svg: chart.svg(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eddy::Eddy;
    use crate::report::{Ending, IssueSlots};

    fn report(mechanism: &str, l2_bytes: Option<&str>, cycles: u64) -> RunReport {
        let parameters: &[(&str, Option<&str>)] = &[("l2-bytes", l2_bytes), ("l2-ways", l2_bytes.map(|_| "8"))];
        let given = |(name, value): &(&str, Option<&str>)| Some((name.to_string(), value.as_ref()?.to_string()));
        // Threads are split ever more under DWF.
        let late = if mechanism == "dwf" { 3 } else { 1 };
        RunReport {
            kernel: "bfs".into(),
            mechanism: mechanism.into(),
            preset: "fung".into(),
            parameters: parameters.iter().filter_map(given).collect(),
            cycles,
            simd_utilization: 0.5,
            issue_slots: IssueSlots { stall: cycles - 90, ..IssueSlots::default() },
            eddy: Some(Eddy { warps: [[1; 5], [late; 5]].concat(), needed: vec![1; 10] }),
            result: Ending::Pass,
            ..RunReport::default()
        }
    }

    #[test]
    fn what_regrouping_does_is_said_of_every_machine() {
        let reports = [
            report("spe", None, 100),
            report("dwf", None, 125),
            report("spe", Some("32768"), 100),
            report("dwf", Some("32768"), 200),
        ];
        let figures = figures(&Runs::new(&reports));
        let here = |id: &str| &figures.iter().find(|figure| figure.id == id).unwrap().here[..];
        assert_eq!(
            here("formation_averages"),
            "divergent (`bfs`): `dwf` -20.0 %; all (`bfs`): `dwf` -20.0 %; \
            divergent, small L2 (`bfs`): `dwf` -50.0 %; all, small L2 (`bfs`): `dwf` -50.0 %."
        );
        assert!(here("stalls").starts_with("totals over all kernels: stalls `dwf` +250.0 %;"), "{}", here("stalls"));
        assert!(
            here("eddy").ends_with("`spe` +0.0 %, most +0.0 % on `bfs`, `dwf` +200.0 %, most +200.0 % on `bfs`."),
            "{}",
            here("eddy")
        );
    }

    #[test]
    fn there_is_nothing_without_dynamic_warps() {
        assert!(figures(&Runs::new(&[report("spe", None, 100), report("tbc-plus+lcp", None, 90)])).is_empty());
    }
}
