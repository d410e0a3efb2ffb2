// A register is given out only when one is free.
assert (!allocate || free);
// A response is for a register in use.
assert (!response_valid || !((unused >> response_id) & 1));
// One register at most is chosen to be looked up again, and only one whose line has come.
assert ((replay_grant & (replay_grant - 1)) == 0 && (replay_grant & ~ready) == 0);
