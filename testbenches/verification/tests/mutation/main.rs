//! The mutation check: breaks the netlist of the blocks of the pipeline one operator at a time, and asks which tests notice.
//!
//! ```text
//! blocks.rs     the blocks, and the tests that are to notice a fault in each
//! sample.rs     which mutants: spread over blocks, places and operators, the same for the same seed
//! binaries.rs   the real test binaries, with one mutant active (warploom_verification::mutation)
//! campaign.rs   mutant by mutant: the block's unit tests, its testbench, random programs on cores that have it
//! proof.rs      for what is left: yosys, whether the block with the mutant is equivalent to the block
//! explained.rs  and what is equivalent only under what surrounds the block, with the reason
//! page.rs       docs/verification/mutants.md, from the results beside it
//! ```
//! Tests of equivalence (`update()` against the netlist and the Verilog) do not take part: they would notice every mutant, for they compare with
//! the design as it is. Tests that drive a module through rust-hdl run on its netlist, see `unit_tests`.
//!
//! `cargo test -p warploom-verification --test mutation -- --ignored --nocapture` runs all mutants of the sample. With
//! `WARPLOOM_MUTANT_SAMPLE=12` so many of them; with `WARPLOOM_MUTANT_MODULES=Capt,SpeStack` those of some modules, `WARPLOOM_MUTANT_PER_MODULE=40` more than
//! the sample has; with `WARPLOOM_MUTANT_NAME='...'` one by its name. With `WARPLOOM_WRITE=1` a run writes its results of the sample, each when it is there, and the page;
//! the rest stays as recorded. With `WARPLOOM_MUTANT_RETRY=1`, after a test has been added, only those run that were recorded as missed, or not at all.
use std::fs;

mod binaries;
mod blocks;
mod campaign;
mod explained;
mod page;
mod proof;
mod sample;
mod self_test;

use campaign::{Campaign, Verdict};
use sample::{Sampled, Wanted};

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn number(name: &str) -> Option<usize> {
    variable(name).map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

#[test]
#[ignore = "campaign: most of an hour; by hand, docs/developer/tests.md"]
fn mutants_are_caught() {
    let wanted = Wanted {
        modules: variable("WARPLOOM_MUTANT_MODULES"),
        name: variable("WARPLOOM_MUTANT_NAME"),
        per_module: number("WARPLOOM_MUTANT_PER_MODULE"),
        total: number("WARPLOOM_MUTANT_SAMPLE"),
    };
    let [retry, writes] = ["WARPLOOM_MUTANT_RETRY", "WARPLOOM_WRITE"].map(|name| variable(name).is_some());
    let sample: Vec<String> = Wanted::default().mutants().into_iter().map(|mutant| mutant.name).collect();
    let mut recorded = page::read();
    let mut mutants = wanted.mutants();
    if retry {
        mutants.retain(|mutant| !recorded.iter().any(|r| r.name == mutant.name && r.verdict != Verdict::Missed));
    }
    println!("{} mutants", mutants.len());
    let mut records = vec![];
    Campaign::new(&mutants).run(|record| {
        recorded = page::merged(&recorded, &record, &sample);
        records.push(record);
        if writes {
            fs::write(page::results(), page::json(&recorded)).expect("a file that can be written");
        }
    });
    println!("{}", page::summary(&records));
    if writes {
        fs::write(page::file(), page::page(&recorded, sample.len() - recorded.len()))
            .expect("a file that can be written");
    }
    let missed: Vec<&str> =
        records.iter().filter(|record| record.verdict == Verdict::Missed).map(|record| record.name.as_str()).collect();
    for name in &missed {
        println!("missed: {name}");
    }
    let alive = records.iter().filter(|record| !record.verdict.is_equivalent()).count();
    assert!(missed.len() * 100 <= alive, "{} of {alive} mutants are not noticed by any test", missed.len());
    let stale = explained::stale(&records);
    assert!(stale.is_empty(), "explained as equivalent, but noticed by a test: {stale:#?}");
}

#[test]
fn the_page_is_up_to_date() {
    let records = page::read();
    let sample = Wanted::default().mutants();
    let is_recorded = |mutant: &&Sampled| records.iter().any(|record| record.name == mutant.name);
    let recorded = sample.iter().filter(is_recorded).count();
    let is_sampled = |record: &&campaign::Record| sample.iter().any(|mutant| record.name == mutant.name);
    let unknown: Vec<&str> = records.iter().filter(|record| !is_sampled(record)).map(|one| one.name.as_str()).collect();
    assert!(unknown.is_empty(), "results of mutants that are not in the sample: {unknown:?}");
    assert!(recorded * 4 > sample.len() * 3, "{recorded} of {} mutants have a result", sample.len());
    let page = page::page(&records, sample.len() - recorded);
    if variable("WARPLOOM_WRITE").is_some() {
        fs::write(page::file(), &page).expect("a file that can be written");
    }
    let written = fs::read_to_string(page::file()).unwrap_or_default();
    assert!(written == page, "docs/verification/mutants.md is not what its results say: WARPLOOM_WRITE=1 writes it");
}
