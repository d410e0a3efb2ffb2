//! Memory without the blocks that are all zeros.
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const BLOCK: usize = 256;

/// Addresses have 32 bits.
const MOST: u64 = 1 << 32;

/// Position, and contents; the last block of the memory may be short.
type Block = (u64, Vec<u8>);

/// See the [module documentation](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "(u64, Vec<Block>)", try_from = "(u64, Vec<Block>)")]
pub struct Sparse {
    size: u64,
    blocks: Vec<Block>,
}

impl Sparse {
    /// Of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let zeros = [0; BLOCK];
        let blocks = bytes.chunks(BLOCK).enumerate().filter(|(_, block)| **block != zeros[..block.len()]);
        let blocks = blocks.map(|(position, block)| (position as u64, block.to_vec()));
        Self { size: bytes.len() as u64, blocks: blocks.collect() }
    }

    /// How many bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes again.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.size as usize];
        for (position, block) in &self.blocks {
            let start = *position as usize * BLOCK;
            bytes[start..start + block.len()].copy_from_slice(block);
        }
        bytes
    }
}

impl From<Sparse> for (u64, Vec<Block>) {
    fn from(memory: Sparse) -> Self {
        (memory.size, memory.blocks)
    }
}

impl TryFrom<(u64, Vec<Block>)> for Sparse {
    type Error = &'static str;

    fn try_from((size, blocks): (u64, Vec<Block>)) -> Result<Self, Self::Error> {
        let inside = |(position, block): &Block| {
            let end = position.checked_mul(BLOCK as u64).and_then(|start| start.checked_add(block.len() as u64));
            end.is_some_and(|end| end <= size)
        };
        if size > MOST || !blocks.iter().all(inside) {
            return Err("a block of memory lies outside of it");
        }
        Ok(Self { size, blocks })
    }
}

/// For serde's `with`, as is [`deserialize`].
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    Sparse::new(bytes).serialize(serializer)
}

/// The memory again.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(Sparse::deserialize(deserializer)?.bytes())
}

#[cfg(test)]
mod tests {
    use super::Sparse;

    #[test]
    fn only_what_is_not_zero() {
        let mut bytes = vec![0; 1000];
        (bytes[256], bytes[999]) = (1, 2);
        let sparse = Sparse::new(&bytes);
        assert_eq!(
            sparse.blocks.iter().map(|(at, block)| (*at, block.len())).collect::<Vec<_>>(),
            [(1, 256), (3, 232)]
        );
        assert_eq!(sparse.bytes(), bytes);
    }

    #[test]
    fn blocks_outside_are_refused() {
        for (size, position) in [(1000, 4), (1000, u64::MAX), (1 << 40, 0)] {
            assert!(Sparse::try_from((size, vec![(position, vec![1])])).is_err(), "{size} {position}");
        }
    }
}
