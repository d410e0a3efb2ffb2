// A row of results for each function, a column for each pair of arguments; `n` is an integer where one is taken.
__kernel void powers(__global const float *a, __global const float *b, __global float *out) {
    uint column = get_global_id(0), at = get_global_id(1) * get_global_size(0) + column;
    float x = a[column], y = b[column];
    int n = (int)clamp(y, -1000.0f, 1000.0f);
    switch (get_global_id(1)) {
    case 0: out[at] = pow(x, y); break;
    case 1: out[at] = powr(x, y); break;
    case 2: out[at] = pown(x, n); break;
    case 3: out[at] = rootn(x, n); break;
    case 4: out[at] = hypot(x, y); break;
    case 5: out[at] = atan2(x, y); break;
    case 6: out[at] = atan2pi(x, y); break;
    case 7: out[at] = x / y; break;
    case 8: out[at] = native_divide(x, y); break;
    }
}
