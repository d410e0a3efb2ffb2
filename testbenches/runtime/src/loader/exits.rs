//! How programs of others end: `ecall` with 93 (`exit`) in a7, and a word stored to `tohost`, behind which a thread turns in
//! a circle for ever. Where that is certain, the thread ends there instead: the instruction is replaced when the program is loaded.
//!
//! - `ecall` that ends with the status 0 becomes `exit`. With any other status, it jumps to four instructions behind the
//!   code, which leave the largest status of all threads in a word of global memory ([`Program::exit_status`]).
//! - A loop that does nothing but store to `tohost`, always the same, or that does nothing and has such a store before it: its jump back becomes `exit`.
use std::collections::BTreeMap;

use petgraph::Direction::Incoming;
use warploom_sim::tool::Interrupted;

use super::constants::Constants;
use super::control_flow::{Context, Function};
use super::{DataSegment, GLOBAL_BASE, LoadError, Program, control_flow};
use crate::isa::{Instruction, decode};

/// `exit` in Linux and in proxy kernels.
const CALL_OF_EXIT: u32 = 93;
const A0: u8 = 10;
const A7: u8 = 17;
const EXIT: u32 = 0x0000_100B;
const ECALL: u32 = 0x0000_0073;
/// Of the instructions behind the code, in disassemblies.
const STUB: &str = "warploom.exit";

/// Where threads end.
#[derive(Default)]
struct Ends {
    /// `ecall` with the status 0.
    succeed: Vec<u32>,
    /// With another one, or one that is not known.
    with_status: Vec<u32>,
    /// Jumps back, in loops that store to `tohost`.
    turn: Vec<u32>,
    /// Other calls, by their places.
    other: BTreeMap<u32, u32>,
}

impl Program {
    /// Replaces what ends threads; `tohost` is where that symbol lies.
    pub(super) fn adapt_ends(&mut self, context: &Context, tohost: Option<u32>) -> Result<(), LoadError> {
        if tohost.is_none() && !self.words.contains(&ECALL) {
            return Ok(());
        }
        let context = context.clone().with_links(&self.words);
        let mut ends = Ends::default();
        for function in control_flow::functions(self, &context)? {
            ends.find(self, &context, &function, tohost)?;
        }
        for &pc in ends.succeed.iter().chain(&ends.turn) {
            self.words[pc as usize / 4] = EXIT;
        }
        let reach = |stub: u32, pc: u32| stub - pc < 1 << 20;
        let stub = 4 * self.words.len() as u32;
        // What cannot be noted stays a trap.
        let has_room = self.data_end() <= u32::MAX - 128;
        ends.with_status.retain(|&pc| has_room && reach(stub, pc));
        if !ends.with_status.is_empty() {
            self.add_stub();
        }
        for &pc in &ends.with_status {
            self.words[pc as usize / 4] = jump(stub - pc);
        }
        for (places, what) in [
            (ends.succeed, "this ecall is exit with the status 0, and ends the thread"),
            (
                ends.with_status,
                "this ecall is exit, and ends the thread; the largest status (a0) of all threads is reported",
            ),
            (ends.turn, "this loop behind a store to tohost ends the thread"),
        ] {
            if what.contains("tohost") && !places.is_empty() {
                self.tohost = tohost;
            }
            let notes: Vec<String> = places.iter().map(|&pc| format!("at {}: {what}", self.place(pc))).collect();
            self.notes.extend(notes);
        }
        self.calls = ends.other;
        Ok(())
    }

    /// Instructions that note the status of a thread and end it.
    fn add_stub(&mut self) {
        let address = self.data_end().max(GLOBAL_BASE).next_multiple_of(64);
        self.data.push(DataSegment { address, bytes: vec![0; 4], size: 4 });
        self.exit_status = Some(address);
        self.symbols.insert(4 * self.words.len() as u32, STUB.into());
        let (t6, a0) = (31, u32::from(A0));
        let (upper, lower) = (address.wrapping_add(0x800) & !0xFFF, address & 0xFFF);
        self.words.extend([
            upper | t6 << 7 | 0x37,                             // lui t6
            lower << 20 | t6 << 15 | t6 << 7 | 0x13,            // addi t6, t6
            0xE000_0000 | a0 << 20 | t6 << 15 | 2 << 12 | 0x2F, // amomaxu.w zero, a0, (t6)
            EXIT,
        ]);
    }
}

