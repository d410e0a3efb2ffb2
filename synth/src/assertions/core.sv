// When a launch is over, no warp is resident, and the memory system is idle.
assert (busy || (debug_resident == 0 && debug_memory_idle));
// When a launch is over, no instruction is left in the buffers, and no warp can be fetched or waits.
assert (busy || (debug_slot_valid == 0 && debug_fetchable == 0 && debug_waiting == 0));
