//! Functions, and who calls them.
use super::registers::*;
use super::{DEEPEST, Generator};

/// Where the body of a function begins: whoever calls it is not deeper, so that their loops have counters of their own.
const FUNCTION_DEPTH: u32 = 2;
/// Functions of each level; those of a level call only the next one's.
const FUNCTIONS: usize = 2;
/// Functions call functions so deep; of four levels, the outer two must save their return addresses, as there are two links.
const LEVELS: usize = 4;
/// Slot of private memory, in words below the top, in which a function of the first level may keep its return address; the next level has the next.
const SAVED: u32 = 9;

/// Which calls there are. A warp is subdivided only in programs that call no function from two places.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Policy {
    #[default]
    None,
    OneEach,
    Any,
}

impl Policy {
    pub const ALL: [Self; 3] = [Self::None, Self::OneEach, Self::Any];
}

#[derive(Default)]
pub struct Calls {
    pub policy: Policy,
    /// Of what the calls come from: 0 the program, 1 a function, 2 one that a function has called, and so on.
    level: usize,
    /// Level, function and place of every call: its target is still open.
    open: Vec<(usize, usize, usize)>,
    /// The same of every pointer to a function.
    pointers: Vec<(usize, usize, usize)>,
    /// Level, function, and where it begins.
    targets: Vec<(usize, usize, usize)>,
}

/// How deep code of a level may be that calls something. What is called may have the fewer loops the deeper the call: it runs the more often.
fn deepest_call(level: usize) -> u32 {
    match level {
        0 => FUNCTION_DEPTH,
        _ => (FUNCTION_DEPTH + level as u32 - 1).min(DEEPEST),
    }
}

/// The register with the return address of what this level calls.
fn link(level: usize) -> u32 {
    LINKS[level % LINKS.len()]
}

impl Generator<'_> {
    pub fn call(&mut self, depth: u32) {
        let (level, function) = (self.calls.level, self.below(FUNCTIONS as u32) as usize);
        let called = self.calls.open.iter().any(|call| (call.0, call.1) == (level, function));
        let allowed = match self.calls.policy {
            Policy::None => false,
            Policy::OneEach => !called,
            Policy::Any => true,
        };
        match level {
            0..LEVELS if allowed && depth <= deepest_call(level) => {
                if self.calls.policy == Policy::Any && self.below(4) == 3 {
                    return self.call_by_pointer(level);
                }
                self.late_before(link(level), &[]);
                let position = self.call_with(link(level));
                self.calls.open.push((level, function, position));
            }
            _ => self.arithmetic(),
        }
    }

    /// Which of the functions of a level, the CTA decides: threads of one warp must not jump to different places.
    fn call_by_pointer(&mut self, level: usize) {
        // The loader has to know all functions, and it finds those that are called somewhere.
        let over = self.branch_on(0, 0, 0);
        for function in 0..FUNCTIONS {
            let position = self.call_with(link(level));
            self.calls.open.push((level, function, position));
        }
        self.aim_here(over);
        self.pointer(level, 0);
        self.csr(SCRATCH, 0xcc3);
        self.and_immediate(SCRATCH, SCRATCH, 1);
        let first = self.branch_on(0, SCRATCH, 0);
        self.pointer(level, 1);
        self.aim_here(first);
        self.late_before(link(level), &[]);
        self.i_type(0x67, 0, link(level), TEMPORARY, 0);
    }

    /// TEMPORARY = the address of a function, once that is known.
    fn pointer(&mut self, level: usize, function: usize) {
        self.calls.pointers.push((level, function, self.here()));
        self.upper(0x37, TEMPORARY, 0);
        self.add_immediate(TEMPORARY, TEMPORARY, 0);
    }

    /// Behind the program, what it calls.
    pub fn functions(&mut self) {
        for level in 0..LEVELS {
            self.calls.level = level + 1;
            for function in 0..FUNCTIONS {
                let calls: Vec<usize> = self.calls_of(level, function);
                if !calls.is_empty() {
                    calls.into_iter().for_each(|position| self.aim_here(position));
                    let here = self.here();
                    self.calls.targets.push((level, function, here));
                    self.function(level, link(level));
                }
            }
        }
        self.aim_pointers();
    }

    /// All functions have their places.
    fn aim_pointers(&mut self) {
        for (level, function, position) in std::mem::take(&mut self.calls.pointers) {
            let target = self.calls.targets.iter().find(|target| (target.0, target.1) == (level, function));
            let address = 4 * target.expect("it is also called directly").2 as u32;
            self.words[position] |= (address + 0x800) & !0xfff;
            self.words[position + 1] |= address << 20;
        }
    }

    fn calls_of(&self, level: usize, function: usize) -> Vec<usize> {
        let of = self.calls.open.iter().filter(|call| (call.0, call.1) == (level, function));
        of.map(|call| call.2).collect()
    }

    fn function(&mut self, level: usize, link: u32) {
        let offset = (4 * (SAVED + level as u32)).wrapping_neg();
        let saves = (self.below(4) == 3) | (level + LINKS.len() < LEVELS);
        if saves {
            self.store(2, link, STACK, offset);
        }
        self.budget = 8;
        let depth = deepest_call(level + 1);
        self.body(depth, None);
        if self.below(2) == 1 {
            self.call(depth);
        }
        if saves {
            self.load(2, link, STACK, offset);
        }
        self.i_type(0x67, 0, 0, link, 0);
    }
}
