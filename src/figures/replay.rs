//! What issuing loads again does, and predicting which would be in vain, on the machine of Turner 2012; of the thesis' benchmarks, in their large sizes.
use super::runs::count;
use super::{Figure, Runs, Variant, bars, change, harmonic_mean, listed, mean, mechanisms, percent, ratios, with_mean};
use crate::report::RunReport;

/// Of the thesis' benchmarks, those that are here, in its order.
pub const BENCHMARKS: [&str; 19] = [
    "aes",
    "backprop",
    "bfs_frontier",
    "blackscholes",
    "cfd",
    "hotspot",
    "kmeans",
    "leukocyte",
    "lps",
    "lud",
    "matmul",
    "merge_sort",
    "mum",
    "nearest_neighbour",
    "nw",
    "ray",
    "srad",
    "streamcluster",
    "transpose",
];
/// The machine.
pub const MACHINE: &str = "replay";
/// Those that the thesis names for what prediction gains over replay.
pub const MISSING: [&str; 2] = ["bfs_frontier", "cfd"];
/// As large as fills a core of 64 warps: at the usual sizes most of its warps have no work.
pub const SIZE: &str = "large";

type Options = &'static [(&'static str, &'static str)];

/// The base: what waits stalls all behind it, in a collector of eight slots.
pub const STALLING: Options = &[];
/// The same with what the thesis calls *false*: it can predict nothing where nothing is issued again.
pub const STALLING_KNOWN: Options = &[("hazard-prediction", "known")];
const STALLING_EVERY: Options = &[("hazard-prediction", "every")];
const STALLING_COUNTERS: Options = &[("hazard-prediction", "counters")];
/// A queue for memory instructions alone.
pub const DECOUPLED: Options = &[("memory-path", "decoupled")];
/// Loads are issued again.
pub const REPLAY: Options = &[("memory-path", "replay")];
/// Not before there is an MSHR, if their last look found none.
pub const REPLAY_KNOWN: Options = &[("memory-path", "replay"), ("hazard-prediction", "known")];
const REPLAY_NAIVE: Options = &[("memory-path", "replay"), ("hazard-prediction", "known"), ("mshr-tracker", "naive")];
const REPLAY_COUNTERS: Options = &[("memory-path", "replay"), ("hazard-prediction", "counters")];
const REPLAY_EVERY: Options = &[("memory-path", "replay"), ("hazard-prediction", "every")];

/// What runs on the machine as such.
pub const COMPARED: [Options; 10] = [
    STALLING,
    DECOUPLED,
    REPLAY,
    REPLAY_KNOWN,
    REPLAY_NAIVE,
    REPLAY_COUNTERS,
    REPLAY_EVERY,
    STALLING_KNOWN,
    STALLING_COUNTERS,
    STALLING_EVERY,
];
/// What runs on its other readings, too.
pub const READ: [Options; 4] = [STALLING, DECOUPLED, REPLAY, REPLAY_KNOWN];
/// Operand collectors: fewer and more slots for all, and slots for memory instructions alone.
pub const COLLECTORS: [Options; 6] = [
    &[("memory-queue", "4")],
    &[("memory-queue", "16")],
    &[("memory-path", "decoupled"), ("memory-queue", "2")],
    &[("memory-path", "decoupled"), ("memory-queue", "4")],
    &[("memory-path", "replay"), ("memory-queue", "4")],
    &[("memory-path", "replay"), ("memory-queue", "16")],
];
const ONE_SCHEDULER: &str = "one scheduler";
const MERGING: &str = "MSHRs that merge";

