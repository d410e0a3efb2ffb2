//! What every mechanism does: utilisation, speed, idle slots, where the slots go.
use super::{
    Figure, Runs, Variant, bars, change, harmonic_mean, listed, looks, mean, mechanisms, percent, ratios, totals,
    with_mean,
};
use crate::chart::{Bar, Part, Stacks};
use crate::report::RunReport;

/// Taller bars of ratios are cut off: a kernel or two would make all others flat.
const MOST: f64 = 2.5;

/// As far as there are runs.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variants = mechanisms(runs);
    let Some(base) = runs.base().filter(|_| variants.len() > 1) else { return Vec::new() };
    let study = Study { runs, base, variants };
    let stacks = study.has_lcp().then(|| study.stacks());
    let figures = [
        study.utilisation(),
        study.speedup(),
        study.idle(),
        study.slots(),
        study.misses(),
        study.l2_misses(),
        study.traffic(),
    ];
    figures.into_iter().chain(stacks).collect()
}

struct Study<'r, 'a> {
    runs: &'r Runs<'a>,
    base: Variant,
    variants: Vec<Variant>,
}

impl Study<'_, '_> {
    fn others(&self) -> Vec<Variant> {
        self.variants.iter().filter(|variant| **variant != self.base).cloned().collect()
    }

    /// Of kernels that diverge, or of those that do not.
    fn of_class(&self, divergent: bool) -> Vec<&str> {
        self.runs.kernels().into_iter().filter(|kernel| self.runs.is_divergent(kernel) == divergent).collect()
    }

    fn utilisation(&self) -> Figure {
        let value = |kernel: &str, variant: &Variant| Some(self.runs.get(kernel, variant)?.simd_utilization);
        let (kernels, title) = (self.runs.kernels(), "SIMD utilisation: active lanes / lanes over issued instructions");
        let bars = with_mean(bars(title, "utilisation", &kernels, &self.variants, value), "mean", mean);
        let divergent = self.of_class(true);
        let of = |variant: &Variant| mean(divergent.iter().filter_map(|kernel| value(kernel, variant))).map(percent);
        let gain = |kernel: &str, variant: &Variant| {
            self.runs.ratio(kernel, variant, &self.base, |report| report.simd_utilization)
        };
        let best = divergent.iter().flat_map(|kernel| {
            self.others().into_iter().filter_map(move |variant| Some((gain(kernel, &variant)?, *kernel, variant)))
        });
        let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
        let best = best.map_or(String::new(), |(factor, kernel, variant)| {
            format!(". The largest gain is {factor:.2} times, `{kernel}` under `{variant}`")
        });
        Figure {
            id: "simd_utilization".into(),
            title: "SIMD utilisation".into(),
            beside: "Rhu 2014, Fig 4.22(a); Fung & Aamodt 2011, Fig 2(a) and 5",
            paper: "TBC up to a factor of 2 (BFS, MUM); CAPRI keeps 98.8 % (1b-Latest) to 100 % (1b-Sticky) of it; with Balanced lanes +7.1 % over TBC, at most 34 %.",
            here: match divergent.len() {
                0 => "no kernel is below 90 %.".to_string(),
                kernels => format!("mean over the {kernels} kernels below 90 %: {}{best}.", listed(&self.variants, of)),
            },
            note: "",
            svg: bars.svg(),
        }
    }

    fn speedup(&self) -> Figure {
        let (kernels, others) = (self.runs.kernels(), self.others());
        let value = |kernel: &str, variant: &Variant| self.runs.speedup(kernel, variant, &self.base);
        let title = format!("speed, over {}", self.base);
        let bars = bars(&title, "speedup", &kernels, &others, value);
        let bars = ratios(bars, ("harmonic mean", harmonic_mean), Some(MOST));
        let of = |kernels: &[&str]| {
            listed(&others, |variant| {
                harmonic_mean(kernels.iter().filter_map(|kernel| value(kernel, variant))).map(change)
            })
        };
        let (divergent, coherent) = (self.of_class(true), self.of_class(false));
        let others = if divergent.is_empty() { "kernels, none of them below 90 % utilisation" } else { "others" };
        let classes = [(divergent, "kernels below 90 % utilisation"), (coherent, others)];
        let there = classes.iter().filter(|(kernels, _)| !kernels.is_empty());
        let means = there.map(|(kernels, what)| format!("over the {} {what}: {}", kernels.len(), of(kernels)));
        Figure {
            id: "speedup".into(),
            title: "Speed".into(),
            beside: "Rhu 2014, Fig 4.23; Fung & Aamodt 2011, Fig 6, 11, 12 and 15",
            paper: "Harmonic means. Rhu: CAPRI +14.9 % over no compaction and +7.6 % over TBC+ on divergent kernels, within 2 % on others, where TBC loses 12 % and TBC+ 11 %; CAPRI with Balanced +11.6 %. Fung: TBC +22 % on divergent kernels, +10 % on all; likely-convergence points +2 % to +30 % under TBC, on two programs.",
            here: format!("harmonic means {}.", means.collect::<Vec<_>>().join("; ")),
            note: "",
            svg: bars.svg(),
        }
    }

