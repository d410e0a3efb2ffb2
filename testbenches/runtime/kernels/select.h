/* A full scan of a column: the numbers of all words less than a limit, in any order (Narasiman 2014, 6.1). A warp gathers what it finds in shared
   memory, in eight words a lane, and moves seven of them to the output at a time. What differs is `append`: the lanes that have `found` something
   store their `value` one behind the other from `end` on; where the next ones will. */
static inline u32 *append(u32 *end, u32 found, u32 value);

#define ROOM 8
#define FULL 7

/* `place`: a word of shared memory, by which the first lane tells the others what it was given. */
static inline void flush(const u32 *buffer, u32 count, u32 *output, u32 *next, u32 *place, u32 lanes) {
    if (lane() == 0)
        *place = atomic_add(next, count);
    warploom_meet();
    u32 *to = output + *place;
    for (u32 i = lane(); i < count; i += lanes)
        to[i] = buffer[i];
}

/* `rows` is a multiple of the lanes, as are the threads of a CTA. */
void kernel(const u32 *column, u32 *output, u32 *next, u32 rows, u32 limit, u32 lanes) {
    u32 warp = tid_x() / lanes;
    u32 *buffer = (u32 *)SHARED_MEMORY + warp * (ROOM * lanes + 1), *full = buffer + FULL * lanes, *end = buffer;
    u32 *place = buffer + ROOM * lanes;
    for (u32 row = ctaid_x() * ntid_x() + warp * lanes + lane(); row < rows; row += nctaid_x() * ntid_x()) {
        end = append(end, column[row] < limit, row);
        if (end > full) {
            flush(buffer, FULL * lanes, output, next, place, lanes);
            end -= FULL * lanes;
            if (buffer + lane() < end)
                buffer[lane()] = full[lane()];
        }
    }
    flush(buffer, end - buffer, output, next, place, lanes);
}