/// Of a comparison of the ways to wait for memory on that machine.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variant = |options: &Options| runs.variant("spe", options);
    let kernels: Vec<&str> = BENCHMARKS.into_iter().filter(|kernel| runs.kernels().contains(kernel)).collect();
    let (Some(base), Some(replay), Some(known)) = (variant(&STALLING), variant(&REPLAY), variant(&REPLAY_KNOWN)) else {
        return Vec::new();
    };
    if kernels.is_empty() {
        return Vec::new();
    }
    let all: Vec<Variant> = COMPARED.iter().filter_map(variant).collect();
    let collectors = COLLECTORS.iter().filter_map(variant).collect();
    let study = Study { runs, kernels, base, replay, known, all, collectors };
    let figures = vec![
        study.speed(),
        study.most_expected(),
        study.issues(),
        study.hazards(),
        study.waits(),
        study.accuracy(),
        study.restricted(),
        study.slots(),
        study.collectors(),
    ];
    figures.into_iter().chain(study.mshrs()).chain(study.merging()).chain(study.schedulers()).collect()
}

struct Study<'r, 'a> {
    runs: &'r Runs<'a>,
    /// Of the thesis' benchmarks.
    kernels: Vec<&'r str>,
    base: Variant,
    replay: Variant,
    known: Variant,
    all: Vec<Variant>,
    collectors: Vec<Variant>,
}

/// Issue slots taken: what issues for the first time, and again.
pub fn issues(report: &RunReport) -> u64 {
    report.warp_instructions + count(&report.replay, "issued_again") as u64
}

const LEFT: [(&str, &str); 4] = [
    ("left_for_divergence", "another line"),
    ("left_for_bank", "a bank"),
    ("left_for_mshr", "an MSHR"),
    ("left_for_line", "a line of its set"),
];

/// What an access waits for at the L1.
const WAITS: [(&str, &str); 4] = [
    ("waited_for_mshr", "an MSHR"),
    ("waited_for_queue", "the queue"),
    ("waited_for_line", "a line of its set"),
    ("waited_for_stage", "the next stage"),
];

/// Of Table 7.1, in its order.
const FORETOLD: [&str; 4] = ["promised_missed", "promised_hit", "unpromised_missed", "unpromised_hit"];

/// What stalling would gain at most, were what could issue in its blocked cycles all there is to do (section 3.5); an instruction of the ALU in each.
fn most_expected(report: &RunReport) -> Option<f64> {
    let alu = report.warp_instructions as f64 - count(&report.hazards, "memory_issues");
    let saved = count(&report.hazards, "blocked").min(alu);
    let cycles = report.cycles as f64;
    (!report.hazards.is_empty() && cycles > saved).then(|| cycles / (cycles - saved))
}

impl Study<'_, '_> {
    /// A counter of hazards by cycles.
    fn share(&self, kernel: &str, variant: &Variant, name: &str) -> Option<f64> {
        let report = self.runs.get(kernel, variant)?;
        (!report.hazards.is_empty()).then(|| count(&report.hazards, name) / report.cycles as f64)
    }

    fn mean_share(&self, variant: &Variant, name: &str) -> String {
        mean(self.kernels.iter().filter_map(|kernel| self.share(kernel, variant, name))).map_or(String::new(), percent)
    }

    fn most_expected(&self) -> Figure {
        let expected = |kernel: &str| most_expected(self.runs.get(kernel, &self.base)?);
        let of = |kernel: &str, variant: &Variant| {
            if *variant == self.base { expected(kernel) } else { self.faster(kernel, variant) }
        };
        let variants = [&self.base, &self.replay, &self.known].map(Variant::clone);
        let title = format!("speed over {}, what its blocked cycles promise in its own place", self.base);
        let chart = bars(&title, "speedup", &self.kernels, &variants, of);
        let mut promising: Vec<(f64, &str)> =
            self.kernels.iter().filter_map(|kernel| Some((expected(kernel)?, *kernel))).collect();
        promising.sort_by(|a, b| b.0.total_cmp(&a.0));
        let first = promising.iter().take(5).map(|(most, kernel)| {
            let replay = self.faster(kernel, &self.replay).map_or(String::new(), change);
            format!("`{kernel}` {}, by replay {replay}", change(*most))
        });
        let all = harmonic_mean(promising.iter().map(|(most, _)| *most)).map_or(String::new(), change);
        Figure {
            id: "most_expected".into(),
            title: "What blocked cycles promise, and replay keeps".into(),
            beside: "Turner 2012, Fig 3.4, 7.7 and 7.8",
            paper: "Replay gains where much is expected, on some benchmarks, and on others loses all the same.",
            here: format!("expected at most {all}; most where {}.", first.collect::<Vec<_>>().join("; ")),
            note: "Expected (section 3.5): that of the cycles in which the full collector keeps all from issuing each issues one of the instructions that do not use memory. Other causes, such as hits in place of misses, may give more.",
            svg: ratios(chart, ("harmonic mean", harmonic_mean), None).svg(),
        }
    }

