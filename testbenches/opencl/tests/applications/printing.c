/* What kernels print comes between what the host prints. */
#include "host.h"

int main(void) {
    start("printing.cl", "");
    cl_kernel say = kernel("say");
    for (int round = 0; round < 2; round++) {
        printf("before %d\n", round);
        ARGUMENT(say, 0, round);
        launch(say, 1, 32, 1, 16, 1);
        CHECK(clFinish(queue));
    }
    printf("after\n");
    return 0;
}
