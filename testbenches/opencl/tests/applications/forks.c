/* A host that forks, and goes elsewhere, while its launches are recorded. Its argument is a file with kernels. */
#include "host.h"
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count != 2)
        return 2;
    start(arguments[1], "-DTYPE=int");
    cl_kernel triple = kernel("triple");
    int numbers[64], wrong = 0, status = 1;
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    cl_mem all = buffer(sizeof numbers, numbers);
    ARGUMENT(triple, 0, all);
    launch(triple, 1, 64, 1, 64, 1);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    wrong += waitpid(child, &status, 0) != child || status != 0 || chdir("/") != 0;
    launch(triple, 1, 64, 1, 64, 1);
    fetch(all, sizeof numbers, numbers);
    for (int i = 0; i < 64; i++)
        wrong += numbers[i] != 9 * i;
    return verdict(wrong);
}
