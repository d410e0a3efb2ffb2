//! What the papers claim, beside the same number here, on the paper's machine.
use super::large_warps::{self, STICKY, TWO_LEVEL};
use super::replay::{self, REPLAY, REPLAY_KNOWN, STALLING, STALLING_KNOWN};
use super::runs::DIVERGENT;
use super::{Runs, Variant, dual_path, harmonic_mean, totals};
use warploom_runtime::machines::{self, Reading};

/// A number of a paper.
struct Claim {
    /// Paper and figure.
    source: &'static str,
    /// What is claimed, after "speed of".
    what: &'static str,
    /// Gain in percent.
    paper: f64,
    /// Of `warploom presets`.
    preset: &'static str,
    mechanism: &'static str,
    over: &'static str,
    /// What else is chosen on both sides.
    options: [Options; 2],
    kernels: Kernels,
    metric: Metric,
    /// Of its readings, the one that it is about.
    reading: Option<&'static str>,
}

/// Options, and their values.
type Options = &'static [(&'static str, &'static str)];

/// Which kernels it is about.
enum Kernels {
    All,
    /// Less than this of the lanes is busy on the base.
    Below(f64),
    /// At least this.
    From(f64),
    /// Something to run on both sides of their branches.
    Interleavable,
    /// Those that the paper names and that are here.
    Named(&'static [&'static str]),
}

enum Metric {
    /// Harmonic mean of speed.
    Speed,
    /// Sum of the idle slots.
    Idle,
    /// Sum of the issue slots that are taken.
    Issues,
}

/// Fung's limit of divergent kernels (2.2.2).
pub const FUNG: f64 = 0.76;
/// Of Fung's divergent benchmarks, those that are here.
const FUNG_DIVERGENT: Kernels = Kernels::Named(&["bfs_frontier", "hotspot", "lps", "mum"]);
/// The divergent ones of Rhu 2014, Fig 4.23.
const RHU_DIVERGENT: Kernels = Kernels::Named(&["bfs", "mum", "lps", "backprop"]);
/// Of the eight benchmarks of Rhu 2014, Fig 4.30, those that are here.
const RHU_PERMUTED: Kernels = Kernels::Named(&["lps", "bfs", "mum", "backprop", "bitonic_shared"]);

