/* What floats.cl takes from libclc, for one float: here its functions have names that are not those of the built-in functions. Compiled with
 * libclc's bitcode, of which only these get in, so that no other signature and no double does. */

#define OF_1(name) float libclc_##name(float a) { return name(a); }
#define OF_2(name) float libclc_##name(float a, float b) { return name(a, b); }
#define WITH_INT(name) float libclc_##name(float a, int b) { return name(a, b); }

OF_1(acos)
OF_1(acosh)
OF_1(acospi)
OF_1(asin)
OF_1(asinh)
OF_1(asinpi)
OF_1(atan)
OF_1(atanh)
OF_1(atanpi)
OF_1(cbrt)
OF_1(cos)
OF_1(cosh)
OF_1(cospi)
OF_1(erf)
OF_1(exp)
OF_1(exp10)
OF_1(exp2)
OF_1(expm1)
OF_1(lgamma)
OF_1(log)
OF_1(log10)
OF_1(log1p)
OF_1(log2)
OF_1(sin)
OF_1(sinh)
OF_1(sinpi)
OF_1(tan)
OF_1(tanh)
OF_1(tanpi)

OF_2(atan2)
OF_2(atan2pi)
OF_2(hypot)
OF_2(pow)
OF_2(powr)

WITH_INT(pown)
WITH_INT(rootn)

/* It names functions with pointers for a target whose private memory has no name of its own. */
float sincos_of_libclc(float, float *) __asm__("_Z6sincosfPf");
float lgamma_r_of_libclc(float, int *) __asm__("_Z8lgamma_rfPi");
float libclc_sincos(float a, float *cosine) { return sincos_of_libclc(a, cosine); }
float libclc_lgamma_r(float a, int *sign) { return lgamma_r_of_libclc(a, sign); }
