use warploom_hdl::config::CoreConfig;

use super::*;
use crate::reference::ReferenceDevice;
use crate::toolchain;

fn presets() -> [CoreConfig; 4] {
    [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi()]
}

fn check(kernel: &dyn Kernel, config: &CoreConfig, problem: Problem) {
    let mut device = ReferenceDevice::with_memory(config.clone(), 8 << 20);
    let outcome = run(kernel, &mut device, &problem);
    let outcome = outcome.unwrap_or_else(|e| panic!("{} {problem:?}: {e}", kernel.name()));
    if let Some(mismatch) = outcome.mismatch() {
        panic!("{} {problem:?}: {mismatch}", kernel.name());
    }
    assert!(outcome.stats.thread_instructions > 0 && outcome.launches > 0 || problem.size == 1);
}

#[test]
fn every_kernel_on_every_preset_at_odd_sizes() {
    for kernel in KERNELS {
        for config in presets() {
            for size in [1, 2, 3, 31, 33, 64, kernel.sizes().smoke] {
                check(*kernel, &config, Problem::new(size));
            }
        }
    }
}

#[test]
fn every_kernel_at_its_default_size_with_other_inputs_and_blocks() {
    for kernel in KERNELS {
        let size = kernel.sizes().default;
        check(*kernel, &CoreConfig::paper(), Problem { size, seed: 7, block: None });
        check(*kernel, &CoreConfig::small(), Problem { size, seed: 8, block: Some(64) });
        check(*kernel, &CoreConfig::tiny(), Problem { size: size / 8, seed: 9, block: Some(7) });
    }
}

#[test]
fn names_are_found_and_near_names_suggested() {
    assert_eq!(find("bfs").map(|kernel| kernel.name()), Ok("bfs"));
    assert_eq!(find("bitnic").map(|kernel| kernel.name()), Err(vec!["bitonic"]));
    assert_eq!(find("quicksort").map(|kernel| kernel.name()), Err(vec![]));
    assert!(KERNELS.windows(2).all(|pair| pair[0].name() < pair[1].name()), "sorted by name");
    assert_eq!(find("gcd").map(|kernel| kernel.sizes().parse("17")), Ok(Some(17)));
    assert_eq!(find("gcd").map(|kernel| kernel.sizes().parse("0")), Ok(None));
}

/// With `WARPLOOM_BLESS=1`, writes the files instead.
#[test]
fn shipped_binaries_equal_their_sources() {
    if !toolchain::available() {
        assert!(std::env::var_os("WARPLOOM_REQUIRE_TOOLS").is_none(), "clang and ld.lld are required");
        eprintln!("skipped: no clang or ld.lld");
        return;
    }
    let bless = std::env::var_os("WARPLOOM_BLESS").is_some();
    for binary in binaries() {
        let (elf, messages) =
            toolchain::compile(&binary.path(), toolchain::Debug::None).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(messages, "", "{}", binary.source);
        if bless {
            std::fs::write(binary.path().with_extension("elf"), elf).expect("a writable checkout");
        } else {
            assert!(elf == binary.elf, "{} is stale: run this test with WARPLOOM_BLESS=1", binary.source);
        }
    }
}
