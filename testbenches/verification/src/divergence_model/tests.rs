use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, Mechanism, Permutation};
use warploom_hdl::divergence::physical_lane;
use warploom_runtime::kernels::Random;

use super::*;

// -- worked examples -----------------------------------------------------------------------------------------------

pub fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

pub fn name(block: Option<usize>) -> char {
    block.map_or('-', |block| (b'A' + block as u8) as char)
}

pub fn set(mask: Mask, names: &str) -> String {
    names.chars().enumerate().map(|(thread, name)| if mask >> thread & 1 == 1 { name } else { '-' }).collect()
}

fn replay(example: &golden::Example) {
    let case = example.case();
    let lanes = Lanes::new(case.paths.len(), 4, Permutation::None);
    let predictor = match example.mechanism {
        Mechanism::Capri(config) => Some(Predictor::shared(config)),
        _ => None,
    };
    let golden::Example { mechanism, taken_first, .. } = *example;
    let options = Options { mechanism, likely_convergence: false, taken_first, compaction: true };
    let mut cta = Cta::new(&case, lanes, options, predictor);
    let state = |what: &str, cta: &Cta| {
        let predictor = cta.predictor_row().map_or(String::new(), |row| format!(" ; {row}"));
        format!("{what}: {}{predictor}", cta.rows(example.names))
    };
    let mut trace = vec![state("formed", &cta)];
    let mut order = example.order.iter().copied();
    while let Some(lowest) = cta.ready_warps().into_iter().min() {
        let step = cta.execute(order.next().unwrap_or(lowest));
        assert!(matches!(step, Step::Arrived | Step::Last), "blocks of one instruction");
        trace.push(state("arrive", &cta));
        if step == Step::Last {
            if let Some(lesson) = cta.advance() {
                cta.learn(lesson);
            }
            trace.extend(cta.active.is_some().then(|| state("formed", &cta)));
        }
    }
    cta.assert_finished();
    let expected = lines(example.trace);
    assert_eq!(trace[..expected.len()], expected, "{}", example.title);
}

#[test]
fn thread_block_compaction_of_rhu_figure_4_2() {
    replay(&golden::rhu_4_2());
    let lanes = Lanes::new(12, 4, Permutation::None);
    let show = |rows: Vec<Option<usize>>| set(lanes.threads(&rows), golden::HEXADECIMAL);
    let pack = |threads: Mask| lanes.pack(threads).into_iter().map(show).collect::<Vec<_>>();
    assert_eq!(pack(0b0100_1000_0000).len(), 1);
    assert_eq!(pack(0b1011_0111_1111).len(), 3);
}

#[test]
fn capri_of_rhu_figure_4_8() {
    replay(&golden::rhu_4_8());
}

#[test]
fn compaction_of_fung_figures_7_and_9() {
    replay(&golden::fung_7());
    replay(&golden::fung_9());
}

#[test]
fn nested_branches_of_rhu_figure_3_1() {
    let (program, paths, trace) = golden::RHU_3_1;
    let case = Case::parse(program, paths);
    let mut spe = Spe::new(&case, &Lanes::new(4, 4, Permutation::None), false, false);
    let names = &golden::HEXADECIMAL[..4];
    let mut got = String::new();
    while !spe.ready_warps().is_empty() {
        let (block, mask) = spe.execute(0);
        let entry = |entry: &Entry| format!("{} {} {}", name(Some(entry.pc)), set(entry.mask, names), name(entry.rpc));
        let stack: Vec<String> = spe.stacks[0].entries.iter().map(entry).collect();
        got += &format!("{} {}: {}\n", name(Some(block)), set(mask, names), stack.join(" ; "));
    }
    spe.assert_finished();
    assert_eq!(lines(&got), lines(trace));
}

