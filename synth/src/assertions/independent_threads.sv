// A warp can be fetched, or waits for the engine, or for a barrier of its CTA: one of these at most.
assert (((runnable & unsettled) | (runnable & waiting) | (unsettled & waiting)) == 0);
// The group of a warp that can be fetched has threads.
assert (!runnable[fetch_warp] || fetch_mask != 0);
// They can run: they live, and wait nowhere.
assert (!runnable[finished_warp] || (groups_mask & ~ready) == 0);
// A thread that waits for others lives, and is at no barrier of its CTA.
assert ((barriers_waits & ~active) == 0);
// A group that is formed has threads, all of them at its PC.
assert (!group_events_forms || (groups_new_mask != 0 && (groups_new_mask & ~selector_there) == 0));
