// A row of results for each function, a column for each argument.
__kernel void exponentials(__global const float *a, __global float *out) {
    uint at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float x = a[get_global_id(0)];
    switch (get_global_id(1)) {
    case 0: out[at] = exp(x); break;
    case 1: out[at] = exp2(x); break;
    case 2: out[at] = exp10(x); break;
    case 3: out[at] = expm1(x); break;
    case 4: out[at] = log(x); break;
    case 5: out[at] = log2(x); break;
    case 6: out[at] = log10(x); break;
    case 7: out[at] = log1p(x); break;
    case 8: out[at] = sinh(x); break;
    case 9: out[at] = cosh(x); break;
    case 10: out[at] = tanh(x); break;
    case 11: out[at] = asinh(x); break;
    case 12: out[at] = acosh(x); break;
    case 13: out[at] = atanh(x); break;
    case 14: out[at] = cbrt(x); break;
    case 15: out[at] = rsqrt(x); break;
    case 16: out[at] = native_exp(x); break;
    case 17: out[at] = half_log2(x); break;
    }
}
