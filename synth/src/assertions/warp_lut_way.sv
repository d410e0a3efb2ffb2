// Where a warp can be joined, threads wait.
assert ($each(&, (counts_* != 0 || !listed[*])));
// No more threads issue than wait.
assert (!issued || $each(|, (counts_* >= issued_count && issued_set == *)));
