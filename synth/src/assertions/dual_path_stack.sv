integer w;
// The paths that run have no thread in common.
assert (!(runs_here_0 && runs_here_1) || (paths_masks_0 & paths_masks_1) == 0);
// The paths of an entry that the walk comes to have no live thread in common.
assert (engine_operation != 1 || (found_mask_0 & found_mask_1) == 0);
// A path that starts has threads, and all of them live; a launched warp has yet to be told so.
assert (!starts_0 || engine_operation == 2 || (paths_new_mask_0 != 0 && (paths_new_mask_0 & ~threads_live) == 0));
// The same of the other side.
assert (!starts_1 || (paths_new_mask_1 != 0 && (paths_new_mask_1 & ~threads_live) == 0));
for (w = 0; w < $bits(waiting); w = w + 1) begin
  // A path that can be fetched runs.
  assert ((!runnable_0[w] || running_0[w]) && (!runnable_1[w] || running_1[w]));
  // A warp that waits at a barrier runs on no side.
  assert (!waiting[w] || !(runnable_0[w] || runnable_1[w]));
end
