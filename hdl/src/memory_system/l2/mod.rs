//! A slice of the L2 cache: write-back, write-allocate, nothing fetched for a write, atomics done here.
//!
//! ```text
//!  L2Slice
//!                   C: compare and decide                    D: data
//!    requests ----> SectorTags, LruTable, L2MshrTable -----> data, dirty bytes, AtomicAlu, L2Reservations ----> replies
//!                        |            ^                           |
//!                        v fetches    | bursts that come          v EvictionBuffer: lines to be written
//!    DRAM channel  <-----+------------+---------------------------+
//! ```
mod eviction_buffer;
mod l2_config;
mod l2_counters;
mod l2_mshr_entry;
mod l2_mshr_table;
mod l2_reservations;
mod l2_slice;
mod packets;
mod sector_tags;

pub use eviction_buffer::{EvictedLine, EvictionBuffer};
pub use l2_config::L2Config;
pub use l2_counters::{L2_COUNTERS, L2Counters, L2Events};
pub use l2_mshr_entry::L2MshrEntry;
pub use l2_mshr_table::{L2MshrTable, Waiter};
pub use l2_reservations::L2Reservations;
pub use l2_slice::L2Slice;
pub use packets::{L2Reply, L2ReplyKind, L2Request, L2RequestKind, L2RequestRegister};
pub use sector_tags::SectorTags;
