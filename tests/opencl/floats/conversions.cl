// Floats to integers and back, in every rounding mode.
#define TO(T, at) \
    out[at] = convert_##T(x); \
    out[at + 1] = convert_##T##_rte(x); \
    out[at + 2] = convert_##T##_rtz(x); \
    out[at + 3] = convert_##T##_rtp(x); \
    out[at + 4] = convert_##T##_rtn(x)
#define TO_SATURATED(T, at) \
    out[at] = convert_##T##_sat(x); \
    out[at + 1] = convert_##T##_sat_rte(x); \
    out[at + 2] = convert_##T##_sat_rtz(x); \
    out[at + 3] = convert_##T##_sat_rtp(x); \
    out[at + 4] = convert_##T##_sat_rtn(x)

__kernel void to_integers(__global const float *a, __global long *out) {
    float x = a[get_global_id(0)];
    out += 25 * get_global_id(0);
    TO(int, 0);
    TO(long, 5);
    TO_SATURATED(char, 10);
    TO_SATURATED(ushort, 15);
    TO_SATURATED(int, 20);
}

__kernel void to_wide_integers(__global const float *a, __global long *out) {
    float x = a[get_global_id(0)];
    out += 20 * get_global_id(0);
    TO_SATURATED(uint, 0);
    TO_SATURATED(long, 5);
    TO_SATURATED(ulong, 10);
    TO_SATURATED(uchar, 15);
}

__kernel void to_floats(__global const long *a, __global float *out) {
    long all = a[get_global_id(0)];
    out += 20 * get_global_id(0);
#define x all
    TO(float, 0);
#undef x
#define x ((ulong)all)
    TO(float, 5);
#undef x
#define x ((int)all)
    TO(float, 10);
#undef x
#define x ((uint)all)
    TO(float, 15);
#undef x
}

__kernel void among_integers(__global const long *a, __global long *out) {
    long x = a[get_global_id(0)];
    out += 10 * get_global_id(0);
    out[0] = convert_char_sat(x);
    out[1] = convert_uchar_sat(x);
    out[2] = convert_short_sat(x);
    out[3] = convert_ushort_sat((int)x);
    out[4] = convert_int_sat(x);
    out[5] = convert_uint_sat(x);
    out[6] = convert_ulong_sat(x);
    out[7] = convert_long_sat((ulong)x);
    out[8] = convert_int_sat((ulong)x);
    out[9] = convert_char4_sat((int4)((int)x, 1, 2, 3)).x;
}
