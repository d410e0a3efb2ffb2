//! The table of all state against the core: complete, and true.
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warploom_hdl::config::{CoreConfig, CtaPriority, SchedulerPolicy, WarpGroup};
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::kernels::Random;
use warploom_sim::netlist::{ModuleId, NetName, Netlist};
use warploom_sim::{Simulator, State, elaborate};
use warploom_verification::cores;
use warploom_verification::fuzz::{Bench, Case, simulator};
use warploom_verification::random_program::Choices;

use crate::page;
use crate::table::{Cleared, Entry, TABLE};

/// A register or a memory of the netlist.
#[derive(Clone)]
struct Element {
    block: String,
    name: String,
    /// None: a memory.
    initial: Option<u64>,
}

/// All elements, by their names in the simulator.
fn elements(config: &CoreConfig) -> BTreeMap<String, Element> {
    let mut core = Core::new(config);
    core.connect_all();
    let netlist = elaborate(&core).unwrap_or_else(|error| panic!("{error}"));
    let mut all = BTreeMap::new();
    collect(&netlist, netlist.top, "", &mut all);
    all
}

fn collect(netlist: &Netlist, id: ModuleId, path: &str, all: &mut BTreeMap<String, Element>) {
    let module = netlist.module(id);
    let fields = |name: &NetName| name.0.iter().map(|segment| segment.field.as_str()).collect::<Vec<_>>().join(".");
    let registers = module.registers.iter().map(|register| (&register.name, Some(register.initial)));
    for (name, initial) in registers.chain(module.memories.iter().map(|memory| (&memory.name, None))) {
        let element = Element { block: module.source.clone(), name: fields(name), initial };
        all.insert(format!("{path}{name}"), element);
    }
    for instance in &module.instances {
        collect(netlist, instance.module, &format!("{path}{}.", instance.name), all);
    }
}

/// What the table says of an element.
fn entry(element: &Element) -> &'static Entry {
    let found: Vec<&Entry> = TABLE.iter().filter(|entry| entry.is_of(&element.block, &element.name)).collect();
    match *found {
        [entry] => entry,
        _ => panic!("{} entries for {} of {} in tests/left_behind/table.rs", found.len(), element.name, element.block),
    }
}

/// The cores whose state the table lists: every kind of stack, and whatever else only some cores have.
fn configurations() -> Vec<CoreConfig> {
    let plain = cores::plain();
    let slow = CoreConfig {
        alu_latency: 4,
        multiply_latency: 6,
        issue_interval: 2,
        warp_interval: 3,
        memory_interval: 2,
        l1_ports: 2,
        scheduler: SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(2), timeout: 20 },
        cta_priority: CtaPriority::StickyRoundRobin,
        ..plain.clone()
    };
    let floats = CoreConfig { floats: true, float_latency: 8, ..plain.clone() };
    let lowest = cores::with("dwf:lowest_pc", plain.clone());
    let shared = cores::with("tbc+dpe:constrained", plain.clone());
    let oldest = CoreConfig { scheduler: SchedulerPolicy::GreedyThenOldest, cta_priority: CtaPriority::Age, ..plain };
    cores::tiny().into_iter().chain([slow, floats, lowest, shared, oldest]).collect()
}

#[test]
fn the_table_has_all_state_and_nothing_else() {
    let all: BTreeSet<(String, String)> = configurations()
        .iter()
        .flat_map(|config| elements(config).into_values())
        .map(|element| (element.block, element.name))
        .collect();
    let entries = |(block, name): &&(String, String)| TABLE.iter().filter(|entry| entry.is_of(block, name)).count();
    let without: Vec<_> = all.iter().filter(|element| entries(element) != 1).collect();
    assert!(without.is_empty(), "without an entry in tests/left_behind/table.rs, or with several: {without:?}");
    for entry in TABLE {
        let exists =
            |name: &str| all.iter().any(|(block, element)| block == entry.block && (name == "*" || element == name));
        let missing = entry.elements.split_whitespace().find(|name| !exists(name));
        let there: Vec<_> = all.iter().filter(|(block, _)| block == entry.block).map(|(_, element)| element).collect();
        assert_eq!(missing, None, "{} has no such element, but {there:?}", entry.block);
    }
    let clears = |cleared| matches!(cleared, Cleared::Idle | Cleared::Launch);
    for element in configurations().iter().flat_map(|config| elements(config).into_values()) {
        let memory = element.initial.is_none();
        assert!(!(memory && clears(entry(&element).cleared)), "{}: nothing clears a memory", element.name);
    }
    page::check(&all);
}

