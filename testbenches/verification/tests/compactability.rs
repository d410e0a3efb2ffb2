//! What compaction could do, by the book, against what the hardware does.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{DeviceError, MemoryTiming, RtlDevice};
use warploom_runtime::kernels::{self, KERNELS, Problem};
use warploom_verification::compactability::Counter;
use warploom_verification::reference::{Observed, ReferenceDevice};
use warploom_verification::{core_simulator, cores};

fn by_the_book(config: &CoreConfig) -> Observed<Counter> {
    Observed::new(ReferenceDevice::new(config.clone()), Counter::new(config.lanes))
}

/// Of a CTA that is one warp, the walk is what single-path execution does: as many instructions, with as many threads.
#[test]
fn a_cta_of_one_warp_runs_as_on_the_core() {
    let config = cores::plain();
    let timing = MemoryTiming { l2_latency: 5, dram_latency: 20, ..MemoryTiming::default() };
    let mut core = RtlDevice::new(core_simulator(&config, &Default::default()), config.clone(), timing);
    let mut compared = 0;
    // Where these put an element depends on the order of atomics.
    for kernel in kernels::on(&config).filter(|kernel| !["bucketsort", "qsort"].contains(&kernel.name())) {
        let problem = Problem { block: Some(config.lanes), ..Problem::new(kernel.sizes().smoke) };
        let mut by_the_book = by_the_book(&config);
        let ran = kernels::run(kernel, &mut core, &problem).and_then(|outcome| {
            kernels::run(kernel, &mut by_the_book, &problem)?;
            Ok(outcome.stats)
        });
        let stats = match ran {
            Ok(stats) => stats,
            // It needs a CTA of more threads.
            Err(DeviceError::BadLaunch { .. }) => continue,
            Err(error) => panic!("{}: {error}", kernel.name()),
        };
        let counts = by_the_book.observer.counts();
        assert_eq!(
            (counts.threads, counts.apart),
            (stats.thread_instructions, stats.warp_instructions),
            "{}: threads, warps",
            kernel.name()
        );
        compared += 1;
    }
    assert!(compared > kernels::on(&config).count() / 2, "only {compared} kernels run in CTAs of one warp");
}

/// With several warps, threads are as many, and each better way takes fewer warps.
#[test]
fn each_better_way_takes_fewer_warps() {
    let config = cores::with_floats(cores::plain());
    let mut saved = 0;
    for kernel in KERNELS {
        let mut by_the_book = by_the_book(&config);
        let problem = Problem::new(kernel.sizes().smoke);
        kernels::run(kernel, &mut by_the_book, &problem).unwrap_or_else(|error| panic!("{}: {error}", kernel.name()));
        let counts = by_the_book.observer.counts();
        assert!(counts.ideal <= counts.compacted && counts.compacted <= counts.apart, "{}: {counts:?}", kernel.name());
        assert!(counts.threads <= counts.ideal * config.lanes as u64, "{}", kernel.name());
        for decisions in &counts.decisions {
            let all: u64 = decisions.counts().iter().sum();
            assert_eq!(all, counts.decisions[0].counts().iter().sum::<u64>(), "{}: {decisions:?}", kernel.name());
        }
        for sides in [&counts.p, &counts.d] {
            for (name, compacted) in &sides.compacted {
                let more = compacted.iter().zip(&sides.ideal).any(|(compacted, ideal)| compacted > ideal);
                assert!(!more, "{}, {name}: more than ideal", kernel.name());
            }
        }
        saved += u64::from(counts.compacted < counts.apart);
    }
    assert!(saved > 3, "{saved} kernels gain");
}
