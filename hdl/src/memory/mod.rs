//! The load/store unit: coalescer, shared memory, L1 data cache.
mod address_lane;
mod atomic_alu;
mod bank_arbiter;
mod coalescer;
mod l1_data_cache;
mod load_lane;
mod load_store_unit;
mod load_table;
mod lru_table;
mod memory_queue;
mod mshr_entry;
mod mshr_table;
mod operation_decoder;
#[cfg(test)]
mod random_test;
mod request_queue;
mod reservation;
mod shared_memory;
mod store_lane;
mod tag_array;

pub use address_lane::AddressLane;
pub use atomic_alu::AtomicAlu;
pub use bank_arbiter::BankArbiter;
pub use coalescer::Coalescer;
pub use l1_data_cache::L1DataCache;
pub use load_lane::LoadLane;
pub use load_store_unit::LoadStoreUnit;
pub use load_table::LoadTable;
pub use lru_table::LruTable;
pub use memory_queue::MemoryQueue;
pub use mshr_entry::{MshrEntry, MshrState};
pub use mshr_table::MshrTable;
pub use operation_decoder::OperationDecoder;
pub use request_queue::RequestQueue;
pub use reservation::Reservation;
pub use shared_memory::SharedMemory;
pub use store_lane::StoreLane;
pub use tag_array::TagArray;

#[cfg(test)]
mod testing {
    /// One clock cycle, after the inputs have settled.
    macro_rules! tick {
        ($module:expr) => {
            simulate(&mut $module, 1000);
            for _ in 0..2 {
                $module.clock.next = !$module.clock.val();
                simulate(&mut $module, 1000);
            }
        };
    }
    pub(crate) use tick;
}
