// A large warp that can be fetched is not at the end of its entry.
assert ((runnable & reached) == 0);
// Its rows are launched one after the other.
assert (!launches || begun);
