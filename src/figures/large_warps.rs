//! What large warps and two-level scheduling do, on the machine of Narasiman 2014, chapter 5.
use super::claims::find;
use super::{
    Figure, Runs, Variant, bars, change, harmonic_mean, listed, mean, mechanisms, percent, ratios, runs, totals,
};
use crate::report::RunReport;

/// The thesis' benchmarks, in its order: four that branch much, then eight that wait for memory.
pub const BENCHMARKS: [&str; 12] = [
    "blackjack",
    "bucketsort",
    "viterbi",
    "kmeans",
    "decrypt",
    "blackscholes",
    "nw",
    "hotspot",
    "matmul",
    "reduction",
    "histogram",
    "bfs",
];
const BRANCHING: usize = 4;

/// Groups of as many warps as are in a large one of 256 threads; another group's turn after 32,768 instructions at the latest.
pub const TWO_LEVEL: &[(&str, &str)] = &[("scheduler", "2lev:8:32768")];
/// Other groups, and the whole core.
pub const GROUPS: [&str; 4] = ["2lev:4:32768", "2lev:8:32768", "2lev:16:32768", "2lev:32:32768"];
/// The thesis' scheduler of TBC.
pub const STICKY: &[(&str, &str)] = &[("cta-priority", "srr")];
/// Sizes of large warps.
pub const SIZES: [&str; 3] = ["lwm:64", "lwm:128", "lwm:256"];
/// Without the optimisation of jumps.
pub const PACKED_JUMPS: &str = "lwm:256:packed-jumps";

/// What is compared first: mechanism and options.
pub const COMPARED: [(&str, &[(&str, &str)]); 6] = [
    ("spe", &[]),
    ("tbc-plus", STICKY),
    ("lwm:256", &[]),
    ("spe", TWO_LEVEL),
    ("lwm:256", TWO_LEVEL),
    ("tbc-plus", TWO_LEVEL),
];

/// Of a comparison with large warps on that machine.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variants: Vec<Variant> = COMPARED.iter().filter_map(|(name, options)| find(runs, name, options)).collect();
    let kernels: Vec<&str> = BENCHMARKS.into_iter().filter(|kernel| runs.kernels().contains(kernel)).collect();
    if variants.len() < COMPARED.len() || kernels.is_empty() {
        return Vec::new();
    }
    let study = Study { runs, kernels, base: &variants[0], others: &variants[1..], all: &variants };
    vec![study.speed(), study.slots(), study.sizes(), study.ideal(), study.jumps(), study.groups()]
}

struct Study<'r, 'a> {
    runs: &'r Runs<'a>,
    /// Of the thesis' benchmarks.
    kernels: Vec<&'r str>,
    base: &'r Variant,
    others: &'r [Variant],
    all: &'r [Variant],
}

const NOTE: &str = "All have the thesis' rule for hazards, whatever the mechanism: what waits for a register waits for all of its warp. `aes` is the thesis' decrypt the other way round, and among the kernels, too; `nw` has CTAs of one warp of 16 threads, which nothing can pack.";

impl Study<'_, '_> {
    fn faster(&self, kernel: &str, variant: &Variant) -> Option<f64> {
        self.runs.speedup(kernel, variant, self.base)
    }

    /// Mechanisms as such, as far as they were run.
    fn plain(&self, mechanisms: &[&str]) -> Vec<Variant> {
        mechanisms.iter().filter_map(|mechanism| find(self.runs, mechanism, &[])).collect()
    }

    /// Harmonic means of speed over the base.
    fn means(&self, kernels: &[&str], variants: &[Variant]) -> String {
        let of = |variant: &Variant| {
            harmonic_mean(kernels.iter().filter_map(|kernel| self.faster(kernel, variant))).map(change)
        };
        listed(variants, of)
    }

    /// Speed over the base, kernel by kernel.
    fn speeds(&self, variants: &[Variant]) -> String {
        let title = format!("speed, over {}", self.base);
        let speed = |kernel: &str, variant: &Variant| self.faster(kernel, variant);
        let chart = bars(&title, "speedup", &self.kernels, variants, speed);
        ratios(chart, ("harmonic mean", harmonic_mean), None).svg()
    }

