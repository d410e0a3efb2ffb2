//! The memory units on random inputs: their own `update()` against the elaborated netlist.
mod support;
use support::equivalence::{Random, Stimulus};
use warploom_hdl::interface::*;
use warploom_hdl::memory::*;
use warploom_hdl::parts::*;
use warploom_hdl::prelude::*;
use warploom_sim::Interpreter;

#[test]
fn memory_parts() {
    let config = CoreConfig::tiny();
    equivalent!(LaneCrossbar::new(8, 4), 500 cycles, [selected, lane_slot, lane_mask, lane_data], [slot_data, slot_mask]);
    equivalent!(AddressLane::new(&config), 500 cycles, [address, size, home_warp, lane, shared_base, kernel.shared_bytes, kernel.global_limit], [misaligned, unmapped, shared, physical]);
    equivalent!(Coalescer::new(&config), 500 cycles, [remaining, head.shared, head.single, head.address], [leader_lane, leader_address, shared_candidates]);
    equivalent!(TagArray::new(4, 4, 3, 0), 500 clocked cycles, [read_set, set, tag, install, install_ways, invalidate, clear], [hit, hit_ways, hit_way]);
    equivalent!(LruTable::new(4, 4), 500 clocked cycles, [read_set, set, allowed, touch, touch_ways], [victim, victim_way, victim_any]);
    equivalent!(LoadTable::new(&config, 6), 500 clocked cycles, [allocate, access.warp, access.home_warps, access.rd, access.size, access.unsigned, access.mask, complete.valid, complete.entry, complete.lanes, complete.word, complete.offset, load_ready, query_warp], [free, entry, complete_ready, load.valid, load.destination.warp, load.destination.home_warps, load.destination.rd, load.destination.mask, load.data, query_pending, idle]);
    equivalent!(LoadBuffer::new(&config, 6), 500 clocked cycles, [arrival.valid, arrival.destination.warp, arrival.destination.home_warps, arrival.destination.rd, arrival.destination.mask, arrival.data, lanes, entry, first, last, load_ready], [ready, load.valid, load.destination.warp, load.destination.home_warps, load.destination.rd, load.destination.mask, load.data, idle]);
    equivalent!(MshrTable::new(&config, 3), 500 clocked cycles, [query_line, allocate, allocate_uncached, allocate_way, group.address, group.entry, group.lanes, group.offset, response.valid, response.id, wake_take], [same_line, settled, locked_ways, free, allocate_id, response_ready, fill, fill_set, fill_way, wake_valid, wake_uncached, wake.word, wake_set, wake_way, wake.entry, wake.lanes, wake.offset, idle]);
    equivalent!(StoreLane::default(), 500 cycles, [offset, size, data], [aligned, mask]);
    equivalent!(LoadLane::default(), 500 cycles, [word, offset, size, zero_extend], [value]);
    equivalent!(BankArbiter::new(4, 16), 500 cycles, [bank, candidates, lane_bank, lane_row], [row]);
}
impl Stimulus for Signal<In, MemoryOp> {
    fn drive(&mut self, name: &str, random: &mut Random, interpreter: &mut Interpreter) {
        use MemoryOp::*;
        let ops = [
            Load,
            Store,
            LoadReserved,
            StoreConditional,
            AtomicSwap,
            AtomicAdd,
            AtomicXor,
            AtomicAnd,
            AtomicOr,
            AtomicMin,
            AtomicMax,
            AtomicMinUnsigned,
            AtomicMaxUnsigned,
            Fence,
            Load,
            Store,
        ];
        let op = ops[random.bits(4) as usize];
        self.next = op;
        interpreter.set(name, op as u64);
    }
}
#[test]
fn units() {
    let config = CoreConfig { l1_sets: 2, shared_bytes: 64, ..CoreConfig::tiny() };
    equivalent!(Reservation::new(&config), 500 clocked cycles, [accept, head.op, leader, leader_address, group, head.home_warps, head.address], [succeeds]);
    equivalent!(MemoryQueue::new(&config), 500 clocked cycles, [memory.valid, memory.warp, memory.home_warps, memory.op, memory.size, memory.unsigned, memory.rd, memory.mask, memory.pc, memory.shared_base, memory.address, memory.data, pop], [head.valid, head.warp, head.home_warps, head.op, head_single, head_returns, head.size, head.unsigned, head.rd, head.mask, head.pc, head.shared_base, head.address, head.data]);
    equivalent!(SharedMemory::new(&config, 3), 2000 clocked cycles, [group.lanes, head.op, group.succeeds, group.leader, group.entry, head.address, head.data, head.mask, result_ready], [group_ready, taken, result.valid, result.entry, result.lanes, result.word, result.offset, draining, idle, shared_conflict]);
    equivalent!(L1DataCache::new(&config, 3), 2000 clocked cycles, [clear, group.valid, group.op, group.succeeds, group.address, group.lanes, group.entry, group.offset, group.data, group.mask, result_ready, request_ready, response.valid, response.id, response.data], [group_ready, result.valid, result.entry, result.lanes, result.word, result.offset, request.valid, request.kind, request.line, request.id, request.data, request.mask, request.atomic, response_ready, draining, idle, l1_access, l1_miss]);
    equivalent!(LoadStoreUnit::new(&config), 2000 clocked cycles, [launch_start, kernel.shared_bytes, kernel.global_limit, memory.valid, memory.warp, memory.home_warps, memory.op, memory.size, memory.unsigned, memory.rd, memory.mask, memory.pc, memory.shared_base, memory.address, memory.data, load_ready, request_ready, response.valid, response.id, response.data], [memory_credit_return, load.valid, load.destination.warp, load.destination.home_warps, load.destination.rd, load.destination.mask, load.data, memory_trap.valid, memory_trap.cause, memory_trap.warp, memory_trap.home_warp, memory_trap.lane, memory_trap.pc, memory_trap.value, request.valid, request.kind, request.line, request.id, request.data, request.mask, request.atomic, response_ready, idle, l1_access, l1_miss, shared_conflict]);
}

#[test]
fn every_preset_elaborates() {
    let extreme = CoreConfig { warps: 64, line_bytes: 128, mshrs: 128, ..CoreConfig::fermi() };
    let two_ports = CoreConfig { l1_ports: 2, memory_interval: 2, ..extreme.clone() };
    for config in
        [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi(), extreme, two_ports]
    {
        let mut unit = LoadStoreUnit::new(&config);
        unit.connect_all();
        warploom_sim::elaborate(&unit).unwrap_or_else(|error| panic!("{error}"));
    }
}
