// What can be fetched, can be joined, has come to its end or is old is there.
assert (used || !(runnable || open || joins || old));
// A warp that can be joined in the table is one of its PC, and has not been fetched.
assert (!listed || (linked && open));
// A warp that is fetched can be.
assert (!fetch || runnable);
// A warp dissolves when it has been fetched, and cannot be fetched again.
assert (!dissolve || (used && !open && !runnable));
