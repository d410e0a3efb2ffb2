// Where a warp can be joined, threads wait.
assert ($each(&, (counts_* != 0 || !listed[*])));
// No more threads are fetched than wait.
assert (!fetched || $each(|, (counts_* >= fetched_count && fetched_set == *)));
