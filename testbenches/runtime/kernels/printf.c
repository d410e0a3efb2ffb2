/* OpenCL C's printf: the address of the format and the arguments as they are go to a buffer, which the host reads after the launch
 * (host/printf.rs). A text that has no room there any more is lost, and so are those after it. */
#include "warploom.h"

typedef unsigned long long u64;

/* OpenCL 1.2 asks for one megabyte. `used` counts words, also those that had no room. */
struct {
    u32 used, words[(1 << 18) - 1];
} warploom_printf;

/* The words of the next argument, or 0 at the end of the format; 4, 8, or more bytes that lie elsewhere. */
static u32 next_argument(const char **format) {
    const char *at = *format;
    for (;;) {
        while (*at && *at != '%')
            at++;
        if (!*at)
            return 0;
        at++;
        if (*at == '%') {
            at++;
            continue;
        }
        u32 elements = 1, bytes = 4;
        while (*at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '.' || (*at >= '0' && *at <= '9'))
            at++;
        if (*at == 'v') {
            at++;
            elements = 0;
            while (*at >= '0' && *at <= '9')
                elements = 10 * elements + (u32)(*at++ - '0');
            elements = elements == 3 ? 4 : elements;
        }
        if (*at == 'h') {
            at++;
            bytes = elements > 1 ? 2 : 4;
            if (*at == 'h') {
                at++;
                bytes = elements > 1 ? 1 : 4;
            }
            if (*at == 'l') {
                at++;
                bytes = 4;
            }
        } else if (*at == 'l') {
            at++;
            /* There is no double. */
            bytes = (*at | 32) == 'a' || ((*at | 32) >= 'e' && (*at | 32) <= 'g') ? 4 : 8;
        }
        if (*at)
            at++;
        *format = at;
        return (elements * bytes + 3) / 4;
    }
}

int printf(const char *format, ...) {
    u32 words = 1, count;
    for (const char *at = format; (count = next_argument(&at)) != 0;)
        words += count;
    u32 place = atomic_add(&warploom_printf.used, words);
    if (place + words > sizeof warploom_printf.words / 4)
        return -1;
    u32 *to = &warploom_printf.words[place];
    *to++ = (u32)format;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    for (const char *at = format; (count = next_argument(&at)) != 0;) {
        if (count == 1) {
            *to++ = __builtin_va_arg(arguments, u32);
        } else if (count == 2) {
            u64 value = __builtin_va_arg(arguments, u64);
            *to++ = (u32)value;
            *to++ = (u32)(value >> 32);
        } else {
            const u32 *from = __builtin_va_arg(arguments, const u32 *);
            while (count-- > 0)
                *to++ = *from++;
        }
    }
    __builtin_va_end(arguments);
    return 0;
}
