// Data come for a register in use.
assert (!retire || !((unused >> retire_index) & 1));
// One register at most is chosen to be looked up again, and only one whose line has come.
assert ((replay_grant & (replay_grant - 1)) == 0 && (replay_grant & ~ready) == 0);
