/* A step of the temperatures of a chip. */
__kernel void heat(__global const float *power, __global const float *from, __global float *to, int width, int height, float4 rates) {
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    float here = from[i];
    float north = y > 0 ? from[i - width] : here, south = y < height - 1 ? from[i + width] : here;
    float west = x > 0 ? from[i - 1] : here, east = x < width - 1 ? from[i + 1] : here;
    to[i] = here + rates.x * (power[i] + (north + south - 2 * here) * rates.y + (east + west - 2 * here) * rates.z + (80 - here) * rates.w);
}
