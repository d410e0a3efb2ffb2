//! Global memory: bytes from [`GLOBAL_BASE`].
use super::sparse::Sparse;
use crate::loader::{GLOBAL_BASE, Program};

/// Global memory of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalMemory {
    bytes: Vec<u8>,
}

impl GlobalMemory {
    /// Zeros.
    pub fn new(size: usize) -> Self {
        Self { bytes: vec![0; size] }
    }

    /// What is not zero.
    pub(super) fn sparse(&self) -> Sparse {
        Sparse::new(&self.bytes)
    }

    /// The same memory again.
    pub(super) fn from_sparse(memory: &Sparse) -> Self {
        Self { bytes: memory.bytes() }
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// All of it, from [`GLOBAL_BASE`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes at an address, if all of them are in global memory.
    pub fn slice(&self, address: u32, size: usize) -> Option<&[u8]> {
        let start = address.checked_sub(GLOBAL_BASE)? as usize;
        self.bytes.get(start..start.checked_add(size)?)
    }

    /// The same, to write.
    pub fn slice_mut(&mut self, address: u32, size: usize) -> Option<&mut [u8]> {
        let start = address.checked_sub(GLOBAL_BASE)? as usize;
        self.bytes.get_mut(start..start.checked_add(size)?)
    }

    /// Reads words.
    ///
    /// # Panics
    /// If they are not all in global memory; so do the other accessors of whole words.
    pub fn words(&self, address: u32, count: usize) -> Vec<u32> {
        let bytes = self.slice(address, 4 * count).expect("words in global memory");
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    }

    /// Writes words.
    pub fn write_words(&mut self, address: u32, words: &[u32]) {
        let bytes = self.slice_mut(address, 4 * words.len()).expect("words in global memory");
        bytes.chunks_exact_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    }

    /// Writes the program's initial data, with its zeros. The program has been checked to fit.
    pub fn initialise(&mut self, program: &Program) {
        for segment in &program.data {
            let bytes = self.slice_mut(segment.address, segment.size as usize).expect("a program that fits");
            let (contents, zeros) = bytes.split_at_mut(segment.bytes.len());
            contents.copy_from_slice(&segment.bytes);
            zeros.fill(0);
        }
    }
}
