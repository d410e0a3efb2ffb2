// A thread is in one barrier for a point at most.
assert ($each(+, {8'b0, barriers_*_covered}) == $each(|, {8'b0, barriers_*_covered}));
// A thread waits at one barrier at most.
assert ($each(+, {8'b0, barriers_*_waits}) == $each(|, {8'b0, barriers_*_waits}));
