// What can be fetched, can be joined, has come to its end or is old is there.
assert (used || !(runnable || open || joins || old));
// A warp that can be joined in the table is one of its PC, and has not issued.
assert (!listed || (linked && open));
// A warp that issues is there.
assert (!issue || used);
// A warp dissolves when it has issued, and cannot be fetched again.
assert (!dissolve || (used && !open && !runnable));
