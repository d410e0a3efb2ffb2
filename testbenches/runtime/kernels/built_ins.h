/* What the files with built-in functions share. */
#ifndef BUILT_INS_H
#define BUILT_INS_H

#define BUILT_IN __attribute__((overloadable))

#define VECTORS(define, ...) \
    define(2, __VA_ARGS__) \
    define(3, __VA_ARGS__) \
    define(4, __VA_ARGS__) \
    define(8, __VA_ARGS__) \
    define(16, __VA_ARGS__)

/* A function of scalars, for vectors as well. */

#define OF_1(n, R, name, A) \
    BUILT_IN R##n name(A##n a) { \
        R##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = name(a[k]); \
        return result; \
    }
#define OF_2(n, R, name, A, B) \
    BUILT_IN R##n name(A##n a, B##n b) { \
        R##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = name(a[k], b[k]); \
        return result; \
    }
#define OF_3(n, R, name, A, B, C) \
    BUILT_IN R##n name(A##n a, B##n b, C##n c) { \
        R##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = name(a[k], b[k], c[k]); \
        return result; \
    }
/* A scalar c in a select() chooses by its value, a vector by the highest bit of each element. */
#define SELECT(T, C) \
    BUILT_IN T select(T a, T b, C c) { return c ? b : a; }
#define SELECT_VECTOR(T, C, S) \
    BUILT_IN T select(T a, T b, C c) { return __builtin_astype(c, S) < (S)0 ? b : a; }

#define LOAD_N(T, n, space) \
    BUILT_IN T##n vload##n(size_t i, const space T *p) { \
        T##n v; \
        for (int k = 0; k < n; k++) \
            v[k] = p[i * n + k]; \
        return v; \
    }
#define STORE_N(T, n, space) \
    BUILT_IN void vstore##n(T##n v, size_t i, space T *p) { \
        for (int k = 0; k < n; k++) \
            p[i * n + k] = v[k]; \
    }
#define MEMORY(T, n) \
    LOAD_N(T, n, __global) \
    LOAD_N(T, n, __constant) \
    LOAD_N(T, n, __local) \
    LOAD_N(T, n, __private) \
    STORE_N(T, n, __global) \
    STORE_N(T, n, __local) \
    STORE_N(T, n, __private)

#define CONVERT_N(T, F, n) \
    BUILT_IN T##n convert_##T##n(F##n v) { return __builtin_convertvector(v, T##n); }
#define CONVERT(T, F) \
    BUILT_IN T convert_##T(F v) { return (T)v; } \
    CONVERT_N(T, F, 2) \
    CONVERT_N(T, F, 3) \
    CONVERT_N(T, F, 4) \
    CONVERT_N(T, F, 8) \
    CONVERT_N(T, F, 16)
#define OF_ELEMENT(T) \
    MEMORY(T, 2) \
    MEMORY(T, 3) \
    MEMORY(T, 4) \
    MEMORY(T, 8) \
    MEMORY(T, 16) \
    CONVERT(T, char) \
    CONVERT(T, uchar) \
    CONVERT(T, short) \
    CONVERT(T, ushort) \
    CONVERT(T, int) \
    CONVERT(T, uint) \
    CONVERT(T, long) \
    CONVERT(T, ulong)

#endif
