// Arguments that are more, or other, than registers hold.
struct __attribute__((packed)) tight {
    char c;
    int i;
};
typedef struct {
    int a;
    float4 v;
    char c;
    short list[3];
} parts;
typedef union {
    int i;
    float f;
} either;

__kernel void many(__global int *out, int a, int b, int c, int d, int e, int f, long g, int h, uchar i, __constant int *j, __local int *k, long l) {
    k[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    __global int *own = out + 14 * get_global_id(0);
    int all[] = {a, b, c, d, e, f, (int)g, (int)(g >> 32), h, i, j[1], k[get_local_size(0) - 1], (int)l, (int)(l >> 32)};
    for (int n = 0; n < 14; n++)
        own[n] = all[n];
}

__kernel void vectors(__global float *out, float4 v, char3 c, float2 w, ulong2 l, int16 n, uint k) {
    vstore4(v + (float4)(w, w), 0, out);
    out[4] = c.x + c.y + c.z;
    out[5] = l.s0 >> 32;
    out[6] = l.s1;
    out[7] = n.sf;
    out[8] = k;
}

__kernel void structures(__global float *out, parts p, struct tight t, either e, __global parts *q, uint k) {
    uint i = get_global_id(0);
    p.list[i % 3] += 100;
    out[i] = p.list[k % 3] + p.a + dot(p.v, (float4)(1)) + p.c + t.c + t.i + e.f;
    if (i == 0)
        *q = p;
}

typedef enum { less = -1, equal, greater } order;

__kernel void indexed(__global int *out, parts p, order o) {
    p.list[get_global_id(0)] += p.a + o;
    for (int i = 0; i < 3; i++)
        out[3 * get_global_id(0) + i] = p.list[i];
}

// Scalars would fit registers, a structure among them does not.
__kernel void little(__global int *out, either e) { out[get_global_id(0)] = e.i; }

// Kernels that are called keep their parameters.
__kernel __attribute__((noinline)) void callee(__global int *out, int4 v, int a) { out[get_global_id(0)] += v.y + a; }

__kernel void caller(__global int *out, int4 v) {
    callee(out, v.yzwx, 3);
    callee(out, v, 4);
}

__constant int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
__constant struct tight settings = {3, 1 << 20};

int from_table(__constant int *table, uint i) { return table[i] + settings.i; }

__kernel void constants(__global int *out, __constant int *given, __constant struct tight *more) {
    __constant char *text = "abcdefgh";
    uint i = get_global_id(0);
    out[i] = from_table(squares, i) + from_table(given, i) + text[i] + settings.c + more[i].i;
}