    /// A number over the base's: the chart, and the means.
    fn over_base(&self, what: &str, number: impl Fn(&RunReport) -> f64) -> (String, String) {
        let (kernels, others) = (self.runs.kernels(), self.others());
        let value = |kernel: &str, variant: &Variant| self.runs.ratio(kernel, variant, &self.base, &number);
        let title = format!("{what}, over {}", self.base);
        let bars = ratios(bars(&title, what, &kernels, &others, value), ("mean", mean), Some(MOST));
        let of = |variant: &Variant| mean(kernels.iter().filter_map(|kernel| value(kernel, variant))).map(change);
        (bars.svg(), format!("arithmetic means over all kernels: {}.", listed(&others, of)))
    }

    fn idle(&self) -> Figure {
        let (svg, _) = self.over_base("idle slots", |report| report.idle_slots as f64);
        Figure {
            id: "idle_slots".into(),
            title: "Idle slots".into(),
            beside: "Rhu 2014, Fig 4.22(b)",
            paper: "On average TBC +72 %, TBC+ +63 %, CAPRI +5 % (1b-Latest) and +7 % (1b-Sticky), CAPRI never more than +40 %.",
            here: self.totals(|report| report.idle_slots),
            note: "An idle slot is one without an issue, whatever the reason. Totals, since a ratio says little where the base has few.",
            svg,
        }
    }

    fn slots(&self) -> Figure {
        let full = |variant: &Variant| {
            let share = |kernel: &&str| {
                let report = self.runs.get(kernel, variant)?;
                Some(report.issue_slots.issued.last()?.1 as f64 / report.issue_slots.total() as f64)
            };
            mean(self.runs.kernels().iter().filter_map(share)).map(percent)
        };
        Figure {
            id: "issue_slots".into(),
            title: "Issue slots".into(),
            beside: "Fung & Aamodt 2011, Fig 13(a) and 14(a)",
            paper: "No averages are given. Thin warps become full ones under TBC, and synchronisation at branches adds idle cycles; BFS, MUM and MGST become bound by memory. DWF turns full warps into thin ones on HOTSP, NAMD, HRTWL, MGST, RAY and WP.",
            here: format!(
                "slots that issue a full or almost full warp, mean over all kernels: {}.",
                listed(&self.variants, full)
            ),
            note: "Each slot is in one class. The papers' W0_Mem is *memory is outstanding* here, W0_Idle is *wait at a barrier* and *dependences, control, launch*; *wait to be compacted* is W0_Idle, too, of warps that wait for others of their CTA.",
            svg: slots(self.runs, &self.runs.kernels(), &self.base, &self.variants),
        }
    }

    fn misses(&self) -> Figure {
        let (svg, here) = self.over_base("L1 misses", |report| report.l1.misses as f64);
        Figure {
            id: "l1_misses".into(),
            title: "Misses of the L1 data cache".into(),
            beside: "Rhu 2014, Fig 4.24(a)",
            paper: "No averages are given. TBC+ has many more misses on BFS, MUM, BACKP and DWTHARR; CAPRI has fewer of them.",
            here,
            note: "",
            svg,
        }
    }

    fn l2_misses(&self) -> Figure {
        let (svg, _) = self.over_base("L2 misses", |report| report.l2_misses as f64);
        Figure {
            id: "l2_misses".into(),
            title: "Misses of the L2 slice".into(),
            beside: "Rhu 2014, Fig 4.24(b)",
            paper: "Negligible changes: +1.3 % on average with Balanced lanes (4.4.4).",
            here: self.totals(|report| report.l2_misses),
            note: "",
            svg,
        }
    }

    fn traffic(&self) -> Figure {
        let (svg, _) = self.over_base("requests beyond L1", |report| report.memory_transactions as f64);
        Figure {
            id: "traffic".into(),
            title: "Traffic beyond L1".into(),
            beside: "Fung & Aamodt 2011, Fig 16",
            paper: "Within 7 % of the per-warp stack, but DG (textures).",
            here: self.totals(|report| report.memory_transactions),
            note: "Requests here, bytes in the paper: its writes are of whole lines too.",
            svg,
        }
    }

    /// Of all kernels together, over the base.
    fn totals(&self, number: impl Fn(&RunReport) -> u64) -> String {
        let kernels = self.runs.kernels();
        let of = |variant: &Variant| totals(self.runs, &kernels, variant, &self.base, &number).map(change);
        format!("totals over all kernels: {}.", listed(&self.others(), of))
    }

    /// Whether likely-convergence points deepen a stack.
    fn has_lcp(&self) -> bool {
        self.variants.iter().any(|variant| variant.mechanism.ends_with("+lcp"))
    }

