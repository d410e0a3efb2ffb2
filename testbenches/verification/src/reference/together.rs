//! What the threads of a warp do together.
use warploom_runtime::isa::{Size, WarpInstruction};

use super::thread::{Fault, Memory, State, Thread};

/// A trap, and the lane that has it.
pub type LaneFault = (usize, Fault);

/// Answers the ballot or the warp instruction at the lowest PC at which threads of this warp wait for one another. Who is elsewhere takes no part.
pub fn act(warp: &mut [Thread], memory: &mut Memory) -> Option<Result<(), LaneFault>> {
    let waits = |thread: &Thread| matches!(thread.state, State::Voting { .. } | State::Acting(_));
    let (pc, state) =
        warp.iter().filter(|thread| waits(thread)).map(|thread| (thread.pc, thread.state)).min_by_key(|(pc, _)| *pc)?;
    let here: Vec<usize> = (0..warp.len()).filter(|&lane| waits(&warp[lane]) && warp[lane].pc == pc).collect();
    match state {
        State::Acting(WarpInstruction::Accumulate { size, rs1, rs2, .. }) => {
            let stores = |&lane: &usize| warp[lane].read(rs1) & 1 == 1;
            let storing: Vec<usize> = here.iter().copied().filter(stores).collect();
            let place = |(before, lane): (usize, &usize)| {
                (*lane, (warp[*lane].read(rs1) & !1).wrapping_add((before * size as usize) as u32))
            };
            let places: Vec<(usize, u32)> = storing.iter().enumerate().map(place).collect();
            if let Err(fault) = store(warp, memory, size, rs2, &places) {
                return Some(Err(fault));
            }
            here.iter().for_each(|&lane| warp[lane].answer(storing.len() as u32));
        }
        State::Acting(WarpInstruction::Traverse { rs1, rs2, shift, .. }) => {
            let votes = here.iter().filter(|&&lane| warp[lane].read(rs2) != 0).count() as u32;
            for lane in here {
                let moved = warp[lane].read(rs1).wrapping_add(votes << shift);
                warp[lane].answer(moved);
            }
        }
        _ => {
            let votes =
                here.iter().filter(|&&lane| matches!(warp[lane].state, State::Voting { value, .. } if value != 0));
            let result = votes.fold(0, |votes, lane| votes | 1 << lane);
            here.iter().for_each(|&lane| warp[lane].answer(result));
        }
    }
    Some(Ok(()))
}

/// Every lane stores at its place, or, if one must not, none.
fn store(
    warp: &mut [Thread],
    memory: &mut Memory,
    size: Size,
    source: u8,
    places: &[(usize, u32)],
) -> Result<(), LaneFault> {
    for &(lane, address) in places {
        warp[lane].access(memory, address, size).map_err(|fault| (lane, fault))?;
    }
    for &(lane, address) in places {
        let value = warp[lane].read(source).to_le_bytes();
        let bytes = warp[lane].access(memory, address, size).map_err(|fault| (lane, fault))?;
        bytes.copy_from_slice(&value[..size as usize]);
        warp[lane].break_reservation(memory, address);
    }
    Ok(())
}
