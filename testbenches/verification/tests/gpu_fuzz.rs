//! Random programs on random GPUs of two cores, against the reference model: as `warploom fuzz --cores 2`, but with fewer programs on a GPU.
//!
//! `WARPLOOM_GPU_FUZZ=10000 cargo test -p warploom-verification --test gpu_fuzz -- --nocapture` runs so many.
use std::sync::Arc;

use warploom_hdl::mechanism::MECHANISMS;
use warploom_verification::fuzz::campaign::BLOCK;
use warploom_verification::fuzz::{Campaign, Found, GpuSize, file};

/// Programs on the same GPU, whose simulators have to be compiled.
const ON_ONE: u64 = 60;

fn programs() -> u64 {
    std::env::var("WARPLOOM_GPU_FUZZ").map_or(120, |text| text.parse().expect("a number of programs"))
}

#[test]
fn random_programs_on_two_cores() {
    let gpu = Some(GpuSize { cores: 2, channels: None });
    let campaign = Campaign { mechanisms: MECHANISMS.to_vec(), isa: None, gpu };
    let first: u64 = std::env::var("WARPLOOM_GPU_SEED").map_or(0, |text| text.parse().expect("a seed"));
    let mut ran = 0;
    for number in first.. {
        if ran >= programs() {
            break;
        }
        let seeds = number * BLOCK..number * BLOCK + ON_ONE.min(programs() - ran);
        let block = campaign.blocks(seeds).next().expect("a block");
        let outcome = |seed, outcome: Result<_, Box<Found>>| {
            if let Err(found) = outcome {
                let text = file::text("", &found.smallest).expect("text");
                panic!("seed {seed}: {}; made small:\n{text}", found.failure);
            }
            ran += 1;
            Ok(())
        };
        block.run(&Arc::default(), None, outcome).unwrap_or_else(|error| panic!("{error:#}"));
    }
    println!("{ran} programs");
}
