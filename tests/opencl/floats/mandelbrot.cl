// Steps to leave the circle, smoothed.
__kernel void mandelbrot(__global float *out, float zoom, int most) {
    uint x = get_global_id(0), y = get_global_id(1);
    float2 c = ((float2)(x, y) / (float2)(get_global_size(0), get_global_size(1)) - (float2)(0.7f, 0.5f)) * zoom;
    float2 z = 0;
    int steps = 0;
    while (dot(z, z) < 16 && steps < most) {
        z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        steps++;
    }
    out[y * get_global_size(0) + x] = steps < most ? steps - log2(log2(length(z))) : -1;
}
