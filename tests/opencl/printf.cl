/* What kernels print: text, numbers of every size, vectors. */
__kernel void f(__global int *a) {
    int i = get_global_id(0);
    if (i % 3 == 0)
        printf("item %d of %s: %5.2f %ld\n", i, "f", i * 0.5f, (long)i << 33);
    if (i == 5)
        printf("%v4d %v2hlf %v3hhu %v2hlf 100%%\n", (int4)(1, -2, 3, i), (float2)(i, 0.25f), (uchar3)(1, 2, 255), (float2)(1, 2));
    if (i == 6)
        printf("%c%c %x %p %le\n", 'a' + i, 'z', 255u, a, 12345.678f);
    a[i] = i;
}
