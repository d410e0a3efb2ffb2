integer w, e;
// A warp can be fetched, or waits for the engine, or for a barrier: one of these at most.
assert (((runnable & unsettled) | (runnable & parked) | (unsettled & parked)) == 0);
// The sides of a branch have no thread in common.
assert ((sides_first_mask & sides_second_mask) == 0);
for (w = 0; w < $bits(runnable); w = w + 1) begin
  // The active entry of a warp that can be fetched has threads, and all of them live.
  assert (!runnable[w] || (active_mask[w] != 0 && (active_mask[w] & ~live[w]) == 0));
  // It is not stored at the same time.
  assert (!runnable[w] || ((stored[w] >> active_index[w]) & 1) == 0);
  // A warp that waits at a barrier has threads.
  assert (!parked[w] || live[w] != 0);
  for (e = 0; e < $bits(walk_rest); e = e + 1) begin
    // Live threads of the active entry are all in a stored entry, or none is.
    assert (!runnable[w] || !((stored[w] >> e) & 1)
      || (active_mask[w] & entry_mask[(w << $bits(active_index_read_data_0)) + e]) == 0
      || (active_mask[w] & ~entry_mask[(w << $bits(active_index_read_data_0)) + e]) == 0);
  end
end
