// A thread with a register pending issues nothing.
assert (!step || ((all ? waiting : picked) & in_flight) == 0);
// A sub-warp is of threads that wait.
assert ((picked & ~waiting) == 0);
// Threads wait only while they run.
assert ((pending & ~active) == 0);
// Only who has a register pending gets a result.
assert (!clears || in_flight[clear_home_warp]);
