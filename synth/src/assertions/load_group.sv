// An instruction leaves an entry in use.
assert (!leave || ((busy >> select_index) & 1) != 0);