#[test]
fn dual_paths_of_rhu_figure_3_3() {
    let (program, paths, _) = golden::RHU_3_1;
    let (order, trace) = golden::RHU_3_3;
    let case = Case::parse(program, paths);
    let mut dual = DualPath::new(&case, &Lanes::new(4, 4, Permutation::None), false);
    let mut got = String::new();
    for next in order.chars() {
        let active = dual.stacks[0].active.unwrap();
        let paths = dual.stacks[0].entries[active.position].paths;
        let side = (0..2).find(|&side| active.runs[side] && name(Some(paths[side].pc)) == next);
        dual.execute(0, side.unwrap_or_else(|| panic!("{next} does not run")));
        got += &format!("{next}: {}\n", dual.stacks[0].rows(&golden::HEXADECIMAL[..4]));
    }
    dual.assert_finished();
    assert_eq!(lines(&got), lines(trace));
}

#[test]
fn dual_paths_of_a_cta_in_rhu_figure_4_2() {
    let (program, traces) = golden::RHU_4_2_DUAL_PATHS;
    let paths: Vec<&str> = (0..12).map(|thread| if [7, 10].contains(&thread) { "ABD" } else { "ACD" }).collect();
    let case = Case::parse(program, &paths);
    for (constrained, trace) in [(false, traces[0]), (true, traces[1])] {
        let options = PathOptions { plus: false, constrained, taken_first: false, compaction: true };
        let mut cta = CtaDualPath::new(&case, Lanes::new(12, 4, Permutation::None), options);
        let mut got = vec![];
        while !cta.warps.is_empty() {
            let at = cta.warps.iter().position(|warp| name(Some(warp.pc)) == 'C').unwrap_or(0);
            let warp = &cta.warps[at];
            let thread = |lane: usize| (0..3).map(|row| 4 * row + lane).find(|thread| warp.mask >> thread & 1 == 1);
            let lanes = (0..4).map(|lane| thread(lane).map_or('-', |t| golden::HEXADECIMAL.as_bytes()[t] as char));
            got.push(format!("{}{}:{}", name(Some(warp.pc)), ['L', 'R'][warp.side], lanes.collect::<String>()));
            cta.execute_and_advance(at);
        }
        cta.assert_finished();
        assert_eq!(got.join(" "), trace);
        assert_eq!(cta.coverage().count("23 together") == 0, constrained);
    }
}

/// Both paths of an entry end in a branch whose sides both run: the entry of the path that gathers second is beneath that of the first.
#[test]
fn both_paths_of_a_cta_diverge() {
    let case = Case::parse("A>E,B B>D,C C>D D>H E>G,F F>G G>H H", &["ABCDH", "ABDH", "AEFGH", "AEGH"]);
    for first in 0..2 {
        let options = PathOptions { plus: false, constrained: false, taken_first: true, compaction: true };
        let mut cta = CtaDualPath::new(&case, Lanes::new(4, 4, Permutation::None), options);
        cta.execute_and_advance(0);
        assert_eq!(cta.stack.rows(&golden::HEXADECIMAL[..4]), "H 0123/- - ; E --23/B 01-- H");
        for side in [first, 1 - first] {
            let at = cta.warps.iter().position(|warp| warp.side == side).unwrap();
            cta.execute_and_advance(at);
        }
        let stacks = [
            "H 0123/- - ; G --23/D 01-- H ; -/C 0--- D ; F --2-/- G",
            "H 0123/- - ; G --23/D 01-- H ; F --2-/- G ; -/C 0--- D",
        ];
        assert_eq!(cta.stack.rows(&golden::HEXADECIMAL[..4]), stacks[first]);
        while !cta.warps.is_empty() {
            cta.execute_and_advance(0);
        }
        cta.assert_finished();
        let coverage = cta.coverage();
        assert_eq!(["23 must wait", "23 beneath"].map(|rule| coverage.count(rule)), [1, 1]);
    }
}

