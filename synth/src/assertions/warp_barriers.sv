// Who waits for its warp has not ended, and the warp has diverged.
assert ($each(|, (arrived_* & ~(live_* & has_barrier))) == 0);
// Threads that go somewhere do not wait.
assert (!valid || $each(&, (!arrived_*[rows_*] || !((mask >> *) & 1))));
// They are all of warps that have diverged, or none is.
assert (!valid || $each(&, (has_barrier[rows_*] == was_dynamic || !((mask >> *) & 1))));
// Those of a warp that has not diverged have one home warp.
assert (!valid || was_dynamic || $each(&, (rows_* == row || !((mask >> *) & 1))));
// A warp has one barrier.
assert ((begun & has_barrier) == 0);
