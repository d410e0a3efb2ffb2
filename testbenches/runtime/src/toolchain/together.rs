//! What lanes do together stays single in C.
//!
//! The header has `ballot`, `cond_acc` and `tree_traverse` as inline assembler: a call would cost as much as they save. clang takes assembler in OpenCL C for
//! convergent, and in C not: LLVM might then give each side of a branch a copy, which its lanes would execute without the others. So it might what is behind
//! a branch and reads what one side has written: `warploom_meet` stands before it.

/// The opcodes of instructions that lanes execute together, and the place to meet.
const TOGETHER: &[&str] =
    &[" asm sideeffect \".insn r 0x0B,", " asm sideeffect \".insn r 0x2B,", " asm sideeffect \"\", \"~{memory}\""];

/// Whether a program has any.
pub(super) fn are(text: &str) -> bool {
    TOGETHER.iter().any(|call| text.contains(call))
}

/// A module, as the front end leaves it, in which they are convergent.
pub(super) fn kept(module: String) -> String {
    if !are(&module) {
        return module;
    }
    let kept = |line: &str| {
        let end = line.rfind(") #").filter(|_| are(line)).map_or(line.len(), |end| end + 1);
        let attribute = if end < line.len() { " convergent" } else { "" };
        format!("{}{attribute}{}\n", &line[..end], &line[end..])
    };
    module.lines().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn calls_of_such_assembler_are_convergent() {
        let call = |more: &str| {
            format!(
                "  %2 = call i32 asm sideeffect \".insn r 0x0B, 2, 0, $0, $1, x0\", \"=r,r\"(i32 %1){more} #2, !srcloc !7\n"
            )
        };
        let other = "  %3 = call i32 asm \"csrr $0, 0xCCC\", \"=r\"() #3, !srcloc !8\n";
        assert_eq!(kept(call("") + other), call(" convergent") + other);
        assert_eq!(kept(other.to_string()), other);
    }
}
