#define FOUR(x) long long x##0, long long x##1, long long x##2, long long x##3
#define MANY(x) FOUR(x##0), FOUR(x##1), FOUR(x##2), FOUR(x##3)

void kernel(int *out, MANY(a), MANY(b), MANY(c), MANY(d), MANY(e), MANY(f), MANY(g), MANY(h)) { out[0] = a00; }