    fn waits(&self) -> Figure {
        let waiting: Vec<Variant> =
            self.all.iter().filter(|variant| **variant != self.replay && !self.predicts(variant)).cloned().collect();
        let total = |kernel: &str, variant: &Variant| {
            WAITS.iter().map(|(name, _)| self.share(kernel, variant, name)).sum::<Option<f64>>()
        };
        let chart =
            bars("cycles in which an access waits at the L1", "share of cycles", &self.kernels, &waiting, total);
        let by_cause = |variant: &Variant| {
            let causes = WAITS.map(|(name, what)| format!("{} for {what}", self.mean_share(variant, name)));
            Some(format!("{}; blocked {}", causes.join(", "), self.mean_share(variant, "blocked")))
        };
        Figure {
            id: "waits".into(),
            title: "What stalls where loads issue once".into(),
            beside: "Turner 2012, Fig 3.3, 6.1 and 7.6",
            paper: "MSHRs are what CFD, BFS2, SRAD and STMCL wait for, other lines what most others do.",
            here: format!("means of the share of cycles: {}.", listed(&waiting, by_cause)),
            note: "Blocked: nothing issues, for want of a place before the load/store unit. That threads are of another line (*DIV*) delays an instruction by a cycle for each, and is in no share.",
            svg: with_mean(chart, "mean", mean).svg(),
        }
    }

    fn accuracy(&self) -> Figure {
        let counters: Vec<Variant> = [REPLAY_COUNTERS, STALLING_COUNTERS]
            .iter()
            .filter_map(|options| self.runs.variant("spe", options))
            .collect();
        let ratios_of = |kernel: &str, variant: &Variant| {
            let report = self.runs.get(kernel, variant)?;
            let looks: f64 = FORETOLD.iter().map(|name| count(&report.hazards, name)).sum();
            (looks > 0.0).then(|| FORETOLD.map(|name| count(&report.hazards, name) / looks))
        };
        let wrong =
            |kernel: &str, variant: &Variant| ratios_of(kernel, variant).map(|[_, hit, missed, _]| hit + missed);
        let chart = bars("looks at loads that are foretold wrongly", "share", &self.kernels, &counters, wrong);
        let table = MISSING.iter().filter(|kernel| self.kernels.contains(*kernel)).flat_map(|kernel| {
            counters.iter().filter_map(move |variant| {
                let ratios = ratios_of(kernel, variant)?.map(|ratio| format!("{ratio:.3}"));
                Some(format!("`{kernel}` on {variant} {}", ratios.join(", ")))
            })
        });
        Figure {
            id: "accuracy".into(),
            title: "How well counters foretell misses".into(),
            beside: "Turner 2012, Table 7.1",
            paper: "Foretold and missed, foretold and hit, missed and not foretold, neither: BFS2 0.085, 0.016, 0.269, 0.630; CFD 0.026, 0.004, 0.257, 0.713.",
            here: format!("{}.", table.collect::<Vec<_>>().join("; ")),
            note: "By look at a line. A load that has failed for want of an MSHR is foretold to miss, too: replays of it are in the first of the four.",
            svg: with_mean(chart, "mean", mean).svg(),
        }
    }