const fn speed(
    source: &'static str,
    what: &'static str,
    paper: f64,
    [preset, mechanism, over]: [&'static str; 3],
    kernels: Kernels,
) -> Claim {
    let (options, metric, reading) = ([&[] as Options; 2], Metric::Speed, None);
    Claim { source, what, paper, preset, mechanism, over, options, kernels, metric, reading }
}

const fn with_small_l2(claim: Claim) -> Claim {
    Claim { reading: Some(SMALL_L2), ..claim }
}

/// Of large warps and two-level scheduling, on the thesis' benchmarks.
const fn narasiman(
    source: &'static str,
    what: &'static str,
    paper: f64,
    [mechanism, over]: [&'static str; 2],
    options: [Options; 2],
) -> Claim {
    let claim = speed(source, what, paper, ["large-warp", mechanism, over], Kernels::Named(&large_warps::BENCHMARKS));
    Claim { options, ..claim }
}

/// Of two ways to wait for memory.
const fn turner(
    source: &'static str,
    what: &'static str,
    paper: f64,
    options: [Options; 2],
    kernels: Kernels,
) -> Claim {
    let claim = speed(source, what, paper, [replay::MACHINE, "spe", "spe"], kernels);
    Claim { options, ..claim }
}

/// Those whose loads wait for MSHRs most.
const MISSING: Kernels = Kernels::Named(&replay::MISSING);

const fn idle(what: &'static str, paper: f64, mechanism: &'static str) -> Claim {
    let source = "Rhu 2014, Fig 4.22(b)";
    let claim = speed(source, what, paper, ["capri", mechanism, "spe"], Kernels::All);
    Claim { metric: Metric::Idle, ..claim }
}

/// The reading of `fung` with the caches of Fung 2011, 6.4.
pub const SMALL_L2: &str = "small L2";

const TBC: [&str; 3] = ["fung", "tbc-plus+lcp", "spe"];
/// The paper's warps are of threads of the core.
const DWF: [&str; 3] = ["fung", "dwf:core", "spe"];
const WARP_BARRIERS: [&str; 3] = ["fung", "dwf-wb:core", "spe"];
const CLAIMS: [Claim; 37] = [
    speed("Fung 2011, Fig 12", "TBC, divergent kernels (below 76 %)", 22.0, TBC, Kernels::Below(FUNG)),
    speed("Fung 2011, Fig 12", "TBC, the paper's divergent benchmarks", 22.0, TBC, FUNG_DIVERGENT),
    speed("Fung 2011, Fig 12", "TBC, coherent kernels", 0.0, TBC, Kernels::From(FUNG)),
    speed("Fung 2011, Fig 12", "TBC, all kernels", 10.0, TBC, Kernels::All),
    speed("Fung 2011, Fig 12", "DWF, divergent kernels (below 76 %)", 4.0, DWF, Kernels::Below(FUNG)),
    speed("Fung 2011, Fig 12", "DWF, the paper's divergent benchmarks", 4.0, DWF, FUNG_DIVERGENT),
    // From TBC over spe and over DWF-WB.
    speed("Fung 2011, Fig 12", "DWF with warp barriers, divergent kernels", 15.1, WARP_BARRIERS, Kernels::Below(FUNG)),
    speed("Fung 2011, Fig 12", "DWF with warp barriers, all kernels", 0.0, WARP_BARRIERS, Kernels::All),
    speed(
        "Fung 2011, section 6",
        "TBC over DWF, divergent kernels",
        17.0,
        ["fung", "tbc-plus+lcp", "dwf:core"],
        Kernels::Below(FUNG),
    ),
    speed(
        "Fung 2011, section 6",
        "TBC over DWF with warp barriers, divergent kernels",
        6.0,
        ["fung", "tbc-plus+lcp", "dwf-wb:core"],
        Kernels::Below(FUNG),
    ),
    with_small_l2(speed("Fung 2011, Fig 17", "TBC, divergent kernels", 13.5, TBC, Kernels::Below(FUNG))),
    // The one benchmark whose number is in the text: MUMpp there.
    with_small_l2(speed("Fung 2011, 6.4", "DWF, mum", -4.0, DWF, Kernels::Named(&["mum"]))),
    speed(
        "Rhu 2014, Fig 4.23",
        "CAPRI, divergent kernels (below 90 %)",
        14.9,
        ["capri", "capri", "spe"],
        Kernels::Below(DIVERGENT),
    ),
    speed(
        "Rhu 2014, Fig 4.23",
        "CAPRI, the paper's divergent benchmarks",
        14.9,
        ["capri", "capri", "spe"],
        RHU_DIVERGENT,
    ),
    speed(
        "Rhu 2014, Fig 4.23",
        "CAPRI over TBC+, divergent kernels",
        7.6,
        ["capri", "capri", "tbc-plus"],
        Kernels::Below(DIVERGENT),
    ),
    speed("Rhu 2014, Fig 4.23", "CAPRI, other kernels", 0.0, ["capri", "capri", "spe"], Kernels::From(DIVERGENT)),
    speed("Rhu 2014, Fig 4.23", "TBC, other kernels", -12.0, ["capri", "tbc", "spe"], Kernels::From(DIVERGENT)),
    speed("Rhu 2014, Fig 4.23", "TBC+, other kernels", -11.0, ["capri", "tbc-plus", "spe"], Kernels::From(DIVERGENT)),
    speed(
        "Rhu 2014, Fig 4.30",
        "CAPRI with Balanced, the paper's benchmarks",
        11.6,
        ["capri", "capri+slp=balanced", "spe"],
        RHU_PERMUTED,
    ),
    speed(
        "Rhu 2014, Fig 4.30",
        "Balanced over CAPRI alone, the paper's benchmarks",
        7.0,
        ["capri", "capri+slp=balanced", "capri"],
        RHU_PERMUTED,
    ),
    speed(
        "Rhu 2014, Fig 4.30",
        "CAPRI with Balanced, bitonic_shared",
        25.6,
        ["capri", "capri+slp=balanced", "spe"],
        Kernels::Named(&["bitonic_shared"]),
    ),
    idle("idle slots under TBC", 72.0, "tbc"),
    idle("idle slots under TBC+", 63.0, "tbc-plus"),
    idle("idle slots under CAPRI", 5.0, "capri"),
    speed("Rhu 2014, Fig 3.11", "DPE, interleavable kernels", 12.7, ["dpe", "dpe", "spe"], Kernels::Interleavable),
    speed(
        "Rhu 2014, Fig 3.12",
        "DPE constrained, interleavable kernels",
        9.9,
        ["dpe", "dpe:constrained", "spe"],
        Kernels::Interleavable,
    ),
    speed("Rhu 2014, 3.3.5", "DPE, lud", 27.6, ["dpe", "dpe", "spe"], Kernels::Named(&["lud"])),
    Claim {
        metric: Metric::Idle,
        ..speed(
            "Rhu 2014, Fig 3.10(a)",
            "idle slots under DPE, interleavable kernels",
            -11.0,
            ["dpe", "dpe", "spe"],
            Kernels::Interleavable,
        )
    },
    narasiman("Narasiman 2014, Fig 5.1", "LWM", 7.9, ["lwm:256", "spe"], [&[], &[]]),
    narasiman("Narasiman 2014, Fig 5.1", "two-level scheduling", 9.9, ["spe", "spe"], [TWO_LEVEL, &[]]),
    narasiman("Narasiman 2014, Fig 5.1", "LWM with it", 19.1, ["lwm:256", "spe"], [TWO_LEVEL, &[]]),
    narasiman("Narasiman 2014, Fig 5.1", "LWM with it over TBC", 11.5, ["lwm:256", "tbc-plus"], [TWO_LEVEL, STICKY]),
    turner(
        "Turner 2012, 7.2",
        "hazard prediction over stalling (the most, CFD or BFS2)",
        13.3,
        [REPLAY_KNOWN, STALLING],
        MISSING,
    ),
    turner("Turner 2012, 7.2", "hazard prediction over replay (the most)", 3.3, [REPLAY_KNOWN, REPLAY], MISSING),
    turner("Turner 2012, Fig 7.13", "what is known, without replay", 0.0, [STALLING_KNOWN, STALLING], Kernels::All),
    Claim {
        metric: Metric::Issues,
        ..turner("Turner 2012, Fig 7.14", "issue slots taken", -50.0, [REPLAY_KNOWN, REPLAY], Kernels::Named(&["cfd"]))
    },
    narasiman("Narasiman 2014, Fig 5.5", "jumps that issue once", 1.0, ["lwm:256", "lwm:256:packed-jumps"], [&[], &[]]),
];

/// Rows of a table, as in [`HEADER`]; only of what there are runs for.
pub fn rows(runs: &Runs) -> Vec<Vec<String>> {
    CLAIMS.iter().filter_map(|claim| claim.row(runs)).collect()
}

/// What heads the columns of [`rows`].
pub const HEADER: [&str; 7] = ["claim", "source", "paper", "here", "without one kernel", "other readings", "verdict"];

impl Claim {
    fn row(&self, runs: &Runs) -> Option<Vec<String>> {
        let runs = runs.on(self.preset);
        let kernels = self.kernels(&runs);
        let machine = machines::find(self.preset)?;
        let own = machine.readings.iter().find(|reading| Some(reading.name) == self.reading);
        let parameters = own.map_or(&[][..], |reading| reading.options);
        let here = self.gain(&runs, &kernels, parameters)?;
        let reading = |Reading { name, options, .. }: &Reading| {
            Some(format!("{name} {}", percent(self.gain(&runs, &kernels, options)?)))
        };
        let others = machine.readings.iter().filter(|_| own.is_none());
        let readings: Vec<String> = others.filter_map(reading).collect();
        Some(vec![
            format!(
                "{}: `{}` over `{}` on `{}`{}, {}",
                self.what,
                Variant::with(self.preset, self.mechanism, self.options[0]),
                Variant::with(self.preset, self.over, self.options[1]),
                self.preset,
                own.map_or(String::new(), |reading| format!(" ({})", reading.name)),
                count(&kernels)
            ),
            self.source.to_string(),
            percent(self.paper),
            percent(here),
            self.without_one(&runs, &kernels, parameters).unwrap_or_default(),
            readings.join("; "),
            verdict(self.paper, here).to_string(),
        ])
    }

    fn kernels<'a>(&self, runs: &Runs<'a>) -> Vec<&'a str> {
        let dual = runs.variant("dpe", &[]);
        let paths = |kernel: &str| Some(runs.get(kernel, dual.as_ref()?)?.average_paths);
        let belongs = |kernel: &&str| match &self.kernels {
            Kernels::All => true,
            Kernels::Below(utilisation) => runs.is_below(kernel, *utilisation),
            Kernels::From(utilisation) => !runs.is_below(kernel, *utilisation),
            Kernels::Interleavable => paths(kernel).is_some_and(|paths| paths >= dual_path::INTERLEAVABLE),
            Kernels::Named(names) => names.contains(kernel),
        };
        runs.kernels().into_iter().filter(belongs).collect()
    }

    /// Between what it is without one kernel and without another: whether it rests on one.
    fn without_one(&self, runs: &Runs, kernels: &[&str], parameters: &[(&str, &str)]) -> Option<String> {
        let without = |left_out: &&str| {
            let others: Vec<&str> = kernels.iter().copied().filter(|kernel| kernel != left_out).collect();
            Some((self.gain(runs, &others, parameters)?, left_out.to_string()))
        };
        let gains: Vec<(f64, String)> = kernels.iter().filter_map(without).collect();
        let by_gain = |a: &&(f64, String), b: &&(f64, String)| a.0.total_cmp(&b.0);
        let [least, most] = [gains.iter().min_by(by_gain)?, gains.iter().max_by(by_gain)?];
        let named = |(gain, kernel): &(f64, String)| format!("{} (`{kernel}`)", percent(*gain));
        Some(format!("{} to {}", named(least), named(most)))
    }

    /// In percent, where both have these parameters.
    fn gain(&self, runs: &Runs, kernels: &[&str], parameters: &[(&str, &str)]) -> Option<f64> {
        let [own, of_over] = self.options;
        let variant = find(runs, self.mechanism, &[own, parameters].concat())?;
        let over = find(runs, self.over, &[of_over, parameters].concat())?;
        let ratio = match self.metric {
            Metric::Speed => harmonic_mean(kernels.iter().filter_map(|kernel| runs.speedup(kernel, &variant, &over)))?,
            Metric::Idle => totals(runs, kernels, &variant, &over, |report| report.idle_slots)?,
            Metric::Issues => totals(runs, kernels, &variant, &over, replay::issues)?,
        };
        Some(100.0 * (ratio - 1.0))
    }
}

