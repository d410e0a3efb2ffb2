integer s, t;
// A warp that issues has threads.
assert (!issue_valid || issue_mask != 0);
// Threads join only in lanes that are free, and no warp that issues in this cycle.
assert (!joins || ((entering & lut_lanes) == 0 && !(issue_valid && issue_warp == lut_slot)));
// No warp is formed without threads, nor in another slot than that just left or one that is free.
assert (!opens || (rest != 0 && (has_slot || $each(|, (((present_* >> (new_slot % (1 << $bits(finished_warp)))) & 1) && (new_slot >> $bits(finished_warp)) == *)) == 0)));
// Threads that find no slot, or wait for their warp, neither join nor are in the new warp.
assert (!group_valid || ((entering | parks | (opens ? rest : 0) | $each(|, barriers_*_arrives)) == group_mask && (entering & parks) == 0));
// Nobody waits for its warp in a slot.
assert (((entering | parks | (opens ? rest : 0)) & $each(|, barriers_*_arrives)) == 0);
// The second side of a branch has threads.
assert (!has_second || second_mask != 0);
// Nobody ends, or waits at a barrier, and goes on.
assert (!(exits || waits) || !opens && !joins);
for (s = 0; s < (1 << $bits(fetch_warp)); s = s + 1) begin
  for (t = 0; t < s; t = t + 1) begin
    // No thread is in two warps. The slot for which a warp is put together has none yet.
    assert (s == parked_threads_form_slot || t == parked_threads_form_slot
      || !$each(|, (((present_* >> (s % (1 << $bits(finished_warp)))) & 1) && (s >> $bits(finished_warp)) == *))
      || !$each(|, (((present_* >> (t % (1 << $bits(finished_warp)))) & 1) && (t >> $bits(finished_warp)) == *))
      || $each(&, (home_warps_*[s] != home_warps_*[t] || (((masks[s] & masks[t]) >> *) & 1) == 0)));
  end
end