    fn restricted(&self) -> Figure {
        let predicting: Vec<Variant> =
            self.all.iter().filter(|variant| variant.parameters.contains_key("hazard-prediction")).cloned().collect();
        let of = |kernel: &str, variant: &Variant| self.share(kernel, variant, "restricted_in_vain");
        let chart =
            bars("cycles without an issue, a load kept back, an MSHR free", "share", &self.kernels, &predicting, of);
        let means = |variant: &Variant| {
            Some(format!(
                "{} of {}",
                self.mean_share(variant, "restricted_in_vain"),
                self.mean_share(variant, "restricted")
            ))
        };
        Figure {
            id: "restricted".into(),
            title: "MSHRs that are free while loads are kept back".into(),
            beside: "Turner 2012, Fig 7.12",
            paper: "Trackers leave MSHRs free for the length of the pipeline, most where all loads are taken to miss.",
            here: format!(
                "means of the share of cycles in which nothing issues, a load is kept back and an MSHR is free, of those without the last: {}.",
                listed(&predicting, means)
            ),
            note: "The thesis counts cycles with such an instruction in the pipeline, too, and cycles in which something else issues.",
            svg: with_mean(chart, "mean", mean).svg(),
        }
    }

    fn faster(&self, kernel: &str, variant: &Variant) -> Option<f64> {
        self.runs.speedup(kernel, variant, &self.base)
    }

    /// Gains by kernel: their harmonic means in words, and a picture.
    fn gains(
        &self,
        title: &str,
        variants: &[Variant],
        gain: impl Fn(&str, &Variant) -> Option<f64>,
    ) -> (String, String) {
        let of = |variant: &Variant| {
            harmonic_mean(self.kernels.iter().filter_map(|kernel| gain(kernel, variant))).map(change)
        };
        let chart = bars(title, "speedup", &self.kernels, variants, &gain);
        (listed(variants, of), ratios(chart, ("harmonic mean", harmonic_mean), None).svg())
    }

    /// Of these over the base.
    fn speeds(&self, variants: &[Variant]) -> (String, String) {
        self.gains(&format!("speed, over {}", self.base), variants, |kernel, variant| self.faster(kernel, variant))
    }

    /// Of each over the other one, so many times; if there are any.
    fn pairs(&self, title: &str, points: &[(Variant, Variant)], times: f64) -> Option<(String, String)> {
        let variants: Vec<Variant> = points.iter().map(|(variant, _)| variant.clone()).collect();
        let gain = |kernel: &str, variant: &Variant| {
            let (_, over) = points.iter().find(|(other, _)| other == variant)?;
            Some(times * self.runs.speedup(kernel, variant, over)?)
        };
        (!variants.is_empty()).then(|| self.gains(title, &variants, gain))
    }

    /// The kernel that a variant speeds up most over another, and by how much.
    fn most(&self, variant: &Variant, over: &Variant) -> String {
        let all = self.runs.kernels().into_iter();
        let gains = all.filter_map(|kernel| Some((self.runs.speedup(kernel, variant, over)?, kernel)));
        let most = gains.max_by(|a, b| a.0.total_cmp(&b.0));
        most.map_or(String::new(), |(gain, kernel)| format!("{} (`{kernel}`)", change(gain)))
    }

    fn speed(&self) -> Figure {
        let others = &self.all[1..];
        let (benchmarks, svg) = self.speeds(others);
        Figure {
            id: "speed".into(),
            title: "Ways to wait for memory".into(),
            beside: "Turner 2012, Fig 5.1, 7.8, 7.13 and 7.15",
            paper: "Over stalling, replay gains on CFD and BFS2 and loses most on LUD and MGST; with prediction at most +13.3 %, and over replay +3.3 %. Stalling gains nothing by *false* (here: known).",
            here: format!(
                "harmonic means over the thesis' benchmarks ({}): {benchmarks}. At most, `{}` over stalling {}, `{}` over that {}, over replay {}.",
                self.kernels.len(),
                self.replay,
                self.most(&self.replay, &self.base),
                self.known,
                self.most(&self.known, &self.base),
                self.most(&self.known, &self.replay)
            ),
            note: "A queue for memory instructions alone (decoupled) is what the thesis has no bar for: what it gains over stalling, replay need not. Sizes are large: at the usual ones most of the 64 warps have no work, and next to nothing waits for an MSHR.",
            svg,
        }
    }

