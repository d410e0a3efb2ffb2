/* Binary search, with a return inside the loop. */
#include "host.h"
#define LENGTH 1000
#define KEYS 256
static int sorted[LENGTH], keys[KEYS], place[KEYS];

int main(void) {
    int length = LENGTH, wrong = 0;
    for (int i = 0, value = 0; i < LENGTH; i++)
        sorted[i] = value += 1 + next(4);
    for (int i = 0; i < KEYS; i++)
        keys[i] = next(2) ? sorted[next(LENGTH)] : (int)next(3000);
    start("search.cl", "");
    cl_kernel search = kernel("search");
    cl_mem list = buffer(sizeof sorted, sorted), wanted = buffer(sizeof keys, keys), out = buffer(sizeof place, NULL);
    ARGUMENT(search, 0, list);
    ARGUMENT(search, 1, length);
    ARGUMENT(search, 2, wanted);
    ARGUMENT(search, 3, out);
    launch(search, 1, KEYS, 1, 64, 1);
    fetch(out, sizeof place, place);
    for (int i = 0; i < KEYS; i++) {
        int expected = -1;
        for (int j = 0; j < LENGTH; j++)
            if (sorted[j] == keys[i])
                expected = j;
        wrong += place[i] != expected;
    }
    return verdict(wrong);
}
