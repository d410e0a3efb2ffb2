/* Gaussian elimination: the factors of a column, and what they do to the rows below. */
__kernel void factors(__global const float *a, __global float *factor, int size, int column) {
    int row = get_global_id(0);
    if (row > column && row < size)
        factor[row] = a[row * size + column] / a[column * size + column];
}

__kernel void eliminate(__global float *a, __global float *b, __global const float *factor, int size, int column) {
    int x = get_global_id(0), row = get_global_id(1);
    if (row <= column || row >= size || x < column || x >= size)
        return;
    a[row * size + x] -= factor[row] * a[column * size + x];
    if (x == column)
        b[row] -= factor[row] * b[column];
}