    fn issues(&self) -> Figure {
        let predicting: Vec<Variant> = self.all.iter().filter(|variant| self.predicts(variant)).cloned().collect();
        let fewer = |kernel: &str, variant: &Variant| {
            self.runs.ratio(kernel, variant, &self.replay, |report| issues(report) as f64)
        };
        let chart = bars("issue slots taken, over replay", "ratio", &self.kernels, &predicting, fewer);
        let cfd = |variant: &Variant| fewer("cfd", variant).map(change);
        let all = |variant: &Variant| mean(self.kernels.iter().filter_map(|kernel| fewer(kernel, variant))).map(change);
        Figure {
            id: "issues".into(),
            title: "Issue slots that prediction saves".into(),
            beside: "Turner 2012, Fig 7.14",
            paper: "CFD -50 %.",
            here: format!("`cfd`: {}; mean: {}.", listed(&predicting, cfd), listed(&predicting, all)),
            note: "Issues for the first time and again.",
            svg: ratios(chart, ("mean", mean), None).svg(),
        }
    }

    /// Whether it issues loads again, but not all of them.
    fn predicts(&self, variant: &Variant) -> bool {
        variant.parameters.get("memory-path").is_some_and(|path| path == "replay") && *variant != self.replay
    }

    fn hazards(&self) -> Figure {
        let replaying: Vec<Variant> =
            self.all.iter().filter(|variant| **variant == self.replay || self.predicts(variant)).cloned().collect();
        let share = |report: &RunReport, name| {
            let looks = count(&report.replay, "looks");
            (looks > 0.0).then(|| count(&report.replay, name) / looks)
        };
        let of = |kernel: &str, variant: &Variant| share(self.runs.get(kernel, variant)?, "left_for_mshr");
        let chart = bars("looks at loads that found no MSHR", "share", &self.kernels, &replaying, of);
        let left = |variant: &Variant| {
            let of = |name| {
                let shares = self.kernels.iter().filter_map(|kernel| share(self.runs.get(kernel, variant)?, name));
                mean(shares).map_or(String::new(), percent)
            };
            Some(LEFT.map(|(name, what)| format!("{} for {what}", of(name))).join(", "))
        };
        Figure {
            id: "hazards".into(),
            title: "What loads wait for".into(),
            beside: "Turner 2012, Fig 6.1 and 7.11",
            paper: "With 32 MSHRs most of what CFD and BFS2 replay is for want of one; prediction takes that away.",
            here: format!("means of looks that left threads: {}.", listed(&replaying, left)),
            note: "",
            svg: with_mean(chart, "mean", mean).svg(),
        }
    }

    fn slots(&self) -> Figure {
        Figure {
            id: "slots".into(),
            title: "Issue slots by what waits for memory".into(),
            beside: "Turner 2012, Fig 7.5 and 7.10",
            paper: "Replay turns cycles in which issue is stalled into issues; prediction turns those into idle ones.",
            here: "the shares are in the picture; what issues again counts as an issue.".into(),
            note: "",
            svg: mechanisms::slots(self.runs, &self.kernels, &self.base, &self.all),
        }
    }

    fn collectors(&self) -> Figure {
        let (means, svg) = self.speeds(&self.collectors);
        Figure {
            id: "collectors".into(),
            title: "Operand collectors".into(),
            beside: "Turner 2012, Fig 7.2 and 7.3",
            paper: "Slots for memory instructions alone gain over eight for all on some benchmarks; four for all lose.",
            here: format!("harmonic means over the thesis' benchmarks: {means}."),
            note: "`memory-queue` are the slots of the collector for all, or with `decoupled` and `replay` those of memory instructions.",
            svg,
        }
    }

