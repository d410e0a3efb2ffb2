//! The load/store unit: coalescer, shared memory, L1 data cache.
mod access_spacer;
mod address_lane;
mod atomic_alu;
mod bank_arbiter;
mod coalescer;
mod groups;
mod hazard_counters;
mod l1_data_cache;
mod life_marks;
mod line_chooser;
mod load_buffer;
mod load_group;
mod load_lane;
mod load_store_unit;
mod load_table;
mod lru_table;
mod memory_port;
mod memory_queue;
mod mshr_entry;
mod mshr_group;
mod mshr_table;
mod operation_decoder;
#[cfg(test)]
mod random_test;
mod request_queue;
mod reservation;
mod result_arbiter;
mod shared_base;
mod shared_memory;
mod store_lane;
mod tag_array;

pub use access_spacer::AccessSpacer;
pub use address_lane::AddressLane;
pub use atomic_alu::AtomicAlu;
pub use bank_arbiter::BankArbiter;
pub use coalescer::Coalescer;
pub use groups::{ChosenLine, Head, HeadRegister, LaneWords, LineGroup, LineGroupRegister, SharedGroup};
pub use hazard_counters::{HAZARD_COUNTERS, HazardCounters};
pub use l1_data_cache::L1DataCache;
pub use life_marks::LifeMarks;
pub use line_chooser::LineChooser;
pub use load_buffer::LoadBuffer;
pub use load_group::LoadGroup;
pub use load_lane::LoadLane;
pub use load_store_unit::LoadStoreUnit;
pub use load_table::LoadTable;
pub use lru_table::LruTable;
pub use memory_port::MemoryPort;
pub use memory_queue::MemoryQueue;
pub use mshr_entry::{MshrEntry, MshrState};
pub use mshr_group::MshrGroup;
pub use mshr_table::MshrTable;
pub use operation_decoder::OperationDecoder;
pub use request_queue::RequestQueue;
pub use reservation::Reservation;
pub use result_arbiter::ResultArbiter;
pub use shared_base::SharedBase;
pub use shared_memory::SharedMemory;
pub use store_lane::StoreLane;
pub use tag_array::TagArray;

/// Entries of a table that one mask tells apart.
const GROUP: usize = 64;

/// A table of so many entries in groups: all have [`GROUP`] of them, but the last.
fn group_sizes(entries: usize) -> impl Iterator<Item = usize> {
    (0..entries.div_ceil(GROUP)).map(move |group| (entries - group * GROUP).min(GROUP))
}
