//! What a thread wrote to its registers, in a few bytes.

/// A hash per register, those of floats from 32 on, over the values written to it, in order. Results of different registers may be written in any
/// order (a load after a later addition); those of one register may not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    registers: [u64; 64],
    writes: u64,
}

impl Default for Signature {
    fn default() -> Self {
        Self { registers: [0; 64], writes: 0 }
    }
}

impl Signature {
    /// Adds a write; those to x0 do not count.
    pub fn write(&mut self, register: u8, value: u32) {
        if register != 0 {
            let hash = &mut self.registers[usize::from(register)];
            *hash = (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
            self.writes += 1;
        }
    }

    /// Writes so far.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// The first register whose history differs.
    pub fn first_difference(&self, other: &Self) -> Option<u8> {
        (1..64).find(|&register| self.registers[usize::from(register)] != other.registers[usize::from(register)])
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;

    #[test]
    fn order_counts_within_a_register_only() {
        let of = |writes: &[(u8, u32)]| {
            let mut signature = Signature::default();
            writes.iter().for_each(|&(register, value)| signature.write(register, value));
            signature
        };
        assert_eq!(of(&[(1, 7), (2, 8)]), of(&[(2, 8), (0, 3), (1, 7)]));
        assert_eq!(of(&[(1, 7), (1, 8)]).first_difference(&of(&[(1, 8), (1, 7)])), Some(1));
        assert_eq!(of(&[(3, 0)]).first_difference(&of(&[])), Some(3));
    }
}