/// Both paths have issued a branch: whichever is applied first, the other one's sides run first.
#[test]
fn both_paths_diverge() {
    let case = Case::parse("A>E,B B>D,C C>D D>H E>G,F F>G G>H H", &["ABCDH", "ABDH", "AEFGH", "AEGH"]);
    for (first, expected) in [
        (0, "H 0123/- - ; G --23/D 01-- H ; F --2-/- G ; -/C 0--- D"),
        (1, "H 0123/- - ; G --23/D 01-- H ; -/C 0--- D ; F --2-/- G"),
    ] {
        let mut dual = DualPath::new(&case, &Lanes::new(4, 4, Permutation::None), true);
        dual.execute(0, 0);
        dual.execute_both(0, first);
        assert_eq!(dual.stacks[0].rows(&golden::HEXADECIMAL[..4]), expected);
        assert_eq!(dual.ready_paths(), [(0, 1 - first)]);
        while let Some(&(warp, side)) = dual.ready_paths().first() {
            dual.execute(warp, side);
        }
        dual.assert_finished();
        assert_eq!(dual.coverage().count("12 both"), 1);
    }
}

#[test]
fn likely_convergence_of_fung_figure_10() {
    let (program, paths, trace) = golden::FUNG_10;
    let case = Case::parse(program, paths);
    assert_eq!(case.program.lpc, [Some(4), None, Some(4), None, None, None]);
    let lanes = Lanes::new(4, 4, Permutation::None);
    let show = |block: usize, stack: &Stack| {
        let number = |lpos: Option<usize>| lpos.map_or("-".into(), |lpos| lpos.to_string());
        let entry = |e: &Entry| {
            let mask = set(e.mask, &golden::FROM_ONE[..4]);
            format!("{} {} {} {} {mask}", name(Some(e.pc)), name(e.rpc), name(e.lpc), number(e.lpos))
        };
        format!("{}: {}", name(Some(block)), stack.entries.iter().map(entry).collect::<Vec<_>>().join(" ; "))
    };
    let mut spe = Spe::new(&case, &lanes, true, true);
    let mut got = vec![];
    while !spe.ready_warps().is_empty() {
        let (block, _) = spe.execute(0);
        got.push(show(block, &spe.stacks[0]));
    }
    spe.assert_finished();
    assert_eq!(got[..5], lines(trace));

    let options =
        Options { mechanism: Mechanism::TbcPlus, likely_convergence: true, taken_first: true, compaction: true };
    let mut cta = Cta::new(&case, lanes, options, None);
    let mut got = vec![];
    while let [slot] = cta.ready_warps()[..] {
        let block = cta.warp(slot).unwrap().pc;
        cta.execute_and_advance(slot);
        got.push(show(block, &cta.stack));
    }
    cta.assert_finished();
    assert_eq!(got[..5], lines(trace));
}

#[test]
fn lane_permutation_of_rhu_figure_4_19() {
    let kinds = [
        ("none", Permutation::None),
        ("odd_even", Permutation::OddEven),
        ("rev_wid", Permutation::ReversedWarpNumber),
        ("balanced", Permutation::Balanced),
    ];
    let even: Mask = (0..32).step_by(2).map(|thread| 1 << thread).sum();
    let half: Mask = (0..32).step_by(8).map(|thread| 0xf << thread).sum();
    let got: Vec<String> = kinds
        .map(|(title, kind)| {
            let lanes = Lanes::new(32, 8, kind);
            let show = |active: Mask| {
                let cell = |row, lane| {
                    let thread = lanes.thread(row, lane).unwrap();
                    if active >> thread & 1 == 1 { golden::HEXADECIMAL.as_bytes()[thread] as char } else { '-' }
                };
                let rows: Vec<String> = (0..4).map(|row| (0..8).map(|lane| cell(row, lane)).collect()).collect();
                format!("{} -> {}", rows.join(" "), lanes.compacted(active))
            };
            format!("{title} {} ; {}", show(even), show(half))
        })
        .into();
    assert_eq!(got, lines(golden::RHU_4_19));
}

