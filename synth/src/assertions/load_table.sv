// An entry is given out only when one is free.
assert (!allocate || free);
// Data come once for each lane.
assert (!completing || (complete_lanes & ~outstanding[complete_entry]) == 0);