    /// Each over itself with 32.
    fn mshrs(&self) -> Option<Figure> {
        let with = |options: &Options, number| self.runs.variant("spe", &[*options, &[("mshrs", number)]].concat());
        let points: Vec<(Variant, Variant)> = READ
            .iter()
            .flat_map(|options| ["64", "128"].map(|number| (options, number)))
            .filter_map(|(options, number)| Some((with(options, number)?, self.runs.variant("spe", options)?)))
            .collect();
        let (means, svg) = self.pairs("speed, over the same with 32 MSHRs", &points, 1.0)?;
        Some(Figure {
            id: "mshrs".into(),
            title: "MSHRs".into(),
            beside: "Turner 2012, Fig 6.1 and 6.2",
            paper: "With 128 MSHRs hardly any hazard is left that is for want of one.",
            here: format!("harmonic means over the thesis' benchmarks, over 32: {means}."),
            note: "",
            svg,
        })
    }

    /// What only the other loads of a line keep from replay.
    fn merging(&self) -> Option<Figure> {
        let machine = warploom_runtime::machines::find(&self.base.preset)?;
        let merging = machine.readings.iter().find(|reading| reading.name == MERGING)?.options;
        let with = |options: &Options| self.runs.variant("spe", &[*options, merging].concat());
        let base = with(&STALLING)?;
        let variants: Vec<Variant> = READ[1..].iter().filter_map(with).collect();
        let gain = |kernel: &str, variant: &Variant| self.runs.speedup(kernel, variant, &base);
        let (means, svg) = self.gains(&format!("speed, over {base}"), &variants, gain);
        let missing = |variant: &Variant| {
            let of = |kernel: &&str| Some(format!("{} `{kernel}`", gain(kernel, variant).map(change)?));
            Some(MISSING.iter().filter_map(of).collect::<Vec<_>>().join(" and "))
        };
        let stalling = harmonic_mean(self.kernels.iter().filter_map(|kernel| self.faster(kernel, &base)));
        Some(Figure {
            id: "merging".into(),
            title: "Ways to wait for memory, with MSHRs that merge".into(),
            beside: "Turner 2012, Fig 7.8, which does not say how misses merge",
            paper: "Over stalling at most +13.3 %, and over replay +3.3 %.",
            here: format!(
                "stalling itself gains {}; harmonic means over that: {means}; {}.",
                stalling.map_or(String::new(), change),
                listed(&variants, missing)
            ),
            note: "A group whose line has been asked for needs a place to wait, of which there are four for each MSHR, and no MSHR. Without merging, what is issued again finds such a line there, and needs none either: part of what replay gains is that.",
            svg,
        })
    }

