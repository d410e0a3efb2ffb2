/* Where keys lie in a sorted list: each looks until it has found. */
__attribute__((noinline)) int find(__global const int *sorted, int length, int key) {
    int low = 0, high = length - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key)
            return middle;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

__kernel void search(__global const int *sorted, int length, __global const int *keys, __global int *place) {
    place[get_global_id(0)] = find(sorted, length, keys[get_global_id(0)]);
}

/* The same without a function. */
__kernel void scan(__global const int *sorted, int length, __global const int *keys, __global int *place) {
    for (int i = 0; i < length; i++)
        if (sorted[i] >= keys[get_global_id(0)]) {
            place[get_global_id(0)] = sorted[i] == keys[get_global_id(0)] ? i : -1;
            return;
        }
    place[get_global_id(0)] = -1;
}