    fn stacks(&self) -> Figure {
        let value = |kernel: &str, variant: &Variant| Some(self.runs.get(kernel, variant)?.stack_max_depth as f64);
        let kernels = self.runs.kernels();
        // Some mechanisms have none.
        let has_stack = |variant: &&Variant| kernels.iter().any(|kernel| value(kernel, variant) > Some(0.0));
        let variants = &self.variants.iter().filter(has_stack).cloned().collect::<Vec<_>>()[..];
        let most = |variant: &Variant| {
            let depths = kernels.iter().filter_map(|kernel| Some((value(kernel, variant)?, kernel)));
            let (depth, kernel) = depths.max_by(|a, b| a.0.total_cmp(&b.0))?;
            Some(format!("{depth} (`{kernel}`)"))
        };
        Figure {
            id: "stack_depth".into(),
            title: "Stack depth".into(),
            beside: "Fung & Aamodt 2011, Table 3",
            paper: "With likely-convergence points fewer than 16 entries, in most applications 1 to 5, but MGST: 38.",
            here: format!("most entries of one stack: {}.", listed(variants, most)),
            note: "",
            svg: bars("most entries of one stack in use", "entries", &kernels, variants, value).svg(),
        }
    }
}

/// Where the issue slots go, over all of the base: a picture.
pub(super) fn slots(runs: &Runs, kernels: &[&str], base: &Variant, variants: &[Variant]) -> String {
    let parts = |report: &RunReport, base: f64| {
        let slots = &report.issue_slots;
        let idle = [slots.stall, slots.compaction, slots.idle_memory, slots.barrier, slots.idle_other];
        let issued = slots.issued.iter().map(|(_, slots)| *slots);
        issued.chain(idle).map(|slots| slots as f64 / base).collect::<Vec<_>>()
    };
    let bar = |kernel: &str, variant: &Variant| {
        let base = runs.get(kernel, base)?.issue_slots.total() as f64;
        Some(parts(runs.get(kernel, variant)?, base))
    };
    let bars = variants.iter().zip(looks::of(variants)).map(|(variant, look)| Bar {
        name: variant.to_string(),
        look,
        values: kernels.iter().map(|kernel| bar(kernel, variant)).collect(),
    });
    let stacks = Stacks {
        title: format!("where the issue slots go, over all of {base}"),
        unit: "slots".to_string(),
        groups: kernels.iter().map(|kernel| kernel.to_string()).collect(),
        parts: slot_parts(runs),
        bars: bars.collect(),
    };
    stacks.svg()
}

/// What an issue slot can be: by how many lanes are active, then why nothing issues.
fn slot_parts(runs: &Runs) -> Vec<Part> {
    let first = runs.reports().map(|report| &report.issue_slots.issued).find(|issued| !issued.is_empty());
    let issued = first.map_or(&[][..], |issued| issued.as_slice());
    let lanes = issued.iter().enumerate().map(|(number, (bucket, _))| {
        let name = bucket.trim_start_matches('W').replace('-', " to ");
        let verb = if number == 0 { "issued, active lanes: " } else { "" };
        Part::step(format!("{verb}{name}"), number, issued.len())
    });
    let idle = [
        "no issue: a unit is busy",
        "no issue: warps wait to be compacted",
        "no issue: memory is outstanding",
        "no issue: warps wait at a barrier",
        "no issue: dependences, control, launch",
    ];
    let idle = idle.into_iter().enumerate().map(|(number, name)| Part::other(name.to_string(), number));
    lanes.chain(idle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Ending;

    /// What is said of utilisation and of speed, of a kernel under two mechanisms.
    fn said(simd_utilization: f64) -> [String; 2] {
        let report = |mechanism: &str| RunReport {
            kernel: "vecadd".into(),
            mechanism: mechanism.into(),
            cycles: 100,
            simd_utilization,
            result: Ending::Pass,
            ..RunReport::default()
        };
        let reports = ["spe", "tbc"].map(report);
        let figures = figures(&Runs::new(&reports));
        ["simd_utilization", "speedup"].map(|id| figures.iter().find(|figure| figure.id == id).unwrap().here.clone())
    }

    #[test]
    fn nothing_is_said_of_no_kernels() {
        let [utilisation, speed] = said(1.0);
        assert_eq!(utilisation, "no kernel is below 90 %.");
        let one = "harmonic means over the 1 kernels, none of them below 90 % utilisation: `tbc` ";
        assert!(speed.starts_with(one) && !speed.contains(';'), "{speed}");
        let [utilisation, speed] = said(0.5);
        assert!(utilisation.starts_with("mean over the 1 kernels below 90 %: `spe` "), "{utilisation}");
        assert!(speed.starts_with("harmonic means over the 1 kernels below 90 % utilisation: `tbc` "), "{speed}");
        assert!(!speed.contains(';'), "{speed}");
    }
}