    /// Two over one, in core cycles: of one scheduler a slot is a core cycle, of two half of one.
    fn schedulers(&self) -> Option<Figure> {
        let machine = warploom_runtime::machines::find(&self.base.preset)?;
        let one = machine.readings.iter().find(|reading| reading.name == ONE_SCHEDULER)?.options;
        let points: Vec<(Variant, Variant)> = READ
            .iter()
            .filter_map(|options| {
                let alone = self.runs.variant("spe", &[*options, one].concat())?;
                Some((self.runs.variant("spe", options)?, alone))
            })
            .collect();
        let (means, svg) = self.pairs("speed in core cycles, over one scheduler", &points, 2.0)?;
        Some(Figure {
            id: "schedulers".into(),
            title: "Two schedulers over one".into(),
            beside: "Turner 2012, Fig 7.4",
            paper: "Up to about +60 % without replay, and more with it, which takes issue slots: two are needed for it.",
            here: format!("harmonic means over the thesis' benchmarks: {means}."),
            note: "Two schedulers are one that issues in slots of half a core cycle, a warp in every second at most.",
            svg,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Ending;

    fn report(kernel: &str, options: &[(&str, &str)], cycles: u64, again: u64) -> RunReport {
        RunReport {
            kernel: kernel.into(),
            mechanism: "spe".into(),
            preset: "replay".into(),
            parameters: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            cycles,
            warp_instructions: 100,
            replay: vec![("looks".into(), 200), ("issued_again".into(), again), ("left_for_mshr".into(), again / 2)],
            hazards: [
                ("waited_for_mshr", 30),
                ("blocked", 40),
                ("restricted", 20),
                ("restricted_in_vain", 5),
                ("promised_missed", 1),
                ("promised_hit", 2),
                ("unpromised_missed", 3),
                ("unpromised_hit", 4),
                ("memory_issues", 70),
            ]
            .map(|(name, count)| (name.to_string(), count))
            .to_vec(),
            result: Ending::Pass,
            ..RunReport::default()
        }
    }

    #[test]
    fn each_figure_says_what_was_run() {
        let one = warploom_runtime::machines::find("replay").unwrap().readings;
        let one = one.iter().find(|reading| reading.name == ONE_SCHEDULER).unwrap().options;
        let mut reports = vec![
            report("cfd", STALLING, 120, 0),
            report("cfd", DECOUPLED, 110, 0),
            report("cfd", REPLAY, 105, 100),
            report("cfd", REPLAY_KNOWN, 100, 20),
            report("cfd", STALLING_COUNTERS, 100, 0),
            report("cfd", COLLECTORS[0], 150, 0),
            report("vecadd", STALLING, 100, 0),
            report("vecadd", REPLAY, 125, 0),
        ];
        reports.push(report("cfd", &[STALLING, &[("mshrs", "64")]].concat(), 100, 0));
        reports.push(report("cfd", &[STALLING, one].concat(), 90, 0));
        reports.push(report("cfd", &[STALLING, &[("mshr-merges", "4")]].concat(), 110, 0));
        reports.push(report("cfd", &[REPLAY, &[("mshr-merges", "4")]].concat(), 100, 0));
        let figures = figures(&Runs::new(&reports));
        let here = |id: &str| &figures.iter().find(|figure| figure.id == id).unwrap().here[..];
        let speed = here("speed");
        assert!(
            speed.starts_with(
                "harmonic means over the thesis' benchmarks (1): `spe, memory-path decoupled` +9.1 %, `spe, memory-path replay` +14.3 %"
            ),
            "{speed}"
        );
        assert!(speed.ends_with("over that +20.0 % (`cfd`), over replay +5.0 % (`cfd`)."), "{speed}");
        assert!(here("issues").contains("replay` -40.0 %; mean"), "{}", here("issues"));
        // Of 120 cycles 40 are blocked, but only 30 instructions do not use memory.
        assert_eq!(here("most_expected"), "expected at most +33.3 %; most where `cfd` +33.3 %, by replay +14.3 %.");
        assert!(here("waits").contains("`spe` 25.0 % for an MSHR, 0.0 % for the queue"), "{}", here("waits"));
        assert!(here("waits").contains("for the next stage; blocked 33.3 %, `spe, memory"), "{}", here("waits"));
        assert_eq!(here("accuracy"), "`cfd` on spe, hazard-prediction counters 0.100, 0.200, 0.300, 0.400.");
        assert!(here("restricted").contains("counters` 5.0 % of 20.0 %"), "{}", here("restricted"));
        assert!(here("hazards").contains("25.0 % for an MSHR"), "{}", here("hazards"));
        assert!(here("collectors").ends_with("`spe, memory-queue 4` -20.0 %."), "{}", here("collectors"));
        assert!(here("mshrs").ends_with("`spe, mshrs 64` +20.0 %."), "{}", here("mshrs"));
        assert!(
            here("merging")
                .starts_with("stalling itself gains +9.1 %; harmonic means over that: `spe, memory-path replay")
                && here("merging").contains("mshr-merges 4` +10.0 % `cfd`."),
            "{}",
            here("merging")
        );
        assert!(here("schedulers").ends_with("`spe` +50.0 %."), "{}", here("schedulers"));
    }

    #[test]
    fn there_is_nothing_without_replay() {
        assert!(figures(&Runs::new(&[report("cfd", STALLING, 100, 0), report("cfd", DECOUPLED, 90, 0)])).is_empty());
    }
}
