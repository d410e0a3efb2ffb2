/* Eigenvalues of a symmetric tridiagonal matrix by bisection (CUDA SDK, eigenvalues: intervals with one eigenvalue): a thread per
   eigenvalue. The CTA goes on until all of its intervals are short, the short ones idle. */
#include "warploom.h"

/* However near to 0 an eigenvalue is, its interval need not be shorter. */
#define SHORTEST 5.0e-37f

/* Eigenvalues below `x`: the negative terms of the Sturm sequence. The matrix comes a piece at a time through shared memory; threads
   that want no count load only. */
static inline u32 count_below(const float *diagonal, const float *beside, u32 n, float x, u32 wanted) {
    u32 tid = tid_x(), threads = ntid_x(), count = 0;
    float *d = SHARED_MEMORY, *s = d + threads, term = 1;
    for (u32 base = 0; base < n; base += threads) {
        barrier();
        if (base + tid < n) {
            d[tid] = diagonal[base + tid];
            s[tid] = beside[base + tid];
        }
        barrier();
        if (wanted) {
            u32 piece = n - base < threads ? n - base : threads;
            for (u32 k = 0; k < piece; k++) {
                term = d[k] - x - s[k] * s[k] / term;
                count += term < 0;
            }
        }
    }
    return count;
}

/* Of numbers of one sign without overflow. */
static inline float middle_of(float left, float right) {
    if ((left < 0) == (right < 0))
        return left + (right - left) * 0.5f;
    return (left + right) * 0.5f;
}

void kernel(const float *diagonal, const float *beside, float *eigenvalues, u32 n, float left, float right, float precision) {
    u32 *all_converged = (u32 *)SHARED_MEMORY + 2 * ntid_x();
    u32 i = global_x(), converged = i >= n;
    for (;;) {
        if (tid_x() == 0)
            *all_converged = 1;
        float middle = middle_of(left, right);
        u32 count = count_below(diagonal, beside, n, middle, !converged);
        barrier();
        if (!converged) {
            if (count > i)
                right = middle;
            else
                left = middle;
            float tolerance = __builtin_fmaxf(__builtin_fabsf(left), __builtin_fabsf(right)) * precision;
            if (right - left <= __builtin_fmaxf(tolerance, SHORTEST))
                converged = 1;
            else
                *all_converged = 0;
        }
        barrier();
        if (*all_converged)
            break;
        barrier();
    }
    if (i < n)
        eigenvalues[i] = middle_of(left, right);
}
