// One unit writes at a time: of those that cannot wait, one at most has a result.
assert (!(result_valid && multiply_valid));
// Whoever can wait is told to, unless it writes.
assert (!(fixed && (divide_done || load_ready)) && !(divide_done && load_ready));