    fn speed(&self) -> Figure {
        let branches = |kernel: &&str| BENCHMARKS[..BRANCHING].contains(kernel);
        let (branching, waiting) = self.kernels.iter().copied().partition::<Vec<&str>, _>(branches);
        let said = [
            (self.kernels.clone(), "the thesis' benchmarks"),
            (branching, "those that branch"),
            (waiting, "those that wait for memory"),
            (self.runs.kernels(), "all kernels"),
        ];
        let said = said
            .map(|(kernels, what)| format!("over {what} ({}): {}", kernels.len(), self.means(&kernels, self.others)));
        Figure {
            id: "speed".into(),
            title: "Large warps and two-level scheduling".into(),
            beside: "Narasiman 2014, Fig 5.1",
            paper: "LWM +7.9 %, two-level scheduling +9.9 %, both +19.1 % over round robin and +11.5 % over TBC. LWM lifts the four that branch, two-level scheduling the others.",
            here: format!("harmonic means {}.", said.join("; ")),
            note: NOTE,
            svg: self.speeds(self.others),
        }
    }

    fn slots(&self) -> Figure {
        let waits = |kernel: &&str| {
            let slots = &self.runs.get(kernel, self.base)?.issue_slots;
            Some(slots.idle_memory as f64 / slots.total() as f64)
        };
        let shares: Vec<f64> = self.kernels.iter().filter_map(waits).collect();
        // With none of them, each kernel would take so much less.
        let bound = mean(shares.iter().map(|share| 1.0 - share)).map_or(String::new(), |rest| change(1.0 / rest));
        let waiting = self.kernels.iter().filter_map(|kernel| Some(format!("`{kernel}` {}", percent(waits(kernel)?))));
        Figure {
            id: "slots".into(),
            title: "Issue slots under large warps".into(),
            beside: "Narasiman 2014, Fig 5.2",
            paper: "No averages are given. The four that branch have few idle cycles even on the base, the others many: two-level scheduling hides them.",
            here: format!(
                "slots of `{}` without an issue while memory is outstanding: {}. Were there none of them, the mean gain would be {bound}: so much is there to win for whatever hides latency.",
                self.base,
                waiting.collect::<Vec<_>>().join(", ")
            ),
            note: NOTE,
            svg: mechanisms::slots(self.runs, &self.kernels, self.base, self.all),
        }
    }

    fn sizes(&self) -> Figure {
        let variants = self.plain(&SIZES);
        Figure {
            id: "sizes".into(),
            title: "Size of large warps".into(),
            beside: "Narasiman 2014, Fig 5.3",
            paper: "256 threads are best; at 512 blackjack and sort lose, whose loops have different trip counts.",
            here: format!("harmonic means over the thesis' benchmarks: {}.", self.means(&self.kernels, &variants)),
            note: "A large warp has threads of one CTA, and CTAs have at most 256 here: larger ones are a study of their own (docs/studies.md).",
            svg: self.speeds(&variants),
        }
    }

    fn ideal(&self) -> Figure {
        let variants = self.plain(&["lwm:256"]);
        let count = |report: &RunReport, name| runs::count(&report.sub_warps, name);
        let share = |kernel: &str, variant: &Variant| {
            let report = self.runs.get(kernel, variant)?;
            let packed = count(report, "sub_warps_packed");
            (packed > 0.0).then(|| count(report, "sub_warps_ideal") / packed)
        };
        let chart = bars("sub-warps that would do, of those packed", "share", &self.kernels, &variants, share);
        let chart = ratios(chart, ("mean", mean), None);
        let least = self.kernels.iter().filter_map(|kernel| Some((share(kernel, &variants[0])?, kernel)));
        let least = least.min_by(|a, b| a.0.total_cmp(&b.0));
        let least = least.map_or(String::new(), |(share, kernel)| format!("least {} (`{kernel}`)", percent(share)));
        let all =
            mean(self.kernels.iter().filter_map(|kernel| share(kernel, &variants[0]))).map_or(String::new(), percent);
        Figure {
            id: "ideal".into(),
            title: "What home lanes cost large warps".into(),
            beside: "Narasiman 2014, Fig 5.4",
            paper: "LWM reaches at least 90 % of the speed of a register file where any thread may take any lane, but on sort, which is 15.2 % faster there.",
            here: format!("mean {all}, {least}."),
            note: "Sub-warps counted, not cycles: of the instructions that are packed, the sub-warps that the same threads would need in any lanes, over those that issued.",
            svg: chart.svg(),
        }
    }