/// The variant of a mechanism with these parameters; TBC may have a priority of CTAs beside them: that of age, if there are several.
pub fn find(runs: &Runs, mechanism: &str, parameters: &[(&str, &str)]) -> Option<Variant> {
    let by_age = [parameters, &[("cta-priority", "age")]].concat();
    runs.variant(mechanism, &by_age).or_else(|| runs.variant(mechanism, parameters))
}

/// How many, or which one.
pub fn count(kernels: &[&str]) -> String {
    if let [kernel] = kernels { format!("`{kernel}`") } else { format!("{} kernels", kernels.len()) }
}

fn percent(gain: f64) -> String {
    format!("{gain:+.1} %")
}

/// In words; a claim that there is no effect holds within 2 %.
fn verdict(paper: f64, here: f64) -> &'static str {
    const NONE: f64 = 2.0;
    if paper.abs() < NONE {
        return if here.abs() <= NONE { "as in the paper" } else { "differs" };
    }
    match here / paper {
        ratio if ratio < 0.0 && here.abs() <= NONE => "no effect",
        ratio if ratio < 0.0 => "**the other sign**",
        ratio if ratio < 0.5 => "same sign, much smaller",
        ratio if ratio < 0.8 => "same sign, smaller",
        ratio if ratio <= 1.25 => "as in the paper",
        _ => "same sign, larger",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Ending, RunReport};

    #[test]
    fn verdicts() {
        for (paper, here, expected) in [
            (0.0, -1.9, "as in the paper"),
            (0.0, 2.1, "differs"),
            (22.0, 19.5, "as in the paper"),
            (22.0, 12.0, "same sign, smaller"),
            (22.0, 4.0, "same sign, much smaller"),
            (22.0, -1.0, "no effect"),
            (22.0, -4.0, "**the other sign**"),
            (-12.0, -20.0, "same sign, larger"),
        ] {
            assert_eq!(verdict(paper, here), expected, "{paper} {here}");
        }
    }

    #[test]
    fn a_claim_is_of_its_machine_and_its_kernels() {
        let report = |kernel: &str, mechanism: &str, cycles, simd_utilization| RunReport {
            kernel: kernel.into(),
            mechanism: mechanism.into(),
            preset: "fung".into(),
            cycles,
            simd_utilization,
            result: Ending::Pass,
            ..RunReport::default()
        };
        let mut reports = vec![
            report("bfs", "spe", 120, 0.5),
            report("aes", "spe", 100, 1.0),
            report("bfs", "tbc-plus+lcp", 100, 0.9),
            report("aes", "tbc-plus+lcp", 100, 1.0),
        ];
        // Other readings: one was not run, and one has a claim of its own.
        let half = &[("dram-bandwidth", "1.31")][..];
        let small = &[("l2-bytes", "32768"), ("l2-ways", "8")][..];
        for (options, cycles) in [(half, 130), (small, 110)] {
            for (mechanism, cycles) in [("spe", cycles), ("tbc-plus+lcp", 100)] {
                let mut other = report("bfs", mechanism, cycles, 0.5);
                let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string()));
                other.parameters.extend(options);
                reports.push(other);
            }
        }
        for report in &mut reports {
            if report.mechanism.starts_with("tbc") {
                report.parameters.insert("cta-priority".into(), "age".into());
            }
        }
        let rows = rows(&Runs::new(&reports));
        let of = |row: &Vec<String>| [0, 3, 4, 5, 6].map(|column| row[column].clone());
        assert_eq!(
            rows.iter().map(of).collect::<Vec<_>>(),
            [
                [
                    "TBC, divergent kernels (below 76 %): `tbc-plus+lcp` over `spe` on `fung`, `bfs`",
                    "+20.0 %",
                    "",
                    "half the bandwidth +30.0 %; small L2 +10.0 %",
                    "as in the paper"
                ],
                [
                    "TBC, coherent kernels: `tbc-plus+lcp` over `spe` on `fung`, `aes`",
                    "+0.0 %",
                    "",
                    "",
                    "as in the paper"
                ],
                [
                    "TBC, all kernels: `tbc-plus+lcp` over `spe` on `fung`, 2 kernels",
                    "+9.1 %",
                    "+0.0 % (`bfs`) to +20.0 % (`aes`)",
                    "half the bandwidth +30.0 %; small L2 +10.0 %",
                    "as in the paper"
                ],
                [
                    "TBC, divergent kernels: `tbc-plus+lcp` over `spe` on `fung` (small L2), `bfs`",
                    "+10.0 %",
                    "",
                    "",
                    "same sign, smaller"
                ],
            ]
        );
    }
}
