//! Modules that random inputs alone do not exercise.
use warploom_hdl::config::{CoreConfig, Mechanism, Permutation};
use warploom_testbenches::equivalence::{Cycle, Random, Silent, Stimulus};

/// What differs from random inputs at tiny sizes.
pub struct Special {
    /// Sizes.
    pub config: CoreConfig,
    /// Inputs.
    pub stimulus: Stimulus,
    /// Bits that cannot toggle.
    pub silent: &'static [Silent],
}

/// How the module of this name is run.
pub fn special(name: &str) -> Special {
    // With every optional part.
    let tiny = CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..CoreConfig::tiny() };
    let permuting = CoreConfig { permutation: Permutation::Balanced, ..tiny.clone() };
    let run = |stimulus, silent| Special { config: tiny.clone(), stimulus, silent };
    let shaped = |shape| Stimulus { shape, ..Stimulus::default() };
    let ones = |ones| Stimulus { ones, ..Stimulus::default() };
    let longer = |stimulus| Stimulus { cycles: 30_000, ..stimulus };
    match name {
        "oldest_first_arbiter" => run(Stimulus::default(), DIAGONALS),
        "two_level_arbiter" => run(Stimulus::default(), TWO_GROUPS),
        "cta_dispatcher" => Special { config: permuting, ..run(longer(shaped(small_grids)), SMALL_GRIDS) },
        "csr_lane" | "csr_unit" => Special { config: permuting, ..run(Stimulus::default(), &[]) },
        "predecode" => run(shaped(|cycle| instruction(cycle, "word")), &[]),
        "frontend" => run(shaped(few_addresses), FEW_ADDRESSES),
        "barrier_slot" | "barrier_unit" => run(longer(shaped(few_threads)), FEW_THREADS),
        "issue_stage" => run(longer(Stimulus::default()), &[]),
        "decode" => run(shaped(|cycle| instruction(cycle, "word")), DECODER_TRAPS),
        "operand_stage" => run(shaped(|cycle| instruction(cycle, "issue_word")), DECODER_TRAPS),
        "divide" => run(ones(&[("load", 0.02), ("step", 0.9)]), &[]),
        "lane" => run(ones(&[("divide_load", 0.02), ("divide_step", 0.9)]), &[]),
        "branch_unit" => run(Stimulus::default(), BRANCH_TRAPS),
        "execute" => run(longer(shaped(|cycle| instruction(cycle, "issue_word"))), EXECUTE_TRAPS),
        "highest_entry" => run(ones(&[("candidates", 0.1)]), HIGHEST),
        "spe_stack" => {
            let barriers = Stimulus { ones: &[("barrier_release", 0.02), ("reset", 0.003)], ..shaped(reconverging) };
            Special { config: CoreConfig { stack_depth: 4, ..tiny }, ..run(longer(barriers), SIDES_ABOVE) }
        }
        "capt" | "capt_entry" => {
            run(Stimulus { shape: few_branches, ones: &[("clear", 0.01)], ..Stimulus::default() }, &[])
        }
        "lru_table" => run(Stimulus::default(), DIAGONALS),
        "request_queue" | "l1_data_cache" => run(Stimulus::default(), LINES),
        "reservation" => run(Stimulus::default(), LINES),
        "load_store_unit" => run(longer(shaped(mapped_addresses)), LINES),
        "performance_counters" => run(ones(&[("reset", 0.001)]), COUNTS),
        "core" => run(Stimulus::default(), KERNELS),
        _ => run(Stimulus::default(), &[]),
    }
}

const fn silent(name: &'static str, bits: u64, reason: &'static str) -> Silent {
    Silent { name, bits, reason }
}

