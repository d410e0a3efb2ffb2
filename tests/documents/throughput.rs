//! What the core reaches per cycle: instructions, bytes of memory, shared-memory accesses; and what overlaps.

use crate::timing::code::*;
use crate::timing::{self, Bench};
use warploom_hdl::config::{CoreConfig, SchedulerPolicy};
use warploom_runtime::host::{LaunchStats, MemoryTiming, Session};
use warploom_runtime::kernels::micro;
use warploom_runtime::loader::{GLOBAL_BASE, SHARED_BASE};

/// The counters of the last of `launches` of a micro-kernel on one CTA; `words` in each of two buffers.
fn micro_kernel(
    bench: &mut Bench,
    name: &str,
    threads: usize,
    launches: usize,
    words: usize,
    trips: u32,
) -> LaunchStats {
    let program = micro::find(name).expect("a micro-kernel").binary.program();
    let mut session = Session::new(&mut bench.device, &program).unwrap();
    let buffers = [0, 1].map(|_| session.zeros(words.max(threads)).unwrap().address);
    let arguments = match name {
        "alu_loop" => vec![buffers[0], trips],
        _ => vec![buffers[0], buffers[1], trips],
    };
    let mut before = LaunchStats::default();
    for _ in 0..launches {
        before = session.totals().0.clone();
        session.launch([1, 1, 1], [threads as u32, 1, 1], 0, &arguments).unwrap();
    }
    session.totals().0.clone().since(&before)
}

#[test]
#[ignore = "long: compiles eight cores; runs in .ci/run"]
fn eight_warps_issue_nearly_every_cycle() {
    let two_level = SchedulerPolicy::groups_of(8);
    use SchedulerPolicy::{GreedyThenOldest, LooseRoundRobin, OldestFirst};
    for scheduler in [LooseRoundRobin, GreedyThenOldest, OldestFirst, two_level] {
        for config in [CoreConfig::small(), CoreConfig::paper()] {
            let lanes = config.lanes;
            let mut bench = Bench::new(&CoreConfig { scheduler, ..config }, MemoryTiming::default());
            let stats = micro_kernel(&mut bench, "alu_loop", 8 * lanes, 1, 0, 100);
            let rate = stats.warp_instructions as f64 / stats.cycles as f64;
            assert!(rate >= 0.95, "{lanes} lanes, {scheduler:?}: {rate:.3} warp instructions per cycle");
        }
    }
}

/// Sixteen warps run four times sixteen additions and a load that misses. Narasiman 2014, Fig 4.6.
#[test]
#[ignore = "long: compiles three cores; runs in .ci/run"]
fn groups_hide_latency() {
    let mut code = Code::default();
    code.push(thread(A0));
    code.push(andi(A0, A0, -4));
    code.push(slli(A0, A0, 2));
    code.constant(A1, GLOBAL_BASE);
    code.push(add(A0, A0, A1));
    for trip in 0..4 {
        code.repeat(16, &[add(A1, A1, A1)]);
        code.push(lw(A1, 256 * trip, A0));
    }
    code.push(add(A1, A1, A1));
    let program = code.finish();
    let cycles = |scheduler| {
        let config = CoreConfig { warps: 16, mshrs: 16, scheduler, ..CoreConfig::tiny() };
        let timing = MemoryTiming { dram_latency: 200, dram_bandwidth: 64.0, ..MemoryTiming::default() };
        let run = Bench::new(&config, timing).run(&program, 16 * config.lanes, 0);
        let issues: Vec<_> = run.issues.iter().map(|issue| (issue.cycle, issue.warp)).collect();
        (run.end - run.start, issues)
    };
    let (round_robin, issues) = cycles(SchedulerPolicy::LooseRoundRobin);
    let (two_level, _) = cycles(SchedulerPolicy::groups_of(8));
    println!("round robin {round_robin}, groups of 8 {two_level}");
    assert_eq!(issues, cycles(SchedulerPolicy::groups_of(16)).1, "one group is round robin");
    assert!(two_level < round_robin * 9 / 10, "groups of eight: {two_level} cycles, round robin: {round_robin}");
}

/// Words that a streaming kernel moves in `trips` trips of all threads of the paper preset.
fn stream_words(trips: u32) -> usize {
    1024 * 4 * trips as usize
}

