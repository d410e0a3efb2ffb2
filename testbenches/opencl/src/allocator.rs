//! Who has which part of global memory.
//!
//! Buffers lie at its end, the last free place first: at its beginning lie the data and the arguments of the program that runs, and programs differ.
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use warploom_runtime::loader::GLOBAL_BASE;

use crate::object::locked;

/// Where buffers may begin: at multiples of the largest type, a `long16`, and of any cache line.
pub const ALIGNMENT: u32 = 128;

/// What is taken: bytes by their first address.
#[derive(Debug)]
pub struct Allocator {
    end: u64,
    taken: BTreeMap<u64, u64>,
}

impl Allocator {
    /// A memory of so many bytes, all of it free.
    pub fn new(bytes: usize) -> Self {
        Self { end: u64::from(GLOBAL_BASE) + bytes as u64, taken: BTreeMap::new() }
    }

    /// Lowest address of a buffer.
    pub fn floor(&self) -> u64 {
        self.taken.first_key_value().map_or(self.end, |(address, _)| *address)
    }

    fn take(&mut self, bytes: usize) -> Option<u64> {
        let bytes = (bytes as u64).checked_next_multiple_of(ALIGNMENT.into())?;
        let mut end = self.end;
        for (&address, &taken) in self.taken.iter().rev() {
            if end - (address + taken) >= bytes {
                break;
            }
            end = address;
        }
        let address = end.checked_sub(bytes).filter(|address| *address >= u64::from(GLOBAL_BASE))?;
        self.taken.insert(address, bytes);
        Some(address)
    }
}

/// A part of global memory, until it is dropped.
#[derive(Debug)]
pub struct Region {
    /// First address.
    pub address: u32,
    allocator: Arc<Mutex<Allocator>>,
}

impl Region {
    /// So many bytes, if they are free in one piece.
    pub fn new(allocator: &Arc<Mutex<Allocator>>, bytes: usize) -> Option<Self> {
        let address = locked(allocator).take(bytes)?;
        Some(Self { address: address as u32, allocator: allocator.clone() })
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        locked(&self.allocator).taken.remove(&u64::from(self.address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_free_place_is_taken_and_what_is_dropped_is_free() {
        let allocator = Arc::new(Mutex::new(Allocator::new(1024)));
        let region = |bytes| Region::new(&allocator, bytes);
        let at = |region: &Option<Region>| region.as_ref().map(|region| region.address - GLOBAL_BASE);
        let (first, second, third) = (region(1), region(256), region(128));
        assert_eq!([at(&first), at(&second), at(&third)], [Some(896), Some(640), Some(512)]);
        assert_eq!(at(&region(1000)), None);
        drop(second);
        assert_eq!(at(&region(257)), Some(128));
        let again = region(200);
        assert_eq!(at(&again), Some(640));
        assert_eq!(locked(&allocator).floor() - u64::from(GLOBAL_BASE), 512);
        drop((first, third, again));
        assert_eq!(at(&region(1024)), Some(0));
    }
}
