// It never overflows: the issue stage holds a credit for every place.
assert (!memory_valid || fifo_push_ready);