#[test]
fn streams_take_the_bandwidth_of_dram() {
    let mut bench = Bench::new(&CoreConfig::paper(), timing::memory());
    for (kernel, bytes_per_word) in [("stream_load", 4), ("stream", 8)] {
        let words = stream_words(16);
        let stats = micro_kernel(&mut bench, kernel, 1024, 1, words, 16);
        let rate = (bytes_per_word * words) as f64 / stats.cycles as f64;
        let bandwidth = timing::memory().dram_bandwidth;
        assert!(rate >= 0.9 * bandwidth, "{kernel}: {rate:.2} of {bandwidth} bytes per cycle");
    }
}

/// Bytes per cycle of a stream that stays in L2, without the launch: the difference of a long and a short one.
fn l2_rate(config: &CoreConfig, kernel: &str, bytes_per_word: usize) -> f64 {
    let mut bench = Bench::new(config, timing::memory());
    // Two buffers of seven trips are 224 KB of L2's 256.
    let [short, long] =
        [3, 7].map(|trips| micro_kernel(&mut bench, kernel, 1024, 2, stream_words(trips), trips).cycles);
    (bytes_per_word * (stream_words(7) - stream_words(3))) as f64 / (long - short) as f64
}

#[test]
#[ignore = "long: compiles three of the papers' cores; runs in .ci/run"]
fn mshrs_bound_the_bandwidth_of_l2() {
    let page = include_str!("../../docs/reference/memory-model.md");
    let documented = timing::table(page, "| MSHRs |");
    let found: Vec<_> = [8, 16, 32]
        .map(|mshrs| {
            let config = CoreConfig { mshrs, ..CoreConfig::paper() };
            let [loads, both] = [("stream_load", 4), ("stream", 8)].map(|(name, bytes)| l2_rate(&config, name, bytes));
            vec![mshrs.to_string(), format!("{loads:.1}"), format!("{both:.1}")]
        })
        .into();
    assert_eq!(found, documented, "docs/reference/memory-model.md");
    let most: f64 = found[2][1].parse().unwrap();
    let bandwidth = timing::memory().l2_bandwidth;
    assert!(most >= 0.9 * bandwidth, "32 MSHRs: {most} of {bandwidth} bytes per cycle");
}

#[test]
fn misses_overlap_and_hits_pass_them() {
    let mut bench = Bench::new(&CoreConfig::paper(), timing::memory());
    let mut code = Code::default();
    code.constant(A0, GLOBAL_BASE);
    code.push(lw(A1, 0, A0));
    code.push(add(A1, A1, A1));
    let hit = code.push(lw(A1, 4, A0));
    let hit_used = code.push(add(A1, A1, A1));
    let miss = code.push(lw(A1, 512, A0));
    code.push(lw(A2, 1024, A0));
    code.push(lw(A3, 4, A0));
    let passed = code.push(add(A3, A3, A3));
    let first_used = code.push(add(A1, A1, A1));
    let second_used = code.push(add(A2, A2, A2));
    let run = bench.run(&code.finish(), 1, 0);

    let (one, hit) = (run.between(miss, first_used), run.between(hit, hit_used));
    let both = run.between(miss, second_used);
    assert!(one >= timing::memory().dram_latency, "a miss goes to DRAM: {one}");
    assert!(both < one + 40, "a miss {one}, two misses {both}: the second transfer, no second latency");
    assert!(run.between(miss, passed) < hit + 10, "a hit is not held up by misses");
}

#[test]
fn shared_memory_serves_one_access_a_cycle_per_bank() {
    let mut bench = Bench::new(&CoreConfig::paper(), timing::memory());
    for ways in [1, 2, 4, 8, 16, 32] {
        let cycles = timing::interval(
            &mut bench,
            |code| {
                code.push(lane(A0));
                code.push(slli(A0, A0, 2 + i32::ilog2(ways) as i32));
                code.constant(A1, SHARED_BASE);
                code.push(add(A0, A0, A1));
            },
            &(16..24).map(|rd| lw(rd, 0, A0)).collect::<Vec<_>>(),
        );
        assert!((cycles / ways as f64 - 1.0).abs() < 0.02, "{ways}-way conflicts: {cycles:.2} cycles");
    }
}
