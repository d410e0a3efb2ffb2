// At most one entry is of a branch.
assert ((hits & (hits - 1)) == 0);