/// What an element should be, where it should be something.
struct Expected {
    elements: BTreeMap<String, (Cleared, Element)>,
}

impl Expected {
    fn new(config: &CoreConfig) -> Self {
        let elements = elements(config).into_iter().map(|(name, element)| (name, (entry(&element).cleared, element)));
        Self { elements: elements.collect() }
    }

    /// Elements of this kind are as after a reset.
    fn check(&self, state: &State, cleared: Cleared, when: &str) {
        for (name, (kind, element)) in &self.elements {
            if *kind != cleared {
                continue;
            }
            // What a simulator does not need it does not have.
            if let Some(word) = state.registers.get(name) {
                assert_eq!(Some(word.value), element.initial, "{name}, of which the table says `{cleared}`, {when}");
            }
        }
    }

    fn kind(&self, name: &str) -> Cleared {
        self.elements.get(name).map_or(Cleared::Data, |(kind, _)| *kind)
    }
}

/// Checks what is as after a reset in the cycles when it has to be.
fn watch(expected: Rc<Expected>) -> impl FnMut(&Simulator) {
    let mut was_busy = false;
    move |simulator| {
        let get = |name| simulator.get(simulator.port(name).expect("a port"));
        if get("launch_start") == 1 {
            expected.check(&simulator.save(), Cleared::Launch, "after the start of a launch");
        } else if was_busy && get("busy") == 0 && get("reset") == 0 {
            expected.check(&simulator.save(), Cleared::Idle, "when a launch has ended");
        }
        was_busy = get("busy") == 1;
    }
}

/// As the program before has left it, but for the program, and for the counters, from which the host has just taken what they were at first.
fn left(expected: &Expected, left: &State, loaded: State) -> State {
    let keep = |name: &String| !matches!(expected.kind(name), Cleared::Program | Cleared::Counter);
    let mut state = loaded;
    for (name, word) in state.registers.iter_mut().filter(|(name, _)| keep(name)) {
        *word = left.registers[name];
    }
    for (name, memory) in state.memories.iter_mut().filter(|(name, _)| keep(name)) {
        memory.clone_from(&left.memories[name]);
    }
    state
}

/// Random bits in everything of which the table says that nobody reads it before it is written.
fn noise(expected: &Expected, random: &mut Random, loaded: State) -> State {
    let mut any = |width: u8| (u64::from(random.word()) << 32 | u64::from(random.word())) >> (64 - width);
    let mut state = loaded;
    for (_, word) in state.registers.iter_mut().filter(|(name, _)| expected.kind(name) == Cleared::Data) {
        word.value = any(word.width);
    }
    for (_, memory) in state.memories.iter_mut().filter(|(name, _)| expected.kind(name) == Cleared::Data) {
        memory.rows.iter_mut().for_each(|row| *row = any(memory.width));
    }
    state
}

/// Programs on this core run in what the one before has left, and it is checked what that may be.
pub fn bench(simulator: Simulator, config: &CoreConfig) -> Bench {
    changed(simulator, config, left)
}

fn changed(
    simulator: Simulator,
    config: &CoreConfig,
    mut change: impl FnMut(&Expected, &State, State) -> State + 'static,
) -> Bench {
    let expected = Rc::new(Expected::new(config));
    let mut bench = Bench::watched(simulator, config, watch(expected.clone()));
    bench.change_after_load(move |before, loaded| change(&expected, before, loaded));
    bench
}

/// The random program of this seed runs right, whatever has run before.
pub fn check(bench: &mut Bench, config: &CoreConfig, seed: u64) {
    let case = Case::draw(&mut Choices::random(seed), config).unwrap();
    if let Err(failure) = bench.check(&case) {
        panic!("{:?}, seed {seed}: {failure}", config.mechanism);
    }
}

fn both(config: &CoreConfig, programs: u64) {
    let config = CoreConfig { stack_depth: 48, ..config.clone() };
    let simulator = || simulator(&config).unwrap();
    let mut random = Random::new(9);
    let among_noise = changed(simulator(), &config, move |expected, _, loaded| noise(expected, &mut random, loaded));
    for mut bench in [bench(simulator(), &config), among_noise] {
        (0..programs).for_each(|seed| check(&mut bench, &config, seed));
    }
}

#[test]
fn programs_run_in_what_others_have_left_and_among_random_bits() {
    both(&cores::plain(), 12);
    both(&cores::with("capri+lcp", CoreConfig::tiny()), 8);
}

#[test]
#[ignore = "long: the cores with every kind of stack; runs in .ci/run"]
fn programs_run_in_what_others_have_left_under_every_mechanism() {
    cores::each(&configurations(), |config| both(config, 150));
}
