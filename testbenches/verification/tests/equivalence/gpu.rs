//! Inputs of the cores of a GPU, and of what they share: packets that are some, and a program that loads and stores.
use warploom_hdl::memory_system::network::PacketKind;
use warploom_verification::equivalence::Cycle;
use warploom_verification::words::{
    EXIT, FENCE, add, add_immediate, amo, branch_not_zero, csr, load, load_reserved, shift_left, store,
    store_conditional,
};

/// Ports of a tiny system: two cores, and the host.
const PORTS: u64 = 3;
/// Kinds of packets that go to a slice.
const ASKING: u64 = PacketKind::StoreConditional as u64 + 1;
/// From one launch to the next.
const EPOCH: usize = 500;

/// Each thread on a line of its own of global memory, and three times round.
fn program() -> Vec<u32> {
    let [base, turns, value, failed] = [5, 6, 7, 8];
    let turn = [
        load(2, value, base, 0),
        add_immediate(value, value, 1),
        store(2, value, base, 4),
        FENCE,
        amo(0, value, base, value) | 3 << 25,
        load_reserved(value, base),
        store_conditional(failed, base, value),
        add_immediate(turns, turns, -1_i32 as u32),
    ];
    let start = [
        // The first address of global memory.
        add_immediate(base, 0, 1),
        shift_left(base, base, 31),
        csr(value, 0xcc0),
        shift_left(value, value, 6),
        add(base, base, value),
        add_immediate(turns, 0, 3),
    ];
    let again = branch_not_zero(turns, -(turn.len() as i32));
    start.into_iter().chain(turn).chain([again, EXIT]).collect()
}

/// Reset, the program, and a launch of a few CTAs; links as in [`answers`], or the host's as in [`requests`].
pub fn launches(cycle: &mut Cycle) {
    let (program, step) = (program(), cycle.number % EPOCH);
    let loads = step.checked_sub(1).and_then(|index| Some((index, *program.get(index)?)));
    for (name, value) in [
        ("reset", (step == 0) as u64),
        ("load_enable", loads.is_some() as u64),
        ("load_address", loads.map_or(0, |(index, _)| index as u64)),
        ("load_word", loads.map_or(0, |(_, word)| word.into())),
        ("launch_start", (step == program.len() + 1) as u64),
        ("kernel_entry_pc", 0),
        ("kernel_block_x", 6),
        ("kernel_block_y", 1),
        ("kernel_block_z", 1),
        ("kernel_threads_per_cta", 6),
        ("kernel_warps_per_cta", 2),
        ("kernel_resident_ctas", 2),
        ("kernel_global_limit", 0x9000_0000),
    ] {
        cycle.set(name, value);
    }
    for name in ["kernel_grid_x", "kernel_grid_y", "kernel_grid_z"] {
        cycle.set(name, 2);
    }
    if cycle.has("core_number") {
        cycle.set("core_number", 1);
    }
    answers(cycle);
    requests(cycle);
}

/// Heads of packets that a core is answered with.
pub fn answers(cycle: &mut Cycle) {
    use PacketKind::{Ack, Data, Old, Success};
    const KINDS: [PacketKind; 8] = [Data, Data, Data, Data, Ack, Old, Old, Success];
    if cycle.has("reply_link_payload[1]") && cycle.random.chance(0.9) {
        let kind = KINDS[(cycle.random.bits() % 8) as usize] as u64;
        cycle.set("reply_link_payload[1]", cycle.get("reply_link_payload[1]") & !0xf | kind);
    }
}

/// Flits in any order, whose heads are of what a slice may be asked.
pub fn asks(cycle: &mut Cycle) {
    let header = cycle.get("flit_payload[1]");
    if cycle.get("flit_head") == 1 {
        let kind = (header & 0xf) % ASKING;
        cycle.set("flit_payload[1]", header & !0xf | kind);
    }
}

/// Packets, most of them of one flit, that a port of the system may send, about a few lines; and answers to any port.
pub fn requests(cycle: &mut Cycle) {
    for link in 0..PORTS {
        let port = |field: &str| format!("slice_reply_link_{field}[{link}]");
        if cycle.has(&port("destination")) {
            let destination = cycle.random.bits() % PORTS;
            cycle.set(&port("destination"), destination);
            cycle.set(&port("head"), 1);
        }
    }
    let alone = ["link", "host_link"].map(|link| (link, String::new()));
    for (link, index) in (0..PORTS).map(|i| ("link", format!("[{i}]"))).chain(alone) {
        let word = |word: usize| format!("{link}_payload{index}[{word}]");
        if !cycle.has(&word(0)) {
            continue;
        }
        cycle.set(&format!("{link}_head{index}"), 1);
        if cycle.random.chance(0.9) {
            cycle.set(&format!("{link}_tail{index}"), 1);
        }
        let (line, sectors) = ((cycle.random.bits() % 16) << 1, 1 + cycle.random.bits() % 3);
        cycle.set(&word(0), line | sectors << 27);
        let (kind, core) = (cycle.random.bits() % ASKING, cycle.random.bits() % PORTS);
        cycle.set(&word(1), cycle.get(&word(1)) & !0x3ff | core << 4 | kind);
    }
}

/// Grids of a few CTAs, that stay as they are for 250 cycles.
pub fn few_ctas(cycle: &mut Cycle) {
    for (axis, name) in ["grid_x", "grid_y", "grid_z"].into_iter().enumerate() {
        cycle.set(name, 1 + ((cycle.number as u64 / 250) >> axis) % 4);
    }
    cycle.set("launch_start", cycle.number.is_multiple_of(250) as u64);
}