const DIAGONALS: &[Silent] = &[
    silent("*rows[0]*", 1, "nothing is older than itself"),
    silent("*rows[1]*", 2, "nothing is older than itself"),
    silent("*rows[2]*", 4, "nothing is older than itself"),
    silent("*rows[3]*", 8, "nothing is older than itself"),
];
const TWO_GROUPS: &[Silent] = &[silent("*before_top", 2, "no group is after the last one")];
const SMALL_GRIDS: &[Silent] = &[
    silent("*tid_write_?", !3, "CTAs of the trace have at most 4 threads in a direction"),
    silent("*fill_?", !3, "CTAs of the trace have at most 4 threads in a direction"),
    silent("*_ctaid_?", !3, "grids of the trace have at most 4 CTAs in a direction"),
    silent("*next_?", !3, "grids of the trace have at most 4 CTAs in a direction"),
    silent("*fill_in_cta", 4, "a CTA has at most all 4 warps"),
    silent("cta_start_threads", !0xf, "CTAs of the trace have at most 16 threads"),
    silent("*fill_thread", !0xf, "CTAs of the trace have at most 16 threads"),
    silent("warp_slot[0]", 3, "warp 0 is always in slot 0"),
    silent("*slot_of_warp[0]", 3, "warp 0 is always in slot 0"),
    silent("warp_slot[1]", 2, "warp 1 is in slot 0 or 1"),
    silent("*slot_of_warp[1]", 2, "warp 1 is in slot 0 or 1"),
];
const FEW_ADDRESSES: &[Silent] =
    &[silent("selected_pc", !0xfc, "PCs of the trace are in the first 64 words, and multiples of four")];
const FEW_THREADS: &[Silent] = &[silent("*waiting", 0xffc0, "few threads of the trace wait at once")];
const DECODER_TRAPS: &[Silent] = &[silent("trap", 0b0110, "no cause from 2 to 6 comes from the decoder")];
const BRANCH_TRAPS: &[Silent] = &[silent("trap", 0b1000, "only targets are checked")];
const EXECUTE_TRAPS: &[Silent] = &[silent("execute_trap_cause", 0b1000, "cause 8 and 9 come from other units")];
const HIGHEST: &[Silent] = &[silent("below", 1 << 15, "nothing is above the last entry")];
const SIDES_ABOVE: &[Silent] = &[
    silent("*growing", 0xc, "of four entries, two are sides of the branch whose point a third one is"),
    silent("*links[0].first", 2, "of four entries, two are sides of the branch whose point a third one is"),
];
const LINES: &[Silent] = &[
    silent("request_line", 0xf, "addresses of lines are multiples of 16"),
    silent("*reservation.refused", 0xff0, "hardly a reservation is refused for long"),
    silent("memory_trap_cause", 0b1100, "misaligned (5) or unmapped (6)"),
    silent("*written_rows[0]", 1, "nothing is older than itself"),
    silent("*written_rows[1]", 2, "nothing is older than itself"),
];
const COUNTS: &[Silent] = &[silent("*", !7, "counters of 64 bits")];
const KERNELS: &[Silent] = &[silent("*", u64::MAX, "random inputs launch nothing sensible: kernels exercise the core")];

/// An instruction word instead of a random one, most of the time: random words are hardly ever legal.
fn instruction(cycle: &mut Cycle, name: &str) {
    if cycle.random.chance(0.9) {
        let word = word(cycle.random);
        cycle.set(name, word);
    }
}

fn word(random: &mut Random) -> u64 {
    const OPCODES: [u64; 13] = [0x33, 0x33, 0x13, 0x03, 0x23, 0x63, 0x6f, 0x67, 0x37, 0x17, 0x73, 0x2f, 0x0b];
    let opcode = OPCODES[(random.bits() % 13) as usize];
    let word = random.bits() & 0xffff_ff80 | opcode;
    match random.bits() % 8 {
        // funct7 of the base, of sub and sra, and of multiply and divide.
        0..2 => word & 0x01ff_ffff,
        2..4 => word & 0x01ff_ffff | 0x4000_0000,
        4..6 => word & 0x01ff_ffff | 0x0200_0000,
        6 if opcode == 0x73 => 0x0000_0073 | (random.bits() & 1) << 20,
        _ => word,
    }
}

/// Programs and PCs in the first 64 words, so that what is loaded is also fetched.
fn few_addresses(cycle: &mut Cycle) {
    instruction(cycle, "load_word");
    cycle.below("load_address", 64);
    let pc = (cycle.random.bits() % 64) * 4;
    if cycle.random.chance(0.98) {
        cycle.set("fetch_pc", pc);
    }
}

