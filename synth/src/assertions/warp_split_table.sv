integer w;
for (w = 0; w < $bits(is_divided); w = w + 1) begin
  // No thread is in two warp-splits.
  assert (!is_divided[w] || $each(+, (used_*[w] ? {8'b0, masks_*[w]} : 0)) == $each(|, (used_*[w] ? {8'b0, masks_*[w]} : 0)));
  // No thread of a warp-split is parked, waits at a barrier or has ended.
  assert (!is_divided[w] || ($each(|, (used_*[w] ? masks_*[w] : 0))
    & ((has_parked[w] ? parked[w] : 0) | (has_barred[w] ? barred[w] : 0) | (has_exited[w] ? exited[w] : 0))) == 0);
  // A warp-split that can be fetched is there, and has threads.
  assert (!is_divided[w] || $each(&, (!runnable_*[w] || (used_*[w] && masks_*[w] != 0))));
end