#[test]
fn balanced_permutation_balances() {
    for width in [4, 8, 16, 32] {
        let masks: Vec<usize> =
            (0..2 * width).map(|warp| physical_lane(Permutation::Balanced, warp, 0, width)).collect();
        if width == 8 {
            assert_eq!(masks[..10], [0b000, 0b111, 0b001, 0b110, 0b010, 0b101, 0b011, 0b100, 0b000, 0b111]);
        }
        assert!(masks.chunks(2).all(|pair| pair[0] ^ pair[1] == width - 1), "pairs are complements");
        let distinct = |mut lanes: Vec<usize>| {
            lanes.sort();
            lanes.dedup();
            lanes.len()
        };
        for logical in 0..width {
            let column = (0..width).map(|warp| physical_lane(Permutation::Balanced, warp, logical, width));
            assert_eq!(distinct(column.collect()), width, "each physical lane holds a logical lane once");
        }
        for kind in PERMUTATIONS {
            for warp in 0..2 * width {
                assert_eq!(
                    distinct((0..width).map(|logical| physical_lane(kind, warp, logical, width)).collect()),
                    width
                );
            }
        }
    }
}

#[test]
fn marks_must_be_uniform_over_the_entry() {
    let mut program = Program::parse("A>B,C B>D,E C>D,E D>E E");
    program.blocks[0].uniform = true;
    let paths = (0..8).map(|thread| if thread < 4 { vec![0, 1, 3, 4] } else { vec![0, 2, 4] }).collect();
    let case = Case { program, paths };
    let options =
        Options { mechanism: Mechanism::TbcPlus, likely_convergence: false, taken_first: true, compaction: true };
    let mut cta = Cta::new(&case, Lanes::new(8, 4, Permutation::None), options, None);
    let run = AssertUnwindSafe(|| (0..6).map(|i| cta.execute(i % 2)).last());
    assert!(catch_unwind(run).is_err(), "uniform in each warp is not enough");
}

// -- random programs -----------------------------------------------------------------------------------------------

const PERMUTATIONS: [Permutation; 9] = [
    Permutation::None,
    Permutation::Balanced,
    Permutation::OddEven,
    Permutation::FlipOdd,
    Permutation::RotateOdd,
    Permutation::SwapHalves,
    Permutation::WarpNumber,
    Permutation::ReversedWarpNumber,
    Permutation::Random,
];

const HISTORIES: [AdequacyHistory; 3] = [AdequacyHistory::Latest, AdequacyHistory::Sticky, AdequacyHistory::TwoBit];

/// Runs a CTA to its end in random order. `chaos`: how often, in percent, other CTAs change the predictor.
fn run_cta(
    case: &Case,
    lanes: Lanes,
    options: Options,
    chaos: u32,
    random: &mut Random,
    coverage: &mut Coverage,
) -> usize {
    let (predictor, limit) = match options.mechanism {
        Mechanism::Capri(config) => {
            (Some(Predictor::shared(config)), if config.history == AdequacyHistory::TwoBit { 4 } else { 2 })
        }
        _ => (None, 0),
    };
    let mut cta = Cta::new(case, lanes, options, predictor.clone());
    loop {
        let ready = cta.ready_warps();
        if ready.is_empty() {
            break;
        }
        if let Some(predictor) = &predictor
            && random.below(100) < chaos
        {
            let table = &mut predictor.borrow_mut().table;
            if !table.is_empty() {
                let at = random.below(table.len() as u32) as usize;
                let (branch, _) = table.remove(at);
                if random.below(2) == 0 {
                    table.insert(at, (branch, random.below(limit) as u8));
                }
            }
        }
        cta.execute_and_advance(ready[random.below(ready.len() as u32) as usize]);
    }
    cta.assert_finished();
    coverage.add(&cta.coverage());
    if let Some(predictor) = predictor {
        coverage.add(&predictor.borrow().coverage);
    }
    cta.stack.depth
}

