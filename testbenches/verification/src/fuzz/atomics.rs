//! Atomics whose results are used: whether what the threads got is what memory did, one atomic after the other.
use std::collections::BTreeMap;

use warploom_hdl::interface::MemoryOp;
use warploom_runtime::host::AtomicAccess;
use warploom_runtime::isa::AtomicOp;

use crate::reference::Replayed;
use crate::reference::arithmetic::atomic;

/// Checks that
/// - the threads' atomics are those that memory performed: the same addresses, operations, operands and results, each as often;
/// - every result is what the atomics before it, in the order of memory, have made of the first contents;
///
/// and returns what they have made of them in the end. `performed` are those of the words in `first` only.
pub fn check(
    performed: &[AtomicAccess],
    replayed: &[Replayed],
    first: &BTreeMap<u32, u32>,
) -> Result<BTreeMap<u32, u32>, String> {
    let mut words = first.clone();
    let mut all = Vec::new();
    for access in performed {
        let op = operation(access.operation).ok_or_else(|| format!("{:?} in memory", access.operation))?;
        let AtomicAccess { address, operand, old, .. } = *access;
        let word = words.get_mut(&address).ok_or_else(|| format!("an atomic on {address:#x}"))?;
        if *word != old {
            return Err(format!("{op:?} on {address:#x} returned {old:#x}; the word was {word:#x}"));
        }
        *word = atomic(op, old, operand);
        all.push((address, op as u8, operand, old));
    }
    let mut threads: Vec<_> = replayed.iter().map(|a| (a.address, a.op as u8, a.operand, a.old)).collect();
    all.sort_unstable();
    threads.sort_unstable();
    if all != threads {
        let other = all.iter().zip(&threads).find(|(one, other)| one != other);
        let text = |&(address, op, operand, old): &(u32, u8, u32, u32)| {
            format!("operation {op} on {address:#x} with {operand:#x} returns {old:#x}")
        };
        return Err(match other {
            Some((one, other)) => format!("in memory, {}; in a thread, {}", text(one), text(other)),
            None => format!("{} in memory, {} in the threads", all.len(), threads.len()),
        });
    }
    Ok(words)
}

fn operation(operation: MemoryOp) -> Option<AtomicOp> {
    Some(match operation {
        MemoryOp::AtomicSwap => AtomicOp::Swap,
        MemoryOp::AtomicAdd => AtomicOp::Add,
        MemoryOp::AtomicXor => AtomicOp::Xor,
        MemoryOp::AtomicAnd => AtomicOp::And,
        MemoryOp::AtomicOr => AtomicOp::Or,
        MemoryOp::AtomicMin => AtomicOp::Min,
        MemoryOp::AtomicMax => AtomicOp::Max,
        MemoryOp::AtomicMinUnsigned => AtomicOp::MinUnsigned,
        MemoryOp::AtomicMaxUnsigned => AtomicOp::MaxUnsigned,
        MemoryOp::Load | MemoryOp::Store | MemoryOp::LoadReserved | MemoryOp::StoreConditional | MemoryOp::Fence => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: u32 = 0x8000_0040;

    fn performed(operand: u32, old: u32) -> AtomicAccess {
        AtomicAccess { address: WORD, operation: MemoryOp::AtomicAdd, operand, old }
    }

    fn replayed(operand: u32, old: u32) -> Replayed {
        Replayed { address: WORD, op: AtomicOp::Add, operand, old }
    }

    #[test]
    fn any_order_is_right_that_memory_may_have_had() {
        let first = BTreeMap::from([(WORD, 10)]);
        let memory = [performed(1, 10), performed(5, 11)];
        let words = check(&memory, &[replayed(5, 11), replayed(1, 10)], &first).unwrap();
        assert_eq!(words[&WORD], 16);
        let swapped = [replayed(5, 10), replayed(1, 11)];
        let message = check(&memory, &swapped, &first).unwrap_err();
        assert_eq!(
            message,
            "in memory, operation 1 on 0x80000040 with 0x1 returns 0xa; in a thread, operation 1 on 0x80000040 with 0x1 returns 0xb"
        );
        let lost = [performed(1, 10), performed(5, 10)];
        let message = check(&lost, &[replayed(1, 10), replayed(5, 10)], &first).unwrap_err();
        assert_eq!(message, "Add on 0x80000040 returned 0xa; the word was 0xb");
        assert!(check(&memory, &[replayed(1, 10)], &first).unwrap_err().contains("2 in memory, 1 in the threads"));
    }
}
