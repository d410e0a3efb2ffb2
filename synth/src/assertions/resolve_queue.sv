// It never overflows: a warp has at most one unresolved control instruction.
assert (!push_valid || control_push_ready);
