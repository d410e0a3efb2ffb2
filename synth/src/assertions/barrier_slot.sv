// No more threads wait than live.
assert (waiting <= live);
// No more threads end than live.
assert (exited <= live);
