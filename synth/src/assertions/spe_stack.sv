// A warp can be fetched, or waits for the engine, or for a barrier: one of these at most.
assert (((runnable & unsettled) | (runnable & waiting) | (unsettled & waiting)) == 0);
// The sides of a branch have no thread in common.
assert ((sides_first_mask & sides_second_mask) == 0);
// The active entry of a warp that can be fetched has threads.
assert (!runnable[fetch_warp] || fetch_mask != 0);
// A warp that waits at a barrier has threads.
assert (!waiting[engine_warp] || threads_live != 0);
// An entry that becomes active has threads, and all of them live; a launched warp has yet to be told so.
assert (!activates || !replaces || engine_operation == 2 || (paths_new_mask_0 != 0 && (paths_new_mask_0 & ~threads_live) == 0));
// The active entry is not stored at the same time.
assert (engine_operation != 3 || ((stored[engine_warp] >> active_index_read_data_0) & 1) == 0);
// Threads of the active entry are all in the entry pushed beneath it, or none is.
assert (!stores || !activates || (paths_new_mask_0 & entries_new_mask_0) == 0 || (paths_new_mask_0 & ~entries_new_mask_0) == 0);
