//! Random programs on random GPUs of two cores, against the reference model.
//!
//! `WARPLOOM_GPU_FUZZ=10000 cargo test -p warploom-verification --test gpu_fuzz -- --nocapture` runs so many.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::MECHANISMS;
use warploom_hdl::memory_system::dram::{GDDR3, GDDR5};
use warploom_hdl::memory_system::{Clocks, SystemConfig};
use warploom_verification::fuzz::{Bench, Campaign, Case};
use warploom_verification::gpu::gpu;
use warploom_verification::random_program::Choices;

/// Programs on the same GPU, whose simulators have to be compiled.
const ON_ONE: u64 = 60;

fn programs() -> u64 {
    std::env::var("WARPLOOM_GPU_FUZZ").map_or(120, |text| text.parse().expect("a number of programs"))
}

/// What two cores share: little of everything, so that all of it is full at times.
fn system(choices: &mut Choices, config: &CoreConfig) -> SystemConfig {
    let (channels, ways) = (choices.of(&[1, 2, 3]), choices.of(&[2, 4]));
    // A burst of GDDR5 is a line of 64 bytes.
    let dram = if config.line_bytes > 32 && choices.below(2) == 1 { GDDR5 } else { GDDR3 };
    let speed = |choices: &mut Choices| choices.of(&[1, 2, 3, 5]);
    let clocks = Clocks { core: speed(choices), network: speed(choices), l2: speed(choices), dram: speed(choices) };
    SystemConfig {
        link_cycles: choices.of(&[1, 2, 4, 6]),
        link_room: choices.of(&[5, 9, 16]),
        l2_fixed: choices.of(&[0, 3, 20]),
        l2_queue: choices.of(&[2, 8]),
        write_credits: choices.of(&[1, 4, 64]),
        clocks,
        ..SystemConfig::new(2, channels, config.line_bytes, (choices.of(&[2, 4]), ways), &dram)
    }
}

#[test]
fn random_programs_on_two_cores() {
    let campaign = Campaign { mechanisms: MECHANISMS.to_vec(), isa: None };
    let first: u64 = std::env::var("WARPLOOM_GPU_SEED").map_or(0, |text| text.parse().expect("a seed"));
    let mut ran = 0;
    for number in first.. {
        if ran >= programs() {
            break;
        }
        // A block of the campaign has a core of its own, and so has this.
        let block = campaign.blocks(number * 250..number * 250 + 1).next().expect("a block");
        let config = CoreConfig { in_gpu: true, line_bytes: block.config.line_bytes.max(32), ..block.config };
        let system = system(&mut Choices::random(number), &config);
        let mut bench = Bench::gpu(gpu((config.clone(), system.clone())));
        for seed in 0..ON_ONE.min(programs() - ran) {
            let seed = number << 32 | seed;
            let case = Case::draw(&mut Choices::random(seed), &config).expect("a program that can be loaded");
            if let Err(failure) = bench.check(&case) {
                panic!("GPU {number}, program {seed:#x}: {failure}\n{config:?}\n{system:?}");
            }
            ran += 1;
        }
    }
    println!("{ran} programs");
}
