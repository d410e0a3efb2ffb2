// The pointers are equal if and only if the queue is empty or full.
assert ((head == tail) == (!pop_valid || !push_ready));
