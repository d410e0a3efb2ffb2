integer w, e;
for (w = 0; w < $bits(parked); w = w + 1) begin
  // A path that can be fetched runs, with live threads only.
  assert (!runnable_0[w] || (running_0[w] && active_mask_0[w] != 0 && (active_mask_0[w] & ~live[w]) == 0));
  // The same of the other side.
  assert (!runnable_1[w] || (running_1[w] && active_mask_1[w] != 0 && (active_mask_1[w] & ~live[w]) == 0));
  // The paths that run have no thread in common.
  assert (!(running_0[w] && running_1[w]) || (active_mask_0[w] & active_mask_1[w]) == 0);
  // A warp that waits at a barrier runs on no side.
  assert (!parked[w] || !(runnable_0[w] || runnable_1[w]));
  for (e = 0; e < $bits(walk_rest); e = e + 1) begin
    // The paths of an entry have no live thread in common.
    assert (!((stored_0[w] & stored_1[w]) >> e & 1)
      || (entry_mask_0[(w << $bits(active_index_read_data_0)) + e]
        & entry_mask_1[(w << $bits(active_index_read_data_0)) + e] & live[w]) == 0);
  end
end
