// A register that is pending is not set again: writes to it wait.
assert (!set || (set_mask & kept) == 0);
// Only pending registers are released.
assert (!clear || (clear_mask & ~pending) == 0);
