//! Atomics whose results are used: whether what the threads got is what memory did, one atomic after the other.
use std::collections::BTreeMap;

use petgraph::algo::connected_components;
use petgraph::graphmap::UnGraphMap;
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

/// Checks the same where the order of memory is not known: that there is an order in which each atomic finds what the one before it has left, from
/// the first contents to the last; and returns these.
///
/// An atomic leads from one value of its word to another. There is a path over all of them, from the first to the last, if every value is left as often as it is come
/// to, and all are connected.
pub fn check_some_order(
    replayed: &[Replayed],
    first: &BTreeMap<u32, u32>,
    last: &BTreeMap<u32, u32>,
) -> Result<BTreeMap<u32, u32>, String> {
    let mut balance: BTreeMap<(u32, u32), i64> = BTreeMap::new();
    let mut graph: UnGraphMap<(u32, u32), ()> = UnGraphMap::new();
    for (address, &value) in first {
        let last = *last.get(address).ok_or_else(|| format!("{address:#x} has no last contents"))?;
        *balance.entry((*address, value)).or_default() -= 1;
        *balance.entry((*address, last)).or_default() += 1;
        graph.add_edge((*address, value), (*address, last), ());
    }
    for Replayed { address, op, operand, old } in replayed {
        if !first.contains_key(address) {
            return Err(format!("an atomic on {address:#x}"));
        }
        let new = atomic(*op, *old, *operand);
        *balance.entry((*address, *old)).or_default() += 1;
        *balance.entry((*address, new)).or_default() -= 1;
        graph.add_edge((*address, *old), (*address, new), ());
    }
    if let Some(((address, value), _)) = balance.iter().find(|(_, balance)| **balance != 0) {
        return Err(format!("{value:#x} is not found in {address:#x} as often as it is left there"));
    }
    if connected_components(&graph) != first.len() {
        return Err("some atomics have found what none before them has left".into());
    }
    Ok(last.clone())
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
    #[test]
    fn without_the_order_of_memory_there_has_to_be_one() {
        let of = |value| BTreeMap::from([(WORD, value)]);
        let order =
            |replayed: &[Replayed], last| check_some_order(replayed, &of(10), &of(last)).map(|last| last[&WORD]);
        assert_eq!(order(&[replayed(5, 11), replayed(1, 10)], 16), Ok(16));
        assert_eq!(order(&[], 10), Ok(10));
        let lost = "0xa is not found in 0x80000040 as often as it is left there";
        assert_eq!(order(&[replayed(1, 10), replayed(5, 10)], 15), Err(lost.into()));
        // There and back again, and never there.
        let apart = [replayed(1, 20), replayed(u32::MAX, 21)];
        assert_eq!(order(&apart, 10), Err("some atomics have found what none before them has left".into()));
    }
}
