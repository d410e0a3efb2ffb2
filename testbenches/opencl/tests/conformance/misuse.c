/* Calls that nobody should make, and what they must not do: overwrite files, or run with other memory than was asked for. */
#include "../applications/host.h"

static int wrong;

static void returns(const char *what, cl_int expected, cl_int code) {
    if (code != expected) {
        printf("%s: %d, not %d\n", what, code, expected);
        wrong++;
    }
}

static cl_program of(const char *source) {
    cl_int code;
    cl_program made = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    return made;
}

/* The name of a file that is there, with an absolute path. */
int main(int count, char **arguments) {
    if (count != 2)
        return 2;
    start("later.cl", "-DTYPE=int");
    /* Headers lie in a directory of their own, whatever they are called. */
    cl_program header = of("#define VALUE 7\n"), user = of("#include \"program.cl\"\nint f(void) { return VALUE; }\n__kernel void k(__global int *a) { a[0] = f(); }");
    char above[4096];
    snprintf(above, sizeof above, "x/../../../../../../../../../..%s", arguments[1]);
    const char *names[] = {arguments[1], above, "..", "", "x/"};
    for (int i = 0; i < 5; i++)
        returns("a header elsewhere", CL_INVALID_VALUE, clCompileProgram(user, 0, NULL, "", 1, &header, &names[i], NULL, NULL));
    const char *name = "program.cl";
    returns("a header program.cl", CL_SUCCESS, clCompileProgram(user, 0, NULL, "", 1, &header, &name, NULL, NULL));
    /* Two that are linked mean two headers by one name. */
    cl_program other = of("#include \"program.cl\"\nint g(void) { return VALUE; }"), another = of("#define VALUE 8\n");
    returns("another header program.cl", CL_SUCCESS, clCompileProgram(other, 0, NULL, "", 1, &another, &name, NULL, NULL));
    cl_int code;
    clLinkProgram(context, 0, NULL, "", 2, (cl_program[]){user, other}, NULL, NULL, &code);
    returns("two headers by one name", CL_LINK_PROGRAM_FAILURE, code);

    /* The sum of two sizes of local memory is more than 32 bits have. */
    program = of("__kernel void k(__global int *a, __local int *x, __local int *y) { x[0] = 1; y[0] = 2; a[0] = x[0] + y[0]; }");
    CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel two = kernel("k");
    cl_mem all = buffer(64, NULL);
    ARGUMENT(two, 0, all);
    size_t size = 1;
    for (size_t bytes = 0x7fffffe0; bytes <= 0x7fffffff; bytes++) {
        CHECK(clSetKernelArg(two, 1, bytes, NULL));
        CHECK(clSetKernelArg(two, 2, bytes, NULL));
        returns("local memory without end", CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, two, 1, NULL, &size, &size, 0, NULL, NULL));
        cl_ulong local = 0;
        CHECK(clGetKernelWorkGroupInfo(two, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
        wrong += local < 2 * bytes;
    }
    return verdict(wrong);
}
