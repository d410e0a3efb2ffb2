/* Where keys lie in a sorted list: each looks until it has found. */
__kernel void search(__global const int *sorted, int length, __global const int *keys, __global int *place) {
    int low = 0, high = length - 1, key = keys[get_global_id(0)];
    place[get_global_id(0)] = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key) {
            place[get_global_id(0)] = middle;
            return;
        }
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
}
