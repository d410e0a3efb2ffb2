//! The load/store unit: coalescer, shared memory, L1 data cache.
