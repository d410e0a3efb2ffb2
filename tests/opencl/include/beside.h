#define BESIDE 11
