// Of two paths one at most waits for the other.
assert ((held_0 & held_1) == 0);
// A path waits for the other one only when its own warps have arrived.
assert ((held_0 & ~gathered_0) == 0 && (held_1 & ~gathered_1) == 0);
// An entry that becomes active has a path to run.
assert (!replaces || starts || new_runs_0 || new_runs_1);
// A path whose warps are formed has threads.
assert (!activate_valid || $each(|, members_*) != 0);
