//! The paths of a CTA's threads, as one warp of all of them runs them on its reconvergence stack.
use warploom_runtime::isa::{Instruction, decode};
use warploom_runtime::loader::Program;

/// What happens.
pub enum Event<'a> {
    /// These threads, in their order, run so many instructions together.
    Instructions { number: u64, threads: &'a [u32] },
    /// A conditional branch, and the threads that go on behind it and at its target.
    Branch { pc: u32, sides: [&'a [u32]; 2] },
}

/// Threads that are at the same place, and where they end.
struct Entry {
    threads: Vec<u32>,
    rpc: Option<u32>,
}

/// Tells what happens to threads with these paths.
pub fn walk(paths: &[&[u32]], program: &Program, mut tell: impl FnMut(Event)) {
    let mut at = vec![0; paths.len()];
    let mut stack = vec![Entry { threads: (0..paths.len() as u32).collect(), rpc: None }];
    while let Some(mut entry) = stack.pop() {
        let mut number = 0;
        loop {
            let here = |at: &[usize], thread: u32| paths[thread as usize].get(at[thread as usize]).copied();
            if entry.threads.iter().any(|&thread| here(&at, thread).is_none()) {
                tell(Event::Instructions { number, threads: &entry.threads });
                number = 0;
                entry.threads.retain(|&thread| here(&at, thread).is_some());
            }
            let Some(pc) = entry.threads.first().and_then(|&first| here(&at, first)) else { break };
            if entry.rpc == Some(pc) {
                break;
            }
            number += 1;
            entry.threads.iter().for_each(|&thread| at[thread as usize] += 1);
            let is_branch = program.word(pc).is_some_and(|word| matches!(decode(word), Instruction::Branch { .. }));
            let goes_on = |thread: u32| here(&at, thread).is_none_or(|next| next == pc + 4);
            let together = entry.threads.iter().all(|&thread| here(&at, thread) == here(&at, entry.threads[0]));
            if !is_branch && together {
                continue;
            }
            tell(Event::Instructions { number, threads: &entry.threads });
            number = 0;
            let rpc = program.annotation(pc as usize / 4).rpc;
            let (behind, target): (Vec<u32>, Vec<u32>) = entry.threads.iter().partition(|&&thread| goes_on(thread));
            if is_branch {
                tell(Event::Branch { pc, sides: [&behind, &target] });
            }
            if together {
                continue;
            }
            stack.push(Entry { threads: std::mem::take(&mut entry.threads), rpc: entry.rpc });
            let mut sides = vec![behind, target];
            if !is_branch {
                sides = sides.into_iter().flat_map(|side| apart(side, |thread| here(&at, thread))).collect();
            }
            stack.extend(sides.into_iter().map(|threads| Entry { threads, rpc }));
            break;
        }
        if number > 0 {
            tell(Event::Instructions { number, threads: &entry.threads });
        }
    }
}

/// By where they are: an indirect jump may go to several places.
fn apart(mut threads: Vec<u32>, here: impl Fn(u32) -> Option<u32>) -> Vec<Vec<u32>> {
    threads.sort_by_key(|&thread| (here(thread), thread));
    threads.chunk_by(|&a, &b| here(a) == here(b)).map(<[u32]>::to_vec).collect()
}
