// Functions whose results are exact: a row for each, a column for each pair of arguments. The second result of a function, if it
// has one, is in the row below.
__kernel void exact(__global const float *a, __global const float *b, __global float *out) {
    uint column = get_global_id(0), columns = get_global_size(0), at = column;
    float x = a[column], y = b[column], second;
    int n;
#define RESULT(value) out[at] = (value), at += columns
    RESULT(fmod(x, y));
    RESULT(remainder(x, y));
    RESULT(remquo(x, y, &n));
    RESULT(n);
    RESULT(nextafter(x, y));
    RESULT(fdim(x, y));
    RESULT(fmax(x, y));
    RESULT(fmin(x, y));
    RESULT(maxmag(x, y));
    RESULT(minmag(x, y));
    RESULT(copysign(x, y));
    RESULT(fabs(x));
    RESULT(fma(x, y, -y));
    RESULT(sqrt(x));
    RESULT(floor(x));
    RESULT(ceil(x));
    RESULT(trunc(x));
    RESULT(rint(x));
    RESULT(round(x));
    RESULT(modf(x, &second));
    RESULT(second);
    RESULT(fract(x, &second));
    RESULT(second);
    RESULT(frexp(x, &n));
    RESULT(n);
    RESULT(ldexp(x, (int)clamp(y, -400.0f, 400.0f)));
    RESULT(logb(x));
    RESULT(ilogb(x));
    RESULT(sign(x));
    RESULT(step(x, y));
}
