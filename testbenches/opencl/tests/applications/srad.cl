/* Speckle-reducing diffusion: how much of a pixel's differences to its neighbours flows, by how even the picture is there. */
__kernel void coefficients(__global const float *picture, __global float *flow, int size, float evenness) {
    int x = get_global_id(0), y = get_global_id(1), here = y * size + x;
    float value = picture[here];
    float north = (y > 0 ? picture[here - size] : value) - value, south = (y < size - 1 ? picture[here + size] : value) - value;
    float west = (x > 0 ? picture[here - 1] : value) - value, east = (x < size - 1 ? picture[here + 1] : value) - value;
    float gradient = (north * north + south * south + west * west + east * east) / (value * value);
    float sum = (north + south + west + east) / value, base = 1 + 0.25f * sum;
    float uneven = (0.5f * gradient - sum * sum / 16) / (base * base);
    float result = 1 / (1 + (uneven - evenness) / (evenness * (1 + evenness)));
    if (result < 0)
        result = 0;
    else if (result > 1)
        result = 1;
    flow[here] = result;
}

__kernel void update(__global const float *picture, __global const float *flow, __global float *result, int size, float rate) {
    int x = get_global_id(0), y = get_global_id(1), here = y * size + x;
    float value = picture[here], sum = 0;
    if (y > 0)
        sum += flow[here] * (picture[here - size] - value);
    if (x > 0)
        sum += flow[here] * (picture[here - 1] - value);
    if (y < size - 1)
        sum += flow[here + size] * (picture[here + size] - value);
    if (x < size - 1)
        sum += flow[here + 1] * (picture[here + 1] - value);
    result[here] = value + 0.25f * rate * sum;
}
