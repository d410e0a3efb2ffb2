//! What a kernel need not do because it is where threads begin: save the registers s0 to s11 for its caller, and reload
//! them. On the compiler's assembly, between compiling and assembling:
//!
//! ```text
//!                kernel:                           kernel:
//!                    addi sp, sp, -16                  addi sp, sp, -16
//!                    sw   ra, 12(sp)                   sw   ra, 12(sp)
//!   clang -S ->      sw   s0, 8(sp)       ->           mv   s0, a0          -> clang -c
//!                    mv   s0, a0                       call barrier
//!                    call barrier                      sw   zero, 0(s0)
//!                    sw   zero, 0(s0)                  lw   ra, 12(sp)
//!                    lw   ra, 12(sp)                   addi sp, sp, 16
//!                    lw   s0, 8(sp)                    ret
//!                    addi sp, sp, 16
//!                    ret
//! ```
//!
//! **The convention.** s0 to s11 hold nothing when a kernel is entered, and nobody asks for them when it returns: the start
//! code only ends the thread then. Every other function keeps them, as in the usual convention. So a function is
//! treated only if it is a kernel and nothing in the module names it: one that is also called keeps its saves.
//!
//! **The proof** is by registers, not by stack slots, and uses control flow alone:
//!
//! - a store `sw sN, k(sp)` goes if no way from the entry to it meets an instruction that names sN: what it stores is
//!   what the register held at entry, and that is nothing;
//! - a load `lw sN, k(sp)` goes if no way from it to the end meets an instruction that names sN: nobody reads it.
//!
//! A spill stores something computed, and its reload is read. `ra` stays, for the return needs it, and so do the slots:
//! the frame keeps its size, since a word of a stack that nobody touches costs nothing. If nothing is left in the
//! frame, its allocation goes as well.
//!
//! Where the control flow is not in the text (`jr`, macros, jumps out of the function), a function stays as it is.
//! Inline assembly may do what it does not say (`.word`, a call into assembler code): it counts as naming all registers.
use std::collections::{BTreeMap, BTreeSet};

/// A set of s0 to s11.
type Saved = u16;
const ALL: Saved = (1 << 12) - 1;

/// The module, in which the kernels `entries` neither save nor reload s0 to s11.
pub(super) fn without_saves(module: &str, entries: &[&str]) -> String {
    let lines: Vec<&str> = module.lines().collect();
    if lines.iter().any(|line| code(line).starts_with(".macro")) {
        return module.into();
    }
    let functions = entries.iter().filter(|entry| !is_referenced(&lines, entry));
    let functions = functions.filter_map(|entry| Function::find(&lines, entry));
    let removed: BTreeSet<usize> = functions.flat_map(|function| function.superfluous()).collect();
    let left = lines.iter().enumerate().filter(|(number, _)| !removed.contains(number));
    left.flat_map(|(_, line)| [line, "\n"]).collect()
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// Names of symbols and registers, numbers, mnemonics.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '$')).filter(|word| !word.is_empty())
}

/// Whether anything but a symbol's own definition names it: a call, a pointer, an alias.
fn is_referenced(lines: &[&str], symbol: &str) -> bool {
    const OF_DEFINITION: &[&str] =
        &[".globl", ".weak", ".hidden", ".protected", ".type", ".size", ".addrsig_sym", ".file"];
    const STRINGS: &[&str] = &[".ascii", ".asciz", ".string", ".ident"];
    lines.iter().any(|line| {
        // A kernel may be called `add`.
        let (first, operands) = code(line).split_once(char::is_whitespace).unwrap_or_default();
        !OF_DEFINITION.contains(&first) && !STRINGS.contains(&first) && words(operands).any(|word| word == symbol)
    })
}

fn label(code: &str) -> Option<&str> {
    code.strip_suffix(':').filter(|name| words(name).next() == Some(*name))
}

/// An instruction, or a directive that may stand for some.
struct Step<'a> {
    line: usize,
    mnemonic: &'a str,
    operands: Vec<&'a str>,
    /// Registers that it names.
    names: Saved,
    /// In inline assembly.
    by_hand: bool,
}

impl<'a> Step<'a> {
    fn new(line: usize, code: &'a str, by_hand: bool) -> Self {
        let (mnemonic, operands) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
        let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
        let is_call = matches!(mnemonic, "call" | "jal" | "jalr");
        // `.insn r 11, ...` has its registers as operands; `.insn 4, 0x...` has not.
        let is_raw = mnemonic.starts_with('.')
            && !(mnemonic == ".insn" && operands[0].starts_with(|c: char| c.is_ascii_alphabetic()));
        let names = if is_raw || by_hand && is_call { ALL } else { words(code).fold(0, |set, word| set | saved(word)) };
        Self { line, mnemonic, operands, names, by_hand }
    }

    /// The register, if it is `sw sN, k(sp)` or `lw sN, k(sp)`, as the compiler writes them.
    fn on_stack(&self, mnemonic: &str) -> Saved {
        match self.operands[..] {
            [register, at] if self.mnemonic == mnemonic && at.ends_with("(sp)") && !self.by_hand => saved(register),
            _ => 0,
        }
    }

