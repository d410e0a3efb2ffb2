//! [`DramScheduler`] in lockstep with its executable specification: the same command in every clock, for random requests to few banks and rows.
//!
//! `WARPLOOM_RANDOM_LISTS=10000 cargo test -p warploom-verification --test dram_scheduler` runs more.
use std::collections::VecDeque;

use warploom_hdl::memory_system::dram::{ChannelConfig, DramCommand, DramScheduler, DramTiming, GDDR3, GDDR5};
use warploom_runtime::kernels::Random;
use warploom_verification::dram_model::{Burst, EVERY_RULE, Request, Scheduler};
use warploom_verification::module_simulator::ModuleSimulator;

fn lists() -> usize {
    std::env::var("WARPLOOM_RANDOM_LISTS").map_or(100, |text| text.parse().expect("a number of lists"))
}

fn requests(random: &mut Random, banks: usize, bursts: usize) -> VecDeque<Request> {
    let (banks, rows) = (1 + random.below(banks as u32), 1 + random.below(4));
    let (writes, gap) = (random.below(101), [0, 0, 2, 8, 40][random.below(5) as usize]);
    let mut at = 0;
    let next = |id| {
        at += random.below(gap + 1) as usize;
        let bank = random.below(banks) as usize;
        let (row, write) = (random.below(rows) as usize, random.below(100) < writes);
        Request { at, bank, row, write, bursts: 1 + random.below((1 << bursts) - 1) as usize, id }
    };
    (0..60).map(next).collect()
}

fn agree(timing: &DramTiming, queue: usize, starve: usize) {
    let config = ChannelConfig { queue, starve, bursts: 4, ..ChannelConfig::new(timing, 64, 6) };
    let mut module = ModuleSimulator::new(DramScheduler::new(&config), &[]);
    for seed in 0..lists() as u64 {
        let mut random = Random::new(seed);
        let list = requests(&mut random, timing.banks, config.bursts);
        module.reset();
        module.set("room", 1u64);
        let mut model = Scheduler::new(timing, queue, starve);
        let (mut of_model, mut of_module) = (list.clone(), list);
        let mut clock = 0;
        while !(of_module.is_empty() && model.is_idle()) {
            // Some cycles are no clock of the bus; requests come in all of them.
            let has_due = |list: &VecDeque<Request>| list.front().is_some_and(|request| request.at <= clock);
            while has_due(&of_module) {
                module.set("tick", 0u64);
                module.set("push_valid", 0u64);
                module.evaluate();
                if module.get("ready") == 0 {
                    break;
                }
                let request = of_module.pop_front().expect("it is due");
                module.set("push_valid", 1u64);
                module.set("push_write", u64::from(request.write));
                module.set("push_bank", request.bank);
                module.set("push_row", request.row);
                module.set("push_bursts", request.bursts);
                module.set("push_id", request.id);
                module.step();
            }
            module.set("push_valid", 0u64);
            module.set("tick", 1u64);
            module.evaluate();
            let command = DramCommand::VARIANTS[module.get("command")];
            let is_burst = [DramCommand::Read, DramCommand::Write].contains(&command);
            let burst = is_burst.then(|| Burst {
                id: module.get("id"),
                number: module.get("burst"),
                last: module.get("last") == 1,
            });
            let bank = if command == DramCommand::Refresh { 0 } else { module.get("bank") };
            let own = (command != DramCommand::Nop).then_some((command, bank, burst));
            let expected = model.step(&mut of_model).map(|(command, burst)| {
                if command.kind == DramCommand::Activate {
                    assert_eq!(module.get("row"), command.row, "row in clock {clock} of list {seed}");
                }
                (command.kind, command.bank, burst)
            });
            assert_eq!(own, expected, "clock {clock} of list {seed}");
            module.step();
            clock += 1;
            assert!(clock < 50_000, "list {seed} does not end");
        }
    }
}

#[test]
fn gddr3() {
    agree(&GDDR3, 16, 0);
}

#[test]
fn gddr5_whose_oldest_request_starves_soon() {
    agree(&GDDR5, 8, 64);
}

#[test]
fn every_rule_counts() {
    agree(&EVERY_RULE, 16, 300);
}
