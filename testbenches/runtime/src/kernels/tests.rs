use std::num::NonZero;
use std::thread;

use warploom_requirements::met;

use super::*;
use crate::isa::decode;
use crate::toolchain;

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
    if !met(&[("clang and ld.lld", toolchain::available())]) {
        return;
    }
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let all = binaries();
    thread::scope(|scope| {
        for some in all.chunks(all.len().div_ceil(processors)) {
            scope.spawn(|| some.iter().for_each(equals_its_source));
        }
    });
}

fn equals_its_source(binary: &Binary) {
    let (elf, messages) = toolchain::compile(&binary.path(), toolchain::Debug::None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(messages, "", "{}", binary.source);
    if std::env::var_os("WARPLOOM_BLESS").is_some() {
        std::fs::write(binary.path().with_extension("elf"), elf).expect("a writable checkout");
    } else {
        assert!(elf == binary.elf, "{} is stale: run this test with WARPLOOM_BLESS=1", binary.source);
    }
}

/// Each is single in its loop, as a copy in each side of a branch would be executed by parts of the warp.
#[test]
fn what_lanes_do_together_in_kernels_of_a_database() {
    let of_kernel = |kernel: &Kernel| {
        let program = kernel.binary().program();
        let instructions = program.words.iter().map(|word| decode(*word));
        let together = instructions.filter(|one| one.acts_together()).map(|one| one.mnemonic());
        (kernel.name(), together.collect::<Vec<_>>())
    };
    let expected = [
        ("index_tree", vec!["ballot"; 2]),
        ("index_tree_traverse", vec!["tree_traverse"; 2]),
        ("select", vec!["ballot"]),
        ("select_accumulate", vec!["cond_acc.w"]),
    ];
    assert_eq!(DATABASE.iter().map(of_kernel).collect::<Vec<_>>(), expected);
    let without = CoreConfig { floats: true, ..CoreConfig::tiny() };
    assert!(DATABASE.iter().all(|kernel| kernel.has_warp_instructions() && !kernel.runs_on(&without)));
    assert!(KERNELS.iter().chain(SYNCHRONISING).all(|kernel| kernel.runs_on(&without)));
}

#[test]
fn kernels_in_floats_are_those_with_float_instructions() {
    for kernel in KERNELS {
        let floats = kernel.about().arithmetic == Arithmetic::Float;
        assert_eq!(kernel.binary().program().first_float.is_some(), floats, "{}", kernel.name());
    }
    let all = |floats: bool| on(&CoreConfig { floats, ..CoreConfig::tiny() }).count();
    assert!(all(true) == KERNELS.len() && all(false) < KERNELS.len());
}
