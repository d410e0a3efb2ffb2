/* A sparse matrix times a vector: a work-item for each row. */
__kernel void multiply(__global const int *first, __global const int *column, __global const float *value, __global const float *x, __global float *y, int rows) {
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}
