/* European options by the formula of Black and Scholes (CUDA SDK, BlackScholes): a call and a put each, several to a thread. */
#include "elementary.h"

#define INVERSE_ROOT_TWO_PI 0.39894228f

/* Cumulative normal distribution, by Hull's polynomial for one side. */
static inline float cumulative_normal(float d) {
    float k = 1 / (1 + 0.2316419f * __builtin_fabsf(d));
    float series = 1.330274429f;
    series = series * k - 1.821255978f;
    series = series * k + 1.781477937f;
    series = series * k - 0.356563782f;
    series = series * k + 0.31938153f;
    float density = INVERSE_ROOT_TWO_PI * exponential(-0.5f * d * d), tail = density * (k * series);
    return d > 0 ? 1 - tail : tail;
}

void kernel(const float *prices, const float *strikes, const float *years, float *calls, float *puts, u32 n, float interest,
            float volatility) {
    for (u32 i = global_x(); i < n; i += ntid_x() * nctaid_x()) {
        float price = prices[i], time = years[i], deviation = volatility * __builtin_sqrtf(time);
        float drift = interest + 0.5f * volatility * volatility;
        float d1 = (logarithm(price / strikes[i]) + drift * time) / deviation;
        float above = cumulative_normal(d1), paid = cumulative_normal(d1 - deviation);
        float strike = strikes[i] * exponential(-interest * time);
        calls[i] = price * above - strike * paid;
        puts[i] = strike * (1 - paid) - price * (1 - above);
    }
}
