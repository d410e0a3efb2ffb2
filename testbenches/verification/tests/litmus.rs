//! What threads see of each other's writes, across lanes, warps and cores.
//!
//! `WARPLOOM_LITMUS=10000 cargo test -p warploom-verification --test litmus -- --nocapture` runs each test so often, and prints how often each result came.
use std::collections::BTreeMap;

use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, GpuDevice, Session};
use warploom_runtime::kernels::Random;
use warploom_verification::gpu::{gpu, small_system};
use warploom_verification::litmus::{Places, TESTS, Test, WORDS_OF_AN_INSTANCE, program};

/// Instances of a launch.
const INSTANCES: usize = 32;
/// Results for each.
const RESULTS: usize = 8;

fn runs() -> usize {
    std::env::var("WARPLOOM_LITMUS").map_or(96, |text| text.parse().expect("a number of runs"))
}

/// What came, and how often.
fn outcomes(device: &mut GpuDevice<'_>, test: &Test, places: Places, random: &mut Random) -> BTreeMap<Vec<u32>, usize> {
    let threads = test.threads.len();
    let lanes = device.config().lanes as u32;
    let mut found = BTreeMap::new();
    let program = program(test, places);
    let mut session = Session::new(device, &program).unwrap();
    let words = session.zeros(WORDS_OF_AN_INSTANCE * INSTANCES).unwrap();
    let results = session.zeros(RESULTS * INSTANCES).unwrap();
    let delays = session.zeros(threads * INSTANCES).unwrap();
    let (grid, block) = match places {
        Places::Ctas => (threads * INSTANCES, 1),
        Places::Warps(_) => (INSTANCES, threads as u32 * lanes),
        Places::Lanes => (INSTANCES, threads as u32),
    };
    for _ in 0..runs().div_ceil(INSTANCES) {
        // Most of them close to each other, and some with old lines in their L1s.
        let most = [1, 4, 30, 120][random.below(4) as usize];
        let delay = |_| random.below(most) | random.below(2) << 15;
        let drawn: Vec<u32> = (0..threads * INSTANCES).map(delay).collect();
        session.write(words, &vec![0; WORDS_OF_AN_INSTANCE * INSTANCES]);
        session.write(delays, &drawn);
        session
            .launch([grid as u32, 1, 1], [block, 1, 1], 0, &[words.address, results.address, delays.address])
            .unwrap_or_else(|error| panic!("{}: {error}", test.name));
        let (words, results) = (session.read(words), session.read(results));
        for instance in 0..INSTANCES {
            let mut outcome = results[RESULTS * instance..][..test.results].to_vec();
            let of_word = |word| words[WORDS_OF_AN_INSTANCE * instance + word * WORDS_OF_AN_INSTANCE / 4];
            outcome.extend((0..test.words).map(of_word));
            *found.entry(outcome).or_default() += 1;
        }
    }
    found
}

#[test]
fn nothing_happens_that_the_order_of_memory_forbids() {
    let mut device = gpu(small_system(&CoreConfig::tiny(), 4));
    let lanes = device.config().lanes.ilog2();
    let mut random = Random::new(17);
    for test in TESTS {
        for places in [Places::Ctas, Places::Warps(lanes), Places::Lanes] {
            let found = outcomes(&mut device, test, places, &mut random);
            let relaxed: usize =
                found.iter().filter(|(outcome, _)| (test.relaxed)(outcome)).map(|(_, count)| count).sum();
            println!("{} {places:?}: {relaxed} relaxed of {}: {found:?}", test.name, found.values().sum::<usize>());
            for (outcome, count) in &found {
                assert!((test.allowed)(outcome), "{} {places:?}: {outcome:?}, {count} times", test.name);
            }
        }
    }
}
