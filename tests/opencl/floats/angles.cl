// A row of results for each function, a column for each argument.
__kernel void angles(__global const float *a, __global float *out) {
    uint at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float x = a[get_global_id(0)], cosine;
    switch (get_global_id(1)) {
    case 0: out[at] = sin(x); break;
    case 1: out[at] = cos(x); break;
    case 2: out[at] = tan(x); break;
    case 3: out[at] = asin(x); break;
    case 4: out[at] = acos(x); break;
    case 5: out[at] = atan(x); break;
    case 6: out[at] = sinpi(x); break;
    case 7: out[at] = cospi(x); break;
    case 8: out[at] = tanpi(x); break;
    case 9: out[at] = asinpi(x); break;
    case 10: out[at] = acospi(x); break;
    case 11: out[at] = atanpi(x); break;
    case 12: out[at] = sincos(x, &cosine); break;
    case 13: sincos(x, &out[at]); break;
    }
}