    fn jumps(&self) -> Figure {
        let once = self.plain(&["lwm:256"]);
        let packed = self.plain(&[PACKED_JUMPS]);
        let gain = |kernel: &str, variant: &Variant| self.runs.speedup(kernel, variant, packed.first()?);
        let chart = bars("speed, over large warps whose jumps are packed", "speedup", &self.kernels, &once, gain);
        let chart = ratios(chart, ("harmonic mean", harmonic_mean), None);
        let all = harmonic_mean(self.kernels.iter().filter_map(|kernel| gain(kernel, &once[0])));
        let fewer = packed
            .first()
            .and_then(|packed| totals(self.runs, &self.kernels, &once[0], packed, |report| report.warp_instructions));
        let [all, fewer] = [all, fewer].map(|ratio| ratio.map_or(String::new(), change));
        Figure {
            id: "jumps".into(),
            title: "Jumps that issue once".into(),
            beside: "Narasiman 2014, Fig 5.5",
            paper: "About +1 %.",
            here: format!("harmonic mean {all}, instructions issued {fewer}."),
            note: "`jal` without a link; calls and returns are packed in both.",
            svg: chart.svg(),
        }
    }

    fn groups(&self) -> Figure {
        let variants: Vec<Variant> =
            GROUPS.iter().filter_map(|group| find(self.runs, "spe", &[("scheduler", group)])).collect();
        Figure {
            id: "groups".into(),
            title: "Size of fetch groups".into(),
            beside: "Narasiman 2014, Fig 5.6",
            paper: "8 warps are best, since fewer do not fill the pipeline; all 32 are round robin.",
            here: format!("harmonic means over the thesis' benchmarks: {}.", self.means(&self.kernels, &variants)),
            note: "",
            svg: self.speeds(&variants),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Ending, IssueSlots};

    fn report(kernel: &str, (mechanism, options): (&str, &[(&str, &str)]), cycles: u64) -> RunReport {
        RunReport {
            kernel: kernel.into(),
            mechanism: mechanism.into(),
            preset: "large-warp".into(),
            parameters: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            cycles,
            issue_slots: IssueSlots { idle_memory: 20, idle_other: 80, ..IssueSlots::default() },
            sub_warps: vec![("sub_warps_packed".into(), 40), ("sub_warps_ideal".into(), 30)],
            warp_instructions: cycles,
            result: Ending::Pass,
            ..RunReport::default()
        }
    }

    #[test]
    fn each_figure_says_what_was_run() {
        let mut reports = Vec::new();
        for kernel in ["blackjack", "bfs", "vecadd"] {
            let cycles = COMPARED.iter().zip([120, 110, 100, 115, 96, 105]);
            reports.extend(cycles.map(|(variant, cycles)| report(kernel, *variant, cycles)));
            reports.push(report(kernel, (PACKED_JUMPS, &[]), 102));
        }
        let figures = figures(&Runs::new(&reports));
        let here = |id: &str| &figures.iter().find(|figure| figure.id == id).unwrap().here[..];
        assert!(
            here("speed").starts_with(
                "harmonic means over the thesis' benchmarks (2): `tbc-plus, cta-priority srr` +9.1 %, `lwm:256` +20.0 %"
            ),
            "{}",
            here("speed")
        );
        assert!(here("speed").contains("over those that wait for memory (1): "), "{}", here("speed"));
        assert!(here("speed").contains("over all kernels (3): "), "{}", here("speed"));
        assert!(
            here("slots")
                .starts_with("slots of `spe` without an issue while memory is outstanding: `blackjack` 20.0 %")
        );
        assert!(here("slots").contains("the mean gain would be +25.0 %"), "{}", here("slots"));
        assert_eq!(here("ideal"), "mean 75.0 %, least 75.0 % (`blackjack`).");
        assert_eq!(here("jumps"), "harmonic mean +2.0 %, instructions issued -2.0 %.");
        assert_eq!(here("groups"), "harmonic means over the thesis' benchmarks: `spe, scheduler 2lev:8:32768` +4.3 %.");
    }

    #[test]
    fn there_is_nothing_without_large_warps() {
        assert!(figures(&Runs::new(&[report("bfs", COMPARED[0], 100), report("bfs", COMPARED[1], 90)])).is_empty());
    }
}
