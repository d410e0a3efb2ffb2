/* Included before every OpenCL C kernel: what OpenCL C 1.2 does not declare and costs nothing to have. */
size_t __attribute__((overloadable, const)) get_global_linear_id(void);
size_t __attribute__((overloadable, const)) get_local_linear_id(void);
size_t __attribute__((overloadable, const)) get_enqueued_local_size(uint dimension);