/// CTAs of 2 or 3 threads that arrive one or two at a time.
fn few_threads(cycle: &mut Cycle) {
    for name in ["threads", "cta_start_threads", "arrive_count", "exit_count"] {
        if cycle.has(name) && cycle.random.chance(0.9) {
            let few = cycle.random.bits() % 4;
            cycle.set(name, few);
        }
    }
    for name in ["start", "cta_start_valid"] {
        if cycle.has(name) && !cycle.random.chance(0.05) {
            cycle.set(name, 0);
        }
    }
}

/// A launch that stays as it is for 250 cycles, with what a host would configure.
fn small_grids(cycle: &mut Cycle) {
    let mut launch = Random::new(cycle.number as u64 / 250);
    let mut up_to = |most| 1 + launch.bits() % most;
    let (block_x, block_y) = (up_to(4), up_to(4));
    let threads = block_x * block_y * if block_x * block_y <= 4 { up_to(4) } else { 1 };
    let warps = threads.div_ceil(4);
    for (name, value) in [
        ("config_grid_x", up_to(4)),
        ("config_grid_y", up_to(4)),
        ("config_grid_z", up_to(4)),
        ("config_block_x", block_x),
        ("config_block_y", block_y),
        ("config_threads_per_cta", threads),
        ("config_warps_per_cta", warps),
        ("config_resident_ctas", up_to(4 / warps)),
        ("config_entry_pc", launch.bits()),
        ("config_shared_bytes", launch.bits()),
        ("launch_start", cycle.number.is_multiple_of(250) as u64),
        ("reset", cycle.number.is_multiple_of(1000) as u64),
    ] {
        cycle.set(name, value);
    }
}

/// Branches whose ways meet again, at once or after an instruction, at their likely-convergence point or at the other.
fn reconverging(cycle: &mut Cycle) {
    let few = |cycle: &mut Cycle| (cycle.random.bits() % 4) * 0x5555_5554;
    if cycle.random.chance(0.8) {
        for name in ["resolve_rpc", "resolve_lpc"] {
            let point = few(cycle);
            cycle.set(name, point);
        }
    }
    let points = [cycle.get("resolve_rpc"), cycle.get("resolve_lpc")];
    for name in ["resolve_next", "resolve_target"] {
        let point = points[(cycle.random.bits() % 2) as usize];
        match cycle.random.bits() % 8 {
            0 | 1 => cycle.set(name, point),
            2..5 => cycle.set(name, point.wrapping_sub(4)),
            _ => {}
        }
    }
}

/// Branches at few addresses, so that they are found again.
fn few_branches(cycle: &mut Cycle) {
    for name in ["lookup_pc", "update_pc"] {
        let branch = cycle.random.bits() % 8;
        cycle.set(name, branch * 0x9E37_79B9);
    }
}

/// Addresses in a few lines of each region, hardly ever a trap: it stops everything until the reset.
fn mapped_addresses(cycle: &mut Cycle) {
    if cycle.random.chance(0.3) {
        let load_reserved_or_store_conditional = 2 + cycle.random.bits() % 2;
        cycle.set("memory_op", load_reserved_or_store_conditional);
    }
    let (loads_or_stores, bytes) = (cycle.get("memory_op") < 2, cycle.random.chance(0.3));
    let bytes = loads_or_stores && bytes;
    let far = if cycle.random.chance(0.2) { cycle.random.bits() & 0x7fff_ff00 } else { 0 };
    for lane in 0..4 {
        let region = match cycle.random.bits() % 64 {
            0..40 => 0x8000_0000 + far,
            40..52 => 0x2000_0000,
            _ => 0x3000_0000,
        };
        let offset = cycle.random.bits() % 256;
        let mapped = region + if bytes { offset } else { offset & !3 };
        let address = if cycle.random.chance(0.001) { cycle.random.bits() } else { mapped };
        cycle.set(&format!("memory_address[{lane}]"), address);
    }
    let (valid, start) = (cycle.random.chance(0.2), cycle.random.chance(0.002));
    for (name, value) in [
        ("memory_valid", valid as u64),
        ("memory_size", if bytes { 0 } else { 2 }),
        ("memory_shared_base", 0),
        ("config_shared_bytes", 1024),
        ("config_global_limit", 0x7fff_ffff),
        ("launch_start", start as u64),
    ] {
        cycle.set(name, value);
    }
}
