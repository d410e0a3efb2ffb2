// A warp is formed only in a slot that is free, or becomes so.
assert (!form || !in_use || leave);
// A warp that is ahead is there.
assert (!is_ahead || in_use);
