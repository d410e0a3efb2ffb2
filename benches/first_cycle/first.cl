__kernel void first(__global int *a, int n) {
    int i = get_global_id(0);
    if (i & 1)
        for (int k = 0; k < n; k++)
            a[i] += k;
    else
        a[i] = i;
}
