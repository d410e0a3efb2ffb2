//! What the registers of a random program are for.

/// Return addresses of functions, of what these call, and so on in turns.
pub const LINKS: [u32; 2] = [1, 5];
/// Data.
pub const DATA: [u32; 12] = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 15];
/// Floats.
pub const FLOATS: [u32; 10] = [32, 33, 34, 35, 40, 41, 42, 43, 60, 63];
/// The top of the thread's private memory.
pub const STACK: u32 = 14;
/// Where the thread's own words of global memory begin.
pub const REGION_BASE: u32 = 16;
/// The thread's number in the grid.
pub const THREAD: u32 = 17;
/// Loop counters, by depth.
pub const LOOP: u32 = 18;
/// For a number that is needed at once.
pub const SCRATCH: u32 = 23;
/// Addresses.
pub const TEMPORARY: u32 = 24;
/// Where the counters are.
pub const COUNTER_BASE: u32 = 25;
/// Where the table is.
pub const TABLE_BASE: u32 = 26;
/// The argument block.
pub const ARGUMENTS: u32 = 27;
/// The word of shared memory of the next thread in the CTA.
pub const NEIGHBOUR: u32 = 28;
/// The thread's own word of shared memory.
pub const OWN_SHARED: u32 = 29;
/// What atomics on counters that threads share have returned: written by nothing else.
pub const TICKET: u32 = 30;
/// What attempts to update a word have written: as many as the schedule makes necessary.
pub const ATTEMPT: u32 = 31;