/// Runs a CTA to its end in random order, and so often, in percent, both paths of a warp at once.
fn run_dual(dual: &mut DualPath, both: u32, random: &mut Random) {
    loop {
        let ready = dual.ready_paths();
        if ready.is_empty() {
            break;
        }
        let (warp, side) = ready[random.below(ready.len() as u32) as usize];
        if ready.contains(&(warp, 1 - side)) && random.below(100) < both {
            dual.execute_both(warp, side);
        } else {
            dual.execute(warp, side);
        }
    }
    dual.assert_finished();
}

/// One random program under every mechanism.
fn run_all(seed: u64, coverage: &mut Coverage) {
    let mut random = Random::new(seed);
    let width = [2, 4, 4, 8][random.below(4) as usize];
    let threads = width * (1 + random.below(5) as usize) - usize::from(random.below(3) == 0);
    let case = generator::any(seed, threads);
    let barriers = case.program.blocks.iter().any(|block| block.terminator == Terminator::Barrier);
    let bound = |own: usize, lcp: bool, depth: usize| {
        assert!(lcp || depth < 2 * own, "depth {depth} without likely convergence");
        let most = case.program.nesting() + own * if lcp { 2 } else { 1 };
        assert!(barriers || depth <= most, "depth {depth} without barriers");
    };
    let homes = |random: &mut Random| Lanes::new(threads, width, PERMUTATIONS[random.below(9) as usize]);
    for lcp in [false, true] {
        let lanes = homes(&mut random);
        let mut spe = Spe::new(&case, &lanes, lcp, random.below(2) == 0);
        loop {
            let ready = spe.ready_warps();
            if ready.is_empty() {
                break;
            }
            spe.execute(ready[random.below(ready.len() as u32) as usize]);
        }
        spe.assert_finished();
        bound(width, lcp, spe.depth());
        coverage.add(&spe.coverage());
    }
    let mut dual = DualPath::new(&case, &homes(&mut random), random.below(2) == 0);
    run_dual(&mut dual, 50, &mut random);
    bound(width, false, dual.depth());
    coverage.add(&dual.coverage());
    let (depth, divided) = run_divided(&case, homes, &mut random);
    bound(width, false, depth);
    coverage.add(&divided);
    let capri = HISTORIES.map(|history| {
        let entries = [0, 1, 2, 4, 8, 32][random.below(6) as usize];
        Mechanism::Capri(AdequacyPredictor { entries, history })
    });
    for mechanism in [Mechanism::Tbc, Mechanism::TbcPlus].into_iter().chain(capri) {
        for likely_convergence in [false, true] {
            let (taken_first, compaction) = (random.below(2) == 0, random.below(8) != 0);
            let options = Options { mechanism, likely_convergence, taken_first, compaction };
            let (lanes, chaos) = (homes(&mut random), [0, 10, 60][random.below(3) as usize]);
            let depth = run_cta(&case, lanes, options, chaos, &mut random, coverage);
            bound(threads, likely_convergence, depth);
        }
    }
    coverage.add(&run_in_turns(&case, homes(&mut random), &mut random));
    coverage.add(&run_groups(&case, homes(&mut random), &mut random));
    let rows = 1 + random.below(4) as usize;
    let (depth, packed) = super::sub_warps::tests::run_packed(&case, &homes(&mut random), rows, &mut random);
    bound(width * rows, true, depth);
    coverage.add(&packed);
    for warp_barriers in [false, true] {
        let all = homes(&mut random);
        let halves = [threads - threads / 2, threads / 2];
        let lanes = if seed.is_multiple_of(2) { all } else { Lanes::of_ctas(&halves, width, Permutation::None) };
        coverage.add(&super::dynamic_warps::tests::run_dynamic(&case, lanes, warp_barriers, &mut random));
    }
    for plus in [false, true] {
        let mut flag = || random.below(2) == 0;
        let options = PathOptions { plus, constrained: flag(), taken_first: flag(), compaction: flag() || flag() };
        let mut cta = CtaDualPath::new(&case, homes(&mut random), options);
        while !cta.warps.is_empty() {
            cta.execute_and_advance(random.below(cta.warps.len() as u32) as usize);
        }
        cta.assert_finished();
        bound(threads, false, cta.stack.depth);
        coverage.add(&cta.coverage());
    }
}

