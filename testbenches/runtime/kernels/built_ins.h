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
#define LARGEST_U8 UCHAR_MAX
#define LARGEST_U16 USHRT_MAX
#define LARGEST_U32 UINT_MAX
#define LARGEST_U64 ULONG_MAX
#define LARGEST_S8 CHAR_MAX
#define LARGEST_S16 SHRT_MAX
#define LARGEST_S32 INT_MAX
#define LARGEST_S64 LONG_MAX
#define SMALLEST_S8 CHAR_MIN
#define SMALLEST_S16 SHRT_MIN
#define SMALLEST_S32 INT_MIN
#define SMALLEST_S64 LONG_MIN

#endif
