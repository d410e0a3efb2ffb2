/* After a launch that the hardware has stopped, others run as if there had been none. */
#include "host.h"

int main(void) {
    cl_int far = 1 << 20, near = 3, code, x[64], wrong = 0;
    start("recovery.cl", "");
    cl_kernel store = kernel("store");
    cl_mem buffer_of_x = buffer(4096, NULL);
    ARGUMENT(store, 0, buffer_of_x);
    ARGUMENT(store, 1, far);
    launch(store, 1, 64, 1, 16, 1);
    wrong += clFinish(queue) != CL_OUT_OF_RESOURCES;
    queue = clCreateCommandQueue(context, device, 0, &code);
    ARGUMENT(store, 1, near);
    for (int round = 0; round < 2; round++) {
        launch(store, 1, 64, 1, 16, 1);
        fetch(buffer_of_x, sizeof x, x);
        /* Item 20 stores to the place of item 60, too. */
        for (int i = 0; i < 64; i++)
            wrong += i != 60 && x[i] != i + near;
    }
    return verdict(wrong);
}
