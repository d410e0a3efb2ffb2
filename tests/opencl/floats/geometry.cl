// Results of geometric and common functions: `in` holds what the compiler is not to know: 0, 1, 2, ...
__kernel void geometry(__global const float *in, __global float *out) {
    int i = 0;
    float4 a = vload4(0, in) + 1, b = (float4)(in[2], -in[1], in[3], in[4]); // 1 2 3 4, and 2 -1 3 4
    vstore3(cross(a.xyz, b.xyz), 0, out);
    i += 3;
    vstore4(cross(a, b), 0, out + i);
    i += 4;
    out[i++] = dot(a, b);
    out[i++] = dot(a.xy, b.xy);
    out[i++] = length((float2)(in[3], in[4]));
    out[i++] = distance(a.xyz, b.xyz + (float3)(in[1], in[5], in[0]));
    out[i++] = length((float2)(in[3], in[4]) * 0x1p80f) * 0x1p-80f;
    out[i++] = length((float2)(in[3], in[4]) * 0x1p-90f) * 0x1p90f;
    out[i++] = fast_distance((float2)(in[3], in[1]), (float2)(in[0], in[5]));
    vstore2(normalize((float2)(in[3], -in[4]) * 0x1p70f), 0, out + i);
    i += 2;
    vstore2(fast_normalize((float2)(in[3], -in[4])), 0, out + i);
    i += 2;
    out[i++] = normalize(-in[7]);
    out[i++] = length(-in[7]);
    vstore3(clamp((float3)(in[0], in[1], in[5]), 0.5f, 2.0f), 0, out + i);
    i += 3;
    vstore2(mix(a.xy, b.xy, 0.25f), 0, out + i);
    i += 2;
    vstore2(step(2.0f, a.yx), 0, out + i);
    i += 2;
    out[i++] = smoothstep(in[1], in[5], in[2]);
    out[i++] = degrees(in[2]);
    out[i++] = radians(in[9]);
    float8 wide = vload8(0, in);
    out[i++] = max(wide, 3.0f).s0 + min(wide, 3.0f).s7 + fmax(wide, wide.s76543210).s0;
    float16 all = (float16)(wide, wide);
    out[i++] = sqrt(all).sf + fma(all, all, all).s2 + floor(all * 0.5f).s3 + mad(all, 2, 1).s4;
    int4 exponent;
    float4 part = frexp(a, &exponent);
    out[i++] = part.w + exponent.w + ldexp(part, exponent).y + ldexp(part, 3).x + pown(a, (int4)3).z;
}
