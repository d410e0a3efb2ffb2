// What issues is not held.
assert (!issue_valid || !hold[issue_warp]);
// A sub-warp has a thread.
assert (!issue_valid || lanes != 0);
