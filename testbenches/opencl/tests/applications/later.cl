__kernel void triple(__global TYPE *a) {
    int i = get_global_id(0);
    TYPE sum = 0;
    for (int k = 0; k < 3; k++)
        sum += a[i];
    a[i] = sum;
}
