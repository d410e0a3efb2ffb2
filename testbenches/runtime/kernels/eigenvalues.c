/* Eigenvalues of a symmetric tridiagonal matrix by bisection (CUDA SDK, eigenvalues: intervals with one eigenvalue), fixed point: a
   thread per eigenvalue. The CTA goes on until all of its intervals are short, the short ones idle. */
#include "warploom.h"

#define FRACTION 12
#define RELATIVE_BITS 8

static inline i32 magnitude(i32 value) { return value < 0 ? -value : value; }

/* Eigenvalues below `x`: the negative terms of the Sturm sequence. The matrix comes a piece at a time through shared memory; threads
   that want no count load only. `squares` are of the elements beside the diagonal, with twice the fraction bits. */
static inline u32 count_below(const i32 *diagonal, const i32 *squares, u32 n, i32 x, u32 wanted) {
    u32 tid = tid_x(), threads = ntid_x(), count = 0;
    i32 *d = SHARED_MEMORY, *s = d + threads, term = 1 << FRACTION;
    for (u32 base = 0; base < n; base += threads) {
        barrier();
        if (base + tid < n) {
            d[tid] = diagonal[base + tid];
            s[tid] = squares[base + tid];
        }
        barrier();
        if (wanted) {
            u32 piece = n - base < threads ? n - base : threads;
            for (u32 k = 0; k < piece; k++) {
                term = d[k] - (x + s[k] / term);
                if (term == 0)
                    term = 1;
                count += term < 0;
            }
        }
    }
    return count;
}

void kernel(const i32 *diagonal, const i32 *squares, i32 *eigenvalues, u32 n, i32 left, i32 right, i32 precision) {
    u32 *converged = (u32 *)SHARED_MEMORY + 2 * ntid_x();
    u32 i = global_x();
    if (i >= n)
        left = right;
    for (;;) {
        if (tid_x() == 0)
            *converged = 1;
        i32 middle = left + (right - left) / 2;
        u32 count = count_below(diagonal, squares, n, middle, left != right);
        barrier();
        if (left != right) {
            if (count > i)
                right = middle;
            else
                left = middle;
            i32 a = magnitude(left), b = magnitude(right), tolerance = (a > b ? a : b) >> RELATIVE_BITS;
            if (right - left <= (tolerance > precision ? tolerance : precision))
                left = right = left + (right - left) / 2;
            else
                *converged = 0;
        }
        barrier();
        if (*converged)
            break;
        barrier();
    }
    if (i < n)
        eigenvalues[i] = left;
}
