/* A diagonal of the score matrix of two sequences. */
__kernel void diagonal(__global int *score, __constant int *similar, __global const uchar *a, __global const uchar *b, int number, int length, int gap) {
    int width = length + 1;
    int x = get_global_id(0) + 1, y = number - x;
    if (x > length || y < 1 || y > length)
        return;
    int match = score[(y - 1) * width + x - 1] + similar[a[y - 1] * 4 + b[x - 1]];
    int left = score[y * width + x - 1] - gap, above = score[(y - 1) * width + x] - gap;
    score[y * width + x] = max(match, max(left, above));
}
