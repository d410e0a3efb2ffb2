// Threads that have arrived take part.
assert ((waits & ~expected_read_data_0) == 0);
// A barrier that is free has no threads.
assert (!free || expected_read_data_0 == 0);
