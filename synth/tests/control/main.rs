//! Bounded proofs about the control of a core: the real reconvergence unit and barrier unit run every program of four instructions.
//!
//! `proofs/control.sv` puts a fetch and an issue stage around them that choose as they please, a program and outcomes that are free, and
//! follows one thread, any of them. yosys makes an and-inverter graph of it all, and ABC looks through its first cycles for one that
//! breaks a property. Each mechanism is also checked with faults, each of which must break the property that it names, and for a
//! whole divergence and reconvergence, which must be found: the bound reaches so far. `WARPLOOM_BOUND=N` sets another bound.
#[path = "../support/mod.rs"]
mod support;

mod check;
mod mechanisms;
mod page;

use check::Check;
use mechanisms::{
    CAPRI, CTA_DUAL_PATH, DUAL_PATH, FORMATION, INDEPENDENT, LARGE_WARPS, LIKELY, Mechanism, SCHEDULABLE, SINGLE_PATH,
    TBC, WARP_BARRIERS, WARP_SPLITS,
};
use warploom_requirements::Shown;

fn check(mechanism: &Mechanism) {
    let abc_is_here = std::process::Command::new("yosys-abc").args(["-c", "quit"]).output().is_ok();
    if !support::yosys_is_here() {
        return;
    }
    assert!(abc_is_here, "`yosys-abc` is not here: it is a part of yosys");
    let bound =
        std::env::var("WARPLOOM_BOUND").map_or(mechanism.bound, |text| text.parse().expect("a number of cycles"));
    let (shown, design) = (Shown::by("control"), Check::subject(mechanism));
    if !shown.is_due(mechanism.name, &design) {
        return;
    }
    let check = Check::new(mechanism);
    let cover = check.first("reconverged", bound);
    println!("{}: reconverged in cycle {cover:?}", mechanism.name);
    assert!(cover.is_some(), "{}: nothing reconverges so soon", mechanism.name);
    for (number, fault) in (1..).zip(mechanism.faults) {
        let caught = check.first(&format!("caught_{number}"), bound);
        println!("{}: {} in cycle {caught:?}", mechanism.name, fault.what);
        assert!(caught.is_some(), "{}: {} is missed", mechanism.name, fault.what);
    }
    assert_eq!(check.first("wrong", bound), None, "{}: a property breaks", mechanism.name);
    println!("{}: holds for {bound} cycles", mechanism.name);
    shown.record(mechanism.name, &design);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn single_path_execution_runs_each_thread_right() {
    check(&SINGLE_PATH);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn likely_convergence_points_run_each_thread_right() {
    check(&LIKELY);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn thread_block_compaction_runs_each_thread_right() {
    check(&TBC);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn capri_runs_each_thread_right() {
    check(&CAPRI);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn dual_path_execution_runs_each_thread_right() {
    check(&DUAL_PATH);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn dual_paths_of_a_cta_run_each_thread_right() {
    check(&CTA_DUAL_PATH);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn warp_splits_run_each_thread_right() {
    check(&WARP_SPLITS);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn turns_on_a_stack_run_each_thread_right() {
    check(&SCHEDULABLE);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn independent_threads_run_each_thread_right() {
    check(&INDEPENDENT);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn dynamic_warp_formation_runs_each_thread_right() {
    check(&FORMATION);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn warp_barriers_run_each_thread_right() {
    check(&WARP_BARRIERS);
}

#[test]
#[ignore = "long: a bounded proof by yosys and ABC; runs in .ci/run"]
fn large_warps_run_each_thread_right() {
    check(&LARGE_WARPS);
}
