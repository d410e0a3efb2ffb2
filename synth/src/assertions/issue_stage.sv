// What issues is in the buffer, free of hazards, and not held.
assert (($each(|, (selection_granted_* & ~candidates_*))) == 0);
// One instruction at most issues, of one path.
assert ($each(+, {8'b0, selection_granted_*}) == $each(|, {8'b0, selection_granted_*}));
// No divide issues while another is under way.
assert (!take_divide || !divide_in_flight || divide_done);
// No memory instruction issues without a credit.
assert (!take_memory || credits != 0);
