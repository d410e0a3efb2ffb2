__kernel void k(__global int *out, long16 a, long16 b, long16 c, long16 d, long16 e, long16 f, long16 g, long16 h) { out[0] = a.s0; }
