integer w;
// No thread of the warp fetched is in two warp-splits.
assert (!fetch_divided || $each(+, (used_*[fetched] ? {8'b0, splits_fetch_masks_*} : 0)) == $each(|, (used_*[fetched] ? {8'b0, splits_fetch_masks_*} : 0)));
// No thread of its warp-splits is parked, waits at a barrier or has ended.
assert (!fetch_divided || ($each(|, (used_*[fetched] ? splits_fetch_masks_* : 0))
  & ((has_parked[fetched] ? parked[fetched] : 0) | (has_barred[fetched] ? barred[fetched] : 0) | (has_exited[fetched] ? exited[fetched] : 0))) == 0);
// Those that can be fetched have threads.
assert (!fetch_divided || $each(&, (!runnable_*[fetched] || splits_fetch_masks_* != 0)));
for (w = 0; w < $bits(is_divided); w = w + 1) begin
  // A warp-split that can be fetched is there.
  assert (!is_divided[w] || $each(&, (!runnable_*[w] || used_*[w])));
end
