// Prices of European options. The constants have no `f` behind them, as in many programs.
float normal(float x) { return 0.5 * erfc(-x * M_SQRT1_2); }

__kernel void black_scholes(
    __global const float *price, __global const float *strike, __global const float *years, __global float2 *call_put, float rate,
    float volatility) {
    uint i = get_global_id(0);
    float s = price[i], x = strike[i], t = years[i];
    float deviation = volatility * sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
    float d2 = d1 - deviation, present = x * exp(-rate * t);
    float call = s * normal(d1) - present * normal(d2);
    call_put[i] = (float2)(call, call - s + present);
}