/// `WARPLOOM_MODEL_PROGRAMS=20000 cargo test -p warploom-verification --lib divergence_model -- --nocapture` runs more, and prints the table.
#[test]
fn random_programs() {
    let programs = std::env::var("WARPLOOM_MODEL_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let mut coverage = Coverage::default();
    for seed in 1..=programs {
        let run = catch_unwind(AssertUnwindSafe(|| run_all(seed, &mut coverage)));
        run.unwrap_or_else(|fault| {
            eprintln!("seed {seed}");
            resume_unwind(fault)
        });
    }
    println!("{programs} programs\n{coverage}");
    assert!(coverage.missing().is_empty(), "never: {:?}", coverage.missing());
}

/// Statements nested `n` deep need 2 `n` + 1 entries, and `n` + 1 with dual paths; but up to 2 `n` if both paths of an entry issue a branch
/// before either is applied. The same threads execute every block together.
#[test]
fn dual_paths_need_fewer_entries() {
    for nesting in 1..4 {
        let mut depth = [0; 3];
        for seed in 0..1500 {
            let mut random = Random::new(seed);
            let (case, lanes) = (generator::nested(&mut random, 16, nesting), Lanes::new(16, 16, Permutation::None));
            let mut spe = Spe::new(&case, &lanes, false, true);
            while let Some(&warp) = spe.ready_warps().first() {
                spe.execute(warp);
            }
            let dual = [0, 100].map(|both| {
                let mut dual = DualPath::new(&case, &lanes, true);
                run_dual(&mut dual, both, &mut random);
                dual
            });
            let blocks = |threads: &Threads| {
                let mut log = threads.log.clone();
                log.sort();
                log
            };
            assert!(dual.iter().all(|dual| blocks(&dual.threads) == blocks(&spe.threads)), "seed {seed}");
            let found = [spe.depth(), dual[0].depth(), dual[1].depth()];
            depth = std::array::from_fn(|i| depth[i].max(found[i]));
        }
        assert_eq!(depth, [2 * nesting + 1, nesting + 1, 2 * nesting]);
    }
}

#[test]
fn an_entry_that_has_left_its_point_takes_nobody() {
    let case = generator::passed_point();
    for taken_first in [false, true] {
        let lanes = Lanes::new(12, 4, Permutation::None);
        let mut spe = Spe::new(&case, &lanes, true, taken_first);
        while let Some(&warp) = spe.ready_warps().first() {
            spe.execute(warp);
        }
        spe.assert_finished();
        assert_eq!(spe.coverage().count("11 fallback"), 3, "in every warp");
    }
}

/// Rhu 2014, 4.5.3: 1b-Sticky needs no table, unless branches are evicted.
#[test]
fn sticky_needs_no_table() {
    for seed in 1..100 {
        let (case, _) = generator::structured(&mut Random::new(seed), 16);
        let [with, without] = [2, 0].map(|entries| {
            let config = AdequacyPredictor { entries, history: AdequacyHistory::Sticky };
            let options = Options {
                mechanism: Mechanism::Capri(config),
                likely_convergence: false,
                taken_first: true,
                compaction: true,
            };
            let mut cta =
                Cta::new(&case, Lanes::new(16, 4, Permutation::None), options, Some(Predictor::shared(config)));
            let mut random = Random::new(seed);
            while let ready @ [_, ..] = &cta.ready_warps()[..] {
                cta.execute_and_advance(ready[random.below(ready.len() as u32) as usize]);
            }
            cta.assert_finished();
            cta.threads.log
        });
        assert!(with == without, "seed {seed}");
    }
}
