// A register is given out only when one is free.
assert (!allocate || free);
