/* Binary search in a function, and a scan in a kernel, with returns inside their loops. */
#include "host.h"
#define LENGTH 200
#define KEYS 128
static int sorted[LENGTH], keys[KEYS], place[KEYS];

int main(void) {
    int length = LENGTH, wrong = 0;
    for (int i = 0, value = 0; i < LENGTH; i++)
        sorted[i] = value += 1 + next(4);
    for (int i = 0; i < KEYS; i++)
        keys[i] = next(2) ? sorted[next(LENGTH)] : (int)next(600);
    start("search.cl", "");
    cl_kernel kernels[] = {kernel("search"), kernel("scan")};
    cl_mem list = buffer(sizeof sorted, sorted), wanted = buffer(sizeof keys, keys), out = buffer(sizeof place, NULL);
    for (int way = 0; way < 2; way++) {
        ARGUMENT(kernels[way], 0, list);
        ARGUMENT(kernels[way], 1, length);
        ARGUMENT(kernels[way], 2, wanted);
        ARGUMENT(kernels[way], 3, out);
        launch(kernels[way], 1, KEYS, 1, 64, 1);
        fetch(out, sizeof place, place);
        for (int i = 0; i < KEYS; i++) {
            int expected = -1;
            for (int j = 0; j < LENGTH; j++)
                if (sorted[j] == keys[i])
                    expected = j;
            wrong += place[i] != expected;
        }
    }
    return verdict(wrong);
}
