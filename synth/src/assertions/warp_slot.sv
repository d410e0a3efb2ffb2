// An instruction is written only where there is none, or where the one there is taken.
assert (!write || !occupied || take);
