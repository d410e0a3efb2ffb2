// At most one requester is granted.
assert ((grant & (grant - 1)) == 0);
// Only one that asks is granted.
assert ((grant & ~request) == 0);
// If any asks, one is granted.
assert ((|grant) == (|request) && any == (|request));