    /// Where it goes: to the label, and whether also to the next step. None if that is not in the text.
    fn flow(&self, labels: &BTreeMap<&str, usize>) -> Option<(Option<usize>, bool)> {
        let target = self.operands.last().and_then(|operand| labels.get(operand)).copied();
        match self.mnemonic {
            "j" => Some((Some(target?), false)),
            "jr" => None,
            "call" | "tail" | "jal" | "jalr" if target.is_some() || matches!(self.operands[0], "zero" | "x0") => None,
            "ret" | "mret" | "tail" => Some((None, false)),
            mnemonic if mnemonic.starts_with("c.") => None,
            mnemonic if mnemonic.starts_with('b') => Some((Some(target?), true)),
            _ => Some((None, true)),
        }
    }
}

/// The register of a name, as a set.
fn saved(name: &str) -> Saved {
    let number = |prefix: &str| name.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
    let index = match (name, number("s"), number("x")) {
        ("fp", ..) => Some(0),
        (_, Some(index @ 0..=11), _) => Some(index),
        (.., Some(index @ 8..=9)) => Some(index - 8),
        (.., Some(index @ 18..=27)) => Some(index - 16),
        _ => None,
    };
    index.map_or(0, |index| 1 << index)
}

/// The lines of a function.
struct Function<'a> {
    steps: Vec<Step<'a>>,
    /// The step behind each label.
    labels: BTreeMap<&'a str, usize>,
    /// What is said of the frame for debuggers: the line, and the words.
    frame: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Function<'a> {
    /// The function of this name; none if it is not there, or not written as a compiler does.
    fn find(lines: &[&'a str], name: &str) -> Option<Self> {
        const SILENT: &[&str] = &[".loc", ".file", ".p2align"];
        let mut function = Self { steps: Vec::new(), labels: BTreeMap::new(), frame: Vec::new() };
        let start = lines.iter().position(|line| label(code(line)) == Some(name))?;
        let mut by_hand = false;
        for (number, line) in lines.iter().enumerate().skip(start + 1) {
            let code = code(line);
            let first = code.split_whitespace().next().unwrap_or_default();
            if first == ".size" && words(code).nth(1) == Some(name) {
                return Some(function);
            } else if let Some(label) = label(code) {
                function.labels.insert(label, function.steps.len());
            } else if first.starts_with(".cfi_") {
                function.frame.push((number, words(code).collect()));
            } else if !code.is_empty() && !SILENT.contains(&first) {
                if code.contains([':', ';']) {
                    return None;
                }
                function.steps.push(Step::new(number, code, by_hand));
            }
            by_hand = match line.trim() {
                "#APP" => true,
                "#NO_APP" => false,
                _ => by_hand,
            };
        }
        None
    }

    /// The numbers of the lines that need not be there.
    fn superfluous(&self) -> Vec<usize> {
        let Some(next) = self.steps.iter().enumerate().map(|(i, step)| self.next(i, step)).collect::<Option<Vec<_>>>()
        else {
            return Vec::new();
        };
        let (before, after) = self.named_around(&next);
        let is_save = |i: usize, step: &Step| step.on_stack("sw") & !before[i] != 0;
        let is_reload = |i: usize, step: &Step| step.on_stack("lw") & !after[i] != 0;
        let (gone, left): (Vec<_>, Vec<_>) =
            self.steps.iter().enumerate().partition(|&(i, step)| is_save(i, step) || is_reload(i, step));

        let mut lines: Vec<usize> = gone.iter().map(|(_, step)| step.line).collect();
        let unsaved = gone.iter().fold(0, |set, (_, step)| set | step.on_stack("sw"));
        let of_stack = left.iter().filter(|(_, step)| names_stack(step)).map(|&(_, step)| step);
        let (moves, uses): (Vec<_>, Vec<_>) = of_stack.partition(|step| moves_stack(step));
        if uses.is_empty() {
            lines.extend(moves.iter().map(|step| step.line));
        }
        lines.extend(self.frame.iter().filter_map(|(line, words)| match words[..] {
            [".cfi_offset", register, _] => (saved(register) & unsaved != 0).then_some(*line),
            [".cfi_def_cfa_offset", _] => (uses.is_empty() && !moves.is_empty()).then_some(*line),
            _ => None,
        }));
        lines
    }

    /// The steps that may follow.
    fn next(&self, i: usize, step: &Step) -> Option<Vec<usize>> {
        let (target, falls) = step.flow(&self.labels)?;
        let both = target.into_iter().chain(falls.then_some(i + 1));
        Some(both.filter(|&next| next < self.steps.len()).collect())
    }

    /// Of every step, the registers named on the ways to it, and on the ways from it.
    fn named_around(&self, next: &[Vec<usize>]) -> (Vec<Saved>, Vec<Saved>) {
        let (mut before, mut after) = (vec![0; next.len()], vec![0; next.len()]);
        loop {
            let known = (before.clone(), after.clone());
            for (i, follower) in next.iter().enumerate().flat_map(|(i, next)| next.iter().map(move |&next| (i, next))) {
                before[follower] |= before[i] | self.steps[i].names;
                after[i] |= after[follower] | self.steps[follower].names;
            }
            if known == (before.clone(), after.clone()) {
                return known;
            }
        }
    }
}

fn names_stack(step: &Step) -> bool {
    let mut named = step.operands.iter().flat_map(|operand| words(operand));
    step.names == ALL || named.any(|word| matches!(word, "sp" | "x2"))
}

fn moves_stack(step: &Step) -> bool {
    step.mnemonic == "addi" && !step.by_hand && step.operands.starts_with(&["sp", "sp"])
}

#[cfg(test)]
mod tests;