/// `j`, forward.
pub(super) fn jump(offset: u32) -> u32 {
    let bits = |from: u32, count: u32| offset >> from & ((1 << count) - 1);
    bits(1, 10) << 21 | bits(11, 1) << 20 | bits(12, 8) << 12 | 0x6F
}

impl Ends {
    fn find(
        &mut self,
        program: &Program,
        context: &Context,
        function: &Function,
        tohost: Option<u32>,
    ) -> Result<(), Interrupted> {
        let word = |pc: u32| program.word(pc).unwrap_or(0);
        let calls: Vec<u32> = function.ends.iter().copied().filter(|&pc| word(pc) == ECALL).collect();
        let loops: Vec<(u32, u32)> = match tohost {
            Some(_) => function.graph.all_edges().map(|(from, to, ())| (from, to)).collect(),
            None => Vec::new(),
        };
        let is_back = |&(from, to): &(u32, u32)| {
            to <= from && matches!(decode(word(from)), Instruction::JumpAndLink { rd: 0, .. })
        };
        let loops: Vec<(u32, u32)> = loops.into_iter().filter(is_back).collect();
        if calls.is_empty() && loops.is_empty() {
            return Ok(());
        }
        let constants = Constants::of(program, context, function.start, &function.graph, |pc| function.is_call(pc))?;
        for pc in calls {
            match (constants.register(pc, A7).single(), constants.register(pc, A0).single()) {
                (Some(CALL_OF_EXIT), Some(0)) => push(&mut self.succeed, pc),
                (Some(CALL_OF_EXIT), _) => push(&mut self.with_status, pc),
                (Some(call), _) => drop(self.other.insert(pc, call)),
                (None, _) => {}
            }
        }
        let turns = |&(jump, start): &(u32, u32)| {
            tohost.is_some_and(|tohost| stores_and_turns(program, function, &constants, tohost, start, jump))
        };
        loops.into_iter().filter(turns).for_each(|(jump, _)| push(&mut self.turn, jump));
        Ok(())
    }
}

/// Functions may share it.
fn push(places: &mut Vec<u32>, pc: u32) {
    if !places.contains(&pc) {
        places.push(pc);
    }
}

/// The instructions from `start` to the jump back at `jump` change nothing when they are run again, and `tohost` has been
/// stored to in them or just before them.
fn stores_and_turns(
    program: &Program,
    function: &Function,
    constants: &Constants,
    tohost: u32,
    start: u32,
    jump: u32,
) -> bool {
    let instruction = |pc: u32| decode(program.word(pc).unwrap_or(0));
    let stored = |pc: u32| match instruction(pc) {
        Instruction::Store { rs1, offset, .. } => {
            constants.register(pc, rs1).single().map(|base| base.wrapping_add_signed(offset))
        }
        _ => None,
    };
    let repeats = |pc: u32| match instruction(pc) {
        // Of the high half of a word of 64 bits, too.
        Instruction::Store { .. } => {
            stored(pc).is_some_and(|address| address == tohost || address == tohost.wrapping_add(4))
        }
        Instruction::LoadUpper { rd, .. }
        | Instruction::AddUpperToPc { rd, .. }
        | Instruction::Immediate { rd, .. } => constants.register(jump, rd).single().is_some(),
        Instruction::Fence => true,
        _ => false,
    };
    if !(start..jump).step_by(4).all(repeats) {
        return false;
    }
    let before = |pc: u32| {
        let mut ways = function.graph.neighbors_directed(pc, Incoming).filter(|&from| from != jump);
        ways.next().filter(|&from| ways.next().is_none() && from + 4 == pc)
    };
    let is_stored = |pc: u32| stored(pc) == Some(tohost);
    (start..jump).step_by(4).any(is_stored)
        || std::iter::successors(before(start), |&pc| before(pc))
            .take_while(|&pc| !function.branches.contains(&pc) && !function.is_call(pc))
            .any(is_stored)
}
