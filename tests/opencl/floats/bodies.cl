// A step of bodies that attract each other; the fourth element is the mass.
__kernel void step_bodies(__global const float4 *from, __global float4 *to, __global float4 *speed, uint n, float time) {
    uint i = get_global_id(0);
    float4 own = from[i];
    float3 force = 0;
    for (uint k = 0; k < n; k++) {
        float4 other = from[k];
        float3 way = other.xyz - own.xyz;
        float inverse = native_rsqrt(dot(way, way) + 0.01);
        force += way * (other.w * inverse * inverse * inverse);
    }
    float3 now = speed[i].xyz + force * time;
    speed[i] = (float4)(now, length(now));
    to[i] = (float4)(own.xyz + now * time, own.w);
}
